"""Imports of the package only point down, in no circle, and its pieces have a size that can be read.

`LAYERS` is the order: a module may import its own room, rooms of lower layers, and of its own layer those
to the left of its room. Every import counts, also one inside a function, and a module that is
named in a string. What `if TYPE_CHECKING` holds alone does not: no program runs it. There is no
list of exceptions.

The names of the package itself (`from grapher_jax import Index`) are for its users. Inside, they
are imported from the modules where they stand, so that this test sees where they come from.
"""

import ast
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import pytest

import grapher_jax

PACKAGE = Path(grapher_jax.__file__).parent
ROOT = PACKAGE.parent
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

# The lowest first. `""` is the package's own file, which imports nothing before it is asked to.
LAYERS = (
    ("", "errors", "checks", "text", "files", "resume", "shapes", "llm", "pictures"),
    ("kernels",),
    ("training",),
    ("corpus", "graph"),
    ("retrieve",),
    ("rankers", "index"),
    ("systems",),
    ("rerank", "tables", "search"),
    ("answers", "explain", "runs", "evaluation", "learn"),
    ("serve", "integrations", "enrich", "demo"),
    ("command_line", "__main__"),
)
FILES = {"", "__main__"}  # what is no room
FILES_AT_THE_ROOT, LINES, BODY, ANYS, CASTS = 10, 500, 60, 250, 5
CURE = (
    "Move down what both need, take it as an argument, or move the importing code up; what is needed "
    "as a type alone is imported under `if TYPE_CHECKING:`."
)
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


def tell(problems: list[str], cure: str = "") -> None:
    """Fail with all problems, one below the other, and what mends them."""
    if problems:
        pytest.fail("\n".join([f"{len(problems)} to mend. {cure}", *problems]), pytrace=False)


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree.read(PACKAGE)


def test_every_room_has_a_place(tree):
    tell(homeless(tree, LAYERS), "Give each a place in LAYERS, as low as its imports allow.")


def test_imports_point_down(tree):
    tell(upward(tree, LAYERS), CURE)


def test_no_files_import_each_other(tree):
    tell(circles(tree), CURE)


def test_names_of_the_package_are_imported_from_where_they_stand(tree):
    tell([*tree.names_of_the_package()])


def test_few_modules_stand_at_the_root():
    found = sorted(path.name for path in PACKAGE.glob("[!_]*.py"))
    tell(found if len(found) > FILES_AT_THE_ROOT else [], f"{FILES_AT_THE_ROOT} may stand there.")


def test_no_file_is_long():
    tell(long_files(PACKAGE, LINES), "Divide each by what it is about.")


def test_no_body_is_long(tree):
    tell(long_bodies(tree, BODY), "Give their steps names.")


def test_types_say_what_they_are():
    limits = {"Any": (uses(PACKAGE, r"\bAny\b"), ANYS), "cast": (uses(PACKAGE, r"\bcast\("), CASTS)}
    tell(
        [
            f"{name} stands {sum(found.values())} times, and may less than {limit}; most in {most(found)}"
            for name, (found, limit) in limits.items()
            if sum(found.values()) >= limit
        ]
    )


def test_contributors_are_told_the_same_layers():
    (block,) = re.findall(r"^## Layers\n.*?^```\n(.*?)^```", CONTRIBUTING, re.M | re.S)
    told = [tuple(line.split(", ")) for line in block.splitlines()]
    assert told == [tuple(name for name in layer if name not in FILES) for layer in LAYERS]


def test_contributors_find_every_room_on_the_map():
    (block,) = re.findall(r"^grapher_jax/\n(.*?)^kernels,", CONTRIBUTING, re.M | re.S)
    told = set(re.findall(r"(?:^  |(?<=py ))(\w+)(?:/|\.py)", block, re.M))
    assert told == {name for layer in LAYERS for name in layer} - FILES
    inner = set(re.findall(r"^    (\w+)/", block, re.M))
    folders = {path.parent.name for path in (PACKAGE / "kernels").glob("*/__init__.py")}
    assert inner == folders


def test_contributors_find_every_place_that_is_named():
    (table,) = re.findall(r"^## Where does a change belong\?\n(.*)", CONTRIBUTING, re.M | re.S)
    named = re.findall(r"`([\w/-]+(?:/|\.py|\.md|\.yml))`", table)
    assert len(named) > 20
    missing = [name for name in named if not any((top / name).exists() for top in (PACKAGE, ROOT))]
    assert missing == []


# That the helpers above find what they should, on packages made up for it.

MADE = (("", "low", "left", "right"), ("high",), ("facade",))


def made(folder: Path, **files: str) -> Tree:
    """A package of these files: `low__thing` is `low/thing.py`, and `low` is `low/__init__.py`."""
    package = folder / "made"
    package.mkdir()
    (package / "__init__.py").touch()
    for name, text in files.items():
        path = package / (
            f"{name.replace('__', '/')}.py" if "__" in name else f"{name}/__init__.py"
        )
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return Tree.read(package)


@pytest.mark.parametrize(
    "line",
    [
        "from made.high import thing",
        "from made.high.thing import name",
        "from made import high",
        "import made.high",
        "import made.high.thing as other",
        "from ..high import thing",
        "from .. import high",
        "def later():\n    from made.high import thing",
        "def later():\n    import_module('made.high')",
        "ROWS = {'high': 'made.high.thing'}",
        "import made\nmade.high.thing.name",
        "if TYPE_CHECKING:\n    pass\nelse:\n    from made.high import thing",
    ],
)
def test_an_import_of_what_stands_above_is_found(tmp_path, line):
    tree = made(tmp_path, low="", low__file=line, high="", high__thing="name = 1")
    (told,) = upward(tree, MADE)
    assert re.match(r"made/low/file\.py:\d: made\.low\.file imports made\.high", told)
    assert told.endswith(": high stands above low, and may import it, not the other way around.")


@pytest.mark.parametrize(
    "line",
    [
        "if TYPE_CHECKING:\n    from made.high import thing",
        "if typing.TYPE_CHECKING:\n    import made.high",
        "import numpy.high, highs",
        "from made.low import other",
        "from made import __version__",
        '"""made.high"""',
        "log = logging.getLogger('made.high')",
    ],
)
def test_what_points_down_or_is_a_type_alone_is_let_through(tmp_path, line):
    tree = made(tmp_path, low="", low__file=line, low__other="", high="from made.low import file")
    assert upward(tree, MADE) == circles(tree) == []


def test_rooms_of_one_layer_import_those_to_their_left(tmp_path):
    tree = made(tmp_path, left="from made import low", right="import made.left")
    assert upward(tree, MADE) == []
    (told,) = upward(tree, (("", "low", "right", "left"),))
    assert "made.right imports made.left: left stands above right" in told


def test_a_facade_may_import_all_and_nothing_below_imports_it(tmp_path):
    tree = made(tmp_path, facade="from made.high import a", high="def f():\n    import made.facade")
    (told,) = upward(tree, MADE)
    assert told.startswith("made/high/__init__.py:2: made.high imports made.facade")


def test_a_room_without_a_place_is_told(tmp_path):
    tree = made(tmp_path, low="", nowhere="")
    assert homeless(tree, MADE) == ["made/nowhere is in no layer"]


def test_a_circle_is_told_by_its_shortest_way(tmp_path):
    tree = made(
        tmp_path,
        low__a="from made.low import b",
        low__b="from made.low import c",
        low__c="def later():\n    from made.low import a\n    from made.low.b import x",
        low__d="from made.low import a",
        high__a="from made.high.b import x",
        high__b="import made.high.a",
        low="",
        high="",
    )
    two, three = circles(tree)
    assert two.startswith("2 files import each other")
    assert "made/high/b.py:1: made.high.b imports made.high.a" in two
    assert three.startswith("3 files import each other")
    assert three.count(" imports ") == two.count(" imports ") == 2
    assert "made/low/c.py:3: made.low.c imports made.low.b" in three


def test_a_front_that_its_own_files_import_is_a_circle(tmp_path):
    tree = made(tmp_path, low="from made.low.a import x", low__a="from made.low import y")
    (told,) = circles(tree)
    assert "made/low/__init__.py:1: made.low imports made.low.a" in told


def test_names_of_the_package_are_found(tmp_path):
    tree = made(
        tmp_path,
        low="from made import Index, __version__, high",
        high="import made\nmade.Index.load\nmade.__file__",
    )
    assert [told.split(". ")[0] for told in tree.names_of_the_package()] == [
        "made/high/__init__.py:2: made.high takes Index from made itself",
        "made/low/__init__.py:1: made.low takes Index from made itself",
    ]


def test_sizes_are_counted(tmp_path):
    body = "async def long(\n    a,\n):\n" + '    """One.\n\n    Three."""\n' + "    a = 1\n"
    tree = made(tmp_path, low=body, high="from typing import Any\nx: Any = cast(Any, Anything)\n")
    assert long_bodies(tree, 4) == long_files(tmp_path / "made", 7) == []
    (told,) = long_bodies(tree, 3)
    assert told.startswith("made/low/__init__.py:1: the body of long has 4 lines, and may have 3")
    (told,) = long_files(tmp_path / "made", 6)
    assert told.startswith("made/low/__init__.py has 7 lines, and may have 6")
    assert uses(tmp_path / "made", r"\bAny\b") == {"made/high/__init__.py": 3}
    assert uses(tmp_path / "made", r"\bcast\(") == {"made/high/__init__.py": 1}
    assert most({"b": 2, "a": 1}) == "b 2, a 1"
