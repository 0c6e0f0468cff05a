"""Options that verbs take as a group: a dataclass, as one parameter of the verb's function."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, get_type_hints

from grapher_jax.command_line.given import listed_names, proximity_weights
from grapher_jax.command_line.options import (
    Alpha,
    Base,
    Candidates,
    ChunkTokens,
    Copies,
    CrossEncoder,
    DbtManifest,
    Endpoint,
    Exclude,
    Expand,
    ExpandBy,
    Include,
    InferKeys,
    Keys,
    LexicalNorm,
    LexicalWeight,
    MaxDf,
    NoViews,
    OverlapTokens,
    PriceIn,
    PriceOut,
    Proximity,
    QueriesFrom,
    Ranker,
    Reader,
    Replies,
    Schema,
    SystemName,
    Temperature,
    Timeout,
    TitleWeight,
    Weight,
    Yes,
)
from grapher_jax.corpus.documents import BUILT_IN
from grapher_jax.corpus.inferred.stage import AUTO
from grapher_jax.errors import InputError
from grapher_jax.files import cache_folder
from grapher_jax.graph import MAX_DF
from grapher_jax.llm import CONCURRENCY, Cost, Llm
from grapher_jax.rankers.options import AUTO_SCALE, DEFAULT_RANKER

if TYPE_CHECKING:
    from grapher_jax.corpus import SourceOptions
    from grapher_jax.retrieve.options import BaseFinding, Finding
    from grapher_jax.systems import System

NO_PLACE_FOR_CROSS_ENCODER = "cross-encoder: of keyword-graph alone; add --system keyword-graph"


@dataclass(frozen=True, kw_only=True)
class Group:
    """Options that belong together, each with its default."""


def grouped(verb: Callable[..., None]) -> Callable[..., None]:
    """The verb with an option for each field of the groups among its parameters.

    Typer reads options from a function's parameters, one for each, and knows no groups.
    """
    whole = signature(verb, eval_str=True)
    groups: dict[str, type[Group]] = {
        name: one.annotation
        for name, one in whole.parameters.items()
        if isinstance(one.annotation, type) and issubclass(one.annotation, Group)
    }

    @wraps(verb)
    def called(**given: object) -> None:
        for name, group in groups.items():
            make: Callable[..., Group] = group
            names = [own.name for own in fields(group)]
            given[name] = make(**{own: given.pop(own) for own in names if own in given})
        verb(**given)

    options = [
        option
        for name, one in whole.parameters.items()
        for option in (_options(groups[name]) if name in groups else [one])
    ]
    options = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in options]
    called.__dict__["__signature__"] = whole.replace(parameters=options)
    called.__annotations__ = {one.name: one.annotation for one in options}
    return called


def _options(group: type[Group]) -> list[Parameter]:
    """A parameter for each field of a group."""
    types = get_type_hints(group, include_extras=True)
    return [
        Parameter(own.name, Parameter.KEYWORD_ONLY, default=own.default, annotation=types[own.name])
        for own in fields(group)
    ]


@dataclass(frozen=True, kw_only=True)
class SourceGroup(Group):
    """How a source of objects is read."""

    chunk_tokens: ChunkTokens = None
    overlap_tokens: OverlapTokens = None
    reader: Reader = BUILT_IN
    schema: Schema = None
    include: Include = None
    exclude: Exclude = None
    no_views: NoViews = False
    copies: Copies = False

    @property
    def chooses(self) -> bool:
        """Whether other tables may be read than by default."""
        chosen = self.include or self.exclude or self.schema
        return bool(chosen) or self.no_views or self.copies

    def source_options(self) -> "SourceOptions":
        """The same, as the Python interface takes it."""
        settings: SourceOptions = {
            "reader": self.reader,
            "schemas": self.schema or (),
            "include": self.include or (),
            "exclude": self.exclude or (),
            "views": not self.no_views,
            "copies": self.copies,
        }
        if self.chunk_tokens is not None:
            settings["chunk_tokens"] = self.chunk_tokens
        if self.overlap_tokens is not None:
            settings["overlap_tokens"] = self.overlap_tokens
        return settings


@dataclass(frozen=True, kw_only=True)
class SourceKeysGroup(SourceGroup):
    """How a source of objects is read, and undeclared foreign keys are inferred."""

    infer_keys: InferKeys = AUTO
    queries_from: QueriesFrom = None
    dbt_manifest: DbtManifest = None
    keys: Keys = None

    def source_options(self) -> "SourceOptions":
        """The same, as the Python interface takes it."""
        return {
            **super().source_options(),
            "infer_keys": self.infer_keys,
            "queries_from": self.queries_from,
            "dbt_manifest": self.dbt_manifest,
            "keys": self.keys,
        }


@dataclass(frozen=True, kw_only=True)
class LlmGroup(Group):
    """How a language model is asked."""

    endpoint: Endpoint = None
    timeout: Timeout = 60.0
    cache: Replies = None

    def open(self, model: str, *, workers: int | None = None) -> Llm:
        """Open a model; its replies are cached in the user's cache folder by default.

        Args:
            model: the model, as the endpoint names it.
            workers: the number of requests at a time; None for the default.
        """
        return Llm(
            model,
            endpoint=self.endpoint,
            timeout=self.timeout,
            concurrency=CONCURRENCY if workers is None else workers,
            cache=self.cache or cache_folder() / "llm.jsonl",
        )


@dataclass(frozen=True, kw_only=True)
class CostGroup(LlmGroup):
    """How a language model is asked, and what its requests may cost."""

    price_in: PriceIn = 0.0
    price_out: PriceOut = 0.0
    yes: Yes = False

    def confirm(self, cost: Cost) -> None:
        """Tell the estimated cost, and ask whether to go on; raises as `console.confirm_cost`."""
        from grapher_jax.command_line import console

        console.confirm_cost(cost, self.price_in, self.price_out, ask=not self.yes)


class Ranking(TypedDict):
    """The given options of ranking, as the Python interface takes them."""

    alpha: float | None
    temperature: float | None
    proximities: list[str] | None
    weights: dict[str, float] | None
    max_df: int | None
    scores: str
    base: str | None
    edges: Mapping[str, str] | None


@dataclass(frozen=True, kw_only=True)
class RetrievalGroup(Group):
    """How candidates are found."""

    candidates: Candidates = None
    lexical_weight: LexicalWeight = None
    lexical_norm: LexicalNorm = None
    title_weight: TitleWeight = None

    def finding(self) -> "BaseFinding":
        """The same, as the Python interface takes it."""
        return {
            "candidates": self.candidates,
            "lexical_weight": self.lexical_weight,
            "lexical_norm": self.lexical_norm,
            "title_weight": self.title_weight,
        }


@dataclass(frozen=True, kw_only=True)
class ExpansionGroup(RetrievalGroup):
    """How candidates are found, and others added along edges."""

    expand: Expand = None
    expand_by: ExpandBy = None

    def finding(self) -> "Finding":
        """The same, as the Python interface takes it.

        Raises:
            InputError: if expansion is both turned off and limited.
        """
        if self.expand is False and self.expand_by:
            raise InputError("expand-by: --no-expand lets none join; leave out one of the two")
        return {**super().finding(), "expand": listed_names(self.expand_by) or self.expand}


@dataclass(frozen=True, kw_only=True)
class RankingGroup(Group):
    """How candidates are ranked, whatever the ranker."""

    alpha: Alpha = None
    temperature: Temperature = None
    weight: Weight = None
    max_df: MaxDf = MAX_DF
    base: Base = None

    def ranking(
        self, index: str | Path, *, proximity: str | None, scores: str = AUTO_SCALE
    ) -> Ranking:
        """The same with the index's edges, as the Python interface takes it.

        Args:
            index: an index, or what else is ranked, which has no edges.
            proximity: the names of proximities, separated by commas.
            scores: the scale of scores.

        Raises:
            InputError: for a weight that is no number.
        """
        from grapher_jax.index import read_edges

        return {
            "alpha": self.alpha,
            "temperature": self.temperature,
            "proximities": listed_names(proximity),
            "weights": proximity_weights(self.weight),
            "max_df": self.max_df or None,
            "scores": scores,
            "base": self.base,
            "edges": read_edges(index) or None,
        }


@dataclass(frozen=True, kw_only=True)
class SystemGroup(ExpansionGroup, RankingGroup):
    """A ranker with its options after the base retriever, or a system by its name."""

    ranker: Ranker = None
    proximity: Proximity = None
    system: SystemName = None
    cross_encoder: CrossEncoder = None

    def open(self, index: str | Path, *, k: int, scores: str = AUTO_SCALE) -> "System":
        """The ranker or the system, for an index.

        Args:
            index: the index folder.
            k: the number of results.
            scores: the scale of scores.

        Raises:
            InputError: for unusable options, and for those that a named system decides itself.
        """
        from grapher_jax.rerank import Reranker
        from grapher_jax.systems import System, choose_system

        ranking, finding = (
            self.ranking(index, proximity=self.proximity, scores=scores),
            self.finding(),
        )
        if self.system:
            given = decided_by_systems(ranking, finding)
            return choose_system(
                self.system, cross_encoder=self.cross_encoder, ranker=self.ranker, **given
            )
        if self.cross_encoder:
            raise InputError(NO_PLACE_FOR_CROSS_ENCODER)
        reranker = Reranker(ranker=self.ranker or DEFAULT_RANKER, **ranking)
        return System.from_reranker(reranker, k=k, **finding)


def decided_by_systems(ranking: Ranking, finding: "Finding") -> dict[str, object]:
    """The given options that a system decides itself, by their command-line names."""
    expand = finding["expand"]
    return {
        "alpha": ranking["alpha"],
        "temperature": ranking["temperature"],
        "proximity": ranking["proximities"],
        "weight": ranking["weights"],
        "max-df": None if ranking["max_df"] == MAX_DF else ranking["max_df"] or 0,
        "scores": None if ranking["scores"] == AUTO_SCALE else ranking["scores"],
        "base": ranking["base"],
        "candidates": finding["candidates"],
        "lexical-weight": finding["lexical_weight"],
        "lexical-norm": finding["lexical_norm"],
        "title-weight": finding["title_weight"],
        "expand" if isinstance(expand, bool) else "expand-by": expand,
    }
