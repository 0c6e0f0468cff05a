"""Lists of candidates that another retriever returned, as a collection of their own."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import overload

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from grapher_jax.checks import check_list, finite, short_repr
from grapher_jax.corpus import NearKeys, Object, Query, as_query, check_metadata
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
from grapher_jax.rankers.running import best_first, check_width
from grapher_jax.retrieve.collection import Candidates, Collection, Kept, Questions
from grapher_jax.retrieve.embedders import AnyEmbedder, Embedder, open_embedder, shared_embedder
from grapher_jax.retrieve.hybrid import check_questions
from grapher_jax.retrieve.scorers import Scorer
from grapher_jax.text import readable


@dataclass(frozen=True)
class Listed(Collection):
    """Candidates as another retriever gave them, list after list (a `Collection`).

    Attributes:
        given: the candidates.
        metadata: theirs, checked.
        arrays: the same as integer arrays.
        given_embedder: the embedder of the embeddings, or its name.
        compared: which of the candidates have an embedding; None where nothing can embed any.
        places: of each in its own list, from 0.
        kept: what rankers made of them.
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

    @property
    def ids(self) -> list[str]:
        """The id of every row."""
        return [candidate["id"] for candidate in self.given]

    @property
    def objects(self) -> Sequence[Object]:
        """The candidates as objects, each made when it is read."""
        return _Objects(self.given, self.metadata)

    @cached_property
    def graph(self) -> GraphArrays:
        """The metadata of all rows, and their embeddings where edges join by them."""
        if not reads_embeddings(self.arrays.edges):
            return self.arrays
        return replace(self.arrays, vectors=self.embeddings[:-1])

    @property
    def pair_graphs(self) -> Mapping[tuple[str, str], str]:
        """None: another retriever has no AMR graphs of questions with objects."""
        return {}

    def joined_by(self, rows: Int[ndarray, "B n"]) -> Sequence[Sequence[str]]:
        """See `Collection`: of each list what joins its own, whatever joins others."""
        graph = self.graph
        found = {
            name: np.any(graph.picked(joined, rows) > 0, axis=1)
            for name, joined in graph.joined().items()
        }
        return [[name for name, own in found.items() if own[place]] for place in range(len(rows))]

    @cached_property
    def embedder(self) -> Embedder:
        """What embeds the texts; loaded when it is first needed."""
        return _opened(self.given_embedder)

    @cached_property
    def embeddings(self) -> Float[ndarray, "N d"]:
        """`[N + 1, d]` those given and, for the others, of the texts; a last row of zeros.

        Those of candidates that are not compared are zeros.

        Raises:
            InputError: for a candidate without an embedding and a text that is to have one, or with
                an embedding of another dimension.
        """
        if self.compared is None:
            return np.zeros((len(self.given) + 1, 1), np.float32)
        # The last row is what rows of -1 find.
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
    """Any retriever's output as a collection and candidates, in the order of their scores.

    Args:
        questions: one a list.
        candidate_lists: see `Reranker.rerank_batch`.
        needs: of the ranker.
        name: of the ranker, for errors.
        embedder: see `Reranker.rerank_batch`.
        embeds: whether texts may be embedded for a cosine. If not, it is read where all of a list
            have an embedding and the caller names the embedder.
        edges: of one's own, as `check_edges` gives them.
        scorer: gives the scores, in the place of those of the candidates.

    Raises:
        InputError: naming the candidate, for what `Reranker.rerank_batch` refuses.
    """
    read = needs if embeds else replace(needs, cosine=False)
    embeds |= (by_meaning := reads_embeddings(edges or {}))
    given = check_lists(questions, candidate_lists, needs=read, name=name, scorer=scorer)
    queries = [as_query(question) for question in questions]
    by = needs.embedder or ("offline" if embedder is None else embedder)
    lists, known = with_scores([q.text for q in queries], given, needs, lambda: _opened(by))
    foreign = np.array([own is before for own, before in zip(lists, given, strict=True)], bool)
    # Lists without scores have embeddings of what compared them.
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
    # An embedder is loaded for what it compares or checks, and for nothing else.
    embeds_any = (
        needs.embedder is not None
        or bool(compared.any())
        or any(one.get("embedding") is not None for one in flat)
    )
    whose = compared[np.array(lists_of, int)] if embeds_any else None
    graph = _graph(flat, metadata, lists_of, edges)
    collection = Listed(flat, metadata, graph, by, whose, places)
    asked = Questions(queries, lambda: _embedded(queries, compared, collection, known))
    if needs.embedder or by_meaning:
        collection.embeddings  # noqa: B018  what cannot be embedded is told of now
    elif needs.cosine and embeds_any:
        collection, asked = _with_cosine(collection, asked, name)
    # As a retriever gives them: of many neighbours, a network reads the best ranked.
    order = best_first(rows, scores)
    return collection, Candidates(
        np.take_along_axis(rows, order, axis=1),
        np.take_along_axis(scores, order, axis=1).astype(np.float32),
        asked,
        any_scale=foreign,
    )


def _graph(
    flat: Sequence[Given],
    metadata: Sequence[Given],
    lists_of: Sequence[int],
    edges: Mapping[str, str] | None,
) -> GraphArrays:
    ids = [candidate["id"] for candidate in flat]
    # A candidate may well reference what the retriever did not return.
    return GraphArrays.build(ids, metadata, scopes=lists_of, warn_of_unknown=False, edges=edges)


def _arrays(
    lists: Sequence[Sequence[Given]],
) -> tuple[Int[ndarray, "B n"], Float[ndarray, "B n"]]:
    """The row of every candidate where lists follow one another, and its score; -1 for none."""
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
    """Whether all of a list have an embedding, or a text that counts; there is one at least."""
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
    """`[B, d]` the embeddings of the questions whose lists are compared; of others zeros."""
    vectors = np.zeros((len(queries), collection.embeddings.shape[1]), np.float32)
    places = np.flatnonzero(compared).tolist()
    if fresh := [place for place in places if place not in known]:
        texts = [readable(queries[place].text) for place in fresh]
        vectors[fresh] = collection.embedder.embed_queries(texts)
    for place in known.keys() & places:
        vectors[place] = known[place]
    return vectors


def _with_cosine(collection: Listed, asked: Questions, name: str) -> tuple[Listed, Questions]:
    """Both with their embeddings made; those of nothing, with a warning, where nothing embeds."""
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
    """The candidates as `as_candidates` gives them; arguments and errors as `collect`."""
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
    if needs.embedder or needs.texts:
        check_questions(asked)
    check_width(max(map(len, candidate_lists), default=0), needs, name)
    lists = [as_candidates(own, number) for number, own in enumerate(candidate_lists)]
    if needs.cosine:
        # A question that nothing is compared with may be empty.
        read = zip(asked, lists, strict=True)
        check_questions([text if _comparable(own) else "-" for text, own in read])
    return lists if scorer is None else scored_by(scorer, asked, lists)


def as_lists(
    questions: Sequence[str | Query], candidate_lists: Sequence[Sequence[object]]
) -> tuple[list[str | Query], list[list[object]]]:
    """Both as lists; raises InputError for what is none."""
    listed = check_list("candidate_lists", candidate_lists, of="lists, one a question")
    for number, own in enumerate(listed, start=1):
        # One of pandas gives the names of its columns, which are texts.
        if callable(getattr(own, "iterrows", None)):
            cure = 'give its records, frame.to_dict("records")'
            raise InputError(f"candidates of question {number}: are a data frame; {cure}")
    return check_list("questions", questions, of="questions"), [
        check_list(f"candidates of question {number}", candidates, of="candidates")
        for number, candidates in enumerate(listed, start=1)
    ]


def _warn_of_misplaced(candidates: Iterable[Given]) -> None:
    misplaced = NearKeys(beside=True)
    for candidate in candidates:
        misplaced.look(candidate["id"], candidate)
    if told := misplaced.told():
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
