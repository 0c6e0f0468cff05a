"""Finds documents of requests in an index, by their id or their text."""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial

import numpy as np

from grapher_jax.files import Json
from grapher_jax.search import Index

# How many objects are kept as documents get them.
_KEPT = 1 << 14


class Known:
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

    def any_of(self, documents: Sequence[Mapping[str, Json]]) -> bool:
        """Whether any document is an object of the index, by only its id or only its text."""
        return any(self._alike(document) for document in documents)

    def look_up(self, lists: Sequence[Sequence[dict[str, Json]]]) -> list[list[dict[str, Json]]]:
        """The documents of every list; those found in the index get all data of the object.

        Of several documents with the same text and without ids, each is another object, in the
        order of the index; if there are more documents than objects, the others get an embedding.
        """
        return [self._look_up_all(documents) for documents in lists]

    def _look_up_all(self, documents: Sequence[dict[str, Json]]) -> list[dict[str, Json]]:
        taken = {document["id"] for document in documents if document.get("id")}
        found = []
        for document in documents:
            rows, own = self._alike(document), document.get("id")
            free = (row for row in rows if own or self.index.ids[row] not in taken)
            if (row := next(free, None)) is not None:
                name = own or self.index.ids[row]
                taken.add(name)
                document = {**document, "id": name, **self._stored(row)}
            elif rows:
                document = {**document, "embedding": self.index.embeddings[rows[0]]}
            found.append(document)
        return found

    def _alike(self, document: Mapping[str, Json]) -> list[int]:
        """The objects that a document may be, in ascending order."""
        for key in ("metadata", "title", "embedding"):
            if document.get(key) is not None:
                return []
        text = document.get("text")
        if text is None:
            row = self.index.rows.get(document.get("id") or "")
            return [] if row is None else [row]
        first = int(np.searchsorted(self._hashes, hash(text)))
        last = first
        while text and last < len(self._hashes) and self._hashes[last] == hash(text):
            last += 1
        return self._rows[first:last].tolist()


def _read(index: Index, row: int) -> dict[str, Json]:
    """What a document gets of an object."""
    item = index.objects[row]
    own = {"title": item.title, "text": item.text, "metadata": item.metadata}
    return own | {"embedding": index.embeddings[row]}
