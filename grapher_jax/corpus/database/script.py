"""Reads the tables and views that a file of SQL creates, such as a dump of a schema."""

import gzip
import zlib
from pathlib import Path

from grapher_jax.corpus.database.reflect import Choice, Names, Reflected, choose
from grapher_jax.corpus.database.script_tables import Script
from grapher_jax.corpus.database.script_text import (
    descriptions,
    likely_dialects,
    shadow_names,
    wanted,
    without_client_lines,
    without_rows,
)
from grapher_jax.corpus.documents.decode import decode, sql_charset
from grapher_jax.corpus.documents.extract import UnreadableError
from grapher_jax.errors import InputError

_DEFAULT_SCHEMAS = {
    "clickhouse": "default",
    "mssql": "dbo",
    "postgresql": "public",
    "redshift": "public",
}


def is_script(source: str | Path) -> bool:
    """Whether a source is a file of SQL."""
    name = str(source)
    is_named_so = name.lower().endswith((".sql", ".sql.gz")) and "://" not in name
    return is_named_so and not Path(source).is_dir()


def read_script(path: Path, choice: Choice) -> Script:
    """The tables and views that a file of SQL creates, and those of them that are chosen.

    The dialect is the one whose typical words occur most often, if most statements parse as that,
    or there are as many such words and something is read; else the one in which most parse.

    Args:
        path: the file `*.sql` or `*.sql.gz`; only statements that create, alter, describe or drop
            tables and views are read.
        choice: which tables are read.

    Raises:
        InputError: if the file cannot be read, creates no table, or has none of the chosen ones.
    """
    try:
        data = path.read_bytes()
        data = gzip.decompress(data) if path.suffix.lower() == ".gz" else data
        text = decode(data, sql_charset(data))
    except UnreadableError as error:
        raise InputError(f"{path}: cannot be read ({error}); save it as UTF-8") from None
    except (OSError, EOFError, zlib.error) as error:
        told = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read ({told})") from None
    shadows = shadow_names(text)
    text = without_rows(text)
    read = []
    likely = likely_dialects(text)
    if next(iter(likely)) == "oracle":
        text = without_client_lines(text)
    for dialect, signs in likely.items():
        script = Script(dialect, Reflected(_DEFAULT_SCHEMAS.get(dialect), ()))
        for statement in wanted(text, dialect):
            script.read(statement)
        read.append(script)
        # A dialect whose words are there may have statements that are not understood, of which
        # parts are read; and others understand some of these as something else.
        most = script.statements if signs else 0
        is_read = signs >= script.statements and any(script.found.columns.values())
        if 2 * script.failed <= most or is_read:
            break
    best = min(read, key=lambda script: script.failed)
    for schema, table, column, told in descriptions(text):
        best.describe(schema, table, column, told)
    if not best.found.kinds:
        raise InputError(
            f"{path}: no statement creates a table; give a dump of a schema, as of pg_dump "
            "--schema-only, mysqldump --no-data or sqlite3's .schema"
        )
    for key in [key for key in best.found.kinds if key[1].casefold() in shadows]:
        best.forget(key)
    _finish(best.found)
    choose(str(path), best.found, choice)
    return best


def _finish(found: Reflected) -> None:
    """Resolve what references leave open, and write columns as their tables do."""
    names = Names([*found.kinds])
    for key, columns in found.primary.items():
        found.primary[key] = found.spelled(key, columns)
        for column in found.columns.get(key, ()):
            column["nullable"] &= column["name"] not in found.primary[key]
    for key, known in found.unique.items():
        found.unique[key] = [found.spelled(key, columns) for columns in known]
    for key, references in found.references.items():
        for one in references:
            schema, table = one["referred_schema"], one["referred_table"]
            near = key[0] if schema is None else schema or None
            meant = names.find((near, table)) or names.find((schema or None, table))
            one["constrained_columns"] = found.spelled(key, one["constrained_columns"])
            one["referred_schema"] = schema or None
            if meant:
                one["referred_schema"], one["referred_table"] = meant
                columns = one["referred_columns"] or found.primary.get(meant, [])
                one["referred_columns"] = found.spelled(meant, columns)
