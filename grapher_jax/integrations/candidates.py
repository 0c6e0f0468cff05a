"""What the integrations share: options, and framework documents as candidates.

Every framework already requires pydantic.
"""

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Generic, TypeVar

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
from pydantic_core import PydanticSerializationError

from grapher_jax.checks import check_count
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
# So many rerankers stay loaded, the last ones used.
_MOST_RERANKERS = 8
# One for all components: one that holds a lock cannot be copied.
_LOCK = Lock()
# The options that are also options of ranking in Python.
_OF_RANKING = ("ranker", "alpha", "proximities", "weights", "edges", "max_df", "scores", "base")


def _as_name(given: object) -> object:
    return str(given) if isinstance(given, Path) else given


def _with_one_key(edges: object) -> object:
    """The two keys of a sequence as one, for JSON."""
    if not isinstance(edges, Mapping):
        return edges
    joined = {key: ",".join(map(str, key)) for key in edges if isinstance(key, tuple)}
    return {joined.get(key, key): form for key, form in edges.items()}


def _stored(option: str, value: object) -> str | None:
    """A name or a URL; other objects cannot be restored, and may contain an API key."""
    if isinstance(value, RerankService):
        named = RerankService(value.url)
        value = value.url if replace(value, key=named.key) == named else value
    if value is None or isinstance(value, str):
        return value
    raise InputError(f"{option}: {type(value).__name__} cannot be stored; give a name or a URL")


@contextmanager
def _told_by_us() -> Iterator[None]:
    """Raises our error where pydantic has put it into one of its own."""
    try:
        yield
    except PydanticSerializationError as error:
        _, ours, told = str(error).partition(f"{InputError.__name__}: ")
        if not ours:
            raise
        raise InputError(told) from error


# The name or the path of a model.
Named = Annotated[str, BeforeValidator(_as_name)]


@dataclass(frozen=True)
class Found(Generic[T]):
    """A framework's document with its retriever's score.

    Attributes:
        document: the framework's own object.
        id: its id; None if it has none.
        score: the retriever's score, higher is better; None if there is none.
        text: its text.
        metadata: as in the BEIR layout; lists may be JSON strings.
    """

    document: T
    id: str | None
    score: object
    text: str
    metadata: Mapping[str, Json]


class GraphOptions(BaseModel):
    """The options for reranking documents, in every framework.

    Attributes:
        ranker: see `RankingOptions`, also for the next five; a name or folder, not a ranker object.
        alpha: the weight of a document's own score, in (0, 1].
        proximities: the proximities that the graph is built from; by default all that the metadata
            allows.
        weights: the weight of each proximity by name.
        edges: metadata keys that join documents, besides those of the BEIR layout.
        max_df: ignore entities that more than this many of a question's documents have; None for no
            limit.
        scores: the scale of the retriever's scores, see `RankingOptions`.
        top_k: the maximum number of documents returned.
        embedder: the embedder to compare documents without scores with the question, and for `gat`:
            `offline`, the name or path of a sentence-transformers model, or an embedder of any of
            these frameworks, see `of_other_library`. When the component is serialised, only a name
            is stored.
        base: rescores the documents first, see `RankingOptions`. When the component is serialised,
            only a name or a URL is stored.
        explain: whether a document's metadata has an `explanation` of where its score came from.

    Raises:
        InputError: naming the option that cannot be used.
        MissingExtraError: if a package that the ranker needs is not installed.
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
    # Cached by the options that decide them: options may change, and a network is slow to load.
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

    def model_dump(self, **options: Any) -> dict[str, Any]:
        """The options as a dictionary, see pydantic.

        Raises:
            InputError: for an embedder or a `base` that is no name; pydantic would hide it.
        """
        with _told_by_us():
            return super().model_dump(**options)

    def model_dump_json(self, **options: Any) -> str:
        """The options as JSON; raises as `model_dump`."""
        with _told_by_us():
            return super().model_dump_json(**options)

    def reranker(self) -> Reranker:
        """The reranker with these options."""
        given = {name: getattr(self, name) for name in _OF_RANKING}
        # An object that is not a name is kept as long as its reranker is cached.
        key = json.dumps(given, default=id)
        with _LOCK:
            found = self._rerankers.pop(key, None) or Reranker(**given)
            while len(self._rerankers) >= _MOST_RERANKERS:
                del self._rerankers[next(iter(self._rerankers))]
            self._rerankers[key] = found
        return found

    @property
    def embeds(self) -> str | Embedder:
        """The embedder of texts: a name, or an embedder."""
        return self.embedder if isinstance(self.embedder, str) else open_embedder(self.embedder)

    def explanation(self, hit: Hit) -> dict[str, Json]:
        """The metadata that `explain` adds to a document."""
        return {"explanation": hit.explanation.shortened().to_dict()} if self.explain else {}


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
    the best is kept. If not all of a question's documents have a score, all get the base
    retriever's, with these documents as the corpus, and blank ones are left out; but if the ranker
    needs a graph and nothing can join them, they are returned unchanged, without scores. Metadata
    of a wrong type for the graph is ignored, with a warning.

    Args:
        options: the options of reranking.
        questions: the questions; read if documents have no score, or the ranker needs them.
        lists: the documents of each question, in the retriever's order.
        update: makes the returned document from a document and its hit.
        top_k: how many to return; by default as in the options.

    Raises:
        InputError: naming the document, for a score that is not a finite number, or if all have
            neither score nor text; or for an empty question that must be read.
        MissingExtraError: if the embedder is needed and not installed.
    """
    reranker = options.reranker()
    odd: list[str] = []
    found = [_by_id(documents, odd) for documents in lists]
    if odd:
        others = f", as are {len(odd) - 1} more values" if len(odd) > 1 else ""
        warn(
            f"{odd[0]}; left out of the graph{others}; mend it when you index, or rename the key "
            "where it means something else",
        )
    _warn_of_no_metadata(reranker, found)
    candidates = [_candidates(documents, reranker) for documents in found]
    k = options.top_k if top_k is None else check_count("top_k", top_k)
    rankings = reranker.rerank_batch(questions, candidates, k=k, embedder=options.embeds)
    return [
        [update(documents[hit.id].document, hit) for hit in hits]
        if hits
        else [item.document for item in documents.values()][:k]
        for documents, hits in zip(found, rankings, strict=True)
    ]


def _candidates(found: Mapping[str, Found[T]], reranker: Reranker) -> list[dict[str, Json]]:
    """The candidates for `Reranker`; empty if there are no scores, and the graph is missing."""
    scores = [item.score is not None for item in found.values()]
    scored = all(scores)
    ranker = reranker.opened
    if (
        not any(scores)
        and reranker.base is None
        and isinstance(ranker, FixedPoint)
        and ranker.needs.proximities
        and not reads_embeddings(reranker.own_edges)
        and not _joins(found, connecting_keys(reranker.rows))
    ):
        return []
    if reranker.base is not None or not scored:
        found = _without_blank(found)
    return [
        {
            "id": name,
            # If several retrievers are joined and one gives no scores, all documents are compared.
            "score": item.score if scored else None,
            "text": item.text,
            "metadata": item.metadata,
        }
        for name, item in found.items()
    ]


def _without_blank(found: Mapping[str, Found[T]]) -> Mapping[str, Found[T]]:
    """The documents that have a text, which a scanned page may lack; all if none has one."""
    kept = {name: item for name, item in found.items() if item.text.strip()}
    if not kept or len(kept) == len(found):
        return found
    blank = next(name for name in found if name not in kept)
    warn(
        f"documents: {len(found) - len(kept)} have no text to compare with the question, such as "
        f"{blank!r}; left out",
    )
    return kept


def _by_id(documents: Iterable[Found[T]], odd: list[str]) -> dict[str, Found[T]]:
    """The best document for each id, with metadata in the form of an object."""
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
    """Metadata in the form of an object; problems with ignored values are added to `odd`."""
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
    # Other values than numbers are kept if possible, and reported by the reranker.
    return float(score) if isinstance(score, int | float | np.number) else -math.inf


def _joins(found: Mapping[str, Found[T]], keys: Sequence[str]) -> bool:
    """Whether any metadata may join documents."""
    return any(i.metadata.get(key) not in (None, []) for i in found.values() for key in keys)


def _warn_of_no_metadata(reranker: Reranker, lists: Sequence[Mapping[str, Found[T]]]) -> None:
    metadata = [item.metadata for found in lists for item in found.values()]
    # An empty list counts: it says that there are none.
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
