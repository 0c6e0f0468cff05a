"""The manifest of an index: what the index is made of, and the checksums of its files."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path

from grapher_jax.checks import check_path
from grapher_jax.corpus import TEXT_PARTS, check_no_url, is_beir
from grapher_jax.corpus.documents import holds_index
from grapher_jax.errors import InputError
from grapher_jax.files import Json, parse_json, sha256
from grapher_jax.graph import check_edges
from grapher_jax.index.data import IndexData
from grapher_jax.retrieve import RetrievalOptions
from grapher_jax.retrieve.embedders import NO_ADAPTER, adapter_of
from grapher_jax.retrieve.options import GRAPHER

FORMAT = 3
# Word counts were not stored in this format: they are computed at every opening.
_EARLIER = 2
MANIFEST = "manifest.json"
_OF_UPDATE = re.compile("update-[0-9a-f]{16}")


def manifest_of(
    index: IndexData,
    folder: Path,
    files: Iterable[Path],
    *,
    store: str,
    parts: Iterable[str] = ("",),
    state: str = "",
) -> dict[str, Json]:
    """The manifest of an index.

    Args:
        index: the index.
        folder: where it is written.
        files: the files to check when it is opened.
        store: the vector store, and the name of its folder in each part.
        parts: the folders of the parts, the first of which is the index's own.
        state: the folder of the state.
    """
    return {
        "format": FORMAT,
        "objects": len(index.ids),
        "embedder": {
            "name": index.embedded_by,
            "dimension": index.embeddings.shape[1],
            "query_adapter": adapter_of(index.embedder),
        },
        "lexical": index.lexical.engine,
        "store": store,
        "text": list(index.text),
        "language": index.lexical.reading.language,
        "bigrams": index.lexical.reading.bigrams,
        "signs": True,
        "lexical_variant": index.lexical.variant,
        "retrieval": asdict(index.options),
        "edges": dict(index.edges),
        "parts": list(parts),
        "state": state,
        "sha256": {
            file.relative_to(folder).as_posix(): sha256(file)
            for file in sorted(files)
            if file.is_file()
        },
    }


def read_manifest(folder: Path) -> dict[str, Json]:
    """The manifest of the index in a folder.

    Raises:
        InputError: if there is no index, it has another format, or the manifest is damaged.
    """
    path = folder / MANIFEST
    check_no_url(folder)
    if not path.is_file():
        if folder.is_file():
            way = "a database is given as a URL, such as sqlite:///shop.db"
            why = f"a file; index it first (`grapher-jax index`); {way}"
        elif folder.is_dir():
            cure = "; index it first" if is_beir(folder) else ""
            why = f"it has no {MANIFEST}{cure}"
        else:
            why = "no such folder; `grapher-jax index` makes one"
        raise InputError(f"{folder}: not an index: {why}")
    try:
        manifest = parse_json(path.read_text(encoding="utf-8"))
        version = manifest["format"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: damaged; build the index again") from error
    if version not in (_EARLIER, FORMAT):
        raise InputError(
            f"{folder}: index format {version}, this version reads {FORMAT}; build the index again"
        )
    if not _is_complete(manifest):
        raise InputError(f"{path}: damaged; build the index again")
    return manifest


def written(path: Path) -> tuple[int, ...] | None:
    """A value that changes with every write of an index folder; None if there is no index."""
    try:
        found = (path / MANIFEST).stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def read_edges(path: str | Path) -> Mapping[str, str]:
    """An index's own edges, without opening the index; empty if it is no index."""
    folder = check_path("path", path)
    return edges_of(folder, read_manifest(folder)) if holds_index(folder) else {}


def edges_of(folder: Path, manifest: Mapping[str, Json]) -> Mapping[str, str]:
    """The index's own edges; InputError if they are damaged."""
    try:
        return check_edges(manifest.get("edges", {}))
    except InputError as error:
        raise InputError(f"{folder}: damaged ({error}); build the index again") from error


def options_of(manifest: Mapping[str, Json]) -> RetrievalOptions:
    """The index's retrieval options; GraphER's where an earlier version stored none or fewer."""
    return replace(GRAPHER, **manifest.get("retrieval", {}))


def _is_complete(manifest: Mapping[str, Json]) -> bool:
    """Whether all entries exist with the right types, and name only files of the index."""
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
        and isinstance(embedder.get("query_adapter", NO_ADAPTER), str)
        and not {"/", "\\", "\0"}.intersection(manifest["store"])
        and not any(Path(name).is_absolute() or ".." in Path(name).parts for name in checksums)
        and _names_parts(manifest)
    )


def _names_parts(manifest: Mapping[str, Json]) -> bool:
    parts, state = manifest.get("parts", [""]), manifest.get("state", "")
    return (
        isinstance(parts, list)
        and parts[:1] == [""]
        and all(isinstance(name, str) for name in [*parts, state])
        and all(_OF_UPDATE.fullmatch(name) for name in [*parts, state] if name)
        and isinstance(manifest.get("objects", 0), int)
    )
