"""The array shapes of programs, few enough to compile all when the service starts."""

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass

from grapher_jax.corpus.keys import KEYS, STRINGS
from grapher_jax.files import Json
from grapher_jax.graph import PROXIMITIES, Proximity
from grapher_jax.retrieve import CANDIDATES
from grapher_jax.shapes import candidate_bucket, power_of_two

# The maximum batch size: together with the filler question, a power of two.
BATCH = 7
# The same for objects of the index, which need no filler question.
SEARCHES = BATCH + 1
# The texts of so many documents are embedded at once: some seconds on a slow CPU.
EMBEDDED = 32
# Fewer are answered one at a time: two take 7 ms together or apart, and so the first waits less.
WORTH_A_BATCH = 3
# The numbers of candidates of programs, with their batch sizes; larger requests use powers of two,
# one at a time.
SIZES = {32: BATCH, CANDIDATES: BATCH, 1024: 1}
# The candidates of the smaller program for objects of the index.
FEW = 64
# Slots per object and relation: tables have only few keys.
_TABLE_SLOTS, SLOTS = 8, (16, 64, 256)
_OF_TABLES = "foreign_key"


@dataclass(frozen=True)
class Shape:
    """The shapes of a program's arrays, independent of the requests.

    Attributes:
        candidates: the number of candidates per request.
        requests: the maximum number of requests.
        slots: the number of slots per relation.
        tables: whether there are only foreign keys.
    """

    candidates: int
    requests: int
    slots: int
    tables: bool

    @classmethod
    def fitting(
        cls,
        documents: Sequence[Mapping[str, Json]],
        rows: Mapping[str, Proximity] = PROXIMITIES,
    ) -> "Shape":
        """The smallest shape that fits the documents.

        Args:
            documents: the documents of a request.
            rows: the table of proximities, possibly with edges of your own.
        """
        n = width(len(documents))
        longest, tables = 1, True
        keyed = [row for row in rows.values() if row.keys]
        lists = {name for name, key in KEYS.items() if key.joins and key.form is STRINGS}
        lists |= {row.keys[0].name for row in keyed if row.name not in PROXIMITIES}
        further = {row.keys[0].name for row in keyed if row.name != _OF_TABLES}
        for document in documents:
            for key, value in (document.get("metadata") or {}).items():
                if key in lists:
                    longest = max(longest, list_length(value))
                if key in further:
                    tables &= value in (None, [])
        tables &= longest <= _TABLE_SLOTS
        fitting = (slots for slots in SLOTS if slots >= longest)
        slots = _TABLE_SLOTS if tables else next(fitting, power_of_two(longest))
        return cls(n, SIZES.get(n, 1), slots, tables)

    def filler(self, rows: Mapping[str, Proximity] = PROXIMITIES) -> list[dict[str, Json]]:
        """The candidates of a filler question, which fill every slot and so decide the program.

        Args:
            rows: see `fitting`.
        """
        metadata: dict[str, Json] = {}
        for row in rows.values():
            if row.name == _OF_TABLES or not self.tables:
                metadata |= row.filled(self.slots)
        # Positions in a sequence join only if one follows the other.
        next_one = {key: one + 1 if isinstance(one, int) else one for key, one in metadata.items()}
        each = zip("01", (metadata, next_one), strict=True)
        return [{"id": name, "score": 0.0, "metadata": own} for name, own in each]


def list_length(value: Json) -> int:
    """The maximum number of slots for the metadata of a relation: one for a single value."""
    if isinstance(value, list):
        return len(value)
    if isinstance(value, str):
        # Stores that hold only strings have lists and mappings as JSON.
        return value.count(",") + 1 if value.lstrip().startswith(("[", "{")) else 1
    return len(value) if isinstance(value, Sized) else 1


def width(documents: int) -> int:
    """The smallest number of candidates of a program that fits this many documents."""
    return next((n for n in SIZES if n >= documents), candidate_bucket(documents))
