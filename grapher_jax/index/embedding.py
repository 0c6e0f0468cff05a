"""Embeds the texts of objects, except those whose embeddings are already known."""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.checks import check_kind, shown
from grapher_jax.corpus.searchable import searchable_texts
from grapher_jax.errors import InputError
from grapher_jax.files import alone, atomic_file
from grapher_jax.retrieve import Embedder
from grapher_jax.retrieve.embedders import GIVEN, Progress, expect, no_progress
from grapher_jax.shapes import slices

if TYPE_CHECKING:
    from grapher_jax.index.data import IndexData

# How many texts are embedded between two writes: some seconds of work on two cores.
_BLOCK = 256
# The names of the files with embeddings, to distinguish them from other files.
_NAME = f"{'[0-9a-f]' * 64}.npz"

# Embeds blocks of texts, one after the other.
EmbedBlocks = Callable[[Sequence[Sequence[str]]], Iterator[Float[ndarray, "n d"]]]


def embed(
    texts: Sequence[str],
    embedder: Embedder,
    known: Mapping[str, Float[ndarray, " d"]],
    progress: Progress,
) -> Float[ndarray, "N d"]:
    """`[N, d]` float32 embeddings.

    Args:
        texts: the texts as the embedder reads them.
        embedder: embeds the texts without known embeddings.
        known: known embeddings by text.
        progress: called with the number of texts to embed, then with the number of new embeddings.

    Raises:
        InputError: if `progress` is no function, or an embedding is not finite.
    """
    check_kind("progress", progress, Callable, "a function")
    embeddings = np.empty((len(texts), embedder.dimension), np.float32)
    fresh = []
    for row, text in enumerate(texts):
        if (vector := known.get(text)) is None:
            fresh.append(row)
        else:
            embeddings[row] = vector
    if fresh:
        expect(progress, len(fresh))
        vectors = embedder.embed_objects([texts[row] for row in fresh], progress=progress)
        if len(fresh) == len(texts) and isinstance(embedder, KeptEmbedder):
            embeddings = vectors  # made for this call; a copy would take as much memory again
        else:
            embeddings[fresh] = vectors
        _check_finite(embeddings, texts, embedder.name)
    return embeddings


def _check_finite(vectors: Float[ndarray, "n d"], texts: Sequence[str], name: str) -> None:
    """Raise InputError for the first text whose embedding is not finite."""
    for row in np.flatnonzero(~np.isfinite(vectors).all(axis=1))[:1]:
        raise InputError(
            f"embedder: {name!r} gives numbers that are not finite for {shown(texts[row])}; with "
            "them no question would find it"
        )


def known_texts(
    reuse: "IndexData | None", embedder: Embedder
) -> Mapping[str, Float[ndarray, " d"]]:
    """The embeddings of an index by text, as the embedder reads it.

    Raises:
        InputError: if another embedder built the index.
    """
    if reuse is None:
        return {}
    if reuse.embedded_by != embedder.name:
        raise InputError(
            f"reuse: that index was built with {reuse.embedded_by!r}, not {embedder.name!r}; "
            "embeddings of one model mean nothing to another"
        )
    if embedder.name.startswith(GIVEN) and reuse.embedder is not embedder:
        raise InputError("reuse: that index has another embedder of this name; leave it out")
    told = map(reuse.lexical.reading.words, searchable_texts(reuse.objects, reuse.text))
    return dict(zip(told, np.asarray(reuse.embeddings), strict=True))


class KeptEmbedder:
    """An embedder that stores its embeddings of objects in files, and reuses them.

    Attributes:
        name: the name of the wrapped embedder.
        found: how many texts already had stored embeddings.
        made: how many it had to embed.
    """

    def __init__(
        self, embedder: Embedder, folder: Path, elsewhere: EmbedBlocks | None = None
    ) -> None:
        """Read nothing yet; damaged files and those of another embedder are ignored."""
        self.name, self.found, self.made = embedder.name, 0, 0
        self._embedder, self._folder, self._elsewhere = embedder, folder, elsewhere

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._embedder.dimension

    def embed_queries(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "N d"]:
        """`[N, d]` float32 embeddings of questions, which are not stored."""
        return self._embedder.embed_queries(texts, progress=progress)

    def embed_objects(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "N d"]:
        """`[N, d]` float32 embeddings of objects.

        Raises:
            InputError: if a block cannot be written, or an embedding is not finite.
        """
        embeddings = np.empty((len(texts), self.dimension), np.float32)
        rows: dict[bytes, list[int]] = {}
        for row, text in enumerate(texts):
            rows.setdefault(self._key(text), []).append(row)
        known = set[bytes]()
        for key, vector in self._read():
            if key in rows:
                embeddings[rows[key]] = vector
                known.add(key)
        missing = {key: texts[own[0]] for key, own in rows.items() if key not in known}
        pending = list(missing)
        self.made, self.found = len(pending), len(known)
        progress(len(texts) - self.made)
        blocks = [pending[block] for block in slices(self.made, _BLOCK)]
        told = [[missing[key] for key in block] for block in blocks]
        for block, said, vectors in zip(blocks, told, self._embed(told, progress), strict=True):
            _check_finite(vectors, said, self.name)
            self._write(block, vectors)
            for key, vector in zip(block, vectors, strict=True):
                embeddings[rows[key]] = vector
        return embeddings

    def _embed(
        self, blocks: Sequence[Sequence[str]], progress: Progress
    ) -> Iterator[Float[ndarray, "n d"]]:
        if self._elsewhere is None:
            for block in blocks:
                yield self._embedder.embed_objects(block, progress=progress)
        else:
            for vectors in self._elsewhere(blocks):
                progress(len(vectors))
                yield vectors

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self.name}\0{text}".encode()).digest()

    def _write(self, keys: Sequence[bytes], vectors: Float[ndarray, "n d"]) -> None:
        # The name depends on the content: writing it twice writes the same file.
        path = self._folder / f"{keys[0].hex()}.npz"
        with atomic_file(path) as temporary, temporary.open("wb") as file:
            np.savez(file, keys=np.frombuffer(b"".join(keys), np.uint8), vectors=vectors)
            file.flush()
            os.fsync(file.fileno())

    def _read(self) -> Iterator[tuple[bytes, Float[ndarray, " d"]]]:
        for path in filter(Path.is_file, self._folder.glob(_NAME)):
            block: dict[bytes, Float[ndarray, " d"]] = {}
            with (
                # A damaged zip file can fail in many ways.
                suppress(Exception),
                path.open("rb") as file,
                np.load(file, allow_pickle=False) as stored,
            ):
                block = _block(stored, self.dimension)
            yield from block.items()


def _block(stored: Mapping[str, ndarray], dimension: int) -> dict[bytes, Float[ndarray, " d"]]:
    """The embeddings in one file; empty if the file has another format."""
    keys, vectors = stored["keys"], stored["vectors"]
    size = hashlib.sha256().digest_size
    if vectors.shape != (len(keys) // size, dimension) or vectors.dtype != np.float32:
        return {}
    return {
        keys[size * row : size * (row + 1)].tobytes(): vector for row, vector in enumerate(vectors)
    }


@contextmanager
def kept_embeddings(
    embedder: Embedder, folder: Path, elsewhere: EmbedBlocks | None = None
) -> Iterator[KeptEmbedder]:
    """Yield an embedder whose embeddings of objects stay on disk until the work is done.

    The body of the `with` statement is the work: when it succeeds, the files are removed.

    Args:
        embedder: computes the embeddings.
        folder: the folder of the files, used by one process at a time.
        elsewhere: embeds blocks of objects instead, such as in other processes.

    Raises:
        BusyError: if another process uses the folder.
        InputError: if the folder cannot be written.
    """
    with alone(folder, wait=False):
        yield KeptEmbedder(embedder, folder, elsewhere)
        # Only these files: others in the folder were not written by this class.
        for file in [*folder.glob(_NAME), *folder.glob(f".{_NAME}.*")]:
            file.unlink(missing_ok=True)
        with suppress(OSError):
            folder.rmdir()
