"""The base retriever: BM25, which also counts named titles, fused with dense search."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.checks import check_text
from grapher_jax.corpus import Query, as_query
from grapher_jax.errors import InputError
from grapher_jax.graph import EMPTY
from grapher_jax.graph.stacked import Places, Stacked
from grapher_jax.kept_programs import kept_jit
from grapher_jax.kernels import TopK
from grapher_jax.kernels.precision import full_precision
from grapher_jax.kernels.ranking.fusion import Bounds
from grapher_jax.retrieve.collection import Candidates, Questions
from grapher_jax.retrieve.embedders import Embedder, Progress, no_progress
from grapher_jax.retrieve.lexical import LexicalIndex, LexicalScores
from grapher_jax.retrieve.options import GRAPHER, RetrievalOptions
from grapher_jax.retrieve.stores import Nearest
from grapher_jax.retrieve.titles_in_questions import NOTHING, Shares, Titled
from grapher_jax.shapes import batch_within, candidate_bucket, pad, power_of_two, slices

# How many objects expansion may add; together with the candidates they fill a bucket of 256.
JOINING = 56
# The BM25 scores of a block of questions over all objects stay below 128 MiB, at 8 bytes per score.
_BLOCK_SCORES = 1 << 24
# The number of embeddings in a block.
_BLOCK_BYTES = 1 << 30
# Objects that expansion may add are padded to a bucket of at least this size.
_FEWEST = 1024
# Parts of an index with fewer objects are merged into one copy, since each block costs time.
_SMALL = 1 << 16


_fuse = kept_jit(kernels.hybrid)
Expand = Callable[[Int[ndarray, "B n"]], Int[ndarray, "B m"]]


@dataclass(frozen=True)
class HybridRetriever:
    """Retrieval by a weighted sum of cosine and normalised BM25, in which named titles count too.

    Attributes:
        embedder: embeds the questions.
        embeddings: `[N, d]` the embeddings of the objects, of unit length.
        lexical: the BM25 index of the objects.
        options: how many objects are returned, and how both scores are fused.
        store: used instead of the embeddings for purely dense search.
        titles: reads the titles of the objects, when `title_weight` first needs them; None for no
            titles.
    """

    embedder: Embedder
    embeddings: Float[ndarray | Stacked, "N d"]
    lexical: LexicalIndex
    options: RetrievalOptions = GRAPHER
    store: Nearest | None = None
    titles: Callable[[], Titled] | None = None

    def retrieve(
        self,
        questions: Sequence[str | Query],
        *,
        options: RetrievalOptions | None = None,
        allowed: Sequence[Int[ndarray, " _"] | None] | None = None,
        expand: Expand | None = None,
        progress: Progress = no_progress,
    ) -> Candidates:
        """The best objects for every question; ties go to the earlier object.

        Args:
            questions: none of them empty; `Questions` are not embedded again.
            options: replace the retriever's own; if there are fewer objects than candidates, all
                are returned.
            allowed: for each question the objects that it may be answered from, None for all.
                Scores are still those over the whole corpus.
            expand: a function from the rows found for a block of questions to other rows `[B, m]`
                (-1 for none); the best of these are appended, with their own scores.
            progress: called with the number of newly embedded questions.

        Raises:
            InputError: for an empty question, or an embedder that does not fit the embeddings.
        """
        fused = options or self.options
        weight = fused.lexical_weight
        queries = [as_query(question) for question in questions]
        texts = [query.text for query in queries]
        if isinstance(questions, Questions):
            embedded = questions.embeddings
        else:
            embedded = self.embed(texts, progress=progress)
        asked = Questions(queries, lambda: embedded)
        places = Stacked.of(self.embeddings).places
        total = len(places)
        n = min(fused.candidates, total)
        joining = min(JOINING, total - n) if expand else 0
        store = self.store if not weight and allowed is None else None
        if store is not None and not joining:
            return Candidates(*store.nearest(embedded, n), asked)
        size = batch_within(_BLOCK_SCORES, places.total)
        parts = []
        for chosen in slices(len(texts), size):
            lexical = self.lexical.scores(texts[chosen]) if weight else None
            bounds = None if lexical is None else fused.bounds(*lexical.bounds)
            named = self._named(texts[chosen], fused)
            if lexical is not None and bounds is not None:
                lexical.add(named, fused.title_weight * (bounds[1] - bounds[0]))
            mask = None if allowed is None else _mask(allowed[chosen], places)
            best_of = partial(_best_of, embedded[chosen], lexical, bounds, weight, mask)
            if store is None:
                rows, scores = best_of(self._blocks or self._on_device(), n)
            else:
                rows, scores = store.nearest(embedded[chosen], n)
            if expand and joining:
                others, open_to = _others(expand(rows), rows, total)
                gathered = self._gathered(others, open_to.shape[1])
                joined = best_of([gathered], joining, open_to=open_to)
                rows = np.concatenate([rows, joined[0]], axis=1)
                scores = np.concatenate([scores, joined[1]], axis=1)
            parts.append((rows, scores / _highest(named, fused)))
        nothing = (np.zeros((0, n), np.int32), np.zeros((0, n), np.float32))
        rows, scores = map(np.concatenate, zip(*(parts or [nothing]), strict=True))
        used = max(1, int((rows != EMPTY).sum(1).max(initial=0)))
        return Candidates(rows[:, :used], scores[:, :used], asked)

    def among(self, questions: Questions, rows: Int[ndarray, "B n"]) -> Candidates:
        """Given objects as candidates, best first, scored without a look at any other object.

        The time does not depend on the size of the corpus: BM25 counts words in the whole corpus,
        but is scaled to [0, 1] by the scores of the given objects.

        Args:
            questions: none of them empty.
            rows: different objects for each question, padded with -1 at the end.
        """
        weight, mask = self.options.lexical_weight, rows != EMPTY
        vectors = np.asarray(self.embeddings[rows.ravel()]).reshape(*rows.shape, -1)
        scores = np.matmul(vectors, questions.embeddings[..., None])[..., 0]
        texts = [query.text for query in questions]
        named = self._named(texts, self.options)
        if weight:
            lexical = self.lexical.scores_of(texts, rows)
            low = np.where(mask, lexical, np.inf).min(axis=1)
            high = np.where(mask, lexical, -np.inf).max(axis=1)
            bounds = self.options.bounds(low, high)
            for number, (having, shares) in enumerate(named):
                at, own = np.intersect1d(rows[number], having, return_indices=True)[1:]
                added = self.options.title_weight * (bounds[1] - bounds[0])[number]
                lexical[number, at] += shares[own] * added
            scores = np.asarray(
                _fuse(lexical, scores, lexical_weight=weight, lexical_bounds=bounds)
            )
        scores = np.where(mask, scores / _highest(named, self.options), np.float32(0))
        return Candidates(rows, scores, questions).by_score()

    @cached_property
    def titled(self) -> Titled | None:
        """The titles of the objects; None for no titles."""
        return None if self.titles is None else self.titles()

    def _named(self, questions: Sequence[str], options: RetrievalOptions) -> list[Shares]:
        """The objects that each question names, as far as titles count."""
        counts = options.lexical_weight and options.title_weight
        if not counts or self.titled is None:
            return [NOTHING] * len(questions)
        return [self.titled.shares(question) for question in questions]

    def embed(
        self, questions: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "B d"]:
        """The embeddings of questions, `[B, d]` of unit length; raises as `retrieve`."""
        check_questions(questions)
        if self.embedder.dimension != self.embeddings.shape[1]:
            raise InputError(
                f"embedder: {self.embedder.name!r} gives {self.embedder.dimension} dimensions, the "
                f"index has {self.embeddings.shape[1]}; use the embedder that built the index"
            )
        reading = self.lexical.reading
        read = [reading.words(reading.asked(question)) for question in questions]
        return self.embedder.embed_queries(read, progress=progress)

    @cached_property
    def _blocks(self) -> Sequence["_Block"]:
        """All objects on the device; empty if they do not fit."""
        memory = (jax.devices()[0].memory_stats() or {}).get("bytes_limit")
        fits = memory is None or self.embeddings.nbytes <= memory / 2
        return [*self._on_device()] if fits else []

    def _on_device(self) -> Iterator["_Block"]:
        """All objects, block by block; a CPU reads embeddings in place, even memory-mapped ones."""
        stacked = Stacked.of(self.embeddings)
        most = max(1, _BLOCK_BYTES // stacked.parts[0][:1].nbytes)
        for own, vectors in stacked.runs(_SMALL, most):
            begin, total = own.start, len(vectors)
            size = -(-total // -(-total // most))
            numbers = pad(stacked.places.numbers[own], (total,), EMPTY)
            for start in range(0, total, size):
                # One program for all blocks: the last block overlaps the one before.
                first = min(start, total - size)
                rows = numbers[first : first + size].copy()
                rows[: start - first] = EMPTY
                embeddings = jax.device_put(vectors[first : first + size], may_alias=True)
                yield _Block(slice(begin + first, begin + first + size), rows, embeddings)

    def _gathered(self, objects: Int[ndarray, " m"], size: int) -> "_Block":
        padded = pad(objects, (size,), 0)
        places = Stacked.of(self.embeddings).places.rows[padded]
        return _Block(places, pad(objects, (size,), EMPTY), jax.device_put(self.embeddings[padded]))


@dataclass(frozen=True)
class _Block:
    """A block of objects that are compared with questions at once.

    Attributes:
        places: the positions of m objects; a slice may end after the last one.
        rows: `[m]` the same as rows; -1 for deleted objects and padding.
        embeddings: their embeddings.
    """

    places: slice | Int[ndarray, " m"]
    rows: Int[ndarray, " m"]
    embeddings: Float[Array, "m d"]


def non_negative(scores: Float[ndarray, "*B n"]) -> Float[ndarray, "*B n"]:
    """`[*B, n]` scores of each question, moved up by the lowest one if that is negative.

    Lower scores stay lower, or become ties in float32.
    """
    lowest = np.minimum(scores.min(axis=-1, keepdims=True, initial=0.0), 0.0, dtype=float)
    return np.minimum(scores - lowest, np.finfo(np.float32).max).astype(np.float32)


def check_questions(questions: Sequence[str], *, empty: bool = False) -> None:
    """Raise InputError for one that is not a string, and for an empty one unless it may be."""
    for number, question in enumerate(questions, start=1):
        if not check_text(f"question {number}", question).strip() and not empty:
            raise InputError(f"question {number} is empty; ask something")


def _highest(named: Sequence[Shares], options: RetrievalOptions) -> Float[ndarray, "B 1"]:
    """What divides the scores of each question, so that none exceeds 1 with titles either."""
    most = np.array([shares.max(initial=0) for _, shares in named], np.float32)
    return 1 + np.float32(options.lexical_weight * options.title_weight) * most[:, None]


def _best_of(
    questions: Float[ndarray, "B d"],
    lexical: LexicalScores | None,
    bounds: tuple[Float[ndarray, " B"], Float[ndarray, " B"]] | None,
    lexical_weight: float,
    allowed: Bool[ndarray, "B places"] | None,
    blocks: Iterable[_Block],
    n: int,
    *,
    open_to: Bool[ndarray, "B m"] | None = None,
) -> tuple[Int[ndarray, "B n"], Float[ndarray, "B n"]]:
    """The best of some objects; `open_to` restricts them further if they are one block."""
    size = (power_of_two(len(questions)),)
    places = (*size, candidate_bucket(n))
    asked = pad(questions, size, 0.0)
    best = TopK(
        *jax.device_put((np.full(places, EMPTY, np.int32), np.full(places, -np.inf, np.float32)))
    )
    for block in blocks:
        shape = (*size, len(block.rows))
        mask = None if allowed is None else allowed[:, block.places]
        if open_to is not None:
            mask = open_to if mask is None else mask & open_to
        best = _better(
            best,
            block.rows,
            asked,
            block.embeddings,
            lexical and pad(lexical.at(block.places), shape, 0.0),
            bounds and (pad(bounds[0], size, 0.0), pad(bounds[1], size, 0.0)),
            lexical_weight,
            None if mask is None else pad(mask, shape, fill=False),
        )
    found, scores = (np.asarray(a)[: len(questions), :n] for a in (best.indices, best.scores))
    return found, np.where(found == EMPTY, np.float32(0), scores)


@kept_jit
@full_precision
def _better(
    best: TopK,
    rows: Int[Array | ndarray, " m"],
    questions: Float[Array | ndarray, "B d"],
    objects: Float[Array, "m d"],
    lexical: Float[Array | ndarray, "B m"] | None,
    bounds: Bounds | None,
    lexical_weight: float | Array,
    mask: Bool[Array | ndarray, "B m"] | None,
) -> TopK:
    """The best of those so far and a block; ties go to the former, whose rows are lower."""
    scores = jnp.matmul(questions, objects.T)
    if lexical is not None:
        scores = kernels.hybrid(
            lexical, scores, lexical_weight=lexical_weight, lexical_bounds=bounds
        )
    usable = rows != EMPTY if mask is None else mask & (rows != EMPTY)
    both = jnp.concatenate([best.scores, jnp.where(usable, scores, -jnp.inf)], axis=1)
    places = jnp.concatenate([best.indices, jnp.broadcast_to(rows, scores.shape)], axis=1)
    found = kernels.top_k(both, best.scores.shape[1], mask=both > -jnp.inf)
    indices = jnp.take_along_axis(places, found.indices, axis=1)
    return TopK(jnp.where(found.indices == EMPTY, EMPTY, indices), found.scores)


def _others(
    near: Int[ndarray, "B m"], found: Int[ndarray, "B n"], total: int
) -> tuple[Int[ndarray, " others"], Bool[ndarray, "B bucket"]]:
    """All objects near any question; and which of them, padded to a bucket, each may add."""
    # One extra position after the objects stands for -1.
    wanted = np.zeros(total + 1, bool)
    wanted[near] = True
    others = np.flatnonzero(wanted[:-1]).astype(np.int32)
    size = power_of_two(max(len(others), _FEWEST))
    place = np.full(total + 1, size, np.int32)
    place[others] = np.arange(len(others))
    query = np.arange(len(near))[:, None]
    open_to = np.zeros((len(near), size + 1), bool)
    open_to[query, place[near]] = True
    open_to[query, place[found]] = False
    return others, open_to[:, :-1]


def _mask(
    allowed: Sequence[Int[ndarray, " _"] | None], places: Places
) -> Bool[ndarray, "B places"]:
    mask = np.zeros((len(allowed), places.total), bool)
    for question, rows in enumerate(allowed):
        mask[question, slice(None) if rows is None else places.rows[rows]] = True
    return mask
