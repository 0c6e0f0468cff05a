"""What all trained networks share as rankers: weights, names and checks.

A separate module, so that other rankers do not need the packages that networks need.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from jaxtyping import Array

from grapher_jax.files import Json
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.protocol import check_finite
from grapher_jax.retrieve.collection import Candidates
from grapher_jax.training.weights import Design, Weights

SettingsT = TypeVar("SettingsT")
RankerT = TypeVar("RankerT", bound="NetworkRanker[Any]")
_BROKEN = "its weights hold NaN or overflow; train it anew, or use others"


@dataclass(frozen=True, kw_only=True, eq=False)
class NetworkRanker(Generic[SettingsT]):
    """A trained network; the ranker of each architecture adds how it is prepared.

    Attributes:
        name: its name in reports.
        embedder: the name of the embedder whose embeddings it reads.
        config: the shape of the network.
        settings: how its graphs are built.
        sha256: see `Weights`.
        design: the network without its tensors.
        tensors: its tensors by name.
    """

    name: str
    embedder: str
    config: Any
    settings: SettingsT
    sha256: str
    design: Design
    tensors: Mapping[str, Array]

    @classmethod
    def from_weights(cls: type[RankerT], weights: Weights, name: str) -> RankerT:
        """Builds the ranker from weights of its architecture."""
        return cls(
            name=name,
            embedder=weights.embedder,
            config=weights.design.shape,
            settings=weights.graph,
            sha256=weights.sha256,
            design=weights.design,
            tensors=weights.tensors,
        )

    def told(self, *names: str) -> dict[str, Json]:
        """`weights`, their `sha256`, and settings by name, for a report."""
        own = {name: getattr(self.settings, name) for name in names}
        return {"weights": self.name, "sha256": self.sha256, **own}

    def checked(self, top: TopK, candidates: Candidates) -> TopK:
        """Returns the best k unchanged; raises InputError if a score is not finite."""
        return check_finite(top, candidates, f"{self.name}: {_BROKEN}")
