"""Gathers concurrent requests and calls into batches, which one thread answers."""

import asyncio
import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

# The maximum size of a batch: larger batches save little, and each question waits for the whole
# batch.
_MOST_CALLS = 64

Work = Callable[[list[Any]], Sequence[Any]]


class Full(Exception):  # noqa: N818
    """The queue is full."""


@dataclass(frozen=True, eq=False)
class _Entry:
    work: Work
    kind: Hashable
    most: int
    least: int
    item: Any
    until: float
    answer: asyncio.Future[Any]
    begun: Callable[[int], None] | None


@dataclass
class Lane:
    """A worker thread with its queue.

    Waiting requests of the same kind are answered together, as soon as the thread is free. A
    request whose caller was cancelled leaves the queue.

    Attributes:
        name: the name of the thread.
        longest: the maximum number of waiting requests.
        wait: seconds that a request waits for others to join it.
        observe: called with the size of every batch.
        busy: held while the thread works.
    """

    name: str
    longest: int
    wait: float
    observe: Callable[[int], None]
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)
    _entries: dict[_Entry, None] = field(default_factory=dict)
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)

    def __len__(self) -> int:
        return len(self._entries)

    async def ask(
        self,
        work: Work,
        item: Any,
        *,
        kind: Hashable = None,
        most: int = 1,
        least: int = 1,
        begun: Callable[[int], None] | None = None,
        admitted: bool = False,
    ) -> Any:
        """The answer to one request.

        Args:
            work: answers a list of requests; the same function for all requests of a kind.
            item: the request.
            kind: a batch has only requests of one kind.
            most: the maximum size of a batch; the same for all requests of a kind.
            least: the size below which requests are answered one at a time instead.
            begun: called with the size of the request's batch when it starts.
            admitted: whether this is a later step of a request that has waited before; it is
                accepted even if too many others wait.

        Raises:
            Full: if too many requests wait.
            Exception: what `work` raises for this request alone.
        """
        if not admitted and len(self._entries) >= self.longest:
            raise Full
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        entry = _Entry(work, kind, most, least, item, loop.time() + self.wait, answer, begun)
        self._entries[entry] = None
        answer.add_done_callback(partial(self._leave, entry))
        self._arrived.set()
        return await answer

    def _leave(self, entry: _Entry, answer: asyncio.Future[Any]) -> None:
        """Remove a request that nobody awaits any more, to make room for others."""
        if answer.cancelled():
            self._entries.pop(entry, None)
            if not self._entries:
                self._arrived.clear()

    async def run(self) -> None:
        """Answer requests until cancelled."""
        with ThreadPoolExecutor(1, self.name) as thread:
            while True:
                await self._arrived.wait()
                await self._answer_next(thread)

    async def drain(self) -> None:
        """Answer requests until the queue is empty."""
        with ThreadPoolExecutor(1, self.name) as thread:
            while self._entries:
                await self._answer_next(thread)

    def let_go(self) -> None:
        """Cancel all waiting requests."""
        for entry in self._entries:
            entry.answer.cancel()
        self._entries = {}

    async def _answer_next(self, thread: ThreadPoolExecutor) -> None:
        oldest = next(iter(self._entries), None)
        if oldest and len(self._entries) < oldest.most:
            left = oldest.until - asyncio.get_running_loop().time()
            if left > 0:
                await asyncio.sleep(left)
        batch = self._next()
        if not batch:
            return
        self.observe(len(batch))
        items = [entry.item for entry in batch]
        loop = asyncio.get_running_loop()
        try:
            async with self.busy:
                for entry in batch:
                    if entry.begun and not entry.answer.done():
                        entry.begun(len(batch))
                answers = await loop.run_in_executor(thread, _answers, batch[0].work, items)
            for entry, answer in zip(batch, answers, strict=True):
                if entry.answer.done():
                    continue
                if isinstance(answer, Exception):
                    entry.answer.set_exception(answer)
                else:
                    entry.answer.set_result(answer)
        except Exception as error:  # noqa: BLE001 - the lane must go on
            for entry in batch:
                if not entry.answer.done():
                    entry.answer.set_exception(_told(error))
        finally:
            # Nothing else would answer them.
            for entry in batch:
                entry.answer.cancel()

    def _next(self) -> list[_Entry]:
        """The oldest request still awaited, with the others of its kind if they are enough."""
        self._entries = {one: None for one in self._entries if not one.answer.done()}
        batch: list[_Entry] = []
        for entry in self._entries:
            first = batch[0] if batch else entry
            if len(batch) == first.most:
                break
            if (entry.work, entry.kind) == (first.work, first.kind):
                batch.append(entry)
        if batch and len(batch) < batch[0].least:
            del batch[1:]
        for entry in batch:
            del self._entries[entry]
        if not self._entries:
            self._arrived.clear()
        return batch


def _answers(work: Work, items: list[Any]) -> Sequence[Any]:
    """The answers to a batch; if it fails, each request is answered on its own."""
    try:
        return work(items)
    # A panic in a Rust extension is not an Exception.
    except BaseException as error:  # noqa: BLE001
        if len(items) == 1:
            return [_told(error)]
        return [answer for item in items for answer in _answers(work, [item])]


def _told(error: BaseException) -> Exception:
    """The error in a form for a future: no StopIteration, and nothing that ends an event loop."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    told = RuntimeError(f"{type(error).__name__}: {error}")
    told.__cause__ = error
    return told


# The calls that wait in each event loop, and the task that answers them.
_CALLS: dict[asyncio.AbstractEventLoop, tuple[Lane, asyncio.Task[None]]] = {}


async def gathered(work: Work, item: Any, options: Mapping[str, object]) -> Any:
    """Answers one of many concurrent calls, together with the others.

    All calls of an event loop share one thread. A call that is cancelled while it waits is not
    answered; other calls are not affected.

    Args:
        work: answers the items of several calls with equal options; a method of one object.
        item: the item of this call.
        options: calls with equal options share a batch.

    Raises:
        Exception: what `work` raises for this item alone.
    """
    loop = asyncio.get_running_loop()
    lane, task = _CALLS.get(loop) or _start(loop)
    if task.done():
        lane, task = _start(loop)
    return await lane.ask(work, item, kind=_kind(options), most=_MOST_CALLS)


def _start(loop: asyncio.AbstractEventLoop) -> tuple[Lane, asyncio.Task[None]]:
    for other in [*_CALLS]:
        if other.is_closed():
            _CALLS.pop(other, None)
    lane = Lane("grapher-jax", sys.maxsize, 0.0, lambda size: None)
    # Calls made at the same time are queued before it starts, even if the loop's task factory
    # starts tasks at once.
    task = asyncio.Task(lane.drain(), loop=loop)
    _CALLS[loop] = lane, task

    # Also if it is cancelled before it starts.
    def end(task: asyncio.Task[None]) -> None:
        lane.let_go()
        if _CALLS.get(loop) == (lane, task):
            del _CALLS[loop]

    task.add_done_callback(end)
    return lane, task


def _kind(options: Mapping[str, object]) -> Hashable:
    """A hashable key: equal for equal options, or for the same object if unhashable."""

    def key(value: object) -> Hashable:
        made = tuple(value) if isinstance(value, list) else value
        try:
            hash(made)
        except TypeError:
            return id(value)
        # 1 == True, which may be valid where 1 is not.
        return type(value), made

    return tuple((name, key(value)) for name, value in sorted(options.items()))
