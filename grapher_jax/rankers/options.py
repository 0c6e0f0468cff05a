"""The options of a ranking: declared, explained and checked once, for every door."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from grapher_jax.checks import (
    check_count,
    check_kind,
    check_names,
    check_number,
    finite,
    shown,
)
from grapher_jax.errors import InputError
from grapher_jax.graph import MAX_DF, PROXIMITIES
from grapher_jax.rankers.choice import AUTO

if TYPE_CHECKING:
    from grapher_jax.rankers.protocol import Ranker

DEFAULT_RANKER = AUTO
# What is less is 0 in a program.
_SMALLEST = 2.0**-126


@dataclass(frozen=True, kw_only=True)
class RankingOptions:
    """A ranker and its parameters, as they are asked for.

    A field's `help` in its metadata is what the command line says of it.

    Attributes:
        ranker: `auto` for the one that suits what joins the candidates (see `choose`), `diffusion`,
            `gcs`, `ppr`, `base` for the retriever's own order, `gat` or `query-gnn` for the
            networks that the package ships, or the folder of a trained one's weights; or a ranker
            itself, such as an `LlmRanker`. `query-gnn` needs an index.
        temperature: of `diffusion`, see `kernels.diffusion`; its own by default.
        alpha: the weight kept on a candidate's own score, in (0, 1]; the ranker's own by default.
            A network has the one that it was trained with.
        proximities: what the graph is built from; by default all that the metadata allows.
        weights: the weight of each proximity by name, 1 by default, and in a network.
        max_df: entities that more objects have connect nothing; None lets all connect. Counted over
            the index; where there is none, over a question's candidates. A network has its own.
        tol: see `kernels.gcs`; not of a network.
        max_steps: see `kernels.gcs`; not of a network.

    Raises:
        InputError: for a value of another type, or out of its range.
    """

    ranker: "str | Ranker" = field(
        default=DEFAULT_RANKER,
        metadata={
            "help": "auto, base, gcs, ppr, diffusion, gat, query-gnn, g-rag, or the folder of "
            "trained weights"
        },
    )
    temperature: float | None = field(
        default=None,
        metadata={
            "help": "Of diffusion: the score by which a candidate must be better to weigh e times "
            "as much; from the scores by default."
        },
    )
    alpha: float | None = field(
        default=None,
        metadata={
            "help": "Weight kept on a candidate's own score, in (0, 1]; the ranker's default."
        },
    )
    proximities: Sequence[str] | None = field(
        default=None,
        metadata={"help": f"Build the graph from these alone: {', '.join(PROXIMITIES)}."},
    )
    weights: Mapping[str, float] | None = field(
        default=None,
        metadata={"help": "The weight of a proximity, 1 by default; may be given several times."},
    )
    max_df: int | None = field(
        default=MAX_DF,
        metadata={"help": "Entities that more objects have connect nothing"},
    )
    tol: float = 1e-6
    max_steps: int = 1000

    def __post_init__(self) -> None:
        # The protocol's room needs JAX, which whoever reads the declaration alone does not.
        from grapher_jax.rankers.protocol import Ranker

        known = "the name of a ranker, its folder, or a ranker"
        ranker = str(self.ranker) if isinstance(self.ranker, Path) else self.ranker
        checked = {
            "ranker": check_kind("ranker", ranker, str | Ranker, known),
            "temperature": self._checked_temperature(),
            "alpha": None if self.alpha is None else _check_alpha(self.alpha),
            "proximities": None if self.proximities is None else _check_chosen(self.proximities),
            "weights": None if self.weights is None else _check_weights(self.weights),
            "max_df": None if self.max_df is None else _check_max_df(self.max_df),
            "tol": check_number("tol", self.tol),
            "max_steps": check_count("max_steps", self.max_steps),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        if not self.tol > 0:
            raise InputError(f"tol: {self.tol} must be above 0")

    def _checked_temperature(self) -> float | None:
        if self.temperature is None:
            return None
        if self.ranker != "diffusion":
            raise InputError("temperature: of the ranker diffusion; choose it, or leave this out")
        number = check_number("temperature", self.temperature)
        if number < _SMALLEST:
            raise InputError(f"temperature: {number} must be above 0, as float32 holds it")
        return number


def _check_alpha(alpha: float) -> float:
    number = check_number("alpha", alpha)
    if not 0 < number <= 1:
        raise InputError(f"alpha: {number} is outside (0, 1]; 1 keeps the retriever's order")
    return number


def _check_chosen(proximities: Sequence[str]) -> tuple[str, ...]:
    return tuple(check_names("proximities", proximities))


def _check_max_df(max_df: int) -> int:
    return check_count("max_df", max_df, cure=", or None for all entities")


def _check_weights(weights: Mapping[str, float]) -> dict[str, float]:
    numbers = {}
    for name, value in check_kind("weights", weights, Mapping, "a number by name").items():
        weight = finite(value)
        if name not in PROXIMITIES or weight is None or weight < 0:
            raise InputError(
                f"weights: {name!s:.40}={shown(value)} cannot be used; give numbers ≥ 0 that "
                f"float32 holds to {', '.join(PROXIMITIES)}"
            )
        numbers[name] = weight
    return numbers
