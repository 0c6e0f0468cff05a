"""The options of a ranking: declared, explained and checked once, for every door."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING

from grapher_jax.checks import (
    check_choice,
    check_count,
    check_kind,
    check_names,
    check_number,
    finite,
    short_repr,
    shown,
)
from grapher_jax.errors import InputError
from grapher_jax.graph import MAX_DF, PROXIMITIES, Edges, Proximity, check_edges, edge_rows
from grapher_jax.rankers.choice import AUTO
from grapher_jax.retrieve.scorers import Scorer, as_scorer

if TYPE_CHECKING:
    from grapher_jax.rankers.protocol import Ranker

DEFAULT_RANKER = AUTO
# What another retriever's scores may be said to be; `scales` makes of them what a graph reads.
AUTO_SCALE, SHIFT, NONE = "auto", "shift", "none"
SCALES = (AUTO_SCALE, "logit", "cosine", "probability", "rank", SHIFT, NONE)
# What they are where there were none, and candidates were compared with their question.
COMPARED = "compared"
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
        scores: of what scale another retriever's scores are, as a graph adds them up and has to
            know their zero. `auto` takes them as they are; where any of a question is negative it
            takes that question's for `logit` if they leave -1 to 1, else for `shift`, with a
            warning. `logit` for a cross-encoder's, which become probabilities; `cosine`, of which
            those below 0 count as 0; `probability`; `rank` where nothing but the order means
            anything, of which the first counts 1, the second 1/2, the third 1/3; `shift` moves a
            question's scores up by the lowest where that is negative; `none` has them as they are.
            Networks and `diffusion`, to which differences matter alone, read logits as they are and
            ranks on a straight line. Whatever is chosen, candidates that nothing joins keep their
            order, but for `none` of negative ones. An index's own scores are as they are.
        edges: keys of metadata that join candidates besides those of the BEIR layout, with their
            form: `reference` (ids, or one), `shared` (values in common), `weighted` (ids with
            numbers ≥ 0), of two keys `sequence` (a whole, and places in it from 0), or of any name
            `semantic`, by the nearest embeddings of candidates. An edge is called like its first
            key, in `proximities` and `weights` too. An index has its own.
        base: what scores the candidates before the graph does, in the place of whatever found them:
            a sentence-transformers `CrossEncoder`, or its name or path; a `rerankers.Reranker`; a
            function of a question and texts that gives a score each; or a service that reranks, as
            a URL or a `RerankService`. Where `scores` says `auto`, those of a cross-encoder are
            logits.

    Raises:
        InputError: for a value of another type, or out of its range.
    """

    ranker: "str | Path | Ranker" = field(
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
    scores: str = field(
        default=AUTO_SCALE,
        metadata={
            "help": f"What another retriever's scores are: {', '.join(SCALES)}. auto guesses where "
            "some are negative, and says so"
        },
    )

    edges: Edges | None = None
    base: object = field(
        default=None,
        metadata={
            "help": "What scores the candidates before the graph does: the name or path of a "
            "sentence-transformers cross-encoder, or the URL of a service that reranks"
        },
    )

    def __post_init__(self) -> None:
        # The protocol's room needs JAX, which whoever reads the declaration alone does not.
        from grapher_jax.rankers.protocol import Ranker

        known = "the name of a ranker, its folder, or a ranker"
        ranker = str(self.ranker) if isinstance(self.ranker, Path) else self.ranker
        edges = None if self.edges is None else check_edges(self.edges)
        scorer = None if self.base is None else as_scorer(self.base)
        known_edges = (*PROXIMITIES, *edge_rows(edges or {}))
        checked = {
            "edges": edges,
            "base": scorer,
            "ranker": check_kind("ranker", ranker, str | Ranker, known),
            "temperature": self._checked_temperature(),
            "alpha": None if self.alpha is None else _check_alpha(self.alpha),
            "proximities": None if self.proximities is None else _check_chosen(self.proximities),
            "weights": None if self.weights is None else _check_weights(self.weights, known_edges),
            "max_df": None if self.max_df is None else _check_max_df(self.max_df),
            "tol": check_number("tol", self.tol),
            "max_steps": check_count("max_steps", self.max_steps),
            "scores": check_choice("scores", self.scores, SCALES),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        if not self.tol > 0:
            raise InputError(f"tol: {self.tol} must be above 0")

    def __repr__(self) -> str:
        given = {own.name: getattr(self, own.name) for own in fields(self)}
        changed = {
            own.name: given[own.name] for own in fields(self) if given[own.name] != own.default
        }
        return short_repr(self, **{"ranker": self.ranker} | changed)

    @property
    def rows(self) -> Mapping[str, Proximity]:
        """The table of proximities, with the edges of one's own."""
        return {**PROXIMITIES, **edge_rows(self.own_edges)}

    @property
    def scorer(self) -> Scorer | None:
        """What `base` is."""
        return None if self.base is None else as_scorer(self.base)

    @property
    def scale(self) -> str:
        """What scores are taken for: `scores`, or where that says `auto` what `base` gives."""
        scorer = self.scorer
        return scorer.scale if scorer and self.scores == AUTO_SCALE else self.scores

    @property
    def own_edges(self) -> dict[str, str]:
        """The edges as `check_edges` gives them."""
        return check_edges(self.edges)

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


def _check_weights(weights: Mapping[str, float], known: Sequence[str]) -> dict[str, float]:
    numbers = {}
    for name, value in check_kind("weights", weights, Mapping, "a number by name").items():
        weight = finite(value)
        if name not in known or weight is None or weight < 0:
            raise InputError(
                f"weights: {name!s:.40}={shown(value)} cannot be used; give numbers ≥ 0 that "
                f"float32 holds to {', '.join(known)}, or to edges of your own that edges= names"
            )
        numbers[name] = weight
    return numbers
