"""Text normalisation: tokens for BM25, words for the embedder, entity names, models' replies."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import TypeVar

from grapher_jax.errors import InputError, require

T = TypeVar("T")

# By default, entities and other names that more than this many objects have connect nothing,
# because frequent names say little: on the training splits of MuSiQue and HotpotQA, 4 to 8 gave the
# best PR@10 for any corpus size, 857 objects or 17,217.
MAX_DF = 8
# The maximum number of words of a name in a text, and the marks that may surround it.
_LONGEST = 8
_MARKS = " ,;:!?\"'“”‘’()[]"
# English question words and function words, which never name a column.
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
# Longer than any word of a text.
NO_WORD = "q" * 99
_THINK, _THOUGHT = "<think>", "</think>"
# In capitals, WHO is an organisation.
_WHO = re.compile(r"\b(?:[Ww]ho|(?i:whom|whose))\b")
# Thai, Lao, Burmese and Khmer; Hangul, Kana and Han.
UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ece\u1000-\u103f\u1050-\u108f\u1780-\u17d3"
    "\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U000323af"
)
# Vowels and other signs that are written on the letters of a word, by the blocks that have them.
_BLOCKS = (*range(0x300, 0x2000), *range(0xA620, 0xAC00), *range(0x10A00, 0x12000))
_SIGNS = [chr(c) for c in _BLOCKS if unicodedata.category(chr(c)) in ("Mn", "Mc")]
# In one class with characters above U+FFFF, each character of a text is compared with all ranges.
_BASIC, _ABOVE = (
    "".join(sign for sign in _SIGNS if (sign > "\uffff") == above) for above in (False, True)
)
_SIGN = f"(?:[{_BASIC}]|(?=[^\0-\uffff])[{_ABOVE}])"
# Those that Hebrew and Arabic may leave out, the line that only makes an Arabic word longer, and
# joiners, which decide how letters look.
_OPTIONAL = re.compile(
    "[\u200c\u200d\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]+"
)
# Longer words are not kept.
_LONGEST_KEPT = 32
ANY_UNSPACED = re.compile(f"[{UNSPACED}]")
_WORD = re.compile(f"[^\\W_]+(?:{_SIGN}+[^\\W_]*)*")
_RUN = re.compile(f"[{UNSPACED}]+|[^\\W_{UNSPACED}]+(?:{_SIGN}+[^\\W_{UNSPACED}]*)*")
# Scripts whose words an earlier version tore at such signs, or did not read in pairs.
TORN = re.compile("[\u0590-\u109f\u1700-\u1cff\ua800-\uabff]")


def normalise(text: str) -> str:
    """Normalises an entity name for comparison: Unicode NFKC, case folding, white-space folding."""
    return " ".join(_undotted(unicodedata.normalize("NFKC", text)).casefold().split())


def spread(items: Sequence[T], most: int = 1000) -> Sequence[T]:
    """From `most` to twice as many of the items, evenly spread; all if there are fewer."""
    return items[:: max(1, len(items) // most)]


def runs(text: str) -> list[str]:
    """Runs of letters and digits, with scripts without spaces separated from others."""
    return _RUN.findall(text)


def readable(text: str) -> str:
    """The text for an embedder, with identifiers such as `first_name` as words."""
    return text.replace("_", " ")


def enumerated(parts: Sequence[str]) -> str:
    """The parts, at least one, in words: `a, b and c`."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def tokenize(text: str) -> list[str]:
    """The words of a text: runs of letters and digits of its case-folded NFKC form."""
    return _WORD.findall(normalized(text).casefold())


def normalized(text: str) -> str:
    """The NFKC form, without joiners and the signs that Hebrew and Arabic may leave out."""
    text = unicodedata.normalize("NFKC", text)
    return text if text.isascii() else _undotted(_OPTIONAL.sub("", text))


def _undotted(text: str) -> str:
    """The text with I for the Turkish İ, whose case-folded form is an i with a second dot."""
    return text.replace("\u0130", "I")


def parts(word: str, *, digits: bool = True) -> list[str]:
    """The words of an identifier without underscores, such as `customer`, `Id`, `2`.

    Args:
        word: letters and digits.
        digits: whether digits are separated from adjacent letters.
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
    """Whether a word begins here in camelCase: customer|Id, HTTP|Server."""
    if not letter.isupper():
        return False
    return before.islower() or before.isdigit() or (before.isupper() and after.islower())


def name_words(text: str, spoken: str | None = None) -> list[str]:
    """The words of names or of questions about them, without repeats.

    Identifiers are split, everything is in lower case, text without spaces is in pairs of
    characters, and English plurals become singulars: `orderItems` and "items of an order" share
    `order` and `item`.

    Args:
        text: a name, or a question.
        spoken: a language whose stop words are left out and whose words become stems; see
            `Reading.spoken`.
    """
    words = dict.fromkeys(word for run in runs(normalized(text)) for word in _words(run))
    return [*words] if spoken is None else [*dict.fromkeys(language(spoken)([*words]))]


def _words(run: str) -> tuple[str, ...]:
    return _kept_words(run) if len(run) <= _LONGEST_KEPT else _kept_words.__wrapped__(run)


# The names of a database's columns have few words; a question may be long, and there are many.
@lru_cache(maxsize=1 << 14)
def _kept_words(run: str) -> tuple[str, ...]:
    """The words of letters and digits without anything between them, in singular."""
    return tuple(_singular(w) for part in parts(run) for w in _bigrams(part.casefold()))


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word


def phrases(text: str) -> Iterator[str]:
    """Runs of words, normalised like names and without surrounding marks; the longest first."""
    words = normalise(text).split()
    for size in range(min(_LONGEST, len(words)), 0, -1):
        for start in range(len(words) - size + 1):
            phrase = " ".join(words[start : start + size])
            # A full stop may be part of the name.
            yield from dict.fromkeys((phrase, phrase.strip(_MARKS), phrase.strip(_MARKS + ".")))


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How BM25 and the embedder read objects and questions.

    Attributes:
        split: whether identifiers are read as words too: `customerId2` is also `customer`, `id` and
            `2`.
        people: whether a question that asks who or whose also asks for a `user`.
        bigrams: whether a run of Chinese, Japanese, Korean, Thai, Lao, Burmese or Khmer characters,
            which may have no spaces between words, is read as pairs of adjacent characters instead
            of one word.
        language: the language for BM25's stop words and stems: its English name or ISO 639-1 code;
            None for neither.

    Raises:
        InputError: for a language without stems and stop words.
        MissingExtraError: if the packages for languages are not installed.
    """

    split: bool = False
    people: bool = False
    bigrams: bool = True
    language: str | None = None

    def __post_init__(self) -> None:
        if self.language is not None:
            language(self.language)

    @property
    def spoken(self) -> str | None:
        """The language, if it is known and not English, which networks know."""
        code = (self.language or "en").casefold()
        return None if _CODES.get(code, code) == "english" else self.language

    def tokens(self, text: str) -> list[str]:
        """The words of a text for BM25, in order, followed by the parts of its identifiers.

        A part is counted once, and not at all if it is also a word of the text: twelve columns from
        `month1` to `month12` are not twelve mentions of months.
        """
        text = normalized(text)
        found = self._runs(text.casefold())
        # To look at every word takes as long as all else here, and few texts have any.
        if self.bigrams and ANY_UNSPACED.search(text):
            found = [word for run in found for word in _bigrams(run)]
        if self.split:
            said = set(found)
            apart = (parts(run) for run in self._runs(text))
            own = dict.fromkeys(part.casefold() for run in apart if len(run) > 1 for part in run)
            found += (part for part in own if part not in said)
        return found if self.language is None else language(self.language)(found)

    def says(self, text: str) -> bool:
        """Whether a text has a word that is no stop word: of its language, or else of English."""
        if self.language is None:
            return not STOP_WORDS.issuperset(tokenize(text))
        # Beside a word that no text has, stop words are left out even if there are no others.
        return len(self.tokens(f"{text} {NO_WORD}")) > 1

    def asked(self, question: str) -> str:
        """A question with the words that it is searched by besides its own."""
        return f"{question} user" if self.people and _WHO.search(question) else question

    def words(self, text: str) -> str:
        """The text for the embedder.

        Digits stay with their letters, because embedders split word pieces themselves.
        """
        if self.split:
            text = _WORD.sub(lambda found: " ".join(parts(found[0], digits=False)), text)
        return readable(text)

    def _runs(self, text: str) -> list[str]:
        """Runs of letters and digits, with scripts without spaces separated from others."""
        return runs(text) if self.bigrams else _WORD.findall(text)


READING = Reading()
# How older indexes, which do not record it, were read.
PLAIN = Reading(bigrams=False)


def _bigrams(run: str) -> Iterable[str]:
    """The word; or for characters without spaces, each adjacent pair."""
    return map("".join, pairwise(run)) if len(run) > 1 and ANY_UNSPACED.match(run) else (run,)


# The languages with stop words in bm25s; for others, Snowball has only stems.
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
    """A function that removes a language's stop words and stems the others; see `Reading`."""
    snowball, code = require("Stemmer"), name.casefold()
    try:
        snowball.Stemmer(code)
    except (KeyError, UnicodeError):
        choice = ", ".join(snowball.algorithms())
        cure = f"use {choice}; leave it out for others, such as Chinese, which needs none"
        raise InputError(f"language: {name!r} is unknown; {cure}") from None
    stop = stop_words(name)

    def stems(words: list[str]) -> list[str]:
        # A question with only stop words keeps them.
        kept = [word for word in words if word not in stop] or words
        # A stemmer is not thread-safe.
        found: list[str] = snowball.Stemmer(code).stemWords(kept)
        return found

    return stems


@cache
def stop_words(name: str) -> frozenset[str]:
    """The stop words of a language; empty for one of which only stems are known."""
    code = name.casefold()
    own = _STOP_LISTS.get(_CODES.get(code, code))
    listed = getattr(require("bm25s.stopwords"), f"STOPWORDS_{own}") if own else ()
    return frozenset(map(str.casefold, listed))


def without_thoughts(pieces: Iterable[str]) -> Iterator[str]:
    """A model's reply in pieces, without the thoughts in `<think>…</think>` at its beginning.

    Servers that know the model keep them apart; others send them as text.
    """
    held, thinks, thought, rest = "", False, False, iter(pieces)
    for piece in rest:
        held += piece
        while True:
            if thinks:
                _, end, after = held.partition(_THOUGHT)
                held = after if end else held[-len(_THOUGHT) :]
                if not end:
                    break
            begun = held.lstrip()
            thinks = begun.startswith(_THINK)
            if not thinks and _THINK.startswith(begun):
                break  # it may be about to begin
            if not thinks:
                yield begun if thought else held
                yield from rest
                return
            held, thought = begun.removeprefix(_THINK), True
    if held and not thinks:
        yield held


def spoken(reply: str) -> str:
    """A whole reply without its thoughts, also where only their end is marked."""
    if _THINK not in reply and _THOUGHT in reply:
        return reply.rpartition(_THOUGHT)[2].lstrip()
    return "".join(without_thoughts([reply]))
