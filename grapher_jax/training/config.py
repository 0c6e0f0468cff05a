"""The configuration of a training run, as one typed value in JSON form."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from grapher_jax.checks import check_choice, check_count, check_number
from grapher_jax.errors import InputError
from grapher_jax.files import Json
from grapher_jax.training.architecture import (
    UNSET,
    AnyArchitecture,
    Settings,
    Shape,
    check_rate,
)
from grapher_jax.training.candidates import GraphSettings
from grapher_jax.training.ego_graphs import EgoSettings
from grapher_jax.training.g_rag import DocumentSettings, GRagConfig, check_g_rag
from grapher_jax.training.gat_shape import GatConfig, check_gat
from grapher_jax.training.query_gnn import QueryGnnConfig, check_query_gnn
from grapher_jax.training.reading import JsonObject, read_value

# Listed here, because `losses` imports Optax, which a trained ranker does not need.
LOSSES = ("perfect-recall", "softmax", "hinge", "binary", "triplet")
# The measures for early stopping: perfect recall, recall, and mean reciprocal rank.
MEASURES = ("PR", "R", "MRR")
# Which keys join the tables of a set.
KEYS = ("declared", "inferred", "none")
# An epoch lists every visit in memory.
MOST_REPEATS = 1000


@dataclass(frozen=True, kw_only=True)
class SetConfig:
    """Judged questions for training or validation.

    Attributes:
        source: an index folder, or a BEIR folder.
        split: the name of the judgements.
        questions: a file of judged questions instead, see `judge_questions`; empty for none.
        expand: add objects one step from the best candidates.
        keys: the keys that join tables: `declared`, as in the source; `inferred` from names
            instead; or `none`. With these, a network learns to rank databases that declare no keys.
        cloze: use this many questions made from objects' own words instead of judged ones: from the
            documents of the split if the source has questions, else from all; 0 for judged
            questions.
        paths: use this many questions made from tables and their declared foreign keys (even if
            `keys` hides these) instead, from the databases of the split; 0 for none.
        repeat: how often an epoch visits each question, at most 1,000 times; a fraction visits only
            a part of them.
        held_out: the fraction of questions for validation instead of training: by whole databases
            or documents, if objects name theirs (`db`, `document_id`).
    """

    source: str
    split: str = "train"
    questions: str = ""
    expand: bool = False
    keys: str = "declared"
    cloze: int = 0
    paths: int = 0
    repeat: float = 1.0
    held_out: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.repeat <= MOST_REPEATS:
            raise InputError(
                f"repeat: {self.repeat} must be above 0 and at most {MOST_REPEATS}; train for more "
                "epochs instead"
            )
        check_choice("keys", self.keys, KEYS)
        for name in ("cloze", "paths"):
            check_count(name, getattr(self, name), least=0)
        made = [name for name in ("paths", "cloze", "questions") if getattr(self, name)]
        if len(made) > 1:
            told = ", and ".join(f"{name}: {getattr(self, name)}" for name in made)
            raise InputError(f"{told}: a set has one, so give two sets")
        check_rate("held_out", self.held_out)

    @property
    def judged(self) -> str:
        """Where its judgements are, for messages."""
        return self.questions or f"split {self.split!r}"

    @property
    def name(self) -> str:
        """Its name in reports."""
        made = ("+cloze" if self.cloze else "") + ("+paths" if self.paths else "")
        made += "+expand" if self.expand else ""
        made += f"+keys-{self.keys}" if self.keys != "declared" else ""
        judged = Path(self.questions).name if self.questions else self.split
        return f"{Path(self.source).name.removesuffix('.index')}:{judged}{made}"


@dataclass(frozen=True, kw_only=True)
class QueryGnnTraining:
    """The settings for training query-aware GNN retrieval, besides `TrainConfig`.

    Attributes:
        model: the shape of the network; a dimension of 0 is the embedder's.
        graph: how candidates' graphs are cut; the fusion is fitted.
        sampled: how many candidates per question a step uses.
        reconstruction_steps: the number of steps of the first stage.
        frozen: keep the encoder of the first stage as it is in the second, which computes less;
            otherwise both are trained. The paper says both (sections 5.1 and 7.3).
    """

    model: QueryGnnConfig = field(default_factory=lambda: QueryGnnConfig(dimension=UNSET))
    graph: EgoSettings = field(default_factory=EgoSettings)
    sampled: int = 16
    reconstruction_steps: int = 200
    frozen: bool = True

    def __post_init__(self) -> None:
        check_query_gnn(self.model, self.graph)
        for name in ("sampled", "reconstruction_steps"):
            check_count(f"query_gnn.{name}", getattr(self, name))


@dataclass(frozen=True, kw_only=True)
class GRagTraining:
    """The settings for training G-RAG, besides `TrainConfig`.

    Attributes:
        model: the shape of the network; a dimension of 0 is the embedder's.
        graph: how the document graphs are built.
    """

    model: GRagConfig = field(default_factory=lambda: GRagConfig(dimension=UNSET))
    graph: DocumentSettings = field(default_factory=DocumentSettings)

    def __post_init__(self) -> None:
        check_g_rag(self.model, self.graph)


@dataclass(frozen=True, kw_only=True)
class NetworkTraining:
    """The settings for training any other network, besides `TrainConfig`.

    Attributes:
        name: the name of its architecture.
        model: the shape of the network; a dimension of 0 is the embedder's.
        graph: how its graphs are built.
    """

    name: str
    model: Shape
    graph: Settings


@dataclass(frozen=True, kw_only=True)
class StepSettings:
    """The parts of a `TrainConfig` on which a compiled step depends."""

    loss: str
    k: int
    clip: float
    weight_decay: float
    edge_dropout: float
    score_noise: float
    cosine_dropout: float
    names_dropout: float
    mixed_precision: bool


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """Everything that decides the trained weights.

    Attributes:
        sets: the training sets.
        watch: the validation sets, besides the held-out parts of `sets`.
        watch_limit: the maximum number of validation questions per set.
        model: the shape of the network; a dimension of 0 is the embedder's.
        graph: how the graphs are built.
        query_gnn: train query-aware GNN retrieval, instead of GraphER's network, which `model` and
            `graph` describe.
        g_rag: train G-RAG instead.
        network: train any other network instead.
        start: begin with these weights of GraphER's network instead of random ones, and keep its
            `model` and `graph`: `gat-tables` or `gat`, the included ones for tables and for all
            else, or a folder of weights.
        embedder: the embedder for BEIR folders; an index has its own.
        loss: one of `LOSSES`; see `losses`.
        k: the cut-off of the loss and of early stopping.
        watch_by: the measure for early stopping at k: perfect recall (`PR`), recall (`R`), or the
            mean reciprocal rank (`MRR`) of relevant objects, with 0 beyond k.
        epochs: the number of passes over the training sets.
        steps: the number of steps, instead of `epochs`.
        batch_size: questions per step.
        learning_rate: the peak learning rate.
        warmup: the number of steps until the peak, at most one more than a tenth of all; then a
            cosine decay follows.
        clip: the maximum norm of a gradient.
        weight_decay: the weight decay, only for matrices.
        average: the decay of a moving average of the weights (Polyak averaging), which is then
            validated and kept instead of them. 0 for no averaging.
        edge_dropout: the fraction of neighbours left out, drawn at every step.
        score_noise: the standard deviation of noise added to the retriever's scores, and likewise
            to the smoothed ones, in standard deviations of a question's scores.
        cosine_dropout: the fraction of questions without cosines, drawn at every step, so that the
            network learns to rank without them.
        names_dropout: the fraction of questions without features of names (words and meanings),
            drawn at every step.
        mixed_precision: use bfloat16 inputs in matrix products, if the device supports it.
        seed: the seed of weights, order, and all other random numbers.
        evaluate_every: steps between two validations, each with a checkpoint.
        log_every: steps between two lines of the metrics file.
        patience: the number of validations without a better `watch_by` before training stops; 0
            for never.
    """

    sets: tuple[SetConfig, ...]
    watch: tuple[SetConfig, ...] = ()
    watch_limit: int = 500
    model: GatConfig = field(default_factory=lambda: GatConfig(dimension=UNSET))
    graph: GraphSettings = field(default_factory=GraphSettings)
    query_gnn: QueryGnnTraining | None = None
    g_rag: GRagTraining | None = None
    network: NetworkTraining | None = None
    start: str | None = None
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
    cosine_dropout: float = 0.0
    names_dropout: float = 0.0
    mixed_precision: bool = False
    seed: int = 0
    evaluate_every: int = 100
    log_every: int = 10
    patience: int = 0

    def __post_init__(self) -> None:
        if not self.sets:
            raise InputError("sets: nothing to learn from; give at least one source")
        check_choice("watch_by", self.watch_by, MEASURES)
        check_choice("loss", self.loss, LOSSES)
        check_gat(self.model, self.graph)
        self._check_one_network()
        counts = ("watch_limit", "k", "epochs", "batch_size", "evaluate_every", "log_every")
        for name in (*counts, *(["steps"] if self.steps is not None else [])):
            check_count(name, getattr(self, name))
        for name in ("warmup", "patience", "seed"):
            check_count(name, getattr(self, name), least=0)
        for name in ("learning_rate", "clip"):
            if check_number(name, getattr(self, name)) <= 0:
                raise InputError(f"{name}: {getattr(self, name)} must be above 0")
        for name in ("weight_decay", "score_noise"):
            if check_number(name, getattr(self, name)) < 0:
                raise InputError(f"{name}: {getattr(self, name)} must be at least 0")
        for name in ("average", "edge_dropout", "cosine_dropout", "names_dropout"):
            check_rate(name, getattr(self, name))

    def _check_one_network(self) -> None:
        given = [name for name in _OTHERS if getattr(self, name)]
        if len(given) > 1:
            raise InputError(f"{given[1]}: {given[0]} is given too; train one network at a time")
        if not given:
            return
        if self.network and self.network.name in _OWN_FIELDS:
            raise InputError(
                f"network.name: {self.network.name!r} has settings of its own; give "
                f"{_OWN_FIELDS[self.network.name]} instead"
            )
        default = TrainConfig(sets=self.sets)
        noise = ("edge_dropout", "score_noise", "cosine_dropout", "names_dropout")
        for name in ("model", "graph", "start", *noise):
            if getattr(self, name) != getattr(default, name):
                raise InputError(f"{name}: of GraphER's ranker; {given[0]} has its own settings")

    @property
    def own(self) -> "TrainConfig | QueryGnnTraining | GRagTraining | NetworkTraining":
        """The part of the configuration with `model` and `graph` of the trained network."""
        return self.query_gnn or self.g_rag or self.network or self

    @property
    def architecture(self) -> str:
        """The name of that network's architecture."""
        if self.network:
            return self.network.name
        return "query-gnn" if self.query_gnn else "g-rag" if self.g_rag else "gat"

    @property
    def step(self) -> StepSettings:
        """The settings on which a compiled step depends."""
        return StepSettings(**{own.name: getattr(self, own.name) for own in fields(StepSettings)})

    def with_dimension(self, dimension: int) -> "TrainConfig":
        """The configuration with the network's embedding dimension filled in."""
        for name in _OTHERS:
            own = getattr(self, name)
            if own:
                sized = replace(own, model=replace(own.model, dimension=dimension))
                return replace(self, **{name: sized})
        return replace(self, model=replace(self.model, dimension=dimension))

    def to_json(self) -> JsonObject:
        """The configuration as JSON-ready values."""
        values = asdict(self)
        # In the form of versions before these settings, so that runs started with them can resume.
        _leave_out(values, network=None, start=None, cosine_dropout=0.0, names_dropout=0.0)
        _leave_out(values["graph"], smoothing="gcs")
        for own in (*values["sets"], *values["watch"]):
            _leave_out(own, keys="declared", paths=0, questions="")
        if self.query_gnn:
            _leave_out(values["query_gnn"], frozen=True)
            _leave_out(values["query_gnn"]["model"], similarities=True)
        return json.loads(json.dumps(values))

    @classmethod
    def from_json(
        cls,
        values: Mapping[str, object],
        *,
        place: str = "config",
        architectures: Mapping[str, AnyArchitecture] | None = None,
    ) -> "TrainConfig":
        """Restores a configuration from `to_json`; missing values have their defaults.

        Args:
            values: the values by name.
            place: names the values in errors.
            architectures: the architectures that `network` may name, by name.

        Raises:
            InputError: for an unknown field or a value of a wrong type, naming it.
        """
        given = _of_any_dimension({"model": {}, **values})
        for name in ("query_gnn", "g_rag"):
            given[name] = _of_any_dimension(values.get(name))
        own = given.pop("network", None)
        config = read_value(cls, given, place)
        if own is None:
            return config
        network = _read_network(own, f"{place}.network", architectures or {})
        return replace(config, network=network)


# The fields that name a network other than GraphER's.
_OTHERS = ("query_gnn", "g_rag", "network")
# The fields of the networks that have their own.
_OWN_FIELDS = {"gat": "`model` and `graph`", "query-gnn": "`query_gnn`", "g-rag": "`g_rag`"}


@dataclass(frozen=True, kw_only=True)
class _NetworkParts:
    """`NetworkTraining` in JSON; its name decides how to read the other fields."""

    name: str
    model: JsonObject
    graph: JsonObject = field(default_factory=dict)


def _read_network(
    values: object, place: str, architectures: Mapping[str, AnyArchitecture]
) -> NetworkTraining:
    parts = read_value(_NetworkParts, _of_any_dimension(values), place)
    if parts.name not in architectures:
        raise InputError(f"{place}.name: {parts.name!r} is unknown; add it to `NETWORKS`")
    found = architectures[parts.name]
    model = read_value(found.shape, parts.model, f"{place}.model")
    graph = read_value(found.settings, parts.graph, f"{place}.graph")
    found.check(model, graph)
    return NetworkTraining(name=parts.name, model=model, graph=graph)


def _leave_out(values: JsonObject, **defaults: Json) -> None:
    """Remove the settings that have these values."""
    for name, default in defaults.items():
        if values[name] == default:
            del values[name]


def _of_any_dimension(values: object) -> Any:
    """The object, with a dimension added to its `model` if that is an object."""
    if not isinstance(values, Mapping) or not isinstance(model := values.get("model", {}), Mapping):
        return values
    return {**values, "model": {"dimension": UNSET, **model}}
