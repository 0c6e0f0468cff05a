"""The package runs where Linux is not: what POSIX alone has is neither imported nor relied upon."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(
    not Path("/proc/self/maps").exists(), reason="the rules are held where Linux tells what is open"
)
CORE = """
import windows_rules
windows_rules.hold()

from pathlib import Path
import grapher_jax as gj
from grapher_jax.enrich import enrich
from grapher_jax.runs import open_run, rerank_run
from small_embedder import SmallEmbedder

embedder = SmallEmbedder()
objects = [
    gj.Object("orders", "orders: id, customer, total", metadata={"foreign_keys": ["customers"]}),
    gj.Object("customers", "customers: id, name, city"),
]
gj.Index.build(objects, embedder=embedder).save("shop.index")
index = gj.Index.load("shop.index", embedder=embedder)
assert {hit.id for hit in index.search("customers in Boston", k=2, ranker="gcs")} == {"orders", "customers"}
# In place of a folder that this process reads from.
index.update([gj.Object("stores", "stores: id, city")]).save("shop.index")
index = gj.Index.load("shop.index", embedder=embedder)
assert index.ids == ["orders", "customers", "stores"]
assert index.objects[2].text == "stores: id, city"
# What neither this manifest nor the one before names is removed, while others are read; and small
# parts become one.
for street in ("street", "road"):
    index.update([gj.Object("stores", f"stores: id, {street}")]).save("shop.index")
    index = gj.Index.load("shop.index", embedder=embedder)
assert len([*Path("shop.index").glob("update-*")]) == 2
index.save("shop.index")
assert not [*Path("shop.index").glob("update-*")]
index = gj.Index.load("shop.index", embedder=embedder)
assert [item.text for item in index.objects][1:] == ["customers: id, name, city", "stores: id, road"]

gcs = gj.Reranker(ranker="gcs")
hits = gcs.rerank("?", [{"id": "a", "score": 0.9}, {"id": "b", "score": 0.1}])
assert [hit.id for hit in hits] == ["a", "b"]
asked = [gj.Query(f"q{number}", "customers") for number in range(2)]
for name in ("run.trec", "run.parquet"):
    for _ in range(2):  # the second replaces the first
        assert rerank_run(index, asked, Path(name), gcs, k=2, settings={"a": 1}) == 2
    with open_run(name) as run:
        assert run.hits(["q1"]).counts.tolist() == [2]
        assert rerank_run(index, asked, Path(f"again-{name}"), gcs, base_run=run) == 2

class Same:
    name, settings, waits = "same", {}, True

    def __call__(self, item):
        return item

for _ in range(2):
    enrich(objects, "enriched", [Same()])
assert Path("enriched/corpus.jsonl").is_file()
assert not Path("enriched.partial").exists()
print("all of it")
"""


def program(code, folder):
    environment = {**os.environ, "PYTHONPATH": f"{TESTS.parent}{os.pathsep}{TESTS}"}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.nightly
def test_the_core_runs_by_the_rules_of_windows(tmp_path):
    status, out, err = program(CORE, tmp_path)
    assert (status, out.splitlines()[-1:]) == (0, ["all of it"]), err


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("import fcntl", "No module named 'fcntl'"),
        ("from importlib import import_module as load; load('resource')", "named 'resource'"),
        ("from os import fork", "cannot import name 'fork'"),
        ("import os; os.pread", "no attribute 'pread'"),
        ("import signal; signal.SIGHUP", "no attribute 'SIGHUP'"),
        ("import os; open('a', 'w').close(); f = open('a'); os.replace('a', 'b')", "held open"),
        (
            "import os, mmap; open('a', 'w').write('x')\nwith open('a', 'r+b') as f: "
            "m = mmap.mmap(f.fileno(), 0)\nos.remove('a')",
            "held open",
        ),
        ("import os; open('a', 'w').close(); f = open('a'); os.fsync(f.fileno())", "reading alone"),
    ],
)
def test_the_rules_can_be_broken(tmp_path, line, refused):
    # As though the line stood in a module of the package.
    code = f"import windows_rules; windows_rules.hold(); __name__ = 'grapher_jax.odd'\n{line}"
    status, _, err = program(code, tmp_path)
    assert status == 1
    assert refused in err
