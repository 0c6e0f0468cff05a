"""The names of tables and columns as trigrams and words, read once per index."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.retrieve import Collection
from grapher_jax.tables.schema import Table, schema_of
from grapher_jax.text import Reading

# How identifiers are read, independent of the index's own setting.
_READING = Reading(split=True)


def words(text: str) -> list[str]:
    """The words of a text and the parts of its identifiers, without repeats."""
    return [*dict.fromkeys(_READING.tokens(text))]


def trigrams(text: str) -> frozenset[str]:
    """The trigrams of its words, with markers for the ends of words."""
    spaced = (f" {word} " for word in words(text))
    return frozenset(word[at : at + 3] for word in spaced for at in range(len(word) - 2))


def share(told: frozenset[str], asked: frozenset[str]) -> float:
    """The fraction of the trigrams `told` that are in `asked`."""
    return len(told & asked) / len(told) if told else 0.0


class ReadTable:
    """The words and trigrams of a table's names.

    Attributes:
        name: the words of its name, each with its trigrams.
        trigrams: the trigrams of the name of each column, and of its comment and nested fields.
        further: the same without those of the table's name, unless none is left.
        texts: the text of each column for an embedder.
        fixed: `[C, 3]` features that do not depend on the question: whether `id` and whether `name`
            is the last word of the column's name, and its position in the table, from 0 to 1.
        all: the trigrams of all names and comments.
    """

    def __init__(self, table: Table) -> None:
        """Read a table."""
        columns, said = table.columns, trigrams(table.name)
        told = [[part for part in (one.name, one.told) if part] for one in columns]
        self.name = {word: trigrams(word) for word in words(table.name)}
        self.trigrams = [[*map(trigrams, parts)] for parts in told]
        self.further = [[own - said or own for own in each] for each in self.trigrams]
        self.texts = [" ".join(map(_READING.words, parts)) for parts in told]
        self.all = said.union(*(own for each in self.trigrams for own in each))
        lasts = [(_READING.words(one.name).casefold().split() or [""])[-1] for one in columns]
        marks = [[last == mark for mark in ("id", "name")] for last in lasts]
        places = np.arange(len(columns)) / max(len(columns), 1)
        self.fixed = np.column_stack([np.reshape(marks, (-1, 2)), places])


class TableReader:
    """Reads the tables of an index, each once.

    Attributes:
        schema: the tables.
    """

    def __init__(self, collection: Collection) -> None:
        """Read the schema of an index."""
        self.schema = schema_of(collection)
        self._embedder = collection.embedder
        self._tables: dict[int, ReadTable] = {}
        self._embeddings: dict[str, Float[ndarray, " d"]] = {}

    def table(self, row: int) -> ReadTable:
        """The words and trigrams of one table."""
        if row not in self._tables:
            self._tables[row] = ReadTable(self.schema.table(row))
        return self._tables[row]

    def embedded(self, texts: Sequence[str]) -> Mapping[str, Float[ndarray, " d"]]:
        """The embeddings of texts; only those that no earlier question needed are computed."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._embeddings]
        if fresh:
            made = self._embedder.embed_objects(fresh)
            self._embeddings.update(zip(fresh, made, strict=True))
        return self._embeddings

    @cached_property
    def rarity(self) -> Mapping[str, float]:
        """The rarity of each word: log(number of tables / tables with the word in their name)."""
        count = len(self.schema.objects)
        names = (words(self.schema.table(row).name) for row in range(count))
        times = Counter(word for name in names for word in name)
        return {word: float(np.log((count + 1) / often)) for word, often in times.items()}
