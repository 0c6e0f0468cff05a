"""Tables of all that can be wrong with what a user gives, and the line that says how to mend it.

A row has what is done, what the line must say, and what else is seen: an `InputError` unless it
says otherwise, or status 2 of the command line. Whatever was on disk is there afterwards.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from grapher_jax.errors import InputError


@dataclass(frozen=True)
class Row:
    """One bad input."""

    what: str
    do: Callable[[SimpleNamespace], object]
    says: str
    error: type[Exception] = InputError

    def check(self, world):
        """Whether it is refused in one line, without secrets, and leaves no half of a file."""
        with pytest.raises(self.error, match=self.says) as raised:
            self.do(world)
        message = str(raised.value).rstrip("\n")
        assert "\n" not in message
        for secret in ("s3cr3t", "hush", "Traceback"):
            assert secret not in message
        assert not [*world.root.rglob(".*")]


def rows(what, do, cases, error=InputError):
    """Rows that differ in one value: `do(world, value)`."""
    return [
        Row(f"{what} {n}: {value!r:.60}", lambda world, value=value: do(world, value), says, error)
        for n, (value, says) in enumerate(cases)
    ]


def each(*tables: Iterable[Row]) -> pytest.MarkDecorator:
    """A test for each row of these tables; all can be told apart."""
    every = [row for table in tables for row in table]
    assert len({row.what for row in every}) == len(every)
    return pytest.mark.parametrize("row", every, ids=lambda row: row.what)


def stored_files(folder):
    """All files of a folder, with what is in them."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
