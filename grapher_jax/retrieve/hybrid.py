"""The base retriever: BM25 and dense search, fused (GraphER, section 3.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.buckets import MAX_BATCH, pad, power_of_two
from grapher_jax.errors import InputError
from grapher_jax.retrieve.embedders import Embedder, Progress, no_progress
from grapher_jax.retrieve.lexical import LexicalIndex
from grapher_jax.retrieve.text import readable

CANDIDATES = 200
LEXICAL_WEIGHT = 0.3
# Scores of a block of questions over all objects, at 4 bytes each, stay below 64 MiB.
_BLOCK_SCORES = 1 << 24


@dataclass(frozen=True)
class Candidates:
    """What a retriever returned for a batch of questions.

    Attributes:
        rows: `[B, n]` int32 objects, best first; -1 where there are fewer.
        scores: `[B, n]` float32 their scores; 0 where there are fewer.
    """

    rows: Int[ndarray, "B n"]
    scores: Float[ndarray, "B n"]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class HybridRetriever:
    """0.3 × BM25 (min-max over the corpus) + 0.7 × cosine.

    Attributes:
        embedder: embeds the questions.
        embeddings: `[N, d]` of the objects, unit length.
        lexical: BM25 weights of the objects.
        lexical_weight: the weight of the lexical part; the rest goes to the cosine.
    """

    embedder: Embedder
    embeddings: Float[ndarray, "N d"]
    lexical: LexicalIndex
    lexical_weight: float = LEXICAL_WEIGHT

    def retrieve(
        self,
        questions: Sequence[str],
        *,
        candidates: int = CANDIDATES,
        progress: Progress = no_progress,
    ) -> Candidates:
        """The best objects for every question; ties go to the earlier object.

        Args:
            questions: none of them empty.
            candidates: how many to return; all objects where there are fewer.
            progress: told how many more questions are embedded.

        Raises:
            InputError: for an empty question, or an embedder that does not fit the embeddings.
        """
        for number, question in enumerate(questions, start=1):
            if not question.strip():
                raise InputError(f"question {number} is empty; ask something")
        if self.embedder.dimension != self.embeddings.shape[1]:
            raise InputError(
                f"embedder: {self.embedder.name!r} gives {self.embedder.dimension} dimensions, the "
                f"index has {self.embeddings.shape[1]}; use the embedder that built the index"
            )
        n = min(candidates, len(self.embeddings))
        vectors = self.embedder.embed_queries([*map(readable, questions)], progress=progress)
        fitting = max(1, _BLOCK_SCORES // len(self.embeddings))
        block = min(MAX_BATCH, 1 << (fitting.bit_length() - 1))
        rows = np.zeros((len(questions), n), np.int32)
        scores = np.zeros((len(questions), n), np.float32)
        for start in range(0, len(questions), block):
            chosen = slice(start, start + block)
            lexical = self.lexical.scores(questions[chosen])
            shape = (power_of_two(len(lexical)),)
            best = _search(
                pad(vectors[chosen], shape, 0.0),
                self._device_embeddings,
                pad(lexical, shape, 0.0),
                self.lexical_weight,
                n,
            )
            rows[chosen] = best.indices[: len(lexical)]
            scores[chosen] = best.scores[: len(lexical)]
        return Candidates(rows, scores)

    @cached_property
    def _device_embeddings(self) -> Array:
        return jnp.asarray(self.embeddings)


@partial(jax.jit, static_argnames="n")
def _search(
    queries: Float[Array | ndarray, "B d"],
    objects: Float[Array, "N d"],
    lexical: Float[Array | ndarray, "B N"],
    lexical_weight: float | Array,
    n: int,
) -> kernels.TopK:
    fused = kernels.hybrid(lexical, queries @ objects.T, lexical_weight=lexical_weight)
    return kernels.top_k(fused, n)
