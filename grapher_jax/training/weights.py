"""Weights on disk: tensors as safetensors, and all that is needed to use them as JSON."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from numpy import ndarray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from grapher_jax.errors import InputError
from grapher_jax.files import atomic_folder, sha256
from grapher_jax.training.candidates import GraphSettings
from grapher_jax.training.gat import INPUTS, Gat, GatConfig

FORMAT = 1
# Where a training folder keeps its weights.
WEIGHTS = "weights"
_CURE = "train again, or take a copy that is whole"
_CONFIG, _TENSORS = "config.json", "weights.safetensors"


@dataclass(frozen=True)
class Weights:
    """A trained network, with what it was trained on.

    Attributes:
        model: the network.
        embedder: the name of the embedder whose embeddings it reads.
        graph: how its graphs are built.
        record: of the training.
        sha256: of the tensors.
    """

    model: Gat
    embedder: str
    graph: GraphSettings
    record: Mapping[str, Any] = field(default_factory=dict)
    sha256: str = ""


def save_weights(
    folder: str | Path,
    model: Gat,
    *,
    embedder: str,
    record: Mapping[str, Any],
    graph: GraphSettings | None = None,
) -> None:
    """Write a weights folder, whole or not at all; one that was there is replaced.

    Args:
        folder: a new folder, or one that holds weights.
        model: the network.
        embedder: the name of the embedder whose embeddings it was trained on.
        record: JSON-ready, whatever should be known of the training.
        graph: how its graphs were built, by default as `GraphSettings()` says.

    Raises:
        InputError: where the folder holds something else, or cannot be written.
    """
    folder = Path(folder)
    others = {f.name for f in folder.iterdir()} - {_CONFIG, _TENSORS} if folder.is_dir() else ()
    if others:
        raise InputError(f"{folder}: holds more than weights ({min(others)}); give another place")
    with atomic_folder(folder) as temporary:
        save_file(jax.tree.map(np.asarray, _tensors(model)), temporary / _TENSORS)
        config = {
            "format": FORMAT,
            "network": asdict(model.config),
            "embedder": {"name": embedder, "dimension": model.config.dimension},
            "graph": asdict(graph or GraphSettings()),
            "record": dict(record),
            "sha256": sha256(temporary / _TENSORS),
        }
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
        network = GatConfig(**config["network"] | {"inputs": tuple(config["network"]["inputs"])})
        if unknown := set(network.inputs) - set(INPUTS):
            raise InputError(
                f"{folder / _CONFIG}: input {min(unknown)!r} is unknown; this version reads "
                f"{', '.join(INPUTS)}"
            )
        model = nnx.eval_shape(lambda: Gat(network, nnx.Rngs(0)))
        found = Weights(
            model=model,
            embedder=config["embedder"]["name"],
            graph=GraphSettings(**config["graph"]),
            record=config["record"],
            sha256=config["sha256"],
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{folder / _CONFIG}: damaged; {_CURE}") from error
    tensors = _read_tensors(folder / _TENSORS, found.sha256)
    needed = _tensors(model)
    _check_shapes(folder, tensors, needed)
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
    raise InputError(
        f"{folder}: no weights (it has no {_CONFIG} with {_TENSORS}); give a folder that "
        "`grapher-jax train` wrote"
    )


def _read_config(path: Path) -> dict[str, Any]:
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
        version = config["format"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: damaged; {_CURE}") from error
    if version != FORMAT:
        raise InputError(
            f"{path}: weights of format {version}, this version reads {FORMAT}; "
            "use the version of grapher-jax that wrote them"
        )
    return config


def _read_tensors(path: Path, checksum: str) -> dict[str, ndarray]:
    if sha256(path) != checksum:
        raise InputError(f"{path}: damaged (its checksum does not match); {_CURE}")
    try:
        return load_file(path)
    except (SafetensorError, ValueError) as error:
        raise InputError(f"{path}: damaged ({error}); {_CURE}") from error


def _check_shapes(
    folder: Path, tensors: Mapping[str, ndarray], needed: Mapping[str, jax.ShapeDtypeStruct]
) -> None:
    for name in sorted(tensors.keys() | needed.keys()):
        have, need = (getattr(found.get(name), "shape", None) for found in (tensors, needed))
        if have != need:
            raise InputError(
                f"{folder}: {name} is {have or 'missing'}, the network of its {_CONFIG} has "
                f"{need or 'none'}; {_CURE}"
            )


def _tensors(model: Gat) -> dict[str, Any]:
    """By names such as `layers.0.sources.kernel`; shapes alone where the model has no values."""
    found, _ = jax.tree.flatten_with_path(nnx.to_pure_dict(nnx.state(model)))
    return {jax.tree_util.keystr(path, simple=True, separator="."): leaf for path, leaf in found}
