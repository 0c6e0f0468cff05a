"""The shape of GraphER's learned ranker, apart from the network, which needs Flax."""

from dataclasses import dataclass

from grapher_jax.checks import check_choice
from grapher_jax.errors import InputError
from grapher_jax.training.architecture import UNSET, check_range, check_rate
from grapher_jax.training.candidates import GraphSettings

# The maximum number of neighbours of a candidate.
_MOST_NEIGHBORS = 4096
SMOOTHINGS = ("gcs", "diffusion")
INPUTS = (
    "scalars",
    "words",
    "meanings",
    "interaction",
    "score",
    "smoothed",
    "question",
    "object",
)


@dataclass(frozen=True, kw_only=True)
class GatConfig:
    """The shape of the network.

    Attributes:
        dimension: the dimension of the embeddings.
        inputs: the inputs for a candidate, from `INPUTS`. By default only its `scalars`, which do
            not depend on object identities, so that training carries over to other databases;
            `words` is the word overlap of the question with names of tables and columns, `meanings`
            their semantic similarity. The paper's inputs, of its MLP ablation too, are `smoothed`
            (the score after the fixed point), `question` and `object`; `score` is the retriever's
            own score, and `interaction` the elementwise product of the two embeddings.
        layers: the number of attention layers.
        heads: the number of heads per layer.
        channels: the number of channels per head.
        messages: pass messages between candidates; without them, it is the paper's MLP ablation.
        dropout: the dropout rate of a layer's output in training.
    """

    dimension: int
    inputs: tuple[str, ...] = ("scalars",)
    layers: int = 5
    heads: int = 4
    channels: int = 32
    messages: bool = True
    dropout: float = 0.1


def reads_axes(model: GatConfig) -> bool:
    """Whether it reads the axes of embeddings, and so needs the embedder of its training."""
    return not {"interaction", "question", "object"}.isdisjoint(model.inputs)


def check_network(model: GatConfig) -> None:
    """Raise InputError, naming the field, for an impossible network."""
    if not model.inputs:
        raise InputError(f"model.inputs: there are none; use {', '.join(INPUTS)}")
    for name in sorted(model.inputs):
        check_choice("model.inputs", name, INPUTS)
    for name, value, least in (
        ("model.dimension", model.dimension, UNSET),
        ("model.layers", model.layers, 1),
        ("model.heads", model.heads, 1),
        ("model.channels", model.channels, 1),
    ):
        check_range(name, value, least)
    check_rate("model.dropout", model.dropout)


def check_gat(model: GatConfig, graph: GraphSettings) -> None:
    """Raise InputError, naming the field, for an impossible network or graphs."""
    check_network(model)
    check_range("graph.max_df", graph.max_df, 1)
    check_choice("graph.smoothing", graph.smoothing, SMOOTHINGS)
    check_range("graph.neighbors", graph.neighbors, 1, _MOST_NEIGHBORS)
    if graph.alpha is None or not 0 < graph.alpha <= 1:
        raise InputError(f"graph.alpha: {graph.alpha} is outside (0, 1]")
