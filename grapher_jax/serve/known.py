"""Finds documents of requests in an index, by their id or their text."""

from collections.abc import Mapping, Sequence

import numpy as np

from grapher_jax.files import Json
from grapher_jax.search import Index


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

    def any_of(self, documents: Sequence[Mapping[str, Json]]) -> bool:
        """Whether any document is an object of the index, by only its id or only its text."""
        return any(self._row(document) is not None for document in documents)

    def look_up(self, lists: Sequence[Sequence[dict[str, Json]]]) -> list[list[dict[str, Json]]]:
        """The documents of every list; those found in the index get all data of the object.

        Of several objects with the same text, the first is taken; of several documents with the
        same text and without ids, only the first is matched.
        """
        return [self._look_up_all(documents) for documents in lists]

    def _look_up_all(self, documents: Sequence[dict[str, Json]]) -> list[dict[str, Json]]:
        taken = {document["id"] for document in documents if document.get("id")}
        found = []
        for document in documents:
            row, own = self._row(document), document.get("id")
            name = None if row is None else own or self.index.ids[row]
            if row is not None and (own or name not in taken):
                taken.add(name)
                item = self.index.objects[row]
                stored = {"title": item.title, "text": item.text, "metadata": item.metadata}
                vector = self.index.embeddings[row]
                document = {**document, "id": name, **stored, "embedding": vector}
            found.append(document)
        return found

    def _row(self, document: Mapping[str, Json]) -> int | None:
        for key in ("metadata", "title", "embedding"):
            if document.get(key) is not None:
                return None
        text = document.get("text")
        if text is None:
            return self.index.rows.get(document.get("id") or "")
        place = int(np.searchsorted(self._hashes, hash(text)))
        known = text and place < len(self._hashes) and self._hashes[place] == hash(text)
        return int(self._rows[place]) if known else None
