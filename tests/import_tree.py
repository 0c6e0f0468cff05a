"""The imports of a package's files, and how long its files and functions are."""

import ast
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

# A string that is given to these names a logger or a file, and imports nothing.
NAMING = {"getLogger", "files"}


@dataclass(frozen=True)
class Import:
    """A module of the package that another one imports.

    Attributes:
        path: the importing file, from the folder that holds the package.
        line: where.
        source: the importing module.
        target: what it imports.
    """

    path: str
    line: int
    source: str
    target: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.source} imports {self.target}"


@dataclass(frozen=True)
class File:
    """A module as it is written.

    Attributes:
        path: from the folder that holds the package.
        nodes: what may import something, and every function.
    """

    path: str
    nodes: list[ast.AST]

    @classmethod
    def read(cls, path: Path, where: str) -> "File":
        """What is left of a file without types, docstrings and names of loggers."""
        syntax = ast.parse(path.read_text(encoding="utf-8"))
        return cls(where, [node for node in _live(syntax) if isinstance(node, KEPT)])


KEPT = (
    *(ast.Import, ast.ImportFrom, ast.Attribute, ast.Constant),
    *(ast.FunctionDef, ast.AsyncFunctionDef),
)


def _live(node: ast.AST) -> Iterator[ast.AST]:
    """Every node below one, but for what imports nothing."""
    yield node
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
            below = node.orelse
        case ast.Expr(value=ast.Constant()):
            below = []
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in NAMING:
            below = [node.func]
        case _:
            below = ast.iter_child_nodes(node)
    for child in below:
        yield from _live(child)


@dataclass(frozen=True)
class Tree:
    """A package as it is written.

    Attributes:
        name: that under which it is imported.
        files: every module by its name.
    """

    name: str
    files: dict[str, File]

    @classmethod
    def read(cls, folder: Path) -> "Tree":
        """Every module of a folder."""
        files = {}
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            where = path.relative_to(folder.parent).as_posix()
            files[".".join(parts).removesuffix(".__init__")] = File.read(path, where)
        return cls(folder.name, files)

    @cached_property
    def imports(self) -> list[Import]:
        """Every import of one module of the package by another, in the order of the files."""
        return [
            Import(file.path, line, module, target)
            for module, file in self.files.items()
            for line, target in sorted({*self._imported(file, module)})
            if target != module
        ]

    def _imported(self, file: File, module: str) -> Iterator[tuple[int, str]]:
        for node in file.nodes:
            match node:
                case ast.Import(names=names):
                    targets = [alias.name for alias in names]
                case ast.ImportFrom(names=names):
                    base = self._base(node, file, module)
                    targets = [f"{base}.{alias.name}" for alias in names]
                case ast.Attribute(value=ast.Name(id=self.name), attr=name):
                    targets = [f"{self.name}.{name}"]
                case ast.Constant(value=str(text)) if text in self.files:
                    targets = [text]
                case _:
                    targets = []
            yield from ((node.lineno, found) for found in map(self._module, targets) if found)

    def _base(self, node: ast.ImportFrom, file: File, module: str) -> str:
        """What stands between `from` and `import`, in full."""
        if not node.level:
            return node.module or ""
        package = module if file.path.endswith("/__init__.py") else module.rpartition(".")[0]
        parts = package.split(".")[: len(package.split(".")) - node.level + 1]
        return ".".join([*parts, *([node.module] if node.module else [])])

    def _module(self, name: str) -> str | None:
        """The module that a dotted name lies in, or is; None where that is another package's."""
        while name and name not in self.files:
            name = name.rpartition(".")[0]
        return name or None

    def names_of_the_package(self) -> Iterator[str]:
        """Each use of a name of the package itself, but for those such as `__version__`."""
        for module, file in self.files.items():
            for node in file.nodes:
                match node:
                    case ast.ImportFrom(module=self.name, level=0, names=names):
                        used = [alias.name for alias in names]
                    case ast.Attribute(value=ast.Name(id=self.name), attr=name):
                        used = [name]
                    case _:
                        used = []
                for name in used:
                    if f"{self.name}.{name}" not in self.files and not name.startswith("__"):
                        yield (
                            f"{file.path}:{node.lineno}: {module} takes {name} from {self.name} "
                            "itself. Import it from the module where it stands."
                        )


def room(module: str) -> str:
    """A folder or file at the package's root; empty for the package's own file."""
    return module.split(".")[1] if "." in module else ""


def homeless(tree: Tree, layers: Iterable[Iterable[str]]) -> list[str]:
    """Rooms that have no place in the order."""
    placed = {name for layer in layers for name in layer}
    rooms = sorted({room(module) for module in tree.files} - placed)
    return [f"{tree.name}/{name} is in no layer" for name in rooms]


def upward(tree: Tree, layers: Iterable[Iterable[str]]) -> list[str]:
    """Imports of a room that stands above, or to the right in the same layer."""
    place = {name: number for number, name in enumerate(name for layer in layers for name in layer)}
    return [
        f"{found}: {room(found.target)} stands above {room(found.source) or tree.name}, and may "
        "import it, not the other way around."
        for found in tree.imports
        if {room(found.source), room(found.target)} <= {*place}
        and place[room(found.source)] < place[room(found.target)]
    ]


def circles(tree: Tree) -> list[str]:
    """A shortest circle for every set of files that import each other, with its imports."""
    edges: dict[str, dict[str, Import]] = {module: {} for module in tree.files}
    for found in tree.imports:
        edges[found.source].setdefault(found.target, found)
    told, seen = [], set()
    for module in edges:
        circle = _shortest_way(edges, module, module)
        if circle and module not in seen:
            together = _reached(edges, module) & {
                other for other in edges if module in _reached(edges, other)
            }
            seen |= together
            shortest = min((_shortest_way(edges, each, each) for each in sorted(together)), key=len)
            steps = "".join(f"\n    {edges[a][b]}" for a, b in pairwise(shortest))
            told.append(f"{len(together)} files import each other, these first of all:{steps}")
    return told


def _reached(edges: dict[str, dict[str, Import]], start: str) -> set[str]:
    """What a module imports, directly or through others."""
    found, left = set(), deque(edges[start])
    while left:
        module = left.popleft()
        if module not in found:
            found.add(module)
            left += edges[module]
    return found


def _shortest_way(edges: dict[str, dict[str, Import]], start: str, end: str) -> list[str]:
    """The modules of a shortest way of at least one import; empty where there is none."""
    before: dict[str, str] = {}
    left = deque([start])
    while left and end not in before:
        module = left.popleft()
        for target in edges[module]:
            if target not in before:
                before[target] = module
                left.append(target)
    if end not in before:
        return []
    way = [end, before[end]]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]


def long_files(folder: Path, limit: int) -> list[str]:
    """Files of more lines than the limit."""
    lengths = {
        path.relative_to(folder.parent).as_posix(): len(path.read_text("utf-8").splitlines())
        for path in sorted(folder.rglob("*.py"))
    }
    return [
        f"{path} has {length} lines, and may have {limit}"
        for path, length in lengths.items()
        if length > limit
    ]


def long_bodies(tree: Tree, limit: int) -> list[str]:
    """Functions whose body, docstring and all, has more lines than the limit."""
    told = []
    for file in tree.files.values():
        for node in file.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.body[0].lineno + 1
                if length > limit:
                    told.append(
                        f"{file.path}:{node.lineno}: the body of {node.name} has {length} lines, and "
                        f"may have {limit}"
                    )
    return told


def uses(folder: Path, pattern: str) -> dict[str, int]:
    """How often each file has what a pattern finds, the most first."""
    found = {
        path.relative_to(folder.parent).as_posix(): len(
            re.findall(pattern, path.read_text("utf-8"))
        )
        for path in sorted(folder.rglob("*.py"))
    }
    return dict(sorted(((k, n) for k, n in found.items() if n), key=lambda each: -each[1]))


def most(found: dict[str, int]) -> str:
    """The five files with the most of something."""
    return ", ".join(f"{path} {number}" for path, number in [*found.items()][:5])
