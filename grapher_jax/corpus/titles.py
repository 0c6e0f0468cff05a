"""Titles, and which of them a text mentions.

Titles and texts are compared by their words, and without case if a title has several words. A title
of one word is compared as it is written: `Apple` is mentioned more often than `apple`.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable

from grapher_jax.corpus.keys import MENTIONS
from grapher_jax.corpus.objects import Object
from grapher_jax.text import UNSPACED

# A title's last words in brackets distinguish it from others: `Mercury (planet)`.
_BRACKETED = re.compile(r"\s*\([^()]*\)\s*$")
_WORDS = re.compile(f"[{UNSPACED}]|[^\\W_{UNSPACED}]+")
_OF_TABLES = ("table", "columns", "foreign_keys", "inferred_keys")
_LONE = re.compile(f"(?<![{UNSPACED}])[{UNSPACED}](?![{UNSPACED}])")


def read_title(title: str) -> str:
    """The form by which a title is compared; empty if no text can mention it.

    Brackets at its end are left out. A single Chinese, Japanese or Korean character is no title,
    because it is a part of too many words.
    """
    shown = _BRACKETED.sub("", unicodedata.normalize("NFKC", title))
    words = _WORDS.findall(shown)
    if _LONE.search(shown):
        return ""
    return words[0] if len(words) == 1 else " ".join(words).casefold()


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
        words = _WORDS.findall(unicodedata.normalize("NFKC", text))
        found = self._titles.intersection(words)
        folded = [word.casefold() for word in words]
        for place, word in enumerate(folded):
            for size in self._sizes.get(word, ()):
                phrase = " ".join(folded[place : place + size])
                if phrase in self._titles:
                    found.add(phrase)
        return found


def title_of(item: Object) -> str:
    """The title by which others may mention an object; empty for a table, which keys join."""
    return "" if _is_table(item) else read_title(item.title)


def may_mention(item: Object) -> bool:
    """Whether titles are looked for in an object: it is no table, and names no mentions itself."""
    return MENTIONS.name not in item.metadata and not _is_table(item)


def _is_table(item: Object) -> bool:
    return not item.metadata.keys().isdisjoint(_OF_TABLES)
