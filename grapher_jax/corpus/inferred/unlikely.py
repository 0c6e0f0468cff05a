"""What makes the likeliest reference of a column unlikely after all.

It is asked of the likeliest candidate, and not before: another one would take its place.
"""

from typing import TYPE_CHECKING

from grapher_jax.corpus.inferred.names import ANY, Column, Described, singular

if TYPE_CHECKING:
    from grapher_jax.corpus.inferred.likely import Candidate

# Marks of keys that also end the names of values: `invoice_number`.
_NUMBERS = {"number", "no", "nr", "num", "nbr"}


def is_unlikely(source: Described, column: Column, one: "Candidate") -> bool:
    """Whether a column of the source does not mean its likeliest candidate.

    Args:
        source: the table of the column.
        column: the column.
        one: the candidate.
    """
    reasons = (_is_said_by_another, _is_a_value, _is_in_letters)
    return any(reason(source, column, one) for reason in reasons)


def _is_said_by_another(source: Described, column: Column, one: "Candidate") -> bool:
    """Whether another column has the name of the candidate's key, and this one has not.

    `field_number` beside `field_id` is no reference to `field`.
    """
    named = one.key.joined not in ANY and any(
        other is not column and other.joined == one.key.joined for other in source.columns
    )
    if not named or column.calls(one.key) or one.evidence.keys() & {"person", "front"}:
        return False
    return "name" not in one.evidence or (
        "role" not in one.evidence and column.words[-1] in _NUMBERS
    )


def _is_a_value(source: Described, column: Column, one: "Candidate") -> bool:
    """Whether a column is called after a value of the candidate's: `invoice_number`."""
    last = column.words[-1]
    if not column.stem or last not in _NUMBERS or column.calls(one.key):
        return False
    is_name = one.table.full.endswith(singular(column.words))  # `serial_number`, of such a table
    return not is_name and not one.table.others.isdisjoint((last, column.joined))


def _is_in_letters(source: Described, column: Column, one: "Candidate") -> bool:
    """Whether only letters of a table have the name that the column's own table ends in.

    `location_id` of `stock_location` is no reference to `allocation`.
    """
    name = singular(column.stem or column.words)
    place = len(source.full) - len(name)
    return "letters" in one.evidence and source.full.endswith(name) and place in source.cuts
