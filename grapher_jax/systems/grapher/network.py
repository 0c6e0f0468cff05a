"""GraphER's network: graph attention over the hybrid retriever's candidates."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from grapher_jax.systems.grapher.architecture import ARCHITECTURE
from grapher_jax.systems.grapher.examples import write_candidate_graphs
from grapher_jax.systems.grapher.ranker import GatRanker
from grapher_jax.systems.network import Network, trained_by
from grapher_jax.training.candidates import GraphSettings

if TYPE_CHECKING:
    from grapher_jax.training.config import TrainConfig
    from grapher_jax.training.run import Task


def _decisive(settings: GraphSettings) -> Mapping[str, object]:
    """All settings; with GCS as smoothing, in the form of earlier versions."""
    told = asdict(settings)
    return {name: own for name, own in told.items() if (name, own) != ("smoothing", "gcs")}


def _task(config: "TrainConfig") -> "Task":
    # Ranking does without the packages for training.
    from flax import nnx

    from grapher_jax.systems.grapher.start import build_started
    from grapher_jax.training.batches import disturb, gather
    from grapher_jax.training.candidates import with_scalars
    from grapher_jax.training.gat import Gat
    from grapher_jax.training.run import Task

    network: nnx.Module = (
        build_started(config.start, config.model)
        if config.start
        else Gat(config.model, nnx.Rngs(config.seed))
    )
    return Task(network, gather, gather, disturb=disturb, ready=with_scalars)


NETWORK: Network[GraphSettings] = Network(
    architecture=ARCHITECTURE,
    graphs=("smoothed", "neighbors", "degrees", "words", "meanings"),
    make_ranker=GatRanker.from_weights,
    retrieving=lambda settings: {},
    decisive=_decisive,
    write_graphs=write_candidate_graphs,
    train=trained_by(_task),
)
