"""What saving, loading and training need to know about GraphER's network."""

from typing import TYPE_CHECKING

from grapher_jax.training.architecture import Architecture
from grapher_jax.training.candidates import GraphSettings
from grapher_jax.training.gat_shape import GatConfig, check_gat

if TYPE_CHECKING:
    from flax import nnx

    from grapher_jax.training.gat import Gat


def _build(shape: GatConfig, rngs: "nnx.Rngs") -> "Gat":
    from grapher_jax.training.gat import Gat  # needs Flax

    return Gat(shape, rngs)


ARCHITECTURE = Architecture("gat", _build, GatConfig, GraphSettings, check_gat)
