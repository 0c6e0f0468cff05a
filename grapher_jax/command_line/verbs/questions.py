"""`grapher-jax questions`: generate questions about documents or joined tables."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.given import check_failures
from grapher_jax.command_line.groups import CostGroup, SourceGroup, grouped
from grapher_jax.command_line.options import Json, Source
from grapher_jax.enrich.generate import SPLIT, Writer, check_target, generate
from grapher_jax.enrich.questions import PER_DOCUMENT, SHARES, WINDOW_TOKENS, QuestionWriter
from grapher_jax.errors import InputError
from grapher_jax.llm import Cost, Llm

_KINDS = ",".join(f"{kind}={share:g}" for kind, share in SHARES.items())


@grouped
def questions(
    source: Source,
    out: Annotated[Path, typer.Option(help="The BEIR folder to write.")],
    reads: SourceGroup,
    asks: CostGroup,
    model: Annotated[
        str | None,
        typer.Option(
            help="The language model, as the endpoint names it; needed for documents. With "
            "--paths, it words the questions."
        ),
    ] = None,
    paths: Annotated[
        int | None,
        typer.Option(
            help="Make this many questions about tables that declared foreign keys join, instead "
            "of questions about documents.",
        ),
    ] = None,
    per_document: Annotated[
        int, typer.Option(help="How many questions to write about a document, at most 20.")
    ] = PER_DOCUMENT,
    kinds: Annotated[
        str,
        typer.Option(
            help="The share of each kind of question, relative to the others.",
            metavar="KIND=SHARE,KIND=SHARE",
        ),
    ] = _KINDS,
    window_tokens: Annotated[
        int, typer.Option(help="How much of a document the model sees, in tokens of 4 characters.")
    ] = WINDOW_TOKENS,
    within_document: Annotated[
        bool,
        typer.Option("--within-document", help="Let each question search only its own document."),
    ] = False,
    split: Annotated[str, typer.Option(help="The name of the file in qrels/.")] = SPLIT,
    workers: Annotated[int | None, typer.Option(help="Requests at a time; 8 by default.")] = None,
    json: Json = False,
) -> None:
    """Generate questions about documents, or joined tables (--paths); run it again to resume."""
    from grapher_jax.command_line import console, meter
    from grapher_jax.corpus import read_source
    from grapher_jax.enrich.paths import PathWriter

    check_target(out, split)
    opened: AbstractContextManager[Llm | None] = nullcontext()
    if model is not None:
        opened = asks.open(model, workers=workers)
    elif asks.endpoint is not None:
        raise InputError(f"endpoint: {asks.endpoint!r} is for a model; name it with --model")
    with opened as llm:
        writer: Writer
        if paths is not None:
            writer = PathWriter(llm, paths)
            _check_for_tables(per_document, kinds, window_tokens, within_document)
        elif llm is not None:
            writer = QuestionWriter(
                llm,
                per_document=per_document,
                shares=_shares(kinds),
                window_tokens=window_tokens,
                within_document=within_document,
            )
        else:
            raise InputError(
                "model: is missing; name one by --model, or give --paths for questions about "
                "joined tables, which need none"
            )
        settings = reads.source_options()
        objects = list(read_source(source, **settings))
        units = writer.units(objects)
        cost = sum((writer.estimate(*unit) for unit in units.items()), Cost())
        if cost.requests:
            asks.confirm(cost)
        what = "asking about documents" if paths is None else "making questions"
        with meter.progress(what, len(units)) as progress:
            done = generate(objects, out, writer, split=split, workers=workers, progress=progress)
    if json:
        summary = {
            "folder": str(out),
            "split": split,
            "questions": dict(done.kinds),
            "documents" if paths is None else "drafts": done.units,
            "failures": done.failures,
            "left_out": done.left_out,
        }
        console.print_json(summary)
    else:
        console.print_questions(out, done, of_tables=paths is not None)
    check_failures(done.failures, out)


def _check_for_tables(
    per_document: int, kinds: str, window_tokens: int, within_document: bool
) -> None:
    """Raise InputError for an option that questions about tables do not have."""
    for name, given in (
        ("per-document", per_document != PER_DOCUMENT),
        ("kinds", kinds != _KINDS),
        ("window-tokens", window_tokens != WINDOW_TOKENS),
        ("within-document", within_document),
    ):
        if given:
            raise InputError(f"{name}: is for documents alone; leave it out, or leave out --paths")


def _shares(listed: str) -> dict[str, float]:
    shares = {}
    for pair in listed.split(","):
        kind, _, share = pair.partition("=")
        try:
            shares[kind.strip()] = float(share)
        except ValueError:
            raise InputError(f"kinds: {pair!r} must be KIND=SHARE, such as multi-hop=2") from None
    return shares
