"""G-RAG's ranker: graph networks over documents that share concepts (G-RAG, section 3.2)."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import jax
import jax.numpy as jnp
from flax import nnx
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.checks import check_choice
from grapher_jax.errors import InputError
from grapher_jax.kernels.precision import full_precision
from grapher_jax.kernels.types import EMPTY, Mask
from grapher_jax.text import MAX_DF
from grapher_jax.training.architecture import UNSET, Architecture, check_range, check_rate
from grapher_jax.training.dropout import dropped

# The features of an edge: common concepts and common triples.
_FEATURES = 2
# The factor by which single parameters learn faster.
_PACE = 10.0
# The scale of scores: cosines of a question's candidates differ by about 0.1, while losses have
# margins of 1.
_SHARPNESS = 10.0


@dataclass(frozen=True, kw_only=True)
class DocumentSettings:
    """How the document graphs are built for training a network and for using it.

    Attributes:
        candidates: how many documents dense search returns (section 3.1).
        max_df: ignore concepts that more than this many objects have; None for no limit, as in the
            paper.
        paths: encode documents together with the concepts on the paths from the question (equation
            2), instead of alone (equation 1).
    """

    candidates: int = 100
    max_df: int | None = MAX_DF
    paths: bool = True


@dataclass(frozen=True, kw_only=True)
class GRagConfig:
    """The shape of the network.

    Attributes:
        dimension: the dimension of the embeddings.
        layer: one of `LAYERS`: graph convolution, an alternative from appendix B, or the MLP of
            section 4.2, which ranks every document by itself.
        layers: the number of layers.
        hidden: the output width of a layer.
        heads: the number of heads of `gat`.
        residual: start with the retriever's score smoothed over the graph, and add the output of
            the layers. Without it, only the layers decide, as in the paper.
        dropout: the dropout rate in training.
    """

    dimension: int
    layer: str = "gcn"
    layers: int = 2
    hidden: int = 64
    heads: int = 8
    residual: bool = True
    dropout: float = 0.1

    @property
    def messages(self) -> bool:
        """Whether documents read their neighbours."""
        return self.layer != "mlp"


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class DocumentBatch:
    """The documents of B questions.

    Attributes:
        questions: `[B, d]` embeddings, of unit length.
        documents: `[B, n, d]` embeddings of the documents alone.
        read: `[B, n, d]` embeddings with concept sequences; equal to `documents` without them.
        concepts: `[B, n, c]` numbers of each document's concepts, -1 where unused.
        triples: `[B, n, t]` the numbers of relations between them.
        mask: `[B, n]` true for real documents.
    """

    questions: Float[Array | ndarray, "B d"]
    documents: Float[Array | ndarray, "B n d"]
    read: Float[Array | ndarray, "B n d"]
    concepts: Int[Array | ndarray, "B n c"]
    triples: Int[Array | ndarray, "B n t"]
    mask: Mask


def read_documents(
    documents: Float[ndarray, "B n d"],
    encoded: Float[ndarray, "P d"],
    places: Int[ndarray, "B n"],
) -> Float[ndarray, "B n d"]:
    """`DocumentBatch.read`: the documents, some as they are encoded with a concept sequence.

    Args:
        documents: embeddings of the documents alone.
        encoded: embeddings with concept sequences.
        places: the position of each document in `encoded`; -1 if it is read alone.
    """
    read, with_concepts = documents.copy(), places != EMPTY
    read[with_concepts] = encoded[places[with_concepts]]
    return read


Documents = Float[Array, "B n w"]
Updated = Float[Array, "B n v"]
Edges = Float[Array, "B n n l"]
Joined = Bool[Array, "B n n"]


class Layer(Protocol):
    """One layer: updates documents by messages from their neighbours."""

    def __call__(self, x: Documents, edges: Edges, joined: Joined) -> Updated:
        """Maps `[B, n, w]` to `[B, n, v]`."""


class ConvolutionLayer(nnx.Module):
    """Graph convolution: the mean of weighted messages (equations 7 and 8)."""

    def __init__(self, inputs: int, config: GRagConfig, rngs: nnx.Rngs) -> None:
        self.update = nnx.Linear(2 * inputs, config.hidden, rngs=rngs)

    def __call__(self, x: Documents, edges: Edges, joined: Joined) -> Updated:
        """See `Layer`."""
        message = kernels.mean_messages(x, edges, joined)
        return jax.nn.relu(self.update(jnp.concatenate([x, message], -1)))


class AttentionLayer(nnx.Module):
    """GAT (Veličković et al., 2018): attention over neighbours, with edge-weighted messages."""

    def __init__(self, inputs: int, config: GRagConfig, rngs: nnx.Rngs) -> None:
        self.heads = config.heads
        width = config.hidden // config.heads
        self.update = nnx.Linear(inputs, config.hidden, use_bias=False, rngs=rngs)
        self.own = nnx.Linear(inputs, config.hidden, rngs=rngs)
        shape = (2, config.heads, width)
        self.attention = nnx.Param(
            nnx.initializers.glorot_normal()(rngs.params(), shape, jnp.float32)
        )

    def __call__(self, x: Documents, edges: Edges, joined: Joined) -> Updated:
        """See `Layer`."""
        values = self.update(x).reshape(*x.shape[:-1], self.heads, -1)
        targets, sources = jnp.einsum("bnhc,shc->sbhn", values, self.attention[...])
        logits = jax.nn.leaky_relu(targets[..., :, None] + sources[..., None, :], 0.2)
        near = joined[:, None]
        shares = jax.nn.softmax(jnp.where(near, logits, -1e9), -1)
        weights = jnp.where(near, shares, 0.0) * edges.sum(-1)[:, None]
        message = jnp.einsum("bhvu,buhc->bvhc", weights, values)
        return jax.nn.elu(message.reshape(*x.shape[:-1], -1) + self.own(x))


class SageLayer(nnx.Module):
    """GraphSAGE (Hamilton et al., 2017): an LSTM reads the messages, the best-ranked one last."""

    def __init__(self, inputs: int, config: GRagConfig, rngs: nnx.Rngs) -> None:
        # It starts with zeros, because its own random state would count as weights.
        self.reader = nnx.RNN(nnx.OptimizedLSTMCell(inputs, config.hidden, rngs=rngs), rngs=False)
        self.update = nnx.Linear(inputs + config.hidden, config.hidden, rngs=rngs)

    def __call__(self, x: Documents, edges: Edges, joined: Joined) -> Updated:
        """See `Layer`."""
        n = x.shape[-2]
        # Neighbours first, in reverse order of the retriever.
        order = jnp.argsort(~joined[..., ::-1], axis=-1, stable=True)
        order = n - 1 - order
        sources = jax.vmap(lambda values, places: values[places])(x, order)
        weights = jnp.take_along_axis(edges.sum(-1), order, axis=-1)
        messages = (sources * weights[..., None]).reshape(-1, n, x.shape[-1])
        degrees = joined.sum(-1)
        nothing = jnp.zeros((len(messages), self.reader.cell.hidden_features), messages.dtype)
        read = self.reader(messages, initial_carry=(nothing, nothing))
        last = jnp.maximum(degrees, 1).reshape(-1, 1, 1) - 1
        message = jnp.take_along_axis(read, last, axis=1).reshape(*x.shape[:-1], -1)
        message = jnp.where(degrees[..., None] > 0, message, 0.0)
        return jax.nn.relu(self.update(jnp.concatenate([x, message], -1)))


class IsomorphismLayer(nnx.Module):
    """GIN (Xu et al., 2018), with the mean instead of the sum, as in appendix B."""

    def __init__(self, inputs: int, config: GRagConfig, rngs: nnx.Rngs) -> None:
        self.own = nnx.Param(jnp.zeros((), jnp.float32))
        self.hidden = nnx.Linear(inputs, config.hidden, rngs=rngs)
        self.update = nnx.Linear(config.hidden, config.hidden, rngs=rngs)

    def __call__(self, x: Documents, edges: Edges, joined: Joined) -> Updated:
        """See `Layer`."""
        message = (1 + self.own[...]) * x + kernels.mean_messages(x, edges, joined)
        return jax.nn.relu(self.update(jax.nn.relu(self.hidden(message))))


class PerceptronLayer(nnx.Module):
    """No messages: each document by itself."""

    def __init__(self, inputs: int, config: GRagConfig, rngs: nnx.Rngs) -> None:
        self.update = nnx.Linear(inputs, config.hidden, rngs=rngs)

    def __call__(self, x: Documents, edges: Edges, joined: Joined) -> Updated:
        """See `Layer`."""
        return jax.nn.relu(self.update(x))


LAYERS = {
    "gcn": ConvolutionLayer,
    "gat": AttentionLayer,
    "sage": SageLayer,
    "gin": IsomorphismLayer,
    "mlp": PerceptronLayer,
}


class EdgeLayer(nnx.Module):
    """Updates edges from the edges of the neighbours (equation 9).

    It is initialised as the identity.
    """

    def __init__(self, rngs: nnx.Rngs) -> None:
        self.update = nnx.Linear(2 * _FEATURES, _FEATURES, rngs=rngs)
        self.update.kernel[...] = jnp.eye(2 * _FEATURES, _FEATURES, dtype=jnp.float32)

    def __call__(self, edges: Edges, joined: Joined) -> Edges:
        """`[B, n, n, l]`."""
        message = kernels.mean_edges(edges, joined)
        updated = jax.nn.relu(self.update(jnp.concatenate([edges, message], -1)))
        return jnp.where(joined[..., None], updated, 0.0)


class GRag(nnx.Module):
    """Scores documents for a question, by themselves and by concepts shared with others.

    A document's score is the product of the question's embedding and the document's output of the
    layers (equation 11). In the paper both have the same width, without a description how: here a
    linear map, initialised as 0, leads from the hidden width to the encoder's. With `residual`, the
    initial encodings and their messages are also added, so that an untrained network ranks like
    dense retrieval, and documents without neighbours are ranked among the others.
    """

    def __init__(self, config: GRagConfig, rngs: nnx.Rngs) -> None:
        self.config = config
        widths = [2 * config.dimension] + [config.hidden] * config.layers
        self.layers = nnx.List([LAYERS[config.layer](width, config, rngs) for width in widths[:-1]])
        updates = [EdgeLayer(rngs) for _ in pairwise(self.layers)] if config.messages else []
        self.edges = nnx.List(updates)
        make = nnx.initializers
        init = make.zeros_init() if config.residual else make.lecun_normal()
        self.leave = nnx.Linear(
            config.hidden, config.dimension, use_bias=False, kernel_init=init, rngs=rngs
        )
        if config.residual:
            self.reading = nnx.Param(jnp.zeros((), jnp.float32))
            self.reached = nnx.Param(jnp.zeros(config.dimension, jnp.float32))
        if config.residual and config.messages:
            self.heard = nnx.Param(jnp.zeros((config.layers, _FEATURES), jnp.float32))

    @full_precision
    def __call__(
        self,
        batch: DocumentBatch,
        *,
        key: PRNGKeyArray | None = None,
    ) -> Float[Array, "B n"]:
        """`[B, n]` scores; those of masked documents are undefined.

        Args:
            batch: the documents.
            key: a random key for dropout in training.
        """
        question, documents = jnp.asarray(batch.questions), jnp.asarray(batch.documents)
        change = jnp.asarray(batch.read) - documents
        edges = kernels.document_edges(batch.concepts, batch.triples, mask=batch.mask)
        joined = kernels.connected(edges)
        # Scaled, because components of a unit vector are about 1 / √d.
        x = jnp.concatenate([jnp.asarray(batch.read), change], -1) * jnp.sqrt(self.config.dimension)
        first = jnp.asarray(batch.read)
        if self.config.residual:
            led = (change != 0).any(-1, keepdims=True)
            first = documents + _PACE * self.reading[...] * change + led * self.reached[...]
        scores = jnp.einsum("bd,bnd->bn", question, first)
        message = scores[..., None]
        for number, layer in enumerate(self.layers):
            if number and self.config.messages:
                edges = self.edges[number - 1](edges, joined)
            if self.config.residual and self.config.messages:
                # The map is linear, so messages can be multiplied with the question first.
                by_feature = jnp.concatenate(
                    [
                        kernels.mean_messages(message, edges[..., m, None], joined)
                        for m in range(_FEATURES)
                    ],
                    axis=-1,
                )
                message = by_feature.sum(-1, keepdims=True)
                scores += _PACE * (by_feature @ self.heard[number])
            x = dropped(layer(x, edges, joined), self.config.dropout, key, number)
        found = jnp.einsum("bd,bnd->bn", question, self.leave(x))
        if self.config.residual:
            found += scores
        # Documents without neighbours are removed from the graph, but not from the ranking.
        left = ~joined.any(-1) if self.config.messages else False
        return _SHARPNESS * jnp.where(left, scores, found)


def check_g_rag(model: GRagConfig, graph: DocumentSettings) -> None:
    """Raise InputError, naming the field, for an impossible network or graphs."""
    check_choice("g_rag.model.layer", model.layer, LAYERS)
    for name, value, least in (
        ("model.dimension", model.dimension, UNSET),
        ("model.layers", model.layers, 1),
        ("model.hidden", model.hidden, 1),
        ("model.heads", model.heads, 1),
        ("graph.candidates", graph.candidates, 1),
        ("graph.max_df", graph.max_df, 1),
    ):
        check_range(f"g_rag.{name}", value, least)
    if model.layer == "gat" and model.hidden % model.heads:
        raise InputError(
            f"g_rag.model.hidden: {model.hidden} is not a multiple of {model.heads} heads"
        )
    check_rate("g_rag.model.dropout", model.dropout)


ARCHITECTURE = Architecture("g-rag", GRag, GRagConfig, DocumentSettings, check_g_rag)
