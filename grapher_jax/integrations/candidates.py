"""What the frameworks have in common: options, and their documents as candidates.

pydantic comes with every one of them.
"""

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Generic, TypeVar

import numpy as np
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PrivateAttr,
    ValidationError,
    model_validator,
)

from grapher_jax.corpus import check_metadata
from grapher_jax.corpus.flat import unflatten
from grapher_jax.errors import InputError, warn
from grapher_jax.files import Json
from grapher_jax.graph import connecting_keys, reads_embeddings
from grapher_jax.rankers.fixed_point import FixedPoint
from grapher_jax.rankers.hits import Hit
from grapher_jax.rankers.options import DEFAULT_RANKER, RankingOptions
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve import Embedder, RerankService, open_embedder

T = TypeVar("T")
# What is an option of ranking in Python too.
_OF_RANKING = ("ranker", "alpha", "proximities", "weights", "edges", "max_df", "scores", "base")


def _as_name(given: object) -> object:
    return str(given) if isinstance(given, Path) else given


def _with_one_key(edges: object) -> object:
    """Two keys of a sequence as one, as JSON has them."""
    if not isinstance(edges, Mapping):
        return edges
    joined = {key: ",".join(map(str, key)) for key in edges if isinstance(key, tuple)}
    return {joined.get(key, key): form for key, form in edges.items()}


def _stored(option: str, value: object) -> str | None:
    """A name or a URL; of anything else nobody could make it again, and it may hold a key."""
    if isinstance(value, RerankService):
        named = RerankService(value.url)
        value = value.url if replace(value, key=named.key) == named else value
    if value is None or isinstance(value, str):
        return value
    raise InputError(f"{option}: {type(value).__name__} cannot be stored; give a name or a URL")


# What names a model, or is the path of one.
Named = Annotated[str, BeforeValidator(_as_name)]


@dataclass(frozen=True)
class Found(Generic[T]):
    """A framework's document, as a retriever found it.

    Attributes:
        document: the framework's own object.
        id: None where it has none.
        score: the retriever's number, higher is better; None where it gives none.
        text: what it says.
        metadata: as in the BEIR layout, lists also as JSON.
    """

    document: T
    id: str | None
    score: object
    text: str
    metadata: Mapping[str, Json]


class GraphOptions(BaseModel):
    """How documents are reranked, in every framework.

    Attributes:
        ranker: see `RankingOptions`, as for the next five; no ranker itself.
        alpha: the weight kept on a document's own score, in (0, 1].
        proximities: what the graph is built from; by default all that the metadata allows.
        weights: the weight of each proximity by name.
        edges: keys of metadata that join documents besides those of the BEIR layout.
        max_df: entities that more of a question's documents have connect none; None lets all.
        scores: of what scale the retriever's scores are, see `RankingOptions`.
        top_k: how many documents come back, at most.
        embedder: what compares documents to the question where they have no score, or for `gat`:
            `offline`, the name or path of a sentence-transformers model, or what this or another
            framework embeds by, see `of_other_library`; only a name is kept where the component is
            stored.
        base: what scores the documents in the place of the retriever, see `RankingOptions`; only a
            name or a URL is kept where the component is stored.
        explain: whether a document's metadata tell, as `explanation`, where its score came from.

    Raises:
        InputError: naming the option that cannot be used.
        MissingExtraError: where what the ranker needs is not installed.
    """

    model_config = ConfigDict(extra="forbid")

    ranker: Named = DEFAULT_RANKER
    alpha: float | None = RankingOptions.alpha
    proximities: list[str] | None = None
    weights: dict[str, float] | None = None
    edges: Annotated[dict[str, str] | None, BeforeValidator(_with_one_key)] = None
    max_df: int | None = RankingOptions.max_df
    scores: str = RankingOptions.scores
    top_k: int = Field(default=10, ge=1)
    embedder: Annotated[
        object, BeforeValidator(_as_name), PlainSerializer(partial(_stored, "embedder"))
    ] = "offline"
    base: Annotated[object, PlainSerializer(partial(_stored, "base"))] = None
    explain: bool = False
    # By what decides them: options may be assigned to, and a network is slow to load.
    _rerankers: dict[str, Reranker] = PrivateAttr(default_factory=dict)

    def __init__(self, **options: object) -> None:
        try:
            super().__init__(**options)
        except ValidationError as error:
            first = error.errors()[0]
            place = "".join(f"{part}: " for part in first["loc"])
            raise InputError(place + first["msg"].removeprefix("Value error, ")) from error

    @model_validator(mode="after")
    def _check(self) -> "GraphOptions":
        self.reranker()
        self.embeds  # noqa: B018  what cannot embed is told of now
        return self

    def reranker(self) -> Reranker:
        """What ranks by these options."""
        given = {name: getattr(self, name) for name in _OF_RANKING}
        # What is no name stays the same object for as long as its reranker is kept.
        key = json.dumps(given, default=id)
        if key not in self._rerankers:
            self._rerankers[key] = Reranker(**given)
        return self._rerankers[key]

    @property
    def embeds(self) -> str | Embedder:
        """What embeds texts: a name, or an embedder."""
        return self.embedder if isinstance(self.embedder, str) else open_embedder(self.embedder)

    def explanation(self, hit: Hit) -> dict[str, Json]:
        """What `explain` adds to a document's metadata."""
        return {"explanation": hit.explanation.to_dict()} if self.explain else {}


def rerank(
    options: GraphOptions,
    questions: Sequence[str],
    lists: Sequence[Iterable[Found[T]]],
    update: Callable[[T, Hit], T],
    *,
    top_k: int | None = None,
) -> list[list[T]]:
    """The best documents of every question, best first.

    A document without an id gets a hash of its text and metadata. Of documents with the same id,
    the best is kept. Where not all of a question's documents have a score, each has that of the
    base retriever instead, as if these were its corpus; but if nothing can join them, they come
    back as they came, unscored.
    Metadata of another type than the graph needs are left out of it, with a warning.

    Args:
        options: how.
        questions: what was asked; read where documents have no score, or the ranker reads it.
        lists: the documents of each question, in the retriever's order.
        update: a document as it comes back with its hit.
        top_k: how many come back; as in the options by default.

    Raises:
        InputError: naming the document, for a score that is no finite number, or neither a score
            nor a text; or for an empty question that has to be read.
        MissingExtraError: where the embedder is needed and not installed.
    """
    reranker = options.reranker()
    odd: list[str] = []
    found = [_by_id(documents, odd) for documents in lists]
    if odd:
        warn(
            f"{odd[0]}; left out of the graph, as are {len(odd) - 1} more values; mend them when "
            "you index, or rename the key where it means something else",
        )
    _warn_of_no_metadata(reranker, found)
    candidates = [_candidates(documents, reranker) for documents in found]
    k = options.top_k if top_k is None else top_k
    rankings = reranker.rerank_batch(questions, candidates, k=k, embedder=options.embeds)
    return [
        [update(documents[hit.id].document, hit) for hit in hits]
        if hits
        else [item.document for item in documents.values()][:k]
        for documents, hits in zip(found, rankings, strict=True)
    ]


def _candidates(found: Mapping[str, Found[T]], reranker: Reranker) -> list[dict[str, Json]]:
    """What `Reranker` takes; nothing where there is neither a score nor a graph to rank by."""
    scored = all(item.score is not None for item in found.values())
    ranker = reranker.opened
    if (
        not scored
        and reranker.base is None
        and (
            ranker.name == "base"
            or (
                isinstance(ranker, FixedPoint)
                and not reads_embeddings(reranker.own_edges)
                and not _joins(found, connecting_keys(reranker.rows))
            )
        )
    ):
        return []
    return [
        {
            "id": name,
            # Of joined retrievers one may give scores and another none: these are compared all.
            "score": item.score if scored else None,
            "text": item.text,
            "metadata": item.metadata,
        }
        for name, item in found.items()
    ]


def _by_id(documents: Iterable[Found[T]], odd: list[str]) -> dict[str, Found[T]]:
    """The best document of each id, with its metadata as an object has them."""
    found: dict[str, Found[T]] = {}
    for place, item in enumerate(documents, start=1):
        metadata = _usable(item.metadata, f"document {item.id or place!r}", odd)
        name = item.id or _content_id(item.text, metadata)
        known = found.get(name)
        if known and known.text != item.text:
            warn(
                f"documents: {name!r} is the id of several texts, of which the best alone is kept; "
                "give every document an id of its own",
            )
        if known is None or _number(item.score) > _number(known.score):
            found[name] = replace(item, metadata=metadata)
    return found


def _usable(metadata: Mapping[str, Json], place: str, odd: list[str]) -> dict[str, Json]:
    """Metadata as an object has them; what is wrong with those that are left out joins `odd`."""
    usable: dict[str, Json] = {}
    for key, value in metadata.items():
        try:
            usable |= check_metadata(unflatten({key: value}, place), place)
        except InputError as error:
            odd.append(str(error))
    return usable


def _content_id(text: str, metadata: Mapping[str, Json]) -> str:
    content = json.dumps([text, sorted(metadata.items(), key=str)], default=str)
    return hashlib.sha256(content.encode()).hexdigest()


def _number(score: object) -> float:
    # What is no number is kept if it can be, and reported by the reranker.
    return float(score) if isinstance(score, int | float | np.number) else -math.inf


def _joins(found: Mapping[str, Found[T]], keys: Sequence[str]) -> bool:
    """Whether any metadata may join documents to others."""
    return any(i.metadata.get(key) not in (None, []) for i in found.values() for key in keys)


def _warn_of_no_metadata(reranker: Reranker, lists: Sequence[Mapping[str, Found[T]]]) -> None:
    metadata = [item.metadata for found in lists for item in found.values()]
    # An empty list is an answer: these were looked for.
    rows = reranker.rows
    keys = connecting_keys(rows)
    known = reads_embeddings(reranker.own_edges)
    known = known or any(key in m for m in metadata for key in keys)
    if len(metadata) > 1 and reranker.opened.needs.proximities and not known:
        *first, last = (" with ".join(key.name for key in row.keys) for row in rows.values())
        warn(
            f"documents: no metadata of {len(metadata)} have {', '.join(first)} or {last}, so "
            f"{reranker.name!r} has no graph to rank by; add them when you index, for example with "
            "grapher-jax enrich",
        )
