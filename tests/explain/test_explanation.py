import numpy as np
import pytest

from grapher_jax import Reranker
from grapher_jax.graph import GraphArrays
from grapher_jax.rankers.explanation import explain, relations
from grapher_jax.rankers.joins import Joins

IDS = ["a", "b", "c", "d"]
METADATA = [
    {"foreign_keys": ["b"], "entities": ["X", "Y"]},
    {"entities": ["y"]},
    {"foreign_keys": ["b"]},
    {},
]
ROWS, SCORES = np.array([0, 1, 2, 3]), np.array([0.9, 0.1, 0.2, 0.4], np.float32)
GRAPH = GraphArrays.build(IDS, METADATA)


def explain_one(position, ranker="gcs", alpha=0.3, **options):
    positions = np.array([position])
    (explanation,) = explain(
        GRAPH, ROWS, SCORES, positions, ids=IDS, ranker=ranker, alpha=alpha, **options
    )
    return explanation


def test_each_relation_has_its_adjacency():
    found = relations(GRAPH, ROWS, ["foreign_key", "shared_entity"])
    assert found["foreign_key"][0].tolist() == [0, 1, 0, 0]
    assert found["shared_entity"][1].tolist() == [0.5, 0, 0, 0]


@pytest.mark.parametrize("ranker", ["gcs", "ppr"])
def test_sources_name_every_relation_and_sum_to_the_score(ranker):
    explanation = explain_one(1, ranker=ranker, proximities=GRAPH.proximities())
    by_id = {source.id: source for source in explanation.sources}
    assert by_id["a"].relations == ("foreign_key", "shared_entity")
    assert by_id["c"].relations == ("foreign_key",)
    assert sum(source.share for source in explanation.sources) == pytest.approx(1.0)
    assert sum(source.amount for source in explanation.sources) == pytest.approx(explanation.score)
    assert "from a (foreign key and shared entity)" in str(explanation)


def test_the_way_may_be_longer_than_one_step():
    explanation = explain_one(2, proximities=["foreign_key"])
    by_id = {source.id: source for source in explanation.sources}
    assert by_id["a"].relations == ()
    assert "from a (further off)" in str(explanation)


def test_shares_follow_the_weights():
    explanation = explain_one(1, proximities=["foreign_key"], weights={"foreign_key": 0.0})
    assert [source.id for source in explanation.sources] == ["b"]


def test_a_relation_without_weight_is_not_named():
    weights = {"shared_entity": 0.0}
    explanation = explain_one(1, proximities=GRAPH.proximities(), weights=weights)
    assert {name for source in explanation.sources for name in source.relations} == {"foreign_key"}


def test_the_rankers_own_stopping_rule_is_explained():
    options = {"proximities": ["foreign_key"], "alpha": 0.05}
    loose = explain_one(1, tol=0.1, max_steps=2, **options)
    strict = explain_one(1, **options)
    assert sum(source.amount for source in loose.sources) == pytest.approx(loose.score)
    assert loose.score != pytest.approx(strict.score, abs=1e-3)


def test_missing_candidates_have_no_part():
    rows = np.array([0, 1, -1])
    scores = np.array([0.9, 0.1, 0.0], np.float32)
    (explanation,) = explain(
        GRAPH, rows, scores, np.array([1]), ids=IDS, ranker="gcs", proximities=["foreign_key"]
    )
    assert {source.id for source in explanation.sources} == {"a", "b"}


def candidate(name, score, **metadata):
    return {"id": name, "score": score, "metadata": metadata}


def sources_of(candidates, result, **options):
    """By their ids, the sources of one result of PPR, which leaves nobody out."""
    hits = Reranker(**({"ranker": "ppr", "alpha": 0.3} | options)).rerank("q", candidates)
    explanation = next(hit.explanation for hit in hits if hit.id == result)
    assert sum(source.amount for source in explanation.sources) == pytest.approx(explanation.score)
    return {source.id: source for source in explanation.sources}


def texts(source):
    return [join.text for join in source.joins]


def test_a_foreign_key_is_named_with_its_direction():
    candidates = [
        candidate("orders", 0.9, foreign_keys=["customers"], links=["stores"]),
        candidate("customers", 0.1),
        candidate("stores", 0.2, links=["orders"]),
    ]
    near = sources_of(candidates, "orders")
    assert texts(near["customers"]) == ["orders references customers"]
    assert near["customers"].joins[0].names == ("orders", "customers")
    assert texts(sources_of(candidates, "customers")["orders"]) == ["orders references customers"]
    assert texts(near["stores"]) == ["orders links to stores", "stores links to orders"]
    assert near["orders"].joins == ()


def test_shared_entities_are_named_the_rarest_first():
    both = ["Hudson", "Boston", "River", "Bridge", "Mayor"]
    candidates = [
        candidate("a", 0.9, entities=both),
        candidate("b", 0.1, entities=[*both, "Toll"]),
        candidate("c", 0.2, entities=["boston "]),
    ]
    (join,) = sources_of(candidates, "b")["a"].joins
    assert join.names == ("bridge", "hudson", "mayor", "river", "boston")
    assert join.text == "both have bridge, hudson, mayor and 2 more"
    assert texts(sources_of(candidates, "c")["a"]) == ["both have boston"]
    (join,) = sources_of(candidates, "b", max_df=2)["a"].joins
    assert "boston" not in join.names


def test_chunks_are_named_with_their_document():
    candidates = [
        candidate(f"minutes#{n}", 1 - n / 10, document_id="minutes", chunk_id=n) for n in range(3)
    ]
    near = sources_of(candidates, "minutes#1")
    assert texts(near["minutes#0"]) == ["minutes#1 follows minutes#0"]
    assert texts(near["minutes#2"]) == ["minutes#2 follows minutes#1"]
    assert near["minutes#0"].joins[0].names == ("minutes",)


def test_a_longer_way_is_named_step_by_step():
    candidates = [
        candidate("lines", 0.9, entities=["Rent"]),
        candidate("entries", 0.1, foreign_keys=["lines"]),
        candidate("accounts", 0.2, foreign_keys=["entries"]),
        candidate("songs", 0.3, entities=["rent"]),
    ]
    far = sources_of(candidates, "accounts")["songs"]
    assert (far.relations, far.via) == ((), ("entries", "lines"))
    assert texts(far) == [
        "accounts references entries",
        "entries references lines",
        "both have rent",
    ]


def test_what_no_way_leads_to_has_no_part():
    candidates = [
        candidate("alone", 0.9),
        candidate("orders", 0.2, foreign_keys=["customers"]),
        candidate("customers", 0.1),
    ]
    assert sources_of(candidates, "alone").keys() == {"alone"}
    assert sources_of(candidates, "orders").keys() == {"orders", "customers"}


def test_a_relation_without_weight_is_no_step():
    candidates = [
        candidate("a", 0.9, foreign_keys=["b"], entities=["x"]),
        candidate("b", 0.1, entities=["x"], foreign_keys=["c"]),
        candidate("c", 0.1),
    ]
    far = sources_of(candidates, "c", weights={"shared_entity": 0.0})["a"]
    assert texts(far) == ["b references c", "a references b"]


def test_an_explanation_says_it_in_a_sentence():
    candidates = [
        candidate("entries", 0.9, foreign_keys=["lines"]),
        candidate("lines", 0.0, foreign_keys=["accounts"]),
        candidate("accounts", 0.0),
    ]
    hits = Reranker(ranker="gcs", alpha=0.3).rerank("q", candidates)
    by_id = {hit.id: str(hit.explanation) for hit in hits}
    assert by_id["lines"].endswith("= 100% from entries (foreign key): entries references lines")
    assert by_id["accounts"].endswith(
        "= 100% from entries (further off): lines references accounts and entries references lines"
    )


def test_a_sentence_says_each_step_of_a_long_way_once():
    candidates = [candidate(f"m#{n}", 1 - n / 10, document_id="m", chunk_id=n) for n in range(4)]
    ppr = Reranker(ranker="ppr", alpha=0.3, proximities=["chunk"])
    first = next(hit for hit in ppr.rerank("q", candidates) if hit.id == "m#0")
    told = str(first.explanation)
    assert "from m#1 (chunk): m#1 follows m#0" in told
    assert "from m#2 (further off): m#2 follows m#1" in told
    assert "from m#3 (further off): m#3 follows m#2" in told
    assert told.count("follows") == 3
    assert len(next(one for one in first.explanation.sources if one.id == "m#3").joins) == 3


def test_an_explanation_as_json_keeps_its_keys_and_names_joins():
    hits = Reranker(ranker="gcs", alpha=0.3).rerank(
        "q", [candidate("a", 0.9, foreign_keys=["b"]), candidate("b", 0.0)]
    )
    explanation = hits[1].explanation.to_dict()
    assert explanation.keys() == {"id", "score", "ranker", "sources", "learned"}
    assert explanation["sources"][0] == {
        "id": "a",
        "amount": pytest.approx(hits[1].score),
        "share": 1.0,
        "relations": ("foreign_key",),
        "via": (),
        "joins": ({"relation": "foreign_key", "names": ("a", "b"), "text": "a references b"},),
    }


def chain(length):
    return [
        candidate(f"minutes#{n}", 1.0, document_id="minutes", chunk_id=n) for n in range(length)
    ]


def test_ways_have_few_steps():
    near = sources_of(chain(9), "minutes#0")
    assert near["minutes#4"].via == ("minutes#1", "minutes#2", "minutes#3")
    assert len(near["minutes#4"].joins) == 4
    assert {near[f"minutes#{n}"].via for n in range(5, 9)} == {()}
    assert {near[f"minutes#{n}"].joins for n in range(5, 9)} == {()}


def test_main_sources_are_told_and_the_others_counted():
    crowd = [candidate(str(n), 1.0, entities=["x"]) for n in range(60)]
    ppr = Reranker(ranker="ppr", alpha=0.3, max_df=None)
    explanation = ppr.rerank("q", crowd)[0].explanation
    assert (len(explanation.sources), explanation.left_out) == (60, 0)
    # Nobody is asked what joins the others.
    assert sum(bool(source.joins) for source in explanation.sources) < 20
    told = explanation.shortened()
    assert (told.sources, told.left_out) == (explanation.sources[:20], 40)
    assert told.to_dict()["left_out"] == 40
    near = ppr.rerank("q", chain(60))[0].explanation.shortened()
    assert 5 <= len(near.sources) < 20
    assert all(source.share >= 0.005 for source in near.sources)


def test_a_join_holds_few_names_and_short_ones():
    both = ["x" * 1000, *(f"name {n:02}" for n in range(30))]
    candidates = [candidate(name, 0.5, entities=both) for name in "ab"]
    (join,) = sources_of(candidates, "b")["a"].joins
    assert (join.names[0], len(join.names), join.more) == ("name 00", 16, 15)
    assert join.text == "both have name 00, name 01, name 02 and 28 more"
    assert join.to_dict()["more"] == 15
    (join,) = sources_of([candidate(name, 0.5, entities=both[:1]) for name in "ab"], "b")["a"].joins
    assert join.names == ("x" * 100 + "…",)
    assert len(join.text) < 120


def test_chunks_without_a_number_do_not_follow_each_other():
    metadata = [{"document_id": "d"}, {"document_id": "d", "chunk_id": 0}, {"chunk_id": 1}]
    graph = GraphArrays.build(["a", "b", "c"], metadata)
    joins = Joins(graph, ["a", "b", "c"], None, metadata.__getitem__)
    pairs = [(0, 1), (1, 2), (0, 2)]
    assert [joins.between(*pair, ["chunk"]) for pair in pairs] == [(), (), ()]
