"""Base-retriever scores for documents without scores, with the documents as the corpus."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.kept_programs import kept_jit
from grapher_jax.retrieve.embedders import Embedder
from grapher_jax.retrieve.hybrid import non_negative
from grapher_jax.retrieve.lexical import LexicalIndex
from grapher_jax.retrieve.options import GRAPHER
from grapher_jax.shapes import candidate_bucket, pad
from grapher_jax.text import READING

_fuse = kept_jit(partial(kernels.hybrid, lexical_weight=GRAPHER.lexical_weight))


@dataclass(frozen=True)
class Unscored:
    """A document to compare with a question.

    Attributes:
        text: its text.
        embedding: its embedding, of unit length; None to compute it from the text.
    """

    text: str
    embedding: Float[ndarray, " d"] | None = None


@dataclass(frozen=True)
class Similarities:
    """The similarities of one question's documents.

    Attributes:
        scores: the score of each document, ≥ 0.
        embeddings: the embedding of each, of unit length.
        question: the embedding of the question.
    """

    scores: Float[ndarray, " n"]
    embeddings: Float[ndarray, "n d"]
    question: Float[ndarray, " d"]


def similarities(
    questions: Sequence[str],
    lists: Sequence[Sequence[Unscored]],
    embedder: Embedder,
    *,
    engine: str = "rank-bm25",
    width: Callable[[int], int] = candidate_bucket,
) -> list[Similarities]:
    """The base retriever's score of every document, with its question's documents as the corpus.

    If the lowest score of a question is negative, all its scores are moved up by it.

    Args:
        questions: none of them empty.
        lists: the documents of each question, at least one.
        embedder: embeds questions and texts.
        engine: the BM25 engine; see `LexicalIndex.build`.
        width: returns the padded size of the program for a number of documents.
    """
    texts: dict[str, int] = {}
    for documents in lists:
        for document in documents:
            if document.embedding is None:
                texts.setdefault(document.text, len(texts))
    read = READING.words
    known, asked = _embedded([*map(read, texts)], [*map(read, questions)], embedder)
    found = []
    for question, documents, vector in zip(questions, lists, asked, strict=True):
        embeddings = np.stack(
            [
                known[texts[document.text]] if document.embedding is None else document.embedding
                for document in documents
            ]
        )
        words = LexicalIndex.build((document.text for document in documents), engine=engine)
        size = (1, width(len(documents)))
        fused = _fuse(
            pad(words.scores([question]).all, size, 0.0),
            pad((embeddings @ vector)[None], size, 0.0),
            mask=pad(np.ones((1, len(documents)), bool), size, False),
        )
        scores = non_negative(np.asarray(fused)[0, : len(documents)])
        found.append(Similarities(scores, embeddings, vector))
    return found


def _embedded(
    objects: Sequence[str], questions: Sequence[str], embedder: Embedder
) -> tuple[Float[ndarray, "N d"], Float[ndarray, "B d"]]:
    if not objects:
        return np.zeros((0, embedder.dimension), np.float32), embedder.embed_queries(questions)
    # A wrapper has its methods on another object, so nothing is known about its towers.
    tower = getattr(type(embedder), "embed_queries", None)
    if tower is None or tower is not getattr(type(embedder), "embed_objects", None):
        return embedder.embed_objects(objects), embedder.embed_queries(questions)
    # A single-tower embedder: one program instead of two, for which a first call waits.
    both = embedder.embed_objects([*objects, *questions])
    return both[: len(objects)], both[len(objects) :]
