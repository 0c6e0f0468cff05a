"""GraphER's learned ranker: graph attention over candidates (GraphER, section 2.2)."""

import itertools
from collections.abc import Iterator

import jax
import jax.numpy as jnp
from flax import nnx
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.kernels.precision import full_precision
from grapher_jax.training.candidates import (
    MEANINGS,
    SCALARS,
    WORDS,
    CandidateBatch,
    scalar_features,
)
from grapher_jax.training.gat_shape import GatConfig, check_network


class GatLayer(nnx.Module):
    """One GATv2 layer after a layer norm, with a residual."""

    def __init__(self, config: GatConfig, rngs: nnx.Rngs) -> None:
        width = config.heads * config.channels
        self.heads = config.heads
        self.norm = nnx.LayerNorm(width, rngs=rngs)
        self.sources = nnx.Linear(width, width, use_bias=False, rngs=rngs)
        self.bias = nnx.Param(jnp.zeros(width, jnp.float32))
        if config.messages:
            self.targets = nnx.Linear(width, width, use_bias=False, rngs=rngs)
            shape = (config.heads, config.channels)
            self.attention = nnx.Param(
                nnx.initializers.glorot_normal()(rngs.params(), shape, jnp.float32)
            )

    def __call__(
        self, x: Float[Array, "N w"], neighbors: Int[Array, "N k"], mask: Bool[Array, " N"]
    ) -> Float[Array, "N w"]:
        """The messages to a candidate, before they are added to its state."""
        x = self.norm(x)
        values = self.sources(x)
        if hasattr(self, "targets"):
            shape = (len(x), self.heads, -1)
            values = kernels.gatv2_attention(
                values.reshape(shape),
                self.targets(x).reshape(shape),
                self.attention[...],
                neighbors,
                mask=mask,
            ).reshape(x.shape)
        return _elu(values + self.bias[...])


class Gat(nnx.Module):
    """Five attention layers and two dense ones, plus a linear score of the scalars.

    The linear score is initialised as the score after the fixed point, so that an untrained network
    ranks like it. The paper has no such score: it exists only with `scalars` among the inputs.
    """

    def __init__(self, config: GatConfig, rngs: nnx.Rngs) -> None:
        check_network(config)
        width, sizes = config.heads * config.channels, _sizes(config)
        self.config = config
        self.inputs = nnx.Dict(
            {
                name: nnx.Linear(sizes[name], width, use_bias=False, rngs=rngs)
                for name in config.inputs
            }
        )
        self.layers = nnx.List([GatLayer(config, rngs) for _ in range(config.layers)])
        self.hidden = nnx.Linear(width, width, rngs=rngs)
        self.score = nnx.Linear(
            width, 1, kernel_init=nnx.initializers.zeros_init(), use_bias=False, rngs=rngs
        )
        if "scalars" in config.inputs:
            # The second is the standardised score after the fixed point.
            self.direct = nnx.Param(jnp.zeros(SCALARS, jnp.float32).at[1].set(1.0))

    @full_precision
    def __call__(
        self,
        batch: CandidateBatch,
        *,
        projected: Float[Array, "B n w"] | None = None,
        key: PRNGKeyArray | None = None,
    ) -> Float[Array, "B n"]:
        """`[B, n]` scores; those of masked candidates are undefined.

        Args:
            batch: the candidates.
            projected: `[B, n, w]` the product of the first layer with the objects' embeddings
                (`project_objects`), if `object` is an input; by default computed here.
            key: a random key for dropout in training.
        """
        scalars = scalar_features(batch) if batch.scalars is None else jnp.asarray(batch.scalars)
        x = jnp.zeros((), jnp.float32)
        for name, project in self.inputs.items():
            if name == "object" and projected is not None:
                x = x + projected
            else:
                x = x + _project(project, _read(name, batch, scalars))
        x = x.reshape(-1, x.shape[-1])
        mask = jnp.asarray(batch.mask)
        neighbors = _one_graph(jnp.asarray(batch.neighbors))
        kept = 1 - self.config.dropout
        chosen = None if key is None or not self.config.dropout else _draw(key, kept, x.shape)
        for layer in self.layers:
            message = layer(x, neighbors, mask.reshape(-1))
            if chosen:
                message = jnp.where(next(chosen), message / kept, 0.0)
            x = x + message
        learned = self.score(_elu(self.hidden(x))).reshape(mask.shape)
        return learned + scalars @ self.direct[...] if hasattr(self, "direct") else learned

    @full_precision
    def project_objects(self, embeddings: Float[Array, "N d"]) -> Float[Array, "N w"]:
        """The part of the first layer that depends only on objects, once for a whole index."""
        return self.inputs["object"](embeddings * jnp.sqrt(embeddings.shape[-1]))


def _project(linear: nnx.Linear, x: Float[Array, "B n i"]) -> Float[Array, "B n o"]:
    """All candidates on one axis: XLA for CPUs computes the gradients of such a product faster."""
    return linear(x.reshape(-1, x.shape[-1])).reshape(*x.shape[:-1], -1)


def _elu(x: Float[Array, "N w"]) -> Float[Array, "N w"]:
    # Not expm1, which takes nearly twice as long in XLA for CPUs. The following sums would lose its
    # higher precision near 0.
    return jnp.where(x > 0, x, jnp.exp(jnp.where(x > 0, 0.0, x)) - 1)


def _one_graph(neighbors: Int[Array, "B n k"]) -> Int[Array, "N k"]:
    """The neighbour lists of all questions, as one graph.

    Computed here, all layers share it and its derived values. Computed in every layer, XLA would
    move parts of it out of a loop over questions, and no longer recognise the rest as equal.
    """
    count, n, k = neighbors.shape
    first = n * jnp.arange(count)[:, None, None]
    return jnp.where(neighbors >= 0, neighbors + first, -1).reshape(count * n, k)


def _draw(key: PRNGKeyArray, share: float, shape: tuple[int, ...]) -> Iterator[Bool[Array, "..."]]:
    """Which units are kept, layer by layer; the rate is rounded to 10 bits."""
    for number in itertools.count():
        # Drawing 32 bits for every unit would take half as long as the layer's matrix products.
        bits = jax.random.bits(jax.random.fold_in(key, number), shape, jnp.uint32)
        for first in (0, 10, 20):
            yield (bits >> first) % (1 << 10) < round(share * (1 << 10))


def _sizes(config: GatConfig) -> dict[str, int]:
    vectors = dict.fromkeys(("interaction", "question", "object"), config.dimension)
    single = dict.fromkeys(("score", "smoothed"), 1)
    return {"scalars": SCALARS, "words": WORDS, "meanings": MEANINGS, **single, **vectors}


def _read(name: str, batch: CandidateBatch, scalars: Float[Array, "B n s"]) -> Array:
    # Scaled, because components of a unit vector are about 1 / √d; a product of two is scaled
    # likewise.
    scale = jnp.sqrt(batch.objects.shape[-1])
    questions, objects = jnp.asarray(batch.questions)[:, None], jnp.asarray(batch.objects)
    match name:
        case "scalars":
            return scalars
        case "score":
            return scalars[..., :1]
        case "smoothed":
            return scalars[..., 1:2]
        case "words":
            return _or_zeros(batch.words, WORDS, scalars)
        case "meanings":
            return _or_zeros(batch.meanings, MEANINGS, scalars)
        case "interaction":
            return questions * objects * scale
        case "question":
            return jnp.broadcast_to(questions * scale, objects.shape)
    return objects * scale


def _or_zeros(
    values: Float[Array | ndarray, "B n m"] | None, size: int, scalars: Float[Array, "B n s"]
) -> Float[Array, "B n m"]:
    """The values, or zeros if there are none."""
    if values is None:
        return jnp.zeros((*scalars.shape[:-1], size), scalars.dtype)
    return jnp.asarray(values, scalars.dtype)
