"""Sets of tables: Spider, BIRD, Beaver."""

import re
from collections.abc import Iterable, Sequence

from benchmark_sets.files import Row, tell
from benchmark_sets.made import Asked, Made

from grapher_jax.corpus import Object, Query
from grapher_jax.corpus.sql import parse
from grapher_jax.errors import InputError


def tables(schemas: Iterable[Row], *, readable: bool) -> tuple[list[Object], dict[str, list[str]]]:
    """Objects of schemas as Spider and BIRD publish them, and by database the names of its tables.

    Args:
        schemas: of one database each.
        readable: add the release's readable names where they are more than another spelling.
    """
    objects, names = [], {}
    for schema in schemas:
        db, columns = schema["db_id"], schema["column_names_original"]
        own = names[db] = schema["table_names_original"]
        told = [*map(_name, own, schema["table_names"] if readable else own)]
        given = schema["column_names"] if readable else columns
        shown = [
            (at, _name(name, other)) for (at, name), (_, other) in zip(columns, given, strict=True)
        ]
        keys = [(columns[one][0], columns[other][0]) for one, other in schema["foreign_keys"]]
        for number, name in enumerate(own):
            text = ", ".join(column for at, column in shown if at == number)
            joined = [f"{db}.{own[other]}" for one, other in keys if one == number != other]
            objects.append(_table(db, name, f"{told[number]}: {text}", joined))
    return objects, names


def _name(name: str, readable: str) -> str:
    letters = [re.sub(r"[^a-z0-9]", "", one.lower()) for one in (name, readable)]
    return name if letters[0] == letters[1] else f"{name} ({readable})"


def _table(db: str, name: str, text: str, keys: Iterable[str]) -> Object:
    listed = [*dict.fromkeys(keys)]
    joined = {"foreign_keys": listed} if listed else {}
    return Object(f"{db}.{name}", text, metadata={**joined, "db": db, "table": name})


def read_tables(sql: str, db: str, names: Sequence[str]) -> dict[str, int]:
    """The tables that a statement reads anywhere, as judgements."""
    from sqlglot import exp

    try:
        statement = parse(sql, "sqlite")
    except InputError as error:
        tell(f"{db}: {error}; the question is in no split -sql: {sql}")
        return {}
    # No `with` of these sets hides a table of the schema.
    read = {table.name.lower() for table in statement.find_all(exp.Table)}
    return {f"{db}.{name}": 1 for name in names if name.lower() in read}


def spider(asked: Asked, *, schemas: str) -> Made:
    """Spider: relevant is what the outer FROM names, of a set operation that of its first query."""
    objects, names = tables(asked.files.json(schemas), readable=True)
    queries, judgements = [], {}
    for split in asked.splits:
        parts = ("train_spider", "train_others") if split == "train" else (split,)
        rows = [(part, row) for part in parts for row in asked.files.json(f"{part}.json")]
        found, read = judgements.setdefault(split, {}), judgements.setdefault(f"{split}-sql", {})
        for number, (part, row) in enumerate(rows):
            identity, db, own = f"spider-{split}-{number:05}", row["db_id"], names[row["db_id"]]
            units = [at for kind, at in row["sql"]["from"]["table_units"] if kind == "table_unit"]
            if not units:  # the outer FROM is a sub-query
                continue
            source = {"source": part} if split == "train" else {}
            metadata = {"db": db, "sql": row["query"], **source}
            queries.append(Query(identity, row["question"], metadata))
            found[identity] = {f"{db}.{own[at]}": 1 for at in units}
            if anywhere := read_tables(row["query"], db, own):
                read[identity] = anywhere
    return Made(objects, queries, judgements)


def bird(asked: Asked) -> Made:
    """BIRD: relevant is every table whose name occurs in the SQL, in whatever case."""
    (split,) = asked.splits
    objects, names = tables(asked.files.json(f"{split}_tables.json"), readable=False)
    queries, found, read = [], {}, {}
    for number, row in enumerate(asked.files.json(f"{split}.json")):
        identity, db, sql = f"bird-{split}-{number:05}", row["db_id"], row["SQL"]
        occurring = {f"{db}.{one}": 1 for one in names[db] if one.lower() in sql.lower()}
        if not occurring:
            continue
        hint = {"evidence": row["evidence"]} if row.get("evidence") else {}
        queries.append(Query(identity, row["question"], {"db": db, "sql": sql, **hint}))
        found[identity] = occurring
        if anywhere := read_tables(sql, db, names[db]):
            read[identity] = anywhere
    return Made(objects, queries, {split: found, f"{split}-sql": read})


def beaver(asked: Asked) -> Made:
    """Beaver: relevant is what the release says; the joins of `dw` are its keys."""
    schemas = asked.files.json("dev_tables.json")
    keys = {}
    for name, schema in schemas.items():
        listed = [key["referenced_table_name"] for key in schema.get("foreign_key", ())]
        keys[name] = [other for other in listed if other != name]
    for columns in asked.files.json("dw_join_keys.json"):
        one, other = (f"dw#sep#{column.split('.')[0]}" for column in columns)
        if one != other and one not in keys[other]:
            keys[one].append(other)
    objects = [
        _table(
            one["db_id"],
            one["table_name_original"],
            f"{one['table_name_original']}: {', '.join(one['column_names_original'])}",
            (other.replace("#sep#", ".") for other in keys[name]),
        )
        for name, one in schemas.items()
    ]
    ids = {item.id.lower(): item.id for item in objects}
    queries, judged = [], {}
    for part in ("dw", "nw"):
        for number, row in enumerate(asked.files.json(f"dev_{part}.json")):
            metadata = {"db": row["db_id"], "sql": row["sql"]}
            queries.append(Query(f"beaver-{part}-{number:03}", row["question"], metadata))
            gold = (one.replace("#sep#", ".").lower() for one in row["gold_tables"])
            judged[queries[-1].id] = {ids[one]: 1 for one in gold}
    return Made(objects, queries, {"dev": judged})
