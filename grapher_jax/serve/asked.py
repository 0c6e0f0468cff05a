"""Embeds the questions of requests, and remembers them for a while."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.search import Index

# With so many, it starts anew: 6 MB of vectors of the offline embedder.
_MOST = 4096


class Asked:
    """The embeddings of questions that were asked before; any thread may ask."""

    def __init__(self, index: Index) -> None:
        """Remember nothing yet."""
        self._index = index
        self._known: dict[str, Float[ndarray, " d"]] = {}

    def embeddings(self, questions: Sequence[str]) -> Float[ndarray, "B d"]:
        """`[B, d]` of unit length; a question that is remembered is not embedded again.

        Raises:
            InputError: for an empty question.
        """
        # Another thread may start anew at any time.
        known = self._known
        new = [text for text in dict.fromkeys(questions) if text not in known]
        if new:
            if len(known) + len(new) > _MOST:
                known = self._known = {text: known[text] for text in questions if text in known}
            known |= zip(new, self._index.retriever.embed(new), strict=True)
        return np.stack([known[text] for text in questions])
