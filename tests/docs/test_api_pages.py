"""Every public name of the package stands on one page of the API."""

import ast
import re
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

import griffe
import pytest
from typer.main import get_command

import grapher_jax
from grapher_jax import kernels
from grapher_jax.command_line.commands import app

sys.path.append(str(Path(__file__).parents[2] / "docs" / "tools"))

import api_pages

PACKAGE = Path(grapher_jax.__file__).parent


@pytest.fixture(scope="module")
def pages():
    """The Markdown of every page, by its path."""
    return {room.path: room.markdown for room in api_pages.rooms(api_pages.load())}


def shown(page):
    """What a page lets mkdocstrings show: modules, and names of each."""
    for module, members in re.findall(
        r"^::: (\S+)\n    options:\n      members:((?:\n        - \w+)+)", page, re.M
    ):
        yield from ((module, name) for name in re.findall(r"- (\w+)", members))


def defined(path):
    """The public names that a file defines, read without running it."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names = [node.name]
            case ast.Assign():
                names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            case ast.AnnAssign(target=ast.Name()):
                names = [node.target.id]
            case _:
                names = []
        yield from (name for name in names if not name.startswith("_"))


def homes():
    """Where every public name of the package is defined, but for inner ones of `kernels`."""
    for path in sorted(PACKAGE.rglob("*.py")):
        *folders, stem = path.relative_to(PACKAGE).with_suffix("").parts
        room = folders[0] if folders else ""
        private = any(part.startswith("_") for part in (*folders, stem.replace("__init__", "")))
        if (
            room not in ("kernels", "command_line")
            and not private
            and (folders or stem != "__init__")
        ):
            module = ".".join([PACKAGE.name, *folders, *([] if stem == "__init__" else [stem])])
            yield from (f"{module}.{name}" for name in defined(path))


def test_every_public_name_stands_on_one_page(pages):
    package = api_pages.load()
    found = Counter(
        package[f"{module}.{name}".removeprefix("grapher_jax.")].canonical_path
        for page in pages.values()
        for module, name in shown(page)
    )
    missing = {home for home in homes() if home not in found and not hidden(home)}
    assert not missing, f"on no page: {sorted(missing)}"
    assert {name for name, times in found.items() if times > 1} == set(), "shown twice"
    inner = {name for name in found if name.startswith("grapher_jax.kernels.")}
    assert {name.rpartition(".")[2] for name in inner} == set(kernels.__all__)


def hidden(home):
    """Whether a module's own `__all__` leaves a name out."""
    module, _, name = home.rpartition(".")
    exported = getattr(import_module(module), "__all__", None)
    return exported is not None and name not in exported


def test_every_room_has_a_page(pages):
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    paths = {f"api/grapher_jax.{room}.md" for room in rooms}
    assert set(pages) == paths | {"api/facades.md", "api/foundation.md"}
    assert ("grapher_jax.errors", "InputError") in shown(pages["api/foundation.md"])
    assert ("grapher_jax.rerank", "Reranker") in shown(pages["api/facades.md"])


def test_names_of_a_room_stand_under_its_front(pages):
    corpus = [*shown(pages["api/grapher_jax.corpus.md"])]
    assert ("grapher_jax.corpus", "Object") in corpus
    assert ("grapher_jax.corpus.objects", "Object") not in corpus


def test_the_index_leads_to_every_page_and_to_the_names_of_the_package(pages):
    index = api_pages._index(api_pages.load())
    for path in pages:
        assert f"]({Path(path).name})" in index
    named = set(re.findall(r"`gj\.(\w+)`", index))
    assert named == {name for name in grapher_jax.__all__ if not name.startswith("_")}


def test_every_option_of_every_verb_stands_on_the_page_of_the_command_line(pages):
    page = pages["api/grapher_jax.command_line.md"]
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", page, re.M | re.S))
    commands = get_command(app).commands
    assert set(sections) == set(commands)
    for name, verb in commands.items():
        for parameter in verb.params:
            assert f"`{parameter.opts[0]}`" in sections[name], (name, parameter.opts)


def made(tmp_path, files):
    """A package of these files, as the pages read it."""
    for name, text in files.items():
        path = tmp_path / "made" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    loader = griffe.GriffeLoader(search_paths=[tmp_path])
    package = loader.load("made")
    loader.resolve_aliases(implicit=True, external=False)
    return api_pages.rooms(package)


def test_a_made_up_package_has_its_pages(tmp_path):
    front = "from made.corpus.objects import Thing\n__all__ = ['Thing']\n"
    rooms = made(
        tmp_path,
        {
            "__init__.py": "",
            "errors.py": "class Wrong(Exception): ...\n",
            "rerank.py": "from made.corpus import Thing\ndef rerank() -> None: ...\n",
            "corpus/__init__.py": '"""What is read."""\n' + front,
            "corpus/objects.py": "class Thing: ...\nLIMIT = 8\n_HIDDEN = 1\n",
            "corpus/_inner.py": "def left_out() -> None: ...\n",
            "kernels/__init__.py": "",
            "kernels/inner.py": "def left_out() -> None: ...\n",
        },
    )
    assert {room.name: room.names for room in rooms} == {
        "facades": ["made.rerank.rerank"],
        "corpus": ["made.corpus.Thing", "made.corpus.objects.LIMIT"],
        "kernels": [],
        "foundation": ["made.errors.Wrong"],
        "command_line": [],
    }
    (corpus,) = (room for room in rooms if room.name == "corpus")
    assert (corpus.title, corpus.lead) == ("Corpus", "What is read.")
