"""Objects and questions made up, and what is in common of their document graphs."""

import numpy as np
from memory_collection import MemoryCollection

from grapher_jax.corpus import Object
from grapher_jax.retrieve import Candidates, Questions
from grapher_jax.systems.g_rag.concepts import build_document_graphs, shared_concepts
from grapher_jax.text import normalise


class Recorder:
    """An embedder that keeps what it is given; a text's vector is its place."""

    name, dimension = "recorder", 2

    def __init__(self):
        self.read = []

    def embed_objects(self, texts, *, progress=lambda done: None):
        self.read += texts
        return np.array([[n, 1] for n, _ in enumerate(texts)], np.float32)

    embed_queries = embed_objects


def candidates(objects, *questions, rows=None, pairs=None):
    collection = MemoryCollection(objects, Recorder(), pair_graphs=pairs or {})
    if rows is None:
        rows = np.tile(np.arange(len(objects), dtype=np.int32), (len(questions), 1))
    asked = Questions(questions, lambda: np.zeros((len(questions), 2), np.float32))
    return collection, Candidates(rows, np.zeros(rows.shape, np.float32), asked)


def in_common(found, *, max_df=None):
    """By pairs of ids, the concepts that they share."""
    ids = [item.id for item in found[0].objects]
    return {
        (ids[mine], ids[other]): set(names)
        for mine, near in enumerate(shared_concepts(*found, range(len(ids)), max_df=max_df))
        for other, names in near.items()
        if mine < other
    }


def sequences(found):
    """What each of one question's documents is read as; None for itself alone."""
    graphs = build_document_graphs(*found, max_df=None, paths=True)
    read = found[0].embedder.read
    np.testing.assert_array_equal(graphs.encoded[:, 0], np.arange(len(read)))
    return [read[place] if place >= 0 else None for place in graphs.places[0]]


def spoken_of(graph):
    """An AMR graph's nodes as they are compared."""
    return set(map(normalise, graph.nodes)) - {"name", "-", "+"}


def common_triples(found, **options):
    triples = build_document_graphs(*found, paths=False, **options).triples[0]
    sets = [set(own[own >= 0].tolist()) for own in triples]
    return [[len(mine & other) for other in sets] for mine in sets]


BRIDGES = [
    Object("a", "one", metadata={"entities": ["Tower  Bridge", "London"], "keywords": ["Steel"]}),
    Object(
        "b", "two", metadata={"entities": ["tower bridge", "Thames", ""], "keywords": ["steel"]}
    ),
    Object("c", "three", title="Third", metadata={"entities": ["THAMES", "Kew"]}),
    Object("d", "four"),
]


def of_parsed(index, *queries, pairs=False):
    asked = [index.queries[name] for name in queries]
    return candidates(index.objects, *asked, pairs=index.pair_graphs if pairs else None)
