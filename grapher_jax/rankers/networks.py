"""What all trained networks share as rankers: weights, their name, and what they complain of.

Apart from the other rankers, so that nothing else needs what runs networks.
"""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from flax import nnx

from grapher_jax.files import Json
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.protocol import check_finite
from grapher_jax.retrieve.collection import Candidates
from grapher_jax.training.weights import Weights

SettingsT = TypeVar("SettingsT")
RankerT = TypeVar("RankerT", bound="NetworkRanker[Any]")
_BROKEN = "its weights hold NaN or overflow; train it anew, or use others"


@dataclass(frozen=True, kw_only=True, eq=False)
class NetworkRanker(Generic[SettingsT]):
    """A trained network; the rankers of each architecture add how it is prepared.

    Attributes:
        name: what a report calls it.
        embedder: the name of the embedder whose embeddings it reads.
        config: its shape.
        settings: how its graphs are built.
        sha256: see `Weights`.
        network: the network without its weights.
        state: the weights.
    """

    name: str
    embedder: str
    config: Any
    settings: SettingsT
    sha256: str
    network: nnx.GraphDef[Any]
    state: nnx.State

    @classmethod
    def from_weights(cls: type[RankerT], weights: Weights, name: str) -> RankerT:
        """From weights of its architecture."""
        network, state = nnx.split(weights.model)
        return cls(
            name=name,
            embedder=weights.embedder,
            config=weights.model.config,
            settings=weights.graph,
            sha256=weights.sha256,
            network=network,
            state=state,
        )

    def told(self, *names: str) -> dict[str, Json]:
        """`weights`, their `sha256`, and settings by name, for a report."""
        own = {name: getattr(self.settings, name) for name in names}
        return {"weights": self.name, "sha256": self.sha256, **own}

    def checked(self, top: TopK, candidates: Candidates) -> TopK:
        """The best k themselves; raises InputError where the network gave no numbers."""
        return check_finite(top, candidates, f"{self.name}: {_BROKEN}")
