"""Progress of a long step on standard error: a bar on a terminal, else lines now and then."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from grapher_jax.command_line.console import errors
from grapher_jax.retrieve.embedders import Expecting

# Seconds between two lines if there is no terminal, such as in the log of a job.
_SECONDS = 30.0


class _Rate(ProgressColumn):
    """The speed in items per second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:.3g}/s")


@dataclass
class _Bar:
    bar: Progress
    task: TaskID

    def __call__(self, done: int) -> None:
        self.bar.advance(self.task, done)

    def expect(self, total: int) -> None:
        self.bar.update(self.task, total=total)


@dataclass
class Lines:
    """Prints a line for every half minute in which something was done.

    Attributes:
        what: the work, such as "embedding tables".
        total: the number of items; None while unknown.
        clock: returns the time in seconds.
    """

    what: str
    total: int | None = None
    clock: Callable[[], float] = time.monotonic
    _done: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._last = self._began = self.clock()

    def __call__(self, done: int) -> None:
        """Count this many more items as done."""
        if not self._done:
            # Items that were done before the start say nothing about the speed.
            self._first, self._began = done, self.clock()
        self._done += done
        now = self.clock()
        if now - self._last < _SECONDS:
            return
        self._last = now
        of = "" if self.total is None else f" of {self.total}"
        errors.print(f"{self.what}: {self._done}{of}{self._pace(now)}", soft_wrap=True)

    def expect(self, total: int) -> None:
        """Set the total number of items."""
        self.total = total

    def _pace(self, now: float) -> str:
        new, seconds = self._done - self._first, now - self._began
        if not new or seconds <= 0:
            return ""
        told = f", {new / seconds:.3g}/s"
        if self.total is None:
            return told
        left = round((self.total - self._done) * seconds / new)
        return f"{told}, {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Expecting]:
    """Show the progress of a long step, and the remaining time once the total is known."""
    if not errors.is_terminal:
        yield Lines(what, total)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=errors, transient=True) as bar:
        yield _Bar(bar, bar.add_task(what, total=total))
