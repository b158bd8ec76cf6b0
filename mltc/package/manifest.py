"""The manifest: what the compiler promises about the kernels of a package.

``mlt-translate --mlt-to-manifest`` writes the part about kernels (:class:`CompilerManifest`)
from what stands on the module; the driver adds how the package was built
(:class:`Manifest`).  The runtime trusts this record and nothing else, so it is validated
here on both sides: sizes are bounded, cross references are checked, and a precondition of a
kind this version does not know is refused instead of ignored.  Additional keys with
information elsewhere are kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    model_validator,
)

from mltc.errors import MltcError, UsageError, did_you_mean
from mltc.package import expression as expr

_M = TypeVar("_M", bound="CompilerManifest")
_K = TypeVar("_K")

VERSION = 1
MAX_MANIFEST_BYTES = 4 * 1024 * 1024
MAX_JSON_DEPTH = 200

SCALAR_TYPES = ("i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64")


class ManifestError(MltcError):
    """The manifest is malformed, too large, of another version, or contradicts itself."""


class _Record(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True, strict=True)


class _Closed(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, arbitrary_types_allowed=True
    )


def _parse_expression(value: Any) -> Any:
    known = isinstance(value, expr.Expression)
    return value if known else expr.parse(value)


ExpressionField = Annotated[
    Any, BeforeValidator(_parse_expression), PlainSerializer(expr.dump, return_type=dict)
]

ArgumentKind = Literal[
    "pointer",
    "scalar",
    "descriptor_base",
    "descriptor_shape",
    "descriptor_stride",
    "descriptor_flag",
]


class Argument(_Record):
    """One positional kernel argument.

    ``type`` is the element type of a pointer and the type itself of a scalar;
    ``divisibility`` is what the kernel was compiled to rely on: bytes for a pointer's
    address, units for an integer.
    """

    index: int = Field(ge=0, lt=2048)
    name: str | None = Field(default=None, max_length=512)
    kind: ArgumentKind
    type: str = Field(min_length=1, max_length=64)
    addrspace: int | None = Field(default=None, ge=0, le=7)
    divisibility: int | None = Field(default=None, ge=1, le=2**31)

    @property
    def is_pointer(self) -> bool:
        """True for a global memory pointer, false for a value."""
        return self.kind in ("pointer", "descriptor_base")

    @property
    def label(self) -> str:
        """``argument 3 ('M')``, or without the name when the source had none."""
        return f"argument {self.index}" + (f" ('{self.name}')" if self.name else "")

    @model_validator(mode="after")
    def _check(self) -> Argument:
        if not self.is_pointer and self.type not in SCALAR_TYPES:
            expected = ", ".join(SCALAR_TYPES)
            raise ValueError(f"expected a scalar type out of {expected}, got '{self.type}'")
        return self


class BaseAlignment(_Closed):
    """The address in pointer argument ``arg`` must be a multiple of ``value`` bytes."""

    kind: Literal["base_alignment"]
    arg: int = Field(ge=0)
    value: int = Field(ge=1, le=2**31)
    reason: str | None = None
    loc: str | None = None


class _Matrix(_Closed):
    """A matrix in memory.

    ``width``, ``height`` and ``pitch`` are in elements of ``elem_bytes`` bytes (width, pitch)
    and rows (height).
    """

    elem_bytes: int = Field(ge=1, le=16)
    width: ExpressionField
    height: ExpressionField
    pitch: ExpressionField
    loc: str | None = None


class Array(_Matrix):
    """The array behind pointer argument ``base`` holds the matrix."""

    kind: Literal["array"]
    base: int = Field(ge=0)


class Block2D(_Matrix):
    """A 2-D block access through pointer argument ``base``.

    ``base`` is None when the kernel moves the base pointer, such as to a head of an
    attention input; what must hold for the address is then recorded in other
    preconditions.  The matrix is the one that the hardware is told about.
    """

    kind: Literal["block_2d"]
    base: int | None = Field(default=None, ge=0)
    access: Literal["load", "store", "prefetch"]


class Comparison(_Closed):
    """``lhs compare rhs`` must hold; for what the other kinds cannot say."""

    kind: Literal["expr"]
    compare: Literal["eq", "ne", "lt", "le", "gt", "ge", "multiple_of"]
    lhs: ExpressionField
    rhs: ExpressionField
    reason: str | None = None
    loc: str | None = None


AnyPrecondition = Array | BaseAlignment | Block2D | Comparison
Precondition = Annotated[AnyPrecondition, Field(discriminator="kind")]


def precondition_arguments(condition: AnyPrecondition) -> tuple[set[int], set[int]]:
    """The (pointer, integer) argument indices a precondition refers to."""
    if isinstance(condition, BaseAlignment):
        return {condition.arg}, set()
    if isinstance(condition, Array | Block2D):
        trees = (condition.width, condition.height, condition.pitch)
        pointers = set() if condition.base is None else {condition.base}
        return pointers, set().union(*(expr.arguments_of(tree) for tree in trees))
    return set(), expr.arguments_of(condition.lhs) | expr.arguments_of(condition.rhs)


class CheckSite(_Record):
    """A block message of the portable code: its place in the source, and its name."""

    loc: str = Field(max_length=4096)
    what: str = Field(max_length=4096)


class Checks(_Record):
    """What a kernel that checks its block messages reports in its last argument.

    A message that breaks ``rules[r - 1]`` at ``sites[s]`` stores ``s << 8 | r``.
    """

    arg: int = Field(ge=0, le=2048)
    rules: tuple[str, ...] = Field(max_length=255, strict=False)
    sites: tuple[CheckSite, ...] = Field(max_length=2**20, strict=False)


def signature_text(name: str, args: Iterable[Argument]) -> str:
    """``matmul(a_ptr: *f16, M: i32)``, as messages show a kernel."""
    parts = (
        f"{arg.name or f'arg{arg.index}'}: {'*' if arg.is_pointer else ''}{arg.type}"
        for arg in args
    )
    return f"{name}({', '.join(parts)})"


def select_kernel(kernels: Mapping[str, _K], name: str | None) -> _K:
    """A kernel by name; without a name the only one.

    Raises:
        UsageError: there is no such kernel, or there are several.
    """
    known = ", ".join(kernels) or "none"
    if name is None and len(kernels) == 1:
        return next(iter(kernels.values()))
    if name is None:
        raise UsageError(
            f"expected one kernel, found {len(kernels)}: {known}", hint="choose one with --kernel"
        )
    if name not in kernels:
        raise UsageError(f"no kernel '{name}'{did_you_mean(name, kernels)} (there are: {known})")
    return kernels[name]


class Kernel(_Record):
    """One kernel entry point; sizes of SLM in bytes, local size in work-items."""

    name: str = Field(min_length=1, max_length=1024)
    sub_group_size: int = Field(ge=1, le=64)
    num_warps: int = Field(ge=1, le=64)
    local_size: tuple[int, int, int] = Field(strict=False)
    slm_bytes: int = Field(default=0, ge=0, le=2**24)
    grid_axes: tuple[str, ...] = Field(default=("x", "y", "z"), max_length=3, strict=False)
    args: tuple[Argument, ...] = Field(max_length=2048, strict=False)
    preconditions: tuple[Precondition, ...] = Field(default=(), max_length=65536, strict=False)
    has_dot: bool | None = None
    checks: Checks | None = None

    @property
    def names(self) -> dict[int, str]:
        """Argument names by index, where the source had names."""
        return {arg.index: arg.name for arg in self.args if arg.name}

    @model_validator(mode="after")
    def _check(self) -> Kernel:
        indices = [arg.index for arg in self.args]
        if indices != list(range(len(indices))):
            raise ValueError(f"expected argument indices 0, 1, ... in order, got {indices}")
        if self.checks is not None and self.checks.arg != len(indices):
            raise ValueError(f"expected the argument for checks to be {len(indices)}")
        if any(size < 1 for size in self.local_size):
            raise ValueError(f"expected positive local sizes, got {self.local_size}")
        for condition in self.preconditions:
            self._check_references(condition)
        return self

    def _check_references(self, condition: AnyPrecondition) -> None:
        pointers, integers = precondition_arguments(condition)
        for index in pointers | integers:
            if index >= len(self.args):
                raise ValueError(f"precondition names argument {index} of {len(self.args)}")
            arg = self.args[index]
            if index in pointers and not arg.is_pointer:
                raise ValueError(f"expected a pointer, got {arg.kind} {arg.label}")
            if index in integers and (arg.is_pointer or not arg.type.startswith("i")):
                raise ValueError(f"expected an integer, got {arg.kind} {arg.type} {arg.label}")


class CompilerManifest(_Record):
    """What ``mlt-translate`` writes."""

    version: Literal[1]
    target: str = Field(min_length=1, max_length=64)
    style: Literal["simt", "simd"]
    interface: str = Field(min_length=1, max_length=64)
    kernels: tuple[Kernel, ...] = Field(min_length=1, max_length=4096, strict=False)

    @model_validator(mode="after")
    def _check_kernels(self) -> CompilerManifest:
        names = [kernel.name for kernel in self.kernels]
        if len(set(names)) != len(names):
            raise ValueError(f"duplicate kernel names in {names}")
        for kernel in self.kernels:
            expected = kernel.num_warps * (kernel.sub_group_size if self.style == "simt" else 1)
            if kernel.local_size != (expected, 1, 1):
                raise ValueError(
                    f"kernel '{kernel.name}': expected local size ({expected}, 1, 1) for "
                    f"{kernel.num_warps} warps in style {self.style}, got {kernel.local_size}"
                )
        return self

    def kernel(self, name: str | None = None) -> Kernel:
        """The record of one kernel; without a name of the only one.

        Raises:
            UsageError: there is no such kernel, or there are several.
        """
        return select_kernel({kernel.name: kernel for kernel in self.kernels}, name)


class GrfAttempt(_Record):
    """One run of ocloc: register count, and bytes spilled per kernel."""

    registers: int
    spill_bytes: dict[str, int]


class GrfRecord(_Record):
    """How the register mode was chosen."""

    requested: str
    registers: int
    reason: str
    attempts: tuple[GrfAttempt, ...] = Field(default=(), strict=False)


class BuildRecord(_Record):
    """How the package was made; nothing in it depends on the time or the machine."""

    mltc: str
    tools: dict[str, str]
    pipeline: str
    pipeline_text: str
    input_name: str
    input_sha256: str
    input_stage: str = "ttir"
    grf: GrfRecord | None = None
    spill_bytes: dict[str, int] = Field(default_factory=dict)
    options: dict[str, Any] = Field(default_factory=dict)


class Manifest(CompilerManifest):
    """The record inside a package."""

    build: BuildRecord | None = None


def _json_depth_ok(text: str) -> bool:
    depth, quoted, escaped = 0, False, False
    for char in text:
        if quoted:
            quoted = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            quoted = True
        elif char in "[{":
            depth += 1
            if depth > MAX_JSON_DEPTH:
                return False
        elif char in "]}":
            depth -= 1
    return True


def _load_json(data: bytes, what: str) -> Any:
    if len(data) > MAX_MANIFEST_BYTES:
        raise ManifestError(f"{what}: {len(data)} bytes, more than {MAX_MANIFEST_BYTES}")
    try:
        text = data.decode("utf-8")
        if not _json_depth_ok(text):
            raise ManifestError(f"{what}: nested deeper than {MAX_JSON_DEPTH} levels")
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of too many digits
        raise ManifestError(f"{what}: not valid JSON: {error}") from None


def _explain(error: ValidationError) -> str:
    parts = []
    for problem in error.errors()[:8]:
        path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in problem["loc"])
        parts.append(f"{path.lstrip('.') or 'manifest'}: {problem['msg']}")
    return "; ".join(parts)


def parse(data: bytes, model: type[_M], what: str = "manifest") -> _M:
    """Parses and validates the JSON form.

    Raises:
        ManifestError: not JSON, too large or deep, another version, or inconsistent.
    """
    tree = _load_json(data, what)
    if not isinstance(tree, dict):
        raise ManifestError(f"{what}: expected an object, got {type(tree).__name__}")
    if tree.get("version") != VERSION:
        raise ManifestError(
            f"{what}: expected version {VERSION}, got {tree.get('version')!r:.40}",
            hint="this package or tool comes from another release of mltc",
        )
    try:
        return model.model_validate(tree)
    except ValidationError as error:
        raise ManifestError(f"{what}: {_explain(error)}") from None


def serialize(manifest: CompilerManifest) -> bytes:
    """The JSON form: UTF-8, sorted keys, the same bytes for the same content."""
    tree = manifest.model_dump(mode="json", exclude_none=True)
    return json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
