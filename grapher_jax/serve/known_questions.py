"""Embeds the questions of requests, and remembers them for a while."""

import hashlib
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.search import Index

# With so many, it starts anew: 7 MB with the vectors of the offline embedder.
_MOST = 4096


class KnownQuestions:
    """The embeddings of questions that were asked before; any thread may ask."""

    def __init__(self, index: Index) -> None:
        """Remember nothing yet."""
        self._index = index
        self._known: dict[bytes, Float[ndarray, " d"]] = {}

    def embeddings(self, questions: Sequence[str]) -> Float[ndarray, "B d"]:
        """`[B, d]` of unit length; a question that is remembered is not embedded again.

        Raises:
            InputError: for an empty question.
        """
        # Questions may be long: what is kept of them is a digest.
        keys = [hashlib.sha256(text.encode(errors="surrogatepass")).digest() for text in questions]
        # Another thread may start anew at any time.
        known = self._known
        new = {key: text for key, text in zip(keys, questions, strict=True) if key not in known}
        if new:
            if len(known) + len(new) > _MOST:
                known = self._known = {key: known[key] for key in keys if key in known}
            known |= zip(new, self._index.retriever.embed([*new.values()]), strict=True)
        return np.stack([known[key] for key in keys])
