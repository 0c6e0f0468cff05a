"""How the rooms of the kernels lie to each other."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

from grapher_jax import kernels

ROOT = Path(kernels.__file__).parent
# Each imports only those before it, and what lies beside the rooms.
ROOMS = ["lookup", "graphs", "fixed_point", "attention", "ranking", "program"]
MODULES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_rooms_import_those_below_them(path):
    if path.parts[0] == "__init__.py":
        return
    below = ROOMS[: ROOMS.index(path.parts[0]) + 1] if path.parts[0] in ROOMS else []
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        name = getattr(node, "module", None) or ""
        if isinstance(node, ast.ImportFrom) and name.startswith("grapher_jax.kernels."):
            room = name.split(".")[2]
            assert room in below or (ROOT / f"{room}.py").is_file(), f"{path} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_no_function_is_named_like_its_module(path):
    parts = [part for part in path.with_suffix("").parts if part != "__init__"]
    module = importlib.import_module(".".join(["grapher_jax.kernels", *parts]))
    for part in parts:
        assert not inspect.isroutine(getattr(module, part, None))
        assert not inspect.isroutine(getattr(kernels, part, None))
