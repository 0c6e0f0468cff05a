"""Lists of candidates from another retriever, as a collection of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, chain
from pathlib import Path
from typing import TypedDict, overload

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from grapher_jax.checks import check_list, finite, short_repr
from grapher_jax.corpus import Object, Query, as_query, check_metadata
from grapher_jax.corpus.misspelt import misplaced_keys, warn_of_near_references
from grapher_jax.errors import InputError, MissingExtraError, warn
from grapher_jax.graph import EMPTY, GraphArrays, reads_embeddings
from grapher_jax.rankers.given import (
    Given,
    as_candidates,
    given_vector,
    scored_by,
    string_of,
    with_scores,
)
from grapher_jax.rankers.protocol import Needs
from grapher_jax.rankers.running import check_width
from grapher_jax.retrieve.collection import Candidates, Collection, Kept, Questions
from grapher_jax.retrieve.embedders import AnyEmbedder, Embedder, open_embedder, shared_embedder
from grapher_jax.retrieve.hybrid import check_questions
from grapher_jax.retrieve.scorers import Scorer
from grapher_jax.text import readable


class Reranking(TypedDict, total=False):
    """The arguments of `Reranker.rerank` besides question and candidates."""

    k: int | None
    top_k: int | None
    top_n: int | None
    min_score: float | None
    return_documents: bool
    embedder: AnyEmbedder | None


@dataclass(frozen=True)
class Listed(Collection):
    """The candidates of another retriever, one list after the other (a `Collection`).

    Attributes:
        given: the candidates.
        metadata: the checked metadata of the candidates.
        arrays: the metadata as integer arrays.
        given_embedder: the embedder of the given embeddings, or its name.
        compared: which candidates have an embedding; None if nothing can embed them.
        places: the position of each candidate in its own list, from 0.
        kept: what rankers computed from the candidates.
    """

    given: Sequence[Given]
    metadata: Sequence[Given]
    arrays: GraphArrays
    given_embedder: AnyEmbedder
    compared: Bool[ndarray, " N"] | None
    places: Sequence[int]
    kept: Kept = field(default_factory=Kept)

    def __repr__(self) -> str:
        return short_repr(self, candidates=len(self.given))

    @cached_property
    def ids(self) -> list[str]:
        """The id of every row."""
        return [candidate["id"] for candidate in self.given]

    @property
    def objects(self) -> Sequence[Object]:
        """The candidates as objects, each created when it is read."""
        return _Objects(self.given, self.metadata)

    @cached_property
    def graph(self) -> GraphArrays:
        """The metadata of all rows, with their embeddings if an edge needs them."""
        if not reads_embeddings(self.arrays.edges):
            return self.arrays
        return replace(self.arrays, vectors=self.embeddings[:-1])

    @property
    def pair_graphs(self) -> Mapping[tuple[str, str], str]:
        """Empty: another retriever has no joint AMR graphs of questions and objects."""
        return {}

    def joined_by(self, rows: Int[ndarray, "B n"]) -> Sequence[Sequence[str]]:
        """See `Collection`; for each list, only what joins its own candidates."""
        graph = self.graph
        found = {
            name: np.any(graph.picked(joined, rows) > 0, axis=1)
            for name, joined in graph.joined().items()
        }
        return [[name for name, own in found.items() if own[place]] for place in range(len(rows))]

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder of the texts; loaded when it is first needed."""
        return _opened(self.given_embedder)

    @cached_property
    def embeddings(self) -> Float[ndarray, "N d"]:
        """`[N + 1, d]`: the given embeddings, else those of the texts; the last row is zero.

        Candidates that are not compared have rows of zeros.

        Raises:
            InputError: for a compared candidate without embedding and text, or an embedding of
                another dimension.
        """
        if self.compared is None:
            return np.zeros((len(self.given) + 1, 1), np.float32)
        # A row number of -1 selects this last row.
        vectors = np.zeros((len(self.given) + 1, self.embedder.dimension), np.float32)
        texts: dict[str, list[int]] = {}
        for place, (candidate, compared) in enumerate(zip(self.given, self.compared, strict=True)):
            if candidate.get("embedding") is not None:
                vectors[place] = given_vector(candidate, self.embedder) * compared
            elif compared:
                texts.setdefault(_text_of(candidate), []).append(place)
        if texts:
            embedded = self.embedder.embed_objects(list(texts))
            for places, vector in zip(texts.values(), embedded, strict=True):
                vectors[places] = vector
        return vectors


@dataclass(frozen=True)
class _Objects(Sequence[Object]):
    """Candidates as objects."""

    given: Sequence[Given]
    metadata: Sequence[Given]

    def __len__(self) -> int:
        return len(self.given)

    @overload
    def __getitem__(self, row: int) -> Object: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[Object]: ...
    def __getitem__(self, row: int | slice) -> Object | Sequence[Object]:
        if isinstance(row, slice):
            return [self[number] for number in range(*row.indices(len(self)))]
        return _as_object(self.given[row], self.metadata[row])


def collect(
    questions: Sequence[str | Query],
    candidate_lists: Sequence[Sequence[object]],
    *,
    needs: Needs,
    name: str,
    embedder: AnyEmbedder | None = None,
    embeds: bool = True,
    edges: Mapping[str, str] | None = None,
    scorer: Scorer | None = None,
) -> tuple[Listed, Candidates]:
    """Turns any retriever's output into a collection and candidates, sorted by score.

    Args:
        questions: one question per list.
        candidate_lists: see `Reranker.rerank_batch`.
        needs: what the ranker reads.
        name: the name of the ranker, for errors.
        embedder: see `Reranker.rerank_batch`.
        embeds: whether texts may be embedded to compute a cosine. If not, the cosine is used only
            if all candidates of a list have an embedding and the caller names the embedder.
        edges: edges of your own, as `check_edges` returns them.
        scorer: computes scores that replace those of the candidates.

    Raises:
        InputError: naming the candidate, as `Reranker.rerank_batch`.
    """
    read = needs if embeds else replace(needs, cosine=False)
    embeds |= (by_meaning := reads_embeddings(edges or {}))
    given = check_lists(questions, candidate_lists, needs=read, name=name, scorer=scorer)
    queries = [as_query(question) for question in questions]
    by = needs.embedder or ("offline" if embedder is None else embedder)
    lists, known = with_scores([q.text for q in queries], given, needs, lambda: _opened(by))
    foreign = np.array([own is before for own, before in zip(lists, given, strict=True)], bool)
    # Lists without scores have the embeddings that were used to compare them.
    embeddable = ~foreign | (embeds or embedder is not None)
    lists = [
        own if readable_by else _without_embeddings(own)
        for own, readable_by in zip(lists, embeddable, strict=True)
    ]
    flat = list(chain.from_iterable(lists))
    metadata = [check_metadata(c.get("metadata"), f"candidate {c['id']!r}") for c in flat]
    lists_of = [number for number, own in enumerate(lists) for _ in own]
    places = [place for own in lists for place in range(len(own))]
    rows, scores = _arrays(lists)
    _warn_of_misplaced(flat)
    compared = embeddable.copy()
    if needs.cosine or by_meaning:
        compared &= np.array([_comparable(own, texts=embeds) for own in lists], bool)
    # An embedder is loaded only if it must compare or check something.
    embeds_any = (
        needs.embedder is not None
        or bool(compared.any())
        or any(one.get("embedding") is not None for one in flat)
    )
    whose = compared[np.array(lists_of, int)] if embeds_any else None
    graph = _graph(lists, metadata, lists_of, edges)
    collection = Listed(flat, metadata, graph, by, whose, places)
    asked = Questions(queries, lambda: _embedded(queries, compared, collection, known))
    if needs.embedder or by_meaning:
        collection.embeddings  # noqa: B018  what cannot be embedded is told of now
    elif needs.cosine and embeds_any:
        collection, asked = _with_cosine(collection, asked, name)
    # Sorted as by a retriever: of many neighbours, a network reads the best ranked ones.
    return collection, Candidates(rows, scores, asked, any_scale=foreign).by_score()


def _graph(
    lists: Sequence[Sequence[Given]],
    metadata: Sequence[Given],
    lists_of: Sequence[int],
    edges: Mapping[str, str] | None,
) -> GraphArrays:
    ids = [candidate["id"] for own in lists for candidate in own]
    # Candidates often reference objects that the retriever did not return.
    graph = GraphArrays.build(ids, metadata, scopes=lists_of, warn_of_unknown=False, edges=edges)
    for key in ("foreign_keys", "inferred_keys"):
        if not len(getattr(graph, key).values):
            ends = [*accumulate(map(len, lists))]
            warn_of_near_references(
                key,
                (
                    (ids[own], chain.from_iterable(one.get(key, ()) for one in metadata[own]))
                    for own in map(slice, [0, *ends], ends)
                ),
            )
    return graph


def _arrays(
    lists: Sequence[Sequence[Given]],
) -> tuple[Int[ndarray, "B n"], Float[ndarray, "B n"]]:
    """The row of every candidate in the concatenated lists, and its score; -1 for padding."""
    rows = np.full((len(lists), max([1, *map(len, lists)])), EMPTY, np.int32)
    scores = np.zeros(rows.shape)
    first = 0
    for number, own in enumerate(lists):
        rows[number, : len(own)] = np.arange(first, first + len(own))
        scores[number, : len(own)] = [finite(one["score"]) for one in own]
        first += len(own)
    return rows, scores


def _opened(embedder: AnyEmbedder) -> Embedder:
    return (
        shared_embedder(embedder) if isinstance(embedder, str | Path) else open_embedder(embedder)
    )


def _without_embeddings(candidates: Sequence[Given]) -> list[Given]:
    return [{**one, "embedding": None} for one in candidates]


def _comparable(candidates: Sequence[Given], *, texts: bool = True) -> bool:
    """Whether a list is not empty, and all candidates have an embedding or a usable text."""
    return bool(candidates) and all(
        one.get("embedding") is not None or (texts and _as_object(one, {}).searchable_text)
        for one in candidates
    )


def _embedded(
    queries: Sequence[Query],
    compared: Bool[ndarray, " B"],
    collection: Listed,
    known: Mapping[int, Float[ndarray, " d"]],
) -> Float[ndarray, "B d"]:
    """`[B, d]` the embeddings of the questions with compared lists; zeros for the others."""
    vectors = np.zeros((len(queries), collection.embeddings.shape[1]), np.float32)
    places = np.flatnonzero(compared).tolist()
    if fresh := [place for place in places if place not in known]:
        texts = [readable(queries[place].text) for place in fresh]
        vectors[fresh] = collection.embedder.embed_queries(texts)
    for place in known.keys() & places:
        vectors[place] = known[place]
    return vectors


def _with_cosine(collection: Listed, asked: Questions, name: str) -> tuple[Listed, Questions]:
    """Both with embeddings computed; or without any, and a warning, if nothing can embed."""
    try:
        collection.embeddings, asked.embeddings  # noqa: B018
    except MissingExtraError as error:
        warn(f"{name}: no cosine of question and candidate is read, for {error}")
        none = np.zeros((len(asked), 1), np.float32)
        return replace(collection, compared=None), Questions(asked.queries, lambda: none)
    return collection, asked


def check_lists(
    questions: Sequence[str | Query],
    candidate_lists: Sequence[Sequence[object]],
    *,
    needs: Needs,
    name: str,
    scorer: Scorer | None = None,
) -> list[list[Given]]:
    """The candidates as `as_candidates` returns them; arguments and errors as `collect`."""
    if needs.other_objects:
        raise InputError(
            f"ranker: {name!r} reads the documents around candidates; give the other "
            "retriever's results as a run: grapher-jax rerank INDEX --run"
        )
    if len(questions) != len(candidate_lists):
        raise InputError(
            f"candidate_lists: {len(candidate_lists)} lists for {len(questions)} questions; "
            "give one each"
        )
    asked = [as_query(question).text for question in questions]
    check_questions(asked, empty=not (needs.embedder or needs.texts))
    check_width(max(map(len, candidate_lists), default=0), needs, name)
    lists = [as_candidates(own, number) for number, own in enumerate(candidate_lists)]
    if needs.cosine:
        # A question may be empty if nothing is compared with it.
        read = zip(asked, lists, strict=True)
        check_questions([text if _comparable(own) else "-" for text, own in read])
    return lists if scorer is None else scored_by(scorer, asked, lists)


def as_lists(
    questions: Sequence[str | Query], candidate_lists: Sequence[Sequence[object]]
) -> tuple[list[str | Query], list[list[object]]]:
    """Both arguments as lists; raises InputError if one cannot be a list."""
    listed = check_list("candidate_lists", candidate_lists, of="lists, one a question")
    for number, own in enumerate(listed, start=1):
        # Iterating over a pandas data frame gives its column names, which are texts.
        if callable(getattr(own, "iterrows", None)):
            cure = 'give its records, frame.to_dict("records")'
            raise InputError(f"candidates of question {number}: are a data frame; {cure}")
    return check_list("questions", questions, of="questions"), [
        check_list(f"candidates of question {number}", candidates, of="candidates")
        for number, candidates in enumerate(listed, start=1)
    ]


def _warn_of_misplaced(candidates: Sequence[Given]) -> None:
    if told := misplaced_keys((one["id"], one) for one in candidates):
        warn(f"candidates: {told}")


def _as_object(candidate: Given, metadata: Given) -> Object:
    text, title = string_of(candidate, "text"), string_of(candidate, "title")
    return Object(candidate["id"], text, title, metadata)


def _text_of(candidate: Given) -> str:
    item = _as_object(candidate, {})
    if not item.searchable_text:
        raise InputError(
            f"candidate {candidate['id']!r}: a trained ranker reads embeddings; give it a `text` "
            "or an `embedding`"
        )
    return readable(item.searchable_text)
