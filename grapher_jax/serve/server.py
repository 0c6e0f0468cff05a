"""The server: uvicorn, with limits for everything that it waits for and keeps."""

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol

from grapher_jax.errors import InputError

_HEAD_BYTES = 1 << 14
# Seconds from an answer to the next request, and for a client to read an answer: longer than
# clients keep unused connections.
_IDLE_SECONDS = 30
# The pause between requests of a connection that does not wait for answers, so that others get
# their turn.
_PAUSE_SECONDS = 0.01
# Time for requests that were sent before shutdown, but not yet read.
_LAST_SECONDS = 0.5
# Connections that wait to be accepted.
BACKLOG = 2048
# Time for requests in progress at shutdown.
_GRACE_SECONDS = 30


class _Flow(FlowControl):
    """Flow control: reads until a request is complete, and until the next one begins.

    So a closed connection is noticed, and few bytes are buffered for a client that sends ahead.
    """

    # uvloop's transports are not subclasses of asyncio's.
    def __init__(self, transport: Any, conn: h11.Connection) -> None:
        super().__init__(transport)
        self._conn = conn

    def resume_reading(self) -> None:
        waits = self._conn.their_state is h11.DONE and not self._conn.trailing_data[0]
        if waits or self._conn.their_state in (h11.IDLE, h11.SEND_BODY):
            super().resume_reading()


class Protocol(H11Protocol):
    """HTTP/1.1, one request at a time, with time limits for requests and for reading answers."""

    read_seconds = 10.0
    _clock: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for the first request."""
        super().connection_made(transport)
        # Writing pauses as soon as any data waits for the client.
        transport.set_write_buffer_limits(high=0)
        self.flow = _Flow(transport, self.conn)
        self._await_head(self.loop.time() + self.read_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers."""
        self._stop()
        self._stop_unread()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait for the client to read, with a time limit."""
        super().pause_writing()
        self._unread = self.loop.call_later(self.timeout_keep_alive, self.transport.abort)

    def resume_writing(self) -> None:
        """Continue, because the client has read."""
        self._stop_unread()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        """Pass a request to the application once its head has arrived."""
        # In parts, because otherwise a head without an end would have no limit.
        for start in range(0, len(data), _HEAD_BYTES):
            if not self.transport.is_closing():
                super().data_received(data[start : start + _HEAD_BYTES])
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()

    def on_response_complete(self) -> None:
        """Continue with the next request; after others, if it has already arrived."""
        if self.conn.trailing_data[0]:
            self.loop.call_later(_PAUSE_SECONDS, self._go_on)
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Wait for the next request or the rest of a refused body, with a time limit."""
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
    """A server that, at shutdown, first reads the requests already sent."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept and read what was already sent, then stop accepting and finish open requests."""
        await asyncio.sleep(_LAST_SECONDS)
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Opens a listening socket.

    Args:
        host: an address of this machine.
        port: 0 for any free port.

    Raises:
        InputError: if that is not possible.
    """
    with _named(host, port):
        made = socket.create_server((host, port), family=_family(host), backlog=BACKLOG)
    return _prompt(made)


def bind(host: str, port: int) -> socket.socket:
    """Binds a socket to a port that other processes may bind, too; it does not listen yet."""
    made = socket.socket(_family(host))
    with _named(host, port), ExitStack() as failed:
        failed.push(made)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if made.family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind((host, port))
        failed.pop_all()
    return _prompt(made)


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _prompt(listening: socket.socket) -> socket.socket:
    """Let its connections send at once: asyncio alone, without uvloop, makes answers wait 40 ms."""
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


@contextmanager
def _named(host: str, port: int) -> Iterator[None]:
    """Errors name the address."""
    try:
        yield
    except (OSError, OverflowError) as error:
        raise InputError(f"port: cannot listen on {host} port {port}: {error}") from error


def address(host: str, listening: socket.socket) -> str:
    """The URL of a socket from `listen`, without a slash at the end."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listening.getsockname()[1]}"


def server(app: ASGIApp, *, read_seconds: float, idle_seconds: int = _IDLE_SECONDS) -> Server:
    """Creates the server of an application, for `run(sockets=…)`.

    Args:
        app: the application.
        read_seconds: the time limit for the first request head of a connection.
        idle_seconds: the time limit for the next request head, and for reading an answer.
    """

    async def until_the_end(scope: Scope, receive: Receive, send: Send) -> None:
        """The application; closes connections after answers once the server shuts down."""

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


def log_with_times() -> None:
    """Write the log of the service to standard error, from INFO on, each line with its time."""
    log = logging.getLogger("grapher_jax.serve")
    log.setLevel(logging.INFO)
    if not log.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        log.addHandler(handler)


def run(
    app: ASGIApp,
    listening: socket.socket,
    *,
    read_seconds: float,
    hung_up: Callable[[], None] | None = None,
) -> None:
    """Serve until a signal ends the server; then finish open requests.

    Args:
        app: the application.
        listening: the listening socket.
        read_seconds: see `server`.
        hung_up: called on SIGHUP, if the platform has it.

    Raises:
        KeyboardInterrupt: if interrupted by a user, after everything is finished.
    """
    made = server(app, read_seconds=read_seconds)

    def ended(*_: Any) -> None:
        """End, also before uvicorn listens to signals; it raises them again at its own end."""
        made.should_exit = True

    signal.signal(signal.SIGTERM, ended)
    if hung_up is not None and hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, lambda *_: hung_up())
    made.run(sockets=[listening])
