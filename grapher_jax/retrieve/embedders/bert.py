"""A BERT sentence encoder in JAX, from the files of a sentence-transformers model.

Plain arrays and functions, so that a first call need not import a library of layers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int
from numpy import ndarray
from safetensors.numpy import load_file

from grapher_jax.files import parse_json
from grapher_jax.kept_programs import kept_jit
from grapher_jax.kernels.masking import reciprocal
from grapher_jax.kernels.precision import full_precision

# The linear layers of a `Layer`, which an adapter changes.
LINEAR = ("query", "key", "value", "attended", "inner", "output")


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Linear:
    """A linear layer: a matrix product and a bias."""

    kernel: Float[Array | ndarray, "i o"]
    bias: Float[Array | ndarray, " o"]

    def __call__(self, x: Float[Array, "... i"]) -> Float[Array, "... o"]:
        """The output of the layer for every row."""
        return x @ self.kernel + self.bias


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class LayerNorm:
    """Layer normalisation: rows of mean 0 and variance 1, then scaled and shifted."""

    scale: Float[Array | ndarray, " w"]
    bias: Float[Array | ndarray, " w"]
    epsilon: float = field(metadata={"static": True})

    def __call__(self, x: Float[Array, "... w"]) -> Float[Array, "... w"]:
        """The normalised rows."""
        return jax.nn.standardize(x, epsilon=self.epsilon) * self.scale + self.bias


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Layer:
    """Multi-head attention, then a two-layer perceptron, each with a residual and a norm."""

    query: Linear
    key: Linear
    value: Linear
    attended: Linear
    attended_norm: LayerNorm
    inner: Linear
    output: Linear
    norm: LayerNorm
    heads: int = field(metadata={"static": True})

    def __call__(
        self, x: Float[Array, "b l w"], lengths: Int[Array, " b"]
    ) -> Float[Array, "b l w"]:
        """The token states after the layer; tokens attend to the first `lengths` of their text."""
        q, k, v = (
            project(x).reshape(*x.shape[:2], self.heads, -1)
            for project in (self.query, self.key, self.value)
        )
        found = jax.nn.dot_product_attention(q, k, v, key_value_seq_lengths=lengths)
        x = self.attended_norm(x + self.attended(found.reshape(x.shape)))
        return self.norm(x + self.output(jax.nn.gelu(self.inner(x), approximate=False)))


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Bert:
    """BERT with mean pooling over the real tokens, and output of unit length."""

    words: Float[Array | ndarray, "v w"]
    positions: Float[Array | ndarray, "p w"]
    kinds: Float[Array | ndarray, "t w"]
    norm: LayerNorm
    layers: tuple[Layer, ...]

    @full_precision
    def __call__(self, tokens: Int[Array, "b l"], lengths: Int[Array, " b"]) -> Float[Array, "b w"]:
        """Embed texts.

        Args:
            tokens: `[b, l]` token ids, with arbitrary padding.
            lengths: `[b]` how many of them are real.

        Returns:
            `[b, w]` embeddings of length 1.
        """
        places = jnp.arange(tokens.shape[-1])
        x = self.norm(self.words[tokens] + self.positions[places] + self.kinds[0])
        for layer in self.layers:
            x = layer(x, lengths)
        real = (places < lengths[:, None]).astype(x.dtype)
        pooled = jnp.einsum("bl,blw->bw", real, x)
        return pooled * reciprocal(jnp.linalg.norm(pooled, axis=-1, keepdims=True))


def adapted(bert: Bert, thin: Mapping[str, Float[Array | ndarray, "_ _"]]) -> Bert:
    """The encoder with a product of two thin matrices added to every linear layer (LoRA).

    Args:
        bert: the encoder; its programs serve the result too.
        thin: by layer and name (`LINEAR`) a matrix `[i, r]` such as `0.query.down`, and one
            `[r, o]` such as `0.query.up`.
    """

    def linear(old: Linear, name: str) -> Linear:
        down, up = (thin[f"{name}.{one}"].astype(jnp.float32) for one in ("down", "up"))
        return replace(old, kernel=old.kernel + jnp.matmul(down, up, precision="highest"))

    def changed(layer: Layer, place: int) -> Layer:
        query, key, value, attended, inner, output = (
            linear(getattr(layer, name), f"{place}.{name}") for name in LINEAR
        )
        return replace(
            layer,
            query=query,
            key=key,
            value=value,
            attended=attended,
            inner=inner,
            output=output,
        )

    layers = (changed(layer, place) for place, layer in enumerate(bert.layers))
    return replace(bert, layers=(*layers,))


# One for the process, whichever embedders have these programs.
embed = kept_jit(Bert.__call__)


def load_bert(folder: Path) -> Bert:
    """The encoder of a model folder (`config.json`, `model.safetensors`)."""
    config = parse_json((folder / "config.json").read_text(encoding="utf-8"))
    tensors = load_file(folder / "model.safetensors")

    def linear(name: str) -> Linear:
        return Linear(tensors[f"{name}.weight"].T, tensors[f"{name}.bias"])

    def norm(name: str) -> LayerNorm:
        weight, bias = tensors[f"{name}.weight"], tensors[f"{name}.bias"]
        return LayerNorm(weight, bias, config["layer_norm_eps"])

    def layer(name: str) -> Layer:
        return Layer(
            query=linear(f"{name}.attention.self.query"),
            key=linear(f"{name}.attention.self.key"),
            value=linear(f"{name}.attention.self.value"),
            attended=linear(f"{name}.attention.output.dense"),
            attended_norm=norm(f"{name}.attention.output.LayerNorm"),
            inner=linear(f"{name}.intermediate.dense"),
            output=linear(f"{name}.output.dense"),
            norm=norm(f"{name}.output.LayerNorm"),
            heads=config["num_attention_heads"],
        )

    words, positions, kinds = (
        tensors[f"embeddings.{name}_embeddings.weight"]
        for name in ("word", "position", "token_type")
    )
    layers = (layer(f"encoder.layer.{i}") for i in range(config["num_hidden_layers"]))
    return jax.device_put(Bert(words, positions, kinds, norm("embeddings.LayerNorm"), (*layers,)))
