"""The trained weights that a training of GraphER's network may begin with."""

from dataclasses import replace

from flax import nnx

from grapher_jax.checks import check_path
from grapher_jax.errors import InputError
from grapher_jax.systems.grapher.architecture import ARCHITECTURE
from grapher_jax.systems.grapher.by_kind import INCLUDED
from grapher_jax.training.config import TrainConfig
from grapher_jax.training.gat_shape import GatConfig, reads_axes
from grapher_jax.training.weights import SHIPPED_FOLDER, Weights, read_weights


def started(config: TrainConfig) -> TrainConfig:
    """The configuration with the model and the graphs of the network that training begins with.

    Raises:
        InputError: if it has others, or as `read_start`.
    """
    if config.start is None:
        return config
    weights = read_start(config.start)
    model = weights.design.shape
    if not reads_axes(model):
        model = replace(model, dimension=config.model.dimension)
    default = TrainConfig(sets=config.sets)
    for name, own in (("model", model), ("graph", weights.graph)):
        if getattr(config, name) not in (getattr(default, name), own):
            raise InputError(
                f"{name}: training begins with {config.start!r}, which has its own; leave it out"
            )
    return replace(config, model=model, graph=weights.graph)


def build_started(start: str, model: GatConfig) -> nnx.Module:
    """The network with the weights of this name, and the model of a `started` configuration."""
    weights = read_start(start)
    return replace(weights.design, shape=model).build(weights.tensors)


def read_start(start: str) -> Weights:
    """The weights of this name: `INCLUDED`, or a folder.

    Raises:
        InputError: if there are none, or they are of another network.
    """
    folder = SHIPPED_FOLDER / start if start in INCLUDED else check_path("start", start)
    if not folder.exists():
        raise InputError(
            f"start: {start!r} is unknown; use {', '.join(INCLUDED)}, or a folder of weights"
        )
    return read_weights(folder, {ARCHITECTURE.name: ARCHITECTURE})
