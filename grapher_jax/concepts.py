"""Concepts of a question's documents, and how the question leads to them (G-RAG, section 3).

Concepts are the nodes of AMR graphs. Where a text has none, its entities and keywords stand in for
them: each is joined to every other of the same text, and a question has those of its metadata and
those that its words name.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any, cast

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.buckets import pad, power_of_two
from grapher_jax.corpus import Object, Query
from grapher_jax.corpus.amr import AmrGraph, concept_sequence, join_amr, parse_amr, reaches
from grapher_jax.graph import EMPTY, Ragged
from grapher_jax.retrieve.hybrid import Candidates, Passages
from grapher_jax.text import normalise, phrases, readable

QUESTION = "question"
# What `concept_source` answers where all texts have AMR, or none.
AMR, FALLBACK = "AMR", "entities and keywords, for want of AMR"
# The sense in which a concept is meant, as in `want-01`.
_SENSE = re.compile(r"-\d\d+$")
# Nodes of AMR's own, which would join all that has a name, or is denied.
_TECHNICAL = {"name", "-", ""}

Edge = tuple[str, str, str]


@dataclass(frozen=True)
class ConceptGraph:
    """The concepts of one text, and the relations between them.

    Attributes:
        names: the concepts as they are compared, in the order of the text's metadata; AMR has none.
        amr: the graph that they are of, if any.
    """

    names: Sequence[str]
    amr: AmrGraph | None = None

    @classmethod
    def of_amr(cls, graph: AmrGraph) -> "ConceptGraph":
        """Concepts and relations of an AMR graph."""
        return cls(sorted(set(map(normalise, graph.nodes)) - _TECHNICAL), graph)

    @classmethod
    def of_names(cls, names: Iterable[str]) -> "ConceptGraph":
        """Each name joined to every other."""
        return cls([name for name in dict.fromkeys(map(normalise, names)) if name])

    @property
    def words(self) -> list[str]:
        """The concepts as a text may call them: those of AMR without their senses."""
        return [_SENSE.sub("", name) if self.amr else name for name in self.names]

    @property
    def edges(self) -> Set[Edge]:
        """(concept, role, concept)."""
        if self.amr:
            named = {(normalise(a), role, normalise(b)) for a, role, b in self.amr.edges}
            return {edge for edge in named if _TECHNICAL.isdisjoint(edge)}
        return {(a, "", b) for a, b in combinations(sorted(self.names), 2)}


@dataclass(frozen=True)
class DocumentGraphs:
    """What the documents of B questions are compared by, and read with.

    Attributes:
        concepts: `[B, n, c]` numbers of each document's concepts, -1 where unused.
        triples: `[B, n, t]` of its relations.
        encoded: `[P, d]` embeddings of documents with the concept sequences that the question
            leads to them by.
        places: `[B, n]` where each document stands in `encoded`; -1 where the question leads
            nowhere in it, and its own embedding serves.
    """

    concepts: Int[ndarray, "B n c"]
    triples: Int[ndarray, "B n t"]
    encoded: Float[ndarray, "P d"]
    places: Int[ndarray, "B n"]


def build_document_graphs(
    candidates: Candidates, *, max_df: int | None, paths: bool
) -> DocumentGraphs:
    """The graphs of every question's candidates.

    Args:
        candidates: with `questions` and `passages`.
        max_df: concepts and relations that more objects have join nobody; None lets all join.
        paths: whether documents are read with concept sequences.

    Raises:
        InputError: for a malformed AMR graph, naming the object, the question or the pair.
    """
    passages = cast(Passages, candidates.passages)
    known = _corpus(passages, max_df)
    rows = candidates.rows
    numbers = {"concepts": known.concepts.padded(rows), "triples": known.triples.padded(rows)}
    joint: dict[str, dict[tuple[int, int], list[int]]] = {name: {} for name in numbers}
    places = np.full(rows.shape, EMPTY, np.int32)
    texts: dict[str, int] = {}
    for q, query in enumerate(candidates.questions):
        asked = known.of_question(query)
        items = {p: passages.objects[row] for p, row in enumerate(rows[q]) if row != EMPTY}
        met = {place: known.of_pair(query, item) for place, item in items.items()}
        pairs = {place: pair for place, pair in met.items() if pair}
        own = {
            "concepts": _told([set(pair.names) for pair in pairs.values()], set(asked.names)),
            "triples": _told([pair.edges for pair in pairs.values()], asked.edges),
        }
        for name, told in own.items():
            for place, one in zip(pairs, told, strict=True):
                joint[name][q, place] = known.number(one)
        for place, item in items.items() if paths else ():
            words = known.sequence(asked, int(rows[q, place]), met[place])
            # One without a text has a given embedding.
            if words and item.searchable_text:
                text = readable(f"{item.searchable_text} {' '.join(words)}")
                places[q, place] = texts.setdefault(text, len(texts))
    for name, found in joint.items():
        numbers[name] = _replaced(numbers[name], found)
    embedder = passages.embedder
    encoded = embedder.embed_objects(list(texts)) if texts else np.zeros((0, embedder.dimension))
    return DocumentGraphs(**numbers, encoded=encoded.astype(np.float32), places=places)


def concept_source(passages: Passages) -> str:
    """What these texts' concepts are: `AMR` graphs, what stands in for them, or which of both."""
    if "concepts" not in passages.memo:
        parsed = {item.id for item in passages.objects if item.metadata.get("amr")}
        parsed |= {identity for _, identity in passages.pairs}
        total = len(passages.objects)
        mixed = f"AMR of {len(parsed)} of {total} objects, entities and keywords of the others"
        source = mixed if len(parsed) < total else AMR
        passages.memo["concepts"] = source if parsed else FALLBACK
    return str(passages.memo["concepts"])


def shared_concepts(candidates: Candidates, *, max_df: int | None) -> list[dict[int, list[str]]]:
    """Of each of one question's candidates, by the places of others what they have in common."""
    passages = cast(Passages, candidates.passages)
    numbers = build_document_graphs(candidates, max_df=max_df, paths=False).concepts[0]
    names = {number: name for name, number in _corpus(passages, max_df).numbers.items()}
    own = [{names[number] for number in listed if number != EMPTY} for listed in numbers.tolist()]
    return [
        {other: sorted(mine & theirs) for other, theirs in enumerate(own) if mine & theirs}
        for mine in own
    ]


@dataclass
class _Corpus:
    """The concepts of all objects, numbered.

    Attributes:
        passages: the objects.
        concepts: of each object those that join it to others.
        triples: likewise its relations.
        spelled: all concepts, by what a text may call them.
        called: what a text calls each.
        frequent: those which too many objects have.
        numbers: of the concepts and relations that join.
        parsed: the graphs of objects with AMR, by row.
    """

    passages: Passages
    concepts: Ragged
    triples: Ragged
    spelled: Mapping[str, Set[str]]
    called: Mapping[str, str]
    frequent: Set[str]
    numbers: dict[Any, int]
    parsed: Mapping[int, ConceptGraph]

    @classmethod
    def read(cls, passages: Passages, max_df: int | None) -> "_Corpus":
        """All of them, once."""
        graphs = [_of_object(item) for item in passages.objects]
        frequency = Counter(chain.from_iterable(graph.names for graph in graphs))
        # One that a single object has joins nobody, but for those of joint graphs.
        least = 1 if passages.pairs else 2
        most = len(graphs) if max_df is None else max_df
        spelled: dict[str, set[str]] = {}
        for graph in graphs:
            for word, name in zip(graph.words, graph.names, strict=True):
                spelled.setdefault(word, set()).add(name)
        joining = {name for name, count in frequency.items() if least <= count <= most}
        related = Counter(edge for graph in graphs for edge in _among(graph.edges, joining))
        numbers: dict[Any, int] = {name: number for number, name in enumerate(sorted(joining))}
        for edge, count in sorted(related.items()):
            if least <= count <= most:
                numbers[edge] = len(numbers)
        return cls(
            passages,
            Ragged.build([numbers[n] for n in g.names if n in numbers] for g in graphs),
            Ragged.build([numbers[e] for e in g.edges if e in numbers] for g in graphs),
            spelled,
            {name: word for word, names in spelled.items() for name in names},
            {name for name, count in frequency.items() if count > most},
            numbers,
            {row: graph for row, graph in enumerate(graphs) if graph.amr},
        )

    def of_object(self, row: int) -> ConceptGraph:
        """One object's graph."""
        return self.parsed.get(row) or _of_object(self.passages.objects[row])

    def of_question(self, query: Query) -> ConceptGraph:
        """A question's graph: of its AMR, or of its metadata and of the names in its words."""
        amr = query.metadata.get("amr")
        if amr:
            return ConceptGraph.of_amr(parse_amr(amr, f"query {query.id!r}"))
        listed = [*map(normalise, _listed(query.metadata))]
        called = (sorted(self.spelled.get(p, ())) for p in (*listed, *phrases(query.text)))
        return ConceptGraph.of_names(chain(listed, chain.from_iterable(called)))

    def of_pair(self, query: Query, item: Object) -> ConceptGraph | None:
        """The joint graph of a question and an object, where there is one."""
        amr = self.passages.pairs.get((query.id, item.id))
        if amr is None:
            return None
        return ConceptGraph.of_amr(parse_amr(amr, f"query {query.id!r} with {item.id!r}"))

    def sequence(self, asked: ConceptGraph, row: int, pair: ConceptGraph | None) -> Sequence[str]:
        """The concepts on the question's ways into an object; none where it leads nowhere."""
        if pair and pair.amr:
            return concept_sequence(pair.amr)
        own = self.of_object(row)
        if asked.amr and own.amr:
            joined = join_amr(asked.amr, own.amr)
            return concept_sequence(joined) if reaches(joined, own.amr) else ()
        if set(asked.names).isdisjoint(own.names):
            return ()
        words = (self.called.get(name, name) for name in (*asked.names, *own.names))
        return tuple(dict.fromkeys((QUESTION, *words)))

    def number(self, found: Set[Any]) -> list[int]:
        """The numbers of concepts or relations, without those of frequent ones."""
        kept = (one for one in sorted(found) if self.frequent.isdisjoint(_ends(one)))
        return [self.numbers.setdefault(one, len(self.numbers)) for one in kept]


def _corpus(passages: Passages, max_df: int | None) -> _Corpus:
    key = ("concepts", max_df)
    if key not in passages.memo:
        passages.memo[key] = _Corpus.read(passages, max_df)
    return cast(_Corpus, passages.memo[key])


def _of_object(item: Object) -> ConceptGraph:
    amr = item.metadata.get("amr")
    if amr:
        return ConceptGraph.of_amr(parse_amr(amr, f"object {item.id!r}"))
    return ConceptGraph.of_names(_listed(item.metadata))


def _told(found: Sequence[Set[Any]], asked: Set[Any]) -> list[Set[Any]]:
    """What joint graphs of a question say beyond the question: what the question's own graph lacks.

    Where it has none, that is what not all of them say.
    """
    common = asked
    if not asked and len(found) > 1:
        common = frozenset.intersection(*map(frozenset, found))
    return [
        {one for one in own - common if all(_SENSE.sub("", end) != QUESTION for end in _ends(one))}
        for own in found
    ]


def _listed(metadata: Mapping[str, Any]) -> Iterator[str]:
    return chain(metadata.get("entities", ()), metadata.get("keywords", ()))


def _among(edges: Iterable[Edge], names: Set[str]) -> Iterator[Edge]:
    return (edge for edge in edges if edge[0] in names and edge[2] in names)


def _ends(one: str | Edge) -> tuple[str, ...]:
    """A concept itself, or the two that a relation joins."""
    return (one,) if isinstance(one, str) else (one[0], one[2])


def _replaced(
    numbers: Int[ndarray, "B n c"], found: Mapping[tuple[int, int], Sequence[int]]
) -> Int[ndarray, "B n m"]:
    """The lists of some documents replaced."""
    widest = power_of_two(max(map(len, found.values()), default=0))
    numbers = pad(numbers, (*numbers.shape[:2], max(widest, numbers.shape[2])), EMPTY)
    for place, own in found.items():
        numbers[place] = EMPTY
        numbers[place][: len(own)] = own
    return numbers
