from importlib import import_module

import numpy as np
import pytest

from grapher_jax.corpus import Object
from grapher_jax.errors import InputError
from grapher_jax.rankers import choices
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index
from grapher_jax.systems import SYSTEMS, Retrieval, System, choose_system, load_system

QUESTIONS = ["Which orders were placed in stores of Boston?", "How many animals are there?"]
DENSE = System(
    name="dense",
    retrieval=Retrieval(candidates=3, lexical_weight=0.0),
    reranker=Reranker(ranker="base"),
)


def test_every_system_is_loaded_by_its_name():
    for name in SYSTEMS:
        assert load_system(name).name == name


@pytest.mark.parametrize("name", ["g_rag", "grapher", "keyword_graph", "llm", "query_gnn"])
def test_a_system_tells_in_a_table_where_each_section_of_its_paper_is(name):
    told = import_module(f"grapher_jax.systems.{name}").__doc__
    rows = [line for line in told.splitlines() if "|" in line]
    assert rows[:2] == ["| paper | here |", "|---|---|"]
    assert all(row.count("|") == 3 for row in rows)


def test_an_unknown_system_is_named_with_those_that_are_there(index):
    for call in (load_system, lambda name: index.search("orders", system=name)):
        with pytest.raises(InputError, match="system: 'rag' is unknown; use grapher"):
            call("rag")


def test_a_system_searches_as_its_parts_do(index):
    found = DENSE.retrieve(index, QUESTIONS)
    order = DENSE.rank(index, found, k=3)
    cosines = index.embedder.embed_queries(QUESTIONS) @ index.embeddings.T
    best = np.argsort(-cosines, axis=1)[:, :3]
    np.testing.assert_array_equal(np.take_along_axis(found.rows, order.positions, axis=1), best)
    np.testing.assert_allclose(
        order.scores, np.take_along_axis(cosines, best, axis=1), rtol=1e-5, atol=1e-6
    )
    rankings = index.search_batch(QUESTIONS, system=DENSE)
    assert [[index.rows[hit.id] for hit in hits] for hits in rankings] == best.tolist()


def test_a_system_ranks_by_what_auto_takes_and_keeps_a_name_of_its_own(index):
    assert System.from_reranker(Reranker()).over(index).name == "gat"
    own = System(name="few", retrieval=Retrieval(candidates=2), reranker=Reranker()).over(index)
    assert (own.name, own.reranker.ranker) == ("few", "gat")
    assert own.over(index) is own


def test_a_filter_restricts_a_system(index):
    wanted = {"foreign_keys": ["zoo.cages"]}
    hits = index.search("orders", system=DENSE, filter=wanted)
    assert [hit.id for hit in hits] == ["zoo.animals"]


@pytest.mark.parametrize(
    "given",
    [
        {"ranker": "gcs"},
        {"alpha": 0.3},
        {"expand": True},
        {"expand": []},
        {"candidates": 200},
        {"cross_encoder": "a-model"},
    ],
)
def test_what_a_system_decides_cannot_be_given_with_it(given):
    with pytest.raises(InputError, match=f"{next(iter(given))}: the system 'dense' decides it"):
        choose_system(DENSE, **given)


def test_scores_are_linear_in_the_weight_of_bm25(index):
    def scores(weight):
        found = Retrieval(candidates=6, lexical_weight=weight)(index, QUESTIONS)
        return np.take_along_axis(found.scores, np.argsort(found.rows, axis=1), axis=1)

    for weight in (0.3, 0.5):
        mixed = weight * scores(1.0) + (1 - weight) * scores(0.0)
        np.testing.assert_allclose(scores(weight), mixed, atol=1e-6)


@pytest.mark.parametrize(
    "weight, complaint",
    [
        (-0.1, r"-0.1 is outside \[0, 1\]"),
        (1.5, r"1.5 is outside \[0, 1\]"),
        (float("nan"), "nan must be a finite number"),
    ],
)
def test_a_weight_outside_its_range_is_refused(index, weight, complaint):
    with pytest.raises(InputError, match=f"lexical_weight: {complaint}"):
        Retrieval(lexical_weight=weight)(index, QUESTIONS)


def test_a_system_lets_objects_join_where_it_says_so(index):
    for expand, expected in ((False, ["shop.stores"]), (True, ["shop.stores", "shop.orders"])):
        found = Retrieval(candidates=1, expand=expand)(index, QUESTIONS[:1])
        assert [index.ids[row] for row in found.rows[0]] == expected


def test_auto_takes_no_network_where_it_would_read_too_many_candidates(index, monkeypatch):
    monkeypatch.setattr(choices, "MOST_CANDIDATES", 5)
    # All six objects may join.
    for expand, taken in ((False, "gat"), (None, "diffusion"), (True, "diffusion")):
        system = System.from_reranker(Reranker(), candidates=1, expand=expand)
        assert system.choice(index).ranker == system.over(index).name == taken


def test_search_looks_at_what_a_key_leads_to(index):
    for given, read in (({}, ["shop.orders"]), ({"expand": False}, [])):
        (best,) = index.search(QUESTIONS[0], k=1, candidates=1, **given)
        assert [source.id for source in best.explanation.sources] == read


@pytest.mark.parametrize(
    ("ranker", "given", "expands"),
    [
        ({}, {"candidates": 1}, True),
        ({}, {"candidates": 1, "expand": False}, False),
        ({}, {"candidates": 1, "expand": ["chunk"]}, ["chunk"]),
        # All six objects are candidates.
        ({}, {}, False),
        ({"alpha": 0.3}, {"candidates": 1}, True),
        # What is named was not left to `auto`.
        ({"ranker": "gat"}, {"candidates": 1}, False),
        ({"ranker": "gat"}, {"candidates": 1, "expand": True}, True),
    ],
)
def test_objects_join_by_default_where_what_auto_takes_gains_by_them(index, ranker, given, expands):
    system = System.from_reranker(Reranker(**ranker), **given)
    assert system.over(index).retrieval.expands == expands
    assert system.over(index).parameters(index)["expand"] == expands
    joined = len(system.retrieve(index, QUESTIONS[:1]).rows[0])
    assert joined == (2 if expands is True else given.get("candidates", 6))


@pytest.mark.parametrize(
    ("options", "expands"),
    [
        ({}, False),
        ({"weights": {"chunk": 0.0}}, True),
        ({"proximities": ["shared_entity"]}, True),
        ({"proximities": ["chunk"]}, False),
    ],
)
def test_nothing_is_added_by_default_where_chunks_join(index, options, expands):
    metadata = {"document_id": "d", "entities": ["Ada"]}
    objects = [Object(f"d#{n}", f"part {n}", "", metadata | {"chunk_id": n}) for n in range(3)]
    system = System.from_reranker(Reranker(**options), candidates=1)
    found = system.over(Index.build(objects, embedder=index.embedder))
    assert (found.reranker.ranker, found.retrieval.expands) == ("diffusion", expands)
