"""The schemas of requests and responses, from which `/openapi.json` is generated."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from grapher_jax.corpus.keys import KEYS, NAME, NUMBER, PLACE, STRING, STRINGS
from grapher_jax.files import Json
from grapher_jax.rankers.given import with_our_names
from grapher_jax.rankers.options import SCALES
from grapher_jax.retrieve import CANDIDATES

# The sum of squares of a thousand such numbers fits a float32.
_LARGEST = 1e15
# Explanations have up to one part per candidate, so requests with them are limited.
MOST_EXPLAINED = 50
# The maximum bytes of explanations in one response.
MOST_EXPLAINED_BYTES = 4 << 20
# The number of results of a search that names none.
TOP_N = 10
# Each edge adds arrays to a batch, and the number of edges per form decides the program: a few more
# edges would mean a thousand programs.
MOST_EDGES = 4
# The longest list decides the arrays of a whole batch.
LONGEST_LIST = 256


def _check_not_blank(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("blank", "it is empty; ask something")
    return text


Question = Annotated[str, Field(max_length=32_768), AfterValidator(_check_not_blank)]
Text = Annotated[str, Field(max_length=1 << 20)]
Score = Annotated[float, Field(ge=-_LARGEST, le=_LARGEST, allow_inf_nan=False)]
MinScore = Annotated[
    Score | None,
    Field(description="Leave out results with a lower ranker score."),
]
Model = Annotated[
    Text | None,
    Field(description="The name of the index, if there are several; else ignored."),
]
Ranker = Annotated[
    Text | None,
    Field(description="The ranker of the service, `auto`, or null; another is refused."),
]
Names = Annotated[list[Text], Field(max_length=LONGEST_LIST, fail_fast=True)]
_TOP_N = AliasChoices("top_n", "top_k")
_TOP_N_TOLD = "How many results at most; `top_k`, as Voyage calls it, is read too."
_STRICT = ConfigDict(strict=True, extra="allow")


_TYPES = {
    STRINGS: Names,
    STRING: Text,
    NAME: Text,
    PLACE: Annotated[int, Field(ge=0, lt=2**31 - 1)],
    NUMBER: Annotated[float, Field(allow_inf_nan=False)],
}
if TYPE_CHECKING:
    Metadata = dict[str, Json]
    Scale = str
else:
    Scale = Literal[SCALES]
    Metadata = TypedDict(
        "Metadata",
        {key.name: _TYPES.get(key.form, Any) | None for key in KEYS.values() if key.read},
        total=False,
    )
    Metadata.__doc__ = "Data that joins documents: the keys of the BEIR layout, and other keys."
    Metadata.__pydantic_config__ = _STRICT


class Document(TypedDict, total=False):
    """A candidate; one with only `id`, only `text`, or a string may be an object of the index."""

    __pydantic_config__ = _STRICT  # type: ignore[misc]

    id: Annotated[str, Field(min_length=1, max_length=1024)] | None
    title: Text | None
    text: Text | None
    score: Score | None
    metadata: Metadata | None
    embedding: Annotated[list[Score], Field(max_length=8192, fail_fast=True)] | None


def _with_example(**body: Json) -> ConfigDict:
    """The settings of a request model, with an example body for `/docs`."""
    return ConfigDict(strict=True, json_schema_extra={"examples": [body]})


def _as_document(given: object) -> object:
    if isinstance(given, str):
        return {"text": given}
    if isinstance(given, dict):
        return with_our_names(given)
    raise PydanticCustomError("document", "a text or an object with a text is needed")


class RerankRequest(BaseModel):
    """Documents to rerank; unknown fields of other clients are ignored."""

    model_config = _with_example(
        query="Who bought?",
        top_n=2,
        documents=[
            {"id": "orders", "score": 0.9, "metadata": {"foreign_keys": ["customers"]}},
            {"id": "songs", "score": 0.3},
            {"id": "customers", "score": 0.1},
        ],
    )

    query: Question
    documents: Annotated[
        list[
            Annotated[
                Document,
                BeforeValidator(_as_document, json_schema_input_type=Text | Document),
            ]
        ],
        Field(min_length=1, fail_fast=True),
    ]
    top_n: Annotated[int, Field(ge=1)] | None = Field(
        None, validation_alias=_TOP_N, description=_TOP_N_TOLD
    )
    min_score: MinScore = None
    return_documents: bool | None = None
    explain: bool | None = None
    model: Model = None
    ranker: Ranker = None
    scores: Annotated[
        Scale | None,
        Field(description="The scale of the scores; by default the setting of the service."),
    ] = None
    edges: Annotated[
        dict[Annotated[str, Field(max_length=256)], Annotated[str, Field(max_length=256)]] | None,
        Field(
            max_length=MOST_EDGES,
            description="Further metadata keys that join documents, with their form: reference, "
            "shared, weighted, or, for two keys separated by a comma, sequence; or any name with "
            "the form semantic, which joins similar texts.",
        ),
    ] = None


class Result(BaseModel):
    """A document's position in the request, and its score."""

    index: int
    relevance_score: float
    document: dict[str, Json] | None = None
    explanation: dict[str, Json] | None = None


class RerankResponse(BaseModel):
    """Results, best first."""

    id: str
    model: str
    results: list[Result]
    meta: dict[str, Json]


class TeiRequest(BaseModel):
    """Texts to rerank, in the format of Text Embeddings Inference."""

    model_config = _with_example(query="Who bought?", texts=["orders of customers", "songs"])

    query: Question
    texts: Annotated[
        list[Annotated[Text, Field(min_length=1)]], Field(min_length=1, fail_fast=True)
    ]
    return_text: bool | None = None
    model: Model = None
    ranker: Ranker = None


class TeiResult(BaseModel):
    """A text's position in the request, and its score."""

    index: int
    score: float
    text: str | None = None


class SearchRequest(BaseModel):
    """A question to search for; unknown fields, such as a misspelt `filter`, are refused."""

    model_config = _with_example(
        query="Which customers bought in Boston?", top_n=5, explain=True
    ) | ConfigDict(extra="forbid")

    query: Question
    top_n: Annotated[int, Field(ge=1, le=CANDIDATES)] | None = Field(
        TOP_N, validation_alias=_TOP_N, description=_TOP_N_TOLD
    )
    min_score: MinScore = None
    filter: Annotated[
        dict[str, Json] | None,
        Field(description='Such as {"db": "shop"} or {"year": {"$gte": 2020}}.'),
    ] = None
    return_documents: Annotated[
        bool | None,
        Field(description="Whether results have title, text and metadata; by default they do."),
    ] = None
    explain: bool | None = None
    model: Model = None
    ranker: Ranker = None


class SearchHit(BaseModel):
    """A result: an object of the index; without documents, only its id and scores."""

    rank: int
    id: str
    score: float
    base_rank: int
    base_score: float
    title: str | None = None
    text: str | None = None
    metadata: dict[str, Json] | None = None
    explanation: dict[str, Json] | None = None


class SearchResponse(BaseModel):
    """Hits, best first."""

    id: str
    model: str
    results: list[SearchHit]
    meta: dict[str, Json]


class ReloadRequest(BaseModel):
    """The index to reopen; by default all that the token allows."""

    model_config = ConfigDict(strict=True, extra="forbid")

    model: Model = None


class ServedModel(BaseModel):
    """An index, in OpenAI's format for listing models."""

    id: Annotated[str, Field(description="The name for `model` in requests.")]
    object: Literal["model"] = "model"
    created: Annotated[int, Field(description="When it was opened, in seconds since the epoch.")]
    owned_by: str = "grapher-jax"
    objects: Annotated[int, Field(description="The number of objects.")]
    ranker: Annotated[str, Field(description="The ranker for searches.")]


class Models(BaseModel):
    """The indexes that the token allows."""

    object: Literal["list"] = "list"
    data: list[ServedModel]


class Problem(BaseModel):
    """An error message, and the request id under which the log may have details."""

    message: str
    id: str
