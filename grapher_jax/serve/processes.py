"""Several processes behind one port: each is a whole service, and Linux shares out connections."""

import asyncio
import json
import os
import signal
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Collection
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field

import typer
from fastapi import FastAPI

from grapher_jax.errors import InputError
from grapher_jax.files import parse_json
from grapher_jax.serve.server import BACKLOG, bind, listen
from grapher_jax.serve.settings import SHARED_METRICS

# What a process of the group finds in its environment: its role, the port, and the socket by which
# it talks with the process that started it.
_MEMBER = "GRAPHER_JAX_MEMBER"
_FIRST, _FURTHER = "first", "further"
# The pause before a process that ended is replaced; doubled each time that one was never ready.
_PAUSE_SECONDS, _LONGEST_PAUSE = 1.0, 30.0


def _line(**told: object) -> bytes:
    return json.dumps(told).encode() + b"\n"


@dataclass(frozen=True)
class Member:
    """What a process of a group knows of itself.

    Attributes:
        port: the port of the group.
        first: whether it listens at once and tells of the service. The others listen when they are
            ready, so that no request waits for their programs.
        channel: the socket to the process that started it.
    """

    port: int
    first: bool
    channel: socket.socket

    @staticmethod
    def from_environment() -> "Member | None":
        """This process as a member; None if it belongs to no group, and counts for itself alone."""
        told = os.environ.pop(_MEMBER, "")
        if not told:
            for name in (SHARED_METRICS, SHARED_METRICS.lower()):
                os.environ.pop(name, None)
            return None
        role, port, channel = told.split()
        return Member(int(port), role == _FIRST, socket.socket(fileno=int(channel)))

    def open(self, host: str) -> socket.socket:
        """This process's socket on the port of the group.

        Raises:
            InputError: if that is not possible.
        """
        made = bind(host, self.port)
        if self.first:
            made.listen(BACKLOG)
        return made

    def join(self, app: FastAPI) -> None:
        """Make a service from `create_app` tell the group when it is ready and what it reloads."""
        inner = app.router.lifespan_context

        @asynccontextmanager
        async def lifespan(app: FastAPI) -> AsyncIterator[None]:
            async with inner(app):
                reader, writer = await asyncio.open_connection(sock=self.channel)

                def reloaded(names: Collection[str]) -> None:
                    writer.write(_line(reload=[*names]))

                async def tell() -> None:
                    await app.state.ready.wait()
                    writer.write(_line(ready=True))

                app.state.reloaded = reloaded
                tasks = [asyncio.create_task(one) for one in (tell(), _obey(app, reader))]
                if not self.first:
                    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                try:
                    yield
                finally:
                    for task in tasks:
                        task.cancel()
                    writer.close()

        app.router.lifespan_context = lifespan


async def _obey(app: FastAPI, reader: asyncio.StreamReader) -> None:
    """Reload what the group says; end when it has ended."""
    while line := await reader.readline():
        app.state.ask_reload(parse_json(line.decode())["reload"])
    os.kill(os.getpid(), signal.SIGTERM)


def oversee(count: int, host: str, port: int) -> int:
    """Runs this process's command line in several processes until a signal ends them all.

    The first one starts alone, so that the others find its programs. Each has its share of the
    cores, since threads of several on one core wait for each other. One that ends by itself is
    replaced. SIGHUP makes all reload.

    Returns:
        The exit status; that of the first process if it ended before it was ready.

    Raises:
        InputError: on other systems than Linux, or if the port cannot be used.
        KeyboardInterrupt: if interrupted by a user, after all have ended.
    """
    if sys.platform != "linux":
        raise InputError(f"processes: {count} share a port only on Linux; start one")
    if port:
        # The port is shared with processes of this service alone.
        listen(host, port).close()
    # Whoever started this process may have had it ignored, and then no end would be told.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with (
        bind(host, port) as held,
        tempfile.TemporaryDirectory(prefix="grapher-jax-") as metrics,
    ):
        return asyncio.run(_Group(count, held.getsockname()[1], metrics).run())


@dataclass(eq=False)
class _Process:
    """A running process of a group; `listens` means that it may have connections."""

    process: asyncio.subprocess.Process
    writer: asyncio.StreamWriter
    listens: bool


@dataclass
class _Group:
    """The processes of one service.

    Attributes:
        count: how many there should be.
        port: their port.
        metrics: the folder of their metrics.
        running: those that run, by their numbers.
        slots: the tasks that keep one process of each number running.
        ready: set once any of them was ready.
        ended_by: the signal that ended the group; 0 before.
    """

    count: int
    port: int
    metrics: str
    running: dict[int, _Process] = field(default_factory=dict)
    slots: list[asyncio.Task[int]] = field(default_factory=list)
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    ended_by: int = 0

    async def run(self) -> int:
        """Keep all running until a signal ends them; see `oversee`."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._end, number)
        loop.add_signal_handler(signal.SIGHUP, self._send, _line(reload=None))
        self.slots = [asyncio.create_task(self._keep(number)) for number in range(self.count)]
        # None ends before the group does, except a first one that never was ready.
        await asyncio.wait(self.slots, return_when=asyncio.FIRST_COMPLETED)
        self._cancel_idle()
        status, *_ = await asyncio.gather(*self.slots, return_exceptions=True)
        if self.ended_by == signal.SIGINT:
            raise KeyboardInterrupt
        return 0 if self.ended_by or not isinstance(status, int) else max(status, 1)

    async def _keep(self, number: int) -> int:
        """Keep the process of this number running; returns the status of its last one."""
        if number:
            await self.ready.wait()
        role, pause = _FURTHER if number else _FIRST, _PAUSE_SECONDS
        while True:
            try:
                status, listened = await self._run_one(number, role)
            except OSError as error:
                typer.echo(f"a process could not be started: {error}", err=True)
                status, listened = 1, False
            if self.ended_by or not self.ready.is_set():
                return status
            typer.echo(f"a process ended with status {status}; another starts", err=True)
            await asyncio.sleep(pause)
            pause = _PAUSE_SECONDS if listened else min(2 * pause, _LONGEST_PAUSE)
            role = _FURTHER

    async def _run_one(self, number: int, role: str) -> tuple[int, bool]:
        """Run a process to its end; returns its status, and whether it has listened."""
        ours, theirs = socket.socketpair()
        with ExitStack() as unless_started, theirs:
            unless_started.callback(ours.close)
            own = {_MEMBER: f"{role} {self.port} {theirs.fileno()}", SHARED_METRICS: self.metrics}
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *sys.orig_argv[1:],
                env={**os.environ, **own},
                pass_fds=(theirs.fileno(),),
                # Ctrl-C in a terminal is for this process, which ends the others.
                process_group=0,
            )
            unless_started.pop_all()
        try:
            return await self._accompany(number, role, process, ours)
        except asyncio.CancelledError:
            # The group has ended before this process was known to it.
            process.kill()
            await process.wait()
            raise

    async def _accompany(
        self, number: int, role: str, process: asyncio.subprocess.Process, ours: socket.socket
    ) -> tuple[int, bool]:
        """Listen to a process until it ends."""
        from prometheus_client.multiprocess import mark_process_dead

        cores = sorted(os.sched_getaffinity(0))
        if len(cores) >= self.count:
            # Its threads, which it starts later, inherit this.
            with suppress(OSError):
                os.sched_setaffinity(process.pid, cores[number :: self.count])
        reader, writer = await asyncio.open_connection(sock=ours)
        one = self.running[number] = _Process(process, writer, role == _FIRST)
        with suppress(ConnectionError):
            while line := await reader.readline():
                self._hear(one, line)
        status = await process.wait()
        del self.running[number]
        writer.close()
        mark_process_dead(process.pid, self.metrics)  # type: ignore[no-untyped-call]
        return status, one.listens

    def _hear(self, one: _Process, line: bytes) -> None:
        if parse_json(line.decode()).get("ready"):
            one.listens = True
            self.ready.set()
        else:
            self._send(line, but=one)

    def _send(self, line: bytes, *, but: _Process | None = None) -> None:
        for one in self.running.values():
            if one is not but:
                one.writer.write(line)

    def _end(self, number: int) -> None:
        """End all: those that listen finish their requests, the others have none."""
        self.ended_by = self.ended_by or number
        for one in self.running.values():
            with suppress(ProcessLookupError):
                one.process.send_signal(signal.SIGTERM if one.listens else signal.SIGKILL)
        self._cancel_idle()

    def _cancel_idle(self) -> None:
        """Cancel the tasks whose process does not run."""
        for number, slot in enumerate(self.slots):
            if number not in self.running:
                slot.cancel()
