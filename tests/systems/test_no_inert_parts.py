"""The shipped networks without what they hear of neighbours: all else as it was, they find less."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import jax.numpy as jnp
import pytest
from flax import nnx

from grapher_jax.evaluation import evaluate
from grapher_jax.search import Index
from grapher_jax.systems import System, build_g_rag, build_grapher, build_query_gnn
from grapher_jax.systems.networks import load_weights, save_weights
from grapher_jax.training.g_rag import ConvolutionLayer, GRag
from grapher_jax.training.gat import Gat
from grapher_jax.training.query_gnn import QueryGnn
from grapher_jax.training.weights import SHIPPED_FOLDER

# Twelve pairs of texts that an entity joins, of which the question names the first alone, and
# twelve texts that resemble the questions and are joined to nothing.
JOINED = Path(__file__).parent / "joined"
METRIC, MARGIN = "R@5", 0.02


@pytest.fixture(scope="module")
def joined(embedder) -> Index:
    """The texts of `JOINED` with their questions."""
    return Index.from_source(str(JOINED), embedder=embedder)


def silence_gat(model: Gat) -> None:
    """Leave out attention: a candidate hears itself alone, what it is read by stays."""
    model.config = replace(model.config, messages=False)
    for layer in model.layers:
        del layer.targets, layer.attention


def silence_g_rag(model: GRag) -> None:
    """Let the weights of messages be 0; edges, and which documents have any, stay."""
    model.heard[...] = jnp.zeros_like(model.heard[...])
    for layer in model.layers:
        assert isinstance(layer, ConvolutionLayer)
        kernel = layer.update.kernel
        kernel[...] = kernel[...].at[len(kernel[...]) // 2 :].set(0.0)


def silence_query_gnn(model: QueryGnn) -> None:
    """Let all weigh nothing but a candidate's own similarity, the first that is read."""
    scorer = model.scorer
    for weights in (scorer.direct, scorer.fusion[0].kernel, scorer.skip.kernel):
        weights[...] = weights[...].at[1:].set(0.0)


def lost(
    index: Index,
    shipped: Path,
    build: Callable[[str], System],
    silence: Callable[[nnx.Module], None],
    folder: Path,
) -> float:
    """How much of the metric a shipped network loses with its messages."""
    weights = load_weights(shipped)
    silence(weights.model)
    save_weights(folder, weights.model, embedder=weights.embedder, record={}, graph=weights.graph)
    systems = [build(str(shipped)), build(str(folder))]
    whole, silent = evaluate(index, "test", [], systems=systems).results[-2:]
    return whole.metrics[METRIC].all - silent.metrics[METRIC].all


# Whatever else is shipped of this architecture joins by itself.
@pytest.mark.nightly
@pytest.mark.parametrize(
    "shipped", sorted(SHIPPED_FOLDER.glob("gat*")), ids=lambda folder: folder.name
)
def test_gat_finds_tables_by_its_messages(company, shipped, tmp_path):
    assert lost(company, shipped, build_grapher, silence_gat, tmp_path / "silent") > MARGIN


@pytest.mark.filterwarnings("ignore:.*entities and keywords stand in for the concepts")
def test_g_rag_finds_documents_by_its_messages(joined, tmp_path):
    assert (
        lost(joined, SHIPPED_FOLDER / "g-rag", build_g_rag, silence_g_rag, tmp_path / "silent")
        > MARGIN
    )


def test_query_gnn_finds_documents_by_their_neighbours(joined, tmp_path):
    shipped, silent = SHIPPED_FOLDER / "query-gnn", tmp_path / "silent"
    assert lost(joined, shipped, build_query_gnn, silence_query_gnn, silent) > MARGIN
