"""What the code never does, and where names from outside never lead."""

import ast
import gzip
from pathlib import Path

import pytest

import grapher_jax as gj
from grapher_jax.corpus import Object, Query, read_documents, read_objects, write_beir
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.runs import rerank_run
from grapher_jax.search import Index

PACKAGE = Path(gj.__file__).parent
SOURCES = sorted([*PACKAGE.rglob("*.py"), *(PACKAGE.parent / "bench").rglob("*.py")])

# What runs what it reads, or a shell.
MODULES = {"pickle", "dill", "cloudpickle", "marshal", "shelve", "joblib", "jsonpickle"}
CALLS = {"eval", "exec", "os.system", "os.popen", "torch.load", "yaml.load", "yaml.unsafe_load"}
# Archives write where their names say.
CALLS |= {"tempfile.mktemp", "shutil.unpack_archive"}
METHODS = {"extractall"}
OPTIONS = {
    ("allow_pickle", True),
    ("shell", True),
    ("trust_remote_code", True),
    ("weights_only", False),
}
# What takes SQL as text.
SQL = {"execute", "executemany", "exec_driver_sql", "scalar", "scalars", "text", "SQL", "DDL"}


def dangers(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [name.name for name in node.names]
            for name in [node.module or ""] if isinstance(node, ast.ImportFrom) else names:
                if name.split(".")[0] in MODULES:
                    yield f"imports {name}"
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            last = called.rpartition(".")[2]
            if called in CALLS or last in METHODS:
                yield f"calls {called}"
            for keyword in node.keywords:
                value = keyword.value
                if isinstance(value, ast.Constant) and (keyword.arg, value.value) in OPTIONS:
                    yield f"{keyword.arg}={value.value}"
            if last in SQL and node.args and is_formatted(node.args[0]):
                yield f"formats SQL for {called}"


def is_formatted(node):
    """Whether text is made of parts: names belong in `sql.Identifier`, values in parameters."""
    if isinstance(node, ast.Call):
        made = node.func
        return (
            isinstance(made, ast.Attribute)
            and made.attr in ("format", "join", "replace")
            and isinstance(made.value, ast.Constant | ast.JoinedStr)
        )
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod)
    )


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE.parent)))
def test_nothing_that_is_read_is_run(path):
    assert not list(dangers(ast.parse(path.read_text(encoding="utf-8"))))


@pytest.mark.parametrize(
    "code",
    [
        "import pickle",
        "from joblib import load",
        "eval('1')",
        "torch.load(path)",
        "np.load(path, allow_pickle=True)",
        "subprocess.run(command, shell=True)",
        "archive.extractall(folder)",
        "connection.execute(f'SELECT * FROM {table}')",
        "connection.execute('SELECT * FROM ' + table)",
        "connection.execute('SELECT * FROM %s' % table)",
        "sqlalchemy.text('SELECT * FROM {}'.format(table))",
    ],
)
def test_what_must_not_be_is_found(code):
    assert list(dangers(ast.parse(code)))


@pytest.mark.parametrize(
    "code",
    [
        "model.eval()",
        "connection.execute('SELECT * FROM t WHERE x = %s', [x])",
        "sql.SQL('SELECT * FROM {}').format(sql.Identifier(table))",
        "axis.text(1, 2, f'{x}')",
    ],
)
def test_what_may_be_is_not(code):
    assert not list(dangers(ast.parse(code)))


NAMES = ["../../up", "/etc/passwd", "..", "a/../../b", "~root", "C:\\x", "con\x00", "-rf"]


def test_ids_are_no_paths(tmp_path, embedder):
    objects = [Object(name, f"text {n}", metadata={"links": NAMES}) for n, name in enumerate(NAMES)]
    source, out = tmp_path / "in" / "set", tmp_path / "out"
    out.mkdir()
    queries = [Query(name, "which text?") for name in NAMES]
    write_beir(source, objects, queries, {"test": {name: {name: 1} for name in NAMES}})
    index = Index.from_source(str(source), embedder=embedder)
    index.save(out / "odd.index")
    opened = Index.load(out / "odd.index", embedder=embedder)
    rerank_run(opened, queries, out / "odd.trec", gj.Reranker())
    assert {hit.id for hit in opened.search("text", k=8)} == set(NAMES)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]
    assert sorted(path.name for path in out.iterdir()) == ["odd.index", "odd.trec"]
    assert [path.name for path in (tmp_path / "in").iterdir()] == ["set"]


@pytest.mark.parametrize("split", ["../test", "/tmp/test", "a/b", "", ".."])
def test_a_split_is_the_name_of_a_file(tmp_path, split):
    with pytest.raises(InputError, match=r"split: .* cannot be the name of a file; use letters"):
        write_beir(
            tmp_path / "set", [Object("a", "x")], [Query("q", "x")], {split: {"q": {"a": 1}}}
        )
    assert not list(tmp_path.iterdir())


def test_links_lead_to_no_file_outside(tmp_path):
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("[up](../secret.md) [there](/etc/passwd) text")
    (tmp_path / "docs" / "b.md").symlink_to(tmp_path / "secret.md")
    with pytest.warns(GrapherWarning, match="1 linked symbolically, which is not followed"):
        (only,) = read_documents(tmp_path / "docs")
    assert only.metadata["links"] == []


def test_a_line_that_unpacks_without_end_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr("grapher_jax.files._LONGEST_LINE", 1000)
    line = b'{"_id": "a", "text": "' + b" " * 5_000_000 + b'"}\n'
    (tmp_path / "corpus.jsonl.gz").write_bytes(gzip.compress(b'{"_id": "b"}\n' + line))
    with pytest.raises(InputError, match=r"gz:2: a line of more than 1,000 characters; split it"):
        list(read_objects(tmp_path))
