"""A corpus made ready: text, embeddings, lexical weights, and metadata as integer arrays."""

import json
import secrets
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.checks import (
    check_count,
    check_kind,
    check_list,
    check_names,
    check_number,
    check_path,
    check_text,
)
from grapher_jax.corpus import (
    Judgements,
    Object,
    PairGraphs,
    Query,
    as_query,
    check_filter,
    check_filters,
    check_object,
    is_beir,
    is_url,
    read_judgements,
    read_pair_graphs,
    read_queries,
    read_source,
    splits,
    write_pair_graphs,
    write_queries,
)
from grapher_jax.errors import GrapherError, InputError, require, warn
from grapher_jax.files import atomic_folder, json_text, parse_json, sha256
from grapher_jax.graph import GraphArrays, Steps, check_proximities
from grapher_jax.rerank import Hit, Reranker, check_k
from grapher_jax.retrieve import (
    CANDIDATES,
    Candidates,
    Embedder,
    HybridRetriever,
    LexicalIndex,
    MetadataRows,
    Passages,
    open_embedder,
)
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.retrieve.hybrid import LEXICAL_WEIGHT
from grapher_jax.retrieve.stores import LocalStore, Nearest, check_store, require_store
from grapher_jax.systems.g_rag.concepts import DocumentGraphs, build_document_graphs
from grapher_jax.systems.query_gnn.object_graph import ObjectGraph
from grapher_jax.text import readable

if TYPE_CHECKING:
    from grapher_jax.systems import System

FORMAT = 2
_MANIFEST = "manifest.json"
# Few rows are read at a time: a question shows ten objects, whatever the index holds.
_ROW_GROUP, _GROUPS_KEPT = 2048, 64
# To read an index that another process replaces.
_TRIES = 2


@dataclass(frozen=True)
class Index:
    """What a question is answered from.

    Attributes:
        ids: the id of every object.
        objects: the objects themselves, in the order of `ids`.
        embeddings: `[N, d]` float32, unit length.
        lexical: BM25 weights.
        graph: metadata as integer arrays.
        embedder: embedded the objects, and embeds the questions.
        folder: where the index, or the source it was built from, keeps queries and qrels.
        deleted: ids that an update took away; judgements of them do not count.
        store: what dense search alone asks once the index is saved and loaded: `array`, `chroma`,
            `faiss`, `qdrant` or `lancedb`.
        nearest: that store, opened; None for the embeddings themselves.
    """

    ids: Sequence[str]
    objects: Sequence[Object]
    embeddings: Float[ndarray, "N d"]
    lexical: LexicalIndex
    graph: GraphArrays
    embedder: Embedder
    folder: Path | None = None
    deleted: frozenset[str] = frozenset()
    store: str = "array"
    nearest: Nearest | None = None

    def __post_init__(self) -> None:
        check_store(self.store)

    @classmethod
    def build(
        cls,
        objects: Iterable[Object],
        *,
        embedder: str | Embedder = "offline",
        lexical: str = "rank-bm25",
        store: str = "array",
        folder: str | Path | None = None,
        reuse: "Index | None" = None,
        progress: Progress = no_progress,
    ) -> "Index":
        """Embed, count and number every object.

        Args:
            objects: with unique ids.
            embedder: `offline`, a sentence-transformers name or path, or an embedder.
            lexical: the lexical engine.
            store: what dense search alone asks, once the index is saved; see `Index`.
            folder: a BEIR folder whose queries and qrels belong to the objects.
            reuse: an index whose embeddings serve again where the text is the same.
            progress: told how many more objects are embedded.

        Raises:
            InputError: for an empty corpus, a repeated id, an unknown engine or embedder, or an
                index to reuse that another embedder built.
        """
        objects = check_list("objects", objects, of="objects")
        check_kind("reuse", reuse, Index | None, "an index")
        check_kind("progress", progress, Callable, "a function")
        if not objects:
            raise InputError("the corpus is empty; give it at least one object")
        objects = [check_object(item, f"object {n}") for n, item in enumerate(objects, start=1)]
        ids = [item.id for item in objects]
        repeated, times = Counter(ids).most_common(1)[0]
        if times > 1:
            raise InputError(f"duplicate id {repeated!r}; ids must be unique")
        loaded = open_embedder(embedder)
        texts = [item.searchable_text for item in objects]
        return cls(
            ids=ids,
            objects=objects,
            lexical=LexicalIndex.build(texts, engine=lexical),
            graph=GraphArrays.build(ids, [item.metadata for item in objects]),
            embeddings=_embed(texts, loaded, reuse, progress),
            embedder=loaded,
            folder=None if folder is None else check_path("folder", folder),
            store=store,
        )

    @classmethod
    def from_source(
        cls,
        source: str | Path,
        *,
        embedder: str | Embedder = "offline",
        lexical: str = "rank-bm25",
        store: str = "array",
        reuse: "Index | None" = None,
        progress: Progress = no_progress,
        **chunking: int,
    ) -> "Index":
        """Build from a BEIR folder, a database URL or a folder of documents; see `build`.

        Args:
            source: the folder or the URL.
            embedder: see `build`.
            lexical: see `build`.
            store: see `build`.
            reuse: see `build`.
            progress: see `build`.
            chunking: `chunk_tokens` and `overlap_tokens` of documents, see `read_documents`.
        """
        folder = None if is_url(source) else check_path("source", source)
        return cls.build(
            read_source(source, **chunking),
            embedder=embedder,
            lexical=lexical,
            store=store,
            folder=folder,
            reuse=reuse,
            progress=progress,
        )

    def update(
        self,
        objects: Iterable[Object] = (),
        *,
        delete: Collection[str] = (),
        progress: Progress = no_progress,
    ) -> "Index":
        """The index with objects added, replaced or deleted; what stays is not embedded again.

        It equals one built afresh of the same objects: a replaced one keeps its place, new ones
        come last.

        Args:
            objects: new ones, and those that replace the ones with their ids.
            delete: ids.
            progress: told how many more objects are embedded.

        Raises:
            InputError: for an id to delete that is not there or is among `objects`, or as `build`.
        """
        gone = frozenset(delete := check_names("delete", delete, of="ids"))
        joining: dict[str, Object] = {}
        for number, item in enumerate(check_list("objects", objects, of="objects"), start=1):
            check_object(item, f"object {number}")
            if joining.setdefault(item.id, item) is not item:
                raise InputError(f"objects: duplicate id {item.id!r}; ids must be unique")
        for name in delete:
            if name not in self.rows or name in joining:
                found = "is to be added too" if name in joining else "is not in the index"
                raise InputError(f"delete: {name!r} {found}; leave it out")
        kept = (item for item in self.objects if item.id not in gone)
        updated = [joining.pop(item.id, item) for item in kept]
        index = Index.build(
            [*updated, *joining.values()],
            embedder=self.embedder,
            lexical=self.lexical.engine,
            store=self.store,
            folder=self.folder,
            reuse=self,
            progress=progress,
        )
        return replace(index, deleted=(self.deleted | gone).difference(index.rows))

    def search(
        self,
        question: str,
        *,
        k: int = 10,
        ranker: str | Reranker | None = None,
        alpha: float | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002
        expand: bool | Sequence[str] = False,
        candidates: int | None = None,
        system: "str | System | None" = None,
    ) -> list[Hit]:
        """Answer one question; see `search_batch`."""
        return self.search_batch(
            [question],
            k=k,
            ranker=ranker,
            alpha=alpha,
            filters=[filter],
            expand=expand,
            candidates=candidates,
            system=system,
        )[0]

    def search_batch(
        self,
        questions: Sequence[str],
        *,
        k: int = 10,
        ranker: str | Reranker | None = None,
        alpha: float | None = None,
        filters: Sequence[Mapping[str, Any] | None] | None = None,
        expand: bool | Sequence[str] = False,
        candidates: int | None = None,
        system: "str | System | None" = None,
    ) -> list[list[Hit]]:
        """Retrieve and rerank for a batch of questions.

        Args:
            questions: none of them empty.
            k: how many results each.
            ranker: a ranker's name, or a `Reranker` with its own parameters; `gcs` by default.
            alpha: the weight kept on a candidate's own score, where `ranker` is a name.
            filters: see `retrieve`.
            expand: see `retrieve`.
            candidates: how many objects the retriever returns to be reranked; 200 by default.
            system: a published method, by its name or your own, instead of a ranker behind the base
                retriever; it decides all but `k` and `filters`.

        Returns:
            One list of hits a question, best first.

        Raises:
            InputError: for an empty question, an unknown ranker or system, a parameter out of its
                range, or one that the system decides.
        """
        from grapher_jax.systems import System, choose_system

        k = check_k(k)
        if isinstance(ranker, Reranker) and alpha is not None:
            raise InputError("alpha: the Reranker has its own; give it there")
        if system is None:
            if not isinstance(ranker, Reranker):
                ranker = Reranker(ranker=Reranker.ranker if ranker is None else ranker, alpha=alpha)
            n = CANDIDATES if candidates is None else check_count("candidates", candidates)
            chosen = System.of(ranker, candidates=max(n, k), expand=expand)
        else:
            chosen = choose_system(
                system, ranker=ranker, alpha=alpha, expand=expand, candidates=candidates
            )
        found = chosen.retrieve(self, questions, filters=filters)
        order = chosen.rank(self, found, k=k)
        return chosen.reranker.hits(self.graph, found, order, self.ids, self.describe)

    def retrieve(
        self,
        questions: Sequence[str | Query],
        *,
        filters: Sequence[Mapping[str, Any] | None] | None = None,
        expand: bool | Sequence[str] = False,
        candidates: int = CANDIDATES,
        lexical_weight: float = LEXICAL_WEIGHT,
        progress: Progress = no_progress,
    ) -> Candidates:
        """What there is to rerank for every question.

        Args:
            questions: none of them empty; with ids and metadata, for systems that read these.
            filters: for each question metadata keys with the values that its candidates must have;
                None for any.
            expand: let objects one step from the best join, by the proximities named; by all that
                the metadata allows where true.
            candidates: how many objects the retriever returns, those that join not counted.
            lexical_weight: the weight of BM25; 0 for dense search alone.
            progress: told how many more questions are embedded.

        Raises:
            InputError: for an empty question, a filter by a key that no object has, an unknown
                proximity, fewer than one candidate, or a weight outside [0, 1].
        """
        candidates = check_count("candidates", candidates)
        lexical_weight = check_number("lexical_weight", lexical_weight)
        if not 0 <= lexical_weight <= 1:
            raise InputError(f"lexical_weight: {lexical_weight} is outside [0, 1]")
        check_kind("progress", progress, Callable, "a function")
        queries = [*map(as_query, check_list("questions", questions, of="questions"))]
        allowed = None
        if wanted := check_filters(filters, len(queries)):
            allowed = [self.allowed(one) for one in wanted]
            if any(rows is not None and not rows.size for rows in allowed):
                warn(
                    "filter: no object fits that of a question, which has no results; values are "
                    'compared as JSON, where 1 is neither true nor "1"',
                    stacklevel=2,
                )
        ways = self._ways(expand)
        found = self.retriever.retrieve(
            [query.text for query in queries],
            candidates=candidates,
            allowed=allowed,
            expand=partial(self._steps.from_best, proximities=ways) if ways else None,
            lexical_weight=lexical_weight,
            progress=progress,
        )
        return replace(found, questions=queries, passages=self.passages)

    def _ways(self, expand: bool | Sequence[str]) -> list[str]:
        """The proximities by which objects join."""
        if expand is None or isinstance(expand, bool):
            return self.graph.proximities() if expand else []
        return check_proximities(check_names("expand", expand, of="names, or True"), self.graph)

    @cached_property
    def passages(self) -> Passages:
        """The objects, for rankers that read texts."""
        return Passages(self.objects, self.embedder, lambda: self.pair_graphs)

    def document_graphs(
        self, candidates: Candidates, *, max_df: int | None, paths: bool
    ) -> DocumentGraphs:
        """What G-RAG reads of them; see `concepts.build_document_graphs`."""
        return build_document_graphs(candidates, max_df=max_df, paths=paths)

    @cached_property
    def retriever(self) -> HybridRetriever:
        """The base retriever over this index."""
        return HybridRetriever(self.embedder, self.embeddings, self.lexical, store=self.nearest)

    @cached_property
    def episodes(self) -> ObjectGraph:
        """The graph over all objects, its relations kept apart."""
        return ObjectGraph.build(self.graph, self.embeddings)

    @cached_property
    def rows(self) -> dict[str, int]:
        """Each id's place."""
        return {name: row for row, name in enumerate(self.ids)}

    @cached_property
    def queries(self) -> dict[str, Query]:
        """The questions that came with the source, by id.

        Raises:
            InputError: where none came.
        """
        if self.folder is None or not _has_queries(self.folder):
            raise InputError("the index has no questions; build it from a BEIR folder that has")
        return {query.id: query for query in read_queries(self.folder)}

    def judgements(self, split: str) -> Judgements:
        """The relevance judgements of one split, as `read_judgements` gives them."""
        if self.folder is None:
            raise InputError("the index has no qrels; build it from a BEIR folder that has")
        known = self.rows.keys() | self.deleted
        judged = read_judgements(self.folder, split, objects=known, queries=self.queries)
        left = {
            query: {name: grade for name, grade in grades.items() if name in self.rows}
            for query, grades in judged.items()
        }
        return {query: grades for query, grades in left.items() if grades}

    @cached_property
    def pair_graphs(self) -> PairGraphs:
        """The AMR graphs of questions with objects that came along; see `read_pair_graphs`."""
        if self.folder is None or not _has_queries(self.folder):
            return {}
        known = self.rows.keys() | self.deleted
        graphs = read_pair_graphs(self.folder, objects=known, queries=self.queries)
        return {pair: graph for pair, graph in graphs.items() if pair[1] in self.rows}

    def save(self, path: str | Path) -> None:
        """Write the index to a folder, whole or not at all; an index that was there is replaced.

        Raises:
            InputError: where the path holds something that is not an index.
        """
        path = check_path("path", path)
        check_text("path", str(path))  # pyarrow opens no other
        check_target(path)
        require_store(self.store)
        with atomic_folder(path) as folder:
            self._write(folder)
            store = self._write_store(folder)
            manifest = {
                "format": FORMAT,
                "objects": len(self.ids),
                "embedder": {"name": self.embedder.name, "dimension": self.embeddings.shape[1]},
                "lexical": self.lexical.engine,
                "store": store.folder.name if store else self.store,
                "sha256": {
                    file.relative_to(folder).as_posix(): sha256(file)
                    for file in sorted(folder.rglob("*"))
                    if file.is_file() and not (store and store.changes(file))
                },
            }
            (folder / _MANIFEST).write_text(json.dumps(manifest, indent=2), encoding="utf-8")

    @classmethod
    def load(
        cls, path: str | Path, *, embedder: str | Embedder | None = None, verify: bool = True
    ) -> "Index":
        """Open an index; arrays are memory-mapped, text is read when shown.

        Where another process replaces it meanwhile, the new one is opened.

        Args:
            path: the folder.
            embedder: what embeds the questions; by default the one that embedded the objects.
            verify: compare every file with its checksum.

        Raises:
            InputError: where there is no index, it has another format version or is damaged, a
                checksum does not match, or the embedder's dimension differs; or where it is
                replaced faster than it can be read.
        """
        folder = check_path("path", path)
        check_kind("verify", verify, bool | np.bool_, "True or False")
        for _ in range(_TRIES):
            manifest, failed = _read_manifest(folder), None
            try:
                index = cls._open(folder, manifest, embedder, verify=verify)
            except InputError as error:
                failed = error
            if _read_manifest(folder) == manifest:
                if failed:
                    raise failed
                return index
        raise InputError(f"{folder}: it is replaced faster than it can be read; try again later")

    @classmethod
    def _open(
        cls,
        folder: Path,
        manifest: Mapping[str, Any],
        embedder: str | Embedder | None,
        *,
        verify: bool,
    ) -> "Index":
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
        if loaded.name != recorded["name"]:
            warn(
                f"embedder: {folder} was built with {recorded['name']!r}; the cosines of "
                f"{loaded.name!r} mean something only if it is the same model",
                stacklevel=3,
            )
        try:
            objects = ParquetObjects(folder / "objects.parquet")
            embeddings = np.load(folder / "embeddings.npy", mmap_mode="r")
            lexical = _read_lexical(folder, manifest["lexical"], verify=verify)
            graph = GraphArrays.from_arrays(
                _read_arrays(folder / "graph"), _read_names(folder / "entities.parquet")
            )
            if embeddings.shape != (len(objects), recorded["dimension"]):
                raise ValueError(f"{len(objects)} objects, embeddings {embeddings.shape}")
            if verify:
                _check_graph(graph, len(objects))
        except GrapherError:
            raise
        except Exception as error:  # NumPy, SciPy and pyarrow raise many kinds
            raise InputError(f"{folder}: damaged ({error}); build the index again") from error
        return cls(
            ids=objects.ids,
            objects=objects,
            embeddings=embeddings,
            lexical=lexical,
            graph=graph,
            embedder=loaded,
            folder=folder,
            store=manifest["store"].partition("-")[0],
            nearest=_open_store(folder, manifest, embeddings),
        )

    @cached_property
    def _steps(self) -> Steps:
        return Steps(self.graph)

    @cached_property
    def _metadata_rows(self) -> MetadataRows:
        return MetadataRows(self.objects)

    def allowed(self, wanted: Mapping[str, Any] | None) -> Int[ndarray, " m"] | None:
        """The objects that a filter lets through, None for all; raises as `retrieve`."""
        checked = {} if wanted is None else check_filter(wanted, "filter")
        return self._metadata_rows.matching(checked) if checked else None

    def describe(self, row: int) -> Mapping[str, Any]:
        """An object's `id`, `title`, `text` and `metadata`."""
        item = self.objects[row]
        return {"id": item.id, "title": item.title, "text": item.text, "metadata": item.metadata}

    def _write_store(self, folder: Path) -> LocalStore | None:
        if self.store == "array":
            return None
        # Chroma takes two collections at one path for the same, also where one replaced the other.
        own = folder / f"{self.store}-{secrets.token_hex(4)}"
        return LocalStore.build(self.store, own, self.embeddings)

    def _write(self, folder: Path) -> None:
        arrow, parquet = require("pyarrow"), require("pyarrow.parquet")
        columns = {
            "id": list(self.ids),
            "title": [item.title for item in self.objects],
            "text": [item.text for item in self.objects],
            "metadata": [
                json_text(dict(item.metadata), f"object {item.id!r}: metadata")
                for item in self.objects
            ],
        }

        def write(name: str, columns: Mapping[str, Any], **options: Any) -> None:
            with (folder / name).open("wb") as file:  # a path it may take for a URL
                parquet.write_table(arrow.table(columns), file, **options)

        write("objects.parquet", columns, row_group_size=_ROW_GROUP)
        write("terms.parquet", {"term": list(self.lexical.terms)})
        np.save(folder / "embeddings.npy", self.embeddings)
        weights = self.lexical.weights
        _write_arrays(
            folder / "lexical",
            {
                "data": weights.data,
                "indices": weights.indices,
                "indptr": weights.indptr,
                "absent": self.lexical.absent,
            },
        )
        _write_arrays(folder / "graph", self.graph.to_arrays())
        entities = {
            "name": list(self.graph.entity_names),
            "document_frequency": self.graph.document_frequency,
        }
        write("entities.parquet", entities)
        if self.folder is not None and _has_queries(self.folder):
            by_split = {split: self.judgements(split) for split in splits(self.folder)}
            write_queries(folder, self.queries.values(), by_split)
            if self.pair_graphs:
                write_pair_graphs(folder, self.pair_graphs)


class ParquetObjects(Sequence[Object]):
    """Objects in a Parquet file, read a row group at a time."""

    def __init__(self, path: Path) -> None:
        """Open the file and read the ids alone."""
        self._path = path
        self._file = require("pyarrow.parquet").ParquetFile(path, memory_map=True)
        self.ids: list[str] = self._file.read(columns=["id"]).column("id").to_pylist()
        self._group = lru_cache(maxsize=_GROUPS_KEPT)(self._read_group)
        self._reading = Lock()

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[i] for i in range(*row.indices(len(self)))]
        row = range(len(self))[row]
        number, place = divmod(row, _ROW_GROUP)
        try:
            title, text, metadata = (col[place].as_py() for col in self._group(number).columns)
            return Object(self.ids[row], text, title, parse_json(metadata))
        except Exception as error:  # pyarrow raises many kinds
            raise InputError(f"{self._path}: damaged ({error}); build the index again") from error

    def _read_group(self, number: int) -> Any:
        # pyarrow does not promise that threads may share a file.
        with self._reading:
            return self._file.read_row_group(number, columns=["title", "text", "metadata"])


def _embed(
    texts: Sequence[str], embedder: Embedder, reuse: Index | None, progress: Progress
) -> Float[ndarray, "N d"]:
    known: dict[str, int] = {}
    if reuse is not None:
        if reuse.embedder.name != embedder.name:
            raise InputError(
                f"reuse: that index was built with {reuse.embedder.name!r}, not {embedder.name!r}; "
                "embeddings of one model mean nothing to another"
            )
        known = {item.searchable_text: row for row, item in enumerate(reuse.objects)}
    places = np.array([known.get(text, -1) for text in texts])
    embeddings = np.empty((len(texts), embedder.dimension), np.float32)
    if reuse is not None:
        embeddings[places >= 0] = reuse.embeddings[places[places >= 0]]
    fresh = [readable(text) for text, place in zip(texts, places, strict=True) if place < 0]
    if fresh:
        embeddings[places < 0] = embedder.embed_objects(fresh, progress=progress)
    return embeddings


def check_target(path: Path) -> None:
    """Raise InputError where an index would take the place of something that is none."""
    # A website has a manifest too.
    if path.exists() and not (is_index(path) and (path / "objects.parquet").is_file()):
        raise InputError(f"{path}: exists and is not an index; give another --out")


def is_index(path: Path) -> bool:
    """Whether a folder holds an index."""
    return (path / _MANIFEST).is_file()


def open_source(
    source: str,
    *,
    embedder: str | Embedder | None = None,
    progress: Progress = no_progress,
) -> Index:
    """An index folder opened, or a BEIR folder indexed in memory.

    Args:
        source: the folder.
        embedder: by default the index's own, and `offline` for a BEIR folder.
        progress: told how many more objects are embedded.
    """
    if is_index(Path(source)):
        return Index.load(source, embedder=embedder)
    return Index.from_source(source, embedder=embedder or "offline", progress=progress)


def _has_queries(folder: Path) -> bool:
    return any((folder / name).is_file() for name in ("queries.jsonl", "queries.jsonl.gz"))


def _read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / _MANIFEST
    if not path.is_file():
        cure = "; index it first" if folder.is_dir() and is_beir(folder) else ""
        raise InputError(f"{folder}: not an index (it has no {_MANIFEST}){cure}")
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


def _is_complete(manifest: Mapping[str, Any]) -> bool:
    """Whether all is there, of its type, and names files of the index alone."""
    embedder, checksums = manifest.get("embedder"), manifest.get("sha256")
    if not isinstance(embedder, dict) or not isinstance(checksums, dict):
        return False
    return (
        all(isinstance(manifest.get(key), str) for key in ("lexical", "store"))
        and all(isinstance(checksum, str) for checksum in checksums.values())
        and isinstance(embedder.get("name"), str)
        and isinstance(embedder.get("dimension"), int)
        and not {"/", "\\", "\0"}.intersection(manifest["store"])
        and not any(Path(name).is_absolute() or ".." in Path(name).parts for name in checksums)
    )


def _open_store(
    folder: Path, manifest: Mapping[str, Any], embeddings: Float[ndarray, "N d"]
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
    lists = ((graph.foreign_keys, n), (graph.links, n), (graph.entities, len(graph.entity_names)))
    if any(values.shape != (n,) for values in numbers) or not all(
        found.offsets.shape == (n + 1,)
        and (np.diff(found.offsets, prepend=0) >= 0).all()
        and found.offsets[-1] == len(found.values)
        and ((found.values >= 0) & (found.values < size)).all()
        for found, size in lists
    ):
        raise ValueError("the graph's arrays do not fit each other")


def _read_lexical(folder: Path, engine: str, *, verify: bool) -> LexicalIndex:
    sparse, names = require("scipy.sparse"), _read_names(folder / "terms.parquet")
    arrays = _read_arrays(folder / "lexical")
    shape = (len(names), len(np.load(folder / "embeddings.npy", mmap_mode="r")))
    weights = sparse.csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)
    # Its products read wherever the indices lead.
    weights.check_format(full_check=verify)
    terms = {name: row for row, name in enumerate(names)}
    return LexicalIndex(terms, weights, arrays["absent"], engine)


def _read_names(path: Path) -> list[str]:
    # Not read_table, which may take a path for a URL.
    return require("pyarrow.parquet").ParquetFile(path).read().column(0).to_pylist()


def _write_arrays(folder: Path, arrays: Mapping[str, ndarray]) -> None:
    folder.mkdir()
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)


def _read_arrays(folder: Path) -> dict[str, ndarray]:
    return {file.stem: np.load(file, mmap_mode="r") for file in sorted(folder.glob("*.npy"))}
