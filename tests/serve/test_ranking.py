from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
from engines import candidates, engine
from in_process import BASE
from pydantic_core import to_json
from small_embedder import SmallEmbedder

import grapher_jax as gj
from grapher_jax.corpus import Object, searchable_texts
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.graph import PROXIMITIES, GraphArrays
from grapher_jax.rankers.fixed_point import FixedPoint, PreparedFixedPoint
from grapher_jax.retrieve import HybridRetriever, LexicalIndex
from grapher_jax.retrieve.embedders.offline import OfflineEmbedder
from grapher_jax.search import Index
from grapher_jax.serve import ranking
from grapher_jax.serve.jobs import RerankJob, SearchJob
from grapher_jax.serve.ranking import Engine
from grapher_jax.serve.shapes import Shape
from grapher_jax.serve.warming import all_steps, common_steps
from grapher_jax.systems.keyword_graph.ranker import KeywordRanker


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        ("tables", {}),
        ("tables", {"ranker": "gcs"}),
        pytest.param("tables", {"ranker": "ppr", "alpha": 0.5}, marks=pytest.mark.nightly),
        ("tables", {"ranker": "base"}),
        pytest.param("links", {}, marks=pytest.mark.nightly),
        ("entities", {"max_df": None}),
        ("chunks", {}),
        ("nothing", {}),
    ],
)
def test_results_are_those_of_a_reranker(shop, kind, parameters):
    rng = np.random.default_rng(0)
    lists = [candidates(rng, n, kind) for n in (20, 1, 30, 7, 9)]
    jobs = [RerankJob("?", documents, len(documents), False) for documents in lists]
    together = engine(shop, **parameters).rerank(jobs)
    # Of auto, a service takes what suits its index: here, keys.
    reranker = gj.Reranker(**{"ranker": "diffusion"} | parameters)
    rankings = reranker.rerank_batch(["?"] * len(lists), lists)
    for documents, results, hits in zip(lists, together, rankings, strict=True):
        assert [documents[r["index"]]["id"] for r in results] == [hit.id for hit in hits]
        np.testing.assert_allclose(
            [r["relevance_score"] for r in results], [hit.score for hit in hits], atol=1e-6
        )


def test_auto_is_what_suits_the_index(shop):
    objects = [Object(f"d#{n}", "item", "", {"document_id": "d", "chunk_id": n}) for n in (0, 1)]
    chunks = Index.build(objects, embedder=shop.embedder)
    for index, options, documents, search in (
        (shop, {}, "diffusion", "gat"),
        (shop, {"ranker": "gat"}, "gat", "gat"),
        (chunks, {}, "diffusion", "diffusion"),
        (shop, {"ranker": "ppr"}, "ppr", "ppr"),
    ):
        serves = engine(index, **options)
        assert serves.reranker == gj.Reranker(ranker=documents)
        grows = True if search == "gat" and not options else None
        covers = True if index is chunks else None
        taken = gj.Reranker(ranker=search, along_keys=grows, cover_words=covers)
        assert serves.system.reranker == taken


def test_words_are_counted_for_objects_of_the_index_alone(embedder):
    objects = [
        Object(name, f"{name} harbour", metadata={"entities": ["x"]}) for name in ("red", "blue")
    ]
    index = Index.build(objects, embedder=embedder)
    served = engine(index)
    job = SearchJob("blue or red harbour", 2, None, False)
    (found,) = served.search([job])
    assert [hit["score"] for hit in found] == [hit.score for hit in index.search(job.query)]
    assert index.search(job.query) != index.search(job.query, ranker="diffusion")
    lists = RerankJob("?", candidates(np.random.default_rng(0), 3, "entities"), 3, False)
    assert len(served.rerank([lists])[0]) == 3


@pytest.mark.nightly
@pytest.mark.parametrize("ranker", ["gcs", "ppr", "diffusion"])
def test_the_widest_scores_stay_numbers(shop, ranker):
    scores = [1e15, -1e15, 1e-40, 0.0, 1e15]
    documents = [
        {"id": str(i), "score": score, "metadata": {"foreign_keys": ["0", "1"]}}
        for i, score in enumerate(scores)
    ]
    moved = pytest.warns(GrapherWarning, match="scores: some are negative")
    with moved if ranker != "diffusion" else nullcontext():
        (results,) = engine(shop, ranker=ranker).rerank([RerankJob("?", documents, 5, False)])
    assert np.isfinite([result["relevance_score"] for result in results]).all()
    assert sorted(result["index"] for result in results) == [0, 1, 2, 3, 4]


def test_a_job_has_as_many_results_as_it_asks_for(shop, scored):
    jobs = [RerankJob("?", scored, 3, False), RerankJob("?", scored[:2], 1, False)]
    first, second = engine(shop, alpha=0.3).rerank(jobs)
    assert [result["index"] for result in first] == [0, 1, 3]
    assert [result["index"] for result in second] == [0]


def test_an_explanation_is_that_of_a_reranker(shop, scored):
    jobs = [RerankJob("?", scored[:2], 2, False), RerankJob("?", scored, 3, True)]
    plain, explained = engine(shop, alpha=0.3).rerank(jobs)
    assert "explanation" not in plain[0]
    lifted = explained[2]["explanation"]
    assert lifted["id"] == "customers"
    assert lifted["sources"][0]["id"] == "orders"
    assert sum(source["amount"] for source in lifted["sources"]) == pytest.approx(
        explained[2]["relevance_score"], abs=1e-6
    )


@pytest.mark.nightly
def test_explanations_of_a_long_document_are_short(shop, monkeypatch):
    minutes = [
        Object(f"minutes#{n}", f"item {n}", "", {"document_id": "minutes", "chunk_id": n})
        for n in range(200)
    ]
    index = Index.build(minutes, embedder=shop.embedder)
    (plain,) = engine(index).search([SearchJob("item", 200, None, False)])
    (found,) = engine(index).search([SearchJob("item", 200, None, True)])
    assert [hit["id"] for hit in found] == [hit["id"] for hit in plain]
    assert len(to_json(found)) < 2_000_000
    whole = [hit["explanation"] for hit in found]
    assert all(1 <= len(one["sources"]) <= 20 for one in whole)
    # A solver hears of as many steps along the document as it takes itself: ten or so, and not 200.
    assert all(5 < one["left_out"] < 50 for one in whole if len(one["sources"]) > 1)

    monkeypatch.setattr(ranking, "MOST_EXPLAINED_BYTES", len(to_json(whole[0])))
    (cut,) = engine(index).search([SearchJob("item", 200, None, True)])
    first, *others = (hit["explanation"] for hit in cut)
    assert first == whole[0]
    assert {one["sources"] for one in others} == {()}
    assert [one["left_out"] for one in others] == [
        len(one["sources"]) + one.get("left_out", 0) for one in whole[1:]
    ]


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        ([{}] * 3, Shape(32, 7, 8, tables=True)),
        ([{"metadata": {"foreign_keys": ["a"] * 8}}] * 33, Shape(200, 7, 8, tables=True)),
        ([{"metadata": {"foreign_keys": ["a"] * 9}}], Shape(32, 7, 16, tables=False)),
        ([{"metadata": {"links": ["a"]}}], Shape(32, 7, 16, tables=False)),
        ([{"metadata": {"document_id": ""}}], Shape(32, 7, 16, tables=False)),
        ([{"metadata": {"entities": ["a"] * 65}}] * 900, Shape(1024, 1, 256, tables=False)),
        ([{"metadata": None}] * 1025, Shape(2048, 1, 8, tables=True)),
    ],
)
def test_few_shapes_hold_all_requests(documents, expected):
    assert Shape.fitting(documents) == expected


class Renamed(OfflineEmbedder):
    name = "another"


def test_what_fills_a_program_joins_by_every_proximity():
    filler = Shape(32, 7, 16, tables=False).filler()
    graph = GraphArrays.build(*zip(*((one["id"], one["metadata"]) for one in filler), strict=True))
    # Otherwise a request that needs one more would compile another program.
    assert graph.proximities() == [*PROXIMITIES]


def test_a_network_of_another_embedder_is_refused(shop):
    engine(shop, ranker="g-rag")
    with pytest.raises(InputError, match=r"'g-rag' was trained on .* of 'offline', the index has"):
        engine(replace(shop, embedder=Renamed()), ranker="g-rag")
    engine(replace(shop, embedder=Renamed()))


@pytest.mark.nightly
def test_gat_reads_documents_by_the_embedder_of_the_index(shop):
    index = Index.build(list(shop.objects), embedder=SmallEmbedder())
    known = [{"id": item.id, "score": 1.0 / (1 + n)} for n, item in enumerate(index.objects)]
    texts = [{"text": "orders: id"}, {"text": "stores: city"}, {"text": ""}]
    lists = [known, [{"id": str(n), "score": 0.5 / (1 + n)} | own for n, own in enumerate(texts)]]
    made = engine(index, ranker="gat")
    jobs = [
        RerankJob("orders of a city", one, len(one), False) for one in made.known.look_up(lists)
    ]
    together = made.rerank(jobs)
    for job, results in zip(jobs, together, strict=True):
        (alone,) = made.rerank([job])
        assert [one["index"] for one in results] == [one["index"] for one in alone]
    hits = index.search("orders of a city", ranker="gat")
    assert sorted(hit.id for hit in hits) == sorted(index.ids)


def test_what_a_ranker_leaves_out_is_no_result(shop):
    class Prepared(PreparedFixedPoint):
        def rank(self, candidates, k):
            top = super().rank(candidates, k)
            kept = np.asarray(top.scores) > 0.5
            scores = np.where(kept, top.scores, -np.inf)
            return replace(top, indices=np.where(kept, top.indices, -1), scores=scores)

    class Few(FixedPoint):
        def prepare(self, collection, proximities):
            return Prepared(self, collection, proximities)

    made = engine(shop, ranker=Few(**BASE))
    given = [{"id": str(n), "text": "a dog", "score": score} for n, score in enumerate((0.2, 0.9))]
    (results,) = made.rerank([RerankJob("dogs", given, 2, True)])
    assert [one["index"] for one in results] == [1]


def test_a_ranker_that_needs_more_than_candidates_is_refused(shop):
    with pytest.raises(InputError, match="'keyword-graph' reads the documents around candidates"):
        engine(shop, ranker=KeywordRanker())


def test_similarities_are_the_retrievers_with_the_documents_as_its_corpus(shop, embedder):
    texts = ["dogs and cats", "a city and its store", "a store", "nothing of it"]
    documents = [{"id": str(i), "text": text} for i, text in enumerate(texts)]
    made = engine(shop)
    jobs = [("which store in the city", documents), ("dogs", documents[:2])]
    scores = made.similarities(jobs)
    for (question, asked), found in zip(jobs, scores, strict=True):
        words = [document["text"] for document in asked]
        retriever = HybridRetriever(
            embedder, embedder.embed_objects(words), LexicalIndex.build(words)
        )
        expected = retriever.retrieve([question])
        order = np.argsort(expected.rows[0])
        np.testing.assert_allclose(found, expected.scores[0][order], atol=1e-5)
    # An object of the index brings its embedding.
    ((known,),) = made.known.look_up([[{"id": "orders"}]])
    text = {"id": "x", "text": searchable_texts(shop.objects, shop.text)[0]}
    np.testing.assert_allclose(
        made.similarities([("orders", [known])]), made.similarities([("orders", [text])]), atol=1e-5
    )


@pytest.mark.parametrize(
    ("document", "message"),
    [({}, "give it one of them"), ({"embedding": [1.0]}, "embedding must be 384 finite numbers")],
)
def test_a_document_that_cannot_be_compared_is_named(shop, document, message):
    with pytest.raises(InputError, match=message):
        engine(shop).similarities([("?", [{"id": "x"} | document])])


def test_a_search_is_that_of_the_index(shop):
    jobs = [
        SearchJob("orders of customers", 3, None, False),
        SearchJob("animals", 2, {"db": "shop"}, True),
    ]
    first, second = engine(shop).search(jobs)
    hits = shop.search("orders of customers", k=3)
    assert [hit["id"] for hit in first] == [hit.id for hit in hits]
    np.testing.assert_allclose(
        [hit["score"] for hit in first], [hit.score for hit in hits], atol=1e-5
    )
    assert first[0]["metadata"] == dict(hits[0].metadata)
    assert [hit["explanation"]["id"] for hit in second] == [hit["id"] for hit in second]


def test_what_fills_a_batch_is_not_embedded(shop, monkeypatch):
    embed, embedded = shop.embedder.embed_queries, []

    def embed_and_tell(self, texts, **options):
        embedded.extend(texts)
        return embed(texts, **options)

    monkeypatch.setattr(type(shop.embedder), "embed_queries", embed_and_tell)
    engine(shop).search([SearchJob(query, 1, None, False) for query in ("orders", "animals")])
    assert embedded == ["orders", "animals"]


@pytest.mark.nightly
def test_no_request_compiles_after_the_warm_up(shop, compilations):
    made = engine(shop)
    for step in all_steps(made):
        step()
    before = compilations()
    rng = np.random.default_rng(1)
    # Every size with every kind, now one request and now several.
    for n in (1, 33, 201):
        for number, kind in enumerate(("tables", "links", "entities", "chunks", "nothing"), n):
            documents = candidates(rng, n, kind)
            job = RerankJob("?", documents, 10, False)
            made.rerank([job] * min(1 + number % 2 * 6, made.company(job)[1]))
    made.similarities([("which", [{"id": str(i), "text": "a b c " * i} for i in range(1, 40)])])
    made.search([SearchJob("Which orders came from Boston?", 10, None, False)] * 3)
    for top_n in (1, 5, 17, 200):
        for wanted in (None, {"db": "shop"}, {"foreign_keys": ["cages"]}):
            made.search([SearchJob("animals", top_n, wanted, False)])
    assert compilations() == before


def test_the_commonest_requests_compile_nothing_after_the_first_steps(shop, compilations):
    made = engine(shop)
    for step in common_steps(made):
        step()
    before = compilations()
    made.search([SearchJob("Which orders came from Boston?", 10, None, False)])
    for n in (1, 32, 33, 200):
        job = RerankJob("?", candidates(np.random.default_rng(1), n, "tables"), 10, False)
        assert made.is_compiled(job)
        made.rerank([job])
    assert compilations() == before


FORMS = {"reference": ["1"], "shared": ["x"], "weighted": {"1": 0.5}}


@pytest.mark.nightly
def test_edges_of_a_request_join_and_other_names_compile_nothing(shop, compilations):
    made = engine(shop, ranker="gcs", alpha=0.3)
    for number, names in enumerate((("cites", "by", "near"), ("leads", "of", "like"))):
        before = compilations()
        edges = dict(zip(names, FORMS, strict=True))
        documents = [
            {"id": "0", "score": 0.9, "metadata": dict(zip(names, FORMS.values(), strict=True))},
            {"id": "2", "score": 0.3, "metadata": {}},
            {"id": "1", "score": 0.1, "metadata": {names[1]: "X"}},
        ]
        job = RerankJob("?", documents, 3, False, edges=made.joined(edges))
        assert made.is_compiled(job) == (number == 1)
        expected = gj.Reranker(ranker="gcs", alpha=0.3, edges=edges).rerank("?", documents)
        (results,) = made.rerank([job])
        assert [documents[one["index"]]["id"] for one in results] == ["0", "1", "2"]
        np.testing.assert_allclose(
            [one["relevance_score"] for one in results], [hit.score for hit in expected], rtol=1e-5
        )
        if number:
            assert compilations() == before
        (told,) = made.rerank([replace(job, explain=True)])
        sources = {one["id"]: one for one in told[1]["explanation"]["sources"]}
        assert set(sources["0"]["relations"]) == set(names)


def test_edges_of_a_request_stand_beside_those_of_the_index(shop):
    made = engine(shop.with_edges({"cites": "reference"}))
    assert made.joined(None) is None
    assert made.joined({"by": "shared"}) == (("cites", "reference"), ("by", "shared"))
    with pytest.raises(InputError, match="edges: 'cites' is reference in the index; leave it out"):
        made.joined({"cites": "shared"})
    listed = engine(shop.with_edges({"cites": "reference"}), proximities=["link", "cites"])
    assert listed.joined({"cites": "reference"}) is None  # as in the index
    with pytest.raises(
        InputError, match=r"edges: 'by' joins nothing .* --proximity link,cites; leave it out, or"
    ):
        listed.joined({"by": "shared"})


@pytest.mark.parametrize(
    ("key", "values"),
    [("foreign_keys", "o{}"), pytest.param("entities", "name {}", marks=pytest.mark.nightly)],
)
def test_a_search_compiles_nothing_where_objects_join(embedder, compilations, key, values):
    objects = [
        Object(f"o{n}", f"song {n}", "", {key: [values.format(n // 2)][: n - 1], "odd": n % 2})
        for n in range(1, 320)
    ]
    made = engine(Index.build(objects, embedder=embedder))
    assert made.system.retrieval.expands
    searching = (made.search, made.index.retriever.retrieve)
    for step in all_steps(made):
        if getattr(step, "func", None) in searching:
            step()
    before = compilations()
    for wanted in (None, {"odd": 1}):
        for count in (1, 3):
            (hits, *_) = made.search([SearchJob("song 7", 200, wanted, False)] * count)
            assert len(hits) == (200 if wanted is None else 160)
    assert compilations() == before


def test_explanations_of_any_number_of_results_need_one_program(shop, compilations):
    made = engine(shop)
    for wanted in (None, {"foreign_keys": []}):
        made.search([SearchJob("orders", 1, wanted, True)])
    before = compilations()
    for top_n in (2, 3, 6):
        for wanted in (None, {"foreign_keys": []}):
            made.search([SearchJob("orders", top_n, wanted, True)])
    assert compilations() == before


def test_a_filtered_search_is_that_of_the_index(shop):
    wanted = {"foreign_keys": []}
    for top_n in (1, 3, 200):
        (found,) = engine(shop).search([SearchJob("orders of customers", top_n, wanted, False)])
        hits = shop.search("orders of customers", k=top_n, filter=wanted)
        assert [hit["id"] for hit in found] == [hit.id for hit in hits]
        np.testing.assert_allclose(
            [hit["score"] for hit in found], [hit.score for hit in hits], atol=1e-6
        )


@pytest.mark.parametrize("candidates", [3, 300])
def test_an_index_that_returns_few_or_many_is_served(embedder, candidates):
    objects = [Object(f"o{n}", f"song {n}") for n in range(310)]
    many = Index.build(objects, embedder=embedder, candidates=candidates)
    (hits,) = Engine(many, gj.Reranker(ranker="base")).search(
        [SearchJob("song 7", 12, None, False)]
    )
    assert len(hits) == 12
