"""An indexed corpus: texts, embeddings, word counts, and metadata as integer arrays."""

from collections import abc
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar, Unpack

from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.checks import (
    check_kind,
    check_list,
    check_names,
    check_path,
    check_text,
    near_name,
    short_repr,
    shown,
)
from grapher_jax.corpus import (
    Judgements,
    Object,
    PairGraphs,
    Query,
    SourceOptions,
    as_query,
    check_corpus,
    check_filter,
    check_filters,
    check_judged,
    has_queries,
    is_beir,
    local_source,
    read_judgements,
    read_pair_graphs,
    read_queries,
    read_source,
    splits,
)
from grapher_jax.corpus.filters import HOW_COMPARED
from grapher_jax.corpus.searchable import (
    check_parts,
    default_text,
    reading_of,
    searchable_texts,
)
from grapher_jax.errors import InputError, UnknownIdError, warn
from grapher_jax.graph import Edges, GraphArrays, Metadata, Steps, check_edges, check_proximities
from grapher_jax.graph.names import AllNamed
from grapher_jax.graph.stacked import Stacked
from grapher_jax.index import updating
from grapher_jax.index.defaults import default_options
from grapher_jax.index.embedding import embed, known_texts
from grapher_jax.index.mentions import with_mentions
from grapher_jax.index.objects import StackedObjects
from grapher_jax.index.parts import Saved, names_of, titled
from grapher_jax.retrieve import (
    AnyEmbedder,
    Candidates,
    Collection,
    Embedder,
    HybridRetriever,
    Kept,
    LexicalIndex,
    MetadataRows,
    Questions,
    RetrievalOptions,
    open_embedder,
)
from grapher_jax.retrieve.embedders import Progress, adapted, no_progress
from grapher_jax.retrieve.lexical import BM25_PLUS, WordsIn
from grapher_jax.retrieve.options import GRAPHER
from grapher_jax.retrieve.stores import Nearest, check_store

IndexT = TypeVar("IndexT", bound="IndexData")


@dataclass(frozen=True, eq=False, repr=False)
class IndexData(Collection):
    """An indexed corpus in memory (a `Collection`), and retrieval over it.

    Attributes:
        ids: the id of every object.
        objects: the objects themselves, in the order of `ids`.
        embeddings: `[N, d]` float32, of unit length; in several arrays after an update.
        lexical: how often each term occurs in each object.
        graph: metadata as integer arrays.
        embedder: the embedder of new objects and the questions.
        folder: the folder with the queries and qrels of the index or of its source.
        deleted: ids that updates deleted; judgements of them do not count.
        store: the store for purely dense search in a saved and loaded index, see `Index`.
        nearest: that store, opened; None to search the embeddings themselves.
        text: what is searched besides an object's title and text, and how, see `build`.
        options: how many objects are retrieved, and how BM25 and cosine are fused.
        named: the names that the objects of each part refer to, see `names_of`; None if not
            stored.
        saved: the content of the folder from which the index was opened.
        embedded_by: the name of the one that made the embeddings; by default that of `embedder`.
        kept: what rankers computed from the index, kept as long as the index.
    """

    ids: Sequence[str]
    objects: Sequence[Object]
    embeddings: Float[ndarray | Stacked, "N d"]
    lexical: LexicalIndex
    graph: GraphArrays
    embedder: Embedder
    folder: Path | None = None
    deleted: frozenset[str] = frozenset()
    store: str = "array"
    nearest: Nearest | None = None
    text: tuple[str, ...] = ()
    options: RetrievalOptions = GRAPHER
    named: Sequence[AllNamed] | None = None
    saved: Saved | None = None
    embedded_by: str = ""
    kept: Kept = field(default_factory=Kept, init=False)

    def __post_init__(self) -> None:
        check_store(self.store)
        object.__setattr__(self, "embedded_by", self.embedded_by or self.embedder.name)

    def __repr__(self) -> str:
        joined_by = self.graph.proximities()
        told = {"objects": len(self), "embedder": self.embedder.name, "joined_by": joined_by}
        return short_repr(self, **told)

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> abc.Iterator[str]:
        """Iterates over the ids, as a mapping does."""
        return iter(self.ids)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self.rows

    def __getitem__(self, name: str) -> Object:
        """The object with this id.

        Raises:
            UnknownIdError: if the index lacks the id, with a similar one; it is also a KeyError.
        """
        if name not in self:
            cure = near_name(name, self.ids, "index.ids has all")
            raise UnknownIdError(f"id: {shown(name)} is not in the index; {cure}")
        return self.objects[self.rows[name]]

    @classmethod
    def build(
        cls: type[IndexT],
        objects: Iterable[Object],
        *,
        embedder: AnyEmbedder = "offline",
        query_adapter: str | None = None,
        lexical: str = "rank-bm25",
        lexical_variant: str = BM25_PLUS,
        store: str = "array",
        text: Iterable[str] | None = None,
        language: str | None = None,
        candidates: int | None = None,
        lexical_weight: float | None = None,
        lexical_norm: str | None = None,
        title_weight: float | None = None,
        edges: Edges | None = None,
        folder: str | Path | None = None,
        reuse: "IndexData | None" = None,
        progress: Progress = no_progress,
    ) -> IndexT:
        """Build an index: embed the objects, count their words, and turn metadata into arrays.

        Args:
            objects: with unique ids.
            embedder: `offline`, a sentence-transformers name or path, or an embedder.
            query_adapter: how `offline` reads questions: `tables`, by weights that learned from
                questions about tables; or `none`, the default, as it reads objects.
            lexical: the lexical engine.
            lexical_variant: of BM25: `bm25+`, `bm25l` or `okapi`, see `LexicalIndex.build`.
            store: the store for purely dense search, once the index is saved; see `Index`.
            text: what is searched besides title and text, see `searchable_texts`; and `split`,
                which reads `customerId2` also as `customer`, `id` and `2`, in questions too. By
                default `split`, `schema`, `neighbors` and `comments` if most objects are tables,
                and `people` if they are of one database that has users.
            language: the language of the texts, for BM25's stems and stop words, see `Reading`.
            candidates: the default of a search, see `RetrievalOptions`; 200 if None.
            lexical_weight: BM25's weight; by default 0.2 (tables), 0.9 (unlearned scripts) or 0.3.
            lexical_norm: the default scaling of BM25; `min-max` by default.
            title_weight: the default weight of titles that a question names; 0.5 by default.
            edges: edges of your own, see `RankingOptions`; the index stores them.
            folder: a BEIR folder whose queries and qrels belong to the objects.
            reuse: an index whose embeddings are reused for equal texts.
            progress: called with the number of newly embedded objects.

        Raises:
            InputError: for an empty corpus, a repeated id, an unknown engine or embedder, an index
                to reuse that another embedder built, metadata that does not fit an edge, or queries
                or qrels that cannot be read.
        """
        check_kind("reuse", reuse, IndexData | None, "an index")
        objects = check_corpus(objects)
        given, loaded = check_edges(edges), adapted(open_embedder(embedder), query_adapter)
        parts = default_text(objects) if text is None else check_parts(text)
        reading, texts = reading_of(parts, language=language), searchable_texts(objects, parts)
        suited = default_options(objects, texts, loaded, given=lexical_weight is not None)
        options = suited.given(
            candidates=candidates,
            lexical_weight=lexical_weight,
            lexical_norm=lexical_norm,
            title_weight=title_weight,
        )
        words = LexicalIndex.build(texts, engine=lexical, variant=lexical_variant, reading=reading)
        facts = Metadata([item.id for item in objects], [item.metadata for item in objects])
        check_judged(folder, {*facts.ids})  # as all errors, before hours of embedding
        named, known = names_of(objects, given, parts), known_texts(reuse, loaded)
        embeddings = embed([*map(reading.words, texts)], loaded, known, progress)
        graph = GraphArrays.resolved(facts, named, edges=given, vectors=embeddings)
        return cls(
            ids=facts.ids,
            objects=objects,
            lexical=words,
            graph=with_mentions(graph, objects, named),
            named=(named,),
            embeddings=embeddings,
            embedder=loaded,
            folder=None if folder is None else check_path("folder", folder),
            store=store,
            text=parts,
            options=options,
        )

    @classmethod
    def from_source(
        cls: type[IndexT],
        source: str | Path,
        *,
        embedder: AnyEmbedder = "offline",
        query_adapter: str | None = None,
        lexical: str = "rank-bm25",
        lexical_variant: str = BM25_PLUS,
        store: str = "array",
        text: Iterable[str] | None = None,
        language: str | None = None,
        candidates: int | None = None,
        lexical_weight: float | None = None,
        lexical_norm: str | None = None,
        title_weight: float | None = None,
        edges: Edges | None = None,
        reuse: "IndexData | None" = None,
        progress: Progress = no_progress,
        **reading: Unpack[SourceOptions],
    ) -> IndexT:
        """Build from a BEIR folder, a database URL, documents or a public set; see `build`.

        Args:
            source: the folder, the URL or the name, see `read_source`.
            embedder: see `build`.
            query_adapter: see `build`.
            lexical: see `build`.
            lexical_variant: see `build`.
            store: see `build`.
            text: see `build`.
            language: see `build`.
            candidates: see `build`.
            lexical_weight: see `build`.
            lexical_norm: see `build`.
            title_weight: see `build`.
            edges: see `build`.
            reuse: see `build`.
            progress: see `build`.
            reading: `chunk_tokens`, `overlap_tokens` and `reader` for documents, see
                `read_documents`; `schemas`, `include`, `exclude` and `views` for a database, and
                `infer_keys`, `queries_from`, `dbt_manifest` and `keys` for tables, see
                `read_database`.
        """
        source = local_source(source)
        return cls.build(
            read_source(source, **reading),
            embedder=embedder,
            query_adapter=query_adapter,
            lexical=lexical,
            lexical_variant=lexical_variant,
            store=store,
            text=text,
            language=language,
            candidates=candidates,
            lexical_weight=lexical_weight,
            lexical_norm=lexical_norm,
            title_weight=title_weight,
            edges=edges,
            folder=check_path("source", source) if is_beir(source) else None,
            reuse=reuse,
            progress=progress,
        )

    def with_edges(self: IndexT, edges: Edges) -> IndexT:
        """The same index with these edges of your own instead of its present ones.

        Args:
            edges: see `build`.

        Raises:
            InputError: for an invalid edge, or metadata that does not fit an edge.
        """
        graph = self.graph.with_edges(
            check_edges(edges), self.ids, lambda: [*StackedObjects.of(self.objects).metadata]
        )
        # No part on disk has the arrays that the new edges read.
        return replace(self, graph=graph, named=None, saved=None)

    @property
    def edges(self) -> Mapping[str, str]:
        """The index's own edges: the form of each edge by its keys."""
        return dict(self.graph.edges)

    def update(
        self: IndexT,
        objects: Iterable[Object] = (),
        *,
        delete: abc.Collection[str] = (),
        progress: Progress = no_progress,
    ) -> IndexT:
        """The index with objects added, replaced or deleted; only changed texts are embedded.

        The text of an object may contain the names of its neighbours, and changes with them.

        The updated index finds the same as a new index of the same objects with the same options.
        New and changed objects come last, in the given order, followed by objects whose texts name
        them.

        Args:
            objects: new objects, and objects that replace those with the same ids.
            delete: ids of objects, or of documents with all their chunks, to delete.
            progress: called with the number of newly embedded objects.

        Raises:
            InputError: for an id to delete that does not exist or is among `objects`, another
                embedder than the one that built the index, or as `build`.
        """
        return updating.update(self, objects, delete, progress)

    def retrieve(
        self,
        questions: Sequence[str | Query],
        *,
        filters: Sequence[Mapping[str, Any] | None] | None = None,
        expand: bool | Sequence[str] = False,
        candidates: int | None = None,
        lexical_weight: float | None = None,
        lexical_norm: str | None = None,
        title_weight: float | None = None,
        progress: Progress = no_progress,
    ) -> Candidates:
        """The candidates for every question.

        Args:
            questions: none of them empty; with ids and metadata for systems that read them. The
                `questions` of earlier candidates are not embedded again.
            filters: for each question a filter on the metadata of its candidates, see
                `Index.search`; None for no filter.
            expand: add objects one step from the best candidates: by the proximities named, or if
                true by all that the metadata allows.
            candidates: how many objects the retriever returns, without those that expansion adds;
                by default the index's setting, as for the next three.
            lexical_weight: the weight of BM25; 0 for purely dense search.
            lexical_norm: see `RetrievalOptions`.
            title_weight: see `RetrievalOptions`.
            progress: called with the number of newly embedded questions.

        Raises:
            InputError: for an empty question, a filter by a key that no object has, an unknown
                proximity, fewer than one candidate, or a weight outside [0, 1].
        """
        options = self.options.given(
            candidates=candidates,
            lexical_weight=lexical_weight,
            lexical_norm=lexical_norm,
            title_weight=title_weight,
        )
        check_kind("progress", progress, Callable, "a function")
        queries = [*map(as_query, check_list("questions", questions, of="questions"))]
        allowed = None
        if wanted := check_filters(filters, len(queries)):
            known = {repr(one): one for one in wanted}  # by their texts, since True equals 1
            rows = {told: self.allowed(one) for told, one in known.items()}
            allowed = [rows[repr(one)] for one in wanted]
            if any(rows is not None and not rows.size for rows in allowed):
                warn(
                    "filter: no object fits that of a question, which has no results; "
                    f"{HOW_COMPARED}",
                )
        ways = self._ways(expand)
        return self.retriever.retrieve(
            questions if isinstance(questions, Questions) else queries,
            options=options,
            allowed=allowed,
            expand=partial(self._steps.from_best, proximities=ways) if ways else None,
            progress=progress,
        )

    def asked(self, question: str) -> str:
        """See `Collection`."""
        return self.lexical.reading.asked(check_text("question", question))

    @property
    def spoken(self) -> str | None:
        """See `Collection`."""
        return self.lexical.reading.spoken

    counts_words = True

    def words_in(self, questions: Sequence[str], rows: Int[ndarray, "B n"]) -> WordsIn:
        """See `Collection`."""
        return self.lexical.words_in(questions, rows)

    def _ways(self, expand: bool | Sequence[str]) -> list[str]:
        """The proximities that expansion follows."""
        if expand is None or isinstance(expand, bool):
            return self.graph.proximities() if expand else []
        return check_proximities(check_names("expand", expand, of="names, or True"), self.graph)

    def questions(self, queries: Sequence[Query]) -> Questions:
        """Questions whose candidates another retriever found; embedded when a ranker needs it."""
        return Questions(queries, lambda: self.retriever.embed([query.text for query in queries]))

    @cached_property
    def retriever(self) -> HybridRetriever:
        """The base retriever over this index."""
        return HybridRetriever(
            self.embedder,
            self.embeddings,
            self.lexical,
            self.options,
            store=self.nearest,
            titles=partial(titled, self),
        )

    @cached_property
    def rows(self) -> dict[str, int]:
        """The row of each id."""
        return {name: row for row, name in enumerate(self.ids)}

    @property
    def has_queries(self) -> bool:
        """Whether questions came with the source."""
        return self.folder is not None and has_queries(self.folder)

    @cached_property
    def queries(self) -> dict[str, Query]:
        """The questions that came with the source, by id.

        Raises:
            InputError: if there are none.
        """
        if self.folder is None or not self.has_queries:
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

    @property
    def judgements_by_split(self) -> dict[str, Judgements]:
        """The judgements of every split; empty if no questions came with the source."""
        if self.folder is None or not self.has_queries:
            return {}
        return {split: self.judgements(split) for split in splits(self.folder)}

    @cached_property
    def pair_graphs(self) -> PairGraphs:
        """The joint AMR graphs of questions and objects from the source; see `read_pair_graphs`."""
        if self.folder is None or not self.has_queries:
            return {}
        known = self.rows.keys() | self.deleted
        graphs = read_pair_graphs(self.folder, objects=known, queries=self.queries)
        return {pair: graph for pair, graph in graphs.items() if pair[1] in self.rows}

    @cached_property
    def _steps(self) -> Steps:
        return Steps(self.graph)

    @cached_property
    def _metadata_rows(self) -> MetadataRows:
        return MetadataRows(len(self), lambda: StackedObjects.of(self.objects).metadata)

    def allowed(self, wanted: Mapping[str, Any] | None) -> Int[ndarray, " m"] | None:
        """The rows that match a filter, None for all; raises as `retrieve`."""
        checked = {} if wanted is None else check_filter(wanted, "filter")
        return self._metadata_rows.matching(checked) if checked else None
