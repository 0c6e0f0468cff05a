"""A real service in a process of its own, asked by real clients."""

import asyncio
import gc
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import cohere
import httpx
import numpy as np
import pytest
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.postprocessor.tei_rerank import TextEmbeddingInference
from uvicorn.protocols.http.h11_impl import RequestResponseCycle
from uvicorn.server import ServerState

import grapher_jax as gj
from grapher_jax.command_line.verbs.serve import serve
from grapher_jax.errors import InputError
from grapher_jax.serve import server as server_module
from grapher_jax.serve.server import bind, listen, server

TEXTS = ["a dog", "the stores of a city", "music"]


def connect(service):
    address = urlsplit(service)
    return socket.create_connection((address.hostname, address.port), timeout=30)


def read_all(connection):
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


@pytest.mark.nightly
def test_coheres_first_client(service, scored):
    with httpx.Client(timeout=600) as http:
        client = cohere.Client("hush", base_url=service, httpx_client=http)
        answer = client.rerank(
            query="?", documents=scored, model="any", top_n=3, return_documents=True
        )
        hits = gj.Reranker(ranker="diffusion").rerank("?", scored, k=3)
        assert [scored[r.index]["id"] for r in answer.results] == [hit.id for hit in hits]
        np.testing.assert_allclose(
            [r.relevance_score for r in answer.results], [hit.score for hit in hits], atol=1e-6
        )
        assert [r.document.text for r in answer.results] == [hit.text for hit in hits]
        texts = client.rerank(query="which stores?", documents=TEXTS)
        assert texts.results[0].index == 1
        assert texts.id
        assert texts.meta.api_version.version == "1"


def test_coheres_second_client(service):
    with httpx.Client(timeout=600) as http:
        client = cohere.ClientV2("hush", base_url=service, httpx_client=http)
        answer = client.rerank(model="any", query="which stores?", documents=TEXTS, top_n=2)
        assert [len(answer.results), answer.results[0].index] == [2, 1]
        with pytest.raises(cohere.UnprocessableEntityError) as refused:
            client.rerank(model="any", query="?", documents=[])
        assert refused.value.body["message"].startswith("documents: ")
        wrong = cohere.ClientV2("husk", base_url=service, httpx_client=http)
        with pytest.raises(cohere.UnauthorizedError) as refused:
            wrong.rerank(model="any", query="?", documents=TEXTS)
        assert "token" in refused.value.body["message"]


@pytest.mark.nightly
def test_the_token_of_the_environment_is_without_its_line_end(shop_folder, start):
    with start(shop_folder, GRAPHER_JAX_TOKEN="hush\n") as (url, _):
        headers = {"authorization": "Bearer hush"}
        assert httpx.get(f"{url}/metrics", headers=headers).status_code == 200


def test_jinas_convention(client):
    body = {
        "model": "jina-reranker-v2-base-multilingual",
        "query": "which stores?",
        "top_n": 1,
        "documents": [{"text": text} for text in TEXTS],
        "return_documents": True,
    }
    (best,) = client.post("/v1/rerank", json=body).json()["results"]
    assert best["document"]["text"] == TEXTS[1]


def test_the_client_of_text_embeddings_inference(service, client):
    nodes = [NodeWithScore(node=TextNode(text=text), score=0.0) for text in TEXTS]
    client_of_tei = TextEmbeddingInference(base_url=service, auth_token="Bearer hush", top_n=2)
    found = client_of_tei.postprocess_nodes(nodes, query_str="which stores?")
    assert [found[0].node.text, len(found)] == [TEXTS[1], 2]
    asked = {"query": "which stores?", "texts": TEXTS, "raw_scores": False, "return_text": True}
    best, *_ = client.post("/rerank", json=asked).json()
    assert best == {"index": 1, "text": TEXTS[1], "score": pytest.approx(found[0].score)}
    answer = client.post("/rerank", json={"query": "?", "texts": ["a"] * 1001})
    assert [answer.status_code, answer.json()["message"]] == [422, "texts: 1001; give 1000 at most"]


@pytest.mark.nightly
def test_fifty_requests_at_once_are_all_answered_right(service, scored):
    reranker = gj.Reranker(ranker="diffusion")
    rng = np.random.default_rng(0)
    asked = []
    for number in range(50):
        documents = [scored[i] for i in rng.permutation(len(scored))[: 1 + number % 4]]
        if number % 10 == 3:
            documents = [*documents, documents[0]]
        asked.append({"query": f"question {number}", "documents": documents})
    asked[7] = {"query": "which stores?", "documents": TEXTS}

    async def talk():
        headers = {"authorization": "Bearer hush"}
        async with httpx.AsyncClient(base_url=service, headers=headers, timeout=600) as client:
            posts = [client.post("/v1/rerank", json=body) for body in asked]
            searches = [client.post("/v1/search", json={"query": "animals"}) for _ in range(5)]
            return await asyncio.gather(*posts, *searches)

    *answers, a, b, c, d, e = asyncio.run(talk())
    assert len({search.json()["results"][0]["id"] for search in (a, b, c, d, e)}) == 1
    for number, (body, answer) in enumerate(zip(asked, answers, strict=True)):
        if number % 10 == 3:
            assert answer.status_code == 422
            assert "twice" in answer.json()["message"]
            continue
        results = answer.json()["results"]
        if number == 7:
            assert results[0]["index"] == 1
            continue
        documents = body["documents"]
        hits = reranker.rerank("?", documents)
        assert [documents[r["index"]]["id"] for r in results] == [hit.id for hit in hits]
        np.testing.assert_allclose(
            [r["relevance_score"] for r in results], [hit.score for hit in hits], atol=1e-6
        )


def test_slow_clients_are_sent_away_and_keep_nobody_waiting(service, client, scored):
    head = (
        b"POST /v1/rerank HTTP/1.1\r\nhost: x\r\nauthorization: Bearer hush\r\n"
        b"content-type: application/json\r\ncontent-length: 100\r\n\r\n"
    )
    with connect(service) as silent, connect(service) as halting, connect(service) as slow:
        halting.sendall(head[:30])
        slow.sendall(head + b'{"query"')
        for _ in range(5):
            assert client.post("/v1/rerank", json={"query": "?", "documents": scored}).is_success
        answer = read_all(slow)
        assert answer.startswith(b"HTTP/1.1 408")
        assert b"body: not here after 1.5 seconds" in answer
        assert read_all(halting) == read_all(silent) == b""


def test_what_is_no_http_is_refused(service):
    with connect(service) as connection:
        connection.sendall(b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n")
        assert read_all(connection).startswith(b"HTTP/1.1 400")


def test_a_head_has_an_end(service):
    with connect(service) as connection, pytest.raises((ConnectionResetError, BrokenPipeError)):
        connection.sendall(b"GET / HTTP/1.1\r\nx: ")
        while True:
            connection.sendall(b"a" * 100_000)


def test_a_body_too_large_is_refused_and_read_to_its_end(client, scored):
    for _ in range(2):
        refused = client.post(
            "/v1/rerank", content=b" " * 2_000_000, headers={"content-type": "application/json"}
        )
        assert refused.status_code == 413
        assert refused.json()["message"] == "body: more than 300000 bytes"
    assert client.post("/v1/rerank", json={"query": "?", "documents": scored}).is_success


async def answers_at_once(scope, receive, send):
    """Answers with ten megabytes, whatever the body."""
    size = 10_000_000
    headers = [(b"content-length", str(size).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"x" * size})


@pytest.fixture
def impatient():
    """The address of a server that keeps no idle connection for longer than a second."""
    listening = listen("127.0.0.1", 0)
    made = server(answers_at_once, read_seconds=10.0, idle_seconds=1)
    with ThreadPoolExecutor(1) as threads:
        ended = threads.submit(made.run, sockets=[listening])
        yield made, listening.getsockname()
        made.should_exit = True
        ended.result()


def test_the_rest_of_a_body_is_not_read_for_ever(impatient):
    _, address = impatient
    with socket.create_connection(address, timeout=30) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n")
        left = 10_000_000
        while left > 0:
            left -= len(connection.recv(1 << 20))
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            for _ in range(100):
                connection.sendall(b"x")
                time.sleep(0.1)


@pytest.mark.parametrize("opened", [listen, bind])
def test_no_answer_waits_for_the_client_to_confirm_its_head(opened):
    with opened("127.0.0.1", 0) as listening:
        listening.listen()
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize("ending", ["keep-alive", "close"])
def test_an_answer_that_nobody_reads_is_dropped(impatient, ending):
    server, address = impatient
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(address)
        connection.sendall(f"GET / HTTP/1.1\r\nhost: x\r\nconnection: {ending}\r\n\r\n".encode())
        while server.server_state.total_requests == 0:
            time.sleep(0.05)
        for _ in range(100):
            if not server.server_state.connections:
                break
            time.sleep(0.1)
        assert not server.server_state.connections


async def answers_nothing(scope, receive, send):
    """Answers without a body."""
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


class Client(asyncio.Transport):
    """A client that sends more whenever it may, and reads every answer."""

    def __init__(self):
        super().__init__()
        self.may_send = True

    def pause_reading(self):
        self.may_send = False

    def resume_reading(self):
        self.may_send = True

    def set_write_buffer_limits(self, high=None, low=None):
        pass

    def write(self, data):
        pass

    def is_closing(self):
        return False

    def close(self):
        pass


@pytest.mark.parametrize("reads", [True, False])
def test_few_requests_of_a_connection_wait_for_their_answers(reads):
    answered, many = 0, 50
    request = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\n\r\nx"
    chunk = request * 1000

    async def answers(scope, receive, send):
        nonlocal answered
        if reads:
            await receive()
        await send({"type": "http.response.start", "status": 401, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        answered += 1

    async def talk():
        config = server(answers, read_seconds=10.0).config
        config.load()
        protocol, client = config.http_protocol_class(config, ServerState(), {}), Client()
        protocol.connection_made(client)
        sent = 0
        while answered < many:
            while client.may_send and sent < 10 * many:
                protocol.data_received(chunk)
                sent += 1
            await asyncio.sleep(0)
        # Other tests of this process may have left some of other connections.
        cycles = (one for one in gc.get_objects() if type(one) is RequestResponseCycle)
        waiting = sum(one.transport is client for one in cycles)
        protocol.connection_lost(None)
        return sent, waiting

    sent, waiting = asyncio.run(talk())
    assert sent <= 2
    assert waiting <= 2


def test_who_waits_for_no_answer_lets_others_go_first(monkeypatch):
    monkeypatch.setattr(server_module, "_PAUSE_SECONDS", 3600.0)
    request = b"GET /%d HTTP/1.1\r\nhost: x\r\n\r\n"
    asked = []

    async def answers(scope, receive, send):
        asked.append(scope["path"])
        await answers_nothing(scope, receive, send)

    async def talk():
        config = server(answers, read_seconds=10.0).config
        config.load()
        hasty, patient = (config.http_protocol_class(config, ServerState(), {}) for _ in range(2))
        for protocol in (hasty, patient):
            protocol.connection_made(Client())
        hasty.data_received(request % 1 + request % 2)
        for number in (3, 4, 5):
            patient.data_received(request % number)
            while f"/{number}" not in asked:
                await asyncio.sleep(0)
        for protocol in (hasty, patient):
            protocol.connection_lost(None)

    asyncio.run(talk())
    assert asked == ["/1", "/3", "/4", "/5"]


def test_requests_sent_together_are_answered_in_turn(service):
    head = "GET {} HTTP/1.1\r\nhost: x\r\n{}\r\n".format
    last = head("/health/live", "connection: close\r\n")
    with connect(service) as connection:
        connection.sendall(((head("/health", "") + head("/metrics", "")) * 20 + last).encode())
        answer = read_all(connection)
    assert answer.count(b'{"status":"ready"}') == 20
    assert answer.count(b"401 Unauthorized") == 20
    assert answer.endswith(b'{"status":"alive"}')


def test_a_length_given_twice_is_refused(service):
    with connect(service) as connection:
        connection.sendall(
            b"POST /v1/rerank HTTP/1.1\r\nhost: x\r\nauthorization: Bearer hush\r\n"
            b"content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
        )
        answer = read_all(connection)
    assert answer.startswith(b"HTTP/1.1 400")
    assert b"content-length" in answer


def test_what_was_sent_before_the_end_is_answered():
    request = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"

    async def talk():
        listening, made = listen("127.0.0.1", 0), server(answers_nothing, read_seconds=10.0)
        made.config.load()
        made.lifespan = made.config.lifespan_class(made.config)
        await made.startup(sockets=[listening])
        known, unknown = (
            socket.create_connection(listening.getsockname(), timeout=30) for _ in range(2)
        )
        with known, unknown:
            known.sendall(request)
            while not made.server_state.total_requests:
                await asyncio.sleep(0)
            first = known.recv(65536)
            # Nothing of this is read before the server is told to end.
            known.sendall(request)
            unknown.sendall(request)
            made.should_exit = True
            await made.shutdown([listening])
            return first, read_all(known), read_all(unknown)

    first, *last = asyncio.run(talk())
    for answer in (first, *last):
        assert answer.startswith(b"HTTP/1.1 204")
        assert (b"connection: close" in answer) == (answer is not first)


@pytest.mark.nightly
def test_what_is_in_flight_is_finished(shop_folder, start):
    with start(shop_folder) as (url, process), ThreadPoolExecutor(1) as threads:
        body = {"query": "?", "documents": [f"text {number}" for number in range(100)]}
        answer = threads.submit(httpx.post, f"{url}/v1/rerank", json=body, timeout=600)
        while 'batch_size_count{lane="embed"} 1.0' not in httpx.get(f"{url}/metrics").text:
            pass
        process.terminate()
        assert answer.result().status_code == 200
        assert process.wait(60) == 0
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{url}/health")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_body": 0}, "max_body: 0 must be at least 1"),
        ({"ranker": "gsc"}, "ranker: 'gsc' is unknown"),
        ({"token_file": "none"}, "token-file: .*none cannot be read"),
        ({"token_file": "empty"}, "token: it is empty"),
        ({"token_file": "twice"}, "token: that of line 3 stands there twice"),
        (
            {"token_file": "other"},
            "token: the one at place 2 opens an index that is not served; name",
        ),
        ({"index": ["a=b=c"]}, "index: b=c is no index"),
        ({"index": ["=", "x"]}, "index: . is no index"),
        ({"index": "same"}, "both called 'shop.index'; name one by NAME=PATH"),
        ({"ranker": "query-gnn"}, "ranker: 'query-gnn' reads the documents around candidates"),
        ({"indexes": ["."]}, "index: . is no index"),
        ({"indexes": []}, "index: give one at least"),
        ({"port": "taken"}, "port: cannot listen on 127.0.0.1 port [0-9]+"),
    ],
)
def test_what_hinders_its_start_is_named(shop_folder, tmp_path, service, options, message):
    (tmp_path / "empty").write_text("\n")
    (tmp_path / "twice").write_text("hush\n\nhush shop.index\n")
    (tmp_path / "other").write_text("hush\nhusk shop.index,zoo\n")
    files = {"token_file": tmp_path / options["token_file"]} if "token_file" in options else {}
    files |= {"index": [str(shop_folder)]} if options.get("index") == "same" else {}
    port = {"port": urlsplit(service).port} if "port" in options else {}
    with pytest.raises(InputError, match=message):
        serve(**{"indexes": [str(shop_folder)], "port": 0} | options | files | port)
