"""Seeded candidate lists, as the padded arrays that `kernels.rerank` reads.

A workload fixes the shape of the graphs; a batch of it is made for any number of queries. Slots
pad with -1 and every candidate is real.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy import ndarray

from grapher_jax.corpus import Object, read_objects, read_queries, searchable_texts
from grapher_jax.graph import MAX_DF, GraphArrays
from grapher_jax.retrieve.lexical import LexicalIndex
from grapher_jax.text import normalise

Arrays = dict[str, ndarray]

EMPTY = -1
# Index folders to take workloads from, separated like the folders of PATH.
INDEXES = "GRAPHER_JAX_BENCH_INDEXES"
CORPUS_OBJECTS = 17_000
REFERENCE_SLOTS = 8
ENTITY_SLOTS = 32
MEAN_ENTITIES = 9
EMBEDDING = 384
BLOCK = 64  # questions of which all objects are scored at once


@dataclass(frozen=True)
class Workload:
    """A kind of candidate graph.

    Attributes:
        name: as it stands in the results.
        batches: the numbers of queries that are timed.
        make: from a random generator and a number of queries to the keyword arguments of
            `kernels.rerank`, `scores` included.
    """

    name: str
    batches: tuple[int, ...]
    make: Callable[[np.random.Generator, int], Arrays]

    def batch(self, queries: int, seed: int = 0) -> Arrays:
        """The arrays of that many queries; the same for the same seed."""
        return self.make(np.random.default_rng([seed, queries]), queries)


def tables(rng: np.random.Generator, queries: int, n: int = 200, degree: float = 0.8) -> Arrays:
    """Tables of databases: a few foreign keys among the candidates, others to tables outside."""
    object_ids = _distinct(rng, queries, n, CORPUS_OBJECTS)
    foreign_keys = np.full((queries, n, REFERENCE_SLOTS), EMPTY, np.int32)
    chance = degree / (2 * REFERENCE_SLOTS)  # an edge gives two candidates a neighbour each
    inside = rng.random(foreign_keys.shape) < chance
    outside = ~inside & (rng.random(foreign_keys.shape) < chance)
    query, candidate, _ = np.nonzero(inside)
    step = rng.integers(1, n, len(query))  # never a candidate's own id
    foreign_keys[inside] = object_ids[query, (candidate + step) % n]
    foreign_keys[outside] = rng.integers(CORPUS_OBJECTS, 2 * CORPUS_OBJECTS, outside.sum())
    return {
        "scores": _scores(rng, queries, n),
        "object_ids": object_ids,
        "foreign_keys": foreign_keys,
    }


def entities(
    rng: np.random.Generator,
    queries: int,
    n: int = 200,
    vocabulary: int = 40_000,
    popularity_exponent: float = 0.9,
    popularity_offset: float = 3.5,
) -> Arrays:
    """Passages that name entities: a few popular ones, most in one candidate only.

    The chance of the r-th most popular entity falls as `(r + offset) ** -exponent`; which entities
    are popular differs by query.
    """
    ranks = np.arange(vocabulary)
    popularity = np.cumsum((ranks + popularity_offset) ** -popularity_exponent)
    drawn = np.searchsorted(popularity / popularity[-1], rng.random((queries, n, ENTITY_SLOTS)))
    shift = rng.integers(vocabulary, size=(queries, 1, 1))
    # 7919 is a prime that divides no vocabulary here, so ids are permuted, not merged.
    ids = ((drawn * 7919 + shift) % vocabulary).astype(np.int32)
    spread = 4.0  # of the number of entities in a candidate: smaller is wider
    sizes = rng.negative_binomial(spread, spread / (spread + MEAN_ENTITIES), (queries, n, 1))
    ids[np.arange(ENTITY_SLOTS) >= sizes] = EMPTY
    ids = _distinct_first(ids)
    return {
        "scores": _scores(rng, queries, n),
        "entity_ids": ids,
        "entity_counts": (ids != EMPTY).sum(-1, dtype=np.int32),
    }


def chunks(rng: np.random.Generator, queries: int, n: int = 200, chance: float = 0.5) -> Arrays:
    """Chunks in runs of consecutive ones: a chunk is followed by its successor by `chance`."""
    follows = rng.random((queries, n)) < chance
    run = np.cumsum(~follows, axis=1)
    documents = _distinct(rng, queries, n + 1, CORPUS_OBJECTS)
    position = np.arange(n)
    start = np.maximum.accumulate(np.where(follows, 0, position), axis=1)
    first = np.take_along_axis(rng.integers(0, 40, (queries, n + 1)), run, axis=1)
    order = rng.permuted(np.tile(position, (queries, 1)), axis=1)
    document_ids = np.take_along_axis(documents, run, axis=1)
    chunk_ids = (first + position - start).astype(np.int32)
    return {
        "scores": _scores(rng, queries, n),
        "document_ids": np.take_along_axis(document_ids, order, axis=1),
        "chunk_ids": np.take_along_axis(chunk_ids, order, axis=1),
    }


def many_entities(rng: np.random.Generator, queries: int, n: int = 20_000) -> Arrays:
    """Twenty thousand passages: the same slots, spread over more entities, as in a whole corpus."""
    return entities(rng, queries, n, vocabulary=100_000, popularity_offset=600.0)


def attentive(rng: np.random.Generator, queries: int, n: int = 200, degree: float = 4) -> Arrays:
    """Embedded objects of a corpus, joined at random to so many others on average.

    These are no arguments of `kernels.rerank`: `gat.py` says what becomes of them.
    """
    above = np.triu(rng.random((queries, n, n)) < degree / (n - 1), 1)
    close = above | above.transpose(0, 2, 1)
    slots = close.sum(-1).max()
    first = np.argsort(~close, axis=-1, kind="stable")[..., :slots]
    neighbors = np.where(np.take_along_axis(close, first, -1), first, EMPTY)
    return {
        "scores": _scores(rng, queries, n),
        "questions": _unit(rng, queries),
        "objects": _unit(rng, CORPUS_OBJECTS),
        "object_ids": _distinct(rng, queries, n, CORPUS_OBJECTS),
        "neighbors": neighbors.astype(np.int32),
    }


def judged(
    rng: np.random.Generator, queries: int, n: int = 200, degree: float = 4, slots: int = 16
) -> Arrays:
    """What a learned ranker is trained on: `CandidateBatch`, `relevant` and `counts`.

    Everybody is joined to so many others on average, and hears the first `slots` of them.
    """
    arrays = attentive(rng, queries, n, degree=degree)
    neighbors = arrays["neighbors"]
    listed = np.full((queries, n, slots), EMPTY, np.int32)
    listed[..., : neighbors.shape[-1]] = neighbors[..., :slots]
    degrees = np.zeros((queries, n, 4), np.float32)
    degrees[..., 0] = (neighbors != EMPTY).sum(-1)
    return {
        "scores": arrays["scores"],
        "smoothed": _scores(rng, queries, n),
        "questions": arrays["questions"],
        "objects": arrays["objects"][arrays["object_ids"]],
        "neighbors": listed,
        "degrees": degrees,
        "mask": np.ones((queries, n), bool),
        **_judgements(rng, np.full(queries, n)),
    }


WORKLOADS = (
    Workload("tables-200", (1, 32, 1024), tables),
    Workload("entities-200", (1, 32, 1024), entities),
    Workload("chunks-200", (1, 32, 1024), chunks),
    Workload("entities-20k", (1,), many_entities),
)
GAT_WORKLOADS = (
    Workload("gat-200 degree 4", (1, 32), attentive),
    Workload("gat-200 degree 20", (1, 32), partial(attentive, degree=20)),
)

TRAINING_WORKLOADS = (
    Workload("training degree 4", (32,), judged),
    Workload("training degree 20", (32,), partial(judged, degree=20)),
)


def real_workloads() -> tuple[Workload, ...]:
    """Candidates of real corpora.

    Those of the public benchmark sets that `GRAPHER_JAX_DATA` has, and the questions of the index
    folders that `GRAPHER_JAX_BENCH_INDEXES` names.
    """
    data = Path(os.environ.get("GRAPHER_JAX_DATA", ""))
    sets = tuple(
        Workload(name, (1, 32, 512), partial(from_corpus, data / folder, join))
        for name, folder, join in REAL
        if (data / folder).is_dir()
    )
    indexes = tuple(
        Workload(folder.name, (1, 32, 1024), partial(from_index, folder)) for folder in _indexes()
    )
    return sets + indexes


def real_training_workloads() -> tuple[Workload, ...]:
    """The same questions with their candidates' graphs, as training builds them."""
    return tuple(
        Workload(f"training {folder.name}", (32,), partial(judged_from_index, folder))
        for folder in _indexes()
    )


def _indexes() -> list[Path]:
    return [Path(folder) for folder in os.environ.get(INDEXES, "").split(os.pathsep) if folder]


def from_corpus(
    folder: Path,
    join: Callable[[Sequence[Object], ndarray], Arrays],
    _: np.random.Generator,
    queries: int,
    n: int = 200,
) -> Arrays:
    """The first candidates by BM25 for the questions of a BEIR folder, asked again where few."""
    objects = [*read_objects(folder)]
    asked = [query.text for query in read_queries(folder)]
    index = LexicalIndex.build(searchable_texts(objects))
    rows, scores = np.zeros((queries, n), np.int32), np.zeros((queries, n), np.float32)
    for start in range(0, queries, BLOCK):
        block = slice(start, min(start + BLOCK, queries))
        found = index.scores([asked[i % len(asked)] for i in range(*block.indices(queries))])
        every = found.all
        rows[block] = np.argsort(-every, axis=1, kind="stable")[:, :n]
        low, high = (bound[:, None] for bound in found.bounds)
        # Of a question without a word of theirs all candidates are alike; no peer takes only zeros.
        unit = np.where(high > low, (every - low) / np.maximum(high - low, 1e-6), 1.0)
        scores[block] = np.take_along_axis(unit, rows[block], axis=1)
    return {"scores": scores, **join(objects, rows)}


def all_entities(objects: Sequence[Object], rows: ndarray) -> Arrays:
    """Every entity that an object names, the first of them: also those that no other has."""
    numbers: dict[str, int] = {}
    ids = np.full((len(objects), ENTITY_SLOTS), EMPTY, np.int32)
    for own, item in zip(ids, objects, strict=True):
        named = dict.fromkeys(map(normalise, item.metadata.get("entities", [])))
        first = [numbers.setdefault(name, len(numbers)) for name in named][:ENTITY_SLOTS]
        own[: len(first)] = first
    counts = (ids != EMPTY).sum(1, dtype=np.int32)
    return {"entity_ids": ids[rows], "entity_counts": counts[rows]}


def as_ranked(objects: Sequence[Object], rows: ndarray) -> Arrays:
    """What a `Reranker` reads where it is told nothing."""
    graph = GraphArrays.build(
        [item.id for item in objects], [item.metadata for item in objects], warn_of_unknown=False
    )
    joined = graph.gather(rows, graph.proximities()[:1], max_df=MAX_DF)
    return {name: np.asarray(array) for name, array in joined.given().items()}


# By what each is called: the folder of `GRAPHER_JAX_DATA`, and what joins its candidates.
REAL = (
    ("musique-all", "musique", all_entities),
    ("musique", "musique", as_ranked),
    ("spider", "spider", as_ranked),
    ("bird", "bird", as_ranked),
)


def from_index(folder: Path, _: np.random.Generator, queries: int) -> Arrays:
    """What the retriever of an index returns for its own questions, asked again where few.

    The graph is built from the first proximity of the metadata: a peer reads one relation.
    """
    from grapher_jax.search import Index

    index = Index.load(folder)
    questions = [query.text for query in index.queries.values()]
    found = index.retriever.retrieve([questions[i % len(questions)] for i in range(queries)])
    joined = index.graph.gather(found.rows, index.graph.proximities()[:1])
    return {"scores": found.scores, **joined.given()}


def judged_from_index(folder: Path, rng: np.random.Generator, queries: int) -> Arrays:
    """Retrieved candidates and their graphs, with judgements drawn at random: time is alike."""
    from grapher_jax.search import Index
    from grapher_jax.training.candidates import GraphSettings, build_candidates

    index, settings = Index.load(folder), GraphSettings()
    questions = [query.text for query in index.queries.values()]
    found = index.retrieve([questions[i % len(questions)] for i in range(queries)])
    real = found.rows != EMPTY
    proximities = index.graph.proximities()
    batch = build_candidates(
        found.scores,
        found.questions.embeddings,
        index.embeddings[np.where(real, found.rows, 0)],
        index.graph.gather(found.rows, proximities, max_df=settings.max_df),
        mask=real,
        alpha=settings.alpha,
        neighbors=settings.neighbors,
    )
    arrays = {name: np.asarray(v) for name, v in vars(batch).items() if v is not None}
    return arrays | _judgements(rng, real.sum(-1))


def _judgements(rng: np.random.Generator, candidates: ndarray) -> Arrays:
    """One to five relevant candidates of each question, anywhere among the real ones."""
    relevant = np.zeros((len(candidates), candidates.max()), bool)
    for row, real in zip(relevant, candidates, strict=True):
        row[rng.choice(real, min(real, rng.integers(1, 6)), replace=False)] = True
    return {"relevant": relevant, "counts": relevant.sum(-1, dtype=np.int32)}


def _scores(rng: np.random.Generator, queries: int, n: int) -> ndarray:
    """What a hybrid retriever returns: falling, steeply at first, with some noise."""
    falling = 0.3 + 0.4 / np.sqrt(1 + np.arange(n))
    return (falling + 0.02 * rng.random((queries, n))).astype(np.float32)


def _unit(rng: np.random.Generator, rows: int) -> ndarray:
    vectors = rng.standard_normal((rows, EMBEDDING), np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _distinct(rng: np.random.Generator, queries: int, n: int, below: int) -> ndarray:
    rows = [rng.choice(below, n, replace=False) for _ in range(queries)]
    return np.stack(rows).astype(np.int32)


def _distinct_first(ids: ndarray) -> ndarray:
    """Every candidate's ids once, largest first, with the empty slots at the end."""
    falling = -np.sort(-ids, axis=-1)
    repeats = falling[..., 1:] == falling[..., :-1]
    falling[..., 1:][repeats] = EMPTY
    return -np.sort(-falling, axis=-1)
