"""Keys that are almost those that the graph is built from, told once a corpus."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache

from grapher_jax.corpus.keys import KEYS
from grapher_jax.errors import warn
from grapher_jax.files import Json

_LONGEST_KEY = 20
_METADATA = "metadata"
# Other names by which people call the keys, as `_folded` has them.
_ALSO = {"linkto": "links", "linkedto": "links", "hyperlink": "links"}


class NearKeys:
    """Keys that are almost those that the graph is built from: how often, and where first.

    A key counts where it is one of these but for case, separators or a plural, or a letter of a
    long one. A lone `link` with a string is mostly the object's own address, and is left alone.
    """

    def __init__(self, *, beside: bool = False) -> None:
        """With none found yet.

        Args:
            beside: whether the keys stand beside metadata, where the right ones are wrong too.
        """
        self._beside, self._known = beside, KEYS.joining
        self._found: dict[str, tuple[str, str, int]] = {}
        # Most keys of a corpus are the same ones, and mean nothing here whatever their values.
        self._harmless: set[str] = set()

    def look(self, owner: str, values: Mapping[str, object]) -> None:
        """Count those of one object."""
        for key in values.keys() - self._harmless:
            name = self._meant(key)
            if not name:
                self._harmless.add(key)
            elif self._counts(key, name, values[key]):
                _, first, times = self._found.get(key, (name, owner, 0))
                self._found[key] = (name, first, times + 1)

    def told(self) -> str:
        """What to say of them; empty where there are none."""
        return "; ".join(
            f"{key!r} {self._cure(key, name)} ({times} object{'s' * (times > 1)}, "
            f"such as {first!r})"
            for key, (name, first, times) in sorted(self._found.items())
        )

    def _meant(self, key: object) -> str | None:
        if not isinstance(key, str) or len(key) > _LONGEST_KEY:
            return None
        if key == _METADATA:
            return None if self._beside else key
        if key in self._known:
            return key if self._beside else None
        return _near(key, self._known)

    def _counts(self, key: str, name: str, value: object) -> bool:
        if name == _METADATA:
            inside = value if isinstance(value, Mapping) else ()
            return any(isinstance(one, str) and _near(one, self._known) for one in inside)
        return not (isinstance(value, str) and _folded(key) == "link")

    def _cure(self, key: str, name: str) -> str:
        if self._beside:
            return f"beside metadata is not read; put it into metadata as {name!r}"
        if name == _METADATA:
            return "within metadata is not read; put its keys one level up"
        return f"is not read; write it as {name!r}"


def warn_of_misspelt(ids: Iterable[str], metadata: Iterable[Mapping[str, Json]]) -> None:
    """Warn once where keys are almost those that the graph is built from.

    Args:
        ids: one an object.
        metadata: one an object.
    """
    found = NearKeys()
    for owner, values in zip(ids, metadata, strict=True):
        found.look(owner, values)
    if told := found.told():
        warn(f"metadata: {told}")


@lru_cache(maxsize=1024)
def _folded(key: str) -> str:
    """The key in small letters alone, each word of it in the singular."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|[\W_]+", " ", key)
    words = (re.sub(r"(?<=..)s$", "", word) for word in spaced.casefold().split())
    return "".join(re.sub(r"ie$", "y", word) for word in words)


@lru_cache(maxsize=1024)
def _near(key: str, known: tuple[str, ...]) -> str | None:
    """The key that this one is or almost is, such as `foreign_keys` of `ForeignKey`."""
    folded = _folded(key)
    names = {_folded(name): name for name in known} | {
        other: name for other, name in _ALSO.items() if name in known
    }
    joined = re.sub(r"[\W_]+", "_", key.strip()).casefold()
    close = get_close_matches(joined, known, n=1, cutoff=0.9)
    return names.get(folded) or next(iter(close), None)
