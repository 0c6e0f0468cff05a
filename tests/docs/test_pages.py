"""What the README and the documentation show works as it stands."""

import ast
import builtins
import json
import re
import runpy
import shlex
import shutil
import sqlite3
import tomllib
from collections.abc import Iterator
from pathlib import Path

import mcp.client.stdio  # noqa: F401 - keeps standard error as it is now, a file
import pytest
from typer.main import get_command

from grapher_jax import Index
from grapher_jax.command_line.commands import app
from grapher_jax.corpus import read_judgements, read_queries, write_beir
from grapher_jax.demo import sample_folder, sample_tables

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = {
    str(path.relative_to(ROOT)): path for path in (README, *sorted((ROOT / "docs").rglob("*.md")))
}
FENCE = re.compile(r"^( *)```(\w*)")
COMMAND = get_command(app)
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]


def blocks(path: Path) -> Iterator[tuple[str, int, list[str]]]:
    """The language of every block of code, the number of its first line, and its lines."""
    language, indent, lines = None, "", []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        fence = FENCE.match(line)
        if language is None and fence:
            indent, language = fence.groups()
            lines = []
        elif fence:
            yield language, number - len(lines), lines
            language = None
        elif language is not None:
            lines.append(line.removeprefix(indent))
    assert language is None, f"{path}: a block is not closed"


def python_of(path: Path) -> str:
    """All Python of a page, each line where it stands on the page."""
    lines: list[str] = []
    for language, first, block in blocks(path):
        if language == "python":
            lines += [""] * (first - 1 - len(lines)) + block
    return "\n".join(lines) + "\n" if lines else ""


def commands_of(path: Path) -> Iterator[tuple[int, str]]:
    """Every command line of a page's shell blocks, with the number of its line."""
    for language, first, block in blocks(path):
        if language != "bash":
            continue
        started, command = first, ""
        for number, line in enumerate(block, start=first):
            started = number if not command else started
            command += line.removesuffix("\\")
            if not line.endswith("\\"):
                yield started, command
                command = ""


# Their Python takes long: it trains, asks eight stores, compiles for several devices, or starts services.
LONG = {
    "docs/how-to/service.md",
    "docs/how-to/frameworks.md",
    "docs/how-to/stores.md",
    "docs/tutorials/accelerators.md",
    "docs/tutorials/coding-agent.md",
    "docs/tutorials/kernels.md",
    "docs/tutorials/networks.md",
    "docs/tutorials/training.md",
}
WITH_PYTHON = [name for name, path in PAGES.items() if python_of(path)]


@pytest.fixture(scope="module")
def belongings(tmp_path_factory, embedder) -> Path:
    """What a reader of the pages has: a shop's database, a handbook, and an index of each."""
    folder = tmp_path_factory.mktemp("reader")
    connection = sqlite3.connect(folder / "shop.db")
    connection.executescript((sample_folder() / "company.sql").read_text(encoding="utf-8"))
    connection.close()
    (folder / "handbook").mkdir()
    rule = "Amounts above 10,000 are signed by two members of the board.\n"
    (folder / "handbook" / "signatures.md").write_text(f"# Who may sign\n\n{rule}")
    shop = Index.build(sample_tables(), embedder=embedder, folder=sample_folder())
    shop.save(folder / "shop.index")
    handbook = Index.from_source(str(folder / "handbook"), embedder=embedder)
    handbook.save(folder / "handbook.index")
    return folder


# The cosines of a store are now and then below 0.
@pytest.mark.filterwarnings("ignore:scores. some are negative")
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(name, marks=[pytest.mark.nightly] if name in LONG else [])
        for name in WITH_PYTHON
    ],
)
def test_the_python_of_a_page_runs(
    page, belongings, tmp_path, monkeypatch, endpoint, capsys, request
):
    folder, code = tmp_path / "reader", python_of(PAGES[page])
    shutil.copytree(belongings, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    endpoint.answer = lambda body: "Two members of the board [1]."
    if "PGVECTOR_URL" in code:
        monkeypatch.setenv("PGVECTOR_URL", request.getfixturevalue("pgvector_url"))
    script = folder / Path(page).with_suffix(".py").name
    script.write_text(code, encoding="utf-8")
    found = runpy.run_path(str(script), run_name="__main__")
    if page == "README.md":
        assert found["hits"][1].id == "customers"
        assert found["top"].indices.shape == (1, 10)
        assert found["solution"].scores.shape == (1, 3)
    left = capsys.readouterr().out
    for language, line, block in blocks(PAGES[page]) if "tutorials" in page else ():
        if language == "text":  # what the Python above it prints, after what it printed before
            assert block, f"{page}, line {line}"
            _, found, after = left.partition("\n".join(block) + "\n")
            assert found, f"{page}, line {line}: {left}"
            left = after


def words_of(command: str) -> list[str]:
    """The arguments of a command; square brackets around an option mean that it may be left out."""
    return shlex.split(re.sub(r"\[(--[^\]]*)\]", r"\1", command), comments=True)[1:]


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::grapher_jax.errors.GrapherWarning")
def test_the_readme_evaluates_what_has_judged_questions(grapher, tmp_path, embedder):
    queries = {query.id: query for query in read_queries(sample_folder())}
    ids = {table.id for table in sample_tables()}
    judged = read_judgements(sample_folder(), "test", objects=ids, queries=queries)
    judged = dict(list(judged.items())[:12])
    named = {name for grades in judged.values() for name in grades}
    tables = [table for table in sample_tables() if table.id in named]
    splits = {"dev": judged, "train": judged}
    write_beir(tmp_path / "corpus", tables, queries.values(), splits)
    Index.build(tables, embedder=embedder).save(tmp_path / "shop.index")
    own = {"question": "What was sold?", "relevant": sorted(named)[:2]}
    (tmp_path / "own.jsonl").write_text(json.dumps(own) + "\n")
    commands = [c for _, c in commands_of(README) if re.match("grapher-jax (evaluate|tune) ", c)]
    assert len(commands) > 1
    for command in commands:
        status, _, err = grapher(*words_of(command))
        assert status == 0, f"{command}: {err}"


@pytest.mark.nightly
def test_the_tutorial_on_passages_makes_what_its_commands_read(grapher, tmp_path):
    page = ROOT / "docs" / "tutorials" / "passages.md"
    script = tmp_path / "passages.py"
    script.write_text(python_of(page), encoding="utf-8")
    runpy.run_path(str(script))
    for _, command in commands_of(page):
        if command.startswith("grapher-jax"):
            status, _, err = grapher(*words_of(command))
            assert status == 0, f"{command}: {err}"


def test_each_example_of_the_frameworks_defines_what_it_uses():
    examples = [
        ast.parse("\n".join(block))
        for language, _, block in blocks(PAGES["docs/how-to/frameworks.md"])
        if language == "python"
    ]
    assert len(examples) == 3
    for example in examples:
        nodes = [*ast.walk(example)]
        names = [node for node in nodes if isinstance(node, ast.Name)]
        used = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        defined = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        defined |= {node.name for node in nodes if isinstance(node, ast.alias | ast.ClassDef)}
        defined |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
        defined |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        assert used - defined <= {*dir(builtins)}


def test_pages_have_python_and_commands():
    assert {"README.md", "docs/concepts/systems.md", "docs/tutorials/tables.md"} <= set(WITH_PYTHON)
    assert len([*commands_of(README)]) > 10


def check_options(words: list[str]) -> None:
    known = COMMAND.params if words[0].startswith("-") else COMMAND.commands[words[0]].params
    options = {option for parameter in known for option in parameter.opts} | {"--help"}
    assert {word for word in words if re.match(r"--?[a-z]", word)} <= options, " ".join(words)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_can_be_given(page):
    for line, command in commands_of(PAGES[page]):
        ours = re.match(r"(?:[A-Z_]+=\S+ )*((?:grapher-jax|make) .*)", command)
        if not ours:
            continue
        try:
            match [ours[1].split()[0], *words_of(ours[1])]:
                case ["grapher-jax", *rest] if "…" in rest or rest[0].startswith("-"):
                    check_options(rest)  # something is left out
                case ["grapher-jax", verb, *rest]:
                    COMMAND.commands[verb].make_context(verb, rest)
                case ["make", target, *_]:
                    assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE), target
        except Exception as error:
            raise AssertionError(f"{page}, line {line}: {command}") from error


@pytest.mark.parametrize("page", PAGES)
def test_every_command_in_a_sentence_has_its_options(page):
    text = re.sub(
        r"^ *```.*?^ *```", "", PAGES[page].read_text(encoding="utf-8"), flags=re.M | re.S
    )
    for command in re.findall(r"`grapher-jax ([^`]+)`", text):
        check_options(command.split())


@pytest.mark.parametrize("page", PAGES)
def test_every_extra_of_a_page_exists(page):
    text = PAGES[page].read_text(encoding="utf-8")
    for named in re.findall(r"(?:grapher-jax|\.)\[([a-z0-9,-]+)\]", text):
        assert set(named.split(",")) <= set(EXTRAS), f"{page}: {named}"


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_every_link_of_a_page_leads_somewhere(page):
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\((?!http)([^)# ]+)[^)]*\)", prose):
        assert (page.parent / target).exists(), target
