"""Weights on disk: tensors as safetensors, and all that is needed to use them as JSON."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load_file, save

from grapher_jax.errors import InputError
from grapher_jax.files import atomic_folder, parse_json, sha256
from grapher_jax.training.candidates import GraphSettings
from grapher_jax.training.config import check_g_rag, check_network, check_query_gnn, read_value
from grapher_jax.training.g_rag import DocumentSettings, GRag, GRagConfig
from grapher_jax.training.gat import Gat, GatConfig
from grapher_jax.training.query_gnn import EgoSettings, QueryGnn, QueryGnnConfig

FORMAT = 2


@dataclass(frozen=True)
class _Kind:
    """A kind of network.

    Attributes:
        network: from its shape and random numbers.
        shape: what describes it.
        graph: how its graphs are built.
        check: that both can be.
    """

    network: Callable[..., nnx.Module]
    shape: type
    graph: type
    check: Callable[..., None]


_KINDS = {
    "gat": _Kind(Gat, GatConfig, GraphSettings, check_network),
    "query-gnn": _Kind(QueryGnn, QueryGnnConfig, EgoSettings, check_query_gnn),
    "g-rag": _Kind(GRag, GRagConfig, DocumentSettings, check_g_rag),
}
Network = Gat | QueryGnn | GRag
Graph = GraphSettings | EgoSettings | DocumentSettings
# Where a training folder keeps its weights.
WEIGHTS = "weights"
_CURE = "train again, or take a copy that is whole"
_CONFIG, _TENSORS = "config.json", "weights.safetensors"
# What safetensors calls the type of parameters.
_DTYPES = {"F32": "float32"}


@dataclass(frozen=True)
class Weights:
    """A trained network, with what it was trained on.

    Attributes:
        kind: `gat`, `query-gnn` or `g-rag`.
        model: the network.
        embedder: the name of the embedder whose embeddings it reads.
        graph: how its graphs are built.
        record: of the training.
        sha256: of the tensors and of all else that decides a ranking, but not of the record.
    """

    kind: str
    model: Network
    embedder: str
    graph: Graph
    record: Mapping[str, Any] = field(default_factory=dict)
    sha256: str = ""


def save_weights(
    folder: str | Path,
    model: Network,
    *,
    embedder: str,
    record: Mapping[str, Any],
    graph: Graph | None = None,
) -> None:
    """Write a weights folder, whole or not at all; one that was there is replaced.

    Args:
        folder: a new folder, or one that holds weights.
        model: the network.
        embedder: the name of the embedder whose embeddings it was trained on.
        record: JSON-ready, whatever should be known of the training.
        graph: how its graphs were built, by default as those of its kind are.

    Raises:
        InputError: where the folder holds something else, or cannot be written.
    """
    folder = Path(folder)
    others = {f.name for f in folder.iterdir()} - {_CONFIG, _TENSORS} if folder.is_dir() else ()
    if others:
        raise InputError(f"{folder}: holds more than weights ({min(others)}); give another place")
    kind = next(name for name, kind in _KINDS.items() if type(model.config) is kind.shape)
    with atomic_folder(folder) as temporary:
        # Not save_file: what it writes is for its owner alone.
        (temporary / _TENSORS).write_bytes(save(jax.tree.map(np.asarray, _tensors(model))))
        config = {
            "format": FORMAT,
            "kind": kind,
            "network": asdict(model.config),
            "embedder": {"name": embedder, "dimension": model.config.dimension},
            "graph": asdict(graph or _KINDS[kind].graph()),
            "record": dict(record),
        }
        config["sha256"] = _identity(config, temporary / _TENSORS)
        (temporary / _CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def load_weights(folder: str | Path) -> Weights:
    """Read a weights folder, or a training folder that has one within.

    Raises:
        InputError: where there are no weights, they are of a newer format or damaged, or do not fit
            the network that `config.json` describes.
    """
    folder = _find(Path(folder))
    config = _read_config(folder / _CONFIG)
    try:
        name = config["kind"]
        if name not in _KINDS:
            raise InputError(f"kind: {name!r} is unknown; this version reads {', '.join(_KINDS)}")
        kind = _KINDS[name]
        network = read_value(kind.shape, config["network"], "network")
        graph = read_value(kind.graph, config["graph"], "graph")
        kind.check(network, graph)
        identity = _identity(config, folder / _TENSORS)
        if identity != config["sha256"]:
            raise InputError(f"the checksum over it and {_TENSORS} does not match")
        kinds = _read_kinds(folder / _TENSORS)
        _check_size(network, kinds)
        model = nnx.eval_shape(lambda: kind.network(network, nnx.Rngs(0)))
        found = Weights(
            kind=name,
            model=model,
            embedder=read_value(str, config["embedder"]["name"], "embedder.name"),
            graph=graph,
            record=config["record"],
            sha256=identity,
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{folder / _CONFIG}: damaged ({error}); {_CURE}") from error
    needed = _tensors(model)
    _check_kinds(folder, kinds, needed)
    tensors = load_file(folder / _TENSORS)
    state = nnx.state(model)
    tree = jax.tree.structure(nnx.to_pure_dict(state))
    values = jax.tree.unflatten(tree, [jnp.asarray(tensors[name]) for name in needed])
    nnx.replace_by_pure_dict(state, values)
    nnx.update(model, state)
    return found


def _find(folder: Path) -> Path:
    for place in (folder, folder / WEIGHTS):
        if (place / _CONFIG).is_file() and (place / _TENSORS).is_file():
            return place
    if (folder / "checkpoints").is_dir():
        raise InputError(
            f"{folder}: a training run that is not finished; run: grapher-jax train --config "
            f"{folder / _CONFIG} --out {folder}"
        )
    raise InputError(
        f"{folder}: no weights (it has no {_CONFIG} with {_TENSORS}); give a folder that "
        "`grapher-jax train` wrote"
    )


def _read_config(path: Path) -> dict[str, Any]:
    try:
        config = parse_json(path.read_text(encoding="utf-8"))
        version = config["format"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: damaged; {_CURE}") from error
    if version != FORMAT:
        raise InputError(
            f"{path}: weights of format {version}, this version reads {FORMAT}; "
            "use the version of grapher-jax that wrote them"
        )
    return config


def _identity(config: Mapping[str, Any], tensors: Path) -> str:
    """A checksum of all that decides a ranking."""
    decisive = {name: config[name] for name in ("kind", "network", "embedder", "graph")}
    decisive["tensors"] = sha256(tensors)
    return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()


def _read_kinds(path: Path) -> dict[str, str]:
    """The type and the shape of every tensor, such as `float32 (2, 4)`; no tensor is read.

    Raises:
        InputError: where it is no whole safetensors file.
    """
    try:
        with safe_open(path, "numpy") as file:
            found = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118
            return {name: _kind(found[name].get_dtype(), found[name].get_shape()) for name in found}
    except (SafetensorError, ValueError) as error:
        raise InputError(f"{path}: damaged ({error}); {_CURE}") from error


def _kind(dtype: Any, shape: Sequence[int]) -> str:
    return f"{_DTYPES.get(dtype, dtype)} {tuple(shape)}"


def _check_size(network: Any, kinds: Mapping[str, str]) -> None:
    """Raise InputError where a network has more parts than there are tensors: it is never built."""
    for name, value in asdict(network).items():
        parts = len(value) if isinstance(value, tuple) else value if name == "layers" else 0
        if parts > len(kinds):
            raise InputError(f"network.{name}: {parts} for {len(kinds)} tensors")


def _check_kinds(
    folder: Path, kinds: Mapping[str, str], needed: Mapping[str, jax.ShapeDtypeStruct]
) -> None:
    wanted = {name: _kind(leaf.dtype.name, leaf.shape) for name, leaf in needed.items()}
    for name in sorted(kinds.keys() | wanted.keys()):
        have, need = kinds.get(name), wanted.get(name)
        if have != need:
            raise InputError(
                f"{folder}: {name} is {have or 'missing'}, the network of its {_CONFIG} has "
                f"{need or 'none'}; {_CURE}"
            )


def _tensors(model: Network) -> dict[str, Any]:
    """By names such as `layers.0.sources.kernel`; shapes alone where the model has no values."""
    found, _ = jax.tree.flatten_with_path(nnx.to_pure_dict(nnx.state(model)))
    return {jax.tree_util.keystr(path, simple=True, separator="."): leaf for path, leaf in found}
