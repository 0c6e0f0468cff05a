"""The table of networks: a row is all that the package knows of one.

A row is light. Its methods load what runs networks, or trains them, when they are called.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from grapher_jax.checks import check_path
from grapher_jax.errors import InputError, require
from grapher_jax.rankers.choice import AUTO
from grapher_jax.rankers.fixed_point import FIXED_POINTS
from grapher_jax.rankers.protocol import Ranker
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.systems.examples import Retrieving
from grapher_jax.systems.g_rag.network import GRagNetwork
from grapher_jax.systems.grapher.network import GatNetwork
from grapher_jax.systems.query_gnn.network import QueryGnnNetwork

if TYPE_CHECKING:
    import jax
    from flax import nnx

    from grapher_jax.training.architecture import Architecture, Settings
    from grapher_jax.training.config import TrainConfig
    from grapher_jax.training.data import Data
    from grapher_jax.training.run import Progress
    from grapher_jax.training.trainer import Trained
    from grapher_jax.training.weights import Weights

SettingsT = TypeVar("SettingsT", contravariant=True)


@runtime_checkable
class Network(Protocol[SettingsT]):
    """A row: how a network is described, given candidates, trained, and used as a ranker."""

    @property
    def graphs(self) -> Sequence[str]:
        """The names of the arrays that `write_graphs` leaves beside those of all examples."""

    @property
    def unordered(self) -> Sequence[str]:
        """Those of them that hold lists whose order means nothing."""

    @property
    def architecture(self) -> "Architecture[Any, Any]":
        """Its classes, and its name on disk, by which `NETWORKS` has it."""

    def make_ranker(self, weights: "Weights", name: str) -> Ranker:
        """The ranker that uses its weights, which a report calls by this name."""

    def retrieving(self, settings: SettingsT) -> Retrieving:
        """Which candidates it is given."""

    def decisive(self, settings: SettingsT) -> Mapping[str, object]:
        """What of the settings decides its examples, as JSON can hold it."""

    def write_graphs(
        self,
        folder: Path,
        collection: Collection,
        candidates: Candidates,
        settings: SettingsT,
        report: Callable[[int], None],
    ) -> None:
        """Write the arrays that it reads of questions' graphs.

        Args:
            folder: for a file `<name>.npy` each.
            collection: what the candidates are rows of.
            candidates: of all questions, padded to a bucket.
            settings: how the graphs are built.
            report: told of how many more questions they are written.
        """

    def train(
        self,
        config: "TrainConfig",
        data: "Data",
        out: Path,
        *,
        devices: "Sequence[jax.Device] | None",
        progress: "Progress",
    ) -> "Trained":
        """Train it.

        Args:
            config: all that decides the weights, with the dimension of the embeddings.
            data: what it learns from and watches.
            out: the folder of the run.
            devices: which share every batch; all of this process by default.
            progress: shown while steps are taken.
        """


# By the names that `config.json` of weights has for them.
NETWORKS: dict[str, Network[Any]] = {
    "gat": GatNetwork(),
    "query-gnn": QueryGnnNetwork(),
    "g-rag": GRagNetwork(),
}
# Those whose weights the package ships.
SHIPPED = ("gat", "query-gnn", "g-rag")


def architectures() -> "dict[str, Architecture[Any, Any]]":
    """The architecture of every network, by its name."""
    return {name: network.architecture for name, network in NETWORKS.items()}


def load_weights(folder: str | Path) -> "Weights":
    """Read the weights of any network of the table; see `training.weights.read_weights`."""
    from grapher_jax.training.weights import read_weights

    return read_weights(folder, architectures())


def save_weights(
    folder: str | Path,
    model: "nnx.Module",
    *,
    embedder: str,
    record: Mapping[str, object],
    graph: "Settings | None" = None,
) -> None:
    """Write the weights of any network of the table; see `training.weights.write_weights`."""
    from grapher_jax.training.weights import write_weights

    own = next(one for one in architectures().values() if type(model.config) is one.shape)
    write_weights(folder, model, own, embedder=embedder, record=record, graph=graph)


def open_network(ranker: str) -> Ranker:
    """The ranker of trained weights.

    Args:
        ranker: one of `SHIPPED`, or a folder of weights.

    Raises:
        InputError: for an unknown name, or weights that cannot be used.
        MissingExtraError: where what runs networks is not installed.
    """
    if ranker in SHIPPED:
        return _open_shipped(ranker)
    folder = check_path("ranker", ranker)
    if not folder.exists():
        raise InputError(
            f"ranker: {ranker!r} is unknown; use {', '.join((AUTO, *FIXED_POINTS, *SHIPPED))}, "
            "or a folder of trained weights"
        )
    return _open(folder, folder.resolve().name)


# What the package ships does not change while it runs.
@cache
def _open_shipped(name: str) -> Ranker:
    require("flax.nnx")
    require("safetensors.numpy")
    from grapher_jax.training.weights import SHIPPED as SHELF

    if name != "gat":
        return _open(SHELF / name, name)
    from grapher_jax.systems.grapher.by_kind import GatByKind

    tables, others = (_open(SHELF / own, own) for own in ("gat-tables", "gat"))
    return GatByKind(name=name, tables=tables, others=others)


def _open(folder: Path, name: str) -> Ranker:
    require("flax.nnx")
    require("safetensors.numpy")
    weights = load_weights(folder)
    return NETWORKS[weights.architecture].make_ranker(weights, name)
