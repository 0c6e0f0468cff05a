import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from grapher_jax.command_line.commands import app
from grapher_jax.corpus import Object, Query
from grapher_jax.corpus.beir import write_beir
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.evaluation import evaluate
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve.cross_encoder import CrossEncoder
from grapher_jax.runs import read_run, rerank_run
from grapher_jax.search import Index
from grapher_jax.systems import Retrieval, build_keyword_graph, load_system
from grapher_jax.systems.keyword_graph.graph import FALLBACK, KEYWORDS, WalkSettings
from grapher_jax.systems.keyword_graph.ranker import GRAPH, JOINED, NO_CROSS_ENCODER, KeywordRanker

TEXTS = {
    "bridge": ("What the new bridge cost was told by the engineer.", ["bridge", "engineer"]),
    "river": ("The river floods the school every spring.", ["river", "school"]),
    "dahl": ("Dahl was born in Bergen.", ["engineer", "Dahl", "Bergen"]),
    "bergen": ("Seven hills stand around the town.", ["Bergen", "hills"]),
    "soup": ("For lunch there was soup.", ["lunch", "soup"]),
    "fair": ("A fair was held with horses and geese.", ["fair", "soup"]),
}
QUESTION = "Where was the engineer of the bridge born?"


def described(field="keywords", texts=TEXTS):
    return [Object(name, text, metadata={field: own}) for name, (text, own) in texts.items()]


def built(embedder, folder, objects, **options):
    queries = [
        Query("q", QUESTION),
        Query("r", "What was there for lunch?", {"filter": {"keywords": TEXTS["soup"][1]}}),
    ]
    judged = {"q": {"dahl": 1, "bergen": 1}, "r": {"soup": 1}}
    write_beir(folder, objects, queries, {"train": judged})
    return Index.build(objects, embedder=embedder, folder=folder, **options)


@pytest.fixture(scope="module")
def town(embedder, tmp_path_factory):
    return built(embedder, tmp_path_factory.mktemp("town") / "town", described())


@pytest.fixture(scope="module")
def system(cross_encoder):
    """Two candidates of dense search, and two of the graph's."""
    return build_keyword_graph(cross_encoder=cross_encoder, candidates=2, joining=2, threshold=0.0)


def cosines(index, question=QUESTION):
    return index.embeddings @ index.embedder.embed_queries([question])[0]


def test_the_graph_brings_what_dense_search_did_not(town, system):
    found = system.retrieve(town, [QUESTION])
    names = [town.ids[row] for row in found.rows[0]]
    dense = [town.ids[row] for row in np.argsort(-cosines(town))[:2]]
    assert names[:2] == dense == ["bridge", "dahl"]
    assert names[2:] == ["bergen"]  # no walk reaches the others
    assert found.features[JOINED][0].tolist() == [0, 0, 1]
    assert (found.features[GRAPH] > 0).all()
    np.testing.assert_allclose(found.scores[0], cosines(town)[found.rows[0]], atol=1e-6)


def test_a_ranking_is_the_merge_of_its_parts(town, system, cross_encoder):
    found = system.retrieve(town, [QUESTION])
    hits = town.search(QUESTION, system=system)
    rows = found.rows[0]
    pairs = [(QUESTION, town.objects[row].searchable_text) for row in rows]
    parts = (CrossEncoder(cross_encoder).score(pairs), found.features[GRAPH][0])
    scaled = [(part - part.min()) / (part.max() - part.min()) for part in parts]
    ranker = system.reranker.opened
    merged = (1 - ranker.graph_weight) * scaled[0] + ranker.graph_weight * scaled[1]
    vectors = town.embeddings[rows]
    left, chosen = list(range(len(rows))), []
    while left:
        near = [max((vectors[i] @ vectors[j] for j in chosen), default=0.0) for i in left]
        values = ranker.trade_off * merged[left] - (1 - ranker.trade_off) * np.maximum(near, 0)
        np.testing.assert_allclose(hits[len(chosen)].score, values.max(), atol=1e-5)
        chosen.append(left.pop(int(values.argmax())))
    assert [hit.id for hit in hits] == [town.ids[rows[place]] for place in chosen]


def test_the_cross_encoder_keeps_the_best_of_dense_search(town, cross_encoder):
    scores = CrossEncoder(cross_encoder).score(
        [(QUESTION, item.searchable_text) for item in town.objects]
    )
    few = build_keyword_graph(cross_encoder=cross_encoder, kept=2, joining=0, threshold=0.0)
    hits = town.search(QUESTION, system=few)
    assert {hit.id for hit in hits} == {town.ids[row] for row in np.argsort(-scores)[:2]}


def test_what_is_not_confident_is_left_out(town, cross_encoder):
    scores = CrossEncoder(cross_encoder).score(
        [(QUESTION, item.searchable_text) for item in town.objects]
    )
    middle = float(np.median(scores))
    strict = build_keyword_graph(cross_encoder=cross_encoder, threshold=middle)
    hits = town.search(QUESTION, system=strict)
    expected = {town.ids[row] for row in np.flatnonzero(scores >= middle)}
    assert {hit.id for hit in hits} == expected
    none = build_keyword_graph(cross_encoder=cross_encoder, threshold=1.0)
    assert town.search(QUESTION, system=none) == []


def test_without_a_cross_encoder_the_cosine_stands_in(town):
    system = load_system("keyword-graph")
    assert system.parameters(town)["cross_encoder"] == NO_CROSS_ENCODER
    with pytest.warns(GrapherWarning, match="no cross-encoder, so the cosine .*--cross-encoder"):
        hits = town.search(QUESTION, system="keyword-graph")
    assert hits[0].base_rank in (1, 2, 3)
    relevance = build_keyword_graph(graph_weight=0.0, trade_off=1.0, threshold=0.0)
    with pytest.warns(GrapherWarning):
        hits = town.search(QUESTION, system=relevance)
    expected = np.argsort(-cosines(town))
    assert [town.rows[hit.id] for hit in hits[:4]] == expected[:4].tolist()


def test_diversity_moves_copies_apart(embedder, cross_encoder):
    objects = [
        Object("a", "The bridge cost forty million.", metadata={"keywords": ["cost"]}),
        Object("b", "The bridge cost forty million!", metadata={"keywords": ["cost"]}),
        Object("c", "The river floods every spring.", metadata={"keywords": ["river"]}),
    ]
    index = Index.build(objects, embedder=embedder)

    def order(trade_off):
        system = build_keyword_graph(trade_off=trade_off, graph_weight=0.0, threshold=0.0)
        with pytest.warns(GrapherWarning):
            return [hit.id for hit in index.search("What did the bridge cost?", system=system)]

    assert sorted(order(1.0)[:2]) == ["a", "b"]
    assert order(0.4)[1] == "c"


def test_entities_stand_in_for_keywords_aloud(embedder, tmp_path, system):
    index = built(embedder, tmp_path / "town", described("entities"))
    with pytest.warns(GrapherWarning, match="its keywords are entities, for want of keywords"):
        hits = index.search(QUESTION, system=system)
    assert "bergen" in [hit.id for hit in hits]
    assert system.parameters(index)["keywords"] == FALLBACK


def test_without_keywords_and_entities_the_cure_is_told(embedder, system):
    index = Index.build([Object("a", "of the and")], embedder=embedder)
    with pytest.raises(InputError, match="run: grapher-jax enrich SOURCE"):
        index.search("the and of", system=system)


def test_stop_words_alone_are_answered(town, system):
    assert town.search("of the and", system=system)


def test_one_document_is_found(embedder, system):
    index = Index.build([Object("a", "Soup.", metadata={"keywords": ["soup"]})], embedder=embedder)
    (hit,) = index.search("Is there soup?", system=system)
    assert hit.id == "a"


def test_unicode_is_read(embedder, system):
    texts = {
        "東京": ("東京の橋", ["東京", "橋"]),
        "straße": ("Die Straße nach 東京", ["Straße", "東京"]),
    }
    index = Index.build(described(texts=texts), embedder=embedder)
    assert {hit.id for hit in index.search("STRASSE in 東京?", system=system)} == set(texts)


def test_a_filter_restricts_the_graph_too(town, system):
    wanted = {"keywords": TEXTS["bridge"][1]}
    hits = town.search(QUESTION, system=system, filter=wanted)
    assert [hit.id for hit in hits] == ["bridge"]
    with pytest.warns(GrapherWarning, match="no object fits"):
        assert town.search(QUESTION, system=system, filter={"keywords": ["none"]}) == []


def test_a_batch_equals_its_questions_one_by_one(town, system):
    questions = [QUESTION, "What was there for lunch?", "Which river floods?"]
    together = town.search_batch(questions, k=5, system=system)
    for question, hits in zip(questions, together, strict=True):
        alone = town.search(question, k=5, system=system)
        assert [hit.id for hit in hits] == [hit.id for hit in alone]
        np.testing.assert_allclose([h.score for h in hits], [h.score for h in alone], atol=1e-5)
    assert town.search_batch([], system=system) == []


def test_a_result_is_explained_by_shared_keywords(town, system):
    hits = {hit.id: hit for hit in town.search(QUESTION, system=system)}
    near = {source.id: source.relations for source in hits["dahl"].explanation.sources}
    assert near == {"bridge": ("engineer",), "bergen": ("bergen",)}


def test_it_is_evaluated_beside_its_dense_retriever(town, system):
    report = evaluate(town, "train", [], systems=[system]).to_dict()
    base, own = report["results"]
    assert (base["ranker"], own["ranker"]) == ("base", "keyword-graph")
    assert base["parameters"]["candidates"] == 2
    assert own["parameters"]["keywords"] == KEYWORDS
    assert own["parameters"]["walk"]["alpha"] == WalkSettings.alpha
    assert base["metrics"]["R@20"]["all"] == 0.75
    assert own["metrics"]["R@20"]["all"] == 1.0
    assert report["ceiling"]["keyword-graph"]["all"] == 0.5
    assert report["ceiling"]["keyword-graph, joined"]["all"] == 1.0


def test_the_same_dense_retriever_is_asked_once(town, system):
    other = replace(system, name="dense", retrieval=system.retrieval.base)
    with pytest.warns(GrapherWarning):
        other = replace(other, reranker=Reranker(ranker=KeywordRanker()))
        report = evaluate(town, "train", [], systems=[system, other]).to_dict()
    rows = [(row["ranker"], row["system"]) for row in report["results"]]
    assert rows == [
        ("base", "keyword-graph"),
        ("keyword-graph", "keyword-graph"),
        ("dense", "dense"),
    ]


def test_another_retrievers_run_is_ranked(town, system, tmp_path):
    run = {"q": [("soup", 30.0), ("dahl", 20.0), ("bridge", 10.0)]}
    out = tmp_path / "run.trec"
    rerank_run(town, [Query("q", QUESTION)], out, system, base_run=run, k=3)
    ranked = [name for name, _ in read_run(out)["q"]]
    assert sorted(ranked) == ["bridge", "dahl", "soup"]


def test_candidates_without_an_index_are_refused(system):
    with pytest.raises(InputError, match="reads the documents around candidates"):
        system.reranker.rerank("question", [{"id": "a", "score": 1.0, "text": "x"}])


def test_it_asks_chroma_where_the_index_has_it(embedder, system, tmp_path):
    pytest.importorskip("chromadb")
    built(embedder, tmp_path / "town", described(), store="chroma").save(tmp_path / "index")
    index = Index.load(tmp_path / "index", embedder=embedder)
    hits = index.search(QUESTION, system=system)
    expected = replace(index, nearest=None).search(QUESTION, system=system)
    assert [hit.id for hit in hits] == [hit.id for hit in expected]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kept": 0}, "kept: 0 must be at least 1"),
        ({"joining": -1}, "joining: -1 must be at least 0"),
        ({"threshold": 1.5}, r"threshold: 1.5 is outside \[0, 1\]"),
        ({"trade_off": float("nan")}, r"trade_off: nan must be a finite number"),
        ({"graph_weight": -0.1}, r"graph_weight: -0.1 is outside \[0, 1\]"),
    ],
)
def test_a_number_out_of_its_range_is_named(given, message):
    with pytest.raises(InputError, match=message):
        build_keyword_graph(**given)


def test_a_missing_cross_encoder_is_named(town):
    system = load_system("keyword-graph", cross_encoder="nobody/nothing")
    with pytest.raises(InputError, match="cross-encoder: 'nobody/nothing' cannot be loaded"):
        town.search(QUESTION, system=system)


def test_a_cross_encoder_needs_its_system():
    with pytest.raises(InputError, match="cross-encoder: of keyword-graph alone; 'grapher' has"):
        load_system("grapher", cross_encoder="x")


def test_the_command_line_searches_with_it(town, cross_encoder, tmp_path):
    town.save(tmp_path / "index")
    asked = ["search", str(tmp_path / "index"), QUESTION, "--json"]
    named = ["--system", "keyword-graph", "--cross-encoder", cross_encoder]
    result = CliRunner().invoke(app, [*asked, *named])
    assert result.exit_code == 0
    shown = json.loads(result.stdout)
    assert shown["system"] == "keyword-graph"
    assert "bergen" in [hit["id"] for hit in shown["results"]]
    refused = CliRunner().invoke(app, [*asked, "--cross-encoder", cross_encoder])
    assert "add --system keyword-graph" in str(refused.exception)
    evaluated = ["evaluate", str(tmp_path / "index"), "--split", "train", "--json", *named]
    report = json.loads(CliRunner().invoke(app, evaluated).stdout)
    assert report["results"][1]["parameters"]["cross_encoder"] == cross_encoder


def test_its_retrieval_is_dense_search_and_more():
    retrieval = load_system("keyword-graph").retrieval
    assert retrieval.base == Retrieval(candidates=20, lexical_weight=0.0)
    assert retrieval == load_system("keyword-graph").retrieval
    assert retrieval != build_keyword_graph(joining=3).retrieval


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["keyword-graph", "grapher"])
def test_an_updated_index_is_ranked_as_one_built_afresh(town, system, embedder, tmp_path, name):
    """What a system keeps of the index before, it makes anew, and it reads every part."""
    chosen = system if name == "keyword-graph" else name
    town.search(QUESTION, system=chosen, k=9)
    town.save(tmp_path / "town.index")
    opened = Index.load(tmp_path / "town.index", embedder=embedder)
    opened.search(QUESTION, system=chosen, k=9)
    joining = [
        Object("dahl", "Dahl built bridges in Oslo.", metadata={"keywords": ["bridge", "Oslo"]}),
        Object("oslo", "Oslo lies by the sea.", metadata={"keywords": ["Oslo", "sea"]}),
    ]
    updated = opened.update(joining, delete=["river"])
    afresh = Index.build([*updated.objects], embedder=embedder)
    expected = afresh.search(QUESTION, system=chosen, k=9)
    assert "oslo" in [hit.id for hit in expected]
    updated.save(tmp_path / "town.index")
    loaded = Index.load(tmp_path / "town.index", embedder=embedder)
    assert len(loaded.objects.parts) == 2
    for index in (updated, loaded):
        found = index.search(QUESTION, system=chosen, k=9)
        assert [hit.id for hit in found] == [hit.id for hit in expected]
        np.testing.assert_allclose(
            [hit.score for hit in found], [hit.score for hit in expected], atol=1e-5
        )
