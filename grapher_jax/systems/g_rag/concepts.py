"""The concepts of documents, and the paths from a question to them (G-RAG, section 3).

Concepts are the nodes of AMR graphs. For a text without one, its entities and keywords are used
instead: each is joined to all others of the same text, and a question has those of its metadata and
those that its words name.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.corpus import Object, Query
from grapher_jax.corpus.amr import (
    QUESTION,
    SENSE,
    AmrGraph,
    concept_sequence,
    join_amr,
    parse_amr,
    reaches,
)
from grapher_jax.files import Json
from grapher_jax.graph import EMPTY, Ragged
from grapher_jax.rankers.explanation import in_common
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.shapes import pad
from grapher_jax.text import normalise, phrases, readable

# The results of `concept_source` if all texts have AMR, or none.
AMR, FALLBACK = "AMR", "entities and keywords, for want of AMR"
# The maximum number of names of a text without AMR that are joined to each other.
_MOST_JOINED = 100
# The widths of padded lists are this minimum times powers of this factor: each width compiles a
# program.
_WIDTH, _GROWTH = 16, 4
# Technical nodes of AMR, which would join all texts with names, negations or polite forms.
_TECHNICAL = {"name", "-", "+", ""}

Edge = tuple[str, str, str]


@dataclass(frozen=True)
class ConceptGraph:
    """The concepts of one text, and the relations between them.

    Attributes:
        names: the normalised concepts, in the order of the text's metadata; empty for AMR.
        amr: the AMR graph, if any.
    """

    names: Sequence[str]
    amr: AmrGraph | None = None

    @classmethod
    def of_amr(cls, graph: AmrGraph) -> "ConceptGraph":
        """The concepts and relations of an AMR graph."""
        return cls(sorted(set(map(normalise, graph.nodes)) - _TECHNICAL), graph)

    @classmethod
    def of_names(cls, names: Iterable[str]) -> "ConceptGraph":
        """A graph in which each name is joined to all others."""
        return cls([name for name in dict.fromkeys(map(normalise, names)) if name])

    @property
    def words(self) -> list[str]:
        """The concepts as words in a text: those of AMR without their senses."""
        if not self.amr:
            return list(self.names)
        senses = {*map(normalise, self.amr.concepts.values())}
        return [SENSE.sub("", name) if name in senses else name for name in self.names]

    def edges(self, names: Set[str]) -> Set[Edge]:
        """The edges (concept, role, concept) between these concepts."""
        if self.amr:
            named = {(normalise(a), role, normalise(b)) for a, role, b in self.amr.edges}
            return {edge for edge in named if edge[0] in names and edge[2] in names}
        return {(a, "", b) for a, b in combinations(sorted(self.joined(names)), 2)}

    def joined(self, names: Set[str]) -> list[str]:
        """Those of its concepts that are joined to each other, if it has no AMR."""
        return [name for name in self.names if name in names][:_MOST_JOINED]


@dataclass(frozen=True)
class DocumentGraphs:
    """The data by which documents of B questions are compared and encoded.

    Attributes:
        concepts: `[B, n, c]` the numbers of each document's concepts, -1 where unused.
        triples: `[B, n, t]` the numbers of its relations.
        encoded: `[P, d]` embeddings of documents with their concept sequences from the question.
        places: `[B, n]` the position of each document in `encoded`; -1 if no path leads from the
            question to it, so that its own embedding is used.
        parsed: whether all questions and documents have AMR graphs.
    """

    concepts: Int[ndarray, "B n c"]
    triples: Int[ndarray, "B n t"]
    encoded: Float[ndarray, "P d"]
    places: Int[ndarray, "B n"]
    parsed: bool


def build_document_graphs(
    collection: Collection, candidates: Candidates, *, max_df: int | None, paths: bool
) -> DocumentGraphs:
    """Build the graphs of every question's candidates.

    Args:
        collection: the collection of which candidates are rows.
        candidates: the candidates of B questions.
        max_df: ignore concepts and relations that more than this many objects have; None for no
            limit.
        paths: whether documents are encoded with concept sequences.

    Raises:
        InputError: for a malformed AMR graph, naming the object, the question or the pair.
    """
    rows = candidates.rows
    known = collection.kept.get(_Corpus.read, collection, max_df)
    numbers = {"concepts": known.concepts.padded(rows), "triples": known.triples.padded(rows)}
    joint: dict[str, dict[tuple[int, int], list[int]]] = {name: {} for name in numbers}
    # Concepts that occur only in joint graphs are numbered only for this batch.
    fresh: dict[Any, int] = {}
    places = np.full(rows.shape, EMPTY, np.int32)
    texts: dict[str, int] = {}
    parsed = True
    for q, query in enumerate(candidates.questions):
        asked = known.of_question(query)
        pairs = known.of_pairs(query, asked, rows[q])
        for place, (graph, names) in pairs.items():
            joint["concepts"][q, place] = known.number(names, fresh)
            joint["triples"][q, place] = known.number(graph.edges(names), fresh)
        for place, row in enumerate(rows[q].tolist()):
            if row == EMPTY:
                continue
            pair = pairs[place][0] if place in pairs else None
            parsed &= pair is not None or (asked.amr is not None and row in known.parsed)
            words = known.sequence(asked, row, pair) if paths else ()
            text = collection.objects[row].searchable_text if words else ""
            if text:  # a candidate without a text has a given embedding
                read = readable(f"{text} {' '.join(words)}")
                places[q, place] = texts.setdefault(read, len(texts))
    for name, found in joint.items():
        numbers[name] = _replaced(numbers[name], found)
    embedder = collection.embedder
    encoded = embedder.embed_objects(list(texts)) if texts else np.zeros((0, embedder.dimension))
    return DocumentGraphs(
        **numbers, encoded=encoded.astype(np.float32), places=places, parsed=parsed
    )


def concept_source(collection: Collection) -> str:
    """The source of the concepts: `AMR` graphs, the substitute, or both."""
    parsed = sum(bool(item.metadata.get("amr")) for item in collection.objects)
    total, pairs = len(collection.objects), len(collection.pair_graphs)
    joint = f" and {pairs} pairs" if pairs else ""
    mixed = f"AMR of {parsed} of {total} objects{joint}, entities and keywords of the others"
    source = AMR if parsed == total else mixed
    return source if parsed or pairs else FALLBACK


def shared_concepts(
    collection: Collection,
    candidates: Candidates,
    positions: Iterable[int],
    *,
    max_df: int | None,
) -> list[dict[int, list[str]]]:
    """For some candidates of one question, the concepts shared with others, by their positions."""
    known = collection.kept.get(_Corpus.read, collection, max_df)
    rows, query = candidates.rows[0], candidates.questions[0]
    pairs = known.of_pairs(query, known.of_question(query), rows)
    own: list[Set[str]] = [
        pairs[place][1]
        if place in pairs
        else {name for name in known.of_object(row).names if name in known.numbers}
        if row != EMPTY
        else set()
        for place, row in enumerate(rows.tolist())
    ]
    return in_common(own, positions)


@dataclass
class _Corpus:
    """The concepts of all objects, numbered.

    Attributes:
        collection: the objects.
        concepts: for each object, the concepts that join it to others.
        triples: for each object, the relations that join it to others.
        spelled: all concepts, by their form in a text.
        called: the form of each concept in a text.
        frequent: the concepts that too many objects have.
        numbers: the numbers of the concepts and relations that join objects.
        parsed: the graphs of objects with AMR, by row.
    """

    collection: Collection
    concepts: Ragged
    triples: Ragged
    spelled: Mapping[str, Set[str]]
    called: Mapping[str, str]
    frequent: Set[str]
    numbers: dict[Any, int]
    parsed: Mapping[int, ConceptGraph]

    @classmethod
    def read(cls, collection: Collection, max_df: int | None) -> "_Corpus":
        """Reads the concepts of all objects, once."""
        graphs = [_of_object(item) for item in collection.objects]
        frequency = Counter(chain.from_iterable(graph.names for graph in graphs))
        # A concept of a single object joins nothing, except in joint graphs.
        least = 1 if collection.pair_graphs else 2
        most = len(graphs) if max_df is None else max_df
        spelled: dict[str, set[str]] = {}
        for graph in graphs:
            for word, name in zip(graph.words, graph.names, strict=True):
                spelled.setdefault(word, set()).add(name)
        joining = sorted(name for name, count in frequency.items() if least <= count <= most)
        numbers: dict[Any, int] = {name: number for number, name in enumerate(joining)}
        return cls(
            collection,
            Ragged.build([numbers[n] for n in g.names if n in numbers] for g in graphs),
            _numbered_edges(graphs, numbers, least, most),
            spelled,
            {name: word for word, names in spelled.items() for name in names},
            {name for name, count in frequency.items() if count > most},
            numbers,
            {row: graph for row, graph in enumerate(graphs) if graph.amr},
        )

    def of_object(self, row: int) -> ConceptGraph:
        """One object's graph."""
        return self.parsed.get(row) or _of_object(self.collection.objects[row])

    def of_question(self, query: Query) -> ConceptGraph:
        """A question's graph: from its AMR, or from its metadata and the names in its words."""
        amr = query.metadata.get("amr")
        if amr:
            return ConceptGraph.of_amr(parse_amr(amr, f"query {query.id!r}"))
        listed = [*map(normalise, _listed(query.metadata))]
        called = (sorted(self.spelled.get(p, ())) for p in (*listed, *phrases(query.text)))
        return ConceptGraph.of_names(chain(listed, chain.from_iterable(called)))

    def of_pairs(
        self, query: Query, asked: ConceptGraph, rows: Int[ndarray, " n"]
    ) -> dict[int, tuple[ConceptGraph, Set[str]]]:
        """By position, the joint graphs of a question, and the concepts that they add to it.

        These are the concepts that the question's own graph lacks. If the question has no graph,
        they are the concepts that not all of the joint graphs have.
        """
        found: dict[int, ConceptGraph] = {}
        for place, row in enumerate(rows.tolist() if self.collection.pair_graphs else ()):
            identity = self.collection.ids[row] if row != EMPTY else ""
            amr = self.collection.pair_graphs.get((query.id, identity))
            if amr is not None:
                found[place] = _joint_graph(amr, f"query {query.id!r} with {identity!r}")
        names = [{*graph.names} for graph in found.values()]
        common = set.intersection(*names) if len(names) > 1 and not asked.amr else set()
        left_out = self.frequent | common | ({*asked.names} if asked.amr else set())
        return {
            place: (graph, {n for n in graph.names if n not in left_out and not _asks(n)})
            for place, graph in found.items()
        }

    def sequence(self, asked: ConceptGraph, row: int, pair: ConceptGraph | None) -> Sequence[str]:
        """The concepts on the paths from the question into an object; empty if there is none."""
        if pair and pair.amr:
            return concept_sequence(pair.amr)
        own = self.of_object(row)
        if asked.amr and own.amr:
            joined = join_amr(asked.amr, own.amr)
            return concept_sequence(joined) if reaches(joined, own.amr) else ()
        if not any(map(set(asked.names).__contains__, own.names)):
            return ()
        words = (self.called.get(name, name) for name in (*asked.names, *own.names))
        return tuple(dict.fromkeys((QUESTION, *words)))

    def number(self, found: Iterable[Any], fresh: dict[Any, int]) -> list[int]:
        """The numbers of concepts or relations; those without a number get a new one."""
        return [
            self.numbers[one]
            if one in self.numbers
            else fresh.setdefault(one, len(self.numbers) + len(fresh))
            for one in sorted(found)
        ]


def _numbered_edges(
    graphs: Sequence[ConceptGraph], numbers: dict[Any, int], least: int, most: int
) -> Ragged:
    """For each graph its edges that `least` to `most` graphs have, which get the next numbers."""
    names = list(numbers)
    size = len(names)
    roles = {"": 0}

    # An edge is one integer: there may be a hundred for every concept.
    def codes(graph: ConceptGraph) -> Int[ndarray, " e"]:
        if graph.amr:
            ends = [
                (roles.setdefault(role, len(roles)) * size + numbers[a]) * size + numbers[b]
                for a, role, b in sorted(graph.edges(numbers.keys()))
            ]
            return np.array(sorted(ends), np.int64)
        own = np.array(sorted(map(numbers.__getitem__, graph.joined(numbers.keys()))), np.int64)
        first, second = np.triu_indices(len(own), 1)
        return own[first] * size + own[second]

    found = [codes(graph) for graph in graphs]
    edges, places, counts = np.unique(
        np.concatenate([np.zeros(0, np.int64), *found]), return_inverse=True, return_counts=True
    )
    shared = (counts >= least) & (counts <= most)
    numbered = np.where(shared, size - 1 + np.cumsum(shared), EMPTY)[places]
    said = list(roles)
    for edge in edges[shared].tolist():
        ends, second = divmod(edge, size)
        role, first = divmod(ends, size)
        numbers[names[first], said[role], names[second]] = len(numbers)
    offsets = np.cumsum([0, *map(len, found)])
    return Ragged(offsets, numbered.astype(np.int32)).where(numbered != EMPTY)


def _of_object(item: Object) -> ConceptGraph:
    amr = item.metadata.get("amr")
    if amr:
        return ConceptGraph.of_amr(parse_amr(amr, f"object {item.id!r}"))
    return ConceptGraph.of_names(_listed(item.metadata))


@lru_cache(maxsize=1 << 12)
def _joint_graph(amr: str, place: str) -> ConceptGraph:
    return ConceptGraph.of_amr(parse_amr(amr, place))


def _asks(name: str) -> bool:
    """Whether it is the node `question`, in any sense."""
    return SENSE.sub("", name) == QUESTION


def _listed(metadata: Mapping[str, Json]) -> Iterator[str]:
    return chain(metadata.get("entities", ()), metadata.get("keywords", ()))


def _replaced(
    numbers: Int[ndarray, "B n c"], found: Mapping[tuple[int, int], Sequence[int]]
) -> Int[ndarray, "B n m"]:
    """Replaces the lists of some documents, and pads all lists to one of a few widths."""
    widest, width = max(numbers.shape[2], *map(len, found.values()), 1), _WIDTH
    while width < widest:
        width *= _GROWTH
    numbers = pad(numbers, (*numbers.shape[:2], width), EMPTY)
    for place, own in found.items():
        numbers[place] = EMPTY
        numbers[place][: len(own)] = own
    return numbers
