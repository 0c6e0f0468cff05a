"""Fits the parameters of diffusion by gradients through its fixed point."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.kernels.checks import check_diffusion, check_shape
from grapher_jax.kernels.graphs.proximities import (
    TABLE,
    Table,
    check_proximity_weights,
    pair_graph,
)
from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.kernels.masking import reciprocal
from grapher_jax.kernels.types import Mask, Scores
from grapher_jax.training.alpha_grid import check_judged

# A relevant candidate with a smaller fraction of all scores is lost, and has no gradient.
_LEAST_SHARE = 1e-8


@dataclass(frozen=True)
class DiffusionNumbers:
    """The learnable parameters of diffusion.

    Attributes:
        temperature: T, in units of the scores.
        alpha: the weight of a candidate's own seed.
        weights: the weight of each proximity, with 1 for the first: only ratios matter.
    """

    temperature: float
    alpha: float
    weights: Mapping[str, float]

    def free(self) -> Float[ndarray, " numbers"]:
        """The parameters as unconstrained numbers: `log T`, `logit α`, `log` of the weights."""
        weights = list(self.weights.values())
        further = [weight / weights[0] for weight in weights[1:]]
        alpha = min(self.alpha, 1 - 1e-6)  # at 1 the odds would be infinite
        odds = alpha / (1 - alpha)
        return np.log(np.array([self.temperature, odds, *further]))

    @classmethod
    def of_free(
        cls, numbers: Float[ndarray, " numbers"], proximities: Sequence[str]
    ) -> "DiffusionNumbers":
        """Restores the parameters from `free`."""
        temperature, odds, *further = np.exp(numbers).tolist()
        weights = dict(zip(proximities, [1.0, *further], strict=False))
        return cls(temperature, odds / (1 + odds), weights)


def diffusion_loss(
    numbers: Float[Array | ndarray, " numbers"],
    scores: Scores,
    relations: Relations,
    relevant: Bool[Array | ndarray, "*B n"],
    *,
    mask: Mask,
    proximities: Sequence[str],
    least_degree: float = 0.0,
    measure: str = "",
    table: Table = TABLE,
) -> tuple[Float[Array, ""], Float[Array, " numbers"]]:
    """The loss for diffusion's parameters, and its gradient.

    It is the cross-entropy of each relevant candidate's fraction of all scores: the mean per
    question, summed over questions. The fixed point is differentiated implicitly: it is solved once
    more, and no intermediate steps are stored.

    Args:
        numbers: see `DiffusionNumbers.free`.
        scores: `[*B, n]` the retriever's scores.
        relations: the metadata that joins the candidates.
        relevant: `[*B, n]` which candidates are relevant; a question without any adds nothing.
        mask: `[*B, n]` true for real candidates.
        proximities: the names of the proximities, in the order of the numbers.
        least_degree: as in `kernels.diffusion`, where `measure` has the weight 1.
        measure: the proximity whose weight the degree is multiplied by; empty for none.
        table: the table of proximities.

    Raises:
        TypeError: as `kernels.rerank`.
        ValueError: as `kernels.rerank`, and for an unknown proximity, or numbers that are not one
            for α, one for the temperature and one for each proximity after the first.
    """
    check_judged(scores, relations, relevant, mask, table)
    check_proximity_weights(dict.fromkeys(proximities, 1.0), table)
    names = tuple(proximities)
    check_shape("numbers", numbers, (max(len(names), 1) + 1,))
    check_diffusion("diffusion", None, None, least_degree)
    if measure and measure not in names:
        raise ValueError(f"measure: {measure!r} is no proximity here; use {', '.join(names)}")
    return _loss(numbers, scores, relations, relevant, mask, names, least_degree, measure, table)


# The values were checked outside: in a program, nothing can be.
@partial(jax.jit, static_argnames=("proximities", "measure", "table"))
def _loss(
    numbers: Float[Array | ndarray, " numbers"],
    scores: Scores,
    relations: Relations,
    relevant: Bool[Array | ndarray, "*B n"],
    mask: Mask,
    proximities: tuple[str, ...],
    least_degree: float | Array,
    measure: str,
    table: Table,
) -> tuple[Float[Array, ""], Float[Array, " numbers"]]:
    wanted = jnp.asarray(relevant) & jnp.asarray(mask)

    def loss(numbers: Array) -> Array:
        further = jnp.exp(numbers[2:])
        weights = dict(zip(proximities, [1.0, *further], strict=False))
        adjacency = pair_graph(
            jnp.shape(scores), relations, weights=weights, mask=mask, table=table
        )
        p = kernels.diffusion(
            adjacency,
            scores,
            mask=mask,
            temperature=jnp.exp(numbers[0]),
            alpha=jax.nn.sigmoid(numbers[1]),
            least_degree=least_degree * weights.get(measure, 1.0),
            tol=1e-5,
        ).scores
        shares = p * reciprocal(p.sum(-1, keepdims=True))
        lost = jnp.where(wanted, -jnp.log(shares + _LEAST_SHARE), 0.0)
        counts = wanted.sum(-1)
        return (lost.sum(-1) / jnp.maximum(counts, 1)).sum()

    value: tuple[Array, Array] = jax.value_and_grad(loss)(jnp.asarray(numbers, jnp.float32))
    return value
