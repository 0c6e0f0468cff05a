"""Source code, read without changes."""

from collections.abc import Callable

from grapher_jax.corpus.documents.decode import decode
from grapher_jax.corpus.documents.extract import Extract, UnreadableError

_LONGEST_LINE = 5000


def code_of(syntax: str) -> Callable[[bytes], Extract]:
    """The reader for code with this syntax: one of `chunks.GRAMMARS`, or empty for others."""

    def code(data: bytes) -> Extract:
        text = decode(data)
        if any(len(line) > _LONGEST_LINE for line in text.split("\n")):
            reason = f"with lines of more than {_LONGEST_LINE:,} characters, as no one writes code"
            raise UnreadableError(reason)
        return Extract(text, syntax=syntax)

    return code
