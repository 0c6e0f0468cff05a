from functools import partial
from itertools import permutations

import ir_measures
import jax
import numpy as np
import pytest

from grapher_jax import kernels


def test_perfect_recall_wants_every_relevant_object():
    hits = np.array([[True, False, True, False], [True, False, False, False], [False] * 4])
    relevant = np.array([2, 2, 0])
    assert kernels.perfect_recall(hits, relevant, 3).tolist() == [1, 0, 0]
    assert kernels.perfect_recall(hits, relevant, 2).tolist() == [0, 0, 0]


def test_the_first_relevant_object_counts():
    hits = np.array([[False, False, True, True], [True, False, True, False], [False] * 4])
    np.testing.assert_allclose(kernels.reciprocal_rank(hits), [1 / 3, 1, 0])
    assert kernels.reciprocal_rank(np.zeros((2, 0), bool)).tolist() == [0, 0]


def test_gains_are_discounted_as_trec_eval_does():
    rng = np.random.default_rng(3)
    grades, retrieved = (
        rng.integers(0, 4, (20, 12)),
        rng.permuted(np.tile(np.arange(12), (20, 1)), axis=1),
    )
    grades[0] = 0
    retrieved = retrieved[:, :9]
    gains = np.take_along_axis(grades, retrieved, axis=1)
    for k in (1, 5, 10):
        found = kernels.ndcg(gains, grades, k)
        judged = {
            str(query): {str(place): int(grade) for place, grade in enumerate(own)}
            for query, own in enumerate(grades)
        }
        ranked = {
            str(query): {str(place): -rank for rank, place in enumerate(own.tolist())}
            for query, own in enumerate(retrieved)
        }
        expected = {
            int(one.query_id): one.value
            for one in ir_measures.iter_calc([ir_measures.nDCG @ k], judged, ranked)
        }
        np.testing.assert_allclose(found, [expected[query] for query in range(20)], rtol=1e-5)


def test_ndcg_is_jitted_mapped_and_indifferent_to_padding(types_unchecked):
    gains = np.array([[3, 0, 1], [0, 2, 0]], np.float32)
    relevant = np.array([[1, 3, 2, 0], [2, 0, 0, 0]], np.float32)
    found = jax.jit(partial(kernels.ndcg, k=3))(gains, relevant)
    ideal = 3 + 2 / np.log2(3) + 1 / 2
    np.testing.assert_allclose(found, [(3 + 1 / 2) / ideal, 1 / np.log2(3)], rtol=1e-6)
    np.testing.assert_allclose(jax.vmap(partial(kernels.ndcg, k=3))(gains, relevant), found)
    padded = np.pad(gains, ((0, 0), (0, 2))), np.pad(relevant, ((0, 0), (3, 0)))
    np.testing.assert_array_equal(kernels.ndcg(*padded, 3), found)
    assert kernels.ndcg(gains, np.zeros((2, 0), np.float32), 3).tolist() == [0, 0]
    with pytest.raises(ValueError, match=r"gains: -3\.0 at .* is outside"):
        kernels.ndcg(-gains, relevant, 3)
    with pytest.raises(ValueError, match=r"relevant: shape \(1, 4\) does not fit"):
        kernels.ndcg(gains, relevant[:1], 3)


@partial(jax.jit, static_argnames="k")
def metrics(hits, relevant, scores, k=10, mask=None):
    """MRR, MHits@K, MTRR and TMHits@K."""
    return (
        kernels.mean_reciprocal_rank(hits, relevant, mask=mask),
        kernels.mean_hits(hits, relevant, k, mask=mask),
        kernels.mean_reciprocal_rank(hits, relevant, scores=scores, mask=mask),
        kernels.mean_hits(hits, relevant, k, scores=scores, mask=mask),
    )


def oracle(hits, relevant, scores, k):
    """The same for one query without padding in float64; equal scores are in the given order."""
    found = []
    for place in np.flatnonzero(hits):
        rank = 1 + place
        ahead, tied = (scores > scores[place]).sum(), (scores == scores[place]).sum()
        expected = min(1.0, max(0, k - ahead) / tied)
        found.append([1 / rank, rank <= k, 1 / (ahead + (1 + tied) / 2), expected])
    return np.sum(found or [[0.0] * 4], axis=0) / max(relevant, 1)


def tied_rankings(rng, queries, n):
    """Scores in a few steps, best first, which candidates are relevant, and how many objects are."""
    scores = -np.sort(-rng.integers(0, 4, (queries, n)), axis=1).astype(np.float32)
    hits = rng.random((queries, n)) < 0.4
    return hits, hits.sum(1) + rng.integers(0, 3, queries), scores


def test_ties_are_counted():
    scores = np.array([[3, 1, 3, 0.0, -0.0, -np.inf], [2, 2, 2, 2, 2, 2]], np.float32)
    ahead, tied = kernels.ties(scores)
    assert ahead.tolist() == [[0, 2, 0, 3, 3, 5], [0] * 6]
    assert tied.tolist() == [[2, 1, 2, 2, 2, 1], [6] * 6]


def test_nobody_is_tied_with_or_behind_a_masked_candidate():
    scores = np.array([3, 1, 3, np.inf, np.nan, -np.inf, -np.inf], np.float32)
    ahead, tied = kernels.ties(scores, mask=np.array([1, 1, 0, 0, 0, 1, 0], bool))
    assert ahead.tolist() == [0, 1, 0, 0, 0, 2, 0]
    assert tied.tolist() == [1, 1, 0, 0, 0, 1, 0]
    ahead, tied = kernels.ties(scores)
    assert ahead.tolist() == [1, 3, 1, 0, 0, 4, 4]
    assert tied.tolist() == [2, 1, 2, 1, 0, 2, 2]


@pytest.mark.parametrize(
    ("groups", "relevant", "expected"),
    [
        # Groups of equal scores, best first; the relevant object's place; MTRR, TMHits@10.
        # Nothing is tied: ranks 1, 10 and 11.
        ([1] * 12, 0, (1, 1)),
        ([1] * 12, 9, (1 / 10, 1)),
        ([1] * 12, 10, (1 / 11, 0)),
        # All 20 are tied: the rank is between 1 and 20, the top 10 hold half of them.
        ([20], 0, (1 / 10.5, 0.5)),
        ([20], 19, (1 / 10.5, 0.5)),
        # All 4 are tied, and all fit.
        ([4], 3, (1 / 2.5, 1)),
        # 7 ahead, 6 tied for the 3 places that are left: ranks 8 to 13.
        ([3, 4, 6], 7, (1 / 10.5, 3 / 6)),
        # 2 ahead, 3 tied who all fit: ranks 3 to 5. Equation 21 as printed gives 8 / 3.
        ([2, 3, 9], 4, (1 / 4, 1)),
        # 9 ahead, and 2 tied for one place: ranks 10 and 11.
        ([9, 2], 10, (1 / 10.5, 1 / 2)),
        # 10 ahead exactly, alone and tied: no place is left. Equation 21 as printed gives 1.
        ([10, 1], 10, (1 / 11, 0)),
        ([4, 6, 3], 12, (1 / 12, 0)),
        # 11 ahead.
        ([11, 2], 11, (1 / 12.5, 0)),
    ],
)
def test_ties_by_hand(groups, relevant, expected):
    scores = -np.repeat(np.arange(len(groups)), groups).astype(np.float32)
    hits = np.arange(len(scores)) == relevant
    # Padded, so that all are one program.
    padding = (0, 20 - len(scores))
    mask = np.arange(20) < len(scores)
    hits, scores = np.pad(hits, padding), np.pad(scores, padding)
    mrr, mhits, *tied = metrics(hits, np.array(1), scores, mask=mask)
    np.testing.assert_allclose([mrr, mhits], [1 / (relevant + 1), relevant < 10], rtol=1e-6)
    np.testing.assert_allclose(tied, expected, rtol=1e-6)


def test_every_relevant_object_counts_and_those_not_retrieved_add_nothing():
    scores = np.array([5, 4, 4, 4, 1], np.float32)
    hits = np.array([[1, 0, 0, 1, 0], [1, 0, 0, 1, 0], [0] * 5, [0] * 5], bool)
    found = metrics(hits, np.array([2, 4, 1, 0]), np.tile(scores, (4, 1)), k=2)
    # Ranks 1 and 4; with ties 1 and 3, and one place in the top 2 for the three who are tied.
    by_hand = np.array([(1 + 1 / 4) / 2, 1 / 2, (1 + 1 / 3) / 2, (1 + 1 / 3) / 2])
    np.testing.assert_allclose(np.transpose(found), [by_hand, by_hand / 2, [0] * 4, [0] * 4])


@pytest.mark.parametrize("k", [1, 3, 10])
def test_metrics_agree_with_numpy(k):
    hits, relevant, scores = tied_rankings(np.random.default_rng(k), 60, 12)
    found = metrics(hits, relevant, scores, k)
    expected = [
        oracle(*query, k) for query in zip(hits, relevant, scores.astype(float), strict=True)
    ]
    np.testing.assert_allclose(np.transpose(found), expected, rtol=1e-6)
    # MHits@K is R@K.
    np.testing.assert_allclose(found[1], hits[:, :k].sum(1) / np.maximum(relevant, 1), rtol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_tied_metrics_are_means_over_every_way_to_break_the_ties(seed):
    n = 6
    hits, relevant, scores = tied_rankings(np.random.default_rng(seed), 1, n)
    keys = np.array([*permutations(range(n))])
    orders = np.lexsort((keys, np.broadcast_to(-scores, keys.shape)), axis=1)
    for k in range(1, n + 1):
        broken = kernels.mean_hits(hits[0][orders], np.repeat(relevant, len(orders)), k)
        tied = kernels.mean_hits(hits, relevant, k, scores=scores)
        np.testing.assert_allclose(tied[0], np.mean(broken, dtype=float), rtol=1e-5)
    ranks = 1 + np.argsort(orders, axis=1).mean(0)
    tied = kernels.mean_reciprocal_rank(hits, relevant, scores=scores)
    np.testing.assert_allclose(tied[0], (hits / ranks).sum() / max(relevant[0], 1), rtol=1e-6)


def test_without_ties_the_tied_metrics_are_the_others():
    hits, relevant, _ = tied_rankings(np.random.default_rng(0), 60, 12)
    mrr, mhits, mtrr, tmhits = metrics(hits, relevant, np.tile(-np.arange(12.0), (60, 1)), 3)
    assert mrr.tolist() == mtrr.tolist()
    assert mhits.tolist() == tmhits.tolist()


def test_with_scores_the_given_order_does_not_matter():
    rng = np.random.default_rng(0)
    hits, relevant, scores = tied_rankings(rng, 60, 12)
    shuffled = np.argsort(rng.random(scores.shape), axis=1)
    again = [np.take_along_axis(values, shuffled, axis=1) for values in (hits, scores)]
    for was, now in zip(
        metrics(hits, relevant, scores, 3)[2:],
        metrics(again[0], relevant, again[1], 3)[2:],
        strict=True,
    ):
        np.testing.assert_allclose(was, now, rtol=1e-6)


def test_padding_changes_nothing_wherever_it_stands():
    hits, relevant, scores = tied_rankings(np.random.default_rng(1), 60, 12)
    places = [0, 3, 3, 8]
    mask = np.insert(np.ones_like(hits), places, False, axis=1)
    padded = np.insert(scores, places, [np.nan, np.inf, 2.0, -np.inf], axis=1)
    marked = np.insert(hits, places, True, axis=1)
    for was, now in zip(
        metrics(hits, relevant, scores, 3),
        metrics(marked, relevant, padded, 3, mask),
        strict=True,
    ):
        np.testing.assert_allclose(was, now, rtol=1e-6)


def test_metrics_are_jitted_and_mapped():
    hits, relevant, scores = tied_rankings(np.random.default_rng(2), 6, 9)
    expected = metrics.__wrapped__(hits, relevant, scores, 2)
    one_by_one = jax.vmap(partial(metrics, k=2))(hits, relevant, scores)
    shaped = [values.reshape(2, 3, *values.shape[1:]) for values in (hits, relevant, scores)]
    at_once = jax.jit(partial(metrics, k=2))(*shaped)
    for values, mapped, jitted in zip(expected, one_by_one, at_once, strict=True):
        np.testing.assert_allclose(mapped, values, rtol=1e-6)
        np.testing.assert_allclose(np.ravel(jitted), values, rtol=1e-6)


@pytest.mark.usefixtures("types_unchecked")
def test_grades_are_no_hits():
    hits = np.array([[2, 0, 1]])
    for metric in (
        partial(kernels.perfect_recall, k=2),
        partial(kernels.mean_hits, k=2),
        kernels.mean_reciprocal_rank,
        lambda hits, _: kernels.reciprocal_rank(hits),
    ):
        with pytest.raises(TypeError, match="hits: truth values are needed, not int"):
            metric(hits, np.array([2]))


def test_a_query_without_relevant_objects_has_0():
    hits, none = np.ones((2, 3), bool), np.array([0, 3])
    found = kernels.mean_reciprocal_rank(hits, none), kernels.mean_hits(hits, none, 3)
    assert [one[0] for one in found] == [0.0, 0.0]
    assert found[1][1] == 1.0


def test_counts_and_scores_that_do_not_fit_are_named(types_unchecked):
    hits, counts = np.ones((2, 3), bool), np.array([1, 2])
    assert kernels.perfect_recall(hits, 3, 3).tolist() == [1.0, 1.0]  # one for all
    for call in (
        lambda relevant: kernels.perfect_recall(hits, relevant, 1),
        lambda relevant: kernels.mean_reciprocal_rank(hits, relevant),
        lambda relevant: kernels.mean_hits(hits, relevant, 1),
    ):
        with pytest.raises(ValueError, match=r"relevant: shape \(2, 1\) does not fit"):
            call(counts[:, None])
    with pytest.raises(ValueError, match=r"scores: shape .* does not fit"):
        kernels.mean_reciprocal_rank(hits, counts, scores=np.ones(3, np.float32))
