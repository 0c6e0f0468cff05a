"""`grapher-jax enrich`: add metadata found in the texts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grapher_jax.command_line.given import check_engine, check_failures
from grapher_jax.command_line.groups import CostGroup, SourceGroup, grouped
from grapher_jax.command_line.options import Engine, Json, Model, Source
from grapher_jax.enrich.entities import SPACY_MODEL
from grapher_jax.errors import InputError
from grapher_jax.llm import Llm

if TYPE_CHECKING:
    from grapher_jax.corpus import Object
    from grapher_jax.enrich import Enricher


@grouped
def enrich(
    source: Source,
    out: Annotated[Path, typer.Option(help="The BEIR folder to write.")],
    reads: SourceGroup,
    asks: CostGroup,
    enricher: Annotated[
        list[str] | None,
        typer.Option(
            help="Add spacy-entities, llm-entities, keywords or mentions; may be given several "
            "times.",
            metavar="NAME",
        ),
    ] = None,
    amr: Annotated[
        Path | None,
        typer.Option(
            help="Add AMR graphs to objects and questions, with the amrlib model in this folder.",
            metavar="FOLDER",
        ),
    ] = None,
    aliases: Annotated[
        bool,
        typer.Option(
            "--aliases",
            help="Write names of the same entity as one name; run it after entities are found.",
        ),
    ] = False,
    model: Model = "",
    spacy_model: Annotated[
        str, typer.Option(help="For spacy-entities: an installed spaCy model.", metavar="NAME")
    ] = SPACY_MODEL,
    language: Annotated[
        str,
        typer.Option(help="For keywords: the language of the texts, ISO 639-1.", metavar="CODE"),
    ] = "en",
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep an object's entities, instead of replacing them.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(help="Objects at a time; by default one per processor, 8 for llm-entities."),
    ] = None,
    engine: Engine = "local",
    json: Json = False,
) -> None:
    """Add entities, keywords, AMR graphs, aliases or mentions; run it again to resume."""
    from contextlib import ExitStack

    from grapher_jax.command_line import console, meter
    from grapher_jax.corpus import is_beir, is_database, local_source, read_source
    from grapher_jax.corpus.beir import check_replaceable
    from grapher_jax.enrich import enrich as write
    from grapher_jax.enrich import survey

    check_engine(engine)
    check_replaceable(out)
    folder = None if is_database(source, reads.reader) else Path(local_source(source))
    file = None if "://" in source else folder or Path(source)  # Ray's may be in another folder
    place = str(file.resolve() if engine == "ray" else file) if file else source
    reading = reads.source_options()
    read = partial(read_source, place, **reading)
    with ExitStack() as closed_at_end:

        def connect() -> Llm:
            return closed_at_end.enter_context(asks.open(model, workers=workers))

        enrichers = _load_all(
            enricher or [],
            amr,
            read,
            aliases=aliases,
            keep=keep,
            spacy_model=spacy_model,
            language=language,
            connect=connect,
        )
        with meter.progress("reading objects") as progress:
            todo = survey(read(), enrichers, progress=progress)
        if todo.cost.requests:
            asks.confirm(todo.cost)
        elsewhere = None
        if engine == "ray":
            from grapher_jax.enrich.ray_engine import ray_outcomes

            elsewhere = ray_outcomes(read, todo.objects, enrichers)
        with meter.progress("enriching objects", todo.objects) as progress:
            done = write(
                read(),
                out,
                enrichers,
                source=folder if folder and is_beir(folder) else None,
                objects_sha256=todo.sha256,
                workers=workers,
                elsewhere=elsewhere,
                progress=progress,
            )
    if json:
        names = [one.name for one in enrichers]
        console.print_json({"folder": str(out), "enrichers": names, **asdict(done)})
    else:
        console.output.print(f"{out}: {done.objects} objects", soft_wrap=True)
    check_failures(done.failures, out)


def _load_all(
    named: Sequence[str],
    amr: Path | None,
    read: "Callable[[], Iterator[Object]]",
    *,
    aliases: bool,
    keep: bool,
    spacy_model: str,
    language: str,
    connect: Callable[[], Llm],
) -> "list[Enricher]":
    from grapher_jax.enrich import ENRICHERS

    # Entities found by an earlier enricher of the same call are kept.
    known = [any(one.endswith("-entities") for one in named[:n]) for n in range(len(named))]
    enrichers = [
        _load(
            name,
            read,
            keep=keep or earlier,
            spacy_model=spacy_model,
            language=language,
            connect=connect,
        )
        for name, earlier in zip(named, known, strict=True)
    ]
    if amr:
        from grapher_jax.enrich.amr import AmrGraphs

        enrichers.append(AmrGraphs(amr))
    if aliases:
        enrichers.append(_aliases(read(), named))
    if not enrichers:
        raise InputError(f"enricher: none is given; use {', '.join(ENRICHERS)}, --amr or --aliases")
    return enrichers


def _aliases(objects: "Iterable[Object]", named: Sequence[str]) -> "Enricher":
    """The enricher that merges aliases; raises InputError if entities are still to be found."""
    from grapher_jax.command_line import console, meter
    from grapher_jax.enrich.aliases import Aliases, find_aliases

    if new := [name for name in named if name.endswith("-entities")]:
        raise InputError(
            f"aliases: entities are compared once all are there; run --enricher {new[0]} first, "
            "and --aliases on what it wrote"
        )
    with meter.progress("comparing names") as progress:
        names = find_aliases(objects, progress=progress)
    console.errors.print(f"{len(names)} names are written as another", soft_wrap=True)
    return Aliases(names)


def _load(
    name: str,
    read: "Callable[[], Iterator[Object]]",
    *,
    keep: bool,
    spacy_model: str,
    language: str,
    connect: Callable[[], Llm],
) -> "Enricher":
    """The enricher with this name."""
    from grapher_jax.enrich import ENRICHERS, LlmEntities, SpacyEntities

    if name == "spacy-entities":
        return SpacyEntities(spacy_model, keep=keep)
    if name == "llm-entities":
        return LlmEntities(connect(), keep=keep)
    if name == "keywords":
        from grapher_jax.enrich.keywords import Keywords

        return Keywords(language=language)
    if name == "mentions":
        from grapher_jax.command_line import console, meter
        from grapher_jax.enrich.mentions import Mentions, find_mentions

        with meter.progress("finding titles in texts") as progress:
            found = find_mentions(read(), progress=progress)
        console.errors.print(f"{len(found)} objects mention others", soft_wrap=True)
        return Mentions(found)
    raise InputError(f"enricher: {name!r} is unknown; use {', '.join(ENRICHERS)}")
