"""Rerankers of other libraries and services, on whose scores the graph works."""

import itertools
import json
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import numpy as np
import pytest

from grapher_jax import Index, Object, Reranker, StoreRetriever
from grapher_jax.errors import GrapherError, InputError
from grapher_jax.evaluation import evaluate, pair_proximities
from grapher_jax.retrieve import FaissStore, RerankService, as_scorer, rerank_service
from grapher_jax.retrieve.cross_encoder import CrossEncoder
from grapher_jax.serve.jobs import SearchJob
from grapher_jax.serve.ranking import Engine
from grapher_jax.serve.warming import all_steps

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
        assert (reranker.scores, reranker.scale) == ("auto", "logit")
        hits = reranker.rerank(QUESTION, [{**one, "metadata": {}} for one in CANDIDATES])
        assert hits.scale == "logit"
        assert [hit.id for hit in hits] == in_order(expected)
        np.testing.assert_allclose([hit.base_score for hit in hits], np.sort(expected)[::-1])
    assert Reranker(base=loaded, scores="rank").scale == "rank"
    assert replace(Reranker(base=loaded), base=None).scale == "auto"
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
    assert engine.known.look_up([[{"id": "a"}]])[0][0]["text"] == alone[0]["text"]


def test_a_service_asks_about_no_copies_and_nothing_at_its_start(index):
    asked = []

    def counted(question, texts):
        asked.append(question)
        return given(question, texts)

    engine = Engine(index, Reranker(ranker="base", base=counted))
    # The others embed, which takes its time.
    steps = [step for step in all_steps(engine) if isinstance(step.func.__self__, Engine)]
    assert [step() for step in steps]
    assert asked == []
    jobs = [SearchJob(question, 4, None, False) for question in (QUESTION, "soup")]
    answers = engine.search(jobs)
    assert asked == [QUESTION, "soup"]
    assert [[hit["id"] for hit in own] for own in answers] == [["b", "c", "a", "d"]] * 2


def test_a_service_loads_it_at_its_start(index, tmp_path):
    pytest.importorskip("sentence_transformers")
    with pytest.raises(InputError, match=r"^base: .* cannot be loaded .*give it the name"):
        Engine(index, Reranker(ranker="base", base=tmp_path))


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


def test_evaluate_asks_a_url_once(index, endpoint, tmp_path):
    (tmp_path / "questions.jsonl").write_text(json.dumps({"question": QUESTION, "relevant": ["b"]}))
    endpoint.answer = answering(
        lambda texts: [{"index": n, "score": SCORES[text]} for n, text in enumerate(texts)]
    )
    url = f"{endpoint.url}/rerank"
    for rerankers in (
        pair_proximities(["base", "gcs"], [], temperature=None, base=url),
        [Reranker(ranker=name, base=url) for name in ("base", "gcs")],
    ):
        evaluate(index, rerankers=rerankers, questions=tmp_path / "questions.jsonl")
    assert len(endpoint.requests) == 2


def test_equal_bases_are_equal_scorers():
    class Model:
        def predict(self, pairs, **options):
            """As a loaded cross-encoder."""

    for one in ("cross-encoder/any", "https://host/rerank?key=hush", Model()):
        assert as_scorer(one) == as_scorer(one)
    assert as_scorer(Model()) != as_scorer(Model())


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
        (b'[{"index": 0, "score": 1%s}]' % (b"0" * 400), "gave no index and score"),
    ):
        endpoint.answer = lambda body, answer=answer: answer
        with pytest.raises(GrapherError, match=told) as raised:
            service.score(QUESTION, TEXTS)
        assert "hush" not in str(raised.value) + repr(service)
    endpoint.answer = lambda body: b'{"error": "%s you said hush"}' % (b"x" * 28)
    with pytest.raises(GrapherError, match="you said …"):
        service.score(QUESTION, TEXTS)
    with pytest.raises(GrapherError, match=r"cannot be asked \(.*refused.*is the service running"):
        RerankService("http://127.0.0.1:9/rerank").score(QUESTION, TEXTS)


@pytest.fixture
def odd_server(monkeypatch):
    """A service that redirects what is posted, or breaks off in what it says of an error."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            status = int(self.path.removeprefix("/"))
            self.send_response(status)
            self.send_header("location", "/other")
            if status == 500:
                self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"no length\r\n")

        def do_GET(self):
            asked.append(self.headers["authorization"])
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 500])
def test_nobody_else_gets_the_key(odd_server, status):
    url, asked = odd_server
    with pytest.raises(GrapherError, match=f"answered {status}: "):
        RerankService(f"{url}/{status}", key="hush").score(QUESTION, TEXTS)
    assert asked == []


def test_a_key_in_a_url_is_not_shown(endpoint):
    service = RerankService(f"{endpoint.url}/rerank?key=hush")
    endpoint.answer = lambda body: b"[]"
    with pytest.raises(GrapherError, match="/rerank gave no index") as raised:
        service.score(QUESTION, TEXTS)
    with pytest.raises(InputError, match="is no URL") as refused:
        RerankService("http://a b/rerank?key=hush")
    scorer = as_scorer(service)
    assert scorer.name == f"{endpoint.url}/rerank"
    assert "hush" not in f"{raised.value} {refused.value} {service!r} {scorer!r}"


def test_an_answer_without_end_is_not_read(endpoint, monkeypatch):
    monkeypatch.setattr(rerank_service, "_MOST_BYTES", 8)
    endpoint.answer = lambda body: b"[        ]"
    with pytest.raises(GrapherError, match="answered more than 8 bytes"):
        RerankService(f"{endpoint.url}/rerank").score(QUESTION, TEXTS)


def test_an_answer_that_comes_piece_by_piece_has_its_time_too(endpoint, monkeypatch):
    monkeypatch.setattr(rerank_service, "_PIECE", 1)
    service = RerankService(f"{endpoint.url}/rerank", timeout=5.0)
    # Each reading of the clock is a second after the one before.
    clock = SimpleNamespace(monotonic=itertools.count().__next__)
    monkeypatch.setattr(rerank_service, "time", clock)
    endpoint.answer = lambda body: b"[        ]"
    with pytest.raises(GrapherError, match=r"cannot be asked \(not all there after 5 seconds"):
        service.score(QUESTION, TEXTS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"url": None}, "base: url must be a string like"),
        ({"at_once": 0}, "base: at_once: 0 must be at least 1"),
        ({"texts": -1}, "base: texts: -1 must be at least 1"),
        ({"timeout": "x"}, "base: timeout: 'x' must be a finite number"),
        ({"timeout": -1}, "base: timeout: -1 must be seconds above 0"),
        ({"timeout": 1e30}, "base: timeout: 1e.30 must be seconds above 0, 86400 at most"),
        ({"model": 3}, "base: model must be a string, not 3"),
        ({"key": b"hush"}, "base: the key must be a string, not a bytes$"),
    ],
    ids=str,
)
@pytest.mark.usefixtures("types_unchecked")
def test_options_of_a_service_are_checked(options, message):
    with pytest.raises(InputError, match=message):
        RerankService(**{"url": "http://localhost/rerank"} | options)


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
        (Reranker(), "base: a Reranker of grapher_jax ranks, and scores no texts; give"),
        ("HTTP://", "is no URL"),
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
    "scores",
    [
        [1.0],
        [1.0, 2.0, 3.0, np.nan],
        ["a"] * 4,
        None,
        [[1.0]] * 4,
        dict.fromkeys(range(4)),
        {1, 2, 3, 4},
        b"1234",
    ],
    ids=repr,
)
def test_what_gives_no_scores(scores):
    with pytest.raises(
        GrapherError, match=r"base: <lambda> must give a finite number for each of 4"
    ):
        as_scorer(lambda question, texts: scores).scores([QUESTION], [TEXTS])


def test_what_cannot_be_scored(embedder):
    index = Index.build([Object("x", ""), Object("y", "river")], embedder=embedder)
    with pytest.raises(GrapherError, match="candidate 'x': base reads texts; give it a `text`"):
        index.search(QUESTION, ranker=Reranker(ranker="base", base=given))
    with pytest.raises(InputError, match="candidate 'x': base reads texts; give it a `text`"):
        Reranker(base=given).rerank(QUESTION, [{"id": "x", "score": 1.0}])
    with pytest.raises(InputError, match="question 1: empty, and base compares texts with it"):
        Reranker(base=given).rerank(" ", TEXTS)
    with pytest.raises(InputError, match=r"key .RERANK_API_KEY. holds characters that no key has"):
        RerankService("http://localhost/rerank", key="ké")
