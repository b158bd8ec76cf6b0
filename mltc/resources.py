"""Where mltc's data files are: target descriptions, pipelines, tool options.

An installed wheel carries them as package data below ``mltc/data``.  A source tree (and an
editable install, whose package directory is the source tree) has them where the C++ half
reads them too; ``mltc/data/targets`` and ``mltc/data/pipelines`` are symbolic links to those
places, and a checkout without symbolic links is served from the original folders.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_SOURCE_TREE = {"targets": Path("lib/Target/data"), "pipelines": Path("pipelines")}


def data_directory(kind: str) -> Path:
    """The directory that holds the data files of one kind (``targets``, ``pipelines``)."""
    installed = _PACKAGE / "data" / kind
    if installed.is_dir() or kind not in _SOURCE_TREE:
        return installed
    return _PACKAGE.parent / _SOURCE_TREE[kind]


def data_files(kind: str, suffix: str) -> dict[str, Path]:
    """Data files of one kind by their name without suffix, sorted."""
    directory = data_directory(kind)
    return {path.stem: path for path in sorted(directory.glob(f"*{suffix}"))}
