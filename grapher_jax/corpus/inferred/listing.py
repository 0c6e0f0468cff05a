"""Lists the foreign keys of a corpus, declared and inferred."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from grapher_jax.corpus.inferred.stage import ALWAYS, KeyChoice, with_inferred_keys
from grapher_jax.corpus.inferred.types import TOLD_BY, InferredKey, records, strings_in
from grapher_jax.corpus.objects import Object
from grapher_jax.files import Json
from grapher_jax.text import enumerated

DECLARED = "declared"
# Names suggest fewer further keys than this share of the known ones where all keys are declared:
# at most 0.06 of them in nine of ten applications.
_MANY = 0.1


def listed_keys(objects: Iterable[Object]) -> Iterator[InferredKey]:
    """The keys of each object: the declared ones, then the inferred ones.

    Columns are empty if the metadata names none, as for the tables that a view reads.
    """
    for item in objects:
        of_columns: set[Json] = set()
        for name in ("joins", "inferred_joins"):
            for join in records(item.metadata.get(name)):
                key = InferredKey(
                    item.id,
                    strings_in(join.get("columns")),
                    str(join.get("references")),
                    strings_in(join.get("referenced_columns")),
                    DECLARED if name == "joins" else str(join.get("by")),
                    count if type(count := join.get("count")) is int else 0,
                )
                of_columns.add((name, key.references))
                yield key
        for name, joins, by in (
            ("foreign_keys", "joins", DECLARED),
            ("inferred_keys", "inferred_joins", "name"),
        ):
            for target in item.metadata.get(name) or ():
                if (joins, target) not in of_columns:
                    yield InferredKey(item.id, (), target, (), by)


def told_of_inferred(objects: Iterable[Object]) -> str:
    """The number of inferred keys by evidence, in words; empty if there are none."""
    counts = Counter(key.by for key in listed_keys(objects) if key.by in TOLD_BY)
    parts = [f"{counts[by]} {how}" for by, how in TOLD_BY.items() if by in counts]
    return f"keys that nobody declared were inferred: {enumerated(parts)}" if parts else ""


def told_of_further(objects: Sequence[Object]) -> str:
    """The number of keys that names suggest besides those of the objects; empty if few do."""
    known = [*listed_keys(objects)]
    suggested = listed_keys(with_inferred_keys(objects, KeyChoice(ALWAYS)))
    # Some may be known by other evidence, such as a view.
    there = {(key.table, key.columns) for key in known}
    further = sum((key.table, key.columns) not in there for key in suggested)
    if not further or further < _MANY * len(known):
        return ""
    several = "s" * (further > 1)
    return f"names suggest {further} further key{several}, which --infer-keys always takes too"
