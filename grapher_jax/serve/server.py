"""The server: uvicorn, with an end to all that it waits for and all that it keeps."""

import asyncio
import signal
import socket
from collections.abc import Callable
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol

from grapher_jax.errors import InputError

_HEAD_BYTES = 1 << 14
# From an answer to the next head, and for an answer to be read: longer than clients keep
# connections that they do not use.
_IDLE_SECONDS = 30
# Between requests of a connection that sends them without waiting for answers, lest others wait.
_PAUSE_SECONDS = 0.01
# For requests that were sent before the service is told to end, and not yet read.
_LAST_SECONDS = 0.5
# For those that are in flight then.
_GRACE_SECONDS = 30


class _Flow(FlowControl):
    """Reads on while a client has a request to finish, and while nothing of the next is here.

    So it is seen that a client leaves, and few bytes are held of one that sends ahead.
    """

    # uvloop's transports are none of asyncio's by their type.
    def __init__(self, transport: Any, conn: h11.Connection) -> None:
        super().__init__(transport)
        self._conn = conn

    def resume_reading(self) -> None:
        waits = self._conn.their_state is h11.DONE and not self._conn.trailing_data[0]
        if waits or self._conn.their_state in (h11.IDLE, h11.SEND_BODY):
            super().resume_reading()


class Protocol(H11Protocol):
    """HTTP/1.1, one request at a time, from clients that ask in time and read their answers."""

    read_seconds = 10.0
    _clock: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for the first request."""
        super().connection_made(transport)
        # Writing pauses as soon as anything waits for the client to read.
        transport.set_write_buffer_limits(high=0)
        self.flow = _Flow(transport, self.conn)
        self._await_head(self.loop.time() + self.read_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing."""
        self._stop()
        self._stop_unread()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait for the client to read; not for ever."""
        super().pause_writing()
        self._unread = self.loop.call_later(self.timeout_keep_alive, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: the client has read."""
        self._stop_unread()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        """Leave a request whose head is here to the application."""
        # In parts, for a head within one of them has no other end.
        for start in range(0, len(data), _HEAD_BYTES):
            if not self.transport.is_closing():
                super().data_received(data[start : start + _HEAD_BYTES])
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()

    def on_response_complete(self) -> None:
        """Turn to the next request; where that is here already, after others had their turn."""
        if self.conn.trailing_data[0]:
            self.loop.call_later(_PAUSE_SECONDS, self._go_on)
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Wait for the next request, and for the rest of a body that was refused; not for ever."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self.flow.resume_reading()
            if self.cycle.response_complete:
                self._await_head(self.loop.time() + self.timeout_keep_alive)

    def _await_head(self, until: float) -> None:
        self._stop()
        self._clock = self.loop.call_at(until, self.transport.close)

    def _stop(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _stop_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class Server(uvicorn.Server):
    """Told to end, it first reads what was sent before."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let in and read what was sent, take no more, and answer what is in flight."""
        await asyncio.sleep(_LAST_SECONDS)
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        InputError: where that cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        raise InputError(f"port: cannot listen on {host} port {port}: {error}") from error


def server(app: ASGIApp, *, read_seconds: float, idle_seconds: int = _IDLE_SECONDS) -> Server:
    """The server of an application, for `run(sockets=…)`.

    Args:
        app: what answers.
        read_seconds: in which a connection's first head must have come.
        idle_seconds: in which the next must have come after an answer, and an answer be read.
    """

    async def until_the_end(scope: Scope, receive: Receive, send: Send) -> None:
        """The application; its answers end their connections as soon as the server is to end."""

        async def last(message: Message) -> None:
            if message["type"] == "http.response.start" and made.should_exit:
                headers = [*message.get("headers", ()), (b"connection", b"close")]
                message = {**message, "headers": headers}
            await send(message)

        await app(scope, receive, last)

    made = Server(
        uvicorn.Config(
            until_the_end,
            http=type("Protocol", (Protocol,), {"read_seconds": read_seconds}),
            ws="none",
            access_log=False,
            log_level="warning",
            server_header=False,
            h11_max_incomplete_event_size=_HEAD_BYTES,
            timeout_keep_alive=idle_seconds,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
    )
    return made


def run(
    app: ASGIApp,
    listening: socket.socket,
    *,
    read_seconds: float,
    hung_up: Callable[[], None] | None = None,
) -> None:
    """Serve until told to end; then finish what is in flight.

    Args:
        app: what answers.
        listening: where.
        read_seconds: see `server`.
        hung_up: called on SIGHUP, where the platform has it.

    Raises:
        KeyboardInterrupt: where a person ended it, once all is finished.
    """

    def ended(*_: Any) -> None:
        """Uvicorn raises the signal again when it has ended, and the process shall end well."""

    signal.signal(signal.SIGTERM, ended)
    if hung_up is not None and hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, lambda *_: hung_up())
    server(app, read_seconds=read_seconds).run(sockets=[listening])
