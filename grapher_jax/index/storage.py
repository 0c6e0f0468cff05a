"""An index on disk: a folder of parts, and a manifest that names them.

A part holds objects that were written together, and is never changed. The state of the whole index,
such as its graph, is written again at each update, under a new name. The manifest names the parts
and the state, and is replaced in one step, so readers see the index either before or after an
update. `save` writes a single part or, if it can, adds a part to the existing ones.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, compress, islice
from pathlib import Path

import numpy as np

from grapher_jax.checks import check_kind, check_path, check_text, shown
from grapher_jax.corpus import check_no_url, has_queries, write_pair_graphs, write_queries
from grapher_jax.corpus.documents import holds_index
from grapher_jax.corpus.inferred.types import TOLD_BY
from grapher_jax.corpus.searchable import reading_of, searchable_texts
from grapher_jax.errors import GrapherError, InputError, warn
from grapher_jax.files import (
    MAPPED,
    Json,
    alone,
    atomic_file,
    flush,
    json_text,
    replacing,
    sha256,
    write_errors,
    written_place,
)
from grapher_jax.graph import GraphArrays
from grapher_jax.graph.stacked import Places, Stacked
from grapher_jax.index.data import IndexData, IndexT
from grapher_jax.index.manifest import (
    FORMAT,
    MANIFEST,
    edges_of,
    manifest_of,
    options_of,
    read_manifest,
)
from grapher_jax.index.mentions import MENTIONED
from grapher_jax.index.objects import StackedObjects
from grapher_jax.index.parts import (
    Part,
    Saved,
    first_rewritten,
    names_are_stored,
    read_deleted,
    read_graph,
    read_part,
    read_places,
    write_part,
    write_state,
)
from grapher_jax.retrieve import (
    AnyEmbedder,
    Embedder,
    LexicalIndex,
    open_embedder,
)
from grapher_jax.retrieve.embedders import NO_ADAPTER, QUERY_ADAPTERS, adapted
from grapher_jax.retrieve.lexical import BM25_PLUS, Counts
from grapher_jax.retrieve.stores import LocalStore, Nearest, PartStores, require_store
from grapher_jax.text import TORN

# How often to read an index that another process replaces meanwhile.
_TRIES = 2


def save(index: IndexData, path: str | Path) -> None:
    """Writes an index to a folder; see `Index.save`."""
    path = check_path("path", path)
    check_text("path", str(path))  # pyarrow cannot open other paths
    check_target(path)
    require_store(index.store)
    place = written_place(path)
    with alone(place, wait=True):
        _save(index, place)


def rewrite(make: type[IndexT], path: Path, change: Callable[[IndexT], IndexT]) -> IndexT:
    """Load an index, change it and save it, while no other process may write it.

    Args:
        make: see `load`.
        path: see `load`.
        change: gives the changed index; if it returns the same object, nothing is saved.

    Raises:
        InputError: as `load` and `save`.
    """
    read_manifest(path)
    place = written_place(path)
    with alone(place, wait=True):
        index = load(make, place)
        made = change(index)
        if made is not index:
            _save(made, place)
    return made


def merged(index: IndexT) -> IndexT:
    """The same index, marked to be saved as one part."""
    return replace(index, saved=None)


def _save(index: IndexData, place: Path) -> None:
    """Write an index; the caller holds the lock."""
    saved = index.saved
    if saved is not None and (first := _first_to_write(index, saved, place)):
        with write_errors(place, place):
            _add(index, place, saved, first)
        return
    check_questions_kept(index)
    with replacing(place) as folder:
        write_part(folder, index, 0)
        write_state(folder, index, gone=[], deleted=[])
        if index.has_queries:
            write_queries(folder, index.queries.values(), index.judgements_by_split)
            if index.pair_graphs:
                write_pair_graphs(folder, index.pair_graphs)
        store = index.store
        if store != "array":
            # Chroma treats collections at the same path as one, even after one replaced the other.
            store = f"{store}-{secrets.token_hex(4)}"
        files = _with_store(folder, store)
        made = manifest_of(index, folder, files, store=store)
        (folder / MANIFEST).write_text(json_text(made, "manifest"), encoding="utf-8")
        if place.exists():
            # The old index is removed as soon as the new one has replaced it.
            flush(*folder.rglob("*"), folder)
    flush(place.parent)


def check_questions_kept(index: IndexData) -> None:
    """Raise InputError if the folder is gone from which an index reads its questions."""
    if index.folder is not None and not index.folder.is_dir():
        raise InputError(
            f"{index.folder}: is gone, and the index reads its questions and judgements there; "
            "put it back"
        )


def _first_to_write(index: IndexData, saved: Saved, place: Path) -> int:
    """The first part of an index that is written, as the others can stay; 0 to write it whole."""
    places = Stacked.of(index.embeddings).places
    can_be_added_to = (
        saved.manifest["format"] == FORMAT
        and index.store == saved.store
        and names_are_stored(index)
    )
    changed = len(places.sizes) > len(saved.parts) or len(places) < saved.manifest["objects"]
    if not (can_be_added_to and changed and holds_index(place)):
        return 0
    # Another index may have taken the place of the one that was opened.
    is_the_same = read_manifest(place) == saved.manifest
    return first_rewritten(places, len(saved.parts)) if is_the_same else 0


def _add(index: IndexData, place: Path, saved: Saved, first: int) -> None:
    """Write the parts from `first` on as one, then the manifest that names it and those before."""
    places = Stacked.of(index.embeddings).places
    name = f"update-{secrets.token_hex(8)}"
    folder = place / name
    try:
        folder.mkdir()
        parts = [*saved.parts[:first]]
        if len(places.behind(first)):
            write_part(folder, index, first)
            parts.append(name)
        gone = np.flatnonzero(~places.alive[: sum(places.sizes[:first])])
        write_state(folder, index, gone=gone.tolist(), deleted=sorted(index.deleted))
        store = saved.manifest["store"]
        files = _with_store(folder, store) if name in parts else [*folder.rglob("*")]
        flush(*folder.rglob("*"), folder, place)
        made = manifest_of(index, place, files, store=store, parts=parts, state=name)
        left = {*saved.parts[first:]}
        kept = {n: own for n, own in saved.lasting.items() if n.partition("/")[0] not in left}
        made["sha256"] = kept | made["sha256"]
        with atomic_file(place / MANIFEST) as temporary:
            temporary.write_text(json_text(made, "manifest"), encoding="utf-8")
            flush(temporary)
        flush(place)
    finally:
        # A process that has read the old manifest may still be opening its files.
        _sweep(place, [saved, Saved(read_manifest(place))])


def _sweep(place: Path, opened: Sequence[Saved]) -> None:
    """Remove files of earlier updates that no manifest names."""
    named = {name for saved in opened for name in saved.manifest["sha256"]}
    # The files of some stores have no checksums.
    stores = {store for saved in opened for store in saved.stores(place)}
    files = [*place.glob("update-*/**/*"), *place.glob("graph/*"), place / "entities.parquet"]
    for file in files:
        kept = file.relative_to(place).as_posix() in named or not stores.isdisjoint(file.parents)
        if file.is_file() and not kept:
            with suppress(OSError):
                file.unlink()
    for folder in (*sorted(place.glob("update-*/**/"), reverse=True), place / "graph"):
        with suppress(OSError):
            folder.rmdir()  # works only for an empty folder


def load(
    make: type[IndexT],
    path: str | Path,
    *,
    embedder: AnyEmbedder | None = None,
    query_adapter: str | None = None,
    verify: bool = True,
) -> IndexT:
    """Opens a saved index as an instance of `make`; see `Index.load`."""
    folder = check_path("path", path)
    check_kind("verify", verify, bool | np.bool_, "True or False")
    for _ in range(_TRIES):
        manifest, failed = read_manifest(folder), None
        try:
            loaded = _open_embedder(folder, manifest, embedder, query_adapter)
            found = _open(make, folder, manifest, loaded, verify=verify)
        except InputError as error:
            failed = error
        now = read_manifest(folder)
        if failed is None and Saved(manifest).lasting.items() <= Saved(now).lasting.items():
            return found  # a later update does not change what was read
        if failed and now == manifest:
            raise failed
    raise InputError(f"{folder}: it is replaced faster than it can be read; try again later")


def _open(
    make: type[IndexT],
    folder: Path,
    manifest: Mapping[str, Json],
    embedder: Embedder,
    *,
    verify: bool,
) -> IndexT:
    """The index of this manifest; a mixture if it is replaced meanwhile."""
    saved = Saved(manifest)
    if verify:
        _verify(folder, saved)
    counted = manifest["format"] == FORMAT
    try:
        parts = [read_part(folder / one, counted=counted, verify=verify) for one in saved.parts]
        places = read_places(folder / saved.state, [len(part.objects) for part in parts])
        objects = StackedObjects([part.objects for part in parts], places)
        embeddings = Stacked(tuple(part.embeddings for part in parts), places)
        expected = manifest.get("objects", len(objects)), manifest["embedder"]["dimension"]
        if embeddings.shape != expected:
            raise ValueError(f"{expected[0]} objects, embeddings {embeddings.shape}")
        lexical = _lexical(folder, manifest, parts, places)
        pairs = zip(parts, lexical.parts, strict=True)
        stored = all(part.counts is counts for part, counts in pairs)
        options = options_of(manifest)
        graph = read_graph(folder / saved.state, edges_of(folder, manifest))
        every = chain.from_iterable(part.objects.ids for part in parts)
        ids = [*compress(every, places.alive)]
        if verify:
            _check_graph(graph, len(objects))
        graph = graph.completed(ids, lambda: [*objects.metadata])
        vectors = embeddings.parts[0] if len(parts) == 1 and places.complete else embeddings
        graph = replace(graph, vectors=vectors)
        deleted = read_deleted(folder / saved.state)
    except GrapherError:
        raise
    except Exception as error:  # NumPy, SciPy and pyarrow raise many kinds
        raise InputError(f"{folder}: damaged ({error}); build the index again") from error
    return make(
        ids=ids,
        objects=objects,
        embeddings=vectors,
        lexical=lexical,
        graph=graph,
        embedder=embedder,
        folder=folder if has_queries(folder) else None,
        deleted=deleted,
        store=saved.store,
        nearest=_open_stores(folder, saved, embeddings),
        text=tuple(manifest.get("text", ())),
        options=options,
        named=[part.named for part in parts if part.named is not None] or None,
        # Beside parts whose words were counted otherwise, no new part can stand.
        saved=saved if stored else None,
        embedded_by=manifest["embedder"]["name"],
    )


def _open_embedder(
    folder: Path, manifest: Mapping[str, Json], embedder: AnyEmbedder | None, adapter: str | None
) -> Embedder:
    """The embedder of the questions, checked against the index; warns if it may not fit."""
    recorded = manifest["embedder"]
    loaded = open_embedder(recorded["name"] if embedder is None else embedder)
    # If it is the recorded embedder, it fits without being loaded.
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
    if adapter is None and loaded.name == recorded["name"]:
        adapter = recorded.get("query_adapter", NO_ADAPTER)
        if adapter not in QUERY_ADAPTERS:
            raise InputError(
                f"{folder}: its query_adapter {shown(adapter)} is unknown; this version reads "
                f"{', '.join(QUERY_ADAPTERS)}; give one of them"
            )
    return adapted(loaded, adapter)


def check_target(path: Path) -> None:
    """Raise InputError if an index would replace something that is not an index."""
    check_no_url(path)
    if path.exists() and not holds_index(path):
        raise InputError(f"{path}: exists and is not an index; give another --out")


def _with_store(folder: Path, store: str) -> list[Path]:
    """The files of a part, whose store is written too, except those that the store changes."""
    kind, _, own = store.partition("-")
    if not own:
        return [*folder.rglob("*")]
    embeddings = np.load(folder / "embeddings.npy", mmap_mode=MAPPED)
    made = LocalStore.build(kind, folder / store, embeddings)
    return [file for file in folder.rglob("*") if not made.changes(file)]


def _open_stores(folder: Path, saved: Saved, embeddings: Stacked) -> Nearest | None:
    pairs = zip(saved.stores(folder), embeddings.parts, strict=True)
    stores = [LocalStore(saved.store, *pair) for pair in pairs if saved.store != "array"]
    if len(stores) == 1 and embeddings.places.complete:
        return stores[0]
    return PartStores(stores, embeddings.places) if stores else None


def _verify(folder: Path, saved: Saved) -> None:
    checksums = saved.manifest["sha256"]
    for file in (file for pattern in saved.read for file in folder.glob(pattern)):
        if file.relative_to(folder).as_posix() not in checksums:
            raise InputError(f"{file}: the index has no checksum of it; build the index again")
    for name, expected in checksums.items():
        file = folder / name
        if not file.is_file():
            raise InputError(f"{file}: missing; build the index again")
        if sha256(file) != expected:
            raise InputError(f"{file}: its checksum does not match; build the index again")


def _check_graph(graph: GraphArrays, n: int) -> None:
    """Raise ValueError if a list ends outside of its values, or names an unknown object."""
    numbers = (graph.object_ids, graph.entity_counts, graph.document_ids, graph.chunk_ids)
    lists = (
        *((graph.foreign_keys, n), (graph.inferred_keys, n), (graph.links, n)),
        *((graph.lists(name), n) for name in MENTIONED if name in graph.others),
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


def _lexical(
    folder: Path, manifest: Mapping[str, Json], parts: Sequence[Part], places: Places
) -> LexicalIndex:
    """The word counts of all parts, and how texts and questions are read."""
    text = tuple(manifest.get("text", ()))
    try:
        reading = reading_of(
            text, language=manifest.get("language"), bigrams=manifest.get("bigrams", False)
        )
    except InputError as error:
        raise InputError(f"{folder}: damaged ({error}); build the index again") from error
    engine, variant = manifest["lexical"], manifest.get("lexical_variant", BM25_PLUS)
    counts = tuple(part.counts for part in parts if part.counts is not None)
    # Its words may have been torn, so that no question would find them.
    torn = not manifest.get("signs") and any(
        TORN.search(term) for own in counts for term in own.terms
    )
    if counts and not torn:
        return LexicalIndex(counts, places, engine, variant, reading)
    warn(
        f"{folder}: an earlier version built it, and its words are counted at every opening; save "
        "it again",
    )
    texts = iter(searchable_texts([item for part in parts for item in part.objects], text))
    counts = tuple(
        Counts.of(map(reading.tokens, islice(texts, len(part.objects)))) for part in parts
    )
    return LexicalIndex(counts, places, engine, variant, reading)
