"""The objects that a question calls by their ids: `INC-2202`, `#1042`, `issue 1042`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from grapher_jax.corpus.documents.citations import (
    by_their_ends,
    codes,
    numbers,
    table_of,
    words_of_table,
)
from grapher_jax.text import name_words


@dataclass(frozen=True)
class Called:
    """The ids of objects and their other codes, to be found in questions.

    Attributes:
        read_rows: gives the row of each id, when a question first has what may be one. The chunks
            of a record are called by the record, `INC-2202` for `tickets.csv#INC-2202#0`.
        read_codes: gives other codes and numbers (`OPS-5`, `#1042`) then, each with an id.
    """

    read_rows: Callable[[], Mapping[str, int]]
    read_codes: Callable[[], Sequence[tuple[str, str]]] = tuple

    def of(self, question: str) -> Iterator[Sequence[int]]:
        """For each id that a question says, the rows that bear it, in any case of its letters."""
        for code in {code.casefold(): code for code in codes(question)}.values():
            bearing = [
                *(name for name in {code, code.upper(), code.lower()} if name in self._rows),
                *self._folded.get(code.casefold(), ()),
            ]
            exact = [name for name in bearing if code in (name, _record(name))]
            yield [self._rows[name] for name in dict.fromkeys(exact or bearing)]
        for said, number in dict.fromkeys(numbers(question)):
            words = tuple(name_words(said))
            ends = (words[at:] for at in range(len(words)))
            kinds = {self._kinds[end] for end in ends if end in self._kinds}
            yield [
                self._rows[name]
                for name in self._folded.get(number, ())
                if not said or words_of_table(_table(name)) in kinds
            ]

    @cached_property
    def _rows(self) -> Mapping[str, int]:
        return self.read_rows()

    @cached_property
    def _kinds(self) -> Mapping[tuple[str, ...], tuple[str, ...]]:
        """The words of the names of tables, by these or by last ones that no other has."""
        records = {name for names in self._folded.values() for name in names if _record(name)}
        words = map(words_of_table, {_table(name) for name in records})
        return by_their_ends({own: own for own in words if own})

    @cached_property
    def _folded(self) -> Mapping[str, Sequence[str]]:
        """Ids in mixed case, the first chunks of records by the records' ids, and codes, folded."""
        found: dict[str, list[str]] = {}
        said = [*self.read_codes()]
        numbered = {_table(name) for code, name in said if code.startswith("#")}
        for name in self._rows:
            if "#" not in name and _may_be_said(name) and name not in (name.upper(), name.lower()):
                found.setdefault(name.casefold(), []).append(name)
            elif name.endswith("#0") and (record := _record(name)):
                if record.isdecimal() and _table(name) in numbered:
                    continue  # their numbers are said, and not their ids
                found.setdefault(record.casefold(), []).append(name)
        for code, name in said:
            found.setdefault(code.removeprefix("#").casefold(), []).append(name)
        return found


def _may_be_said(name: str) -> bool:
    """Whether an id may be a code in a question: with a digit, and without spaces."""
    return " " not in name and any(map(str.isdigit, name))


def _record(name: str) -> str:
    """The id of the record of which a chunk is; empty for a chunk of another document."""
    return name.rsplit("#", 2)[1].rpartition("/")[2] if name.count("#") > 1 else ""


def _table(name: str) -> str:
    return table_of(name.rpartition("#")[0])
