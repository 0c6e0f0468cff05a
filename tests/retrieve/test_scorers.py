"""Rerankers of other libraries and services, on whose scores the graph works."""

import json

import numpy as np
import pytest

from grapher_jax import Index, Object, Reranker, StoreRetriever
from grapher_jax.errors import GrapherError, InputError
from grapher_jax.evaluation import evaluate
from grapher_jax.retrieve import FaissStore, RerankService, as_scorer
from grapher_jax.retrieve.cross_encoder import CrossEncoder
from grapher_jax.serve.ranking import Engine

TEXTS = ["the bridge", "school lunch soup", "what the engineer cost", "river"]
QUESTION = "what the bridge cost"
CANDIDATES = [
    {"id": name, "score": 9.0, "text": text, "metadata": {"links": ["d"] if name == "b" else []}}
    for name, text in zip("abcd", TEXTS, strict=True)
]
SCORES = {"the bridge": 0.2, "school lunch soup": 0.9, "what the engineer cost": 0.4, "river": 0.1}


def given(question, texts):
    return [SCORES[text] for text in texts]


def logits(cross_encoder, texts=TEXTS):
    return CrossEncoder(cross_encoder).logits([(QUESTION, text) for text in texts])


def in_order(scores):
    return ["abcd"[place] for place in np.argsort(-np.asarray(scores), kind="stable")]


def test_a_function_scores_candidates_and_the_graph_works_on_that():
    hits = Reranker(ranker="base", base=given).rerank(QUESTION, CANDIDATES)
    assert [(hit.id, round(hit.score, 4)) for hit in hits] == [
        ("b", 0.9),
        ("c", 0.4),
        ("a", 0.2),
        ("d", 0.1),
    ]
    ranked = Reranker(ranker="gcs", base=given).rerank(QUESTION, CANDIDATES)
    assert [hit.id for hit in ranked] == ["b", "d", "c", "a"]
    assert (ranked[1].base_rank, round(ranked[1].base_score, 4)) == (4, 0.1)
    assert "from b (link)" in str(ranked[1].explanation)
    # Texts without a score or metadata are enough.
    assert [hit.id for hit in Reranker(base=given).rerank(QUESTION, TEXTS)] == [
        f"documents[{place}]" for place in (1, 2, 0, 3)
    ]


def test_a_batch_is_its_questions_one_by_one():
    reranker = Reranker(ranker="gcs", base=given)
    lists = [CANDIDATES, CANDIDATES[2:], []]
    batch = reranker.rerank_batch([QUESTION] * 3, lists)
    assert batch == [reranker.rerank(QUESTION, own) for own in lists]


def test_a_cross_encoder_gives_logits(cross_encoder):
    module = pytest.importorskip("sentence_transformers")
    expected = logits(cross_encoder)
    loaded = module.CrossEncoder(cross_encoder)
    for base in (cross_encoder, loaded, CrossEncoder(cross_encoder)):
        reranker = Reranker(ranker="gcs", base=base)
        assert reranker.scores == "logit"
        hits = reranker.rerank(QUESTION, [{**one, "metadata": {}} for one in CANDIDATES])
        assert hits.scale == "logit"
        assert [hit.id for hit in hits] == in_order(expected)
        np.testing.assert_allclose([hit.base_score for hit in hits], np.sort(expected)[::-1])
    assert Reranker(base=loaded, scores="rank").scores == "rank"
    np.testing.assert_allclose(
        CrossEncoder(cross_encoder).score([(QUESTION, text) for text in TEXTS]),
        1 / (1 + np.exp(-expected)),
        rtol=1e-5,
    )


def test_a_reranker_of_the_package_rerankers(cross_encoder):
    rerankers = pytest.importorskip("rerankers")
    ranker = rerankers.Reranker(cross_encoder, model_type="cross-encoder", verbose=0)
    hits = Reranker(ranker="base", base=ranker).rerank(QUESTION, CANDIDATES)
    assert [hit.id for hit in hits] == in_order(logits(cross_encoder))


@pytest.fixture
def index(embedder):
    objects = [Object(one["id"], one["text"], metadata=dict(one["metadata"])) for one in CANDIDATES]
    return Index.build(objects, embedder=embedder)


def test_search_and_a_service_rank_by_it(index):
    reranker = Reranker(ranker="gcs", base=given)
    expected = [(hit.id, hit.score) for hit in reranker.rerank(QUESTION, CANDIDATES)]
    hits = index.search(QUESTION, ranker=reranker)
    assert [(hit.id, hit.score) for hit in hits] == expected
    assert round(hits[0].base_score, 4) == 0.9
    engine = Engine(index, reranker)
    documents = [{**one, "score": None} for one in CANDIDATES]
    scores = engine.similarities([(QUESTION, documents)])[0]
    np.testing.assert_allclose(scores, [*SCORES.values()])
    alone = [{"id": name, "text": text} for name, text in zip("abcd", TEXTS, strict=True)]
    assert engine.look_up([[{"id": "a"}]])[0][0]["text"] == alone[0]["text"]


def test_a_store_is_ranked_by_it(index, embedder):
    faiss = pytest.importorskip("faiss")
    vectors = faiss.IndexFlatIP(embedder.dimension)
    vectors.add(index.embeddings)
    retriever = StoreRetriever(FaissStore(vectors, list(index.objects)), embedder)
    reranker = Reranker(ranker="gcs", base=given)
    hits = retriever.search(QUESTION, ranker=reranker)
    assert [hit.id for hit in hits] == ["b", "d", "c", "a"]


def test_evaluate_compares_it_alone_and_with_the_graph(index, tmp_path):
    (tmp_path / "questions.jsonl").write_text(
        json.dumps({"question": QUESTION, "relevant": ["b", "d"]})
    )
    asked = []

    def counted(question, texts):
        asked.append(question)
        return given(question, texts)

    rerankers = [Reranker(ranker=name, base=counted) for name in ("base", "gcs")]
    report = evaluate(index, rerankers=rerankers, questions=tmp_path / "questions.jsonl")
    rows = [row.to_dict()["metrics"]["nDCG@10"]["all"] for row in report.results]
    assert rows[0] < rows[1] == 1
    assert len(asked) == 1


def answering(results):
    return lambda body: json.dumps(results(body["documents"])).encode()


def test_a_service_is_asked_in_either_shape(endpoint, monkeypatch):
    monkeypatch.setenv("RERANK_API_KEY", "hush")
    url = endpoint.url.removesuffix("/v1")
    shapes = {
        "/v1/rerank": lambda texts: {
            "results": [
                {"index": place, "relevance_score": SCORES[text]}
                for place, text in reversed([*enumerate(texts)])
            ]
        },
        "/rerank": lambda texts: [
            {"index": place, "score": SCORES[text]} for place, text in enumerate(texts)
        ],
    }
    for path, results in shapes.items():
        endpoint.answer = answering(results)
        hits = Reranker(ranker="gcs", base=url + path).rerank(QUESTION, CANDIDATES)
        assert [hit.id for hit in hits] == ["b", "d", "c", "a"]
    versioned, plain = endpoint.requests
    assert versioned == {"query": QUESTION, "documents": TEXTS, "top_n": 4}
    assert plain == {"query": QUESTION, "documents": TEXTS, "texts": TEXTS, "truncate": True}
    service = RerankService(url + "/rerank", model="m", texts=3)
    assert service.score(QUESTION, TEXTS) == [*SCORES.values()]
    assert [len(body["texts"]) for body in endpoint.requests[2:]] == [3, 1]
    assert endpoint.requests[-1]["model"] == "m"


def test_a_service_that_does_not_answer_is_told_of(endpoint):
    service = RerankService(f"{endpoint.url}/rerank", key="hush")
    for answer, told in (
        ((401, {"code": "x"}), "answered 401: .*you said Bearer …"),
        (b"<html>", "answered no JSON"),
        (b'{"results": [{"index": 0}]}', "gave no index and score for each of 4 texts"),
        (b"[]", "gave no index and score"),
        (b"3", "gave no index and score"),
    ):
        endpoint.answer = lambda body, answer=answer: answer
        with pytest.raises(GrapherError, match=told) as raised:
            service.score(QUESTION, TEXTS)
        assert "hush" not in str(raised.value) + repr(service)
    with pytest.raises(GrapherError, match=r"cannot be asked \(.*refused.*is the service running"):
        RerankService("http://127.0.0.1:9/rerank").score(QUESTION, TEXTS)


def test_the_command_line_takes_it(grapher, index, cross_encoder, tmp_path):
    index.save(tmp_path / "index")
    asked = ["search", "index", QUESTION, "--base", cross_encoder, "--ranker", "base", "--json"]
    _, out, _ = grapher(*asked)
    assert [one["id"] for one in json.loads(out)["results"]] == in_order(logits(cross_encoder))
    status, _, err = grapher(*asked[:4], "http://127.0.0.1:9/rerank")
    assert (status, "is the service running?" in err) == (1, True)
    status, _, err = grapher(*asked[:3], "--base", "none", "--system", "grapher")
    assert (status, "base: the system 'grapher' decides it" in err) == (2, True)


@pytest.mark.parametrize(
    ("base", "message"),
    [
        (3, "base: give a sentence-transformers CrossEncoder or the name of one"),
        (dict, "base: give a sentence-transformers"),
        ("http://", "is no URL like http://localhost:8080/rerank"),
        ("http://a b/rerank", "is no URL"),
        ("https://me:hush@host/rerank", "must hold no name or password; set RERANK_API_KEY"),
    ],
)
def test_what_is_no_base(base, message):
    with pytest.raises(InputError, match=message) as raised:
        Reranker(base=base)
    assert "hush" not in str(raised.value)


@pytest.mark.parametrize(
    "scores", [[1.0], [1.0, 2.0, 3.0, np.nan], ["a"] * 4, None, [[1.0]] * 4], ids=repr
)
def test_what_gives_no_scores(scores):
    with pytest.raises(InputError, match=r"base: <lambda> must give a finite number for each of 4"):
        as_scorer(lambda question, texts: scores).scores([QUESTION], [TEXTS])


def test_what_cannot_be_scored():
    with pytest.raises(InputError, match="candidate 'x': base reads texts; give it a `text`"):
        Reranker(base=given).rerank(QUESTION, [{"id": "x", "score": 1.0}])
    with pytest.raises(InputError, match="question 1: empty, and base compares texts with it"):
        Reranker(base=given).rerank(" ", TEXTS)
    with pytest.raises(InputError, match=r"key .RERANK_API_KEY. holds characters that no key has"):
        RerankService("http://localhost/rerank", key="ké")
