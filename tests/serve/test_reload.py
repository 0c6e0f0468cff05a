"""A service whose index is written anew."""

import asyncio
import shutil
import signal
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

from grapher_jax.corpus import Object
from grapher_jax.errors import InputError, MissingExtraError
from grapher_jax.rankers.batching import Lane
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve import load_embedder
from grapher_jax.search import Index
from grapher_jax.serve import create_app, served_folder, service
from grapher_jax.serve.ranking import Engine
from grapher_jax.serve.served import Served
from grapher_jax.serve.served_folder import ServedFolder
from grapher_jax.serve.service import Service
from grapher_jax.serve.settings import Settings

NEW = Object("boats", "boats: boat_id, harbour, sail")
ASKED = {"query": "Which boats have a sail?", "top_n": 1}


@pytest.fixture
def folder(shop_folder, tmp_path):
    """An index of one's own, to be changed."""
    path = tmp_path / "shop.index"
    Index.load(shop_folder).save(path)
    return path


@contextmanager
def serving(folder, **options):
    app = create_app(folder, warm_up=False, **options)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def best(client):
    return client.post("/v1/search", json=ASKED).json()["results"][0]["id"]


def reload(client):
    return client.post("/v1/reload", json={})


def soon(holds):
    """Whether it holds before a minute is over."""
    until = time.monotonic() + 60
    while not holds() and time.monotonic() < until:
        time.sleep(0.05)
    return holds()


def test_a_reload_serves_what_was_added_and_forgets_what_was_deleted(folder):
    with serving(folder) as client:
        assert best(client) != "boats"
        Index.load(folder).update([NEW], delete=["songs"]).save(folder)
        assert best(client) != "boats"
        assert reload(client).json() == {"objects": 6}
        assert best(client) == "boats"
        found = client.post("/v1/search", json={"query": "title, artist", "top_n": 9}).json()
        assert "songs" not in {hit["id"] for hit in found["results"]}
        # A text that came with it is known too.
        asked = {"query": "sail", "documents": [NEW.text], "return_documents": True}
        (result,) = client.post("/v1/rerank", json=asked).json()["results"]
        assert result["document"]["id"] == "boats"


@pytest.mark.nightly
def test_a_folder_that_is_watched_is_served_as_it_changes(folder):
    with serving(folder, watch=True) as client:
        Index.load(folder).update([NEW]).save(folder)
        assert soon(lambda: best(client) == "boats")


def test_an_index_that_cannot_be_served_leaves_the_one_before(folder, caplog):
    with serving(folder, watch=True) as client:
        before = best(client)
        (folder / "manifest.json").write_text("{}")
        answer = reload(client)
        assert answer.status_code == 409
        assert "shop.index: its folder holds no index" in answer.json()["message"]
        # Where it lies is the log's alone.
        assert (
            str(folder) not in answer.text and f"{folder / 'manifest.json'}: damaged" in caplog.text
        )
        # Once more, for a state that was tried is not tried again.
        (folder / "manifest.json").write_text("[]")
        assert soon(lambda: "could not be opened anew" in caplog.text)
        assert best(client) == before


def test_a_folder_that_was_being_copied_is_tried_again(folder, monkeypatch):
    monkeypatch.setattr(served_folder, "_AGAIN_SECONDS", 0.0)
    served = ServedFolder(folder)
    late = (folder / "objects.parquet").rename(folder.parent / "objects.parquet")
    with pytest.raises(InputError):
        served.open()
    assert served.changed()
    late.rename(folder / "objects.parquet")
    served.open()
    assert not served.changed()


def test_who_leaves_before_the_end_leaves_a_change(folder, monkeypatch):
    served, reranker = ServedFolder(folder), Reranker()
    one = Served("shop", Engine(served.open(), reranker), reranker, served)
    Index.load(folder).update([NEW]).save(folder)
    reading, go_on, load = threading.Event(), threading.Event(), Index.load

    def read(path):
        reading.set()
        assert go_on.wait(60)
        return load(path)

    monkeypatch.setattr(Index, "load", read)

    async def leave():
        asked = asyncio.create_task(Service({"shop": one}, Settings()).reload([one]))
        while not reading.is_set():
            await asyncio.sleep(0)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        go_on.set()

    asyncio.run(leave())
    assert served.changed()


@pytest.mark.nightly
def test_a_service_starts_again_in_another_event_loop(folder):
    app = create_app(folder, warm_up=False)
    for _ in range(2):
        with TestClient(app) as client:
            assert client.get("/health").json() == {"status": "ready"}
            assert client.post("/v1/search", json=ASKED).status_code == 200
            assert reload(client).status_code == 200
    Index.load(folder).update([NEW]).save(folder)
    app.state.ask_reload()  # which is done when it starts again
    with TestClient(app) as client:
        assert soon(lambda: best(client) == "boats")


def test_a_service_of_which_a_part_has_ended_is_not_healthy(folder, monkeypatch, caplog):
    async def end(lane):
        if lane.name == "search":
            raise RuntimeError("out of threads")

    monkeypatch.setattr(Lane, "run", end)
    with serving(folder) as client:
        assert soon(lambda: client.get("/health").status_code == 503)
        client.app.state.ready.set()  # as at the end of a warm-up
        for path in ("/health", "/health/live"):
            answer = client.get(path)
            assert (answer.status_code, answer.json()["message"][:7]) == (503, "broken:")
    assert "out of threads" in caplog.text


@pytest.mark.nightly
def test_an_index_that_fails_in_any_way_leaves_the_others(folder, monkeypatch):
    other = folder.parent / "other.index"
    shutil.copytree(folder, other)
    load = Index.load

    def read(path):
        if Path(path) == folder:
            raise MissingExtraError("faiss is not installed")
        return load(path)

    app = create_app({"a": folder, "b": other}, warm_up=False)
    with TestClient(app, raise_server_exceptions=False) as client:
        Index.load(other).update([NEW]).save(other)
        monkeypatch.setattr(Index, "load", read)
        answer = reload(client)
        assert answer.status_code == 409
        assert answer.json()["message"].startswith("a: its folder holds no index")
        found = client.post("/v1/search", json=ASKED | {"model": "b"}).json()
        assert found["results"][0]["id"] == "boats"


def test_what_is_in_memory_has_nothing_to_reload(shop):
    with TestClient(create_app(shop, warm_up=False)) as client:
        answer = reload(client)
        assert answer.status_code == 409
        assert "from memory" in answer.json()["message"]
        answer = client.post("/v1/reload", json={"modl": "index"})
        assert (answer.status_code, "modl" in answer.json()["message"]) == (422, True)


@pytest.mark.nightly
def test_no_request_is_lost_while_the_index_changes(folder):
    changed = Index.load(folder).update([NEW])
    with serving(folder) as client, ThreadPoolExecutor(4) as pool:
        best(client)
        asked = [pool.submit(client.post, "/v1/search", json=ASKED) for _ in range(60)]
        for index in (changed, changed.update(delete=["boats"]), changed):
            index.save(folder)
            assert reload(client).status_code == 200
        assert {one.result().status_code for one in asked} == {200}
        assert best(client) == "boats"


@pytest.mark.nightly
@pytest.mark.parametrize("warm", [True, False])
def test_an_embedder_that_is_warm_is_not_warmed_up_again(folder, monkeypatch, warm):
    embeds = []

    async def take(self, steps):
        embed = load_embedder("offline").embed_queries
        embeds.append(any(step.func == embed for step in steps))
        return warm

    monkeypatch.setattr(Service, "_take", take)
    with TestClient(create_app(ServedFolder(folder))) as client:
        assert soon(lambda: client.get("/health").status_code == 200)
        assert reload(client).status_code == 200
    # The commonest requests, all others, and those after the reload.
    assert embeds == [True, True, not warm]


@pytest.mark.nightly
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="the platform has no SIGHUP")
def test_a_signal_asks_for_it_too(folder, start):
    with start(folder, "--no-watch") as (url, process), httpx.Client(base_url=url) as client:
        client.timeout = 60
        assert best(client) != "boats"
        Index.load(folder).update([NEW]).save(folder)
        process.send_signal(signal.SIGHUP)
        assert soon(lambda: best(client) == "boats")


@pytest.mark.nightly
def test_an_index_whose_own_edges_have_changed_is_served(folder):
    def joined_by(edges):
        index = Index.load(folder)
        index.with_edges(edges).save(folder)

    joined_by({"cites": "reference"})
    # As the command line takes the edges of an index.
    given = {"shop.index": Reranker(edges={"cites": "reference"})}
    app = create_app({"shop.index": ServedFolder(folder)}, given, warm_up=False)
    with TestClient(app, raise_server_exceptions=False) as client:
        for edges in ({}, {"quotes": "reference"}, {"quotes": "shared"}):
            joined_by(edges)
            assert reload(client).status_code == 200
            assert app.state.served["shop.index"].engine.index.edges == edges


@pytest.mark.nightly
def test_an_index_that_could_be_opened_but_not_served_is_tried_again(folder, monkeypatch):
    monkeypatch.setattr(served_folder, "_AGAIN_SECONDS", 0.0)
    app = create_app(folder, warm_up=False)
    with TestClient(app, raise_server_exceptions=False) as client:
        served = app.state.served["shop.index"]
        with monkeypatch.context() as patched:
            patched.setattr(Engine, "_check_needs", lambda _: served.folder.path.missing)
            assert reload(client).status_code == 409
        assert served.folder.changed()
        assert reload(client).status_code == 200
        assert not served.folder.changed()


@pytest.mark.nightly
def test_a_reload_frees_the_index_from_before(folder):
    app = create_app(folder, warm_up=False)
    with TestClient(app, raise_server_exceptions=False) as client:
        best(client)
        before = weakref.ref(app.state.served["shop.index"].engine.index)
        Index.load(folder).update([NEW]).save(folder)
        assert reload(client).status_code == 200
        assert before() is None


@pytest.mark.nightly
def test_steps_that_cannot_be_made_do_not_keep_a_service_from_starting(folder, monkeypatch, caplog):
    def fails(*_, **__):
        raise OSError("the disk is gone")
        yield

    monkeypatch.setattr(service, "common_steps", fails)
    monkeypatch.setattr(service, "all_steps", fails)
    app = create_app(folder)
    with TestClient(app, raise_server_exceptions=False) as client:
        assert soon(lambda: client.get("/health").status_code == 200)
    assert "the disk is gone" in caplog.text
