"""Several processes behind one port: each is a whole service, and Linux shares out connections."""

import asyncio
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import typer
from fastapi import FastAPI

from grapher_jax.errors import InputError
from grapher_jax.serve.metrics import SHARED
from grapher_jax.serve.server import bind

# What a process of the group finds in its environment: its role, the port, and its parent.
_MEMBER = "GRAPHER_JAX_MEMBER"
_FIRST, _FURTHER = "first", "further"
_PAUSE_SECONDS = 1.0
_SIGTERM_ON_PARENT_DEATH = 1


@dataclass(frozen=True)
class Member:
    """What a process of a group knows of itself.

    Attributes:
        port: the port of the group.
        first: whether it listens at once and tells of the service. The others listen when they are
            warm, so that no request waits for their programs.
    """

    port: int
    first: bool

    @staticmethod
    def from_environment() -> "Member | None":
        """This process as a member; None if it belongs to no group.

        Raises:
            typer.Exit: if the group has ended meanwhile.
        """
        told = os.environ.pop(_MEMBER, "")
        if not told:
            return None
        role, port, parent = told.split()
        ctypes.CDLL(None).prctl(_SIGTERM_ON_PARENT_DEATH, signal.SIGTERM)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _heard())
        if os.getppid() != int(parent):
            raise typer.Exit(1)
        return Member(int(port), role == _FIRST)

    def join(self, app: FastAPI) -> None:
        """Make a service from `create_app` tell the group when it is ready and when it reloads."""
        inner = app.router.lifespan_context

        async def tell() -> None:
            await app.state.ready.wait()
            os.kill(os.getppid(), signal.SIGRTMIN)

        @asynccontextmanager
        async def lifespan(app: FastAPI) -> AsyncIterator[None]:
            async with inner(app):
                told = asyncio.create_task(tell())
                if not self.first:
                    await told
                yield

        app.router.lifespan_context = lifespan
        app.state.reloaded = lambda: os.kill(os.getppid(), signal.SIGHUP)


def oversee(count: int, host: str, port: int) -> int:
    """Runs this process's command line in several processes until a signal ends them all.

    The first one starts alone, so that the others find its programs. Each has its share of the
    cores, since threads of several on one core wait for each other. One that ends by itself is
    replaced. SIGHUP reaches all.

    Returns:
        The exit status; that of the first process if it ended before it was ready.

    Raises:
        InputError: on other systems than Linux, or if the port cannot be used.
        KeyboardInterrupt: if interrupted by a user, after all have ended.
    """
    if sys.platform != "linux":
        raise InputError(f"processes: {count} share a port only on Linux; start one")
    with (
        bind(host, port) as held,
        tempfile.TemporaryDirectory(prefix="grapher-jax-") as metrics,
    ):
        signal.pthread_sigmask(signal.SIG_BLOCK, _heard())
        return _Group(count, held.getsockname()[1], metrics).run()


def _heard() -> set[int]:
    """The signals that a group waits for; a process queues those of `SIGRTMIN`, one per sender."""
    return {
        signal.SIGCHLD,
        signal.SIGHUP,
        signal.SIGINT,
        signal.SIGTERM,
        signal.SIGRTMIN,
    }


@dataclass
class _Group:
    """The processes of one service.

    Attributes:
        count: how many there should be.
        port: their port.
        metrics: the folder of their metrics.
        running: each with its number.
        listening: the ids of those that may have connections.
        ready: whether any of them was ready at any time.
        ended_by: the signal that ended the group; 0 before.
    """

    count: int
    port: int
    metrics: str
    running: dict[subprocess.Popen[bytes], int] = field(default_factory=dict)
    listening: set[int] = field(default_factory=set)
    ready: bool = False
    ended_by: int = 0

    def run(self) -> int:
        """Start all, and wait for signals until none runs; see `oversee`."""
        self.listening.add(self._start(_FIRST))
        status = 0
        while self.running:
            heard = signal.sigwaitinfo(_heard())
            if heard.si_signo == signal.SIGRTMIN:
                self.ready = True
                self.listening.add(heard.si_pid)
                self._fill()
            elif heard.si_signo == signal.SIGCHLD:
                status = self._bury()
            elif heard.si_signo == signal.SIGHUP:
                self._send(signal.SIGHUP, but=heard.si_pid)
            else:
                self._end(heard.si_signo)
        if self.ended_by == signal.SIGINT:
            raise KeyboardInterrupt
        return 0 if self.ready or self.ended_by else status or 1

    def _start(self, role: str) -> int:
        command = [sys.executable, "-m", "grapher_jax", *sys.argv[1:]]
        own = {_MEMBER: f"{role} {self.port} {os.getpid()}", SHARED: self.metrics}
        process = subprocess.Popen(command, env={**os.environ, **own})  # noqa: S603
        number = min({*range(self.count)}.difference(self.running.values()))
        self.running[process] = number
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) >= self.count:
            # Its threads, which it starts later, inherit this.
            with suppress(ProcessLookupError):
                os.sched_setaffinity(process.pid, cores[number :: self.count])
        return process.pid

    def _fill(self) -> None:
        while self.ready and not self.ended_by and len(self.running) < self.count:
            self._start(_FURTHER)

    def _bury(self) -> int:
        """Replace those that have ended; returns the status of the last."""
        from prometheus_client.multiprocess import mark_process_dead

        status = 0
        for one in [one for one in self.running if one.poll() is not None]:
            status = one.returncode
            del self.running[one]
            mark_process_dead(one.pid, self.metrics)  # type: ignore[no-untyped-call]
            self.listening.discard(one.pid)
            if self.ready and not self.ended_by:
                told = f"process {one.pid} ended with status {status}; another starts"
                typer.echo(told, err=True)
                time.sleep(_PAUSE_SECONDS)
        self._fill()
        return max(status, 0)

    def _send(self, number: int, *, but: int = 0) -> None:
        for one in self.running:
            if one.pid != but:
                one.send_signal(number)

    def _end(self, number: int) -> None:
        """End all: those that listen finish their requests, the others have none."""
        self.ended_by = number
        for one in self.running:
            one.send_signal(signal.SIGTERM if one.pid in self.listening else signal.SIGKILL)
