"""Tables of a few lines, and the keys that their names tell."""

from grapher_jax.corpus.inferred.likely import infer_by_name
from grapher_jax.corpus.inferred.types import Table


def tables(schema, *, keys=None, types=None):
    """Tables of `name: column, column` a line; of every column the type, where it is given."""
    found = []
    for line in schema.strip().splitlines():
        name, _, columns = (part.strip() for part in line.partition(":"))
        names = tuple(column.strip() for column in columns.split(","))
        known = {one: kind for one, kind in (types or {}).items() if one in names}
        found.append(Table(name, name, names, known, (keys or {}).get(name, ())))
    return found


def inferred(schema, **more):
    return {
        (key.table, *key.columns, key.references, *key.referenced_columns)
        for key in infer_by_name(tables(schema, **more))
    }
