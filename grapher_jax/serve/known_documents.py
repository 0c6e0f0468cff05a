"""Finds documents of requests in an index, by their id or their text."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.files import Json
from grapher_jax.search import Index

# How many objects are kept as documents get them.
_KEPT = 1 << 14
_OWN = ("metadata", "title", "embedding")


class KnownDocuments:
    """The objects of an index by their ids and their texts; any thread may ask."""

    def __init__(self, index: Index) -> None:
        """Read the texts of this index now; it takes 12 µs per object on disk."""
        self.index = index
        texts = (item.text for item in index.objects)
        # Hashes have 64 bits and a secret of the process: collisions are neither accidental nor
        # deliberate.
        hashes = np.fromiter(map(hash, texts), np.int64, len(index.objects))
        self._rows = np.argsort(hashes, kind="stable")
        self._hashes = hashes[self._rows]
        # Reading objects from the disk took most of the time of a look-up.
        self._stored = lru_cache(maxsize=_KEPT)(partial(_read, index))

    def rows(self, documents: Sequence[Mapping[str, Json]]) -> list[int] | None:
        """The objects that the documents are, if they are different objects of the index."""
        texts = [one.get("text") for one in documents if len(one) == 1]
        if len(texts) == len(documents) and all(texts):
            first, last = self._places(texts)
            # Each further document with a text is the next of the objects with this text.
            next_of: dict[int, int] = {}
            for number, place in enumerate(first.tolist()):
                first[number] = next_of.get(place, place)
                next_of[place] = int(first[number]) + 1
            return self._rows[first].tolist() if (first < last).all() else None
        # Before any text is hashed: most documents bring something of their own.
        if any((one.get("id") and one.get("text")) or _brings(one) for one in documents):
            return None
        found = [row for row, _ in self._objects(documents) if row is not None]
        return found if len({*found}) == len(documents) else None

    def any_of(self, documents: Sequence[Mapping[str, Json]]) -> bool:
        """Whether any document is an object of the index, by only its id or only its text."""
        return any(rows.size for rows in self._alike(documents))

    def look_up(self, lists: Sequence[Sequence[dict[str, Json]]]) -> list[list[dict[str, Json]]]:
        """The documents of every list; those found in the index get all data of the object.

        Of several documents with the same text and without ids, each is another object, in the
        order of the index; if there are more documents than objects, the others get an embedding.
        """
        return [self._look_up_all(documents) for documents in lists]

    def _look_up_all(self, documents: Sequence[dict[str, Json]]) -> list[dict[str, Json]]:
        found = []
        for document, (row, alike) in zip(documents, self._objects(documents), strict=True):
            if row is not None:
                name = document.get("id") or self.index.ids[row]
                document = {**document, "id": name, **self._stored(row)}
            elif alike.size:
                document = {**document, "embedding": self.index.embeddings[alike[0]]}
            found.append(document)
        return found

    def _objects(
        self, documents: Sequence[Mapping[str, Json]]
    ) -> Iterator[tuple[int | None, Int[ndarray, " m"]]]:
        """The object that each document is, None if none is left, and all that it may be."""
        taken = {document["id"] for document in documents if document.get("id")}
        # Of many objects with one text, those before this place are taken.
        next_of: dict[int, int] = {}
        for document, rows in zip(documents, self._alike(documents), strict=True):
            own, place = document.get("id"), 0
            if rows.size and not own:
                first = int(rows[0])
                place = next_of.get(first, 0)
                while place < len(rows) and self.index.ids[rows[place]] in taken:
                    place += 1
                next_of[first] = place
            row = int(rows[place]) if place < len(rows) else None
            if row is not None:
                taken.add(own or self.index.ids[row])
            yield row, rows

    def _alike(self, documents: Sequence[Mapping[str, Json]]) -> list[Int[ndarray, " m"]]:
        """The objects that each document may be, in ascending order."""
        first, last = self._places([one.get("text") for one in documents])
        found: list[Int[ndarray, " m"]] = []
        for document, start, end in zip(documents, first.tolist(), last.tolist(), strict=True):
            text = document.get("text")
            rows = self._rows[start:end] if text and not _brings(document) else self._rows[:0]
            known = self.index.rows.get(document.get("id") or "") if text is None else None
            if known is not None and not _brings(document):
                rows = np.array([known])
            found.append(rows)
        return found

    def _places(self, texts: Sequence[str | None]) -> tuple[Int[ndarray, " n"], Int[ndarray, " n"]]:
        """Where the rows of objects with each text begin and end."""
        hashes = np.fromiter(map(hash, texts), np.int64, len(texts))
        first = np.searchsorted(self._hashes, hashes, "left")
        return first, np.searchsorted(self._hashes, hashes, "right")


def _brings(document: Mapping[str, Json]) -> bool:
    """Whether a document has data of its own, and so is not looked up."""
    return any(document.get(key) is not None for key in _OWN)


def _read(index: Index, row: int) -> dict[str, Json]:
    """What a document gets of an object."""
    item = index.objects[row]
    own = {"title": item.title, "text": item.text, "metadata": item.metadata}
    return own | {"embedding": index.embeddings[row]}
