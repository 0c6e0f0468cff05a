"""Write the schemas of `bench/applications/` anew, by the applications' own migrations.

Each application is installed into an environment of its own in a temporary folder, from packages
as they were on one day, and makes an empty database: SQLite, or PostgreSQL where it asks for that.
What it declares is written as plain SQLite: columns, primary, foreign and unique keys, no rows.

Needs `uv`, Python 3.11 and 3.12 on the path and, for six of the fourteen, Debian's `postgresql`.
`--help` lists the options.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from string import Template

from application_recipes import APPLICATIONS, SQLITE, Application
from sqlalchemy import Column, MetaData, Table, UniqueConstraint, create_engine
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import CompileError, SQLAlchemyError
from sqlalchemy.types import TypeEngine

FOLDER = Path(__file__).parent / "applications"
# Packages that are newer are not seen, so dependencies stay what they were.
DAY = "2026-11-23"
# They need libraries of the system, and no schema does.
NOT_INSTALLED = ("borgbackup", "pycairo", "pygobject", "python-ldap")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the schemas; those that fail are told at the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "names", nargs="*", default=list(APPLICATIONS), help="which; all by default"
    )
    parser.add_argument("--out", type=Path, default=FOLDER, help="the folder of applications")
    options = parser.parse_args(arguments)
    failed = []
    for name in options.names:
        out = options.out / name / "schema.sql"
        try:
            text = schema(name)
        except (OSError, subprocess.CalledProcessError, SQLAlchemyError) as error:
            failed.append(f"{name}: {error}")
            continue
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, encoding="utf-8")
        print(f"{out}: {text.count('CREATE TABLE')} tables", flush=True)  # noqa: T201
    for line in failed:
        print(line, file=sys.stderr)  # noqa: T201
    return bool(failed)


def schema(name: str) -> str:
    """The schema of an application as SQLite's statements, installed and asked for it now."""
    application = APPLICATIONS[name]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        places = {"folder": temporary, "name": name}
        binaries = _install(application, folder / "environment")
        for file, text in application.files.items():
            (folder / file).write_text(Template(text).substitute(places), encoding="utf-8")
        environment = os.environ | {
            "PATH": f"{binaries}:{os.environ['PATH']}",
            "PYTHONHASHSEED": "0",
            "PYTHONPATH": temporary,
            **{
                key: Template(value).substitute(places)
                for key, value in application.environment.items()
            },
        }
        command = [Template(part).substitute(places) for part in application.command]
        with _database(application.database, folder, name) as url:
            subprocess.run(command, env=environment, cwd=folder, check=True)
            return dump(url)


def dump(url: str) -> str:
    """All tables of a database, by name, as SQLite's statements."""
    metadata = MetaData()
    metadata.reflect(create_engine(url))
    return "\n".join(_statement(metadata.tables[name]) for name in sorted(metadata.tables))


def _statement(table: Table) -> str:
    lines = [_column(column) for column in table.columns]
    if len(table.primary_key):
        lines.append(f"PRIMARY KEY ({_names(table.primary_key.columns)})")
    unique = {
        tuple(each.columns.keys()): each.columns
        for each in (*table.constraints, *table.indexes)
        if isinstance(each, UniqueConstraint) or (getattr(each, "unique", False) and _whole(each))
    }
    lines += [f"UNIQUE ({_names(unique[key])})" for key in sorted(unique)]
    lines += sorted(
        f"FOREIGN KEY ({_names(key.columns)}) REFERENCES "
        f'"{key.referred_table.name}" ({_names(part.column for part in key.elements)})'
        for key in table.foreign_key_constraints
    )
    return f'CREATE TABLE "{table.name}" (\n    ' + ",\n    ".join(lines) + "\n);\n"


def _whole(index: object) -> bool:
    """Whether an index is over all rows, and over columns alone."""
    options = getattr(index, "dialect_options", {})
    where = any(dialect.get("where") is not None for dialect in options.values())
    return not where and all(isinstance(part, Column) for part in getattr(index, "expressions", ()))


def _column(column: Column) -> str:
    return f'"{column.name}" {_type(column.type)}{"" if column.nullable else " NOT NULL"}'


def _names(columns: Iterator[Column]) -> str:
    return ", ".join(f'"{column.name}"' for column in columns)


def _type(kind: TypeEngine) -> str:
    """What SQLite calls a type; text where it has no name for it."""
    try:
        return kind.as_generic().compile(dialect=sqlite.dialect())
    except (CompileError, NotImplementedError):
        return "TEXT"


def _install(application: Application, folder: Path) -> Path:
    """The binaries of a fresh environment."""
    without = folder.with_name("without.txt")
    without.write_text("".join(f'{name}; python_version < "3"\n' for name in NOT_INSTALLED))
    copy = os.environ | {"UV_LINK_MODE": "copy"}
    subprocess.run(
        ["uv", "venv", "--quiet", "--python", application.python, folder], env=copy, check=True
    )
    command = ["uv", "pip", "install", "--quiet", "--python", folder / "bin" / "python"]
    command += ["--exclude-newer", DAY, "--override", without, *application.requirements]
    subprocess.run(command, env=copy, check=True)
    return folder / "bin"


@contextmanager
def _database(kind: str, folder: Path, name: str) -> Iterator[str]:
    """The URL of an empty database within the folder."""
    if kind == SQLITE:
        yield f"sqlite:///{folder}/{name}.db"
        return
    binaries = max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)
    if binaries is None:
        raise FileNotFoundError("no PostgreSQL server is installed; apt-get install postgresql")
    data, control = folder / "data", str(binaries / "pg_ctl")
    as_user = {}
    folder.chmod(0o755)
    data.mkdir()
    if os.geteuid() == 0:
        # PostgreSQL refuses to run as root.
        shutil.chown(data, "postgres", "postgres")
        shutil.chown(folder, "postgres")
        as_user = {"user": "postgres"}
    run = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder, **as_user}
    subprocess.run(
        [binaries / "initdb", "-D", data, "-A", "trust", "-U", "tester", "-E", "UTF8"], **run
    )
    options = f"-k {folder} -c listen_addresses='' -c fsync=off"
    subprocess.run([control, "-D", data, "-w", "-l", data / "log", "-o", options, "start"], **run)
    try:
        run_createdb = [binaries / "createdb", "-h", folder, "-U", "tester", name]
        subprocess.run(run_createdb, **run)
        yield f"postgresql+psycopg://tester@/{name}?host={folder}"
    finally:
        subprocess.run([control, "-D", data, "-m", "immediate", "stop"], **run)


if __name__ == "__main__":
    sys.exit(main())
