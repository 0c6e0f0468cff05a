"""The service in the process of a test, and the ways to ask it."""

import threading
from contextlib import contextmanager

from starlette.testclient import TestClient

from grapher_jax.rankers.fixed_point import FixedPoint
from grapher_jax.serve import Settings, create_app


@contextmanager
def serving(shop, reranker=None, **settings):
    # Nothing here is known to be compiled, which a busy machine may take long for.
    chosen = Settings(**{"answer_seconds": 600.0} | settings)
    app = create_app(shop, reranker, chosen, warm_up=False)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def rerank(client, documents, **more):
    return client.post("/v1/rerank", json={"query": "who?", "documents": documents} | more)


def post(client, body, path="/v1/rerank"):
    return client.post(path, content=body, headers={"content-type": "application/json"})


def check_problem(response, status, message):
    assert response.status_code == status, response.text
    problem = response.json()
    assert set(problem) == {"message", "id"}
    assert message in problem["message"]
    assert len(problem["message"]) <= 500
    for leak in ("Traceback", "site-packages", "grapher_jax/", "File "):
        assert leak not in response.text


class Held(FixedPoint):
    """A ranker that waits until it is let go, and then may fail."""

    begun, open = threading.Event(), threading.Event()
    failure: Exception | None = None

    def prepare(self, *arguments):
        self.begun.set()
        assert self.open.wait(20)
        if self.failure:
            raise self.failure
        return super().prepare(*arguments)


BASE = {
    "name": "base",
    "temperature": None,
    "alpha": None,
    "weights": None,
    "max_df": 8,
    "tol": 1e-6,
    "max_steps": 9,
}
