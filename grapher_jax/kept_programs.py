"""Traced programs that outlive the process, as JAX's compilation cache keeps compiled ones.

A new process finds its compiled programs on disk, but only after it has traced and lowered them,
which takes longer than all else that a first question waits for. Here the traced program is kept,
too. It is found by everything that it depends on: the sources of this package, the versions and
settings of JAX, the shapes and types of the arrays, and the options that are fixed in it.
"""

import hashlib
import os
import re
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import WeakSet

import jax

from grapher_jax.errors import InputError
from grapher_jax.files import PROGRAMS, atomic_file

if TYPE_CHECKING:
    from jax.export import Exported

# How many versions of the package have programs there, for other environments of the same user.
_VERSIONS = 3
# How many letters of a digest name a version, and the bytes of a program's SHA-256.
_LETTERS, _CHECKSUM = 32, 32
_VERSION = re.compile(rf"[0-9a-f]{{{_LETTERS}}}")

R = TypeVar("R")
# Sources that changed since are not what this process runs.
_IMPORTED = time.time()


@dataclass(frozen=True, eq=False)
class KeptProgram(Generic[R]):
    """A function whose traced programs are kept on disk; see `kept`.

    Attributes:
        function: the function.
        static: the names of its arguments that are fixed in a program.
        programs: the programs of this process by what they depend on.
    """

    function: Callable[..., R]
    static: tuple[str, ...]
    programs: dict[Hashable, Callable[..., R]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        _every.add(self)

    def __call__(self, *args: object, **kwargs: object) -> R:
        """The result of the function, from a kept program if there can be one."""
        folder = os.environ.get(PROGRAMS)
        arrays = {name: value for name, value in kwargs.items() if name not in self.static}
        leaves, tree = jax.tree.flatten((args, arrays))
        if not folder or not _on_the_only_device(leaves):
            return self.function(*args, **kwargs)
        # With types, because 1, 1.0 and True are equal.
        fixed = tuple(
            (name, type(value), value) for name, value in kwargs.items() if name in self.static
        )
        key = (tree, (*map(jax.typeof, leaves),), fixed, _settings())
        # Another thread may drop all programs at any time.
        if (program := self.programs.get(key)) is None:
            program = self.programs[key] = self._program(Path(folder), key)
        return program(*leaves)

    def _program(self, folder: Path, key: tuple[Any, ...]) -> Callable[..., R]:
        """The program for these arrays and options: from disk, or traced and written there."""
        from jax import export

        tree, types, fixed, _ = key
        options = {name: value for name, _, value in fixed}

        def plain(*leaves: object) -> R:
            args, kwargs = jax.tree.unflatten(tree, leaves)
            return self.function(*args, **kwargs, **options)

        path = self._path(folder, key)
        if path is None:
            return plain
        if (program := _read(path, types)) is not None:
            return jax.jit(program.call)
        shapes = (
            jax.ShapeDtypeStruct(one.shape, one.dtype, weak_type=one.weak_type) for one in types
        )
        try:
            program = export.export(jax.jit(plain))(*shapes)
        except (NotImplementedError, ValueError):  # of what cannot be exported, or of the function
            return plain
        with suppress(OSError, ImportError, InputError, ValueError):
            _write(path, bytes(program.serialize()))
        return jax.jit(program.call)

    def _path(self, folder: Path, key: tuple[Any, ...]) -> Path | None:
        """The file of a program; None if what it depends on cannot be told."""
        # What `jax.jit` makes has no name of its own.
        function = self.function
        if not isinstance(function, FunctionType):
            function = getattr(function, "__wrapped__", function)
        try:
            told = _described((function, *key, jax.default_backend()))
        except (TypeError, ValueError, RecursionError):
            return None
        sources = _sources()
        name = hashlib.sha256(told.encode()).hexdigest()
        return None if sources is None else folder / sources / f"{name}.program"


_every: WeakSet[KeptProgram[Any]] = WeakSet()


def drop_programs() -> None:
    """Drops the programs of this process, as `jax.clear_caches` does; those on disk stay."""
    for one in _every:
        one.programs.clear()


def kept(function: Callable[..., R], *, static_argnames: tuple[str, ...] = ()) -> KeptProgram[R]:
    """A function whose traced programs are kept in the folder that the variable `PROGRAMS` names.

    Without the folder, with traced arrays, on several devices, and with options of which nothing
    tells one from another, such as functions of other packages, it is called as it is.

    Args:
        function: the function, jitted or fit for it; it returns arrays, `TopK` or `Solution`.
        static_argnames: as for `jax.jit`; they are given by keyword.
    """
    return KeptProgram(function, static_argnames)


def kept_jit(
    function: Callable[..., R], *, static_argnames: tuple[str, ...] = ()
) -> KeptProgram[R]:
    """`kept` of the jitted function."""
    return kept(jax.jit(function, static_argnames=static_argnames), static_argnames=static_argnames)


def _on_the_only_device(leaves: Sequence[object]) -> bool:
    """Whether no array is traced, and a program for the default platform computes them all."""
    devices = jax.devices()
    return (
        len(devices) == 1
        and getattr(jax.config, "jax_default_device", None) is None
        and not any(isinstance(leaf, jax.core.Tracer) for leaf in leaves)
        and all(leaf.devices() == {*devices} for leaf in leaves if isinstance(leaf, jax.Array))
    )


def _settings() -> tuple[str, ...]:
    """The settings of JAX in this thread."""
    return tuple(repr(getattr(jax.config, name)) for name in _NAMES)


# Where programs are kept and what is logged changes none.
_NAMES = [
    name
    for name in dir(type(jax.config))
    if name.startswith("jax_") and "cache" not in name and "log" not in name
]


def _described(value: object) -> str:
    """A text that is the same in every process, and different for different options.

    Raises:
        TypeError: if there is none.
        ValueError: for a function that is not complete yet.
        RecursionError: for one that refers to itself.
    """
    match value:
        case None | bool() | int() | float() | str() | bytes():
            return repr(value)
        case jax.tree_util.PyTreeDef() | jax.core.ShapedArray() if " at 0x" not in str(value):
            return repr(value)
        case tuple() | list() | frozenset() | set():
            parts = [_described(one) for one in value]
            parts = sorted(parts) if isinstance(value, frozenset | set) else parts
            return f"{type(value).__name__}({', '.join(parts)})"
        case Mapping():
            return _described([*value.items()])
        case partial():
            return _described((value.func, value.args, value.keywords))
        case FunctionType():
            code, module = value.__code__, value.__globals__["__name__"]
            if module.startswith("jaxtyping."):  # it checks arguments, and changes no result
                return _described(vars(value)["__wrapped__"])
            inside = [cell.cell_contents for cell in value.__closure__ or ()]
            place = f"{_own(module)}.{code.co_qualname}:{code.co_firstlineno}"
            return _described((place, inside, value.__defaults__, value.__kwdefaults__))
        case type():
            known = value.__module__ == "builtins"
            return f"{'' if known else _own(value.__module__)}.{value.__qualname__}"
    if is_dataclass(value):
        return _described((type(value), [getattr(value, own.name) for own in fields(value)]))
    raise TypeError(f"{type(value)}: what tells one from another is not known")


def _own(module: str) -> str:
    """The module, if it is one of this package; the sources of others are not known."""
    if module.partition(".")[0] != __name__.partition(".")[0]:
        raise TypeError(f"{module}: a module of another package")
    return module


@cache
def _sources() -> str | None:
    """A name for the sources of this package, and the versions of what it traces with.

    None if there are no sources, or not those that this process runs.
    """
    found = hashlib.sha256()
    for package in ("grapher-jax", "jax", "jaxlib", "flax"):
        with suppress(PackageNotFoundError):
            found.update(f"{package} {version(package)}\0".encode())
    root = Path(__file__).parent
    paths = sorted(root.rglob("*.py"))
    for path in paths:
        found.update(f"{path.relative_to(root)}\0".encode())
        found.update(path.read_bytes())
    states = [path.stat() for path in paths]
    if max((max(one.st_mtime, one.st_ctime) for one in states), default=_IMPORTED) >= _IMPORTED:
        return None
    return found.hexdigest()[:_LETTERS]


def _read(path: Path, types: Sequence[jax.core.ShapedArray]) -> "Exported | None":
    """The program in a file; None if it is missing, damaged, or not for these arrays."""
    from jax import export

    try:
        whole = path.read_bytes()
    except OSError:
        return None
    digest, program = whole[:_CHECKSUM], whole[_CHECKSUM:]
    if hashlib.sha256(program).digest() != digest:
        return None
    with suppress(Exception):  # of another version of the format
        found = export.deserialize(bytearray(program))
        own = [(one.shape, one.dtype) for one in found.in_avals]
        fits = own == [(one.shape, one.dtype) for one in types]
        return found if fits and jax.default_backend() in found.platforms else None
    return None


def _write(path: Path, program: bytes) -> None:
    own = path.parent
    if not own.is_dir():
        own.mkdir(parents=True, exist_ok=True)
        _forget(own.parent)
    with atomic_file(path) as temporary:
        temporary.write_bytes(hashlib.sha256(program).digest() + program)


def _forget(folder: Path) -> None:
    """Remove the programs of all but the latest versions, and nothing else."""
    own = (
        path for path in folder.iterdir() if _VERSION.fullmatch(path.name) and not path.is_symlink()
    )
    for path in sorted(own, key=lambda path: path.stat().st_mtime)[:-_VERSIONS]:
        for program in path.glob("*.program"):
            program.unlink(missing_ok=True)
        with suppress(OSError):
            path.rmdir()
