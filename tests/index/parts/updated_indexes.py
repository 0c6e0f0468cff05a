"""Small indexes that tests update, and what is the same of two of them; subprocesses use it as well."""

import numpy as np

from grapher_jax.corpus import Object
from grapher_jax.search import Index

QUESTIONS = ["word1 word2 word3", "word4 word4 word9", "word17 of word28"]


class Hashed:
    """An embedder of eight dimensions that needs no model: words, each with a direction."""

    name, dimension = "offline", 8

    def embed_objects(self, texts, *, progress=lambda done: None):
        vectors = np.full((len(texts), 8), 0.01)
        for row, text in enumerate(texts):
            for word in text.split():
                vectors[row] += np.random.default_rng(list(word.encode())).normal(size=8)
        progress(len(texts))
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)

    embed_queries = embed_objects


EDGES = {"cites": "reference", "tags": "shared", "near": "weighted"}


def build(objects, **options):
    return Index.build(objects, embedder=Hashed(), edges=EDGES, **options)


def opened(path):
    return Index.load(path, embedder=Hashed())


def relations(index):
    """What the graph says of each object, by ids and names alone."""
    graph, told = index.graph, {name: {} for name in index.ids}
    wholes = {}
    for row, name in enumerate(index.ids):
        own = told[name]
        own["joined"] = [one for one, rows in graph.joined().items() if rows[row]]
        for key in ("foreign_keys", "links", "own_reference_1"):
            own[key] = [index.ids[target] for target in graph.lists(key).at(row)]
        weights = graph.lists("own_weighted_1_weights").at(row).view(np.float32).tolist()
        targets = [index.ids[target] for target in graph.lists("own_weighted_1").at(row)]
        own["weighted"] = [*zip(targets, weights, strict=True)]
        for lists, counts, names in (
            ("entities", "entity_counts", "entity_names"),
            ("own_shared_1_ids", "own_shared_1_counts", "own_shared_1_names"),
        ):
            own[lists] = {graph.name(names, place) for place in graph.lists(lists).at(row).tolist()}
            own[counts] = int(graph.numbers(counts)[row])
        own["place"] = int(graph.numbers("chunk_ids")[row])
        wholes.setdefault(int(graph.numbers("document_ids")[row]), set()).add(name)
    return told, sorted(map(sorted, wholes.values())), len(graph.entity_names)


def same(one, other):
    """Both find the same objects with the same scores, by id, and join the same."""
    assert {item.id: item for item in one.objects} == {item.id: item for item in other.objects}
    assert [item.id for item in one.objects] == list(one.ids)
    assert relations(one) == relations(other)
    for ranker in ("base", "gcs"):
        hits = (index.search_batch(QUESTIONS, k=99, ranker=ranker) for index in (one, other))
        for found, expected in zip(*hits, strict=True):
            scores = {hit.id: hit.score for hit in expected}
            assert {hit.id for hit in found} == set(scores)
            np.testing.assert_allclose(
                [hit.score for hit in found], [scores[hit.id] for hit in found], atol=1e-5
            )


def plain(number, text="word1"):
    return Object(f"o{number}", f"{text} of {number}", metadata={"links": ["o0"]})


def files_of(folder):
    return {
        file.relative_to(folder).as_posix(): (file.stat().st_ino, file.stat().st_mtime_ns)
        for file in folder.rglob("*")
        if file.is_file()
    }
