"""OpenTelemetry spans for requests, for their time in a queue, and for the work on them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grapher_jax import __version__
from grapher_jax.serve.metrics import INDEX, known_path
from grapher_jax.serve.middleware import OPEN_PATHS

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

# Paths without spans, because monitoring requests them every few seconds.
_NOT_TRACED = (*OPEN_PATHS, "/metrics")


def find_tracer() -> "Tracer | None":
    """The tracer that creates spans; None if OpenTelemetry is not installed."""
    try:
        from opentelemetry import trace
    except ImportError:
        return None
    return trace.get_tracer("grapher_jax.serve", __version__)


class Traced:
    """ASGI middleware: a span per request, within the client's span if it sends one."""

    def __init__(self, app: ASGIApp, tracer: "Tracer", paths: frozenset[str]) -> None:
        """Wrap an application; all paths except these share one name."""
        self._app, self._tracer, self._paths = app, tracer, paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        from opentelemetry.propagate import extract
        from opentelemetry.trace import SpanKind, StatusCode

        if scope["type"] != "http" or scope["path"] in _NOT_TRACED:
            await self._app(scope, receive, send)
            return
        path = known_path(scope, self._paths)
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        with self._tracer.start_as_current_span(
            f"{scope['method']} {path}",
            extract(headers),
            SpanKind.SERVER,
            {"http.request.method": scope["method"], "http.route": path},
        ) as span:

            async def told(message: Message) -> None:
                if status := message.get("status"):
                    span.set_attribute("http.response.status_code", status)
                    if status >= 500:
                        span.set_status(StatusCode.ERROR)
                await send(message)

            await self._app(scope, receive, told)
            if INDEX in scope:
                span.set_attribute("grapher_jax.index", scope[INDEX])


class Steps:
    """The spans of a request in a lane, one after the other.

    A lane's task and thread belong to no request, so all spans have the initially current span as
    parent.
    """

    def __init__(self, tracer: "Tracer", name: str) -> None:
        """Start the waiting span; the step with this name comes next."""
        from opentelemetry.context import get_current

        self._tracer, self._name, self._around = tracer, name, get_current()
        self._span, self._ended = tracer.start_span("wait", self._around), False

    def begun(self, size: int) -> None:
        """The request's batch, of this size, begins."""
        self.then(self._name)
        self._span.set_attribute("grapher_jax.batch_size", size)

    def then(self, name: str) -> None:
        """End the previous step, and begin this one; nothing if the request was cancelled."""
        if not self._ended:
            self._span.end()
            self._span = self._tracer.start_span(name, self._around)

    def end(self) -> None:
        """End the last step."""
        self._ended = True
        self._span.end()


@contextmanager
def steps(tracer: "Tracer | None", name: str) -> Iterator[Steps | None]:
    """Creates spans in this context: `wait`, then one with this name once the batch begins."""
    made = None if tracer is None else Steps(tracer, name)
    try:
        yield made
    finally:
        if made:
            made.end()
