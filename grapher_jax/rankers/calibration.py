"""How likely hits are relevant, by a logistic function that was fitted on judged questions."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray
from scipy.special import expit

from grapher_jax.checks import check_list
from grapher_jax.errors import InputError
from grapher_jax.rankers.hits import Hit

# By docs/tools/fit_calibration.py, on the train splits of five public sets.
_FITTED = (-1.41, 1.25, -0.07)


@dataclass(frozen=True)
class Calibration:
    """The probability that each hit is relevant, by its rank and the retriever's score.

    The ranker's own score does not count, whose unit is another for each ranker. The default was
    fitted on what `auto` ranks over indexes of the embedder `offline`, with the retriever's default
    options; `fit` gives one for anything else, from judged questions.

    Attributes:
        weights: what the logarithm of the rank and the base score add to the log-odds; then what
            all have.
    """

    weights: tuple[float, ...] = _FITTED

    @classmethod
    def fit(
        cls, rankings: Sequence[Sequence[Hit]], relevant: Sequence[Collection[str]]
    ) -> "Calibration":
        """The one that suits judged questions best.

        Args:
            rankings: the hits of each; as many as there will be, such as the first 20.
            relevant: the ids of the objects that answer each.

        Raises:
            InputError: for other numbers of both, or where no hit is relevant, or every one.
        """
        lists = check_list("rankings", rankings, of="hits, one a question")
        answers = check_list("relevant", relevant, of="ids, one a question")
        if len(lists) != len(answers):
            raise InputError(
                f"relevant: {len(answers)} for {len(lists)} rankings; give one for each"
            )
        wanted = np.array(
            [hit.id in own for hits, own in zip(lists, answers, strict=True) for hit in hits], bool
        )
        if not wanted.any() or wanted.all():
            found = f"{int(wanted.sum())} of {len(wanted)} hits are relevant"
            raise InputError(f"relevant: {found}; give questions that have hits of both kinds")
        return cls(logistic(_features([hit for hits in lists for hit in hits]), wanted))

    def probabilities(self, hits: Sequence[Hit]) -> list[float]:
        """How likely each hit is relevant, in the order of the hits.

        Raises:
            InputError: by the default, for a base score beyond -1 and 1, which is no index's.
        """
        if self.weights == _FITTED:
            for hit in hits:
                if not -1 <= hit.base_score <= 1:
                    raise InputError(
                        f"hit {hit.id!r}: base score {hit.base_score:.4g} is none of an index, "
                        "beyond -1 and 1; fit a Calibration to your retriever's scores"
                    )
        *weights, bias = self.weights
        found: list[float] = expit(_features(hits) @ np.array(weights) + bias).tolist()
        return found


def _features(hits: Sequence[Hit]) -> Float[ndarray, "n 2"]:
    told = [(np.log(hit.rank), hit.base_score) for hit in hits]
    return np.array(told, float).reshape(-1, 2)


def logistic(features: Float[ndarray, "n f"], wanted: Bool[ndarray, " n"]) -> tuple[float, ...]:
    """The weights, then the bias, of logistic regression by Newton's method, hardly shrunk."""
    inputs = np.column_stack([features, np.ones(len(features))])
    weights = np.zeros(inputs.shape[1])
    for _ in range(30):
        found = expit(inputs @ weights)
        slope = inputs.T @ (wanted - found) - 1e-3 * weights
        curve = (inputs * (found * (1 - found))[:, None]).T @ inputs
        weights += np.linalg.solve(curve + 1e-3 * np.eye(len(weights)), slope)
    return tuple(weights.tolist())
