"""The options of a ranking: declared, explained and checked in one place for all interfaces."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING

from grapher_jax.checks import (
    check_alpha,
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
from grapher_jax.rankers.auto import AUTO
from grapher_jax.retrieve.scorers import Scorer, as_scorer

if TYPE_CHECKING:
    from grapher_jax.rankers.protocol import Ranker

DEFAULT_RANKER = AUTO
# The possible scales of another retriever's scores; `scales` converts them for the graph.
AUTO_SCALE, SHIFT, NONE = "auto", "shift", "none"
SCALES = (AUTO_SCALE, "logit", "cosine", "probability", "rank", SHIFT, NONE)
# The scale if there were no scores, and candidates were compared with their question.
COMPARED = "compared"
# Smaller numbers may be flushed to 0 in a compiled program.
_SMALLEST = 2.0**-126


@dataclass(frozen=True, kw_only=True)
class RankingOptions:
    """A ranker and its parameters, as the caller gives them.

    The `help` in a field's metadata is the help text of the command line.

    Attributes:
        ranker: `auto` for the ranker that suits the edges between the candidates (see `choose`),
            `diffusion`, `gcs`, `ppr`, `base` for the retriever's own order, `gat`,
            `query-gnn` or `g-rag` for the networks included in the package, the folder of a trained
            network's weights, or a ranker object, such as an `LlmRanker`. `query-gnn` needs an
            index.
        temperature: for `diffusion`, see `kernels.diffusion`; its own default if None.
        alpha: the weight of a candidate's own score, in (0, 1]; the ranker's own by default. A
            network uses the value that it was trained with.
        proximities: the proximities that the graph is built from; by default all that the metadata
            allows.
        weights: the weight of each proximity by name, 1 by default; not for networks.
        max_df: ignore entities that more than this many objects have; None for no limit. Counted
            over the index or, without an index, over a question's candidates. A network has its own
            limit.
        tol: see `kernels.gcs`; not for networks.
        max_steps: see `kernels.gcs`; not for networks.
        scores: the scale of another retriever's scores, because a graph adds scores up and must
            know their zero. `auto` leaves the scores as they are; but if any score of a question is
            negative, and the ranker depends on the sign, it treats that question's scores as
            `logit` if they leave [-1, 1] and the ranker adds scores up, else as `shift`, with a
            warning. `logit`: scores of a cross-encoder, which become probabilities.
            `cosine`: scores below 0 count as 0. `probability`: scores stay as they are. `rank`:
            only the order counts; the first candidate gets 1, the second 1/2, the third 1/3.
            `shift`: if the lowest score of a question is negative, all are moved up so that it
            becomes 0. `none`: scores stay as they are. For networks and `diffusion`, which use only
            differences of scores, logits are only moved up, and ranks become evenly spaced numbers.
            With every scale, candidates without edges keep their order, except for `none` with
            negative scores. An index's own scores are never changed.
        edges: metadata keys that join candidates, besides those of the BEIR layout, with the form
            of each edge: `reference` (an id or ids), `shared` (values in common), `weighted` (ids
            with numbers ≥ 0), `sequence` for two keys (a whole, and positions in it from 0), or
            `semantic` under any name (the nearest embeddings of candidates). The first key is the
            edge's name, also in `proximities` and `weights`. An index has its own edges.
        base: what rescores the candidates before the graph is used, instead of their retriever: a
            sentence-transformers `CrossEncoder`, or its name or path; a `rerankers.Reranker`; a
            function of a question and texts that returns one score per text; or a reranking
            service, as a URL or a `RerankService`. If `scores` is `auto`, the scores of a
            cross-encoder are logits.
        along_keys: whether the ranking then grows along foreign keys: from the fourth place on, an
            object that a key joins to a better one is raised, see `kernels.grow_along_edges`. By
            default only where `auto` takes the network `gat`.
        cover_words: whether objects of an index then rise by the words of the question that they
            have and the first result lacks, see `kernels.cover_words`; a chunk counts as having
            the words of all candidates of its document. By default only where `auto` takes
            diffusion, and nothing but chunks, entities and mentions joins the candidates.

    Raises:
        InputError: for a value of a wrong type or out of its range.
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
            "help": "For diffusion: the score difference at which a candidate weighs e times as "
            "much; by default computed from the scores."
        },
    )
    alpha: float | None = field(
        default=None,
        metadata={
            "help": "Weight of a candidate's own score, in (0, 1]; the ranker's own by default."
        },
    )
    proximities: Sequence[str] | None = field(
        default=None,
        metadata={"help": f"Build the graph only from these: {', '.join(PROXIMITIES)}."},
    )
    weights: Mapping[str, float] | None = field(
        default=None,
        metadata={"help": "Weight of a proximity, 1 by default; may be given several times."},
    )
    max_df: int | None = field(
        default=MAX_DF,
        metadata={"help": "Ignore entities that more than this many objects have"},
    )
    tol: float = 1e-6
    max_steps: int = 1000
    scores: str = field(
        default=AUTO_SCALE,
        metadata={
            "help": f"The scale of another retriever's scores: {', '.join(SCALES)}. auto guesses, "
            "with a warning, if some are negative"
        },
    )

    edges: Edges | None = None
    base: object = field(
        default=None,
        metadata={
            "help": "Rescore the candidates before the graph is used: the name or path of a "
            "sentence-transformers cross-encoder, or the URL of a reranking service"
        },
    )
    along_keys: bool | None = None
    cover_words: bool | None = None

    def __post_init__(self) -> None:
        # Imported here, because it needs JAX, which reading the declaration alone does not.
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
            "alpha": None if self.alpha is None else check_alpha(self.alpha),
            "proximities": None if self.proximities is None else _check_chosen(self.proximities),
            "weights": None if self.weights is None else _check_weights(self.weights, known_edges),
            "max_df": None if self.max_df is None else _check_max_df(self.max_df),
            "tol": check_number("tol", self.tol),
            "max_steps": check_count("max_steps", self.max_steps),
            "scores": check_choice("scores", self.scores, SCALES),
            **{
                name: check_kind(name, getattr(self, name), bool | None, "True, False or None")
                for name in ("along_keys", "cover_words")
            },
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        if not self.tol > 0:
            raise InputError(f"tol: {self.tol} must be above 0")

    def __repr__(self) -> str:
        given = ((own, getattr(self, own.name)) for own in fields(self))
        changed = {own.name: value for own, value in given if value != own.default}
        return short_repr(self, **{"ranker": self.ranker} | changed)

    @property
    def rows(self) -> Mapping[str, Proximity]:
        """The table of proximities, with the edges of your own."""
        return {**PROXIMITIES, **edge_rows(self.own_edges)}

    @property
    def scorer(self) -> Scorer | None:
        """The scorer that `base` stands for; None without `base`."""
        return None if self.base is None else as_scorer(self.base)

    @property
    def scale(self) -> str:
        """The scale of the scores: `scores`, or if that is `auto`, the scale of `base`."""
        scorer = self.scorer
        return scorer.scale if scorer and self.scores == AUTO_SCALE else self.scores

    @property
    def own_edges(self) -> dict[str, str]:
        """The edges as `check_edges` returns them."""
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


def _check_chosen(proximities: Sequence[str]) -> tuple[str, ...]:
    return tuple(check_names("proximities", proximities))


def _check_max_df(max_df: int) -> int:
    return check_count("max_df", max_df, cure=", or None for all entities")


def _check_weights(weights: Mapping[str, float], known: Sequence[str]) -> dict[str, float] | None:
    numbers = {}
    for name, value in check_kind("weights", weights, Mapping, "a number by name").items():
        weight = finite(value)
        if name not in known or weight is None or weight < 0:
            raise InputError(
                f"weights: {name!s:.40}={shown(value)} cannot be used; give numbers ≥ 0 that "
                f"float32 holds to {', '.join(known)}, or to edges of your own that edges= names"
            )
        numbers[name] = weight
    return numbers or None
