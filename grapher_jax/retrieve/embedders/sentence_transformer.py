"""Any sentence-transformers model, by name or path."""

import logging
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.checks import check_path
from grapher_jax.errors import InputError, require
from grapher_jax.retrieve.embedders.types import Progress, no_progress

_BATCH = 32


class SentenceTransformerEmbedder:
    """A sentence-transformers model, with its own prompts for questions and for objects."""

    def __init__(self, name: str) -> None:
        """Name the model; it is loaded when it is first used.

        Args:
            name: a model's name on the hub, or the path of its folder.

        Raises:
            InputError: for what cannot be either.
        """
        if not name:
            raise InputError("embedder: the name is empty; give that of a model, or 'offline'")
        # A path must mean the same model from any folder.
        self.name = str(path.resolve()) if (path := check_path("embedder", name)).is_dir() else name

    @cached_property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self._model.encode("", show_progress_bar=False).shape[-1])

    def embed_queries(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "N d"]:
        """`[N, d]` float32 embeddings of questions, of unit length.

        Raises:
            InputError: where there is no such model.
            MissingExtraError: where sentence-transformers is not installed.
        """
        return self._embed(self._model.encode_query, texts, progress)

    def embed_objects(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "N d"]:
        """`[N, d]` float32 embeddings of objects, of unit length; raises as for questions."""
        return self._embed(self._model.encode_document, texts, progress)

    @cached_property
    def _model(self) -> Any:
        module = require("sentence_transformers")
        # Their retries and bars are not for the user of a command line.
        for library in ("huggingface_hub", "transformers", "sentence_transformers"):
            logging.getLogger(library).setLevel(logging.ERROR)
        require("transformers").utils.logging.disable_progress_bar()
        try:
            return module.SentenceTransformer(self.name)
        except (OSError, ValueError) as error:
            reason = str(error).strip().splitlines()[0]
            raise InputError(
                f"embedder: {self.name!r} cannot be loaded ({reason}); give the name or the path "
                "of a sentence-transformers model, or 'offline'"
            ) from error

    def _embed(
        self, encode: Callable[..., ndarray], texts: Sequence[str], progress: Progress
    ) -> Float[ndarray, "N d"]:
        embeddings = np.empty((len(texts), self.dimension), np.float32)
        # Longest first, in blocks, so that a batch holds texts of like length.
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        for start in range(0, len(order), 16 * _BATCH):
            chosen = order[start : start + 16 * _BATCH]
            embeddings[chosen] = encode(
                [texts[i] for i in chosen],
                batch_size=_BATCH,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
            progress(len(chosen))
        return embeddings
