"""Text as it is compared: tokens for BM25, words for the embedder, names of entities."""

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")


def normalise(text: str) -> str:
    """Unicode NFKC, case folding and white-space folding: how entity names are compared."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def readable(text: str) -> str:
    """The text as an embedder should read it: identifiers such as `first_name` as words."""
    return text.replace("_", " ")


def tokenize(text: str) -> list[str]:
    """The words of a text: runs of letters and digits of its case-folded NFKC form."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
