"""All that decides a training run, as one typed value that JSON can hold."""

import json
import math
import types
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from grapher_jax.errors import InputError
from grapher_jax.files import parse_json
from grapher_jax.training.candidates import GraphSettings
from grapher_jax.training.g_rag import LAYERS, DocumentSettings, GRagConfig
from grapher_jax.training.gat import INPUTS, GatConfig
from grapher_jax.training.query_gnn import FUSED, EgoSettings, QueryGnnConfig

# Named here, for `losses` loads Rax, which a trained ranker does not need.
LOSSES = ("perfect-recall", "softmax", "hinge", "binary", "triplet")
# What early stopping may watch: perfect recall, recall, and the mean reciprocal rank.
MEASURES = ("PR", "R", "MRR")
# A dimension of 0 is that of the examples' embeddings.
UNSET = 0
# The most that an axis of an array may have, neighbours that a candidate hears, nodes of the graph
# around one, which are compared with each other, and steps to them, each a part of the program.
_MOST, _MOST_NEIGHBORS, _MOST_NODES, _MOST_STEPS = 2**31 - 1, 4096, 256, 64


@dataclass(frozen=True, kw_only=True)
class SetConfig:
    """Judged questions to learn from or to watch.

    Attributes:
        source: an index folder, or a BEIR folder.
        split: which judgements.
        expand: let objects one step from the best candidates join.
        cloze: instead of the judged questions take so many that are made of objects' own words, of
            documents that the split is about; 0 for the judged ones.
        repeat: how often an epoch visits each question; a fraction visits a share of them.
        held_out: the share of the questions that is watched and not learned from: those of whole
            databases or documents where objects name theirs (`db`, `document_id`).
    """

    source: str
    split: str = "train"
    expand: bool = False
    cloze: int = 0
    repeat: float = 1.0
    held_out: float = 0.0

    def __post_init__(self) -> None:
        if not self.repeat > 0:
            raise InputError(f"repeat: {self.repeat} must be above 0")
        if self.cloze < 0:
            raise InputError(f"cloze: {self.cloze} must be at least 0")
        if not 0 <= self.held_out < 1:
            raise InputError(f"held_out: {self.held_out} is outside [0, 1)")

    @property
    def name(self) -> str:
        """What reports call it."""
        made = ("+cloze" if self.cloze else "") + ("+expand" if self.expand else "")
        return f"{Path(self.source).name.removesuffix('.index')}:{self.split}{made}"


@dataclass(frozen=True, kw_only=True)
class QueryGnnTraining:
    """What training query-aware GNN retrieval needs beyond `TrainConfig`.

    Attributes:
        model: the shape of the network; a dimension of 0 is the embedder's.
        graph: how candidates' graphs are cut; the fusion is fitted.
        sampled: how many candidates of a question a step reads.
        reconstruction_steps: of the first stage.
    """

    model: QueryGnnConfig = field(default_factory=lambda: QueryGnnConfig(dimension=UNSET))
    graph: EgoSettings = field(default_factory=EgoSettings)
    sampled: int = 16
    reconstruction_steps: int = 200

    def __post_init__(self) -> None:
        check_query_gnn(self.model, self.graph)
        for name in ("sampled", "reconstruction_steps"):
            if getattr(self, name) < 1:
                raise InputError(f"query_gnn.{name}: {getattr(self, name)} must be at least 1")


@dataclass(frozen=True, kw_only=True)
class GRagTraining:
    """What training G-RAG needs beyond `TrainConfig`.

    Attributes:
        model: the shape of the network; a dimension of 0 is the embedder's.
        graph: how the document graphs are built.
    """

    model: GRagConfig = field(default_factory=lambda: GRagConfig(dimension=UNSET))
    graph: DocumentSettings = field(default_factory=DocumentSettings)

    def __post_init__(self) -> None:
        check_g_rag(self.model, self.graph)


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """All that decides the weights.

    Attributes:
        sets: what is learned from.
        watch: what is watched beside the held-out parts of `sets`.
        watch_limit: how many questions of each are watched at most.
        model: the shape of the network; a dimension of 0 is the embedder's.
        graph: how the graphs are built.
        query_gnn: train query-aware GNN retrieval, instead of GraphER's ranker that `model` and
            `graph` describe.
        g_rag: likewise G-RAG.
        embedder: of BEIR folders; an index has its own.
        loss: one of `LOSSES`; see `losses`.
        k: the cut-off that the loss follows and early stopping watches.
        watch_by: what early stopping watches at k: perfect recall (`PR`), recall (`R`), or the mean
            reciprocal rank (`MRR`) of relevant objects, 0 for those beyond k.
        epochs: passes over the sets.
        steps: the number of steps, instead of `epochs`.
        batch_size: questions a step.
        learning_rate: the highest.
        warmup: steps until it is reached, a tenth of all at most; then it falls along a cosine.
        clip: the largest norm of a gradient.
        weight_decay: of matrices.
        average: the decay of a moving mean of the weights (Polyak averaging), which is then watched
            and kept in their place; a step weighs so much less than the one after it. 0 for none.
        edge_dropout: the share of neighbours that are not heard, drawn anew at every step.
        score_noise: the deviation of what is added to the retriever's scores, and alike to the
            smoothed ones, in deviations of a question's scores.
        mixed_precision: let matrix products read bfloat16, where the device can.
        seed: of weights, order, and all else that is drawn.
        evaluate_every: steps between two looks at the watched questions, each with a checkpoint.
        log_every: steps between two lines of the metrics file.
        patience: looks without a better PR@K after which training stops; 0 for never.
    """

    sets: tuple[SetConfig, ...]
    watch: tuple[SetConfig, ...] = ()
    watch_limit: int = 500
    model: GatConfig = field(default_factory=lambda: GatConfig(dimension=UNSET))
    graph: GraphSettings = field(default_factory=GraphSettings)
    query_gnn: QueryGnnTraining | None = None
    g_rag: GRagTraining | None = None
    embedder: str | None = None
    loss: str = "perfect-recall"
    k: int = 10
    watch_by: str = "PR"
    epochs: int = 1
    steps: int | None = None
    batch_size: int = 32
    learning_rate: float = 1e-3
    warmup: int = 100
    clip: float = 1.0
    weight_decay: float = 1e-2
    average: float = 0.0
    edge_dropout: float = 0.0
    score_noise: float = 0.0
    mixed_precision: bool = False
    seed: int = 0
    evaluate_every: int = 100
    log_every: int = 10
    patience: int = 0

    def __post_init__(self) -> None:
        if not self.sets:
            raise InputError("sets: nothing to learn from; give at least one source")
        if self.watch_by not in MEASURES:
            raise InputError(f"watch_by: {self.watch_by!r} is unknown; use {', '.join(MEASURES)}")
        if self.loss not in LOSSES:
            raise InputError(f"loss: {self.loss!r} is unknown; use {', '.join(LOSSES)}")
        check_network(self.model, self.graph)
        if self.query_gnn and self.g_rag:
            raise InputError("g_rag: query_gnn is given too; train one network at a time")
        others = ("model", "graph", "edge_dropout", "score_noise")
        for name in others if self.own is not self else ():
            default = TrainConfig(sets=self.sets)
            if getattr(self, name) != getattr(default, name):
                raise InputError(
                    f"{name}: of GraphER's ranker; query_gnn and g_rag have their own settings"
                )
        positive = ("watch_limit", "k", "epochs", "batch_size", "learning_rate", "clip")
        for name in (*positive, "evaluate_every", "log_every"):
            if not (getattr(self, name) > 0 and math.isfinite(getattr(self, name))):
                raise InputError(f"{name}: {getattr(self, name)} must be above 0")
        if self.steps is not None and self.steps < 1:
            raise InputError(f"steps: {self.steps} must be at least 1")
        for name in ("warmup", "weight_decay", "score_noise", "patience", "seed"):
            if not getattr(self, name) >= 0:
                raise InputError(f"{name}: {getattr(self, name)} must be at least 0")
        for name in ("average", "edge_dropout"):
            if not 0 <= getattr(self, name) < 1:
                raise InputError(f"{name}: {getattr(self, name)} is outside [0, 1)")

    @property
    def own(self) -> "TrainConfig | QueryGnnTraining | GRagTraining":
        """The `model` and the `graph` of the network that is trained."""
        return self.query_gnn or self.g_rag or self

    def of_dimension(self, dimension: int) -> "TrainConfig":
        """With the dimension of that network filled in."""
        own: Any = self.own
        own = replace(own, model=replace(own.model, dimension=dimension))
        if self.query_gnn:
            return replace(self, query_gnn=own)
        return replace(self, g_rag=own) if self.g_rag else own

    def to_json(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return json.loads(json.dumps(asdict(self)))

    @classmethod
    def from_json(cls, values: Mapping[str, Any], *, place: str = "config") -> "TrainConfig":
        """What `to_json` gave; what is left out has its default.

        Raises:
            InputError: for an unknown field or a value of a wrong type, naming it.
        """
        given = {**values, "model": _of_any_dimension(values.get("model", {}))}
        for name in ("query_gnn", "g_rag"):
            own = values.get(name)
            if isinstance(own, Mapping):
                given[name] = {**own, "model": _of_any_dimension(own.get("model", {}))}
        return read_value(cls, given, place)


def _of_any_dimension(model: Any) -> Any:
    return {"dimension": UNSET, **model} if isinstance(model, Mapping) else model


def _check_range(name: str, value: int | None, least: int, most: int = _MOST) -> None:
    if value is None or least <= value <= most:
        return
    bound = f"least {least}" if value < least else f"most {most}"
    raise InputError(f"{name}: {value!r:.40} must be at {bound}")


def check_query_gnn(model: QueryGnnConfig, graph: EgoSettings) -> None:
    """Raise InputError, naming the field, where there can be no such network or no such graphs."""
    for name, value, least, most in (
        ("model.dimension", model.dimension, UNSET, _MOST),
        ("model.layers", model.layers, 1, _MOST),
        ("model.heads", model.heads, 1, _MOST),
        ("model.width", model.width, 1, _MOST),
        ("model.relation_width", model.relation_width, 1, _MOST),
        ("model.fusion", min(model.fusion, default=0), 4, _MOST),
        ("model.fusion", max(model.fusion), 4, _MOST),
        ("graph.candidates", graph.candidates, 1, _MOST),
        ("graph.depth", graph.depth, 0, _MOST_STEPS),
        ("graph.size", graph.size, 1, _MOST_NODES),
    ):
        _check_range(f"query_gnn.{name}", value, least, most)
    if model.width % model.heads:
        raise InputError(
            f"query_gnn.model.width: {model.width} is not a multiple of {model.heads} heads"
        )
    if not 0 <= model.dropout < 1:
        raise InputError(f"query_gnn.model.dropout: {model.dropout} is outside [0, 1)")
    if not math.isfinite(graph.threshold):
        raise InputError(f"query_gnn.graph.threshold: {graph.threshold} must be finite")
    if len(graph.fusion) != FUSED or not all(map(math.isfinite, graph.fusion)):
        raise InputError(
            f"query_gnn.graph.fusion: {list(graph.fusion)} must be {FUSED} finite numbers"
        )


def check_g_rag(model: GRagConfig, graph: DocumentSettings) -> None:
    """Raise InputError, naming the field, where there can be no such network or no such graphs."""
    if model.layer not in LAYERS:
        raise InputError(f"g_rag.model.layer: {model.layer!r} is unknown; use {', '.join(LAYERS)}")
    for name, value, least in (
        ("model.dimension", model.dimension, UNSET),
        ("model.layers", model.layers, 1),
        ("model.hidden", model.hidden, 1),
        ("model.heads", model.heads, 1),
        ("graph.candidates", graph.candidates, 1),
        ("graph.max_df", graph.max_df, 1),
    ):
        _check_range(f"g_rag.{name}", value, least)
    if model.layer == "gat" and model.hidden % model.heads:
        raise InputError(
            f"g_rag.model.hidden: {model.hidden} is not a multiple of {model.heads} heads"
        )
    if not 0 <= model.dropout < 1:
        raise InputError(f"g_rag.model.dropout: {model.dropout} is outside [0, 1)")


def check_network(model: GatConfig, graph: GraphSettings) -> None:
    """Raise InputError, naming the field, where there can be no such network or no such graphs."""
    if not model.inputs:
        raise InputError(f"model.inputs: there are none; use {', '.join(INPUTS)}")
    if unknown := set(model.inputs) - set(INPUTS):
        raise InputError(f"model.inputs: {min(unknown)!r} is unknown; use {', '.join(INPUTS)}")
    for name, value, least, most in (
        ("model.dimension", model.dimension, UNSET, _MOST),
        ("model.layers", model.layers, 1, _MOST),
        ("model.heads", model.heads, 1, _MOST),
        ("model.channels", model.channels, 1, _MOST),
        ("graph.max_df", graph.max_df, 1, _MOST),
        ("graph.neighbors", graph.neighbors, 1, _MOST_NEIGHBORS),
    ):
        _check_range(name, value, least, most)
    if not 0 <= model.dropout < 1:
        raise InputError(f"model.dropout: {model.dropout} is outside [0, 1)")
    if not 0 < graph.alpha <= 1:
        raise InputError(f"graph.alpha: {graph.alpha} is outside (0, 1]")


def read_config(path: Path) -> dict[str, Any]:
    """The settings in a JSON file, or those of the run whose `config.json` it is.

    Raises:
        InputError: where it is no JSON object.
    """
    try:
        values = parse_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise InputError(f"{path}: malformed JSON ({error})") from error
    if isinstance(values, dict):
        values = values.get("config", values)
    if not isinstance(values, dict):
        raise InputError(f"{path}: a JSON object is needed, not {type(values).__name__}")
    return values


def read_value(kind: Any, value: Any, place: str) -> Any:
    """The value as this type; JSON has lists for tuples, and integers for whole numbers.

    Raises:
        InputError: naming the place, where it is of another.
    """
    if is_dataclass(kind) and isinstance(value, Mapping):
        hints = get_type_hints(kind)
        if unknown := sorted(set(value) - {f.name for f in fields(kind)}):
            raise InputError(f"{place}: {unknown[0]!r} is unknown; use {', '.join(hints)}")
        given = {name: read_value(hints[name], v, f"{place}.{name}") for name, v in value.items()}
        needed = [f.name for f in fields(kind) if f.default is f.default_factory is MISSING]
        if lacking := [name for name in needed if name not in given]:
            raise InputError(f"{place}: {lacking[0]!r} is missing")
        make: Any = kind
        return make(**given)
    if get_origin(kind) is tuple and isinstance(value, list | tuple):
        of = get_args(kind)[0]
        return tuple(read_value(of, item, f"{place}[{n}]") for n, item in enumerate(value))
    if isinstance(kind, types.UnionType):
        if value is None:
            return None
        option = next(option for option in get_args(kind) if option is not types.NoneType)
        return read_value(option, value, place)
    if kind is float and type(value) is int and abs(value) < 1e308:  # more is no float
        return float(value)
    if not isinstance(kind, type) or type(value) is not kind:
        needs = "object" if is_dataclass(kind) else "list" if get_origin(kind) else kind.__name__
        raise InputError(f"{place}: {needs} is needed, not {value!r}")
    return value
