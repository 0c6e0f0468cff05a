"""Traced programs that outlive the process, as JAX's compilation cache keeps compiled ones.

A new process finds its compiled programs on disk, but only after it has traced and lowered them,
which takes longer than all else that a first question waits for. Here the traced program is kept,
too. It is found by everything that it depends on: the sources of this package, the versions and
settings of JAX, the shapes and types of the arrays, and the options that are fixed in it.
"""

import hashlib
import os
import re
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from inspect import unwrap
from pathlib import Path
from types import FunctionType
from typing import Any, Generic, TypeVar

import jax

from grapher_jax.errors import InputError
from grapher_jax.files import PROGRAMS, atomic_file

# How many versions of the package have programs there, for other environments of the same user.
_VERSIONS = 3
_DIGEST = 32
_VERSION = re.compile(rf"[0-9a-f]{{{_DIGEST}}}")

R = TypeVar("R")


@dataclass(frozen=True, eq=False)
class Kept(Generic[R]):
    """A function whose traced programs are kept on disk; see `kept`.

    Attributes:
        function: the function.
        static: the names of its arguments that are fixed in a program.
        programs: the programs of this process by what they depend on.
    """

    function: Callable[..., R]
    static: tuple[str, ...]
    programs: dict[Hashable, Callable[..., R]] = field(default_factory=dict, init=False)

    def __call__(self, *args: object, **kwargs: object) -> R:
        """The result of the function, from a kept program if there can be one."""
        folder = os.environ.get(PROGRAMS)
        arrays = {name: value for name, value in kwargs.items() if name not in self.static}
        leaves, tree = jax.tree.flatten((args, arrays))
        if not folder or not all(map(_is_plain, leaves)) or len(jax.devices()) > 1:
            return self.function(*args, **kwargs)
        fixed = tuple((name, kwargs[name]) for name in self.static if name in kwargs)
        key = (tree, (*map(jax.typeof, leaves),), fixed, _settings())
        if key not in self.programs:
            self.programs[key] = self._program(Path(folder), key)
        return self.programs[key](*leaves)

    def _program(self, folder: Path, key: tuple[Any, ...]) -> Callable[..., R]:
        """The program for these arrays and options: from disk, or traced and written there."""
        from jax import export

        tree, types, fixed, _ = key

        def flat(*leaves: object) -> R:
            args, kwargs = jax.tree.unflatten(tree, leaves)
            return self.function(*args, **kwargs, **dict(fixed))

        try:
            told = _described((unwrap(self.function), *key, jax.default_backend()))
        except (TypeError, ValueError, RecursionError):
            return jax.jit(flat)
        name = hashlib.sha256(told.encode()).hexdigest()
        path = folder / _versions() / f"{name}.program"
        kept = _read(path)
        if kept is not None:
            with suppress(Exception):  # of another version of the format; traced anew
                return jax.jit(export.deserialize(bytearray(kept)).call)
        shapes = (
            jax.ShapeDtypeStruct(one.shape, one.dtype, weak_type=one.weak_type) for one in types
        )
        found = export.export(jax.jit(flat))(*shapes)
        with suppress(OSError, ImportError, InputError, ValueError):
            _write(path, bytes(found.serialize()))
        return jax.jit(found.call)


def kept(function: Callable[..., R], *, static_argnames: tuple[str, ...] = ()) -> Kept[R]:
    """A function whose traced programs are kept in the folder that the variable `PROGRAMS` names.

    Without the folder, with traced arrays, and on several devices it is called as it is.

    Args:
        function: the function, jitted or fit for it; it returns arrays, `TopK` or `Solution`.
        static_argnames: as for `jax.jit`; they are given by keyword.
    """
    return Kept(function, static_argnames)


def kept_jit(function: Callable[..., R], *, static_argnames: tuple[str, ...] = ()) -> Kept[R]:
    """`kept` of the jitted function."""
    return kept(jax.jit(function, static_argnames=static_argnames), static_argnames=static_argnames)


def _is_plain(leaf: object) -> bool:
    return not isinstance(leaf, jax.core.Tracer)


def _settings() -> tuple[str, ...]:
    """The settings of JAX in this thread."""
    return tuple(repr(getattr(jax.config, name)) for name in _NAMES)


_NAMES = [name for name in dir(type(jax.config)) if name.startswith("jax_")]


def _described(value: object) -> str:
    """A text that is the same in every process, and different for different options.

    Raises:
        TypeError: if there is none.
        ValueError: for a function that is not complete yet.
        RecursionError: for one that refers to itself.
    """
    match value:
        case None | bool() | int() | float() | str() | bytes() | Enum():
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
            code = value.__code__
            name = f"{value.__module__}.{code.co_qualname}:{code.co_firstlineno}"
            if hasattr(value, "__wrapped__"):
                return _described((name, value.__wrapped__))
            inside = [cell.cell_contents for cell in value.__closure__ or ()]
            return _described((name, inside, value.__defaults__, value.__kwdefaults__))
        case type():
            return f"{value.__module__}.{value.__qualname__}"
    if is_dataclass(value):
        return _described((type(value), [getattr(value, own.name) for own in fields(value)]))
    raise TypeError(f"{type(value)}: what tells one from another is not known")


@cache
def _versions() -> str:
    """A name for the sources of this package, and the versions of what it traces with."""
    found = hashlib.sha256()
    for package in ("jax", "jaxlib", "flax"):
        with suppress(PackageNotFoundError):
            found.update(f"{package} {version(package)}\0".encode())
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        found.update(f"{path.relative_to(root)}\0".encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:_DIGEST]


def _read(path: Path) -> bytes | None:
    """The program in a file; None if it is missing or damaged."""
    try:
        whole = path.read_bytes()
    except OSError:
        return None
    digest, kept = whole[:_DIGEST], whole[_DIGEST:]
    return kept if hashlib.sha256(kept).digest() == digest else None


def _write(path: Path, program: bytes) -> None:
    own = path.parent
    if not own.is_dir():
        own.mkdir(parents=True, exist_ok=True)
        _forget(own.parent)
    with atomic_file(path) as temporary:
        temporary.write_bytes(hashlib.sha256(program).digest() + program)


def _forget(folder: Path) -> None:
    """Remove the programs of all but the latest versions, and nothing else."""
    own = (path for path in folder.iterdir() if _VERSION.fullmatch(path.name))
    for path in sorted(own, key=lambda path: path.stat().st_mtime)[:-_VERSIONS]:
        for program in path.glob("*.program"):
            program.unlink(missing_ok=True)
        with suppress(OSError):
            path.rmdir()
