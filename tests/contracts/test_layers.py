"""Imports of the package only point down, in no circle, and its pieces have a size that can be read.

`LAYERS` is the order: a module may import its own room, rooms of lower layers, and of its own layer those
to the left of its room. Every import counts, also one inside a function, and a module that is
named in a string. What `if TYPE_CHECKING` holds alone does not: no program runs it. There is no
list of exceptions.

The names of the package itself (`from grapher_jax import Index`) are for its users. Inside, they
are imported from the modules where they stand, so that this test sees where they come from.
"""

import re
from pathlib import Path

import pytest
from import_tree import Tree, circles, homeless, long_bodies, long_files, most, upward, uses

import grapher_jax

PACKAGE = Path(grapher_jax.__file__).parent
ROOT = PACKAGE.parent
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

# The lowest first. `""` is the package's own file, which imports nothing before it is asked to.
LAYERS = (
    (
        "",
        "errors",
        "checks",
        "text",
        "files",
        "resume",
        "shapes",
        "llm",
        "pictures",
        "kept_programs",
    ),
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


# That the helpers find what they should, on packages made up for it.

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
