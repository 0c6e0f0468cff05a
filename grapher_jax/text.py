"""Text as it is compared: tokens for BM25, words for the embedder, names of entities."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from grapher_jax.errors import InputError, require

# Entities, or other names, that more objects have connect nothing, unless asked for. What many have
# says little: on MuSiQue and HotpotQA train, 4 to 8 gave the best PR@10 whatever the corpus, 857
# objects or 17,217.
MAX_DF = 8
# Words of a name that is looked for in a text, and what may surround it there.
_LONGEST = 8
_MARKS = " ,;:!?\"'“”‘’()[]"
_WORD = re.compile(r"[^\W_]+")
# What asks in English, and what holds a sentence together: it names no column.
_STOP_WORDS = """
a about above after again all also am among an and another any are as at be been before being below
between both by can could did do does done down during each either every find for from get give had
has have having he her here his how i if in into is it its just least less list many may me might
more most much must my neither no nor not of on once only onto or other our out over own per please
return same shall she should show so some such tell than that the their them then there these they
this those to too under up us very was we were what when where which while who whom whose why will
with without would you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
# Han, Hiragana, Katakana and Hangul.
_CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U000323af"
)
_UNSPACED = re.compile(f"[{_CJK}]")
_RUN = re.compile(f"[{_CJK}]+|[^\\W_{_CJK}]+")


def normalise(text: str) -> str:
    """Unicode NFKC, case folding and white-space folding: how entity names are compared."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def readable(text: str) -> str:
    """The text as an embedder should read it: identifiers such as `first_name` as words."""
    return text.replace("_", " ")


def tokenize(text: str) -> list[str]:
    """The words of a text: runs of letters and digits of its case-folded NFKC form."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def parts(word: str, *, digits: bool = True) -> list[str]:
    """The words of an identifier without underscores, such as `customer`, `Id`, `2`.

    Args:
        word: letters and digits.
        digits: whether digits are apart from the letters beside them.
    """
    if word.isalpha() and (word.islower() or word[1:].islower() or word.isupper()):
        return [word]
    found = [word[:1]]
    for before, letter, after in zip(word, word[1:], f"{word[2:]} ", strict=False):
        if _begins(before, letter, after) or (digits and before.isdigit() != letter.isdigit()):
            found.append(letter)
        else:
            found[-1] += letter
    return found


def _begins(before: str, letter: str, after: str) -> bool:
    """Whether a word of camelCase begins here: customer|Id, HTTP|Server."""
    if not letter.isupper():
        return False
    return before.islower() or before.isdigit() or (before.isupper() and after.islower())


def name_words(text: str) -> list[str]:
    """The words of names, or of what asks for them, each once.

    Identifiers are in parts, all in lower case, characters without spaces in pairs, and English
    plurals as singulars: `orderItems` and "items of an order" share `order` and `item`.
    """
    runs = _RUN.findall(unicodedata.normalize("NFKC", text))
    words = (word for run in runs for part in parts(run) for word in _bigrams(part.casefold()))
    return [*dict.fromkeys(map(_singular, words))]


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word


def phrases(text: str) -> Iterator[str]:
    """Runs of words as names are compared, without the marks around them; the longest first."""
    words = normalise(text).split()
    for size in range(min(_LONGEST, len(words)), 0, -1):
        for start in range(len(words) - size + 1):
            phrase = " ".join(words[start : start + size])
            # A full stop may be the name's own.
            yield from dict.fromkeys((phrase, phrase.strip(_MARKS), phrase.strip(_MARKS + ".")))


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How objects, and questions about them, are read: by BM25, and by the embedder.

    Attributes:
        split: whether identifiers are read as words too: `customerId2` is also `customer`, `id` and
            `2`.
        bigrams: whether each run of Chinese, Japanese or Korean characters, where no space parts
            words, is its pairs of neighbouring characters, and not one word.
        language: for BM25, whose stop words are left out and whose words are stemmed: its English
            name or ISO 639-1 code; None for neither.

    Raises:
        InputError: for a language that has neither stems nor stop words here.
        MissingExtraError: where what knows languages is not installed.
    """

    split: bool = False
    bigrams: bool = True
    language: str | None = None

    def __post_init__(self) -> None:
        if self.language is not None:
            language(self.language)

    def tokens(self, text: str) -> list[str]:
        """The words of a text for BM25, in its order; then the parts of its identifiers.

        A part is counted once, and not at all where it is a word of the text: twelve columns from
        `month1` to `month12` are no twelve mentions of months.
        """
        text = unicodedata.normalize("NFKC", text)
        found = self._runs(text.casefold())
        if self.bigrams:
            found = [word for run in found for word in _bigrams(run)]
        if self.split:
            said = set(found)
            apart = (parts(run) for run in self._runs(text))
            own = dict.fromkeys(part.casefold() for run in apart if len(run) > 1 for part in run)
            found += (part for part in own if part not in said)
        return found if self.language is None else language(self.language)(found)

    def words(self, text: str) -> str:
        """The text as an embedder reads it.

        Digits stay with their letters, which the word pieces of embedders part by themselves.
        """
        if self.split:
            text = _WORD.sub(lambda found: " ".join(parts(found[0], digits=False)), text)
        return readable(text)

    def _runs(self, text: str) -> list[str]:
        """Letters and digits, those that are written without spaces apart from others."""
        return (_RUN if self.bigrams else _WORD).findall(text)


READING = Reading()
# How indexes were read before they could say so.
PLAIN = Reading(bigrams=False)


def _bigrams(run: str) -> Iterable[str]:
    """A word; or of characters without spaces, each two that are neighbours."""
    return map("".join, pairwise(run)) if len(run) > 1 and _UNSPACED.match(run) else (run,)


# What bm25s calls its lists of stop words; of the other languages Snowball knows stems alone.
_STOP_LISTS = {
    "danish": "DANISH",
    "dutch": "DUTCH",
    "english": "EN",
    "french": "FRENCH",
    "german": "GERMAN",
    "italian": "ITALIAN",
    "norwegian": "NORWEGIAN",
    "portuguese": "PORTUGUESE",
    "russian": "RUSSIAN",
    "spanish": "SPANISH",
    "swedish": "SWEDISH",
    "turkish": "TURKISH",
}
_CODES = {
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ru": "russian",
    "sv": "swedish",
    "tr": "turkish",
}


@cache
def language(name: str) -> Callable[[list[str]], list[str]]:
    """What leaves out a language's stop words and stems all others; see `Reading`."""
    snowball, code = require("Stemmer"), name.casefold()
    try:
        snowball.Stemmer(code)
    except (KeyError, UnicodeError):
        choice = ", ".join(snowball.algorithms())
        raise InputError(f"language: {name!r} is unknown; use {choice}") from None
    own = _STOP_LISTS.get(_CODES.get(code, code))
    listed = getattr(require("bm25s.stopwords"), f"STOPWORDS_{own}") if own else ()
    stop = frozenset(map(str.casefold, listed))

    def stems(words: list[str]) -> list[str]:
        # A question of stop words alone asks for them.
        kept = [word for word in words if word not in stop] or words
        # One stemmer must not be asked by two threads.
        found: list[str] = snowball.Stemmer(code).stemWords(kept)
        return found

    return stems
