"""Markdown, and notebooks, whose cells become Markdown."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from grapher_jax.corpus.documents.decode import decode
from grapher_jax.corpus.documents.extract import Extract, UnreadableError, page_link
from grapher_jax.corpus.documents.restructured import sphinx_links
from grapher_jax.errors import require
from grapher_jax.files import Json, parse_json

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?=[\w-]+:)(?:.*\n)*?---[ \t]*(?:\n|\Z)")
_FRONT_TITLE = re.compile(r"^title:[ \t]*(.*?)[ \t]*$", re.MULTILINE)
# `[[Page]]`, `[[Page#Heading|words]]`
_WIKI_LINK = re.compile(r"\[\[([^\[\]|#\n]{1,999})(?:[#|][^\[\]\n]{0,999})?\]\]")


def markdown(data: bytes) -> Extract:
    """The Markdown source, which the splitter can read too, without YAML front matter."""
    text = decode(data)
    title = ""
    if front := _FRONT_MATTER.match(text):
        text = text[front.end() :]
        titled = _FRONT_TITLE.search(front[0])
        title = titled[1].strip("\"'") if titled else ""
    lines = _line_starts(text)
    links: list[tuple[int, str]] = []
    headings: list[tuple[int, int, str]] = []
    tokens = _markdown_parser().parse(text)
    for before, token in pairwise(tokens):
        if token.type != "inline" or not token.map or not token.children:
            continue
        if before.type == "heading_open":
            words = "".join(child.content for child in token.children)
            title = title or words
            headings.append((lines[token.map[0]], int(before.tag[1]), words))
        starts = _line_starts(token.content)
        shifts: dict[int, int] = {}
        for child in token.children:
            if "place" not in child.meta:
                continue
            place = child.meta["place"]
            line = bisect_right(starts, place) - 1
            if line not in shifts:
                # A line of a block is the source line without the marks of quotes, lists and
                # tables.
                content = token.content[starts[line] : starts[line + 1]].rstrip("\n")
                row = token.map[0] + line
                found = text.find(content, lines[row], lines[row + 1])
                shifts[line] = (lines[row] if found < 0 else found) - starts[line]
            links.append((min(shifts[line] + place, len(text) - 1), str(child.attrs["href"])))
    links += sphinx_links(text)
    links += ((match.start(), page_link(match[1])) for match in _WIKI_LINK.finditer(text))
    return Extract(text, title, sorted(links), headings, syntax="markdown")


def notebook(data: bytes) -> Extract:
    """The cells of a Jupyter notebook as Markdown, with code in fences and without outputs."""
    try:
        texts = [*_cells(parse_json(decode(data)))]
    except (ValueError, TypeError, KeyError) as error:
        raise UnreadableError("whose notebook cannot be parsed") from error
    told = (
        f"````\n{text}\n````" if kind == "code" else text for kind, text in texts if text.strip()
    )
    return markdown("\n\n".join(told).encode())


def _cells(parsed: Json) -> Iterator[tuple[str, str]]:
    """The kind and the text of each cell."""
    # Up to version 3 of the format, cells lie in worksheets and code is their input.
    sheets = [parsed] if "cells" in parsed else parsed["worksheets"]
    for cell in chain.from_iterable(sheet["cells"] for sheet in sheets):
        text = "".join(cell["input"] if "input" in cell else cell["source"])
        level = cell["level"] if cell["cell_type"] == "heading" else 0
        yield cell["cell_type"], f"{'#' * level} {text}" if level else text


@cache
def _markdown_parser() -> "MarkdownIt":
    require("markdown_it")
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline, link

    def located_link(state: StateInline, silent: bool) -> bool:
        place, count = state.pos, len(state.tokens)
        if not link(state, silent):
            return False
        if not silent:
            opened = next(token for token in state.tokens[count:] if token.type == "link_open")
            opened.meta["place"] = place
        return True

    parser = MarkdownIt("commonmark").enable("table")
    parser.inline.ruler.at("link", located_link)
    return parser


def _line_starts(text: str) -> list[int]:
    """The start of each line, and the end of the last one."""
    return [0, *(match.end() for match in re.finditer("\n", text)), len(text)]
