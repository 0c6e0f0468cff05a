"""Metrics for Prometheus, and the last handler of unexpected errors."""

import json
import logging
import os
import secrets
import time
from collections.abc import Callable, Collection, Mapping

from fastapi import HTTPException, Response
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grapher_jax.errors import shorten
from grapher_jax.serve.settings import SHARED_METRICS

log = logging.getLogger("grapher_jax.serve")
_SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
# The key in a request's scope for the name of the requested index.
INDEX = "grapher_jax.index"
# The maximum length of a message; it may quote values as long as a body.
_LONGEST = 500


class Metrics:
    """The counters and timers of one service, whose processes add up theirs.

    Attributes:
        shared: whether there are other processes.
    """

    def __init__(self) -> None:
        """Create all metrics, at 0."""
        self.registry = CollectorRegistry()
        self._exposed, self._followed = self.registry, dict[Gauge, Callable[[], float]]()
        self.shared = bool(os.environ.get(SHARED_METRICS))
        if self.shared:
            self._exposed = CollectorRegistry()
            MultiProcessCollector(self._exposed)  # type: ignore[no-untyped-call]
        ProcessCollector(registry=self.registry)
        self.requests = Counter(
            "grapher_jax_requests",
            "Requests answered.",
            ["path", "status", "index"],
            registry=self.registry,
        )
        self.seconds = Histogram(
            "grapher_jax_request_seconds",
            "From a request's head to the end of its answer.",
            ["path", "index"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.batches = Histogram(
            "grapher_jax_batch_size",
            "Requests worked through together.",
            ["lane"],
            buckets=(1, 2, 4, 8, 16, 32, 64),
            registry=self.registry,
        )
        self.waiting = Gauge(
            "grapher_jax_queue_depth",
            "Requests that wait.",
            ["lane"],
            registry=self.registry,
            multiprocess_mode="livesum",
        )
        self.objects = Gauge(
            "grapher_jax_objects",
            "Objects of an index, as it is served now.",
            ["index"],
            registry=self.registry,
            multiprocess_mode="livemax",
        )
        self.reloads = Counter(
            "grapher_jax_reloads",
            "How often an index was opened anew, or could not be.",
            ["index", "outcome"],
            registry=self.registry,
        )
        self.programs = Gauge(
            "grapher_jax_programs",
            "Compiled programs that are held.",
            registry=self.registry,
            multiprocess_mode="livesum",
        )

    def follow(self, gauge: Gauge, value: Callable[[], float]) -> None:
        """Set a gauge by a function, whenever `read` is called."""
        self._followed[gauge] = value

    def read(self) -> None:
        """Set the gauges that follow a function; other processes see them as they are now."""
        for gauge, value in self._followed.items():
            gauge.set(value())

    def page(self) -> bytes:
        """All metrics, in the text format of Prometheus."""
        self.read()
        return generate_latest(self._exposed)


def problem(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """An error response: a message, and the id under which the log may have details."""
    identity = secrets.token_hex(8)
    if status in (500, 502):
        log.exception("request %s failed", identity)
    # Characters that cannot be encoded came from a client.
    line = shorten(" ".join(message.split()), _LONGEST).encode("utf-8", "replace").decode()
    content = json.dumps({"message": line, "id": identity}, ensure_ascii=False)
    return Response(content, status, headers, "application/json")


def known_path(scope: Scope, paths: Collection[str]) -> str:
    """The path of a request; all that the service does not know have one name."""
    path: str = scope["path"]
    return path if path in paths else "other"


class Counted:
    """ASGI middleware that counts and times requests; uncaught errors become status 500."""

    def __init__(self, app: ASGIApp, metrics: Metrics, paths: frozenset[str]) -> None:
        """Wrap an application; all paths except these count as one."""
        self._app, self._metrics, self._paths = app, metrics, paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, began = 0, time.perf_counter()

        async def told(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._app(scope, receive, told)
        except HTTPException as error:
            await problem(error.status_code, error.detail, error.headers)(scope, receive, told)
        except Exception:  # noqa: BLE001
            response = problem(500, "something went wrong in the service; its log says what")
            if not status:
                await response(scope, receive, told)
        finally:
            path = known_path(scope, self._paths)
            index = scope.get(INDEX, "")
            self._metrics.requests.labels(path, status, index).inc()
            self._metrics.seconds.labels(path, index).observe(time.perf_counter() - began)
