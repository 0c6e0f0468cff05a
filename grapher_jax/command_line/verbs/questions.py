"""`grapher-jax questions`: let a language model write hard questions."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.options import (
    ChunkTokens,
    Endpoint,
    Exclude,
    Include,
    Json,
    Model,
    NoViews,
    OverlapTokens,
    PriceIn,
    PriceOut,
    Replies,
    Schema,
    Source,
    Timeout,
    Yes,
    check_failures,
    open_llm,
    source_settings,
)
from grapher_jax.errors import InputError
from grapher_jax.llm import Cost


def questions(
    source: Source,
    out: Annotated[Path, typer.Option(help="The BEIR folder to write.")],
    model: Model,
    endpoint: Endpoint = None,
    per_document: Annotated[
        int, typer.Option(help="How many questions to write about a document, at most 20.")
    ] = 4,
    kinds: Annotated[
        str,
        typer.Option(
            help="The share of each kind of question, relative to the others.",
            metavar="KIND=SHARE,KIND=SHARE",
        ),
    ] = "multi-hop=2,structural=1,contextual=1",
    window_tokens: Annotated[
        int, typer.Option(help="How much of a document the model sees, in tokens of 4 characters.")
    ] = 16_000,
    within_document: Annotated[
        bool,
        typer.Option("--within-document", help="Let each question search only its own document."),
    ] = False,
    split: Annotated[str, typer.Option(help="The name of the file in qrels/.")] = "generated",
    chunk_tokens: ChunkTokens = None,
    overlap_tokens: OverlapTokens = None,
    schema: Schema = None,
    include: Include = None,
    exclude: Exclude = None,
    no_views: NoViews = False,
    workers: Annotated[int | None, typer.Option(help="Documents at a time; 8 by default.")] = None,
    timeout: Timeout = 60.0,
    cache: Replies = None,
    price_in: PriceIn = 0.0,
    price_out: PriceOut = 0.0,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Let an LLM write hard questions about documents; run it again to resume after a stop."""
    from grapher_jax.command_line import console, meter
    from grapher_jax.corpus import read_source
    from grapher_jax.enrich.questions import QuestionWriter, by_document, check_target, generate

    check_target(out, split)
    with open_llm(model, endpoint, timeout, workers, cache) as llm:
        writer = QuestionWriter(
            llm,
            per_document=per_document,
            shares=_shares(kinds),
            window_tokens=window_tokens,
            within_document=within_document,
        )
        objects = list(
            read_source(
                source,
                **source_settings(chunk_tokens, overlap_tokens, schema, include, exclude, no_views),
            )
        )
        documents = by_document(objects)
        cost = sum((writer.estimate(*document) for document in documents.items()), Cost())
        if cost.requests:
            console.confirm_cost(cost, price_in, price_out, ask=not yes)
        with meter.progress("asking about documents", len(documents)) as progress:
            done = generate(objects, out, writer, split=split, workers=workers, progress=progress)
    if json:
        summary = {
            "folder": str(out),
            "split": split,
            "questions": dict(done.kinds),
            "documents": done.documents,
            "failures": done.failures,
            "left_out": done.left_out,
        }
        console.print_json(summary)
    else:
        console.print_questions(out, done)
    check_failures(done.failures, out)


def _shares(listed: str) -> dict[str, float]:
    shares = {}
    for pair in listed.split(","):
        kind, _, share = pair.partition("=")
        try:
            shares[kind.strip()] = float(share)
        except ValueError:
            raise InputError(f"kinds: {pair!r} must be KIND=SHARE, such as multi-hop=2") from None
    return shares
