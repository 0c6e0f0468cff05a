"""An index on disk: a folder with a manifest, written whole or not at all."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.checks import check_kind, check_path, check_text
from grapher_jax.corpus import is_beir, write_pair_graphs, write_queries
from grapher_jax.corpus.inferred.types import TOLD_BY
from grapher_jax.corpus.searchable import SPLIT, TEXT_PARTS
from grapher_jax.errors import GrapherError, InputError, require, warn
from grapher_jax.files import MAPPED, Json, atomic_folder, json_text, parse_json, sha256
from grapher_jax.graph import GraphArrays, check_edges
from grapher_jax.index.data import IndexData, IndexT
from grapher_jax.index.objects import ROW_GROUP, ParquetObjects
from grapher_jax.retrieve import AnyEmbedder, LexicalIndex, RetrievalOptions, open_embedder
from grapher_jax.retrieve.lexical import BM25_PLUS
from grapher_jax.retrieve.options import GRAPHER
from grapher_jax.retrieve.stores import LocalStore, require_store
from grapher_jax.text import Reading

FORMAT = 2
_MANIFEST = "manifest.json"
# To read an index that another process replaces.
_TRIES = 2


def save(index: IndexData, path: str | Path) -> None:
    """Writes an index to a folder; see `Index.save`."""
    path = check_path("path", path)
    check_text("path", str(path))  # pyarrow opens no other
    check_target(path)
    require_store(index.store)
    with atomic_folder(path) as folder:
        _write(index, folder)
        store = _write_store(index, folder)
        manifest = {
            "format": FORMAT,
            "objects": len(index.ids),
            "embedder": {"name": index.embedder.name, "dimension": index.embeddings.shape[1]},
            "lexical": index.lexical.engine,
            "store": store.folder.name if store else index.store,
            "text": list(index.text),
            "language": index.lexical.reading.language,
            "bigrams": index.lexical.reading.bigrams,
            "lexical_variant": index.lexical.variant,
            "retrieval": asdict(index.options),
            "edges": dict(index.edges),
            "sha256": {
                file.relative_to(folder).as_posix(): sha256(file)
                for file in sorted(folder.rglob("*"))
                if file.is_file() and not (store and store.changes(file))
            },
        }
        (folder / _MANIFEST).write_text(json.dumps(manifest, indent=2), encoding="utf-8")


def load(
    make: type[IndexT],
    path: str | Path,
    *,
    embedder: AnyEmbedder | None = None,
    verify: bool = True,
) -> IndexT:
    """Opens a saved index as a `make`; see `Index.load`."""
    folder = check_path("path", path)
    check_kind("verify", verify, bool | np.bool_, "True or False")
    for _ in range(_TRIES):
        manifest, failed = _read_manifest(folder), None
        try:
            found = _open(make, folder, manifest, embedder, verify=verify)
        except InputError as error:
            failed = error
        if _read_manifest(folder) == manifest:
            if failed:
                raise failed
            return found
    raise InputError(f"{folder}: it is replaced faster than it can be read; try again later")


def _open(
    make: type[IndexT],
    folder: Path,
    manifest: Mapping[str, Json],
    embedder: AnyEmbedder | None,
    *,
    verify: bool,
) -> IndexT:
    """The index of this manifest, or a mixture with one that takes its place meanwhile."""
    if verify:
        _verify(folder, manifest["sha256"])
    recorded = manifest["embedder"]
    loaded = open_embedder(recorded["name"] if embedder is None else embedder)
    # The recorded embedder need not be loaded to know that it fits.
    if embedder is not None and loaded.dimension != recorded["dimension"]:
        raise InputError(
            f"embedder: {loaded.name!r} gives {loaded.dimension} dimensions, {folder} has "
            f"{recorded['dimension']}; use {recorded['name']!r}, which built it"
        )
    if "retrieval" not in manifest:
        warn(
            f"{folder}: an earlier version built it, and it is searched as then; index its source "
            "again for today's text, which of tables names their neighbours too",
        )
    if loaded.name != recorded["name"]:
        warn(
            f"embedder: {folder} was built with {recorded['name']!r}; the cosines of "
            f"{loaded.name!r} mean something only if it is the same model",
        )
    try:
        objects = ParquetObjects(folder / "objects.parquet")
        embeddings = np.load(folder / "embeddings.npy", mmap_mode=MAPPED)
        text = tuple(manifest.get("text", ()))
        lexical = _read_lexical(folder, manifest, verify=verify)
        options = _options(manifest)
        graph = GraphArrays.from_arrays(
            _read_arrays(folder / "graph"),
            _read_names(folder / "entities.parquet"),
            check_edges(manifest.get("edges", {})),
        )
        if embeddings.shape != (len(objects), recorded["dimension"]):
            raise ValueError(f"{len(objects)} objects, embeddings {embeddings.shape}")
        if verify:
            _check_graph(graph, len(objects))
        graph = graph.completed(objects.ids, lambda: [item.metadata for item in objects])
        graph = replace(graph, vectors=embeddings)
    except GrapherError:
        raise
    except Exception as error:  # NumPy, SciPy and pyarrow raise many kinds
        raise InputError(f"{folder}: damaged ({error}); build the index again") from error
    return make(
        ids=objects.ids,
        objects=objects,
        embeddings=embeddings,
        lexical=lexical,
        graph=graph,
        embedder=loaded,
        folder=folder,
        store=manifest["store"].partition("-")[0],
        nearest=_open_store(folder, manifest, embeddings),
        text=text,
        options=options,
    )


def read_edges(path: str | Path) -> Mapping[str, str]:
    """The edges of one's own of an index, which is not opened; none of what is no index."""
    folder = check_path("path", path)
    return check_edges(_read_manifest(folder).get("edges", {})) if is_index(folder) else {}


def check_target(path: Path) -> None:
    """Raise InputError where an index would take the place of something that is none."""
    # A website has a manifest too.
    if path.exists() and not (is_index(path) and (path / "objects.parquet").is_file()):
        raise InputError(f"{path}: exists and is not an index; give another --out")


def is_index(path: Path) -> bool:
    """Whether a folder holds an index."""
    return (path / _MANIFEST).is_file()


def written(path: Path) -> tuple[int, ...] | None:
    """What tells one state of an index folder from the next; None where there is none."""
    try:
        found = (path / _MANIFEST).stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _write_store(index: IndexData, folder: Path) -> LocalStore | None:
    if index.store == "array":
        return None
    # Chroma takes two collections at one path for the same, also where one replaced the other.
    own = folder / f"{index.store}-{secrets.token_hex(4)}"
    return LocalStore.build(index.store, own, index.embeddings)


def _write(index: IndexData, folder: Path) -> None:
    arrow, parquet = require("pyarrow"), require("pyarrow.parquet")
    columns = {
        "id": list(index.ids),
        "title": [item.title for item in index.objects],
        "text": [item.text for item in index.objects],
        "metadata": [
            json_text(dict(item.metadata), f"object {item.id!r}: metadata")
            for item in index.objects
        ],
    }

    def write(name: str, columns: Mapping[str, Json], **options: Any) -> None:
        with (folder / name).open("wb") as file:  # a path it may take for a URL
            parquet.write_table(arrow.table(columns), file, **options)

    write("objects.parquet", columns, row_group_size=ROW_GROUP)
    write("terms.parquet", {"term": list(index.lexical.terms)})
    np.save(folder / "embeddings.npy", index.embeddings)
    weights = index.lexical.weights
    _write_arrays(
        folder / "lexical",
        {
            "data": weights.data,
            "indices": weights.indices,
            "indptr": weights.indptr,
            "absent": index.lexical.absent,
        },
    )
    _write_arrays(folder / "graph", index.graph.to_arrays())
    entities = {
        "name": list(index.graph.entity_names),
        "document_frequency": index.graph.document_frequency,
    }
    write("entities.parquet", entities)
    if index.has_queries:
        write_queries(folder, index.queries.values(), index.judgements_by_split)
        if index.pair_graphs:
            write_pair_graphs(folder, index.pair_graphs)


def _read_manifest(folder: Path) -> dict[str, Json]:
    path = folder / _MANIFEST
    if not path.is_file():
        if folder.is_file():
            why = "a file; a database is given as a URL, such as sqlite:///shop.db"
        elif folder.is_dir():
            cure = "; index it first" if is_beir(folder) else ""
            why = f"it has no {_MANIFEST}{cure}"
        else:
            why = "no such folder; `grapher-jax index` makes one"
        raise InputError(f"{folder}: not an index: {why}")
    try:
        manifest = parse_json(path.read_text(encoding="utf-8"))
        version = manifest["format"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: damaged; build the index again") from error
    if version != FORMAT:
        raise InputError(
            f"{folder}: index format {version}, this version reads {FORMAT}; build the index again"
        )
    if not _is_complete(manifest):
        raise InputError(f"{path}: damaged; build the index again")
    return manifest


def _is_complete(manifest: Mapping[str, Json]) -> bool:
    """Whether all is there, of its type, and names files of the index alone."""
    embedder, checksums = manifest.get("embedder"), manifest.get("sha256")
    parts = manifest.get("text", [])
    if not isinstance(embedder, dict) or not isinstance(checksums, dict):
        return False
    return (
        all(isinstance(manifest.get(key), str) for key in ("lexical", "store"))
        and isinstance(parts, list)
        and all(isinstance(part, str) and part in TEXT_PARTS for part in parts)
        and isinstance(manifest.get("bigrams", False), bool)
        and isinstance(manifest.get("language"), str | None)
        and all(isinstance(checksum, str) for checksum in checksums.values())
        and isinstance(embedder.get("name"), str)
        and isinstance(embedder.get("dimension"), int)
        and not {"/", "\\", "\0"}.intersection(manifest["store"])
        and not any(Path(name).is_absolute() or ".." in Path(name).parts for name in checksums)
    )


def _open_store(
    folder: Path, manifest: Mapping[str, Json], embeddings: Float[ndarray, "N d"]
) -> LocalStore | None:
    kind, _, _ = manifest["store"].partition("-")
    return None if kind == "array" else LocalStore(kind, folder / manifest["store"], embeddings)


def _verify(folder: Path, checksums: Mapping[str, str]) -> None:
    read = ("*.parquet", "*.npy", "lexical/*.npy", "graph/*.npy")
    for file in (file for pattern in read for file in folder.glob(pattern)):
        if file.relative_to(folder).as_posix() not in checksums:
            raise InputError(f"{file}: the index has no checksum of it; build the index again")
    for name, expected in checksums.items():
        file = folder / name
        if not file.is_file():
            raise InputError(f"{file}: missing; build the index again")
        if sha256(file) != expected:
            raise InputError(f"{file}: its checksum does not match; build the index again")


def _check_graph(graph: GraphArrays, n: int) -> None:
    """Raise ValueError where a list ends outside of its values, or names what is not there."""
    numbers = (graph.object_ids, graph.entity_counts, graph.document_ids, graph.chunk_ids)
    lists = (
        *((graph.foreign_keys, n), (graph.inferred_keys, n), (graph.links, n)),
        *((graph.inferred_by, len(TOLD_BY)), (graph.entities, len(graph.entity_names))),
    )
    if any(values.shape != (n,) for values in numbers) or not all(
        found.offsets.shape == (n + 1,)
        and (np.diff(found.offsets, prepend=0) >= 0).all()
        and found.offsets[-1] == len(found.values)
        and ((found.values >= 0) & (found.values < size)).all()
        for found, size in lists
    ):
        raise ValueError("the graph's arrays do not fit each other")


def _read_lexical(folder: Path, manifest: Mapping[str, Json], *, verify: bool) -> LexicalIndex:
    sparse, names = require("scipy.sparse"), _read_names(folder / "terms.parquet")
    arrays = _read_arrays(folder / "lexical")
    shape = (len(names), len(np.load(folder / "embeddings.npy", mmap_mode=MAPPED)))
    weights = sparse.csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)
    # Its products read wherever the indices lead.
    weights.check_format(full_check=verify)
    terms = {name: row for row, name in enumerate(names)}
    reading = Reading(
        split=SPLIT in manifest.get("text", ()),
        bigrams=manifest.get("bigrams", False),
        language=manifest.get("language"),
    )
    variant = manifest.get("lexical_variant", BM25_PLUS)
    return LexicalIndex(terms, weights, arrays["absent"], manifest["lexical"], variant, reading)


def _options(manifest: Mapping[str, Json]) -> RetrievalOptions:
    """How the index retrieves; GraphER's options, where it was built before it could say so."""
    recorded = manifest.get("retrieval")
    return GRAPHER if recorded is None else RetrievalOptions(**recorded)


def _read_names(path: Path) -> list[str]:
    # Not read_table, which may take a path for a URL.
    return require("pyarrow.parquet").ParquetFile(path).read().column(0).to_pylist()


def _write_arrays(folder: Path, arrays: Mapping[str, ndarray]) -> None:
    folder.mkdir()
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)


def _read_arrays(folder: Path) -> dict[str, ndarray]:
    return {file.stem: np.load(file, mmap_mode=MAPPED) for file in sorted(folder.glob("*.npy"))}
