"""Text as it is compared: tokens for BM25, words for the embedder, names of entities."""

import re
import unicodedata
from collections.abc import Iterator

# Entities, or other names, that more objects have connect nothing, unless asked for. What many have
# says little: on MuSiQue and HotpotQA train, 4 to 8 gave the best PR@10 whatever the corpus, 857
# objects or 17,217.
MAX_DF = 8
# Words of a name that is looked for in a text, and what may surround it there.
_LONGEST = 8
_MARKS = " ,;:!?\"'“”‘’()[]"
_WORD = re.compile(r"[^\W_]+")


def normalise(text: str) -> str:
    """Unicode NFKC, case folding and white-space folding: how entity names are compared."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def readable(text: str) -> str:
    """The text as an embedder should read it: identifiers such as `first_name` as words."""
    return text.replace("_", " ")


def phrases(text: str) -> Iterator[str]:
    """Runs of words as names are compared, without the marks around them; the longest first."""
    words = normalise(text).split()
    for size in range(min(_LONGEST, len(words)), 0, -1):
        for start in range(len(words) - size + 1):
            phrase = " ".join(words[start : start + size])
            # A full stop may be the name's own.
            yield from dict.fromkeys((phrase, phrase.strip(_MARKS), phrase.strip(_MARKS + ".")))


def tokenize(text: str) -> list[str]:
    """The words of a text: runs of letters and digits of its case-folded NFKC form."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
