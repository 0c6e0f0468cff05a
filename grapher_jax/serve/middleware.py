"""Checks of a request before it is parsed: token, size, time and JSON syntax."""

import asyncio
import hmac
import math
from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator
from typing import Any

from fastapi import HTTPException, Request, Response
from fastapi.routing import APIRoute
from pydantic_core import from_json
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grapher_jax.serve.settings import Settings, Tokens

# The key in a request's scope for the index names that its token allows; None for all.
ALLOWED = "grapher_jax.allowed"
# Health checks have no token.
OPEN_PATHS = ("/health", "/health/live")
LATER = {"retry-after": "1"}
# The memory limit for bodies, in bodies of the maximum size.
_BODIES = 16

# With 0 for every digit, every number that overflows a float contains one of these.
_DIGITS = bytes.maketrans(b"123456789E", b"000000000e")
_LARGE = (b"e000", b"e+000", b"0" * 200)


class Limits:
    """ASGI middleware that answers 400, 401, 408, 413 and 503, according to `Settings`."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """Wrap an application."""
        self._app, self._settings, self._held = app, settings, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, with limits on the size and time of its body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        settings, came, held = self._settings, 0, 0
        until = asyncio.get_running_loop().time() + settings.read_seconds
        headers = dict(scope["headers"])
        if settings.tokens and scope["path"] not in OPEN_PATHS:
            scope[ALLOWED] = _allowed_by(headers.get(b"authorization", b""), settings.tokens)
        # Refused before the body is read, and again below if the declared length was wrong.
        announced = headers.get(b"content-length", b"")
        if announced and b"transfer-encoding" in headers:
            # A proxy may use one header for the length, and this server the other.
            message = "content-length: given beside transfer-encoding; send one of them"
            raise HTTPException(400, message, {"connection": "close"})
        if announced.isdigit() and int(announced[:20]) > settings.max_body:
            raise _too_large(settings)

        async def receive_in_time() -> Message:
            nonlocal came, held
            try:
                async with asyncio.timeout_at(until if came >= 0 else None):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(
                    408,
                    f"body: not here after {settings.read_seconds:g} seconds",
                    {"connection": "close"},
                ) from None
            if message["type"] == "http.request":
                size = len(message.get("body", b""))
                came, held, self._held = came + size, held + size, self._held + size
                if came > settings.max_body:
                    raise _too_large(settings)
                if self._held > _BODIES * settings.max_body:
                    raise HTTPException(503, "busy: too many bytes wait; try again", LATER)
                if not message.get("more_body"):
                    came = -1
            return message

        try:
            await self._app(scope, receive_in_time, send)
        finally:
            self._held -= held


def _allowed_by(authorization: bytes, tokens: Tokens) -> Collection[str] | None:
    """The names of the indexes that a request may use; None for all."""
    scheme, _, given = authorization.partition(b" ")
    # All tokens are compared, so that the time does not reveal which one matched.
    fitting = [
        names
        for token, names in tokens.items()
        if hmac.compare_digest(given.strip(), token.encode())
    ]
    if scheme.lower() == b"bearer" and fitting:
        return fitting[0]
    raise HTTPException(
        401, "token: missing or wrong; send Authorization: Bearer …", {"www-authenticate": "Bearer"}
    )


def _too_large(settings: Settings) -> HTTPException:
    return HTTPException(413, f"body: more than {settings.max_body} bytes")


def place_name(place: Iterable[str | int]) -> str:
    """A location such as `documents[3].score` for the path to a value; `body` for an empty path."""
    steps = [f"[{step}]" if isinstance(step, int) else f".{step[:100]}" for step in place]
    return "".join(steps).removeprefix(".") or "body"


def _infinite(value: Any, *way: str | int) -> Iterator[tuple[str | int, ...]]:
    """The paths to numbers such as 1e400, which overflow a float."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for step, item in inner:
        if isinstance(item, float):
            if math.isinf(item):
                yield *way, step
        elif isinstance(item, dict | list):
            yield from _infinite(item, *way, step)


class StrictRequest(Request):
    """A request whose body is always read as JSON."""

    async def json(self) -> Any:
        """The body as JSON in UTF-8 with at most 200 levels of nesting.

        Raises:
            HTTPException: 400 for anything else, 422 for infinite numbers and too many documents.
        """
        body = await self.body()
        try:
            parsed = from_json(body, allow_inf_nan=False)
        except ValueError as error:
            raise HTTPException(400, f"body: no JSON: {error}") from None
        digits = body.translate(_DIGITS)
        if any(large in digits for large in _LARGE):
            for _, *place in _infinite([parsed]):
                raise HTTPException(422, f"{place_name(place)}: beyond the range of a float")
        # Before any document is validated.
        most = self.app.state.settings.max_documents
        for name in ("documents", "texts") if isinstance(parsed, dict) else ():
            given = parsed.get(name)
            if isinstance(given, list) and len(given) > most:
                raise HTTPException(422, f"{name}: {len(given)}; give {most} at most")
        return parsed


class StrictRoute(APIRoute):
    """A route with `StrictRequest`s."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, which gets a `StrictRequest`."""
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            if request.method == "POST" and kind != "application/json":
                raise HTTPException(415, "content-type: send application/json")
            coding = request.headers.get("content-encoding", "identity").lower()
            if coding != "identity":
                raise HTTPException(415, "content-encoding: send the body as it is, not packed")
            return await handler(StrictRequest(request.scope, request.receive))

        return handle
