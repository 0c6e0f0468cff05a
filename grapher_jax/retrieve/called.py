"""The objects that a question calls by their ids: `INC-2202`, `#1042`, `issue 1042`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grapher_jax.corpus.documents.citations import codes, numbers
from grapher_jax.text import name_words


@dataclass(frozen=True)
class Called:
    """The ids of objects, to be found in questions.

    Attributes:
        read_rows: gives the row of each id, when a question first has what may be one. The chunks
            of a record are called by the record, `INC-2202` for `tickets.csv#INC-2202#0`.
    """

    read_rows: Callable[[], Mapping[str, int]]

    def of(self, question: str) -> Iterator[Sequence[int]]:
        """For each id that a question says, in any case of its letters, the rows that bear it."""
        for code in dict.fromkeys(codes(question)):
            names = {code, code.upper(), code.lower()}
            bearing = [*names, *(f"{file}#{name}#0" for file in self._files for name in names)]
            yield [self._rows[name] for name in bearing if name in self._rows]
        for word, number in dict.fromkeys(numbers(question)):
            kind = tuple(name_words(word))
            bearing = [
                f"{file}#{number}#0"
                for file, words in self._files.items()
                if not word or words == kind
            ]
            yield [self._rows[name] for name in bearing if name in self._rows]

    @cached_property
    def _rows(self) -> Mapping[str, int]:
        return self.read_rows()

    @cached_property
    def _files(self) -> Mapping[str, tuple[str, ...]]:
        """The files of records, with the words of their names."""
        chunks = (name.rsplit("#", 2) for name in self._rows)
        found = {own[0] for own in chunks if len(own) == 3 and own[2] == "0"}
        return {file: (*name_words(Path(file).stem),) for file in sorted(found)}
