"""The ELF container, the zebin reader, the checks, and the package file."""

from __future__ import annotations

import contextlib
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import conftest
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mltc.errors import MltcError
from mltc.package import (
    Expectation,
    ManifestError,
    PackageCheckError,
    PackageError,
    build_package,
    check_zebin,
    elf,
    read_package,
    write_atomically,
)
from mltc.package.container import SECTION, check_output
from mltc.package.zebin import KernelInfo, Zebin, ZebinError, parse_ze_info, read_zebin

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
IGC = """
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64"
target triple = "spir64-unknown-unknown"
declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func float @{name}(float)
define spir_kernel void @k(ptr addrspace(1) %a) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {{
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %p = getelementptr float, ptr addrspace(1) %a, i32 %lane
  %x = load float, ptr addrspace(1) %p
  %y = call spir_func float @{name}(float %x)
  store float %y, ptr addrspace(1) %p
  ret void
}}
!0 = !{{i32 16}}
!1 = !{{i32 64, i32 1, i32 1}}
"""


def test_appending_leaves_every_byte_where_it_was(
    package_bytes: bytes, kernels_zebin: bytes
) -> None:
    assert len(package_bytes) > len(kernels_zebin)
    changed = [i for i, byte in enumerate(kernels_zebin) if package_bytes[i] != byte]
    # Only e_shoff (offset 40, 8 bytes) and e_shnum (offset 60, 2 bytes) of the header.
    assert set(changed) <= {*range(40, 48), 60, 61}
    before, after = read_zebin(kernels_zebin), read_zebin(package_bytes)
    assert {**before.sections, SECTION: after.sections[SECTION]} == {
        **after.sections,
        **{
            name: data for name, data in before.sections.items() if name in (".strtab", ".shstrtab")
        },
    }


def test_llvm_reads_the_result(package_bytes: bytes, tmp_path: Path) -> None:
    (tmp_path / "p.zebin").write_bytes(package_bytes)
    reader = conftest.llvm_program("llvm-readelf", tmp_path)
    done = subprocess.run(
        [reader, "-SnW", tmp_path / "p.zebin"], capture_output=True, text=True, check=True
    )
    section = next(line for line in done.stdout.splitlines() if SECTION in line)
    assert " NOTE " in section
    notes = done.stdout.split(f"notes found in: {SECTION}")[1]
    assert notes.count("mltc ") == 2


def test_package_round_trip(package_bytes: bytes, kernels_spirv: bytes, tmp_path: Path) -> None:
    path = tmp_path / "k.zebin"
    path.write_bytes(package_bytes)
    package = read_package(path)
    assert package.spirv == kernels_spirv and package.data == package_bytes
    assert package.manifest == conftest.make_manifest(
        conftest.SCALED_ADD, conftest.GROUP_IDS, conftest.SCALARS
    )
    assert list(package.zebin.kernels) == ["scaled_add", "group_ids", "scalars"]
    assert package.zebin.kernels["scaled_add"].num_args == 5


def test_a_package_is_not_packaged_again(package_bytes: bytes) -> None:
    with pytest.raises(PackageError, match="already has a section"):
        build_package(package_bytes, conftest.make_manifest(conftest.GROUP_IDS), None)


def with_notes(zebin: bytes, notes: list[elf.Note]) -> bytes:
    return elf.append_section(zebin, SECTION, elf.pack_notes(notes))


def test_damaged_packages_are_refused(kernels_zebin: bytes, package_bytes: bytes) -> None:
    manifest = elf.Note("mltc", 1, b'{"version": 1}')
    cases: list[tuple[bytes, str]] = [
        (kernels_zebin, "a zebin, but not a package"),
        (b"", "not an ELF file"),
        (b"\x7fELF" + b"\0" * 10, "not an ELF file"),
        (b"\x7fELF\x01\x01" + b"\0" * 100, "expected a little-endian 64-bit"),
        (package_bytes[:-100], "damaged|beyond the end|does not fit"),
        (with_notes(kernels_zebin, []), "no manifest"),
        (with_notes(kernels_zebin, [manifest, manifest]), "two notes of type 1"),
        (with_notes(kernels_zebin, [elf.Note("other", 1, b"{}")]), "no manifest"),
        (
            elf.append_section(
                kernels_zebin, SECTION, b"\x05\0\0\0\xff\xff\0\0\x01\0\0\0mltc\0\0\0\0"
            ),
            "beyond the end",
        ),
        (elf.append_section(kernels_zebin, SECTION, b"\0\0"), "2 bytes after the last note"),
    ]
    for data, message in cases:
        with pytest.raises(PackageError, match=message):
            read_package(data)
    with pytest.raises(ManifestError, match="target: Field required"):
        read_package(with_notes(kernels_zebin, [manifest]))
    with pytest.raises(PackageError, match="not SPIR-V"):
        read_package(with_notes(kernels_zebin, [manifest, elf.Note("mltc", 2, b"no")]))


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(at=st.integers(0, 2**20), value=st.binary(min_size=1, max_size=8))
def test_any_damage_is_an_error_of_ours(package_bytes: bytes, at: int, value: bytes) -> None:
    data = bytearray(package_bytes)
    at %= len(data)
    data[at : at + len(value)] = value
    with contextlib.suppress(PackageError, ManifestError):
        read_package(bytes(data[: len(package_bytes)]))


@given(
    st.lists(
        st.builds(elf.Note, st.just("mltc"), st.integers(0, 2**32 - 1), st.binary(max_size=40))
    )
)
def test_notes_round_trip(notes: list[elf.Note]) -> None:
    packed = elf.pack_notes(notes)
    assert len(packed) % 4 == 0 and list(elf.unpack_notes(packed)) == notes


def test_zebin_facts(kernels_zebin: bytes) -> None:
    zebin = read_zebin(kernels_zebin)
    assert (
        zebin.machine == 205
        and zebin.product_config is not None
        and zebin.product_config[:2] == (12, 60)
    )
    info = zebin.kernels["group_ids"]
    assert (info.simd_size, info.grf_count, info.spill_size, info.has_stack_calls) == (
        16,
        128,
        0,
        False,
    )
    assert info.required_work_group_size == (64, 1, 1) and zebin.code("group_ids")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"kernels: [1]", "expected a mapping as an entry of kernels"),
        (b"kernels: [{name: k}]", "expected a mapping as execution_env of 'k'"),
        (b"kernels: [{name: k, execution_env: {grf_count: many}}]", "as grf_count, got 'many'"),
        (b"kernels: [{name: k, execution_env: {grf_count: -1}}]", "as grf_count, got -1"),
        (
            b"kernels: [{name: k, execution_env: {required_work_group_size: [a]}}]",
            "as required_work_group_size, got",
        ),
        (b"a: &x 1\nb: *x\n", "anchors and aliases are not accepted"),
        (b"- " * 1000 + b"1", "nested deeper than"),
        (b"{", "error"),
    ],
)
def test_malformed_ze_info(text: bytes, message: str) -> None:
    with pytest.raises(ZebinError, match=message):
        parse_ze_info(text)


def test_kernel_names_that_look_like_booleans() -> None:
    info = parse_ze_info(
        b"kernels:\n  - name: on\n    execution_env: {simd_size: 16, grf_count: 128}\n"
    )
    assert info["on"].simd_size == 16


EXPECTED = Expectation(
    {"scaled_add": 5}, product_config=(12, 60), grf_registers=128, max_spill=0, max_slm_bytes=131072
)


def test_a_good_binary_passes(kernels_zebin: bytes) -> None:
    check_zebin(read_zebin(kernels_zebin), EXPECTED)


def problems(zebin: Zebin, expected: Expectation) -> str:
    with pytest.raises(PackageCheckError) as caught:
        check_zebin(zebin, expected)
    return "\n".join(caught.value.problems)


@pytest.mark.parametrize("core, accepted", [(3080, True), (3081, False), (None, False)])
def test_a_binary_without_product_configuration(
    kernels_zebin: bytes, core: int | None, accepted: bool
) -> None:
    """As ocloc 22.43 writes it: the core family has to do."""
    old = replace(read_zebin(kernels_zebin), notes={2: (3080).to_bytes(4, "little")})
    expected = replace(EXPECTED, gfx_core=core)
    if accepted:
        check_zebin(old, expected)
    else:
        assert "no product configuration" in problems(old, expected)


def test_every_problem_is_reported(kernels_zebin: bytes) -> None:
    wrong = Expectation(
        {"scaled_add": 4, "absent": 1},
        product_config=(20, 1),
        grf_registers=256,
        call_counts={"scaled_add": 2},
    )
    found = problems(read_zebin(kernels_zebin), wrong)
    assert "built for device 12.60" in found and "expected 20.1.x" in found
    assert "kernel 'scaled_add' uses 128 registers, expected 256" in found
    assert "kernel 'scaled_add' takes 5 arguments, expected 4" in found
    assert "kernel 'scaled_add' contains 2 call instructions" in found
    assert "no code section .text.absent" in found and "no kernel 'absent' in .ze_info" in found


def test_unknown_functions_are_found(
    compile_ll: Callable[[str], bytes], compile_spirv: Callable[..., bytes]
) -> None:
    """ocloc says "Build succeeded" for this one."""
    zebin = read_zebin(compile_spirv(compile_ll(IGC.format(name="_Z12no_such_thingf"))))
    found = problems(zebin, Expectation({"k": 1}))
    assert "undefined symbols (unknown functions): _Z12no_such_thingf" in found
    assert "kernel 'k' has stack calls" in found


def test_spills_are_found(
    compile_ll: Callable[[str], bytes], compile_spirv: Callable[..., bytes]
) -> None:
    count = 300
    lines = [f"  %p{i} = getelementptr float, ptr addrspace(1) %a, i64 {i * 64}\n"
             f"  %q{i} = getelementptr float, ptr addrspace(1) %p{i}, i32 %lane\n"
             f"  %x{i} = load volatile float, ptr addrspace(1) %q{i}\n" for i in range(count)]  # fmt: skip
    lines += [
        f"  store volatile float %x{i}, ptr addrspace(1) %q{count - 1 - i}\n" for i in range(count)
    ]
    text = IGC.format(name="_Z4sqrtf").replace("  ret void", "".join(lines) + "  ret void")
    zebin = read_zebin(compile_spirv(compile_ll(text)))
    spilled = zebin.kernels["k"].spill_size
    assert spilled > 0
    found = problems(zebin, Expectation({"k": 1}, max_spill=spilled - 1))
    assert f"spills {spilled} bytes with 128 registers, at most {spilled - 1} allowed" in found
    check_zebin(zebin, Expectation({"k": 1}, max_spill=spilled))


def test_a_foreign_machine(kernels_zebin: bytes) -> None:
    data = bytearray(kernels_zebin)
    data[18:20] = struct.pack("<H", 62)
    assert "expected ELF machine 205 (Intel GT), got 62" in problems(
        read_zebin(bytes(data)), Expectation({})
    )


def test_atomic_writes(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_atomically(target, b"one")
    mask = os.umask(0)
    os.umask(mask)
    assert target.read_bytes() == b"one" and target.stat().st_mode & 0o777 == 0o666 & ~mask
    write_atomically(target, b"two")
    assert target.read_bytes() == b"two" and [p.name for p in tmp_path.iterdir()] == ["out"]
    with pytest.raises(PackageError, match=r"cannot write .*No such file"):
        write_atomically(tmp_path / "absent" / "out", b"")
    write_atomically(Path("/dev/null"), b"three")
    assert not Path("/dev/null").is_file()


def test_atomic_writes_follow_links_and_keep_the_mode(tmp_path: Path) -> None:
    """A link stays a link, also to a file that is not there yet."""
    real = tmp_path / "far" / "real"
    real.parent.mkdir()
    (tmp_path / "first").symlink_to("far/real")
    (tmp_path / "second").symlink_to("first")
    write_atomically(tmp_path / "second", b"one")
    real.chmod(0o640)
    write_atomically(tmp_path / "second", b"two")
    assert real.read_bytes() == b"two" and real.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "first").is_symlink() and (tmp_path / "second").is_symlink()
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(PackageError, match="cannot write"):
        write_atomically(tmp_path / "loop", b"")


def test_writing_to_an_open_file(tmp_path: Path) -> None:
    """``-o /dev/stdout`` adds to what the shell has opened, and replaces nothing."""
    (tmp_path / "link").symlink_to("/dev/stdout")
    script = "import sys; from pathlib import Path; from mltc.package import write_atomically as w; [w(Path(name), b'two') for name in sys.argv[1:]]"
    with open(tmp_path / "out", "wb") as out:
        out.write(b"one")
        out.flush()
        command = [sys.executable, "-c", script, "/dev/stdout", "/dev/fd/1", "link"]
        subprocess.run(command, stdout=out, cwd=tmp_path, check=True, timeout=60, env=ENVIRONMENT)
    assert (tmp_path / "out").read_bytes() == b"onetwotwotwo"
    piped = subprocess.run(command, stdout=subprocess.PIPE, cwd=tmp_path, check=True, timeout=60, env=ENVIRONMENT)  # fmt: skip
    assert piped.stdout == b"twotwotwo" and (tmp_path / "link").is_symlink()


@pytest.mark.parametrize(
    ("name", "message"),
    [("absent/k", "No such file"), (".", "Is a directory"), ("file/k", "Not a directory"), ("loop", "Too many")],
)  # fmt: skip
def test_an_output_that_cannot_be_written_is_found_before(
    tmp_path: Path, name: str, message: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(MltcError, match=f"cannot write .*{message}"):
        check_output(str(tmp_path / name), binary=True)


def test_compressed_sections_are_refused(kernels_zebin: bytes) -> None:
    """A few bytes of them may become as many as there are in memory."""
    content = struct.pack("<IIQQ", 1, 0, 1 << 26, 1) + zlib.compress(bytes(1 << 26))
    data = bytearray(elf.append_section(kernels_zebin, ".debug_x", content))
    header = elf.read_header(bytes(data))
    last = header.e_shoff + (header.e_shnum - 1) * header.e_shentsize
    struct.pack_into("<Q", data, last + 8, 0x800)  # sh_flags: SHF_COMPRESSED
    with pytest.raises(ZebinError, match=r"section '\.debug_x' is compressed"):
        read_zebin(bytes(data))


def test_advice_names_only_what_there_is() -> None:
    info = KernelInfo("k", 256, 16, 0, 0, 64, 64, 0, False, False, None, 0)
    zebin = Zebin(205, {".ze_info": b"", ".text.k": b"code"}, {"k": info}, (), ())
    for larger, hint in ((None, "more warps or"), (512, "more warps, --grf 512 or")):
        with pytest.raises(PackageCheckError) as caught:
            check_zebin(zebin, Expectation({"k": 0}, max_spill=0, larger_grf=larger))
        assert caught.value.hint == f"{hint} a larger --max-spill"
