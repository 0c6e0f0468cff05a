"""The arrays that programs take, few enough for all to be compiled when the service starts."""

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass

from grapher_jax.corpus.keys import KEYS, STRINGS
from grapher_jax.files import Json
from grapher_jax.graph import PROXIMITIES, Proximity
from grapher_jax.retrieve import CANDIDATES
from grapher_jax.shapes import candidate_bucket, power_of_two

# Requests of a batch: with the question that fills its arrays, a power of two.
BATCH = 7
# Candidates that a program ranks, and requests at a time; beyond, powers of two one by one.
SIZES = {32: BATCH, CANDIDATES: BATCH, 1024: 1}
# Slots for what an object has of one relation: tables have few keys and nothing else.
_TABLE_SLOTS, SLOTS = 8, (16, 64, 256)
_OF_TABLES = "foreign_key"


@dataclass(frozen=True)
class Shape:
    """The arrays that a program takes, whatever the requests.

    Attributes:
        candidates: of a request.
        requests: at most.
        slots: of every relation.
        tables: whether there are foreign keys alone.
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
        """The smallest that holds the documents.

        Args:
            documents: of a request.
            rows: the table, perhaps with edges of one's own.
        """
        n = width(len(documents))
        longest, tables = 0, True
        lists = [name for name in KEYS.joining if KEYS[name].form is STRINGS]
        keyed = [row for row in rows.values() if row.keys]
        lists += [row.keys[0].name for row in keyed if row.name not in PROXIMITIES]
        further = [row.keys[0].name for row in keyed if row.name != _OF_TABLES]
        for document in documents:
            metadata = document.get("metadata")
            if metadata:
                longest = max(longest, *(list_length(metadata.get(key)) for key in lists))
                tables &= all(metadata.get(key) in (None, []) for key in further)
        tables &= longest <= _TABLE_SLOTS
        fitting = (slots for slots in SLOTS if slots >= longest)
        slots = _TABLE_SLOTS if tables else next(fitting, power_of_two(longest))
        return cls(n, SIZES.get(n, 1), slots, tables)

    def filler(self, rows: Mapping[str, Proximity] = PROXIMITIES) -> list[dict[str, Json]]:
        """Candidates of a further question that fill every slot, and so decide the program.

        Args:
            rows: see `fitting`.
        """
        metadata: dict[str, Json] = {}
        for row in rows.values():
            if row.name == _OF_TABLES or not self.tables:
                metadata |= row.filled(self.slots)
        return [{"id": name, "score": 0.0, "metadata": metadata} for name in "01"]


def list_length(value: Json) -> int:
    """How many slots metadata of a relation need at most: of one value one."""
    if isinstance(value, str):
        # Stores of strings have a list or a mapping as JSON.
        return value.count(",") + 1 if value.lstrip().startswith(("[", "{")) else 1
    return len(value) if isinstance(value, Sized) else 1


def width(documents: int) -> int:
    """The smallest number of candidates that a program takes and that so many documents fit."""
    return next((n for n in SIZES if n >= documents), candidate_bucket(documents))
