"""A run of many queries as files, and the command that reranks them in a process of its own."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from grapher_jax.corpus import Object, Query
from grapher_jax.corpus.beir import write_queries
from grapher_jax.runs.trec import encode
from grapher_jax.search import Index

QUERIES = 5_000


@dataclass(frozen=True)
class Work:
    folder: Path

    def command(self, out, *options, index="index"):
        """What reranks the run into `out`."""
        files = {"--queries": "queries.jsonl", "--run": "base.trec"}
        named = [part for name, file in files.items() for part in (name, str(self.folder / file))]
        command = [sys.executable, "-m", "grapher_jax", "rerank", str(self.folder / index), *named]
        return [*command, "--out", str(out), "-k", "5", *options]

    def start(self, out, *options, **environment):
        """The same, begun."""
        return subprocess.Popen(
            self.command(out, *options),
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def finish(self, process):
        """What it printed."""
        printed, errors = process.communicate(timeout=240)
        assert process.returncode == 0, errors[-3000:]
        return printed

    @property
    def expected(self):
        """The run that one process makes in one go."""
        whole = self.folder / "whole.trec"
        if not whole.exists():
            self.finish(self.start(whole))
        return whole.read_bytes()


@pytest.fixture(scope="session")
def work(tmp_path_factory, embedder):
    """Queries of eight candidates each, out of 50 objects with links."""
    folder = tmp_path_factory.mktemp("work")
    rng = np.random.default_rng(0)
    names = [f"object {n}" for n in range(50)]
    links = rng.integers(50, size=(50, 2))
    objects = [
        Object(name, f"about {name}", metadata={"links": [names[n] for n in linked]})
        for name, linked in zip(names, links, strict=True)
    ]
    Index.build(objects, embedder=embedder).save(folder / "index")
    ids = [f"q {n}" for n in range(QUERIES)]
    write_queries(folder, (Query(name, "what?") for name in ids), {})
    rows = rng.random((QUERIES, 50)).argsort(axis=1)[:, :8]
    scores = -np.sort(-rng.random((QUERIES, 8)).round(2))  # with ties
    with (folder / "base.trec").open("w") as file:
        for name, found, own in zip(ids, rows, scores, strict=True):
            file.writelines(
                f"{encode(name)} Q0 {encode(names[row])} {rank} {score} base\n"
                for rank, (row, score) in enumerate(zip(found, own, strict=True), 1)
            )
    return Work(folder)


def done(out):
    """How many queries are recorded as done."""
    try:
        return json.loads(Path(f"{out}.partial.json").read_text())["done"]
    except (OSError, ValueError):
        return 0
