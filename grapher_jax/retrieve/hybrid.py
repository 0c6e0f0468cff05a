"""The base retriever: BM25 and dense search, fused (GraphER, section 3.1)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, cast

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.buckets import MAX_BATCH, pad, power_of_two
from grapher_jax.corpus import Object, Query
from grapher_jax.errors import InputError
from grapher_jax.retrieve.embedders import Embedder, Progress, no_progress
from grapher_jax.retrieve.lexical import LexicalIndex
from grapher_jax.retrieve.stores import Nearest
from grapher_jax.text import readable

EMPTY = -1
CANDIDATES = 200
# How many objects may join them; together they fill a bucket of 256.
JOINING = 56
LEXICAL_WEIGHT = 0.3
# Scores of a block of questions over all objects, at 4 bytes each, stay below 64 MiB.
_BLOCK_SCORES = 1 << 24
# Of embeddings on the device at once, where it cannot hold them all.
_BLOCK_BYTES = 1 << 30


@dataclass(frozen=True)
class Vectors:
    """What learned rankers read of texts.

    Attributes:
        embedder: the name of what embedded them.
        questions: `[B, d]` of unit length.
        objects: `[N, d]` of unit length, of all that candidates may be rows of.
    """

    embedder: str
    questions: Float[ndarray, "B d"]
    objects: Float[ndarray, "N d"]


@dataclass(frozen=True)
class Passages:
    """What is read of texts themselves.

    Attributes:
        objects: all that candidates may be rows of.
        embedder: embeds what is made of them.
        read_pairs: gives `pairs`.
    """

    objects: Sequence[Object]
    embedder: Embedder
    read_pairs: Callable[[], Mapping[tuple[str, str], str]] = dict

    @cached_property
    def pairs(self) -> Mapping[tuple[str, str], str]:
        """By the ids of a question and an object, an AMR graph of both in Penman notation."""
        return self.read_pairs()

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """What was made of the texts, kept as long as they are there."""
        return {}


@dataclass(frozen=True)
class Candidates:
    """What a retriever returned for a batch of questions.

    Attributes:
        rows: `[B, n]` int32 objects, best first; -1 where there are fewer, which is at the end.
        scores: `[B, n]` float32 their scores; 0 where there are fewer.
        vectors: the embeddings of questions and objects, for rankers that read them.
        questions: B of them, for rankers that read texts.
        passages: likewise, of the objects.
        features: `[B, n]` by name, what else a system's retrieval tells its ranker of each; 0 where
            there are fewer.
    """

    rows: Int[ndarray, "B n"]
    scores: Float[ndarray, "B n"]
    vectors: Vectors | None = None
    questions: Sequence[Query] = ()
    passages: Passages | None = None
    features: Mapping[str, Float[ndarray, "B n"]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)

    def texts(self) -> Iterator[tuple[tuple[int, int], tuple[str, str]]]:
        """Where each candidate stands, with its question and its text; of those with passages."""
        objects = cast(Passages, self.passages).objects
        found = self.rows != EMPTY
        # Read once, in the order in which an index holds them.
        texts = {row: objects[row].searchable_text for row in np.unique(self.rows[found])}
        for question, place in np.argwhere(found):
            asked = self.questions[question].text
            yield (int(question), int(place)), (asked, texts[self.rows[question, place]])

    def block(self, chosen: slice, shape: tuple[int, int]) -> "Candidates":
        """Those of some questions, padded to this shape; `questions` are not."""
        vectors = self.vectors
        if vectors is not None:
            asked = pad(vectors.questions[chosen], shape[:1], 0.0)
            vectors = replace(vectors, questions=asked)
        return replace(
            self,
            rows=pad(self.rows[chosen], shape, EMPTY),
            scores=pad(self.scores[chosen], shape, 0.0),
            vectors=vectors,
            questions=self.questions[chosen],
            features={name: pad(own[chosen], shape, 0.0) for name, own in self.features.items()},
        )


Expand = Callable[[Int[ndarray, "B n"]], Int[ndarray, "B m"]]


@dataclass(frozen=True)
class HybridRetriever:
    """0.3 × BM25 (min-max over the corpus) + 0.7 × cosine.

    Attributes:
        embedder: embeds the questions.
        embeddings: `[N, d]` of the objects, unit length.
        lexical: BM25 weights of the objects.
        lexical_weight: the weight of the lexical part; the rest goes to the cosine.
        store: asked instead of the embeddings where dense search is alone.
    """

    embedder: Embedder
    embeddings: Float[ndarray, "N d"]
    lexical: LexicalIndex
    lexical_weight: float = LEXICAL_WEIGHT
    store: Nearest | None = None

    def retrieve(
        self,
        questions: Sequence[str],
        *,
        candidates: int = CANDIDATES,
        allowed: Sequence[Int[ndarray, " _"] | None] | None = None,
        expand: Expand | None = None,
        lexical_weight: float | None = None,
        progress: Progress = no_progress,
    ) -> Candidates:
        """The best objects for every question; ties go to the earlier object.

        Args:
            questions: none of them empty.
            candidates: how many to return; all objects where there are fewer.
            allowed: for each question the objects it may be answered from, None for all. Scores
                stay those over the whole corpus.
            expand: given the rows found for a block of questions, other rows `[B, m]` (-1 for
                none); the best of these join them, behind, with their own scores.
            lexical_weight: instead of the retriever's own; 0 for dense search alone.
            progress: told how many more questions are embedded.

        Raises:
            InputError: for an empty question, or an embedder that does not fit the embeddings.
        """
        weight = self.lexical_weight if lexical_weight is None else lexical_weight
        vectors = self.embed(questions, progress=progress)
        total = len(self.embeddings)
        n = min(candidates, total)
        if self.store is not None and not weight and allowed is None and expand is None:
            return Candidates(*self.store.nearest(vectors.questions, n), vectors)
        joining = min(JOINING, total - n) if expand else 0
        fitting = max(1, _BLOCK_SCORES // total)
        block = min(MAX_BATCH, 1 << (fitting.bit_length() - 1))
        parts = []
        for start in range(0, len(questions), block):
            chosen = slice(start, start + block)
            asked = questions[chosen]
            lexical = (
                self.lexical.scores(asked) if weight else np.zeros((len(asked), total), np.float32)
            )
            size = (power_of_two(len(lexical)),)
            cosines = self._cosines(pad(vectors.questions[chosen], size, 0.0))
            fused = _fuse(pad(lexical, size, 0.0), cosines, weight)
            if allowed is not None:
                fused = jnp.where(_mask(allowed[chosen], (*size, total)), fused, -jnp.inf)
            rows, scores = (np.asarray(a) for a in _best(fused, n))
            if expand and joining:
                joined = _best_of(fused, rows, expand(rows), joining)
                rows = np.concatenate([rows, joined[0]], axis=1)
                scores = np.concatenate([scores, joined[1]], axis=1)
            parts.append((rows[: len(lexical)], scores[: len(lexical)]))
        nothing = (np.zeros((0, n), np.int32), np.zeros((0, n), np.float32))
        rows, scores = map(np.concatenate, zip(*(parts or [nothing]), strict=True))
        used = max(1, int((rows != EMPTY).sum(1).max(initial=0)))
        return Candidates(rows[:, :used], scores[:, :used], vectors)

    def embed(self, questions: Sequence[str], *, progress: Progress = no_progress) -> Vectors:
        """The embeddings of questions, beside those of the objects; raises as `retrieve`."""
        check_questions(questions)
        if self.embedder.dimension != self.embeddings.shape[1]:
            raise InputError(
                f"embedder: {self.embedder.name!r} gives {self.embedder.dimension} dimensions, the "
                f"index has {self.embeddings.shape[1]}; use the embedder that built the index"
            )
        embedded = self.embedder.embed_queries([*map(readable, questions)], progress=progress)
        return Vectors(self.embedder.name, embedded, self.embeddings)

    def _cosines(self, questions: Float[ndarray, "B d"]) -> Sequence[Float[Array, "B m"]]:
        return [_products(questions, block) for block in self._blocks or self._on_device()]

    @cached_property
    def _blocks(self) -> Sequence[Float[Array, "m d"]]:
        """The embeddings on the device; none where it cannot hold them all."""
        memory = (jax.devices()[0].memory_stats() or {}).get("bytes_limit")
        fits = memory is None or self.embeddings.nbytes <= memory / 2
        return [*self._on_device()] if fits else []

    def _on_device(self) -> Iterator[Float[Array, "m d"]]:
        """The embeddings, block by block; a CPU reads them where they are, memory-mapped or not."""
        size = max(1, _BLOCK_BYTES // self.embeddings[:1].nbytes)
        for start in range(0, len(self.embeddings), size):
            yield jax.device_put(self.embeddings[start : start + size], may_alias=True)


def check_questions(questions: Sequence[str]) -> None:
    """Raise InputError for an empty question."""
    for number, question in enumerate(questions, start=1):
        if not question.strip():
            raise InputError(f"question {number} is empty; ask something")


@jax.jit
def _products(
    questions: Float[Array | ndarray, "B d"], objects: Float[Array, "m d"]
) -> Float[Array, "B m"]:
    return jnp.matmul(questions, objects.T)


@jax.jit
def _fuse(
    lexical: Float[Array | ndarray, "B N"],
    cosines: Sequence[Float[Array, "B m"]],
    lexical_weight: float | Array,
) -> Float[Array, "B N"]:
    cosine = jnp.concatenate(cosines, axis=-1)
    return kernels.hybrid(lexical, cosine, lexical_weight=lexical_weight)


@partial(jax.jit, static_argnames="n")
def _best(fused: Float[Array, "B N"], n: int) -> tuple[Int[Array, "B n"], Float[Array, "B n"]]:
    best = kernels.top_k(fused, n, mask=fused > -jnp.inf)
    return best.indices, jnp.where(best.indices < 0, 0.0, best.scores)


@partial(jax.jit, static_argnames="n")
def _best_of(
    fused: Float[Array, "B N"],
    found: Int[Array | ndarray, "B found"],
    others: Int[Array | ndarray, "B m"],
    n: int,
) -> tuple[Int[Array, "B n"], Float[Array, "B n"]]:
    """The best of others that are not among the found."""
    query = jnp.arange(len(fused))[:, None]
    # A row of -1 would mean the last one.
    outside = fused.shape[-1]
    open_to = jnp.zeros(fused.shape, bool)
    open_to = open_to.at[query, jnp.where(others < 0, outside, others)].set(True, mode="drop")
    open_to = open_to.at[query, jnp.where(found < 0, outside, found)].set(False, mode="drop")
    return _best(jnp.where(open_to, fused, -jnp.inf), n)


def _mask(
    allowed: Sequence[Int[ndarray, " _"] | None], shape: tuple[int, int]
) -> Bool[ndarray, "B N"]:
    mask = np.zeros(shape, bool)
    for question, rows in enumerate(allowed):
        mask[question, slice(None) if rows is None else rows] = True
    return mask
