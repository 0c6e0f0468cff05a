"""Weights on disk: tensors as safetensors, and everything needed to use them as JSON."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load_file, save

from grapher_jax.checks import shown
from grapher_jax.errors import InputError
from grapher_jax.files import atomic_folder, parse_json, sha256
from grapher_jax.training.architecture import AnyArchitecture, Settings, Shape
from grapher_jax.training.reading import JsonObject, read_value

if TYPE_CHECKING:
    from flax import nnx

FORMAT = 2
# The folder of the weights in a training folder.
WEIGHTS = "weights"
# The folder of the included weights, with one subfolder for each, and of the word vectors.
SHIPPED_FOLDER = Path(__file__).parent / "shipped"
_CURE = "train again, or take a copy that is whole"
_CONFIG, _TENSORS = "config.json", "weights.safetensors"
# What file managers leave in a folder.
_LITTER = (".DS_Store", "Thumbs.db", "desktop.ini")
# The type of parameters in safetensors.
_DTYPES = {"F32": "float32"}
# An array, or the shape of one.
Tensor = jax.Array | jax.ShapeDtypeStruct


@dataclass(frozen=True)
class Design:
    """A network without its tensors, compared by value.

    Attributes:
        architecture: its architecture.
        shape: its shape.
    """

    architecture: AnyArchitecture
    shape: Any

    def build(self, tensors: Mapping[str, Tensor]) -> "nnx.Module":
        """The network with these tensors by name; they may be traced."""
        from flax import nnx

        described = self._described()
        graph, state = nnx.split(described)
        tree = jax.tree.structure(nnx.to_pure_dict(state))
        values = jax.tree.unflatten(tree, [tensors[name] for name in _tensors(described)])
        nnx.replace_by_pure_dict(state, values)
        return nnx.merge(graph, state)

    def needed(self) -> dict[str, Tensor]:
        """The shapes of its tensors by name."""
        return _tensors(self._described())

    def _described(self) -> "nnx.Module":
        from flax import nnx

        return nnx.eval_shape(lambda: self.architecture.network(self.shape, nnx.Rngs(0)))


@dataclass(frozen=True)
class Weights:
    """A trained network, with a record of its training.

    Attributes:
        design: the network without its tensors.
        tensors: its tensors by name.
        embedder: the name of the embedder whose embeddings it reads.
        graph: how its graphs are built, as settings of the architecture.
        record: the record of the training.
        sha256: the checksum of the tensors and everything else that decides a ranking, without the
            record.
    """

    design: Design
    tensors: Mapping[str, jax.Array]
    embedder: str
    graph: Any
    record: Mapping[str, Any] = field(default_factory=dict)
    sha256: str = ""

    @property
    def architecture(self) -> str:
        """The name of its architecture."""
        return self.design.architecture.name

    @cached_property
    def model(self) -> "nnx.Module":
        """The network, with its shape as `config`."""
        return self.design.build(self.tensors)


def write_weights(
    folder: str | Path,
    model: "nnx.Module",
    architecture: AnyArchitecture,
    *,
    embedder: str,
    record: Mapping[str, object],
    graph: Settings | None = None,
) -> None:
    """Write a weights folder, completely or not at all; an existing one is replaced.

    Args:
        folder: a new folder, or a folder of weights.
        model: the network.
        architecture: the architecture of the network.
        embedder: the name of the embedder whose embeddings it was trained on.
        record: JSON-ready information about the training.
        graph: how its graphs were built; by default the settings' defaults.

    Raises:
        InputError: if the folder holds something else, or cannot be written.
    """
    folder = Path(folder)
    there = {entry.name for entry in folder.iterdir()} if folder.is_dir() else set()
    if others := there - {_CONFIG, _TENSORS, *_LITTER}:
        raise InputError(f"{folder}: holds more than weights ({min(others)}); give another place")
    with atomic_folder(folder) as temporary:
        # Not save_file: its files are readable only by the owner.
        (temporary / _TENSORS).write_bytes(save(jax.tree.map(np.asarray, _tensors(model))))
        config: JsonObject = {
            "format": FORMAT,
            "kind": architecture.name,
            "network": asdict(model.config),
            "embedder": {"name": embedder, "dimension": model.config.dimension},
            "graph": asdict(graph or architecture.settings()),
            "record": dict(record),
        }
        config["sha256"] = _identity(config, temporary / _TENSORS)
        (temporary / _CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def read_weights(folder: str | Path, architectures: Mapping[str, AnyArchitecture]) -> Weights:
    """Read a weights folder, or a training folder that contains one.

    Args:
        folder: the folder.
        architectures: the possible architectures, by name.

    Raises:
        InputError: if there are no weights, they are of a newer format or damaged, or another
            version wrote them for a network with other tensors.
    """
    folder = _find(Path(folder))
    config = _read_config(folder / _CONFIG)
    kind = config.get("kind")
    if not isinstance(kind, str) or kind not in architectures:
        known = ", ".join(architectures)
        raise InputError(
            f"{folder / _CONFIG}: kind: {shown(kind)} is unknown; this version reads {known}"
        )
    try:
        found, types = _described(config, folder / _TENSORS, architectures)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{folder / _CONFIG}: damaged ({error}); {_CURE}") from error
    # Included weights fit their networks (a test), and to find out takes longer than to read them.
    if folder.parent != SHIPPED_FOLDER:
        _check_tensors(folder, types, found.design.needed())
    return replace(found, tensors=jax.device_put(load_file(folder / _TENSORS)))


def _described(
    config: JsonObject, tensors: Path, architectures: Mapping[str, AnyArchitecture]
) -> tuple[Weights, dict[str, str]]:
    """The weights without tensors, and the types of the tensors."""
    own = architectures[config["kind"]]
    shape = read_value(own.shape, config["network"], "network")
    settings = read_value(own.settings, config["graph"], "graph")
    own.check(shape, settings)
    identity = _identity(config, tensors)
    if identity != config["sha256"]:
        raise InputError(f"the checksum over it and {_TENSORS} does not match")
    types = _read_types(tensors)
    _check_size(shape, types)
    described = Weights(
        design=Design(own, shape),
        tensors={},
        embedder=read_value(str, config["embedder"]["name"], "embedder.name"),
        graph=settings,
        record=config["record"],
        sha256=identity,
    )
    return described, types


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


def _read_config(path: Path) -> JsonObject:
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


def _identity(config: JsonObject, tensors: Path) -> str:
    """A checksum of everything that decides a ranking."""
    decisive = {name: config[name] for name in ("kind", "network", "embedder", "graph")}
    decisive["tensors"] = sha256(tensors)
    return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()


def _read_types(path: Path) -> dict[str, str]:
    """The type and the shape of every tensor, such as `float32 (2, 4)`; no tensor is read.

    Raises:
        InputError: if it is not a complete safetensors file.
    """
    try:
        with safe_open(path, "numpy") as file:
            found = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118
            return {name: _type(found[name].get_dtype(), found[name].get_shape()) for name in found}
    except (SafetensorError, ValueError) as error:
        raise InputError(f"{path}: damaged ({error}); {_CURE}") from error


def _type(dtype: str, shape: Sequence[int]) -> str:
    return f"{_DTYPES.get(dtype, dtype)} {tuple(shape)}"


def _check_size(network: Shape, types: Mapping[str, str]) -> None:
    """Raise InputError if a network has more parts than there are tensors, before building it."""
    for name, value in asdict(network).items():
        parts = len(value) if isinstance(value, tuple) else value if name == "layers" else 0
        if parts > len(types):
            raise InputError(f"network.{name}: {parts} for {len(types)} tensors")


def _check_tensors(folder: Path, types: Mapping[str, str], needed: Mapping[str, Tensor]) -> None:
    wanted = {name: _type(leaf.dtype.name, leaf.shape) for name, leaf in needed.items()}
    for name in sorted(types.keys() | wanted.keys()):
        have, need = types.get(name), wanted.get(name)
        if have != need:
            raise InputError(
                f"{folder}: {name} is {have or 'missing'}, the network of its {_CONFIG} has "
                f"{need or 'none'}; the checksum is right, so another version of grapher-jax wrote "
                "it: train again, or use that version"
            )


def _tensors(model: "nnx.Module") -> dict[str, Any]:
    """The tensors by names such as `layers.0.sources.kernel`; only shapes if without values."""
    from flax import nnx

    found, _ = jax.tree.flatten_with_path(nnx.to_pure_dict(nnx.state(model)))
    return {jax.tree_util.keystr(path, simple=True, separator="."): leaf for path, leaf in found}
