"""How far a long step has come, on standard error: a bar, or a line now and then."""

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

# Between two lines where there is no terminal, such as in the log of a job.
_SECONDS = 30.0


class _Rate(ProgressColumn):
    """How many a second."""

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
    """A line after every half minute in which something was done.

    Attributes:
        what: is done.
        total: how many there are; None while that is not known.
        clock: tells the time in seconds.
    """

    what: str
    total: int | None = None
    clock: Callable[[], float] = time.monotonic
    _done: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._last = self._began = self.clock()

    def __call__(self, done: int) -> None:
        """So many more are done."""
        if not self._done:
            # What was there before the work began tells nothing of its pace.
            self._first, self._began = done, self.clock()
        self._done += done
        now = self.clock()
        if now - self._last < _SECONDS:
            return
        self._last = now
        of = "" if self.total is None else f" of {self.total}"
        errors.print(f"{self.what}: {self._done}{of}{self._pace(now)}", soft_wrap=True)

    def expect(self, total: int) -> None:
        """So many there are."""
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
    """Show how far a long step has come, and what time is left once it is known how long it is."""
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
