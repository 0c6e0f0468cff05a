"""Numbers of diffusion that are learned from judged questions."""

from dataclasses import replace

import numpy as np
import pytest

from grapher_jax import Index, Object, Query
from grapher_jax.corpus import JudgedQueries
from grapher_jax.errors import InputError
from grapher_jax.evaluation import JudgedRun, learn_diffusion
from grapher_jax.evaluation.learning import _temperature
from grapher_jax.graph import EMPTY
from grapher_jax.systems import Retrieval


@pytest.fixture(scope="module")
def notes():
    """Notes of which each links to another, with words of their own, and belongs to a chapter."""
    rng = np.random.default_rng(0)
    words = [f"w{number}" for number in range(60)]
    return [
        Object(
            f"n{number}",
            " ".join(rng.choice(words, 6)),
            "",
            {
                "links": [f"n{(number * 7 + 3) % 40}"],
                "document_id": f"d{number % 8}",
                "chunk_id": number // 8,
            },
        )
        for number in range(40)
    ]


@pytest.fixture(scope="module")
def judged(notes):
    """Questions in the words of a note: that note answers them, and the one it links to."""
    queries = [Query(f"q{number}", note.text) for number, note in enumerate(notes)]
    relevant = {
        query.id: {note.id: 1, note.metadata["links"][0]: 1}
        for query, note in zip(queries, notes, strict=True)
    }
    return JudgedQueries(queries, relevant)


def run_of(objects, judged, embedder):
    return JudgedRun.retrieve_by(Retrieval(), Index.build(objects, embedder=embedder), judged)


@pytest.fixture(scope="module")
def run(notes, judged, embedder):
    return run_of(notes, judged, embedder)


@pytest.mark.nightly
def test_links_that_answer_come_to_weigh_more_than_chunks_that_do_not(run):
    found = learn_diffusion(run)
    assert found.learned_from == 30
    assert list(found.weights) == ["link", "chunk"]
    assert found.weights["chunk"] < 0.5 * found.weights["link"]
    assert found.held_out.multi >= found.default.multi
    told = found.to_dict()
    assert told["weights"] == found.weights
    assert set(told["held_out"]) == {"all", "multi"}
    assert f"--temperature {found.temperature:.3g} --alpha {found.alpha:.3g}" in found.options


def test_the_start_is_the_same_whatever_pads_a_list(run):
    candidates = run.candidates
    padded = replace(
        candidates,
        rows=np.pad(candidates.rows, ((0, 0), (0, 8)), constant_values=EMPTY),
        scores=np.pad(candidates.scores, ((0, 0), (0, 8))),
    )
    lower = replace(padded, scores=np.where(padded.rows == EMPTY, 0, padded.scores - 10))
    for given in (padded, lower):
        assert _temperature(replace(run, candidates=given), 0.25) == pytest.approx(
            _temperature(run, 0.25), rel=1e-4
        )


@pytest.mark.nightly
def test_a_single_proximity_has_no_weight_to_learn(run):
    found = learn_diffusion(run, proximities=["link"])
    assert found.weights == {}
    assert "--weight" not in found.options


@pytest.mark.nightly
def test_edges_of_ones_own_are_learned_with_others(notes, judged, embedder):
    cite = [replace(one, metadata=one.metadata | {"cites": [notes[-1].id]}) for one in notes]
    index = Index.build(cite, embedder=embedder, edges={"cites": "reference"})
    found = learn_diffusion(JudgedRun.retrieve_by(Retrieval(), index, judged))
    assert list(found.weights) == ["link", "chunk", "cites"]


def test_what_cannot_be_learned_is_named(run, notes, judged, embedder):
    plain = [Object(note.id, note.text) for note in notes]
    with pytest.raises(InputError, match="learn: nothing joins the objects"):
        learn_diffusion(run_of(plain, judged, embedder))
    with pytest.raises(InputError, match="learn: no question has a relevant candidate"):
        learn_diffusion(run.take(np.array([0])))


def test_a_run_of_some_questions_is_that_of_them_alone(run):
    some = run.take(np.array([3, 5]))
    assert list(some.judgements) == ["q3", "q5"]
    np.testing.assert_array_equal(some.candidates.rows, run.candidates.rows[[3, 5]])
    np.testing.assert_array_equal(some.relevant, run.relevant[[3, 5]])
    embedded = some.candidates.questions.embeddings
    np.testing.assert_array_equal(embedded, run.candidates.questions.embeddings[[3, 5]])
