import numpy as np
import pytest

import grapher_jax as gj
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.graph import GraphArrays
from grapher_jax.rerank import Hit
from grapher_jax.retrieve import Candidates

SHOP = [
    {"id": "orders", "score": 0.9, "metadata": {"foreign_keys": ["customers", "stores"]}},
    {"id": "stores", "score": 0.8, "text": "stores: city"},
    {"id": "songs", "score": 0.3},
    {"id": "customers", "score": 0.1},
]


def test_the_graph_lifts_what_the_best_candidate_references():
    ranking = gj.Reranker(ranker="gcs", alpha=0.3).rerank("who bought?", SHOP)
    assert [hit.id for hit in ranking] == ["orders", "stores", "customers", "songs"]
    lifted = ranking[2]
    assert (lifted.rank, lifted.base_rank, lifted.base_score) == (3, 4, pytest.approx(0.1))
    assert ranking[1].text == "stores: city"


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


@pytest.mark.parametrize("ranker", ["base", "gcs", "ppr"])
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


def test_a_thousand_queries_are_one_call_and_a_bucket_compiles_once(compilations):
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
    assert len(reranker.rerank_batch(["?"] * 1000, lists(1000, 12))) == 1000
    before = compilations()
    reranker.rerank_batch(["?"] * 999, lists(999, 15), k=15)  # another size, the same buckets
    assert compilations() == before


@pytest.mark.parametrize(
    ("candidate", "complaint"),
    [
        ({"score": 1.0}, "candidate 2 of question 1: id must be a string"),
        (
            {"id": "orders", "score": 1.0},
            "candidate 2 of question 1: id 'orders' stands in the list",
        ),
        ({"id": "x"}, "candidate 2 of question 1: score must be a finite number, not None"),
        ({"id": "x", "score": float("nan")}, "score must be a finite number, not nan"),
        ({"id": "x", "score": "0.5"}, "score must be a finite number, not '0.5'"),
        ({"id": "x", "score": 1.0, "metadata": {"links": 3}}, "candidate 'x': metadata.links must"),
    ],
)
def test_a_bad_candidate_is_named(candidate, complaint):
    with pytest.raises(InputError, match=complaint):
        gj.Reranker().rerank("?", [SHOP[0], candidate])


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"ranker": "bm25"}, "ranker: 'bm25' is unknown; use base, gcs, ppr"),
        ({"alpha": 0.0}, r"alpha: 0.0 is outside \(0, 1\]"),
        ({"alpha": 1.5}, r"alpha: 1.5 is outside \(0, 1\]"),
        ({"alpha": float("nan")}, r"alpha: nan is outside"),
        ({"tol": 0.0}, "tol: 0.0 must be above 0"),
        ({"max_steps": 0}, "max_steps: 0 must be at least 1"),
        ({"weights": {"friends": 1.0}}, "weights: friends=1.0 cannot be used"),
        ({"proximities": "chunk"}, r"proximities: give a list, such as \['chunk'\]"),
        ({"weights": {"chunk": -1.0}}, "weights: chunk=-1.0 cannot be used"),
    ],
)
def test_a_bad_parameter_is_named(options, complaint):
    with pytest.raises(InputError, match=complaint):
        gj.Reranker(**options)


def test_k_must_be_positive():
    with pytest.raises(InputError, match="k: 0 must be at least 1"):
        gj.Reranker().rerank("?", SHOP, k=0)


def test_every_question_needs_its_list():
    with pytest.raises(InputError, match="1 lists for 2 questions"):
        gj.Reranker().rerank_batch(["a", "b"], [SHOP])


def test_an_unknown_proximity_is_named():
    with pytest.raises(InputError, match="proximity: 'fk' is unknown"):
        gj.Reranker(proximities=["fk"]).rerank("?", SHOP)


def test_too_few_steps_warn_with_the_cure():
    with pytest.warns(GrapherWarning, match="1 of 1 queries had not converged .* raise max_steps"):
        gj.Reranker(alpha=0.1, max_steps=1).rerank("?", SHOP)


def test_weights_scale_a_proximity():
    candidates = [
        {"id": "a", "score": 1.0, "metadata": {"foreign_keys": ["b"], "links": ["c"]}},
        {"id": "b", "score": 0.8},
        {"id": "c", "score": 0.1},
    ]
    plain = gj.Reranker(alpha=0.5).rerank("?", candidates)
    without = gj.Reranker(alpha=0.5, weights={"link": 0.0}).rerank("?", candidates)
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


def test_nothing_can_be_reranked_by_a_chosen_proximity():
    assert gj.Reranker(proximities=["foreign_key"]).rerank("?", []) == []


def test_an_order_is_as_wide_as_asked_for():
    graph = GraphArrays.build(["a", "b"], [{}, {}])
    candidates = Candidates(np.array([[0, 1]]), np.array([[0.2, 0.1]], np.float32))
    order = gj.Reranker().rank(graph, candidates, k=100)
    assert order.positions.shape == order.scores.shape == (1, 100)
    assert order.positions[0, :3].tolist() == [0, 1, -1]
