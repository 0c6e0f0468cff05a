"""The table of networks, and their weights."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grapher_jax.checks import check_path
from grapher_jax.errors import InputError, check_installed, require
from grapher_jax.rankers.auto import AUTO
from grapher_jax.rankers.fixed_point import FIXED_POINTS
from grapher_jax.rankers.protocol import Ranker
from grapher_jax.systems.grapher.by_kind import INCLUDED, GatByKind
from grapher_jax.systems.network import Network

if TYPE_CHECKING:
    from flax import nnx

    from grapher_jax.training.architecture import AnyArchitecture, Settings
    from grapher_jax.training.weights import Weights

# The modules that describe networks, each with a `Network` called `NETWORK`, by the networks' names
# in the `config.json` of weights.
NETWORKS = {
    "gat": "grapher_jax.systems.grapher.network",
    "query-gnn": "grapher_jax.systems.query_gnn.network",
    "g-rag": "grapher_jax.systems.g_rag.network",
}
# The networks whose weights are included in the package.
SHIPPED = ("gat", "query-gnn", "g-rag")


def find_network(name: str) -> Network[Any]:
    """The network of a name in `NETWORKS`; its modules are imported only now."""
    network: Network[Any] = import_module(NETWORKS[name]).NETWORK
    return network


class _Architectures(Mapping[str, "AnyArchitecture"]):
    """A view of `NETWORKS`, which imports only the networks that are looked up."""

    def __getitem__(self, name: str) -> "AnyArchitecture":
        return find_network(name).architecture

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
    from grapher_jax.training.weights import SHIPPED_FOLDER, read_weights

    included = weights in (*INCLUDED, *SHIPPED)
    return read_weights(SHIPPED_FOLDER / weights if included else weights, architectures())


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
    return find_network(weights.architecture).make_ranker(weights, name)
