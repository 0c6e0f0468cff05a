"""Embedders of other libraries, and functions, used as embedders of this package."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cached_property
from inspect import signature
from threading import Lock

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.checks import shown
from grapher_jax.errors import InputError, require
from grapher_jax.retrieve.embedders.types import Progress, no_progress
from grapher_jax.shapes import slices

# The prefix of an embedder's name that cannot be opened by name.
GIVEN = "given:"
# How many vectors are cached: some 100 MB for 384 numbers each.
_MOST_KEPT = 65_536
_AT_ONCE = 256

Vectors = Callable[[Sequence[str]], object]


class GivenEmbedder:
    """An embedder of another library, with vectors cached by the hash of their text (`Embedder`).

    Attributes:
        name: the name recorded in an index; it cannot be opened by this name.
    """

    def __init__(self, name: str, queries: Vectors, objects: Vectors) -> None:
        """Wrap two functions as an embedder.

        Args:
            name: the name of the embedder.
            queries: computes the vectors of questions.
            objects: computes the vectors of objects.
        """
        self.name = GIVEN + name
        self._made = {"query": queries, "object": objects}
        self._kept: OrderedDict[tuple[str, bytes], Float[ndarray, " d"]] = OrderedDict()
        self._lock = Lock()

    @cached_property
    def dimension(self) -> int:
        """The dimension of the vectors; embeds one text to find out if none was embedded yet."""
        kept = next(iter(self._kept.values()), None)
        return len(self._embed("query", ["dimension"], no_progress)[0] if kept is None else kept)

    def embed_queries(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "N d"]:
        """`[N, d]` float32 embeddings of questions, of unit length.

        Raises:
            InputError: if it does not return one vector of finite numbers per text, all of one
                length.
        """
        return self._embed("query", texts, progress)

    def embed_objects(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "N d"]:
        """`[N, d]` float32 embeddings of objects, of unit length; raises as for questions."""
        return self._embed("object", texts, progress)

    def _embed(self, kind: str, texts: Sequence[str], progress: Progress) -> Float[ndarray, "N d"]:
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        keys = [(kind, hashlib.sha256(text.encode()).digest()) for text in texts]
        with self._lock:
            found = {key: self._kept[key] for key in keys if key in self._kept}
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        pending = list(fresh)
        progress(len(texts) - len(pending))
        for some in (pending[part] for part in slices(len(pending), _AT_ONCE)):
            found |= zip(some, self._checked(kind, [fresh[key] for key in some]), strict=True)
            progress(len(some))
        vectors = [found[key] for key in keys]
        if len({*map(len, vectors)}) > 1:
            raise InputError(f"embedder: {self.name} gives vectors of different lengths")
        with self._lock:
            for key, vector in found.items():
                self._kept[key] = vector
                self._kept.move_to_end(key)
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return np.stack(vectors)

    def _checked(self, kind: str, texts: Sequence[str]) -> Float[ndarray, "N d"]:
        given = self._made[kind](texts)
        try:
            vectors = np.asarray(given, np.float32)
        except (TypeError, ValueError):
            vectors = np.zeros(0, np.float32)
        fits = vectors.ndim == 2 and len(vectors) == len(texts) and vectors.shape[1] > 0
        if not fits or not np.isfinite(vectors).all():
            raise InputError(
                f"embedder: {self.name} must give a list of finite numbers for each of "
                f"{len(texts)} texts, all of a length, not {shown(given)}"
            )
        # In float64, which can represent the square of any float32.
        lengths = np.linalg.norm(vectors.astype(float), axis=1, keepdims=True)
        return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def of_other_library(embedder: object) -> GivenEmbedder | None:
    """Wraps an embedder of LangChain, LlamaIndex or Haystack, or a function.

    Args:
        embedder: LangChain `Embeddings`; a LlamaIndex `BaseEmbedding`; a `SentenceTransformer`; a
            text embedder of Haystack, or a pair of a text embedder and a document embedder; or a
            function from texts to vectors. For anything else, the result is None.
    """
    make = _found(embedder)
    if make is None:
        return None
    with _lock:
        # Embedders of other libraries need not be hashable.
        for known, made in _opened:
            if known is embedder:
                return made
        _opened.append((embedder, make))
        del _opened[:-_MOST_OPENED]
    return make


# The embedders opened last, so that a call finds the vectors of earlier calls.
_opened: list[tuple[object, GivenEmbedder]] = []
_MOST_OPENED, _lock = 8, Lock()


def _found(embedder: object) -> GivenEmbedder | None:
    def method(name: str, of: object = embedder) -> Callable[..., object] | None:
        found = getattr(of, name, None)
        return found if callable(found) and not isinstance(of, type) else None

    documents, query = method("embed_documents"), method("embed_query")
    if documents and query:
        return GivenEmbedder(_named(embedder), lambda texts: [query(t) for t in texts], documents)
    batch, one = method("get_text_embedding_batch"), method("get_query_embedding")
    if batch and one:
        return GivenEmbedder(_named(embedder), lambda texts: [one(t) for t in texts], batch)
    if encode := method("encode"):
        queries, objects = method("encode_query"), method("encode_document")
        return GivenEmbedder(_named(embedder), queries or encode, objects or encode)
    pair = embedder if isinstance(embedder, tuple) and embedder else (embedder,)
    runs = [method("run", part) for part in pair]
    needed = zip(runs, ("text", "documents"), strict=False)
    if len(runs) <= 2 and all(run and name in signature(run).parameters for run, name in needed):
        texts = _of_text(runs[0])
        objects = texts if len(runs) == 1 else _of_documents(runs[1])
        return GivenEmbedder(_named(pair[0]), texts, objects)
    if callable(embedder) and not isinstance(embedder, type):
        return GivenEmbedder(_named(embedder), embedder, embedder)
    return None


def _named(embedder: object) -> str:
    for name in ("model_name", "model", "__name__"):
        if isinstance(found := getattr(embedder, name, None), str) and found:
            return found
    return type(embedder).__name__


def _of_text(run: Callable[..., object] | None) -> Vectors:
    def embed(texts: Sequence[str]) -> object:
        return [_part(run and run(text=text), "embedding") for text in texts]

    return embed


def _of_documents(run: Callable[..., object] | None) -> Vectors:
    def embed(texts: Sequence[str]) -> object:
        made = require("haystack").Document
        found = run and run(documents=[made(content=text) for text in texts])
        documents = _part(found, "documents")
        return [one.embedding for one in documents] if isinstance(documents, list) else None

    return embed


def _part(result: object, name: str) -> object:
    return result.get(name) if isinstance(result, dict) else None
