from dataclasses import replace

import numpy as np
import pytest

from grapher_jax.corpus import Object
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index
from grapher_jax.systems import Retrieval, System, load_system
from grapher_jax.systems.notes import expand_note, search_notes, unmoved_note

WORDS = [
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heath",
    "inlet",
    "joker",
    "knoll",
    "lemon",
    "maple",
    "night",
]


def make(embedder, **keys):
    """Objects of one word each, of which some reference others."""
    return Index.build(
        [Object(word, word, "", {"foreign_keys": keys.get(word, [])}) for word in WORDS],
        embedder=embedder,
        text=(),
    )


@pytest.fixture(scope="module")
def chained(embedder):
    """The best candidate references the last one."""
    apart = make(embedder)
    return make(embedder, amber=[apart.search("amber", k=len(WORDS), ranker="base")[-1].id])


def search(index, question="amber", *, candidates=200, expand=False, k=3, **options):
    reranker = Reranker(**options).over(index)
    system = System.from_reranker(reranker, candidates=candidates, expand=expand)
    found = system.retrieve(index, [question])
    order = system.rank(index, found, k=k)
    return search_notes(system, index, found, order, name=system.reranker.name, k=k)


def test_nothing_is_said_of_a_ranking_that_moved_something_or_has_no_graph(chained):
    assert search(chained, alpha=0.05, k=2) == []
    assert search(chained, ranker="base") == []


def test_a_corpus_that_nothing_joins_is_told_what_would(embedder):
    (note,) = search(make(embedder), ranker="gcs")
    assert note.startswith(
        "gcs moved nothing into or out of the first 3: no object joins any other"
    )
    keys = "foreign_keys, inferred_keys, links, title_mentions, entities, chunk_id"
    assert keys in note and "enrich" in note


def test_a_ranking_that_is_too_weak_is_told_of_others(chained):
    (note,) = search(chained, alpha=1.0, ranker="gcs")
    assert note.endswith(
        "too weakly for it; to move more, try the ranker diffusion or an alpha below 1.0"
    )
    (note,) = search(chained, alpha=1.0, ranker="ppr")
    assert note.endswith("to move more, try the ranker diffusion or an alpha below 1.0")
    # Of auto, what it takes for keys.
    (note,) = search(chained, alpha=1.0)
    assert note.startswith("diffusion moved nothing")
    assert note.endswith("too weakly for it; to move more, try an alpha below 1.0")


def test_candidates_that_are_not_joined_may_be_joined_by_others(embedder):
    # What amber references is no candidate.
    index = make(embedder, amber=["birch"])
    found = Retrieval()(index, ["amber"])
    best = found.rows[0]
    apart = [row for row in best.tolist() if index.ids[row] != "birch"]
    alone = type(found)(np.array([apart], np.int32), found.scores[:, : len(apart)], found.questions)
    note = unmoved_note(Reranker(), index, alone, name="gcs", k=3)
    assert "none of the best is joined to a candidate; keys that join objects (" in note
    assert note.endswith(", or expand")
    assert "too weakly" in unmoved_note(Reranker(), index, found, name="gcs", k=3)
    none = replace(alone, rows=np.full_like(alone.rows, -1))
    note = unmoved_note(
        Reranker(), index, none, name="gcs", k=3, questions=" of any of 2 questions"
    )
    assert note == "gcs had nothing to rank of any of 2 questions: there are no candidates"


def test_names_that_too_many_objects_have_are_told_from_weak_ones(embedder):
    index = Index.build(
        [Object(word, word, "", {"entities": ["Wood"]}) for word in WORDS],
        embedder=embedder,
        text=(),
    )
    (note,) = search(index, ranker="gcs")
    assert note.endswith(
        ": more than 8 objects have each value that the best share with a candidate; try a higher "
        "max_df"
    )
    assert search(index, ranker="gcs", max_df=None) == [
        note.replace(note[note.index("more than 8") :], "")
        + "the candidates are joined, but too weakly for it; to move more, try the ranker diffusion "
        "or an alpha below 0.1"
    ]


def test_a_system_without_such_a_graph_is_told_of_another(chained):
    system = load_system("g-rag")
    found = system.retrieve(chained, ["amber"])
    note = unmoved_note(
        system.reranker, chained, found, name="g-rag", k=20, questions=" of any of 9"
    )
    assert note == (
        "g-rag left the order of all 14 candidates as it was of any of 9: "
        "try another system, or the ranker auto"
    )


def test_expansion_says_that_it_cannot_add_anything(chained, embedder):
    (note,) = search(chained, expand=True, alpha=0.05, k=2)
    assert note == (
        "expand: all 14 objects are among the candidates already; it adds something where there "
        "are more than 200"
    )
    everything, few = Retrieval(expand=True), Retrieval(candidates=2, expand=True)
    assert expand_note(everything, chained, everything(chained, ["amber"]))
    assert expand_note(Retrieval(), chained, Retrieval()(chained, ["amber"])) == ""
    # What amber references is a step from the best, and joins.
    joined = few(chained, ["amber"])
    assert joined.rows.shape[1] > 2 and expand_note(few, chained, joined) == ""
    nowhere = make(embedder, night=["maple"])
    assert "one step from the best" in expand_note(few, nowhere, few(nowhere, ["amber"]))
    apart = make(embedder)
    assert expand_note(few, apart, few(apart, ["amber"])).startswith("expand: no object joins any")
