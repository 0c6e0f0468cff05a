import multiprocessing
import warnings
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext

import jax
import numpy as np
import pytest
from candidates_of_a_shop import SHOP
from hypothesis import given
from hypothesis import strategies as st
from memory_collection import MemoryCollection, candidates_of

import grapher_jax as gj
from grapher_jax import kernels
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.rankers.hits import Hit


def test_the_graph_lifts_what_the_best_candidate_references():
    ranking = gj.Reranker(ranker="gcs", alpha=0.3).rerank("who bought?", SHOP)
    assert [hit.id for hit in ranking] == ["orders", "stores", "customers", "songs"]
    lifted = ranking[2]
    assert (lifted.rank, lifted.base_rank, lifted.base_score) == (3, 4, pytest.approx(0.1))
    assert ranking[1].text == "stores: city"


@pytest.mark.parametrize("ranker", ["base", "gcs"])
def test_results_below_the_lowest_score_are_left_out(ranker):
    reranker = gj.Reranker(ranker=ranker)
    every = reranker.rerank("who bought?", SHOP)
    assert reranker.rerank("who bought?", SHOP, min_score=every[1].score) == every[:2]
    assert reranker.rerank("who bought?", SHOP, k=1, min_score=-5.0) == every[:1]
    found = reranker.rerank_batch(["a", "b"], [SHOP, SHOP[1:]], min_score=every[0].score + 1)
    assert found == [[], []]
    left = reranker.rerank("who bought?", SHOP, min_score=every[2].score)[2]
    assert left.explanation == every[2].explanation
    with pytest.raises(InputError, match=r"^min_score: nan must be a finite number"):
        reranker.rerank("who bought?", SHOP, min_score=float("nan"))


MISSPELT = ["foreign_key", "foreignKeys", "Foreign-Keys", "foriegn_keys"]


@pytest.mark.parametrize("key", MISSPELT)
def test_misspelt_foreign_keys_are_told_once_a_call(key):
    shop = [{**candidate, "metadata": {key: ["customers"], "link": "x"}} for candidate in SHOP]
    with pytest.warns(GrapherWarning) as told:
        gj.Reranker().rerank_batch(["a", "b"], [shop, shop])
    told = [str(warning.message) for warning in told]
    counted = "(8 objects, such as 'orders')"
    assert told == [f"metadata: {key!r} is not read; write it as 'foreign_keys' {counted}"]


@pytest.mark.parametrize("key", ["foreign_keys", *MISSPELT])
def test_foreign_keys_beside_metadata_are_told_once_a_call(key):
    shop = [{"id": name, "score": 1.0, key: ["customers"]} for name in ("orders", "customers")]
    with pytest.warns(GrapherWarning) as told:
        gj.Reranker().rerank("a", shop)
    (told,) = [str(warning.message) for warning in told]
    assert told.startswith(f"candidates: {key!r} beside metadata is not read; put it into meta")


def test_an_explanation_sums_to_the_score_and_names_the_relation():
    lifted = gj.Reranker(alpha=0.3).rerank("who bought?", SHOP)[2]
    explanation = lifted.explanation
    assert explanation.score == pytest.approx(lifted.score, abs=1e-6)
    assert sum(source.amount for source in explanation.sources) == pytest.approx(
        lifted.score, abs=1e-6
    )
    best = explanation.sources[0]
    assert (best.id, best.relations) == ("orders", ("foreign_key",))
    assert "from orders (foreign key)" in str(explanation)
    assert explanation.to_dict()["sources"][0]["id"] == "orders"


def test_base_keeps_the_retrievers_order_and_explains_itself():
    ranking = gj.Reranker(ranker="base").rerank("?", SHOP[::-1])
    assert [hit.id for hit in ranking] == ["orders", "stores", "songs", "customers"]
    assert str(ranking[0].explanation) == "orders: 0.9000 = 100% its own"


@pytest.mark.parametrize("ranker", ["base", "gcs", "ppr", "diffusion"])
def test_a_batch_is_its_questions_one_by_one(ranker):
    reranker = gj.Reranker(ranker=ranker)
    lists = [SHOP, SHOP[2:], [], SHOP[:1]]
    batch = reranker.rerank_batch(["a", "b", "c", "d"], lists, k=3)
    for together, candidates in zip(batch, lists, strict=True):
        alone = reranker.rerank("a", candidates, k=3)
        assert [hit.id for hit in together] == [hit.id for hit in alone]
        np.testing.assert_allclose(
            [hit.score for hit in together], [hit.score for hit in alone], atol=1e-6
        )
    assert list(map(len, batch)) == [3, 2, 0, 1]


def test_candidates_of_one_question_are_no_neighbours_of_anothers():
    apart = [[SHOP[0]], [SHOP[3]]]
    (_,), (customers,) = gj.Reranker().rerank_batch(["a", "b"], apart)
    assert customers.score == pytest.approx(0.1)


def test_many_queries_are_one_call_and_a_bucket_compiles_once(compilations):
    rng = np.random.default_rng(0)

    def lists(queries, n):
        return [
            [
                {
                    "id": str(i),
                    "score": float(score),
                    "metadata": {"foreign_keys": [str(rng.integers(n))]},
                }
                for i, score in enumerate(rng.random(n))
            ]
            for _ in range(queries)
        ]

    reranker = gj.Reranker()
    assert len(reranker.rerank_batch(["?"] * 200, lists(200, 12))) == 200
    before = compilations()
    reranker.rerank_batch(["?"] * 199, lists(199, 15), k=15)  # another size, the same buckets
    assert compilations() == before


def test_too_few_steps_warn_with_the_cure():
    with pytest.warns(GrapherWarning, match="1 of 1 queries had not converged .* raise max_steps"):
        gj.Reranker(alpha=0.1, max_steps=1).rerank("?", SHOP)


def test_weights_scale_a_proximity():
    candidates = [
        {"id": "a", "score": 1.0, "metadata": {"foreign_keys": ["b"], "links": ["c"]}},
        {"id": "b", "score": 0.8},
        {"id": "c", "score": 0.1},
    ]
    plain = gj.Reranker(ranker="gcs", alpha=0.5).rerank("?", candidates)
    without = gj.Reranker(ranker="gcs", alpha=0.5, weights={"link": 0.0}).rerank("?", candidates)
    assert plain[2].score > 0.1
    assert without[2].score == pytest.approx(0.1)


def test_a_hit_made_by_hand_has_no_explanation():
    with pytest.raises(InputError, match="nothing to explain"):
        _ = Hit(id="x", score=1.0, rank=1, base_score=1.0, base_rank=1).explanation


def test_base_ranks_of_negative_scores_ignore_shorter_lists():
    lists = [
        [{"id": "x", "score": -1.0}, {"id": "y", "score": -2.0}],
        [{"id": name, "score": 1.0} for name in "abcd"],
    ]
    ranking, _ = gj.Reranker(ranker="base").rerank_batch(["?", "?"], lists)
    assert [(hit.id, hit.rank, hit.base_rank) for hit in ranking] == [("x", 1, 1), ("y", 2, 2)]


@pytest.mark.parametrize("ranker", ["gcs", "ppr", "diffusion"])
def test_a_key_lifts_a_candidate_whatever_the_sign_of_the_scores(ranker):
    candidates = [
        {"id": "a", "score": -2.0, "metadata": {"foreign_keys": ["c"]}},
        {"id": "b", "score": -6.0},
        {"id": "c", "score": -9.0},
    ]
    moved = pytest.warns(GrapherWarning, match="scores: some are negative")
    with moved if ranker != "diffusion" else nullcontext():
        hits = gj.Reranker(ranker=ranker, alpha=0.1).rerank("?", candidates)
    assert [hit.id for hit in hits] == ["a", "c", "b"]
    assert [hit.base_score for hit in hits] == [-2.0, -9.0, -6.0]
    lifted = hits[1].explanation
    assert sum(source.amount for source in lifted.sources) == pytest.approx(hits[1].score, abs=1e-5)


@pytest.mark.parametrize("ranker", ["base", "gcs", "ppr", "diffusion"])
@given(st.lists(st.floats(-(2.0**99), 2.0**99) | st.floats(-2, 2), min_size=1, max_size=6))
def test_candidates_that_nothing_joins_keep_their_order_whatever_their_signs(ranker, scores):
    candidates = [{"id": str(n), "score": score} for n, score in enumerate(scores)]
    with warnings.catch_warnings():
        # Diffusion needs no zero, and moves nothing.
        if ranker in ("gcs", "ppr"):
            warnings.simplefilter("ignore", GrapherWarning)
        hits = gj.Reranker(ranker=ranker).rerank("?", candidates)
    expected = sorted(range(len(scores)), key=lambda place: -scores[place])
    assert [hit.id for hit in hits] == [str(place) for place in expected]


def test_the_retrievers_own_order_keeps_negative_scores():
    hits = gj.Reranker(ranker="base").rerank("?", [{"id": "a", "score": -2.0}])
    assert (hits[0].score, hits[0].base_score) == (-2.0, -2.0)


def test_weights_too_large_to_add_up_are_named():
    reranker = gj.Reranker(weights={"foreign_key": 1e38})
    joined = [{**candidate, "metadata": {"foreign_keys": ["orders"]}} for candidate in SHOP]
    with pytest.raises(InputError, match="weights of proximities are too large"):
        reranker.rerank("?", joined)


def test_nothing_can_be_reranked_by_a_chosen_proximity():
    assert gj.Reranker(proximities=["foreign_key"]).rerank("?", []) == []


@pytest.mark.parametrize("ranker", ["auto", "base", "gcs", "gat"])
def test_a_blank_text_among_others_is_the_least_similar(ranker):
    lists = [
        ["Trees are green.", "", "Ann bought a boat.", {"id": "page", "text": " \n"}],
        ["Bo sold a boat."],
    ]
    with pytest.warns(GrapherWarning, match=r"2 of 4 have no text .* 'documents\[1\]'"):
        found, alone = gj.Reranker(ranker=ranker).rerank_batch(["Who bought a boat?"] * 2, lists)
    assert [hit.id for hit in found] == ["documents[2]", "documents[0]", "documents[1]", "page"]
    assert [hit.id for hit in alone] == ["documents[0]"]
    with pytest.raises(InputError, match=r"'documents\[0\]' has no score, no text"):
        gj.Reranker(ranker=ranker).rerank("Who?", ["", " "])


@pytest.mark.filterwarnings("ignore:g-rag")
@pytest.mark.parametrize("ranker", ["auto", "base", "gcs", "ppr", "diffusion", "gat", "g-rag"])
def test_a_list_may_be_empty_alone_and_beside_others(ranker):
    reranker = gj.Reranker(ranker=ranker)
    assert reranker.rerank("?", []) == []
    shared = {"entities": ["Boston"]}
    documents = [
        {"id": name, "score": 0.5, "text": name, "metadata": shared}
        for name in ("orders", "stores")
    ]
    none, some = reranker.rerank_batch(["?", "orders?"], [[], documents])
    assert (none, {hit.id for hit in some}) == ([], {"orders", "stores"})


@pytest.mark.parametrize(
    ("metadata", "told"), [({"keywords": 5}, "keywords"), ({"amr": 5}, "amr must be a string")]
)
def test_metadata_of_a_question_is_checked(metadata, told):
    with pytest.raises(InputError, match=f"query 'q': .*{told}"):
        gj.Reranker().rerank(gj.Query("q", "orders?", metadata), SHOP)
    assert gj.Reranker().rerank(gj.Query("q", "orders?", {"keywords": None}), SHOP)


def test_no_room_is_made_for_results_that_cannot_be(index, monkeypatch):
    rank, widths = gj.Reranker.rank, []

    def noting(reranker, graph, candidates, *, k):
        widths.append(k)
        return rank(reranker, graph, candidates, k=min(k, 100))

    monkeypatch.setattr(gj.Reranker, "rank", noting)
    assert len(index.search("orders", k=200_000_000)) == len(index.ids)
    candidates = [{"id": name, "score": 1.0} for name in "abcd"]
    assert len(gj.Reranker().rerank("?", candidates, k=200_000_000)) == 4
    # What auto takes is asked too, for as many.
    assert widths == [len(index.ids)] * 2 + [4] * 2
    for ask in (index.search, lambda text, k: gj.Reranker().rerank(text, candidates, k=k)):
        with pytest.raises(InputError, match="k: 0 must be at least 1"):
            ask("orders", k=0)


def test_an_order_is_as_wide_as_asked_for():
    found = candidates_of(np.array([[0, 1]]), np.array([[0.2, 0.1]], np.float32))
    two = MemoryCollection([gj.Object("a", ""), gj.Object("b", "")])
    order = gj.Reranker().rank(two, found, k=100)
    assert order.positions.shape == order.scores.shape == (1, 100)
    assert order.positions[0, :3].tolist() == [0, 1, -1]


@pytest.mark.nightly
def test_spawned_processes_rank_as_their_parent_does():
    reranker = gj.Reranker(ranker="gcs")
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context) as pool:
        ranking = pool.submit(reranker.rerank, "who bought?", SHOP).result()
    assert ranking == reranker.rerank("who bought?", SHOP)


def test_a_guard_of_transfers_is_lifted_outside_jit_alone():
    scores, entities = jax.device_put((np.ones((2, 4), np.float32), np.zeros((2, 4, 1), np.int32)))
    best = jax.jit(lambda *given: kernels.rerank(given[0], entity_ids=given[1], ranker="gcs", k=2))
    reranker = gj.Reranker(ranker="gcs")
    with jax.transfer_guard("disallow"):
        assert best(scores, entities).indices.shape == (2, 2)
        with jax.transfer_guard("allow"):
            assert len(reranker.rerank("who bought?", SHOP)) == 4
        with pytest.raises(jax.errors.JaxRuntimeError, match="Disallowed host-to-device transfer"):
            reranker.rerank("who bought?", SHOP)


def test_a_pair_from_json_is_a_list():
    pairs = [("a car", 0.2), ("a ship", 0.9)]
    found = gj.Reranker().rerank("What?", [*map(list, pairs)])
    assert [(hit.text, hit.score) for hit in found] == [
        (hit.text, hit.score) for hit in gj.Reranker().rerank("What?", pairs)
    ]
