"""`grapher-jax tables`: find the tables, columns and joins that a SQL query needs."""

from typing import Annotated

import typer

from grapher_jax.command_line.given import metadata_filter
from grapher_jax.command_line.options import Filter, Json, Ranker
from grapher_jax.errors import InputError


def tables(
    index: Annotated[
        str,
        typer.Argument(
            help="An index folder of tables; or a database (a URL, a SQLite file, a file *.sql, a "
            "folder of tables), read at each call."
        ),
    ],
    question: Annotated[str, typer.Argument(help="The question that the SQL should answer.")],
    k: Annotated[
        str,
        typer.Option(
            "-k",
            "--k",
            help="How many tables, with bridge tables; `auto` takes the set with the best expected "
            "F1, often only two or three tables; --confidence takes a surer one.",
        ),
    ] = "10",
    confidence: Annotated[
        float | None,
        typer.Option(
            help="For `-k auto`: take instead the fewest tables that include all needed ones with "
            "this probability, such as 0.8."
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(help="Maximum tokens of DDL; the least needed columns are left out."),
    ] = None,
    ranker: Ranker = None,
    filter: Filter = None,  # noqa: A002
    ddl: Annotated[bool, typer.Option("--ddl", help="Print CREATE TABLE statements.")] = False,
    sql_comments: Annotated[
        bool, typer.Option("--sql-comments", help="Print one SQL comment per table and join.")
    ] = False,
    json: Json = False,
) -> None:
    """Find the tables that a question's SQL needs, and the joins between them."""
    from grapher_jax.command_line import console, meter
    from grapher_jax.corpus import is_database
    from grapher_jax.search import Index, open_source

    if ddl + sql_comments + json > 1:
        raise InputError("--ddl, --sql-comments and --json: choose one of them")
    if is_database(index):
        with meter.progress("embedding objects") as progress:
            opened = open_source(index, progress=progress)
    else:
        opened = Index.load(index)
    found = opened.tables(
        question,
        k=int(k) if k.removeprefix("-").isdecimal() else k,
        confidence=confidence,
        budget=budget,
        ranker=ranker,
        filter=metadata_filter(filter),
    )
    console.print_notes(found.notes)
    if json:
        console.print_json(found.to_dict())
    elif ddl:
        console.print_sql(found.ddl())
    elif sql_comments:
        console.print_sql(found.sql_comments())
    else:
        console.print_tables(found)
