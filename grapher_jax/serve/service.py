"""The state that requests share: the indexes, their reloads, and when the service is ready."""

import asyncio
import gc
import time
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import TypeVar

from fastapi import HTTPException, Request

from grapher_jax.errors import GrapherError, InputError
from grapher_jax.rankers.batching import Full
from grapher_jax.serve.lanes import Lanes
from grapher_jax.serve.leaving import while_awaited
from grapher_jax.serve.metrics import INDEX, Metrics, log
from grapher_jax.serve.middleware import ALLOWED, LATER
from grapher_jax.serve.opened import chosen_name
from grapher_jax.serve.programs import MOST_PROGRAMS, Programs, return_memory
from grapher_jax.serve.served import Served
from grapher_jax.serve.served_folder import ServedFolder
from grapher_jax.serve.settings import Settings
from grapher_jax.serve.warming import all_steps, carry_out, common_steps

_TIDY_SECONDS, _WATCH_SECONDS = 10.0, 1.0
_IN_MEMORY = "reload: this service has its index from memory, not from a folder"
_UNOPENED = (
    "its folder holds no index that can be served; the one from before goes on (see the log)"
)
_Answer = TypeVar("_Answer")


class Service:
    """The state that requests share.

    Attributes:
        served: the indexes by their names.
        ready: set once programs are compiled.
        broken: whether a part of it has ended, so that it has to be started again.
        lanes: the queues of its work.

    Raises:
        InputError: for a token that allows an unknown index.
    """

    def __init__(self, served: Mapping[str, Served], settings: Settings) -> None:
        """Create the queues; nothing is running yet."""
        settings.check_indexes(served)
        self.served, self.settings, self.metrics = served, settings, Metrics()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._to_reload, self._warms = set[str](), False
        self._programs = Programs()
        self.metrics.follow(self.metrics.programs, lambda: self._programs.held)
        for one in served.values():
            self.metrics.follow(self.metrics.objects.labels(one.name), one.count)
        self._prepare()

    def _prepare(self) -> None:
        """Create the queues, events and locks, which belong to one event loop."""
        self.ready, self._crowded, self._asked_anew = (asyncio.Event() for _ in range(3))
        self.broken = False
        # Each is held while its index is reopened.
        self._reloading = {name: asyncio.Lock() for name in self.served}
        self.lanes = Lanes(self.settings, self.metrics, observe=self._note_batch)

    @property
    def warm(self) -> bool:
        """Whether all programs could be compiled."""
        return all(one.warm for one in self.served.values())

    def _note_batch(self) -> None:
        """Have programs let go, if there are too many after a batch."""
        if self._programs.held > MOST_PROGRAMS:
            self._crowded.set()

    @asynccontextmanager
    async def running(self, *, warm_up: bool, watch: bool) -> AsyncIterator[None]:
        """Answer requests within this context, which may begin again; see `create_app`."""
        if self._loop is not None:
            self._prepare()
        self._loop, self._warms = asyncio.get_running_loop(), warm_up
        if self._to_reload:
            self._asked_anew.set()
        lanes = (lane.run() for lane in self.lanes)
        work = [*lanes, self._make_room(), self._tidy(), self._keep_up(watch=watch)]
        if self.metrics.shared:
            work.append(self._share_gauges())
        tasks = [asyncio.create_task(one) for one in work]
        for task in tasks:
            task.add_done_callback(self._note_end)
        if warm_up:
            tasks.append(asyncio.create_task(self._become_ready()))
        else:
            self.ready.set()
        with self._programs.counted():
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    def _note_end(self, task: "asyncio.Task[None]") -> None:
        """Note that a task ended which never should, so that `/health` tells of it."""
        if not task.cancelled():
            self.broken = True
            log.error("a part of the service ended; start it again", exc_info=task.exception())

    async def _make_room(self) -> None:
        """Drop compiled programs when there are too many, while none is running."""
        while True:
            await self._crowded.wait()
            async with AsyncExitStack() as idle:
                # The slow lanes first, while the others continue.
                for lane in self.lanes:
                    await idle.enter_async_context(lane.busy)
                for one in self.served.values():
                    for engine in filter(None, (one.engine, one.opening)):
                        engine.compiled.clear()
                await asyncio.to_thread(self._programs.let_go)
                self._crowded.clear()

    async def _share_gauges(self) -> None:
        """Let other processes of the service see the gauges."""
        while True:
            self.metrics.read()
            await asyncio.sleep(_WATCH_SECONDS)

    async def _tidy(self) -> None:
        """Return freed memory from time to time."""
        while True:
            await asyncio.sleep(_TIDY_SECONDS)
            await asyncio.to_thread(return_memory)

    async def _become_ready(self) -> None:
        for one in self.served.values():
            await self._note_warm(one, self._take(common_steps(one.engine)))
        if self._programs.kept:
            # The other programs are read on demand, in about a second each.
            self.ready.set()
        for one in self.served.values():
            await self._note_warm(one, self._take(all_steps(one.engine)))
        _keep_present_objects()
        self.ready.set()

    async def _note_warm(self, served: Served, work: Awaitable[bool]) -> None:
        """Note whether the engine of an index is warm, unless it is replaced meanwhile."""
        engine, warm = served.engine, await work
        if served.engine is engine:
            served.warm = served.warm and warm

    async def _take(self, steps: Iterator[Callable[[], object]]) -> bool:
        """Run the steps; returns whether all succeeded."""
        warm = True
        while True:
            try:
                # One step at a time, because a lane that is stopped finishes only its current step.
                if (step := next(steps, None)) is None:
                    return warm
                await self.lanes.warming.ask(carry_out, step)
            except Exception:  # noqa: BLE001
                warm = False
                log.exception("a step of the warm-up failed; first requests may be slow or fail")

    def names(self, request: Request) -> Sequence[str]:
        """The names of the indexes that a request may use."""
        allowed = request.scope.get(ALLOWED)
        return [name for name in self.served if allowed is None or name in allowed]

    def choose(self, request: Request, model: str | None) -> Served:
        """The index that a request chooses.

        If there is only one index, `model` is ignored: clients of other services name models there.

        Raises:
            InputError: if there are several, for an unknown name, or for no name unless the request
                may use only one.
        """
        names = self.names(request)
        name = names[0] if len(self.served) == 1 else chosen_name("model", model, names)
        request.scope[INDEX] = name
        return self.served[name]

    def ask_reload(self, names: Iterable[str] | None = None) -> None:
        """Request that indexes be reopened soon; callable from threads and signal handlers.

        Args:
            names: the names of the indexes; all by default.
        """

        def ask() -> None:
            self._to_reload.update(self.served if names is None else names)
            self._asked_anew.set()

        try:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(ask)
                return
        except RuntimeError:  # the loop is closed: asked for when it starts again
            pass
        ask()

    async def reload(self, all_of: Iterable[Served]) -> None:
        """Reopen indexes from their folders, and use each as soon as it is ready.

        Raises:
            InputError: naming indexes without a folder, or that cannot be served; the old ones stay
                in use, and the log has the reason.
        """
        wrong = []
        for one in all_of:
            if one.folder is None:
                wrong.append(f"{one.name}: {_IN_MEMORY}")
            elif not await self._is_opened_anew(one, one.folder):
                # The reason may contain paths of this machine, which clients must not see.
                wrong.append(f"{one.name}: {_UNOPENED}")
        if wrong:
            raise InputError("; ".join(wrong))

    async def _is_opened_anew(self, served: Served, folder: ServedFolder) -> bool:
        """Reopen an index; if that fails, log why."""
        try:
            await self._open_anew(served, folder)
        except Exception as error:  # noqa: BLE001
            told = "the index %s could not be opened anew, and the one from before goes on: %s"
            unknown = not isinstance(error, GrapherError)
            log.warning(told, served.name, error, exc_info=unknown)
            return False
        return True

    async def _open_anew(self, served: Served, folder: ServedFolder) -> None:
        count = self.metrics.reloads.labels
        async with self._reloading[served.name]:
            opened = asyncio.create_task(asyncio.to_thread(served.opened_anew, folder))
            try:
                engine, reranker = await asyncio.shield(opened)
                served.opening = engine
                # If both states share it, it is warm, and its long steps would delay the reload.
                shared = engine.index.embedder == served.engine.index.embedder and served.warm
                steps = all_steps(engine, embedder=not shared)
                warm = not self._warms or await self._take(steps)
            except Exception:
                folder.failed()
                count(served.name, "failed").inc()
                raise
            except asyncio.CancelledError:
                # Who asked has gone, and the thread goes on; a watched folder is opened again.
                opened.add_done_callback(lambda _: folder.forget())
                raise
            finally:
                served.opening = None
            served.engine, served.reranker = engine, reranker
            served.warm, served.since = warm, int(time.time())
            # Not before: the state from before would be permanent too.
            _keep_present_objects()
            count(served.name, "served").inc()
            log.info("index %s opened anew: %d objects", served.name, served.count())

    async def _keep_up(self, *, watch: bool) -> None:
        """Reload on request and, if folders are watched, after changes."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_WATCH_SECONDS if watch else None):
                    await self._asked_anew.wait()
            self._asked_anew.clear()
            asked, self._to_reload = self._to_reload, set()
            for one in self.served.values():
                if one.folder and (
                    one.name in asked or (watch and await asyncio.to_thread(one.folder.changed))
                ):
                    await self._is_opened_anew(one, one.folder)

    async def in_time(self, request: Request, answer: Coroutine[None, None, _Answer]) -> _Answer:
        """The answer to a request; errors and time-outs become a status."""
        try:
            async with asyncio.timeout(self.settings.answer_seconds):
                return await while_awaited(request, answer)
        except Full:
            raise HTTPException(503, "busy: too many requests wait; try again", LATER) from None
        except TimeoutError:
            seconds = self.settings.answer_seconds
            message = (
                f"busy: no answer within {seconds:g} seconds; try again, since a program may have "
                "been compiled, or with less"
            )
            raise HTTPException(503, message, LATER) from None
        except InputError:
            raise
        except GrapherError as error:
            # The message may name services behind this one, which clients must not see.
            message = "base: what scores documents for this service has failed; its log has more"
            raise HTTPException(502, message) from error


def _keep_present_objects() -> None:
    """Make present objects permanent: the garbage collector need not scan them again."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
