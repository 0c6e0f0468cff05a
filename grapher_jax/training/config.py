"""All that decides a training run, as one typed value that JSON can hold."""

import json
import math
import types
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from grapher_jax.errors import InputError
from grapher_jax.training.candidates import GraphSettings
from grapher_jax.training.gat import INPUTS, GatConfig
from grapher_jax.training.losses import LOSSES

# A dimension of 0 is that of the examples' embeddings.
UNSET = 0


@dataclass(frozen=True, kw_only=True)
class SetConfig:
    """Judged questions to learn from or to watch.

    Attributes:
        source: an index folder, or a BEIR folder.
        split: which judgements.
        expand: let objects one step from the best candidates join.
        repeat: how often an epoch visits each question; a fraction visits a share of them.
        held_out: the share of the questions that is watched and not learned from: those of whole
            databases or documents where objects name theirs (`db`, `document_id`).
    """

    source: str
    split: str = "train"
    expand: bool = False
    repeat: float = 1.0
    held_out: float = 0.0

    def __post_init__(self) -> None:
        if not self.repeat > 0:
            raise InputError(f"repeat: {self.repeat} must be above 0")
        if not 0 <= self.held_out < 1:
            raise InputError(f"held_out: {self.held_out} is outside [0, 1)")

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"{Path(self.source).name.removesuffix('.index')}:{self.split}" + (
            "+expand" if self.expand else ""
        )


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """All that decides the weights.

    Attributes:
        sets: what is learned from.
        watch: what is watched beside the held-out parts of `sets`.
        watch_limit: how many questions of each are watched at most.
        model: the shape of the network; a dimension of 0 is the embedder's.
        graph: how the graphs are built.
        embedder: of BEIR folders; an index has its own.
        loss: one of `LOSSES`.
        k: the cut-off of PR@K that the loss follows and early stopping watches.
        epochs: passes over the sets.
        steps: the number of steps, instead of `epochs`.
        batch_size: questions a step.
        learning_rate: the highest.
        warmup: steps until it is reached, a tenth of all at most; then it falls along a cosine.
        clip: the largest norm of a gradient.
        weight_decay: of matrices.
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
    embedder: str | None = None
    loss: str = "perfect-recall"
    k: int = 10
    epochs: int = 1
    steps: int | None = None
    batch_size: int = 32
    learning_rate: float = 1e-3
    warmup: int = 100
    clip: float = 1.0
    weight_decay: float = 1e-2
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
        if self.loss not in LOSSES:
            raise InputError(f"loss: {self.loss!r} is unknown; use {', '.join(LOSSES)}")
        if unknown := set(self.model.inputs) - set(INPUTS):
            raise InputError(f"model.inputs: {min(unknown)!r} is unknown; use {', '.join(INPUTS)}")
        positive = ("watch_limit", "k", "epochs", "batch_size", "learning_rate", "clip")
        for name in (*positive, "evaluate_every", "log_every"):
            if not (getattr(self, name) > 0 and math.isfinite(getattr(self, name))):
                raise InputError(f"{name}: {getattr(self, name)} must be above 0")
        if self.steps is not None and self.steps < 1:
            raise InputError(f"steps: {self.steps} must be at least 1")
        for name in ("warmup", "weight_decay", "score_noise", "patience", "seed"):
            if not getattr(self, name) >= 0:
                raise InputError(f"{name}: {getattr(self, name)} must be at least 0")
        if not 0 <= self.edge_dropout < 1:
            raise InputError(f"edge_dropout: {self.edge_dropout} is outside [0, 1)")

    def to_json(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return json.loads(json.dumps(asdict(self)))

    @classmethod
    def from_json(cls, values: Mapping[str, Any], *, place: str = "config") -> "TrainConfig":
        """What `to_json` gave; what is left out has its default.

        Raises:
            InputError: for an unknown field or a value of a wrong type, naming it.
        """
        known = {"model": {"dimension": UNSET} | dict(values.get("model", {}))}
        return _read(cls, {**values, **known}, place)


def read_config(path: Path) -> dict[str, Any]:
    """The settings in a JSON file, or those of the run whose `config.json` it is.

    Raises:
        InputError: where it is no JSON object.
    """
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise InputError(f"{path}: malformed JSON ({error})") from error
    if not isinstance(values, dict):
        raise InputError(f"{path}: a JSON object is needed, not {type(values).__name__}")
    return values.get("config", values)


def _read(kind: Any, value: Any, place: str) -> Any:
    """The value as this type; JSON has lists for tuples, and integers for whole numbers.

    Raises:
        InputError: naming the place, where it is of another.
    """
    if is_dataclass(kind) and isinstance(value, Mapping):
        hints = get_type_hints(kind)
        if unknown := sorted(set(value) - {f.name for f in fields(kind)}):
            raise InputError(f"{place}: {unknown[0]!r} is unknown; use {', '.join(hints)}")
        given = {name: _read(hints[name], v, f"{place}.{name}") for name, v in value.items()}
        needed = [f.name for f in fields(kind) if f.default is f.default_factory is MISSING]
        if lacking := [name for name in needed if name not in given]:
            raise InputError(f"{place}: {lacking[0]!r} is missing")
        make: Any = kind
        return make(**given)
    if get_origin(kind) is tuple and isinstance(value, list | tuple):
        of = get_args(kind)[0]
        return tuple(_read(of, item, f"{place}[{n}]") for n, item in enumerate(value))
    if isinstance(kind, types.UnionType):
        if value is None:
            return None
        kind = next(option for option in get_args(kind) if option is not types.NoneType)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(kind, type) or type(value) is not kind:
        raise InputError(f"{place}: {getattr(kind, '__name__', kind)} is needed, not {value!r}")
    return value
