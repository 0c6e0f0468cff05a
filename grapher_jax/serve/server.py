"""The server: uvicorn with deadlines for what it waits for without end."""

import asyncio
import signal
import socket
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from grapher_jax.errors import InputError

_HEAD_BYTES = 1 << 16
# For requests that are in flight when the service is told to end.
_GRACE_SECONDS = 30


class Protocol(HttpToolsProtocol):
    """HTTP/1.1 from clients that send a request's head in time, and no endless one."""

    read_seconds = 10.0
    _clock: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _head = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        # Writing pauses as soon as anything waits for the client to read.
        transport.set_write_buffer_limits(high=0)
        self._await_head()

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

    def on_message_begin(self) -> None:
        """Wait for the rest of a head."""
        super().on_message_begin()
        self._await_head()

    def on_headers_complete(self) -> None:
        """Leave the rest to the application."""
        self._stop()
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        """Read on, while there is room for a head."""
        before, idle = self._clock, self.timeout_keep_alive_task
        super().data_received(data)
        if self.transport.is_closing():
            return
        # What came with the end of another request is not counted.
        self._head = self._head + len(data) if self._clock is before is not None else 0
        if self._head > _HEAD_BYTES:
            self.send_400_response("Too long a head.")
        elif idle is not None and self.cycle.response_complete and self._clock is None:
            # The rest of a body that was refused is read, lest the client miss why; not for ever.
            self._unset_keepalive_if_required()
            self.timeout_keep_alive_task = self.loop.call_at(
                idle.when(), self.timeout_keep_alive_handler
            )

    def _await_head(self) -> None:
        self._stop()
        self._clock = self.loop.call_later(self.read_seconds, self.timeout_keep_alive_handler)

    def _stop(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _stop_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


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


def run(app: FastAPI, listening: socket.socket, *, read_seconds: float) -> None:
    """Serve until told to end; then finish what is in flight."""
    config = uvicorn.Config(
        app,
        http=type("Protocol", (Protocol,), {"read_seconds": read_seconds}),
        ws="none",
        access_log=False,
        log_level="warning",
        server_header=False,
        # Longer than clients keep connections that they do not use.
        timeout_keep_alive=30,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )

    def ended(*_: Any) -> None:
        """Uvicorn raises the signal again when it has ended, and the process shall end well."""

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, ended)
    uvicorn.Server(config).run(sockets=[listening])
