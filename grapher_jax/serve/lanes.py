"""The queues of the service, each with a thread: slow work and compiling make no others wait."""

import asyncio
import sys
from collections.abc import Callable, Hashable, Iterator
from contextvars import ContextVar
from typing import Any

from grapher_jax.rankers.batching import Lane, Work
from grapher_jax.serve import spans
from grapher_jax.serve.metrics import Metrics
from grapher_jax.serve.settings import Settings
from grapher_jax.serve.shapes import BATCH

# Whether a step of this request has been done, which would be for nothing if it were refused now.
_waited: ContextVar[bool] = ContextVar("waited", default=False)


class Lanes:
    """The lanes of the service, which belong to one event loop.

    Attributes:
        quick: ranks documents by programs that are compiled.
        slow: embeds, looks documents up, and explains.
        searches: searches the index, and ranks documents of the index.
        compiling: ranks documents whose program has to be compiled first.
        warming: does what nobody has asked for yet.
        embeds_many: held while a long list is embedded.
        tracer: creates spans; None if OpenTelemetry is not installed.
    """

    def __init__(
        self, settings: Settings, metrics: Metrics, *, observe: Callable[[], None]
    ) -> None:
        """Create the lanes; none is running yet.

        Args:
            settings: how many requests may wait, and how long for others.
            metrics: get the sizes of batches, and how many requests wait.
            observe: called after every batch.
        """
        self._settings, self._metrics, self._observe = settings, metrics, observe
        self.quick, self.slow = self._lane("rank"), self._lane("embed")
        self.searches, self.compiling = self._lane("search"), self._lane("compile")
        self.warming = self._lane("warm-up", sys.maxsize)
        self.embeds_many = asyncio.Lock()
        self.tracer = spans.find_tracer()

    def __iter__(self) -> Iterator[Lane]:
        """All lanes, the slow ones first."""
        yield from (self.warming, self.compiling, self.slow, self.searches, self.quick)

    def _lane(self, name: str, longest: int | None = None) -> Lane:
        sizes = self._metrics.batches.labels(name)

        def observe(size: int) -> None:
            sizes.observe(size)
            self._observe()

        lane = Lane(
            name=name,
            longest=longest or self._settings.max_queue,
            wait=self._settings.max_wait / 1000,
            observe=observe,
        )
        self._metrics.follow(self._metrics.waiting.labels(name), lane.__len__)
        return lane

    async def ask(
        self,
        lane: Lane,
        step: str,
        work: Work,
        item: object,
        *,
        kind: Hashable = None,
        most: int = BATCH,
        least: int = 1,
    ) -> Any:
        """The answer of a lane, within spans for the step; later steps are never refused.

        Raises:
            Full: if too many requests wait.
            Exception: what `work` raises.
        """
        with spans.steps(self.tracer, step) as told:
            begun = told.begun if told else None
            answer = await lane.ask(
                work, item, kind=kind, most=most, least=least, begun=begun, admitted=_waited.get()
            )
            _waited.set(True)
            return answer
