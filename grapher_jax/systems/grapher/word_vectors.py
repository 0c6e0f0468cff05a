"""Vectors of single words, which are near if meanings are near, for any embedder of an index.

They were distilled from all-MiniLM-L6-v2 (Apache-2.0), as model2vec does it: the model embeds each
of its word pieces alone, and the principal components of these embeddings are kept.
`docs/tools/word_vectors.py` makes the file.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from safetensors.numpy import load_file

from grapher_jax.training.weights import SHIPPED_FOLDER

FILE = SHIPPED_FOLDER / "word-vectors" / "weights.safetensors"
# The prefix of a word piece that continues a word.
CONTINUES = "##"


class WordVectors:
    """Word pieces, the most frequent first, and their vectors.

    Attributes:
        vectors: `[m, d]` float32.
    """

    vectors: Float[ndarray, "m d"]

    def __init__(
        self, pieces: Sequence[str], vectors: Int[ndarray, "m d"], scales: Float[ndarray, " m"]
    ) -> None:
        """Build from pieces and their vectors, stored as integers times a scale per vector."""
        self.vectors = vectors.astype(np.float32) * scales.astype(np.float32)[:, None]
        self._places = {piece: place for place, piece in enumerate(pieces)}
        self._longest = max(map(len, pieces))

    def embed(self, words: Sequence[str]) -> tuple[Float[ndarray, "w d"], Float[ndarray, " w"]]:
        """The vectors of words, and a weight for each.

        Args:
            words: in lower case.

        Returns:
            `[w, d]` of unit length, the mean over the pieces of each word, or 0 without pieces;
            `[w]` the logarithm of the rank of its most frequent piece, because rare words say more.
        """
        pieces = [self._pieces(word) for word in words]
        counts = np.array([len(own) for own in pieces], int)
        flat = np.array([place for own in pieces for place in own], int)
        vectors = np.zeros((len(words), self.vectors.shape[1]), np.float32)
        weights = np.zeros(len(words), np.float32)
        known = np.flatnonzero(counts)
        if len(known):
            starts = (np.cumsum(counts) - counts)[known]
            sums = np.add.reduceat(self.vectors[flat], starts)
            lengths = np.linalg.norm(sums, axis=1, keepdims=True)
            vectors[known] = sums / np.where(lengths > 0, lengths, 1.0)
            weights[known] = np.log(2.0 + np.minimum.reduceat(flat, starts))
        return vectors, weights

    def _pieces(self, word: str) -> list[int]:
        """The longest pieces from left to right; letters that begin no piece are skipped."""
        found, start = [], 0
        while start < len(word):
            prefix = CONTINUES if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                place = self._places.get(prefix + word[start:end])
                if place is not None:
                    found.append(place)
                    break
            else:
                end = start + 1
            start = end
        return found


@cache
def shipped_vectors() -> WordVectors:
    """The vectors included in the package, read once per process."""
    tensors = load_file(FILE)
    pieces = tensors["pieces"].tobytes().decode().split("\n")
    return WordVectors(pieces, tensors["vectors"], tensors["scales"])
