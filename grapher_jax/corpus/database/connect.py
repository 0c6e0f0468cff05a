"""Connections to databases, and messages about them that never show a secret."""

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

from grapher_jax.corpus.database.sqlite import sqlite_file
from grapher_jax.errors import InputError, MissingExtraError, first_line, require

if TYPE_CHECKING:
    from sqlalchemy import URL, Engine

# The package of a driver's module, if its name is different.
_DRIVERS = {
    "MySQLdb": "pymysql and write mysql+pymysql://",
    "mysql": "mysql-connector-python",
    "psycopg": '"grapher-jax[postgresql]"',
    "psycopg2": '"grapher-jax[postgresql]" and write postgresql+psycopg://',
}

# Shorter secrets occur within many words; they are masked only as separate words.
_SHORT = 4
_SECRET = re.compile(r"pass|pwd|secret|token|key", re.IGNORECASE)


def connect(url: "str | URL") -> "Engine":
    """Create an engine for a URL; no connection is opened yet.

    Raises:
        InputError: if the URL is malformed, or names a SQLite file that does not exist.
        MissingExtraError: if the database's driver is not installed.
    """
    sqlalchemy = require("sqlalchemy")
    try:
        parsed = sqlalchemy.make_url(url)
        if "@" in (parsed.host or ""):
            raise ValueError  # the password contains an @, and its end was read as the host
        if (
            not parsed.host
            and "@" in (parsed.database or "")
            and parsed.get_backend_name() != "sqlite"
        ):
            raise ValueError  # a third / before the user
        engine = sqlalchemy.create_engine(parsed, connect_args=_arguments(parsed))
    except sqlalchemy.exc.NoSuchModuleError:
        kind = parsed.drivername
        if kind == "postgres":
            raise InputError(f"{shown_url(parsed)}: write it with postgresql://") from None
        raise InputError(
            f"{shown_url(parsed)}: unknown kind of database {kind!r}; write a URL such as "
            "sqlite:///shop.db or postgresql://host/shop, or install the SQLAlchemy dialect "
            f"for {kind}"
        ) from None
    except (sqlalchemy.exc.ArgumentError, ValueError):
        # The URL is not shown: the text in place of the port may be the password.
        raise InputError(
            "the database URL is malformed; write it like sqlite:///shop.db, and in a password @ "
            "as %40, / as %2F and : as %3A"
        ) from None
    except ModuleNotFoundError as error:
        module = error.name or parsed.get_driver_name()
        raise MissingExtraError(
            f"{shown_url(parsed)}: the driver {module!r} is not installed; "
            f"run: pip install {_DRIVERS.get(module, module)}"
        ) from None
    file = sqlite_file(engine)
    if file and not file.is_file():  # SQLite itself would create it
        raise InputError(f"{parsed.database}: no such SQLite database; give the path of its file")
    return engine


def _arguments(url: "URL") -> dict[str, bool]:
    """Those with which DuckDB neither writes a file nor creates one that is missing."""
    is_file = url.database and not url.database.startswith((":memory:", "md:", "motherduck:"))
    return {"read_only": True} if url.get_backend_name() == "duckdb" and is_file else {}


def shown_url(url: "URL") -> str:
    """The URL without its secrets."""
    masked = url.update_query_dict(dict.fromkeys(_secret_query(url), "***"))
    return masked.render_as_string(hide_password=True).replace(quote_plus("***"), "***")


def reason(error: Exception, url: "URL") -> str:
    """The first line of the driver's error message, without the secrets of the URL."""
    told = first_line(getattr(error, "orig", None) or error)
    secrets = [value for values in _secret_query(url).values() for value in values]
    if url.password:
        secrets.append(str(url.password))
    forms = {form for secret in secrets for form in (secret, quote(secret, ""), quote_plus(secret))}
    # The longest first, because one secret may be the beginning of another.
    for form in sorted(filter(None, forms), key=len, reverse=True):
        pattern = re.escape(form)
        if len(form) < _SHORT:
            pattern = rf"(?<!\w){pattern}(?!\w)"
        told = re.sub(pattern, "***", told, flags=re.IGNORECASE)
    return told


def _secret_query(url: "URL") -> dict[str, tuple[str, ...]]:
    # A value may itself contain a password, as that of odbc_connect does.
    return {
        key: tuple(values)
        for key, values in url.normalized_query.items()
        if _SECRET.search(key) or any(map(_SECRET.search, values))
    }
