"""The table of networks: one row has everything that the package knows about a network.

A row is cheap to import. Its methods import the packages for networks and training on demand.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from grapher_jax.checks import check_path
from grapher_jax.errors import InputError, check_installed, require
from grapher_jax.rankers.choice import AUTO
from grapher_jax.rankers.fixed_point import FIXED_POINTS
from grapher_jax.rankers.protocol import Ranker
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.retrieve.options import BaseFinding
from grapher_jax.systems.g_rag.network import GRagNetwork
from grapher_jax.systems.grapher.by_kind import INCLUDED, GatByKind
from grapher_jax.systems.grapher.network import GatNetwork
from grapher_jax.systems.query_gnn.network import QueryGnnNetwork

if TYPE_CHECKING:
    import jax
    from flax import nnx

    from grapher_jax.training.architecture import AnyArchitecture, Settings
    from grapher_jax.training.config import TrainConfig
    from grapher_jax.training.data import Data
    from grapher_jax.training.run import Progress
    from grapher_jax.training.trainer import Trained
    from grapher_jax.training.weights import Weights

SettingsT = TypeVar("SettingsT", contravariant=True)


@runtime_checkable
class Network(Protocol[SettingsT]):
    """A row: how a network is described, gets candidates, is trained, and used as a ranker."""

    @property
    def graphs(self) -> Sequence[str]:
        """The names of the arrays that `write_graphs` adds to those of all examples."""

    @property
    def unordered(self) -> Sequence[str]:
        """The names of arrays with lists whose order does not matter."""

    @property
    def architecture(self) -> "AnyArchitecture":
        """Its classes, and its name on disk, which is its key in `NETWORKS`."""

    def make_ranker(self, weights: "Weights", name: str) -> Ranker:
        """The ranker with these weights; `name` is its name in reports."""

    def retrieving(self, settings: SettingsT) -> BaseFinding:
        """The retrieval options for its candidates."""

    def decisive(self, settings: SettingsT) -> Mapping[str, object]:
        """The settings that decide its examples, as JSON-ready values."""

    def write_graphs(
        self,
        folder: Path,
        collection: Collection,
        candidates: Candidates,
        settings: SettingsT,
        report: Callable[[int], None],
    ) -> None:
        """Write the arrays of questions' graphs that the network reads.

        Args:
            folder: the folder for the files `<name>.npy`.
            collection: the collection of which candidates are rows.
            candidates: the candidates of all questions, padded to a bucket.
            settings: how the graphs are built.
            report: called with the number of newly written questions.
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
        """Train the network.

        Args:
            config: everything that decides the weights, with the dimension of the embeddings.
            data: the training and validation data.
            out: the folder of the run.
            devices: the devices that share every batch; by default all of this process.
            progress: shows the progress of training steps.
        """


# By their names in the `config.json` of weights.
NETWORKS: dict[str, Network[Any]] = {
    "gat": GatNetwork(),
    "query-gnn": QueryGnnNetwork(),
    "g-rag": GRagNetwork(),
}
# The networks whose weights are included in the package.
SHIPPED = ("gat", "query-gnn", "g-rag")


class _Architectures(Mapping[str, "AnyArchitecture"]):
    """A view of `NETWORKS`, which imports only the networks that are looked up."""

    def __getitem__(self, name: str) -> "AnyArchitecture":
        return NETWORKS[name].architecture

    def __iter__(self) -> Iterator[str]:
        return iter(NETWORKS)

    def __len__(self) -> int:
        return len(NETWORKS)


def architectures() -> "Mapping[str, AnyArchitecture]":
    """The architecture of every network, by name."""
    return _Architectures()


def load_weights(weights: str | Path) -> "Weights":
    """The weights of a network: `model` is the Flax module, `graph` how its graphs are built.

    Args:
        weights: `gat`, `gat-tables`, `query-gnn` or `g-rag`, which the package includes, or a
            folder that training or `save_weights` wrote.

    Raises:
        InputError: see `training.weights.read_weights`.
        MissingExtraError: if the packages for networks are not installed.
    """
    check_installed("flax")
    require("safetensors.numpy")
    from grapher_jax.training.weights import SHIPPED as SHELF
    from grapher_jax.training.weights import read_weights

    included = weights in (*INCLUDED, *SHIPPED)
    return read_weights(SHELF / weights if included else weights, architectures())


def save_weights(
    folder: str | Path,
    model: "nnx.Module",
    *,
    embedder: str,
    record: Mapping[str, object],
    graph: "Settings | None" = None,
) -> None:
    """Write the weights of any network of the table; the folder can be used as a ranker.

    Args:
        folder: see `training.weights.write_weights`, like all further arguments.
        model: the network.
        embedder: the name of the embedder.
        record: about the training.
        graph: how its graphs were built.

    Raises:
        InputError: see there.
    """
    from grapher_jax.training.weights import write_weights

    known = {one.shape: one for one in architectures().values()}
    if (own := known.get(type(getattr(model, "config", None)))) is None:
        raise InputError(
            f"model: {type(model).__name__} is no network of this package, which are "
            f"{', '.join(architectures())}; their `config` tells them apart"
        )
    write_weights(folder, model, own, embedder=embedder, record=record, graph=graph)


def open_network(ranker: str) -> Ranker:
    """The ranker with trained weights.

    Args:
        ranker: one of `SHIPPED`, or a folder of weights.

    Raises:
        InputError: for an unknown name, or weights that cannot be used.
        MissingExtraError: if the packages for networks are not installed.
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


# Included weights do not change at run time.
@cache
def _open_shipped(name: str) -> Ranker:
    if name != "gat":
        return _open(name, name)
    tables, others = (_open(own, own) for own in INCLUDED)
    return GatByKind(name=name, tables=tables, others=others)


def _open(place: str | Path, name: str) -> Ranker:
    weights = load_weights(place)
    return NETWORKS[weights.architecture].make_ranker(weights, name)
