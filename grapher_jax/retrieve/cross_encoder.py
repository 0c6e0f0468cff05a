"""Cross-encoders, which read question and text together and score the relevance."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.errors import InputError, first_line, require
from grapher_jax.retrieve.embedders.sentence_transformer import quiet_sentence_transformers

_HEAD = "ForSequenceClassification"
_BATCH = 32


@dataclass(frozen=True)
class CrossEncoder:
    """A cross-encoder of sentence-transformers, loaded when it is first used.

    Attributes:
        source: its name on the hub, or the path of its folder.
        called: the name of the option that gave it, for error messages.
    """

    source: str
    called: str = field(default="cross-encoder", compare=False)

    @property
    def name(self) -> str:
        """The source; a path is made absolute, so that it does not depend on the working folder."""
        return str(Path(self.source).resolve()) if Path(self.source).is_dir() else self.source

    def load(self) -> None:
        """Loads it now; raises as `logits`."""
        self._model  # noqa: B018

    def score(self, pairs: Sequence[tuple[str, str]]) -> Float[ndarray, " pairs"]:
        """`[pairs]` float32 relevance of texts to questions, in (0, 1): the logistic of `logits`.

        Args:
            pairs: see `logits`.

        Raises:
            InputError: as `logits`.
            MissingExtraError: as `logits`.
        """
        return self._predicted(pairs, "Sigmoid")

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Float[ndarray, " pairs"]:
        """`[pairs]` float32 raw outputs of the network.

        Args:
            pairs: pairs of a question and a text; input longer than the model's limit is cut.

        Raises:
            InputError: if there is no such model, or it does not give one number per pair.
            MissingExtraError: if sentence-transformers is not installed.
        """
        return self._predicted(pairs, "Identity")

    @classmethod
    def of_model(cls, name: str, model: object) -> "CrossEncoder":
        """Wraps a sentence-transformers cross-encoder that is already loaded.

        Args:
            name: the name of the model.
            model: a `sentence_transformers.CrossEncoder` that gives one number per pair.
        """
        made = cls(name)
        made.__dict__["_model"] = model
        return made

    def _predicted(
        self, pairs: Sequence[tuple[str, str]], activation: str
    ) -> Float[ndarray, " pairs"]:
        if not pairs:
            return np.zeros(0, np.float32)
        # Longest first, so that a batch has pairs of similar length.
        order = sorted(range(len(pairs)), key=lambda i: -sum(map(len, pairs[i])))
        scores = np.empty(len(pairs), np.float32)
        scores[order] = self._model.predict(
            [pairs[i] for i in order],
            batch_size=_BATCH,
            activation_fn=getattr(require("torch").nn, activation)(),
            show_progress_bar=False,
        )
        return scores

    @cached_property
    def _model(self) -> Any:
        module = quiet_sentence_transformers()
        cure = "give it the name or the path of a sentence-transformers cross-encoder"
        try:
            config = require("transformers").AutoConfig.from_pretrained(self.name)
            # For any other model, the library would add a head with random weights.
            if not any(name.endswith(_HEAD) for name in config.architectures or []):
                raise ValueError("it is no cross-encoder: it has no trained head")
            model = module.CrossEncoder(self.name, model_kwargs={"use_safetensors": True})
        except Exception as error:  # safetensors and torch raise their own types
            raise InputError(
                f"{self.called}: {self.source!r} cannot be loaded ({first_line(error)}); {cure}"
            ) from error
        if model.num_labels != 1:
            raise InputError(
                f"{self.called}: {self.source!r} gives {model.num_labels} numbers a pair, not one; "
                f"{cure}"
            )
        return model
