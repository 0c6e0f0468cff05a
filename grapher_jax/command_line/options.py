"""The options that several verbs share: their types, names and help."""

from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.rankers.options import DEFAULT_RANKER, RankingOptions

# The help texts that the options of ranking declare.
HELP = {field.name: field.metadata.get("help", "") for field in fields(RankingOptions)}
Embedder = Annotated[
    str, typer.Option(help="`offline`, or a sentence-transformers name or path.", metavar="NAME")
]
OwnEmbedder = Annotated[
    str | None,
    typer.Option(
        help="For a BEIR folder: `offline`, or a sentence-transformers name or path.",
        metavar="NAME",
    ),
]
Alpha = Annotated[float | None, typer.Option(help=HELP["alpha"])]
Temperature = Annotated[float | None, typer.Option(help=HELP["temperature"])]
Ranker = Annotated[
    str | None,
    typer.Option(help=f"{HELP['ranker']}; {DEFAULT_RANKER} by default.", metavar="NAME_OR_FOLDER"),
]
Scores = Annotated[str, typer.Option(help=f"{HELP['scores']}.", metavar="SCALE")]
Base = Annotated[str | None, typer.Option(help=f"{HELP['base']}.", metavar="NAME_OR_URL")]
SystemName = Annotated[
    str | None,
    typer.Option(
        "--system",
        help="Use a published method instead of a ranker and its options: grapher, g-rag, "
        "keyword-graph or query-gnn.",
        metavar="NAME",
    ),
]
CrossEncoder = Annotated[
    str | None,
    typer.Option(
        help="For the system keyword-graph: the name or path of a sentence-transformers "
        "cross-encoder. By default, cosines are used instead.",
        metavar="NAME_OR_PATH",
    ),
]
Engine = Annotated[
    str,
    typer.Option(
        help="`local`, or `ray`: run on the Ray cluster at RAY_ADDRESS, or on a local Ray.",
        metavar="NAME",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Proximity = Annotated[str | None, typer.Option(help=HELP["proximities"], metavar="NAME,NAME")]
Filter = Annotated[
    list[str] | None,
    typer.Option(
        "--filter",
        help="Return only objects with this metadata. A value that is valid JSON is read as JSON, "
        "except for document_id, db, table and amr, which are strings. "
        'Or give a filter as JSON, such as {"year": {"$gte": 2020}}. '
        "May be given several times; then all filters must match.",
        metavar="KEY=VALUE",
    ),
]
Expand = Annotated[
    bool | None,
    typer.Option(
        "--expand/--no-expand",
        help="Add objects one step from the best candidates; by default, ranker auto decides.",
    ),
]
ExpandBy = Annotated[
    str | None,
    typer.Option(help="Expand, but follow only these proximities.", metavar="NAME,NAME"),
]
MinScore = Annotated[
    float | None, typer.Option(help="Leave out results whose ranker score is lower than this.")
]
Weight = Annotated[list[str] | None, typer.Option(help=HELP["weights"], metavar="PROXIMITY=W")]
Candidates = Annotated[
    int | None,
    typer.Option(
        help="How many candidates the retriever returns; by default the index's setting, or 200."
    ),
]
LexicalWeight = Annotated[
    float | None,
    typer.Option(
        help="Weight of BM25, in [0, 1]; the cosine has the rest. By default the index's setting, "
        "or 0.2 for tables, 0.9 for scripts that the offline embedder has not learned, and 0.3 for "
        "other texts."
    ),
]
LexicalNorm = Annotated[
    str | None,
    typer.Option(
        help="How BM25 scores are scaled to [0, 1]: min-max, or max (divided by the highest). By "
        "default the index's setting, or min-max.",
        metavar="NAME",
    ),
]
TitleWeight = Annotated[
    float | None,
    typer.Option(
        help="What BM25 adds for an object whose title the question names, and twice for one "
        "whose id it says, as a part of its range, in [0, 1]. By default the index's setting, "
        "or 0.5.",
        metavar="W",
    ),
]
MaxDf = Annotated[int, typer.Option(help=f"{HELP['max_df']}; 0 for no limit.")]
_PUBLIC = "ir_datasets:NAME, or datasets:NAME."
Source = Annotated[
    str,
    typer.Argument(
        help="A folder (BEIR, documents, tables), a database URL, a SQLite file, a file *.sql (a "
        "schema), *.csv, *.tsv, *.json, *.jsonl or *.ndjson (records), "
        f"{_PUBLIC}"
    ),
]
ChunkTokens = Annotated[
    int | None, typer.Option(help="The maximum length of a chunk in tokens; 200 by default.")
]
OverlapTokens = Annotated[
    int | None, typer.Option(help="The maximum overlap of two chunks in tokens; 40 by default.")
]
Reader = Annotated[
    str, typer.Option(help="`built-in`, or `markitdown`, which reads .epub files too.")
]
Schema = Annotated[
    list[str] | None,
    typer.Option(
        help="Read only this schema; may be given several times. By default all, and for MySQL and "
        "MariaDB the database in the URL.",
        metavar="NAME",
    ),
]
Include = Annotated[
    list[str] | None,
    typer.Option(
        help="Read only tables whose id or plain name matches this; may be given several times.",
        metavar="GLOB",
    ),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        help="Leave out tables whose id or plain name matches this; may be given several times.",
        metavar="GLOB",
    ),
]
NoViews = Annotated[bool, typer.Option("--no-views", help="Do not read views.")]
Copies = Annotated[
    bool,
    typer.Option(
        "--copies",
        help="Read each of four or more tables whose names differ only in a number or date, such "
        "as events_20241231; by default the one with the highest stands for all.",
    ),
]
InferKeys = Annotated[
    str,
    typer.Option(
        help="Databases: infer undeclared foreign keys from names and views: always, never, parts "
        "(only to connect the parts into which declared keys divide the tables), or "
        "auto (always if no or few keys are declared; else parts, and all that names suggest where "
        "they tell that some keys are not declared; parts for a BEIR folder).",
        metavar="MODE",
    ),
]
QueriesFrom = Annotated[
    Path | None,
    typer.Option(help="Tables: infer foreign keys from the joins in this file of SQL statements."),
]
DbtManifest = Annotated[
    Path | None,
    typer.Option(help="Tables: infer foreign keys from relationship tests in dbt's manifest.json."),
]
Keys = Annotated[
    Path | None,
    typer.Option(
        help="Tables: a YAML file with a list of foreign keys, each with table, columns, "
        "references and referenced_columns."
    ),
]
EdgesFile = Annotated[
    Path | None,
    typer.Option(
        help="A YAML or JSON file with edges of your own: a metadata key and its form, which is "
        "reference, shared, weighted or, for two keys such as thread,position, sequence; or any "
        "name with semantic."
    ),
]
Split = Annotated[
    str | None, typer.Option(help="The relevance judgements: the name of a file in qrels/.")
]
OwnQuestions = Annotated[
    Path | None,
    typer.Option(
        help="A JSON Lines file with judged questions of your own: "
        '{"question": "…", "relevant": ["id", …]}, optionally with "id" and "filter".'
    ),
]
Results = Annotated[int, typer.Option("-k", "--k", help="How many results to return.")]
TOKEN = "GRAPHER_JAX_TOKEN"  # noqa: S105 - a name
_TOKENS = (
    "A file with access tokens, one per line, of which a request must send one; by default "
    f"{TOKEN}, and without both no token is needed."
)
TokenFile = Annotated[Path | None, typer.Option(help=_TOKENS, metavar="FILE")]
NamingTokenFile = Annotated[
    Path | None,
    typer.Option(
        help=f"{_TOKENS} `TOKEN NAME,NAME` limits a token to these indexes.", metavar="FILE"
    ),
]
Model = Annotated[str, typer.Option(help="The language model, as the endpoint names it.")]
Endpoint = Annotated[
    str | None,
    typer.Option(
        help="The URL of an OpenAI-compatible endpoint, such as http://localhost:8000/v1; "
        "by default OPENAI_BASE_URL, or OpenAI's. The API key is read from OPENAI_API_KEY.",
        metavar="URL",
    ),
]
Timeout = Annotated[
    float, typer.Option(help="Seconds to wait for an answer, of each of six attempts.")
]
Replies = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        help="The file that caches usable replies; by default in the user's cache folder.",
    ),
]
PriceIn = Annotated[float, typer.Option(min=0, help="Price of a million input tokens.")]
PriceOut = Annotated[float, typer.Option(min=0, help="Price of a million output tokens.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask to confirm the estimated cost.")]
Confidence = Annotated[
    float | None,
    typer.Option(
        help="The lowest cosine, from -1 to 1, between the question and its best passage at which "
        "the model is asked; 0.3 by default. Below it, no answer is given."
    ),
]
