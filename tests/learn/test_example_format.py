"""The same corpus, questions and settings give the examples that are kept beside this file.

Where they no longer do, raise `grapher_jax.learn.examples.FORMAT` by one, so that examples that lie
in caches are made anew, and keep the new ones: `python tests/learn/test_example_format.py`.
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent))

from words import Words

from grapher_jax.corpus import Object, Query
from grapher_jax.corpus.beir import write_beir, write_pair_graphs
from grapher_jax.learn.examples import FORMAT, prepare
from grapher_jax.systems.networks import find_network
from grapher_jax.training.candidates import GraphSettings
from grapher_jax.training.config import SetConfig
from grapher_jax.training.ego_graphs import EgoSettings
from grapher_jax.training.examples import ARRAYS
from grapher_jax.training.g_rag import DocumentSettings

KEPT = Path(__file__).parent / "examples.json"
CASES = {
    "gat": ("gat", GraphSettings(neighbors=4), {}),
    "gat, cloze": ("gat", GraphSettings(neighbors=4), {"cloze": 3}),
    "gat, paths": ("gat", GraphSettings(neighbors=4), {"paths": 3}),
    "query-gnn": ("query-gnn", EgoSettings(candidates=6), {}),
    "query-gnn, expanded": ("query-gnn", EgoSettings(candidates=3), {"expand": True}),
    "g-rag": ("g-rag", DocumentSettings(candidates=6), {}),
}


class Few(Words):
    """An embedder of few numbers."""

    name, dimension = "few", 4


def write_corpus(folder):
    """Two documents of four chunks, two tables, and whatever joins them."""
    objects = []
    for document in "ab":
        for chunk in range(4):
            metadata = {"document_id": document, "chunk_id": chunk, "keywords": [f"topic {chunk}"]}
            metadata["entities"] = [f"Person {document}", f"Place {chunk % 2}"]
            if chunk == 1:
                metadata["amr"] = "(w / want-01 :ARG0 (b / boat) :ARG1 (h / harbour))"
            if chunk == 2:
                metadata["links"] = ["a0"]
            words = f"the old boat number {chunk} of {document} left harbour {chunk + 2} at noon"
            objects.append(Object(f"{document}{chunk}", words, f"log {document}", metadata))
    keys = {"foreign_keys": ["shop.stores"], "db": "shop", "table": "orders"}
    stores = {"db": "shop", "table": "stores", "columns": [{"name": "store_id"}, {"name": "city"}]}
    objects.append(Object("shop.orders", "order_id, store_id", "orders", keys))
    objects.append(Object("shop.stores", "store_id, city", "stores", stores))
    amr = "(q / want-01 :ARG0 (b / boat))"
    queries = [
        Query("q0", "which boat left harbour 3", {"amr": amr}),
        Query("q1", "which stores have an order", {"filter": {"db": "shop"}}),
        Query("q2", "who met Person a in Place 1", {"entities": ["Person a"]}),
    ]
    judged = {
        "q0": {"a1": 1, "b1": 1},
        "q1": {"shop.orders": 1, "shop.stores": 1},
        "q2": {"a0": 1, "a3": 0},
    }
    write_beir(folder, objects, queries, {"train": judged})
    write_pair_graphs(folder, {("q0", "a1"): "(w / want-01 :ARG0 (b / boat) :ARG1 (s / sea))"})


def rounded(array):
    return np.round(array.astype(float), 6) if array.dtype.kind == "f" else array


def made(folder, cache, case):
    """What of the examples of a case decides what is learned."""
    name, settings, options = CASES[case]
    chosen = SetConfig(source=str(folder), **options)
    found = prepare(chosen, find_network(name), settings, cache, embedder=Few())
    arrays = {array: getattr(found, array) for array in ARRAYS} | dict(found.graphs)
    return {
        "ids": list(found.ids),
        "groups": list(found.groups),
        "without_positives": found.without_positives,
        # Rounded for the file's sake; another CPU may find other last digits.
        "arrays": {name: rounded(own).tolist() for name, own in arrays.items()},
        "types": {name: str(own.dtype) for name, own in arrays.items()},
    }


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus") / "log"
    write_corpus(folder)
    return folder


@pytest.fixture(scope="module")
def kept():
    return json.loads(KEPT.read_text())


def test_what_is_kept_is_of_this_format(kept):
    assert kept["format"] == FORMAT, __doc__
    assert kept["examples"].keys() == CASES.keys()


@pytest.mark.parametrize("case", CASES)
def test_examples_are_those_of_their_format(case, corpus, cache, kept):
    found, wanted = made(corpus, cache, case), kept["examples"][case]
    for name in ("ids", "groups", "without_positives", "types"):
        assert found[name] == wanted[name], __doc__
    assert found["arrays"].keys() == wanted["arrays"].keys(), __doc__
    for name, own in wanted["arrays"].items():
        np.testing.assert_allclose(found["arrays"][name], own, atol=1e-5, err_msg=name + __doc__)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        write_corpus(Path(place) / "log")
        examples = {case: made(Path(place) / "log", Path(place) / "cache", case) for case in CASES}
    lines = ",\n".join(f"  {json.dumps(case)}: {json.dumps(own)}" for case, own in examples.items())
    KEPT.write_text(f'{{"format": {FORMAT}, "examples": {{\n{lines}\n}}}}\n')
