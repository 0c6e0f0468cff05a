"""Probabilities that hits are relevant, from a logistic function fitted on judged questions."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray
from scipy.special import expit

from grapher_jax.checks import check_kind, check_list, check_names, check_number
from grapher_jax.errors import InputError
from grapher_jax.rankers.hits import Hit
from grapher_jax.retrieve.stores.records import HIGHEST_COSINE

# Fitted by docs/tools/fit_calibration.py on the training splits of five public sets.
_FITTED = (-1.45, 1.63, -0.13)


@dataclass(frozen=True)
class Calibration:
    """The probability that a hit is relevant, from its rank and the retriever's score.

    The ranker's own score is not used, because its scale depends on the ranker. The default was
    fitted for rankings by `auto` over indexes with the embedder `offline` and the retriever's
    default options; for anything else, `fit` a calibration on judged questions.

    Attributes:
        weights: the weights of the log-odds: of the logarithm of the rank, of the base score, and
            the bias.
    """

    weights: tuple[float, ...] = _FITTED

    def __post_init__(self) -> None:
        weights = check_list("weights", self.weights, of="three numbers")
        if len(weights) != len(_FITTED):
            raise InputError(f"weights: {len(weights)} numbers; give those of rank, score and bias")
        checked = tuple(check_number(f"weights[{n}]", own) for n, own in enumerate(weights))
        object.__setattr__(self, "weights", checked)

    @classmethod
    def fit(
        cls, rankings: Sequence[Sequence[Hit]], relevant: Sequence[Collection[str]]
    ) -> "Calibration":
        """Fit a calibration to judged questions.

        Args:
            rankings: the hits of each question; as many as later calls have, such as the first 20.
            relevant: the ids of the objects that answer each question.

        Raises:
            InputError: if both differ in length, for what is no hit, or if no hit or every hit is
                relevant.
        """
        lists = [
            _check_hits(f"rankings[{number}]", own)
            for number, own in enumerate(
                check_list("rankings", rankings, of="hits, one a question")
            )
        ]
        answers = [
            {*check_names(f"relevant[{number}]", own, of="ids")}
            for number, own in enumerate(check_list("relevant", relevant, of="ids, one a question"))
        ]
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
        """The probability that each hit is relevant, in the order of the hits.

        Raises:
            InputError: for what is no hit, or, with the default weights, for a base score outside
                [-1, 1], which no index gives.
        """
        hits = _check_hits("hits", hits)
        if self.weights == _FITTED:
            for hit in hits:
                if abs(hit.base_score) > HIGHEST_COSINE:
                    raise InputError(
                        f"hit {hit.id!r}: base score {hit.base_score:.4g} is none of an index, "
                        "beyond -1 and 1; fit a Calibration to your retriever's scores"
                    )
        *weights, bias = self.weights
        found: list[float] = expit(_features(hits) @ np.array(weights) + bias).tolist()
        return found


def _check_hits(name: str, value: object) -> list[Hit]:
    hits = check_list(name, value, of="hits, as a search returns them")
    return [check_kind(f"{name}[{number}]", hit, Hit, "a hit") for number, hit in enumerate(hits)]


def _features(hits: Sequence[Hit]) -> Float[ndarray, "n 2"]:
    told = [(np.log(hit.rank), hit.base_score) for hit in hits]
    return np.array(told, float).reshape(-1, 2)


def logistic(features: Float[ndarray, "n f"], wanted: Bool[ndarray, " n"]) -> tuple[float, ...]:
    """Weights, then bias, of a slightly regularised logistic regression, by Newton's method.

    What is regularised are the weights of standardised features: it means the same for any unit.
    """
    mean, deviation = features.mean(axis=0), features.std(axis=0)
    # What is the same for all has a deviation by rounding; its weight is 0.
    deviation = np.where(deviation > 1e-9 * np.abs(mean), deviation, np.inf)
    inputs = np.column_stack([(features - mean) / deviation, np.ones(len(features))])
    weights = np.zeros(inputs.shape[1])
    for _ in range(30):
        found = expit(inputs @ weights)
        slope = inputs.T @ (wanted - found) - 1e-3 * weights
        curve = (inputs * (found * (1 - found))[:, None]).T @ inputs
        weights += np.linalg.solve(curve + 1e-3 * np.eye(len(weights)), slope)
    slopes = weights[:-1] / deviation
    return (*slopes.tolist(), float(weights[-1] - slopes @ mean))
