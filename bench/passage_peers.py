"""Published ways to rank passages and chunks, as far as they need no language model.

Each takes what `Asked` holds and returns places of its rows, best first. What all have in common
here: the embedder, BM25, the retriever's scores of the whole corpus, and the entities that the
offline extractor found in texts and questions, in the place of what a language model would extract.
Weights are chosen on train splits, see `docs/tools/peers_page.py`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from scipy import sparse
from scipy.stats import rankdata

from grapher_jax import kernels
from grapher_jax.graph import EMPTY, Ragged
from grapher_jax.retrieve import as_scorer
from grapher_jax.shapes import pad

# Names are compared in blocks of this many.
_BLOCK = 1024
# The least cosine of names that are alike, that of the published settings.
LIKE = 0.8
# What is left of a walk where it ends.
_LEFT = 1e-7


@dataclass(frozen=True, eq=False)
class Corpus:
    """All passages, and what joins them.

    Attributes:
        vectors: `[N, d]` their embeddings, of unit length.
        entities: the entities of each, as places in `names`.
        holders: the passages of each entity.
        names: of the entities.
        name_vectors: `[E, d]` the embeddings of these names.
        beside: the chunks before and after each.
        texts: `[N]` their texts with titles.
    """

    vectors: Float[ndarray, "N d"]
    entities: Ragged
    holders: Ragged
    names: list[str]
    name_vectors: Float[ndarray, "E d"]
    beside: Ragged
    texts: Sequence[str]


@dataclass(frozen=True, eq=False)
class Asked:
    """A question, and what the retriever knows of every passage that may answer it.

    Attributes:
        corpus: all passages.
        text: of the question.
        rows: `[m]` those that may answer it, best first.
        scores: `[m]` the retriever's.
        cosines: `[m]` one part of these.
        lexical: `[m]` the other, BM25.
        vector: `[d]` the embedding of the question.
        linked: `[e]` the entity that is nearest to each name in the question.
        nearness: `[e]` their cosines.
    """

    corpus: Corpus
    text: str
    rows: Int[ndarray, " m"]
    scores: Float[ndarray, " m"]
    cosines: Float[ndarray, " m"]
    lexical: Float[ndarray, " m"]
    vector: Float[ndarray, " d"]
    linked: Int[ndarray, " e"]
    nearness: Float[ndarray, " e"]


Scheme = Callable[..., list[int]]


def fusion(asked: Asked, k: int, *, constant: float = 60, lexical: float = 0.5) -> list[int]:
    """Reciprocal rank fusion of BM25 and the cosine (Cormack and others, SIGIR 2009).

    Args:
        asked: the question.
        k: how many passages.
        constant: is added to each rank before it is inverted.
        lexical: the weight of BM25; the paper's weights are equal.
    """
    by_words, by_cosine = (rankdata(-own, "ordinal") for own in (asked.lexical, asked.cosines))
    fused = lexical / (constant + by_words) + (1 - lexical) / (constant + by_cosine)
    return _best(fused, k)


def diverse(asked: Asked, k: int, *, trade_off: float = 0.5, candidates: int = 200) -> list[int]:
    """Maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998).

    Relevance is the retriever's score, and likeness the cosine of two passages.

    Args:
        asked: the question.
        k: how many passages.
        trade_off: the weight of relevance.
        candidates: among how many.
    """
    vectors = pad(asked.corpus.vectors[asked.rows[:candidates]], (candidates,), 0.0)
    found = kernels.maximal_marginal_relevance(
        pad(asked.scores[:candidates], (candidates,), 0.0),
        vectors @ vectors.T,
        mask=np.arange(candidates) < len(asked.rows),
        trade_off=trade_off,
        k=k,
    )
    return [int(place) for place in np.asarray(found.indices) if place != EMPTY]


def hippo(
    asked: Asked, k: int, *, damping: float = 0.5, passages: float = 0.05, synonyms: float = LIKE
) -> list[int]:
    """Personalised PageRank over the whole corpus (HippoRAG 2, arXiv 2502.14802).

    A passage is joined to its entities, and an entity to those of like names. A walk returns to the
    entities in the question, each by the inverse number of its passages, and to passages by the
    retriever's scores. Simplified: an extractor's entities instead of a language model's triples,
    so that entities are joined by passages and likeness alone, and no model checks what is linked.

    Args:
        asked: the question.
        k: how many passages.
        damping: how much of a walk goes on at each step.
        passages: the weight of the retriever's scores.
        synonyms: the least cosine of like names, at least `LIKE`.
    """
    corpus, first = asked.corpus, len(asked.corpus.vectors)
    seeds = np.zeros(first + len(corpus.names))
    above = asked.scores - asked.scores.min()
    seeds[asked.rows] = passages * (above / above.max() if above.any() else 1)
    seeds[first + asked.linked] = asked.nearness / np.diff(corpus.holders.offsets)[asked.linked]
    walked = walk(transitions(corpus, synonyms), seeds, damping)
    return _best(walked[asked.rows], k)


def one_hop(
    asked: Asked, k: int, *, seeds: int = 3, common: int = 64, mixed: bool = True
) -> list[int]:
    """Passages that share an entity with the best ones, as in LightRAG (arXiv 2410.05779).

    Simplified: the entities of the retriever's best passages stand for those that a language model
    finds in the question, and a shared entity for a relation.

    Args:
        asked: the question.
        k: how many passages.
        seeds: how many passages are followed.
        common: entities of more passages are not followed.
        mixed: take turns between the passages that are reached and the retriever's order, as
            LightRAG's mode `mix` does; else the former come first, behind the seeds.
    """
    corpus = asked.corpus
    entities = np.concatenate([corpus.entities.at(row) for row in asked.rows[:seeds].tolist()])
    few = [corpus.holders.at(entity) for entity in np.unique(entities).tolist()]
    reached = [own for own in few if len(own) <= common]
    near = np.isin(asked.rows, np.concatenate([asked.rows[:seeds], *reached]))
    behind = range(len(asked.rows))
    places = np.flatnonzero(near).tolist()
    turns = chain.from_iterable(zip(places, behind, strict=False))
    first = turns if mixed else [*behind[:seeds], *places]
    return list(dict.fromkeys(chain(first, behind)))[:k]


def traversal(
    asked: Asked, k: int, *, strategy: str = "eager", start: int = 4, adjacent: int = 10
) -> list[int]:
    """The package `graph-retriever` of DataStax, over shared entities and consecutive chunks.

    Args:
        asked: the question.
        k: how many passages.
        strategy: `eager`, `scored` by the retriever, or `mmr` by cosines.
        start: how many of the retriever's best passages the traversal starts from.
        adjacent: how many more a step may bring.
    """
    from graph_traversal import traversed

    return traversed(asked, k, strategy=strategy, start=start, adjacent=adjacent)


def crossed(asked: Asked, k: int, *, encoder: str, candidates: int = 30) -> list[int]:
    """The retriever's best passages by a cross-encoder (Nogueira and Cho, arXiv 1901.04085).

    Args:
        asked: the question.
        k: how many passages.
        encoder: the name or folder of a cross-encoder.
        candidates: how many passages it reads.
    """
    texts = [asked.corpus.texts[row] for row in asked.rows[:candidates].tolist()]
    (scores,) = _opened(encoder).scores([asked.text], [texts])
    return _best(scores, k)


_opened = cache(as_scorer)

PEERS: Mapping[str, Scheme] = {
    "reciprocal rank fusion": fusion,
    "MMR": diverse,
    "HippoRAG's walk": hippo,
    "graph-retriever": traversal,
    "LightRAG-like hop": one_hop,
    "cross-encoder": crossed,
}


def walk(
    steps: sparse.csr_matrix, seeds: Float[ndarray, " v"], damping: float
) -> Float[ndarray, " v"]:
    """Personalised PageRank, up to a factor: what leaves the graph returns to the seeds."""
    found = seeds
    for _ in range(int(np.ceil(np.log(_LEFT) / np.log(damping)))):
        found = damping * (steps @ found) + (1 - damping) * seeds
    return found


@cache
def transitions(corpus: Corpus, synonyms: float) -> sparse.csr_matrix:
    """The share of each vertex that goes to each other one."""
    graph = entity_graph(corpus, synonyms)
    return graph.multiply(1 / np.maximum(graph.sum(0), np.finfo(float).tiny)).tocsr()


@cache
def entity_graph(corpus: Corpus, synonyms: float) -> sparse.csr_matrix:
    """Passages, then entities: each passage with its own, and those of like names."""
    first, entities = len(corpus.vectors), corpus.entities
    alike, cosines = like_names(corpus)
    alike, cosines = alike[cosines >= synonyms], cosines[cosines >= synonyms]
    sources = np.concatenate([entities.owners, first + alike[:, 0]])
    targets = np.concatenate([first + entities.values, first + alike[:, 1]])
    weights = np.concatenate([np.ones(len(entities.values)), cosines])
    size = first + len(corpus.names)
    one_way = sparse.csr_matrix((weights, (sources, targets)), (size, size))
    return (one_way + one_way.T).tocsr()


@cache
def like_names(corpus: Corpus) -> tuple[Int[ndarray, "p 2"], Float[ndarray, " p"]]:
    """Pairs of entities whose names are alike, and their cosines.

    Names of one or two letters or digits are like no other.
    """
    names = corpus.names
    long = np.array([len(re.findall(r"[^\W_]", name)) > 2 for name in names], bool)
    (kept,) = np.nonzero(long)
    vectors = corpus.name_vectors[kept]
    pairs, cosines = [np.zeros((0, 2), int)], [np.zeros(0)]
    for start in range(0, len(kept), _BLOCK):
        # Each pair once: what stands before the block was compared with it already.
        alike = vectors[start : start + _BLOCK] @ vectors[start:].T
        left, right = np.nonzero(alike >= LIKE)
        left, right = left[right > left], right[right > left]
        pairs.append(kept[np.stack([start + left, start + right], axis=1)])
        cosines.append(alike[left, right])
    return np.concatenate(pairs), np.concatenate(cosines)


def _best(scores: Float[ndarray, " m"], k: int) -> list[int]:
    return np.argsort(-scores, kind="stable")[:k].tolist()
