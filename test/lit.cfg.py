"""lit configuration: every .mlir and .test file below test/ is a test.

`%filecheck` is the PyPI port of FileCheck; with MLTC_FILECHECK=llvm it is LLVM's
own. A test has to pass under both.
"""

import os
import shutil
import sys
from pathlib import Path

import lit.formats

config.name = "mltc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".ttir", ".test"]
config.excludes = ["python", "execution", "Inputs"]
config.test_source_root = str(Path(config.mltc_source_dir) / "test")
config.test_exec_root = str(Path(config.mltc_binary_dir) / "test")

venv_bin = Path(sys.executable).parent
build_bin = Path(config.mltc_binary_dir) / "bin"
config.environment["PATH"] = os.pathsep.join(
    [str(build_bin), str(venv_bin), os.environ.get("PATH", "")]
)


def filecheck() -> str:
    """The FileCheck to use, as a command."""
    if os.environ.get("MLTC_FILECHECK") == "llvm":
        import llvm

        return str(Path(llvm.__file__).parent / "bin" / "FileCheck") + " --enable-var-scope"
    found = shutil.which("filecheck", path=config.environment["PATH"])
    if not found:
        lit_config.fatal("filecheck not found; run `make setup`")
    return found


sys.path.insert(0, config.test_source_root)
from corpus import CORPUS  # noqa: E402 - found beside this file

if CORPUS.is_dir():
    config.available_features.add("corpus")
config.substitutions.append(("%corpus", str(CORPUS)))
config.substitutions.append(("%filecheck", filecheck()))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%source", config.mltc_source_dir))
