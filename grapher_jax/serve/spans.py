"""Spans of OpenTelemetry: of requests, of their wait for company, and of the work on them."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grapher_jax import __version__
from grapher_jax.serve.metrics import INDEX
from grapher_jax.serve.middleware import OPEN_PATHS

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

# Asked every few seconds by what watches the service.
_NOT_TRACED = (*OPEN_PATHS, "/metrics")
Begun = Callable[[int], None]


def find_tracer() -> "Tracer | None":
    """What makes spans, for whoever collects them; None where OpenTelemetry is not installed."""
    try:
        from opentelemetry import trace
    except ImportError:
        return None
    return trace.get_tracer("grapher_jax.serve", __version__)


class Traced:
    """ASGI middleware: a span for each request, within that of the client where it names one."""

    def __init__(self, app: ASGIApp, tracer: "Tracer", paths: frozenset[str]) -> None:
        """Before an application; other paths than these have one name."""
        self._app, self._tracer, self._paths = app, tracer, paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass."""
        from opentelemetry.propagate import extract
        from opentelemetry.trace import SpanKind, StatusCode

        if scope["type"] != "http" or scope["path"] in _NOT_TRACED:
            await self._app(scope, receive, send)
            return
        path = scope["path"] if scope["path"] in self._paths else "other"
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


def _decoded(header: tuple[bytes, bytes]) -> tuple[str, str]:
    return header[0].decode("latin-1"), header[1].decode("latin-1")


def step(tracer: "Tracer | None", name: str) -> AbstractContextManager[Begun | None]:
    """Spans of one step of the current request: `wait`, and of that name once its batch begins.

    Yields what is told the size of the batch when it begins; None without a tracer.
    """
    return nullcontext() if tracer is None else _step(tracer, name)


@contextmanager
def _step(tracer: "Tracer", name: str) -> Iterator[Begun]:
    from opentelemetry.context import get_current

    # The batch begins in a task of its own, which is no request's.
    around = get_current()
    spans = [tracer.start_span("wait", around)]

    def begun(size: int) -> None:
        spans[-1].end()
        spans.append(tracer.start_span(name, around, attributes={"grapher_jax.batch_size": size}))

    try:
        yield begun
    finally:
        spans[-1].end()
