"""Any sentence-transformers model, by name or path."""

import logging
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.checks import check_path
from grapher_jax.errors import InputError, first_line, require
from grapher_jax.retrieve.embedders.types import Progress, no_progress
from grapher_jax.shapes import slices

_BATCH = 32


class SentenceTransformerEmbedder:
    """A sentence-transformers model, with the model's own prompts for questions and objects."""

    def __init__(self, name: str) -> None:
        """Store the name; the model is loaded on first use.

        Args:
            name: a model's name on the hub, or the path of its folder.

        Raises:
            InputError: if it can be neither.
        """
        if not name:
            raise InputError("embedder: the name is empty; give that of a model, or 'offline'")
        # An absolute path, so that it does not depend on the working folder.
        self.name = str(path.resolve()) if (path := check_path("embedder", name)).is_dir() else name

    @cached_property
    def dimension(self) -> int:
        """The dimension of the vectors."""
        return int(self._model.encode("", show_progress_bar=False).shape[-1])

    def embed_queries(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "N d"]:
        """`[N, d]` float32 embeddings of questions, of unit length.

        Raises:
            InputError: if there is no such model.
            MissingExtraError: if sentence-transformers is not installed.
        """
        return self._embed(self._model.encode_query, texts, progress)

    def embed_objects(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "N d"]:
        """`[N, d]` float32 embeddings of objects, of unit length; raises as for questions."""
        return self._embed(self._model.encode_document, texts, progress)

    @cached_property
    def _model(self) -> Any:
        module = quiet_sentence_transformers()
        try:
            return module.SentenceTransformer(self.name)
        except Exception as error:  # safetensors and torch raise their own types
            raise InputError(
                f"embedder: {self.name!r} cannot be loaded ({first_line(error)}); give the name "
                "or the path of a sentence-transformers model, or 'offline'"
            ) from error

    def _embed(
        self, encode: Callable[..., ndarray], texts: Sequence[str], progress: Progress
    ) -> Float[ndarray, "N d"]:
        embeddings = np.empty((len(texts), self.dimension), np.float32)
        # Longest first, in blocks, so that a batch has texts of similar length.
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        for chosen in (order[part] for part in slices(len(order), 16 * _BATCH)):
            embeddings[chosen] = encode(
                [texts[i] for i in chosen],
                batch_size=_BATCH,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
            progress(len(chosen))
        return embeddings


def quiet_sentence_transformers() -> Any:
    """The library, which then shows users of the command line no retries and progress bars.

    Raises:
        MissingExtraError: if it is not installed.
    """
    module = require("sentence_transformers")
    for library in ("huggingface_hub", "transformers", "sentence_transformers"):
        logging.getLogger(library).setLevel(logging.ERROR)
    require("transformers").utils.logging.disable_progress_bar()
    return module
