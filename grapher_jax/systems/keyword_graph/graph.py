"""The graph of all documents and keywords of an index, with a random walk from a question.

Keyword-graph RAG, section 4.2: a document is joined to its keywords, and a keyword to those with
which it occurs in documents, and to those with a similar meaning. If an index has no keywords, its
entities are used instead.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.checks import check_alpha, check_count, check_number, check_share
from grapher_jax.corpus import Query
from grapher_jax.errors import InputError, require, warn
from grapher_jax.files import Json
from grapher_jax.graph import EMPTY, Ragged
from grapher_jax.kernels.fixed_point.pagerank import walk_without_return
from grapher_jax.rankers.explanation import in_common
from grapher_jax.retrieve.collection import Collection
from grapher_jax.shapes import batch_within, pad, power_of_two, slices
from grapher_jax.text import normalise, phrases, readable

KEYWORDS, FALLBACK = "keywords", "entities, for want of keywords"
# The cosines of a block of keywords with all keywords, at 4 bytes each, stay below 64 MiB; so do
# the messages along all edges for a block of questions.
_BLOCK = 1 << 24


@dataclass(frozen=True, kw_only=True)
class WalkSettings:
    """How the graph is built, and how the walk from a question works.

    The defaults are the best on the training splits of MuSiQue, HotpotQA and QMSum
    (docs/decisions.md).

    Attributes:
        alpha: the restart probability of the walk, in (0, 1]; see `kernels.ppr`.
        keyword_share: the fraction of the walk's start that is keywords; the rest is documents.
        neighbors: the maximum number of similar keywords to which each is joined, and of keywords
            similar to the question at which the walk starts.
        likeness: the cosine above which keywords are similar.
        question_likeness: the cosine above which keywords are similar to the question.

    Raises:
        InputError: for a number out of its range.
    """

    alpha: float = 0.3
    keyword_share: float = 0.1
    neighbors: int = 5
    likeness: float = 0.7
    question_likeness: float = 0.5

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        check_share("keyword_share", self.keyword_share)
        check_count("neighbors", self.neighbors)
        check_number("likeness", self.likeness)
        check_number("question_likeness", self.question_likeness)


@dataclass(frozen=True)
class KeywordGraph:
    """A graph of N documents and K keywords: nodes 0 to N − 1, and N to N + K − 1.

    Attributes:
        source: the source of the keywords.
        numbers: the number of each normalised keyword.
        listed: the keywords of every document.
        rarity: `[K]` in [0, 1]: 1 for a keyword of one document, 0 for a keyword of all documents.
        vectors: `[K, d]` embeddings of the keywords, of unit length.
        edges: the edges, in both directions.
        settings: how the graph was built.
    """

    source: str
    numbers: Mapping[str, int]
    listed: Ragged
    rarity: Float[ndarray, " K"]
    vectors: Float[ndarray, "K d"]
    edges: kernels.WeightedEdges
    settings: WalkSettings

    @classmethod
    def build(cls, collection: Collection, settings: WalkSettings) -> "KeywordGraph":
        """Build the graph from the keywords of all objects.

        The weight between a document and its keyword is the keyword's rarity; between keywords with
        at least two documents in common, the cosine of their document sets; and between similar
        keywords, the cosine of their embeddings.

        Raises:
            InputError: if no object has keywords or entities.
        """
        source, names = collection.kept.get(_names, collection)
        total = len(names)
        frequency = Counter(chain.from_iterable(names))
        numbers = {name: number for number, name in enumerate(frequency)}
        listed = Ragged.build([numbers[name] for name in own] for own in names)
        counts = np.fromiter(frequency.values(), np.float32, len(numbers))
        # With one document nothing is frequent. In float64, so that keywords of all documents get
        # exactly 0.
        rarity = 1 - np.log(counts.astype(float)) / np.log(float(max(total, 2)))
        rarity = rarity.clip(0).astype(np.float32)
        embedded = collection.embedder.embed_objects([*map(readable, numbers)])
        documents = listed.owners
        pairs = [
            (documents, total + listed.values, rarity[listed.values]),
            *(
                (total + one, total + other, weight)
                for one, other, weight in (
                    _occurring_together(listed, counts),
                    _alike(embedded, settings.neighbors, settings.likeness),
                )
            ),
        ]
        one, other, weight = (np.concatenate(part) for part in zip(*pairs, strict=True))
        receivers = np.concatenate([one, other]).astype(np.int32)
        order = np.argsort(receivers, kind="stable")
        return cls(
            source,
            numbers,
            listed,
            rarity,
            embedded,
            kernels.WeightedEdges(
                jnp.asarray(np.concatenate([other, one]).astype(np.int32)[order]),
                jnp.asarray(receivers[order]),
                jnp.asarray(np.concatenate([weight, weight]).astype(np.float32)[order]),
            ),
            settings,
        )

    def walk(
        self,
        questions: Sequence[Query],
        vectors: Float[ndarray, "B d"],
        rows: Int[ndarray, "B n"],
        scores: Float[ndarray, "B n"],
    ) -> Iterator[Float[ndarray, " N"]]:
        """For each question, `[N]` personalised PageRank of every document, in blocks of questions.

        The walk starts at the question's candidates, weighted by how far their scores are above the
        lowest, and at its keywords, weighted by rarity. A document's share from a start at itself
        is subtracted, because it comes from the retriever and not from the graph.

        Args:
            questions: the B questions, with metadata.
            vectors: their embeddings, of unit length.
            rows: candidates; -1 for none.
            scores: the scores of the candidates, on any scale.
        """
        if self.source == FALLBACK:
            warn(
                f"keyword-graph: its keywords are {FALLBACK}; grapher-jax enrich --enricher "
                "keywords finds some",
            )
        total = len(self.listed.offsets) - 1
        size = batch_within(_BLOCK, max(len(self.edges.weights), total))
        for block in slices(len(questions), size):
            seeds = np.zeros((len(questions[block]), total + len(self.numbers)), np.float32)
            for place, seed in enumerate(seeds, start=block.start):
                found = rows[place] != EMPTY
                begun = np.zeros(total, np.float32)
                begun[rows[place, found]] = _above_the_lowest(scores[place, found])
                asked = self.of_question(questions[place], vectors[place])
                share = self.settings.keyword_share
                shares = _shares([1 - share, share], [begun, asked])
                seed[:total], seed[total:] = shares
            padded = pad(seeds, (power_of_two(len(seeds)),), 0.0)
            walked = np.asarray(_walk(self.edges, padded, self.settings.alpha, documents=total))
            own = self.settings.alpha * seeds[:, :total]
            yield from (walked[: len(seeds)] - own).clip(0)

    def of_question(self, question: Query, vector: Float[ndarray, " d"]) -> Float[ndarray, " K"]:
        """`[K]` the weight of each keyword for the question.

        It is 1 for keywords in its metadata or its words, else the cosine if the keyword is among
        the nearest and above the threshold; all times the rarity.
        """
        weights = np.zeros(len(self.numbers), np.float32)
        cosines = self.vectors @ vector
        count = min(self.settings.neighbors, len(cosines))
        nearest = np.argpartition(-cosines, count - 1)[:count]
        near = nearest[cosines[nearest] > self.settings.question_likeness]
        weights[near] = cosines[near]
        weights[self.named(question)] = 1
        return weights * self.rarity

    def named(self, question: Query) -> list[int]:
        """The keywords in a question's metadata or its words, each once."""
        told = map(normalise, _listed(question.metadata, "keywords", "entities"))
        names = dict.fromkeys(chain(told, phrases(question.text)))
        return [self.numbers[name] for name in names if name in self.numbers]

    def shared(
        self, rows: Int[ndarray, " n"], positions: Iterable[int]
    ) -> list[dict[int, list[str]]]:
        """For some of the documents, the keywords in common with others, by their positions."""
        names = list(self.numbers)
        lists = [self.listed.values[slice(*self.listed.offsets[row : row + 2])] for row in rows]
        own = [{names[number] for number in numbers} for numbers in lists]
        return in_common(own, positions)


def keyword_graph(collection: Collection, settings: WalkSettings) -> KeywordGraph:
    """The graph of a collection, built on first use; raises as `build`."""
    # Settings that only the walk reads do not need another graph.
    built = WalkSettings(neighbors=settings.neighbors, likeness=settings.likeness)
    return replace(collection.kept.get(KeywordGraph.build, collection, built), settings=settings)


def keyword_source(collection: Collection) -> str:
    """The source of a collection's keywords; raises as `KeywordGraph.build`."""
    return collection.kept.get(_names, collection)[0]


def _names(collection: Collection) -> tuple[str, list[list[str]]]:
    """The source of keywords, and the keywords of every object."""
    metadata = [item.metadata for item in collection.objects]
    source, named = KEYWORDS, [_compared(_listed(own, "keywords")) for own in metadata]
    if not any(named):
        source, named = FALLBACK, [_compared(_listed(own, "entities")) for own in metadata]
        # There are many entities, and one of a single object joins nothing.
        frequency = Counter(chain.from_iterable(named))
        named = [[name for name in own if frequency[name] > 1] for own in named]
    if not any(named):
        raise InputError(
            "keywords: no object of the index has any, and no two have an entity in common; "
            "run: grapher-jax enrich SOURCE --out FOLDER --enricher keywords, and index FOLDER"
        )
    return source, named


def _compared(names: Iterable[str]) -> list[str]:
    return [name for name in dict.fromkeys(map(normalise, names)) if name]


def _listed(metadata: Mapping[str, Json], *fields: str) -> Iterable[str]:
    return chain.from_iterable(metadata.get(field, ()) for field in fields)


Weighted = tuple[Int[ndarray, " m"], Int[ndarray, " m"], Float[ndarray, " m"]]


def _occurring_together(listed: Ragged, counts: Float[ndarray, " K"]) -> Weighted:
    """Pairs of keywords that occur together in at least two documents, with their cosine."""
    sparse = require("scipy.sparse")
    incidence = sparse.csr_array(
        (np.ones(len(listed.values), np.float32), listed.values, listed.offsets),
        shape=(len(listed.offsets) - 1, len(counts)),
    )
    # Keywords of only one document cannot be in such pairs.
    several = np.flatnonzero(counts > 1)
    common = sparse.triu((incidence[:, several].T @ incidence[:, several]).tocoo(), k=1).tocoo()
    often = common.data > 1
    one, other = several[common.row[often]], several[common.col[often]]
    return one, other, common.data[often] / np.sqrt(counts[one] * counts[other])


def _alike(vectors: Float[ndarray, "K d"], neighbors: int, likeness: float) -> Weighted:
    """Pairs of similar keywords: one is among the nearest of the other, above the threshold."""
    total = len(vectors)
    size = max(1, _BLOCK // total)
    found = []
    for start in range(0, total, size):
        cosines = vectors[start : start + size] @ vectors.T
        cosines[np.arange(len(cosines)), start + np.arange(len(cosines))] = -1
        # Few are above the threshold, so only these are sorted.
        own, other = np.nonzero(cosines > likeness)
        weight = cosines[own, other]
        order = np.lexsort((-weight, own))
        own, other, weight = own[order], other[order], weight[order]
        rank = np.arange(len(own)) - np.searchsorted(own, own)
        near = rank < neighbors
        found.append((start + own[near], other[near], weight[near]))
    one, other, weight = (np.concatenate(part) for part in zip(*found, strict=True))
    low, high = np.minimum(one, other), np.maximum(one, other)
    _, first = np.unique(low * total + high, return_index=True)
    return low[first], high[first], weight[first]


def _above_the_lowest(scores: Float[ndarray, " n"]) -> Float[ndarray, " n"]:
    """Scores scaled to [0, 1] and squared, to favour the best; 1 if all are equal."""
    low, high = scores.min(initial=np.inf), scores.max(initial=-np.inf)
    return ((scores - low) / (high - low)) ** 2 if high > low else np.ones_like(scores)


def _shares(
    shares: Sequence[float], parts: Sequence[Float[ndarray, " _"]]
) -> list[Float[ndarray, " _"]]:
    """Parts of a distribution with these shares; a part of zeros leaves its share to the others."""
    sums = [float(part.sum()) for part in parts]
    kept = sum(share for share, own in zip(shares, sums, strict=True) if own) or 1.0
    return [
        part * np.float32(share / kept / own) if own else part
        for part, share, own in zip(parts, shares, sums, strict=True)
    ]


@partial(jax.jit, static_argnames="documents")
def _walk(
    edges: kernels.WeightedEdges,
    seeds: Float[Array | ndarray, "B n"],
    alpha: float | Array,
    documents: int,
) -> Float[Array, "B N"]:
    # Without the return of dangling mass, which would only add the seed again.
    return walk_without_return(edges, seeds, alpha=alpha)[:, :documents]
