"""G-RAG over the example corpus with AMR, its network trained there."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flax import nnx
from networks import random_network

import grapher_jax.training
from grapher_jax.corpus import Object, Query, parse_amr
from grapher_jax.corpus.beir import write_beir
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.evaluation import JudgedRun, evaluate
from grapher_jax.rerank import Reranker
from grapher_jax.runs import read_run, rerank_run
from grapher_jax.search import Index
from grapher_jax.systems import Retrieval, build_g_rag, load_system
from grapher_jax.systems.g_rag.concepts import AMR, FALLBACK
from grapher_jax.systems.networks import load_weights, save_weights
from grapher_jax.text import normalise
from grapher_jax.training.g_rag import DocumentSettings, GRag, GRagConfig
from grapher_jax.training.gat import Gat, GatConfig

PARSED = Path(__file__).parents[3] / "docs" / "examples" / "parsed"
STANDS_IN = (
    "entities and keywords stand in for the concepts of questions and documents without AMR graphs"
)
plain_questions = pytest.mark.filterwarnings(f"ignore:.*{STANDS_IN}")


@pytest.fixture(scope="module")
def parsed(embedder):
    return Index.from_source(str(PARSED), embedder=embedder)


@pytest.fixture(scope="module")
def weights(parsed, tmp_path_factory):
    """The folder of a network of random weights."""
    folder = tmp_path_factory.mktemp("trained") / "small"
    config = GRagConfig(dimension=parsed.embedder.dimension, hidden=8)
    save_weights(
        folder,
        random_network(lambda: GRag(config, nnx.Rngs(0)), scale=0.3),
        embedder="offline",
        record={},
        graph=DocumentSettings(candidates=12, max_df=6),
    )
    return str(folder)


@pytest.fixture(scope="module")
def system(weights):
    return build_g_rag(weights)


QUESTION = "Where was the person born who designed the Skarholm lighthouse?"


@plain_questions
def test_it_is_dense_retrieval_with_a_network_over_documents(parsed, system):
    assert system.name == "g-rag-small"
    assert system.retrieval == Retrieval(candidates=12, lexical_weight=0.0)
    hits = parsed.search(QUESTION, k=16, system=system)
    cosines = parsed.embeddings @ parsed.embedder.embed_queries([QUESTION])[0]
    best = sorted(zip(cosines, parsed.ids, strict=True), reverse=True)[:12]
    assert {hit.id for hit in hits} == {name for _, name in best}
    for hit in hits:
        place = hit.base_rank - 1
        assert best[place][1] == hit.id
        np.testing.assert_allclose(hit.base_score, best[place][0], atol=1e-5)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert [hit.base_rank for hit in hits] != sorted(hit.base_rank for hit in hits)


@plain_questions
def test_a_result_is_explained_by_the_concepts_that_it_shares(parsed, system):
    hits = parsed.search(QUESTION, k=12, system=system)
    found = {hit.id for hit in hits}
    nodes = {
        item.id: set(map(normalise, parse_amr(item.metadata["amr"], item.id).nodes))
        for item in parsed.objects
    }
    frequent = {n for own in nodes.values() for n in own if sum(n in o for o in nodes.values()) > 6}
    assert "person" in frequent
    for hit in hits:
        assert hit.explanation.learned
        near = {source.id: set(source.relations) for source in hit.explanation.sources}
        common = {name: (nodes[hit.id] & nodes[name]) - frequent for name in found - {hit.id}}
        assert near == {name: shared for name, shared in common.items() if shared}
    explanation = str(next(hit for hit in hits if hit.id == "dahl").explanation)
    assert "by 'small'; neighbours: " in explanation
    assert "lighthouse (dahl and ingrid)" in explanation


@plain_questions
def test_a_batch_equals_its_questions_one_by_one(parsed, system):
    questions = [QUESTION, "Which moth eats cabbage?", "Who was born in Warsaw?"]
    together = parsed.search_batch(questions, k=5, system=system)
    for question, hits in zip(questions, together, strict=True):
        alone = parsed.search(question, k=5, system=system)
        assert [hit.id for hit in hits] == [hit.id for hit in alone]
        np.testing.assert_allclose([h.score for h in hits], [h.score for h in alone], atol=1e-4)


def test_another_question_of_a_bucket_compiles_nothing(parsed, system, compilations):
    def rank(name):
        return system.rank(parsed, system.retrieve(parsed, [parsed.queries[name]]), k=5)

    build_g_rag(system.reranker.ranker)  # what reads weights is compiled too
    # The embedder has a program for each length of texts and number of them.
    for words, texts in ((4, 1), (24, 1), (40, 1), (50, 8), (50, 32)):
        parsed.embedder.embed_objects(["bridge " * words] * texts)
    first = rank("q1")
    before = compilations()
    second = rank("q2")
    again = build_g_rag(system.reranker.ranker)
    again.rank(parsed, again.retrieve(parsed, [parsed.queries["q3"]]), k=5)
    assert compilations() == before
    assert (first.scores != second.scores).any()


@plain_questions
def test_a_questions_own_amr_is_read(parsed, system, tmp_path):
    names = ["q1", "q6"]
    asked = [parsed.queries[name] for name in names]
    bare = [Query(query.id + "x", query.text) for query in asked]
    rerank_run(parsed, [*asked, *bare], tmp_path / "run", system, k=12)
    run = read_run(tmp_path / "run")
    found = system.rank(parsed, system.retrieve(parsed, asked), k=12)
    for number, query in enumerate(asked):
        np.testing.assert_allclose(
            [score for _, score in run[query.id]], found.scores[number], atol=1e-4
        )
        assert {name for name, _ in run[query.id]} == {name for name, _ in run[query.id + "x"]}
        own, without = dict(run[query.id]), dict(run[query.id + "x"])
        assert max(abs(own[name] - without[name]) for name in own) > 1e-3


def test_judged_questions_bring_their_amr(parsed, system):
    run = JudgedRun.retrieve_by(system.retrieval, parsed, "dev")
    assert [query.metadata["amr"] for query in run.candidates.questions] == [
        parsed.queries[name].metadata["amr"] for name in ("q6", "q7", "q8")
    ]
    order = system.rank(parsed, run.candidates, k=12)
    # Their joint graphs count too.
    without = replace(parsed)  # of which nothing is kept yet
    without.__dict__["pair_graphs"] = {}
    apart = system.rank(without, run.candidates, k=12)
    joint = {query for query, _ in parsed.pair_graphs}
    for number, query in enumerate(run.judgements):
        same = np.allclose(order.scores[number], apart.scores[number], atol=1e-4)
        assert same == (query not in joint)


@pytest.mark.nightly
def test_it_is_evaluated_beside_its_own_retriever(parsed, system):
    report = evaluate(parsed, "dev", [Reranker(ranker="gcs")], systems=[system]).to_dict()
    rows = [(row["ranker"], row.get("system")) for row in report["results"]]
    assert rows == [("gcs", None), ("base", "g-rag-small"), ("g-rag-small", "g-rag-small")]
    parameters = report["results"][-1]["parameters"]
    assert parameters["concepts"] == AMR
    assert (parameters["candidates"], parameters["lexical_weight"]) == (12, 0)
    assert (parameters["layer"], parameters["max_df"], parameters["paths"]) == ("gcn", 6, True)
    assert parameters["sha256"] == system.reranker.opened.sha256
    assert "concepts" not in report["results"][0]["parameters"]
    assert json.loads(json.dumps(report)) == report


@pytest.fixture(scope="module")
def named(embedder, tmp_path_factory):
    """Texts with entities, and no AMR."""
    folder = tmp_path_factory.mktemp("sets") / "named"
    texts = {
        "bridge": ("The bridge crosses the Thames.", ["Thames", "Tower Bridge"]),
        "river": ("The Thames floods in spring.", ["thames"]),
        "milk": ("Buy milk, bread and eggs.", ["Milk"]),
    }
    objects = [Object(k, text, metadata={"entities": own}) for k, (text, own) in texts.items()]
    queries = [Query("q", "What crosses the Thames?")]
    write_beir(folder, objects, queries, {"train": {"q": {"bridge": 1}}})
    return Index.build(objects, embedder=embedder, folder=folder)


def test_what_stands_in_for_amr_is_said(named, system):
    with pytest.warns(GrapherWarning, match=f"^small: {STANDS_IN}$"):
        hits = named.search("What crosses the Thames?", system=system)
    near = {hit.id: hit.explanation.sources for hit in hits}
    assert [(source.id, source.relations) for source in near["bridge"]] == [("river", ("thames",))]
    assert near["milk"] == ()
    with pytest.warns(GrapherWarning, match=STANDS_IN):
        report = evaluate(named, "train", [], systems=[system]).to_dict()
    assert report["results"][1]["parameters"]["concepts"] == FALLBACK


@pytest.mark.filterwarnings("always::grapher_jax.errors.GrapherWarning")
@pytest.mark.parametrize(
    "verb",
    [
        "search",
        pytest.param("rerank", marks=pytest.mark.nightly),
        pytest.param("evaluate", marks=pytest.mark.nightly),
    ],
)
def test_what_stands_in_for_amr_is_said_everywhere(named, weights, grapher, verb):
    named.save("named.index")
    arguments = {
        "search": ("named.index", "What crosses the Thames?"),
        "rerank": ("named.index", "--queries", named.folder / "queries.jsonl", "--out", "run"),
        "evaluate": (named.folder, "--split", "train"),
    }[verb]
    status, out, err = grapher(verb, *arguments, "--ranker", weights)
    assert status == 0
    assert f"concepts: {FALLBACK}" in out.splitlines()
    assert f"warning: small: {STANDS_IN}\n" in err
    status, out, err = grapher(verb, *arguments, "--system", "g-rag", "--json")
    assert status == 0
    report = json.loads(out)
    said = report["results"][-1]["parameters"] if verb == "evaluate" else report
    assert said["concepts"] == FALLBACK
    assert f"warning: g-rag: {STANDS_IN}\n" in err


def test_a_question_in_plain_text_has_no_amr_whatever_the_corpus(parsed, system):
    with pytest.warns(GrapherWarning, match=f"^small: {STANDS_IN}$"):
        parsed.search(QUESTION, system=system)
    assert system.parameters(parsed)["concepts"] == AMR
    # The corpus's own questions have some, and nobody is warned.
    system.rank(parsed, system.retrieve(parsed, [parsed.queries["q1"]]), k=5)


def test_how_many_objects_have_amr_is_said(embedder, system):
    objects = [
        Object("a", "Milk.", metadata={"amr": "(m / milk)"}),
        Object("b", "Cold milk.", metadata={"amr": "", "keywords": ["Milk"]}),
    ]
    index = Index.build(objects, embedder=embedder)
    said = "AMR of 1 of 2 objects, entities and keywords of the others"
    with pytest.warns(GrapherWarning, match=f"^small: {STANDS_IN}$"):
        hits = index.search("Is there milk?", system=system)
    sources = {hit.id: hit.explanation.sources for hit in hits}
    assert [(source.id, source.relations) for source in sources["a"]] == [("b", ("milk",))]
    parameters = system.reranker.parameters(index)
    assert parameters["concepts"] == said


@plain_questions
def test_questions_whose_documents_share_nothing_are_counted(embedder, system):
    texts = {"a": ("Milk.", "(m / milk)"), "b": ("A bridge.", "(b / bridge)")}
    objects = [Object(k, text, metadata={"amr": amr}) for k, (text, amr) in texts.items()]
    index = Index.build(objects, embedder=embedder)
    with pytest.warns(GrapherWarning, match="small: in 1 of 1 questions no two documents share"):
        hits = index.search("Is there milk?", system=system)
    assert [hit.id for hit in hits] == ["a", "b"]
    single = Index.build(objects[:1], embedder=embedder)
    with pytest.warns(GrapherWarning, match="in 2 of 2 questions"):
        lists = single.search_batch(["Milk?", "Bread?"], system=system)
    assert [[hit.id for hit in hits] for hits in lists] == [["a"], ["a"]]


def given(index, *, embedded=False, amr=True):
    """Candidates as another retriever might give them."""
    return [
        {
            "id": item.id,
            "title": "" if embedded else item.title,
            "text": "" if embedded else item.text,
            "score": 1.0 - place / 20,
            "metadata": item.metadata if amr else {},
            **({"embedding": index.embeddings[place].tolist()} if embedded else {}),
        }
        for place, item in enumerate(index.objects[:10])
    ]


@plain_questions
def test_given_candidates_are_ranked(parsed, weights):
    reranker = Reranker(ranker=weights)
    question = parsed.queries["q1"]
    hits = reranker.rerank(question, given(parsed))
    assert sorted(hit.id for hit in hits) == sorted(parsed.ids[:10])
    near = {s.id: s.relations for hit in hits if hit.id == "dahl" for s in hit.explanation.sources}
    assert {"ingrid", "dahl"} <= set(near["lighthouse"])
    plain = reranker.rerank(question.text, given(parsed))
    assert {hit.id: hit.score for hit in plain} != {hit.id: hit.score for hit in hits}
    with pytest.warns(GrapherWarning) as said:
        alone = reranker.rerank(question, given(parsed, amr=False))
    assert len(said) == 2  # no AMR, and so nothing in common
    cosines = parsed.embeddings[:10] @ parsed.embedder.embed_queries([question.text])[0]
    order = [parsed.ids[row] for row in np.argsort(-cosines)]
    assert [hit.id for hit in alone] == order
    assert all(hit.explanation.sources == () for hit in alone)


@pytest.mark.nightly
@plain_questions
def test_a_given_batch_equals_its_questions_one_by_one(parsed, weights):
    reranker = Reranker(ranker=weights)
    found = given(parsed)
    # What is rare in each list is frequent in all, and what one names no other has.
    questions = [parsed.queries["q1"], "Who was born in Warsaw?", parsed.queries["q6"], "Who ate?"]
    lists = [found, found[3:], found[::2], found[:4]]
    together = reranker.rerank_batch(questions, lists, k=6)
    assert [len(hits) for hits in together] == [6, 6, 5, 4]
    for question, own, hits in zip(questions, lists, together, strict=True):
        alone = reranker.rerank(question, own, k=6)
        assert hits == alone
        assert [hit.explanation for hit in hits] == [hit.explanation for hit in alone]


@plain_questions
def test_candidates_without_text_keep_the_embedding_they_were_given(parsed, weights):
    reranker = Reranker(ranker=weights)
    question = parsed.queries["q1"]
    hits = reranker.rerank(question, given(parsed, embedded=True))
    # A question's AMR leads into texts, and there are none.
    assert hits == reranker.rerank(question.text, given(parsed, embedded=True))
    read = reranker.rerank(question, given(parsed))
    assert {hit.id: hit.score for hit in hits} != {hit.id: hit.score for hit in read}


@plain_questions
def test_shipped_weights_rank_the_example_corpus(parsed):
    folder = Path(grapher_jax.training.__file__).parent / "shipped" / "g-rag"
    assert sum(file.stat().st_size for file in folder.iterdir()) < 8e6
    assert load_weights(folder).embedder == parsed.embedder.name == "offline"
    shipped = load_system("g-rag")
    assert shipped.name == "g-rag"
    assert shipped.reranker.opened.embedder == "offline"
    hits = parsed.search(QUESTION, k=16, system=shipped)
    assert sorted(hit.id for hit in hits) == sorted(parsed.ids)
    scores = [hit.score for hit in hits]
    assert np.isfinite(scores).all()
    assert scores == sorted(scores, reverse=True)
    # An untrained network's would be the retriever's.
    assert not np.allclose(scores, [10 * hit.base_score for hit in hits], atol=1e-3)


def test_networks_of_another_kind_are_refused(tmp_path):
    save_weights(
        tmp_path / "other", Gat(GatConfig(dimension=4), nnx.Rngs(0)), embedder="offline", record={}
    )
    for ranker in ("gcs", "query-gnn", str(tmp_path / "other")):
        with pytest.raises(InputError, match=f"ranker: '{ranker}' is no network of G-RAG"):
            build_g_rag(ranker)
    with pytest.raises(InputError, match="'nowhere' is unknown"):
        build_g_rag("nowhere")


def test_what_it_does_not_read_is_refused(weights):
    with pytest.raises(InputError, match="has relations of its own; leave them out"):
        Reranker(ranker=weights, proximities=["chunk"])
    with pytest.raises(InputError, match="alpha: of gcs, ppr and diffusion"):
        Reranker(ranker=weights, alpha=0.5)
    with pytest.raises(InputError, match=r"max_df: 3 cannot be used; .* was trained with 6"):
        Reranker(ranker=weights, max_df=3)


@plain_questions
def test_paths_may_be_left_out(parsed, tmp_path):
    model = GRag(GRagConfig(dimension=parsed.embedder.dimension, hidden=8), nnx.Rngs(0))
    graph = DocumentSettings(candidates=5, max_df=None, paths=False)
    save_weights(tmp_path / "plain", model, embedder="offline", record={}, graph=graph)
    system = build_g_rag(str(tmp_path / "plain"))
    hits = parsed.search(QUESTION, system=system)
    # An untrained network ranks as the retriever does.
    assert [hit.base_rank for hit in hits] == [1, 2, 3, 4, 5]
    expected = [10 * hit.base_score for hit in hits]
    np.testing.assert_allclose([hit.score for hit in hits], expected, atol=1e-4)
    by_text, by_embedding = (
        system.reranker.rerank(QUESTION, given(parsed, embedded=embedded), k=5)
        for embedded in (False, True)
    )
    assert [hit.id for hit in by_text] == [hit.id for hit in by_embedding]
    for found in (by_text, by_embedding):
        scores = [float(10 * cosine) for cosine in cosines_of(parsed, found)]
        np.testing.assert_allclose([hit.score for hit in found], scores, atol=1e-4)


def cosines_of(index, hits):
    rows = [index.rows[hit.id] for hit in hits]
    return index.embeddings[rows] @ index.embedder.embed_queries([QUESTION])[0]
