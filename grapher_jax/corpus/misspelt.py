"""Detects misspelt graph keys in metadata, and warns once per corpus."""

import re
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache

from grapher_jax.corpus.keys import KEYS
from grapher_jax.errors import warn
from grapher_jax.files import Json

_LONGEST_KEY = 20
_METADATA = "metadata"
# Other names that people use for the keys, in the form of `_folded`.
_ALSO = {"linkto": "links", "linkedto": "links", "hyperlink": "links"}


class NearKeys:
    """Counts metadata keys that are almost graph keys, with the first place of each.

    A key counts if it differs from a graph key only in case, separators or a plural, or in one
    letter of a long key. A single `link` with a string is usually the object's own address, and is
    ignored.
    """

    def __init__(self, *, beside: bool = False) -> None:
        """Start with no key found.

        Args:
            beside: whether the keys are next to the metadata, where even correct names are
                misplaced.
        """
        self._beside, self._known = beside, KEYS.joining
        self._found: dict[str, tuple[str, str, int]] = {}
        # Most keys of a corpus repeat and never match, whatever their values.
        self._harmless: set[str] = set()

    def look(self, owner: str, values: Mapping[str, object]) -> None:
        """Count the keys of one object."""
        for key in values.keys() - self._harmless:
            name = self._meant(key)
            if not name:
                self._harmless.add(key)
            elif self._counts(key, name, values[key]):
                _, first, times = self._found.get(key, (name, owner, 0))
                self._found[key] = (name, first, times + 1)

    @property
    def keys(self) -> set[str]:
        """The keys that were found."""
        return {*self._found}

    def told(self) -> str:
        """The warning about them; empty if there are none."""
        return "; ".join(
            f"{key!r} {self._cure(name)} ({times} object{'s' * (times > 1)}, such as {first!r})"
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

    def _cure(self, name: str) -> str:
        if self._beside:
            return f"beside metadata is not read; put it into metadata as {name!r}"
        if name == _METADATA:
            return "within metadata is not read; put its keys one level up"
        return f"is not read; write it as {name!r}"


def misplaced_keys(objects: Iterable[tuple[str, Mapping[str, object]]]) -> str:
    """The warning about graph keys beside the metadata of objects with ids; empty without any."""
    misplaced = NearKeys(beside=True)
    for owner, values in objects:
        misplaced.look(owner, values)
    return misplaced.told()


def warn_of_near_references(
    key: str, lists: Iterable[tuple[Collection[str], Iterable[str]]]
) -> None:
    """Warn once if a reference would be an id but for its case or a schema before its name.

    Args:
        key: the metadata key of the references.
        lists: the ids of the objects that can join each other, and what these objects reference.
    """
    for ids, referenced in lists:
        if not (wanted := [*referenced]):
            continue
        known, folded = {*ids}, {one.casefold(): one for one in ids}
        for one in wanted:
            named = one.casefold()
            near = folded.get(named) or folded.get(named.rpartition(".")[2])
            if near is not None and one not in known:
                warn(
                    f"{key}: {one!r} is no candidate, but {near!r} is, and none joins another; "
                    "write references as the ids are written"
                )
                return


def warn_of_misspelt(ids: Iterable[str], metadata: Iterable[Mapping[str, Json]]) -> None:
    """Warn once if keys are almost graph keys.

    Args:
        ids: one per object.
        metadata: one per object.
    """
    found = NearKeys()
    for owner, values in zip(ids, metadata, strict=True):
        found.look(owner, values)
    if told := found.told():
        warn(f"metadata: {told}")


@lru_cache(maxsize=1024)
def _folded(key: str) -> str:
    """The key in lower-case letters only, with each word in the singular."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|[\W_]+", " ", key)
    words = (re.sub(r"(?<=..)s$", "", word) for word in spaced.casefold().split())
    return "".join(re.sub(r"ie$", "y", word) for word in words)


@lru_cache(maxsize=1024)
def _near(key: str, known: tuple[str, ...]) -> str | None:
    """The graph key that this key almost equals, such as `foreign_keys` for `ForeignKey`."""
    folded = _folded(key)
    names = {_folded(name): name for name in known} | {
        other: name for other, name in _ALSO.items() if name in known
    }
    joined = re.sub(r"[\W_]+", "_", key.strip()).casefold()
    close = get_close_matches(joined, known, n=1, cutoff=0.9)
    return names.get(folded) or next(iter(close), None)
