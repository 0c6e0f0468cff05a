"""The benchmark's workloads are what they claim, and everything that it times agrees."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "bench"))

import gat
import peers
import ranker_training
import scale
import serve
from implementations import IMPLEMENTATIONS, check, reference
from scipy import sparse
from workloads import GAT_WORKLOADS, TRAINING_WORKLOADS, WORKLOADS, all_entities, from_corpus

from grapher_jax import Reranker, kernels

WORKLOAD = {workload.name: workload for workload in WORKLOADS}
FEW_CANDIDATES = {"entities-20k": 2_000}


def small_batch(name):
    if name in FEW_CANDIDATES:
        return WORKLOAD[name].make(np.random.default_rng(0), 1, FEW_CANDIDATES[name])
    return WORKLOAD[name].batch(3)


def metadata(arrays):
    return {name: values for name, values in arrays.items() if name != "scores"}


def candidates_by_entity(ids):
    """The incidence of one query's candidates and entities."""
    rows, _ = np.nonzero(ids != -1)
    return sparse.csr_array((np.ones(len(rows)), (rows, ids[ids != -1])))


@pytest.mark.parametrize("name", WORKLOAD)
def test_a_workload_is_the_same_for_the_same_seed(name):
    first, again = small_batch(name), small_batch(name)
    for key, values in first.items():
        np.testing.assert_array_equal(values, again[key])
        assert values.dtype == (np.float32 if key == "scores" else np.int32)


def test_tables_have_few_neighbours():
    arrays = WORKLOAD["tables-200"].batch(32)
    A = np.asarray(kernels.build_adjacency((32, 200), **metadata(arrays)))
    assert A.shape == (32, 200, 200)
    assert 0.7 < (A > 0).sum(-1).mean() < 0.9
    assert 0.3 < (A.sum(-1) == 0).mean() < 0.6


def test_entities_are_shared_as_in_real_text():
    arrays = WORKLOAD["entities-200"].batch(16)
    ids = arrays["entity_ids"]
    used = ids != -1
    assert ids.shape == (16, 200, 32)
    assert ids.max() > 10_000
    assert used.sum(-1).max() > 25
    assert 8.5 < used.sum(-1).mean() < 9.5
    np.testing.assert_array_equal(used.sum(-1), arrays["entity_counts"])
    sizes = [candidates_by_entity(query).sum(axis=0) for query in ids]
    assert 150 < np.mean([(size > 1).sum() for size in sizes]) < 190
    assert np.mean([(size == 1).sum() for size in sizes]) > 800
    assert np.mean([size.max() for size in sizes]) > 20
    A = np.asarray(kernels.build_adjacency((16, 200), **metadata(arrays)))
    assert 0.08 < (A > 0).mean() < 0.12


@pytest.mark.nightly
def test_made_up_entities_are_like_those_of_real_candidates(benchmark_sets):
    real = from_corpus(benchmark_sets / "musique", all_entities, np.random.default_rng(0), 64)
    figures = {}
    for name, arrays in (("real", real), ("made up", WORKLOAD["entities-200"].batch(64))):
        sizes = [candidates_by_entity(query).sum(axis=0) for query in arrays["entity_ids"]]
        top = kernels.rerank(**arrays, alpha=0.1, tol=peers.TOLERANCE)
        figures[name] = {
            "entities a candidate": (arrays["entity_ids"] != -1).sum(-1).mean(),
            "shared by several": np.mean([(size > 1).sum() for size in sizes]),
            "in one alone": np.mean([(size == 1).sum() for size in sizes]),
            "candidates of the largest": np.mean([size.max() for size in sizes]),
            "steps": float(top.solution.steps.mean()),
        }
    assert figures["real"]["steps"] <= 30
    apart = {key: figures["made up"][key] / value for key, value in figures["real"].items()}
    assert apart == pytest.approx(dict.fromkeys(apart, 1.0), abs=0.5), figures


def test_chunks_are_consecutive_and_shuffled():
    arrays = WORKLOAD["chunks-200"].batch(16)
    A = np.asarray(kernels.build_adjacency((16, 200), **metadata(arrays)))
    assert 0.8 < A.sum(-1).mean() < 1.2
    assert A.sum(-1).max() == 2
    assert np.diagonal(A, 1, axis1=1, axis2=2).mean() < 0.05


def test_many_entities_make_a_sparse_graph():
    ids = WORKLOAD["entities-20k"].batch(1)["entity_ids"][0]
    assert ids.shape == (20_000, 32)
    assert 8.5 < (ids != -1).sum(-1).mean() < 9.5
    incidence = candidates_by_entity(ids)
    neighbours = (incidence @ incidence.T).nnz / 20_000
    assert 40 < neighbours < 120


# Other programs of ours for what those of the other workloads show already.
SHOWN_ELSEWHERE = {
    ("chunks-200", "grapher-jax plain steps"),
    ("chunks-200", "grapher-jax dense"),
    ("chunks-200", "grapher-jax diffusion"),
    ("entities-20k", "grapher-jax plain steps"),
}


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "implementation"),
    [
        pytest.param(name, one, id=f"{name}-{one.name}")
        for name in WORKLOAD
        for one in IMPLEMENTATIONS
        if (name, one.name) not in SHOWN_ELSEWHERE
    ],
)
def test_every_implementation_agrees_with_the_reference(name, implementation):
    arrays = small_batch(name)
    if not implementation.installed:
        pytest.skip(f"{implementation.package} is not installed")
    if not implementation.takes(arrays):
        pytest.skip(f"{implementation.name} does not take {name}")
    expected = reference(arrays, implementation.ranker, 0.1)
    check(implementation.run(arrays, 0.1), expected, 0.1)


@pytest.mark.parametrize("ranker", ["gcs", "ppr", "diffusion"])
@pytest.mark.nightly
def test_the_reference_agrees_with_every_score_of_ours(ranker):
    arrays = small_batch("tables-200")
    ours = kernels.rerank(**arrays, ranker=ranker, alpha=0.5)
    np.testing.assert_allclose(ours.solution.scores, reference(arrays, ranker, 0.5), atol=1e-5)


@pytest.mark.parametrize(("place", "degree"), [(0, 4), (1, 20)])
def test_attention_has_the_neighbours_that_its_name_says(place, degree):
    workload = GAT_WORKLOADS[place]
    assert workload.name == f"gat-200 degree {degree}"
    arrays, again = workload.batch(16), workload.batch(16)
    np.testing.assert_array_equal(arrays["objects"], again["objects"])
    neighbors = arrays["neighbors"]
    assert 0.95 * degree < (neighbors != -1).sum(-1).mean() < 1.05 * degree
    assert not (neighbors == np.arange(200)[:, None]).any()
    assert gat.features(arrays).shape == (16, 200, 769)


@pytest.mark.parametrize(
    "implementation",
    [
        # Its library takes seconds to load; it is an oracle of the kernel in tests/kernels, too.
        pytest.param(
            one, marks=[pytest.mark.nightly] * (one.name == "pytorch geometric"), id=one.name
        )
        for one in gat.IMPLEMENTATIONS
        if one.kind != "limit"
    ],
)
def test_every_attention_agrees_with_its_reference(implementation):
    if not implementation.installed:
        pytest.skip(f"{implementation.package} is not installed")
    arrays = GAT_WORKLOADS[0].make(np.random.default_rng(0), 2, 30)
    expected = gat.reference(arrays)
    gat.check(implementation.prepare(arrays)(), expected)
    with pytest.raises(AssertionError):
        gat.check(expected + 0.001, expected)


@pytest.mark.parametrize(("place", "mean"), [(0, 4), (1, 15.6)])
def test_training_has_judged_candidates_with_short_lists(place, mean):
    arrays, again = (TRAINING_WORKLOADS[place].batch(4) for _ in range(2))
    np.testing.assert_array_equal(arrays["relevant"], again["relevant"])
    neighbors = arrays["neighbors"]
    assert neighbors.shape == (4, 200, 16)
    assert 0.95 * mean < (neighbors != -1).sum(-1).mean() < 1.05 * mean
    assert (arrays["counts"] == arrays["relevant"].sum(-1)).all()
    assert ((arrays["counts"] >= 1) & (arrays["counts"] <= 5)).all()


@pytest.mark.nightly
def test_both_rankers_learn_alike():
    arrays = TRAINING_WORKLOADS[0].make(np.random.default_rng(0), 2, 30)
    arrays["mask"][1, 24:] = False
    arrays["relevant"] &= arrays["mask"]
    settings = ranker_training.settings(arrays, dropout=0.0)
    # One layer beside another holds what five do, in half of the time.
    settings = replace(settings, model=replace(settings.model, layers=2))
    ours, peer = ranker_training.IMPLEMENTATIONS
    if not peer.installed:
        pytest.skip(f"{peer.package} is not installed")
    trained = [one.prepare(arrays, settings, False) for one in (ours, peer)]
    scores, gradients = expected = trained[0].judge()
    ranker_training.check(trained[1].judge(), expected)
    with pytest.raises(AssertionError):
        ranker_training.check((scores, gradients | {"direct": gradients["direct"] / 2}), expected)
    before = trained[0].weights()
    for one in trained:
        for _ in range(3):
            one.step()
    after, others = (one.weights() for one in trained)
    for name, values in after.items():
        moved = np.abs(values - before[name]).mean()
        assert moved > 1e-3
        # Adam makes whole steps of rounding where a gradient is 0: a few weights differ by more.
        assert np.median(np.abs(values - others[name])) < 3e-4 * moved


def test_a_wrong_result_is_noticed():
    scores = np.linspace(0, 1, 20)[None]
    right = np.arange(19, 9, -1)[None]
    check((right, np.take_along_axis(scores, right, 1)), scores)
    with pytest.raises(AssertionError):
        check((right[:, ::-1], np.take_along_axis(scores, right, 1)), scores)
    with pytest.raises(AssertionError):
        check((right, np.take_along_axis(scores, right, 1) + 0.001), scores)


@pytest.mark.nightly
def test_the_service_is_asked_for_the_same_tables():
    arrays = serve.tables(np.random.default_rng(0), serve.QUESTIONS)
    ours = kernels.rerank(**arrays, ranker="gcs", k=200)
    requests = serve.made_up()
    assert len(requests) == serve.QUESTIONS
    for question, request in enumerate(requests[:3]):
        hits = Reranker(ranker="gcs").rerank(request["query"], request["documents"])
        places = {document["id"]: i for i, document in enumerate(request["documents"])}
        assert sorted(places[hit.id] for hit in hits) == list(range(200))
        np.testing.assert_allclose([hit.score for hit in hits], ours.scores[question], atol=1e-5)
    assert all("score" not in document for document in serve.without_scores(request)["documents"])


@pytest.mark.nightly
def test_many_queries_are_the_same_ones_and_are_all_ranked(tmp_path):
    for name in ("one", "other"):
        scale.make(tmp_path / name, [], 1_100, 20)
    for file in ("queries.jsonl", "base.trec"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "other" / file).read_bytes()
    measured = scale.measure(tmp_path / "one")
    assert measured["queries"] == 1_100
    assert 0 < measured["start_s"] < measured["all_s"]
    ranked = (tmp_path / "one" / "run.trec").read_text().splitlines()
    given = (tmp_path / "one" / "base.trec").read_text().splitlines()
    assert len(ranked) == len(given)
