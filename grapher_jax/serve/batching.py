"""Requests gathered into batches for one thread."""

import asyncio
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

Work = Callable[[list[Any]], Sequence[Any]]


class Full(Exception):  # noqa: N818
    """As many requests wait as may."""


@dataclass(frozen=True)
class _Entry:
    work: Work
    kind: Hashable
    most: int
    item: Any
    answer: asyncio.Future[Any]


@dataclass
class Lane:
    """One thread, and what waits for it.

    Requests of one kind that wait together are worked through together, as soon as the thread is
    free. One whose answer nobody awaits any more is dropped.

    Attributes:
        name: of the thread.
        longest: requests that may wait.
        wait: seconds for which requests gather while the thread is free.
        observe: told the size of every batch.
        busy: held while the thread works.
    """

    name: str
    longest: int
    wait: float
    observe: Callable[[int], None]
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)
    _entries: list[_Entry] = field(default_factory=list)
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)

    def __len__(self) -> int:
        return len(self._entries)

    async def ask(self, work: Work, item: Any, *, kind: Hashable = None, most: int = 1) -> Any:
        """The answer to one request.

        Args:
            work: answers a list of requests; the same for all of a kind.
            item: the request.
            kind: only requests of one kind stand in a batch.
            most: as many of them; the same for all of a kind.

        Raises:
            Full: where too many wait.
            Exception: what `work` raises for this request alone.
        """
        if len(self._entries) >= self.longest:
            raise Full
        answer = asyncio.get_running_loop().create_future()
        self._entries.append(_Entry(work, kind, most, item, answer))
        self._arrived.set()
        return await answer

    async def run(self) -> None:
        """Answer requests until cancelled."""
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1, self.name) as thread:
            while True:
                await self._arrived.wait()
                if self.wait and len(self._entries) < self._entries[0].most:
                    await asyncio.sleep(self.wait)
                batch = self._next()
                if not batch:
                    continue
                self.observe(len(batch))
                items = [entry.item for entry in batch]
                async with self.busy:
                    answers = await loop.run_in_executor(thread, _answers, batch[0].work, items)
                for entry, answer in zip(batch, answers, strict=True):
                    if entry.answer.done():
                        continue
                    if isinstance(answer, Exception):
                        entry.answer.set_exception(answer)
                    else:
                        entry.answer.set_result(answer)

    def _next(self) -> list[_Entry]:
        """The oldest request that is awaited, with those of its kind."""
        batch: list[_Entry] = []
        others: list[_Entry] = []
        for entry in self._entries:
            if entry.answer.done():
                continue
            alike = not batch or (entry.work, entry.kind) == (batch[0].work, batch[0].kind)
            (batch if alike and len(batch) < entry.most else others).append(entry)
        self._entries = others
        if not others:
            self._arrived.clear()
        return batch


def _answers(work: Work, items: list[Any]) -> Sequence[Any]:
    """What work answers; where it fails, each request stands for itself."""
    try:
        return work(items)
    except Exception as error:  # noqa: BLE001
        if len(items) == 1:
            return [error]
        return [answer for item in items for answer in _answers(work, [item])]
