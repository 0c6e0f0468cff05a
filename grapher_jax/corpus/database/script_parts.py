"""What a parsed part of a statement is: a description, an index, a partition, a key's columns."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp

# What indexes inside of tables begin with; columns may have these names too.
_INDEXES = ("INDEX", "KEY", "FULLTEXT", "SPATIAL", "VECTOR", "INVERTED", "CLUSTERED", "FAMILY")


def description(options: "exp.Expression | None") -> str:
    """BigQuery's description among options; empty if there is none."""
    from sqlglot import exp

    for one in options.expressions if isinstance(options, exp.Properties) else ():
        if one.name.casefold() == "description":
            return str(one.args["value"].name)
    return ""


def is_old_partition(
    made: "exp.Expression", table: "exp.Table", inherits: "exp.Expression | None"
) -> bool:
    """Whether a table is another's partition, as PostgreSQL's once were: by inheritance and a rule.

    It adds no column and no key; if it has no rule either, its name begins with the other's.
    """
    from sqlglot import exp

    parents = [one.name for one in inherits.find_all(exp.Table)] if inherits else []
    own = made.expressions if isinstance(made, exp.Schema) else []
    rules = [one for part in own for one in (part.expressions or [part])]
    checked = all(isinstance(rule, exp.CheckColumnConstraint | exp.Check) for rule in rules)
    is_named = bool(parents) and table.name.casefold().startswith(parents[0].casefold())
    return len(parents) == 1 and checked and (bool(rules) or is_named)


def is_index(part: "exp.Expression") -> bool:
    """Whether what is parsed as a column is an index of some dialect, such as `INDEX i (a)`."""
    from sqlglot import exp

    name, kind = part.find(exp.Identifier), part.args.get("kind")
    if name is None or name.quoted or name.name.upper() not in _INDEXES:
        return False
    is_type = kind is not None and (
        kind.this != exp.DataType.Type.USERDEFINED
        or "." in kind.sql()
        or any(isinstance(one.this, exp.Literal) for one in kind.expressions)
    )
    rules = exp.DefaultColumnConstraint, exp.CheckColumnConstraint, exp.Reference
    return not is_type and not part.find(*rules) and part.sql().endswith(")")


def names_of(parts: "Iterable[exp.Expression]") -> list[str]:
    """The columns among the parts of a key."""
    from sqlglot import exp

    inner = (one.this if isinstance(one, exp.Ordered | exp.ColumnPrefix) else one for one in parts)
    return [one.name for one in inner if isinstance(one, exp.Identifier | exp.Column)]
