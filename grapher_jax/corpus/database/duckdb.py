"""Reads a DuckDB database by its own catalogue; SQLAlchemy would ask for parts of PostgreSQL's."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grapher_jax.corpus.database.reflect import TABLE, VIEW, Choice, Key, Reflected, choose

if TYPE_CHECKING:
    from sqlalchemy import Connection, RowMapping

_DEFAULT = "main"
_RELATIONS = {TABLE: "duckdb_tables()", VIEW: "duckdb_views()"}
_CONSTRAINTS = "(SELECT *, false AS internal FROM duckdb_constraints())"


def reflect_duckdb(
    connection: "Connection", choice: Choice, place: str
) -> tuple[Reflected, dict[Key, str]]:
    """The chosen tables and views of a database, and the SQL of each view.

    Raises:
        InputError: if there is no table, for an unknown schema, and patterns that match nothing.
    """

    def rows(catalogue: str, *wanted: str) -> "Sequence[RowMapping]":
        asked = f"SELECT {', '.join(wanted)} FROM {catalogue} WHERE NOT internal "  # noqa: S608
        asked += "AND database_name = current_database()"
        return connection.exec_driver_sql(asked).mappings().all()

    def key(row: "RowMapping", name: str = "table_name") -> Key:
        return None if row["schema_name"] == _DEFAULT else row["schema_name"], row[name]

    found, sql = Reflected(_DEFAULT, ()), dict[Key, str]()
    for kind, catalogue in _RELATIONS.items():
        for row in rows(catalogue, "schema_name", f"{kind}_name", "comment", "sql"):
            own = key(row, f"{kind}_name")
            found.kinds[own], sql[own] = kind, row["sql"]
            found.comments[own] = {"text": row["comment"]}
    told = ("column_name AS name", "data_type AS type", "is_nullable AS nullable", "comment")
    for row in rows("duckdb_columns()", "schema_name", "table_name", *told):
        found.columns.setdefault(key(row), []).append(row)
    wanted = ("constraint_column_names", "referenced_table", "referenced_column_names")
    for row in rows(_CONSTRAINTS, "schema_name", "table_name", "constraint_type", *wanted):
        own, columns = key(row), list(row["constraint_column_names"])
        if row["constraint_type"] == "PRIMARY KEY":
            found.primary[own] = columns
        elif row["constraint_type"] == "UNIQUE":
            found.unique.setdefault(own, []).append(columns)
        elif row["constraint_type"] == "FOREIGN KEY":
            reference = {
                "constrained_columns": columns,
                "referred_schema": own[0],  # DuckDB has no keys between schemas
                "referred_table": row["referenced_table"],
                "referred_columns": row["referenced_column_names"],
            }
            found.references.setdefault(own, []).append(reference)
    choose(place, found, choice)
    return found, sql
