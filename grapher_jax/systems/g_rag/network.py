"""G-RAG's network: over documents that share concepts."""

from dataclasses import asdict
from typing import TYPE_CHECKING

from grapher_jax.systems.g_rag.examples import write_document_graphs
from grapher_jax.systems.g_rag.ranker import GRagRanker
from grapher_jax.systems.network import Network, trained_by
from grapher_jax.training.g_rag import ARCHITECTURE, DocumentSettings

if TYPE_CHECKING:
    from grapher_jax.training.config import TrainConfig
    from grapher_jax.training.run import Task


def _task(config: "TrainConfig") -> "Task":
    # Ranking does without the packages for training.
    from flax import nnx

    from grapher_jax.training.batches import gather_documents
    from grapher_jax.training.config import GRagTraining
    from grapher_jax.training.g_rag import GRag
    from grapher_jax.training.run import Task

    own = config.g_rag or GRagTraining()
    network = GRag(own.model, nnx.Rngs(config.seed))
    return Task(network, gather_documents, gather_documents, apart=True)


NETWORK: Network[DocumentSettings] = Network(
    architecture=ARCHITECTURE,
    graphs=("concepts", "triples", "encoded", "places"),
    unordered=("concepts", "triples"),
    make_ranker=GRagRanker.from_weights,
    retrieving=lambda settings: {"candidates": settings.candidates, "lexical_weight": 0.0},
    decisive=asdict,
    write_graphs=write_document_graphs,
    train=trained_by(_task),
)
