"""Splits long text into chunks of whole sentences, with semantic-text-splitter."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from grapher_jax.errors import require

if TYPE_CHECKING:
    from semantic_text_splitter import CodeSplitter, MarkdownSplitter, TextSplitter

_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"  # written without spaces
_LONGEST_TOKEN = 12
_TOKEN = re.compile(rf"[{_CJK}]|[^\W{_CJK}]{{1,{_LONGEST_TOKEN}}}|[^\w\s]")
# The splitter's time grows faster than linearly for a very long word or joined emoji.
_WINDOW = 2**15
# A line that begins a block of code in Markdown, from its beginning.
FENCE = re.compile(r" {0,3}(`{3,}(?=[^`\n]*$)|~{3,}).*", re.MULTILINE)
_FENCES = re.compile(f"^{FENCE.pattern}", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
# A line, between lines of marks in some formats.
_HEADING = re.compile(r"(?:[^\w\n]+\n|_+\n)?.*(?:\n[^\w\n]+|\n_+)?")
# What may be the line below the head of a table in Markdown.
_RULE = re.compile(r"^[ \t:|-]++$", re.MULTILINE)
# For each syntax, the package of its grammar and the function that returns it.
GRAMMARS = {
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "go": ("tree_sitter_go", "language"),
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "python": ("tree_sitter_python", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
}


def count_tokens(text: str) -> int:
    """How many tokens a text has.

    A token is a word, each further 12 letters of a long word, a Chinese or Japanese character, or
    any other mark. It needs no model, so that chunks are the same for every embedder. English text
    has about 1.1 word pieces per token.
    """
    return len(_TOKEN.findall(text))


def chunk_spans(
    text: str,
    *,
    chunk_tokens: int,
    overlap_tokens: int,
    syntax: str = "",
    whole: Iterable[tuple[int, int]] = (),
) -> Iterator[tuple[int, int]]:
    """The chunks of a text as `(start, end)` in characters, without surrounding white space.

    A chunk ends at the largest boundary that fits: a heading, a definition, a paragraph, a line, a
    sentence (Unicode's); inside a sentence only if the sentence alone has more than `chunk_tokens`.

    Args:
        text: the extracted text.
        chunk_tokens: the maximum number of tokens per chunk.
        overlap_tokens: the maximum number of tokens that a chunk shares with the one before it;
            only whole sentences, lines or paragraphs that fit are shared.
        syntax: `markdown`, with its headings, lists, tables and code, or one of `GRAMMARS`.
        whole: ascending spans that are not cut if they fit into a chunk.
    """
    text = _unbroken(text, whole, chunk_tokens)
    window = max(_WINDOW, 8 * chunk_tokens * _LONGEST_TOKEN)
    fences = _fences(text) if syntax == "markdown" and len(text) > window else []
    start = last = 0
    while start < len(text):
        # A window that begins within code begins with a fence of its own.
        before = next((mark for mark, begins, ends in fences if begins < start < ends), "")
        part = before + text[start : start + window]
        found = _cut(part, syntax, chunk_tokens, overlap_tokens)
        begin = start - len(before)
        chunks = [
            (max(begin + offset, start), begin + offset + len(chunk))
            for offset, chunk in found
            if begin + offset + len(chunk) > start
        ]
        start += window
        if start < len(text) and len(chunks) > 1:
            # The window's last chunk may continue after the window.
            start, _ = chunks.pop()
        # The overlap at the begin of a window may be cut in another way than it was.
        chunks = [chunk for chunk in chunks if chunk[1] > last]
        last = chunks[-1][1] if chunks else last
        yield from chunks


def _cut(text: str, syntax: str, most: int, overlap: int) -> list[tuple[int, str]]:
    try:
        return _splitter(syntax, most, overlap).chunk_indices(text)
    # The library panics on some Markdown, which reads as plain text too. A panic is no `Exception`.
    except BaseException as error:
        if type(error).__name__ != "PanicException" or not syntax:
            raise
        return _splitter("", most, overlap).chunk_indices(text)


def _fences(text: str) -> list[tuple[str, int, int]]:
    """The mark that begins each block of code between fences, and the span of the code."""
    found = []
    place = 0
    while begun := _FENCES.search(text, place):
        ended = re.compile(rf"^ {{0,3}}{begun[1]}+[ \t]*$", re.MULTILINE).search(text, begun.end())
        place = ended.end() if ended else len(text)
        found.append((f"{begun[1]}\n", begun.end(), place))
    return found


def heads_of_tables(text: str, *, chunk_tokens: int) -> Iterator[tuple[int, int, str]]:
    """The rows of each table in Markdown, as `(start, end)`, and the lines above them.

    Tables whose columns' names have more than a quarter of a chunk's tokens are left out.
    """
    end = 0
    for rule in _RULE.finditer(text):
        if rule.start() < end:  # a row of dashes
            continue
        begin, start = text.rfind("\n", 0, max(rule.start() - 1, 0)) + 1, rule.end() + 1
        names = text[begin : rule.start()]
        if {"|", "-"} <= {*rule[0]} and "|" in names:
            end = start
            while "|" in (row := text[end : text.find("\n", end) + 1 or len(text)]):
                end += len(row)
            if count_tokens(names) <= chunk_tokens // 4:
                yield start, end, text[begin:start]


def with_what_they_begin(
    text: str, spans: Iterable[tuple[int, int]], *, chunk_tokens: int
) -> Iterator[tuple[int, int]]:
    """The chunks of code, of which those of an eighth of the tokens begin the chunk after them.

    So a definition that is longer than a chunk has its name in the one with its first lines.
    """
    begun = None
    for start, end in spans:
        begun = start if begun is None else begun
        if end < len(text) and count_tokens(text[begun:end]) <= chunk_tokens // 8:
            continue
        yield begun, end
        begun = None
    if begun is not None:
        yield begun, end


def before_headings(
    text: str,
    spans: Iterable[tuple[int, int]],
    headings: Sequence[int],
    *,
    chunk_tokens: int,
) -> Iterator[tuple[int, int]]:
    """The chunks, none of which ends with a heading: that begins the chunk with the text below it.

    Args:
        text: the extracted text.
        spans: its chunks, see `chunk_spans`.
        headings: the ascending positions of headings in the text.
        chunk_tokens: the maximum number of tokens per chunk. At most a quarter as many words are
            added to it; a list of more headings stays where it is.
    """
    moved = len(text)
    for (start, end), (following, _) in pairwise(chain(spans, [(len(text), len(text))])):
        start, moved, whole = min(start, moved), len(text), end
        inside = headings[bisect_left(headings, start) : bisect_left(headings, end)]
        for place in reversed(inside if following < len(text) else ()):
            few = len(text[place:whole].split()) <= chunk_tokens // 4
            if not (few and _HEADING.fullmatch(text, place, end)):
                break
            moved, end = place, start + len(text[start:place].rstrip())
        if start < end:
            yield start, end


def _splitter(
    syntax: str, most: int, overlap: int
) -> "CodeSplitter | MarkdownSplitter | TextSplitter":
    module = require("semantic_text_splitter")
    if syntax in GRAMMARS:
        package, name = GRAMMARS[syntax]
        grammar = getattr(require(package), name)()
        return module.CodeSplitter.from_callback(grammar, count_tokens, most, overlap=overlap)
    kind = module.MarkdownSplitter if syntax == "markdown" else module.TextSplitter
    return kind.from_callback(count_tokens, most, overlap=overlap)


def _unbroken(text: str, whole: Iterable[tuple[int, int]], most: int) -> str:
    """The text, of equal length, in which the spans that fit are separate paragraphs."""
    pieces: list[str] = []
    place = 0
    for start, end in whole:
        if count_tokens(block := text[start:end]) <= most:
            filled = _BLANK_LINES.sub(lambda blank: "\n".ljust(len(blank[0])), block)
            pieces += text[place:start], filled
            place = end
    return "".join((*pieces, text[place:]))


def without_fences(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The chunks without lines that begin code alone, unless there is no other chunk."""
    spans = iter(spans)
    left: list[tuple[int, int]] = []
    for span in spans:
        if not FENCE.fullmatch(text, *span):
            yield span
            left = []
            break
        left.append(span)
    yield from left
    yield from (span for span in spans if not FENCE.fullmatch(text, *span))
