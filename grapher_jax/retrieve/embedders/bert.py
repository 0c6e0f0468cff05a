"""A BERT sentence encoder in Flax, from the files of a sentence-transformers model."""

from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
from flax import nnx
from jaxtyping import Array, Float, Int
from safetensors.numpy import load_file

from grapher_jax.files import Json, parse_json
from grapher_jax.kernels.masking import reciprocal

# Files hold the values: random ones, never drawn, would take most of the time to describe.
_Linear = partial(nnx.Linear, kernel_init=nnx.initializers.zeros)
_Embed = partial(nnx.Embed, embedding_init=nnx.initializers.zeros)


class SelfAttention(nnx.Module):
    """Multi-head attention with a residual and layer norm, as BERT has it."""

    def __init__(self, config: dict[str, Json], rngs: nnx.Rngs) -> None:
        width = config["hidden_size"]
        self.heads = config["num_attention_heads"]
        self.query = _Linear(width, width, rngs=rngs)
        self.key = _Linear(width, width, rngs=rngs)
        self.value = _Linear(width, width, rngs=rngs)
        self.output = _Linear(width, width, rngs=rngs)
        self.norm = nnx.LayerNorm(width, epsilon=config["layer_norm_eps"], rngs=rngs)

    def __call__(
        self, x: Float[Array, "b l w"], lengths: Int[Array, " b"]
    ) -> Float[Array, "b l w"]:
        """Let every token look at the first `lengths` of its text."""
        q, k, v = (
            project(x).reshape(*x.shape[:2], self.heads, -1)
            for project in (self.query, self.key, self.value)
        )
        attended = jax.nn.dot_product_attention(q, k, v, key_value_seq_lengths=lengths)
        return self.norm(x + self.output(attended.reshape(x.shape)))


class Layer(nnx.Module):
    """Attention, then a two-layer perceptron."""

    def __init__(self, config: dict[str, Json], rngs: nnx.Rngs) -> None:
        width, inner = config["hidden_size"], config["intermediate_size"]
        self.attention = SelfAttention(config, rngs)
        self.inner = _Linear(width, inner, rngs=rngs)
        self.output = _Linear(inner, width, rngs=rngs)
        self.norm = nnx.LayerNorm(width, epsilon=config["layer_norm_eps"], rngs=rngs)

    def __call__(
        self, x: Float[Array, "b l w"], lengths: Int[Array, " b"]
    ) -> Float[Array, "b l w"]:
        """One layer over `[b, l, w]` token states."""
        x = self.attention(x, lengths)
        inner = jax.nn.gelu(self.inner(x), approximate=False)
        return self.norm(x + self.output(inner))


class BertEncoder(nnx.Module):
    """BERT, mean pooling over the real tokens, unit length."""

    def __init__(self, config: dict[str, Json], rngs: nnx.Rngs) -> None:
        width = config["hidden_size"]
        self.words = _Embed(config["vocab_size"], width, rngs=rngs)
        self.positions = _Embed(config["max_position_embeddings"], width, rngs=rngs)
        self.kinds = _Embed(config["type_vocab_size"], width, rngs=rngs)
        self.norm = nnx.LayerNorm(width, epsilon=config["layer_norm_eps"], rngs=rngs)
        self.layers = nnx.List([Layer(config, rngs) for _ in range(config["num_hidden_layers"])])

    def __call__(self, tokens: Int[Array, "b l"], lengths: Int[Array, " b"]) -> Float[Array, "b w"]:
        """Embed texts.

        Args:
            tokens: `[b, l]` token ids, padded with anything.
            lengths: `[b]` how many of them are real.

        Returns:
            `[b, w]` embeddings of length 1.
        """
        places = jnp.arange(tokens.shape[-1])
        x = self.words(tokens) + self.positions(places) + self.kinds(jnp.zeros_like(places))
        x = self.norm(x)
        for layer in self.layers:
            x = layer(x, lengths)
        real = (places < lengths[:, None]).astype(x.dtype)
        pooled = jnp.einsum("bl,blw->bw", real, x)
        return pooled * reciprocal(jnp.linalg.norm(pooled, axis=-1, keepdims=True))


def load_bert(folder: Path) -> tuple[nnx.GraphDef, nnx.State]:
    """The encoder of a model folder (`config.json`, `model.safetensors`), split for `jax.jit`."""
    config = parse_json((folder / "config.json").read_text(encoding="utf-8"))
    tensors = load_file(folder / "model.safetensors")
    graph, state = nnx.split(nnx.eval_shape(lambda: BertEncoder(config, nnx.Rngs(0))))

    def linear(name: str) -> dict[str, Json]:
        return {"kernel": tensors[f"{name}.weight"].T, "bias": tensors[f"{name}.bias"]}

    def norm(name: str) -> dict[str, Json]:
        return {"scale": tensors[f"{name}.weight"], "bias": tensors[f"{name}.bias"]}

    def embed(name: str) -> dict[str, Json]:
        return {"embedding": tensors[f"embeddings.{name}_embeddings.weight"]}

    def layer(name: str) -> dict[str, Json]:
        return {
            "attention": {
                "query": linear(f"{name}.attention.self.query"),
                "key": linear(f"{name}.attention.self.key"),
                "value": linear(f"{name}.attention.self.value"),
                "output": linear(f"{name}.attention.output.dense"),
                "norm": norm(f"{name}.attention.output.LayerNorm"),
            },
            "inner": linear(f"{name}.intermediate.dense"),
            "output": linear(f"{name}.output.dense"),
            "norm": norm(f"{name}.output.LayerNorm"),
        }

    weights = {
        "words": embed("word"),
        "positions": embed("position"),
        "kinds": embed("token_type"),
        "norm": norm("embeddings.LayerNorm"),
        "layers": {i: layer(f"encoder.layer.{i}") for i in range(config["num_hidden_layers"])},
    }
    nnx.replace_by_pure_dict(state, jax.device_put(weights))
    return graph, state
