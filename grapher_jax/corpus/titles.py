"""Titles, and which of them a text mentions.

Titles and texts are compared by their words, and without case if a title has several words. A title
of one word is compared as it is written: `Apple` is mentioned more often than `apple`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable

from grapher_jax.corpus.keys import FOREIGN_KEYS, INFERRED_KEYS, MENTIONS
from grapher_jax.corpus.objects import Object, is_table
from grapher_jax.text import ANY_UNSPACED, UNSPACED, normalized, runs

# A title's last words in brackets distinguish it from others: `Mercury (planet)`.
_BRACKETED = re.compile(r"\([^()]*\)$")
# Nobody says a longer title.
_LONGEST = 32
# Between two runs of characters that are written without spaces.
_BREAK = "|"
# What a table has that does not say so.
_KEYS = (FOREIGN_KEYS.name, INFERRED_KEYS.name)
_LONE = re.compile(f"(?<![{UNSPACED}])[{UNSPACED}](?![{UNSPACED}])")
_APART = re.compile(f"(?<=[{UNSPACED}]) (?=[{UNSPACED}])")


def read_title(title: str) -> str:
    """The form by which a title is compared; empty if no text can mention it.

    Brackets at its end are left out. A single character of a script without spaces, such
    as Chinese, is no title, because it is a part of too many words.
    """
    shown = _BRACKETED.sub("", normalized(title).rstrip())
    words = _words(shown)
    if _LONE.search(shown) or len(words) > _LONGEST:
        return ""
    return words[0] if len(words) == 1 else " ".join(words).casefold()


def written(title: str) -> str:
    """A title that `read_title` returned, in a form that `Reading` reads as it reads texts."""
    return _APART.sub("", title)


class Titles:
    """Titles, to be found in texts.

    A title is found wherever its words are, even within a longer title.
    """

    def __init__(self, titles: Iterable[str]) -> None:
        """Take titles as `read_title` gives them."""
        self._titles = set(titles)
        self._sizes: dict[str, set[int]] = defaultdict(set)
        for title in self._titles:
            first, *others = title.split(" ")
            if others:
                self._sizes[first].add(1 + len(others))

    def in_text(self, text: str) -> set[str]:
        """The titles that a text mentions."""
        words = _words(normalized(text))
        found = self._titles.intersection(words)
        folded = [word.casefold() for word in words]
        for place, word in enumerate(folded):
            for size in self._sizes.get(word, ()):
                phrase = " ".join(folded[place : place + size])
                if phrase in self._titles:
                    found.add(phrase)
        return found


def words_in(text: str) -> set[str]:
    """The words of a text, as they are written and without case: no title begins with another."""
    words = _words(normalized(text))
    return {*words, *(word.casefold() for word in words)}


def _words(text: str) -> list[str]:
    """The words of a text; a character of a script without spaces is a word."""
    found = runs(text)
    if not ANY_UNSPACED.search(text):
        return found
    words: list[str] = []
    for run in found:
        apart = ANY_UNSPACED.match(run)
        if apart and words and ANY_UNSPACED.match(words[-1]):
            words.append(_BREAK)
        words += run if apart else [run]
    return words


def title_of(item: Object) -> str:
    """The title by which others may mention an object; empty for a table, which keys join."""
    return "" if _joined_by_keys(item) else read_title(item.title)


def called_of(item: Object) -> list[str]:
    """The codes and numbers by which questions call an object, beside its id (`called`)."""
    told = item.metadata.get("called")
    return [one for one in told if isinstance(one, str)] if isinstance(told, list) else []


def may_mention(item: Object) -> bool:
    """Whether titles are looked for in an object: it is no table, and names no mentions itself."""
    return MENTIONS.name not in item.metadata and not _joined_by_keys(item)


def _joined_by_keys(item: Object) -> bool:
    return is_table(item) or not item.metadata.keys().isdisjoint(_KEYS)
