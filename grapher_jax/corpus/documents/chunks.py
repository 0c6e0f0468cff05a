"""Long text to chunks of whole sentences, by semantic-text-splitter."""

import re
from collections.abc import Iterator

from grapher_jax.errors import require

_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"  # written without spaces
_LONGEST_TOKEN = 12
_TOKEN = re.compile(rf"[{_CJK}]|[^\W{_CJK}]{{1,{_LONGEST_TOKEN}}}|[^\w\s]")
# The splitter's time grows faster than a text of one long word or of joined emoji does.
_WINDOW = 2**15


def count_tokens(text: str) -> int:
    """How many tokens a text has.

    A token is a word, each further 12 letters of a long word, a Chinese or Japanese character, or
    any other mark. It needs no model, so that chunks are the same for every embedder; English text
    has about 1.1 word pieces a token.
    """
    return len(_TOKEN.findall(text))


def chunk_spans(
    text: str, *, markdown: bool, chunk_tokens: int, overlap_tokens: int
) -> Iterator[tuple[int, int]]:
    """The chunks of a text as `(start, end)` in characters, white space around them left out.

    A chunk ends at the largest boundary that fits: a heading, a paragraph, a line, a sentence
    (Unicode's); inside a sentence only where that alone has more than `chunk_tokens`.

    Args:
        text: as extracted.
        markdown: whether headings, lists, tables and code are to be seen.
        chunk_tokens: the most tokens of a chunk.
        overlap_tokens: the most tokens that a chunk shares with the one before it; only whole
            sentences, lines or paragraphs that fit are shared.
    """
    module = require("semantic_text_splitter")
    kind = module.MarkdownSplitter if markdown else module.TextSplitter
    splitter = kind.from_callback(count_tokens, chunk_tokens, overlap=overlap_tokens)
    window = max(_WINDOW, 8 * chunk_tokens * _LONGEST_TOKEN)
    start = 0
    while start < len(text):
        chunks = [
            (start + offset, start + offset + len(chunk))
            for offset, chunk in splitter.chunk_indices(text[start : start + window])
        ]
        start += window
        if start < len(text) and len(chunks) > 1:
            # What comes after the window may belong to its last chunk.
            start, _ = chunks.pop()
        yield from chunks
