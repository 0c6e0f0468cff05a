"""Scores that are no amounts: every door reads them alike, and says what it took them for."""

import asyncio
import json

import pytest

import grapher_jax as gj
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.evaluation import rank_all
from grapher_jax.runs import read_run, rerank_run

# A cross-encoder's: the best has a key to the worst.
LOGITS = {"shop.orders": -2.0, "music.songs": -6.0, "shop.customers": -9.0}
LIFTED = ["shop.orders", "shop.customers", "music.songs"]


@pytest.fixture
def documents(index):
    return [
        {"id": name, "score": score, "metadata": dict(index[name].metadata)}
        for name, score in LOGITS.items()
    ]


@pytest.fixture
def expected(documents):
    hits = gj.Reranker(ranker="gcs", scores="logit").rerank("?", documents)
    assert ([hit.id for hit in hits], hits.scale) == (LIFTED, "logit")
    return [pytest.approx(hit.score, abs=1e-6) for hit in hits]


def test_auto_takes_them_for_what_they_are_and_says_so(documents, expected):
    with pytest.warns(
        GrapherWarning, match="scores: some are neg.*taken for logits.*scores="
    ) as told:
        hits = gj.Reranker(ranker="gcs").rerank_batch(["?"] * 2, [documents] * 2)
    assert len(told) == 1
    assert [[hit.score for hit in own] for own in hits] == [expected] * 2
    assert {own.scale for own in hits} == {"logit"}


def test_a_request_says_what_its_scores_are(index, documents, expected):
    create_app = pytest.importorskip("grapher_jax.serve").create_app
    from starlette.testclient import TestClient

    with TestClient(create_app(index, gj.Reranker(ranker="gcs"), warm_up=False)) as client:

        def rerank(**more):
            return client.post("/v1/rerank", json={"query": "?", "documents": documents} | more)

        answer = rerank(scores="logit").json()
        assert [documents[one["index"]]["id"] for one in answer["results"]] == LIFTED
        assert [one["relevance_score"] for one in answer["results"]] == expected
        assert answer["meta"]["scores"] == "logit"
        assert rerank(scores="rank").json()["meta"]["scores"] == "rank"
        texts = rerank(documents=["stores", "songs"], scores="rank").json()
        assert texts["meta"]["scores"] == "compared"
        refused = rerank(scores="percent")
        assert (refused.status_code, "scores: " in refused.json()["message"]) == (422, True)
        assert "'logit'" in refused.json()["message"]


def test_a_base_run_says_what_its_scores_are(index, tmp_path, expected):
    base, out = {"q1": [*LOGITS.items()]}, tmp_path / "run"
    reranker = gj.Reranker(ranker="gcs", scores="logit")
    rerank_run(index, [gj.Query("q1", "?")], out, reranker, k=3, base_run=base)
    assert [name for name, _ in read_run(out)["q1"]] == LIFTED
    assert [score for _, score in read_run(out)["q1"]] == expected


@pytest.fixture
def base_run(tmp_path):
    path = tmp_path / "base.trec"
    lines = [f"{q} Q0 {n} 1 {s} x\n" for q in ("q1", "q2") for n, s in LOGITS.items()]
    path.write_text("".join(lines))
    return path


def test_a_run_is_evaluated_by_its_scale(index, base_run):
    rerankers = [gj.Reranker(ranker="gcs", scores=scale) for scale in ("logit", "none")]
    rightly, wrongly = rank_all(index, "test", rerankers, run=base_run)
    rows = rightly.run.candidates.rows[0]
    assert [index.ids[rows[place]] for place in rightly.positions[0]] == LIFTED
    assert [index.ids[rows[place]] for place in wrongly.positions[0]] != LIFTED


def test_the_command_line_says_it_too(grapher, index, beir, base_run, expected):
    index.save("shop.index")
    asked = ("rerank", "shop.index", "--queries", beir / "queries.jsonl", "--ranker", "gcs")
    status, _, err = grapher(*asked, "--out", "o", "--run", base_run, "--scores", "logit", "--json")
    assert (status, "negative" in err) == (0, False)
    assert [score for _, score in read_run("o")["q1"]] == expected
    status, _, err = grapher(*asked, "--out", "o2", "--scores", "logit")
    assert (status, "scores: of another retriever's run; give --run too" in err) == (2, True)


def test_the_components_say_it_too(index, expected):
    langchain = pytest.importorskip("grapher_jax.integrations.langchain")
    Document = pytest.importorskip("langchain_core.documents").Document
    pairs = [
        (Document(name, id=name, metadata=dict(index[name].metadata)), score)
        for name, score in LOGITS.items()
    ]
    compressor = langchain.GraphCompressor(ranker="gcs", scores="logit")
    found = compressor.compress_documents(pairs, "?")
    assert [one.id for one in found] == LIFTED
    assert [one.metadata["relevance_score"] for one in found] == expected
    assert json.loads(json.dumps(compressor.model_dump()))["scores"] == "logit"
    with pytest.raises(InputError, match="scores: 'percent' is unknown; use auto, logit"):
        langchain.GraphCompressor(scores="percent")


class Shelf:
    """A store that finds two records, one of them with a cosine below 0."""

    name, dimension = "shelf", 384

    def search(self, vectors, k, **_):
        near = {"id": "a", "score": 0.5, "metadata": {"links": ["c"]}}
        return [[near, {"id": "b", "score": -0.25, "metadata": {}}] for _ in vectors]


@pytest.mark.usefixtures("types_unchecked")
def test_the_cosines_of_a_vector_store_are_read_as_they_are(embedder):
    retriever = gj.StoreRetriever(Shelf(), embedder)
    # Nothing joins the second, which keeps the share of it.
    hits = retriever.search("?", ranker=gj.Reranker(ranker="gcs", alpha=0.5))
    assert [hit.score for hit in hits] == [0.5, 0.5 * -0.25]
    assert ([hit.base_score for hit in hits], hits.scale) == ([0.5, -0.25], "none")
    clipped = retriever.search("?", ranker=gj.Reranker(ranker="gcs", scores="cosine"))
    assert [hit.score for hit in clipped] == [0.5, 0.0]
    moved = retriever.search("?", ranker=gj.Reranker(ranker="gcs", scores="shift"))
    assert [hit.score for hit in moved] == [0.75, 0.0]
    hits = retriever.search("?", ranker="gcs")
    assert asyncio.run(retriever.asearch("?", ranker="gcs")) == hits


def test_weights_are_not_read_anew_for_another_scale(monkeypatch):
    reranker = gj.Reranker(ranker="gat")
    opened = reranker.opened
    monkeypatch.setattr("grapher_jax.systems.chosen.open_network", pytest.fail)
    other = reranker.reading("rank")
    assert (other.opened is opened, other.scores, reranker.scores) == (True, "rank", "auto")
    with pytest.raises(InputError, match="scores: 'percent' is unknown; use auto, logit"):
        reranker.reading("percent")
