"""Markdown, and notebooks, whose cells become Markdown."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from html import unescape
from itertools import chain
from typing import TYPE_CHECKING

from grapher_jax.corpus.documents.decode import decode
from grapher_jax.corpus.documents.extract import (
    Extract,
    UnreadableError,
    cut_out,
    page_link,
)
from grapher_jax.corpus.documents.restructured import sphinx_links
from grapher_jax.errors import require
from grapher_jax.files import Json, parse_json

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

# In YAML, or in TOML between other marks.
_FRONT_MATTER = re.compile(
    r"(?:---[ \t]*\n(?=[\w-]+:)(?:.*\n)*?---|\+\+\+[ \t]*\n(?:.*\n)*?\+\+\+)[ \t]*(?:\n|\Z)"
)
_FRONT_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(.*?)[ \t]*$", re.MULTILINE)
# `[[Page]]`, `[[Page#Heading|words]]`
_WIKI_LINK = re.compile(r"\[\[([^\[\]|#\n]{1,999})(?:[#|][^\[\]\n]{0,999})?\]\]")
# Tags of HTML that lead somewhere, and those that are led to.
_WRITTEN = r"\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)'|([^\s\"'<>=`]+))"
_HTML_LINK = re.compile(rf"<a\s[^<>]*?(?<![\w-])href{_WRITTEN}", re.IGNORECASE)
_HTML_ANCHOR = re.compile(rf"<[a-z]\w*\s[^<>]*?(?<![\w-])(?:id|name){_WRITTEN}", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAGS = re.compile(r"(?:\s*<[^<>]*>){0,4}\s*")


def markdown(data: bytes) -> Extract:
    """The Markdown source, which the splitter can read too, without what no page shows.

    That is front matter, comments and the definitions of links.
    """
    text = decode(data)
    title = ""
    if front := _FRONT_MATTER.match(text):
        text = text[front.end() :]
        titled = _FRONT_TITLE.search(front[0])
        title = titled[1].strip("\"'") if titled else ""
    lines = _line_starts(text)
    links: list[tuple[int, str]] = []
    headings: list[tuple[int, int, str]] = []
    anchors: list[tuple[int, str]] = []
    linked: list[tuple[int, int]] = []
    defined: dict[str, Json] = {}
    tokens = _markdown_parser().parse(text, defined)
    definitions = [*defined.get("references", {}).values(), *defined.get("duplicate_refs", ())]
    hidden = [(lines[one["map"][0]], lines[one["map"][1]]) for one in definitions]
    for number, token in enumerate(tokens):
        if token.type == "html_block" and token.map:
            tags = [(lines[token.map[0]], token)]
        elif token.type == "inline" and token.map and token.children:
            before = tokens[number - 1]
            if before.type == "heading_open":
                words = "".join(child.content for child in token.children if _shown(child)).strip()
                title = title or words
                headings.append((lines[token.map[0]], int(before.tag[1]), words))
            tags = [*_placed(text, lines, token)]
        else:
            continue
        for place, tag in tags:
            if tag.type == "link_open":
                links.append((place, str(tag.attrs["href"])))
                linked.append((place, place + tag.meta["length"]))
            else:
                hidden += _comments(text, tag.content, place)
                said = _COMMENT.sub(lambda match: " " * len(match[0]), tag.content)
                links += _attributes(_HTML_LINK, said, place)
                anchors += _attributes(_HTML_ANCHOR, said, place)
    links += sphinx_links(text)
    links += ((match.start(), page_link(match[1])) for match in _WIKI_LINK.finditer(text))
    anchors = [(_past_tags(text, place), name) for place, name in anchors]
    shown, moved = cut_out(text, hidden)
    return Extract(
        shown,
        title,
        sorted((min(moved(place), len(shown) - 1), target) for place, target in links),
        [(moved(place), level, words) for place, level, words in headings],
        syntax="markdown",
        anchors=[(moved(place), name) for place, name in anchors],
        linked=[(moved(start), moved(end)) for start, end in linked],
    )


def _shown(child: "Token") -> bool:
    """Whether a part of a line is text, and not a tag of HTML."""
    return child.type != "html_inline"


def _placed(text: str, lines: Sequence[int], token: "Token") -> Iterator[tuple[int, "Token"]]:
    """The links and tags of a block of lines, each with its position in the text."""
    starts = _line_starts(token.content)
    shifts: dict[int, int] = {}
    for child in token.children or ():
        if "place" not in child.meta:
            continue
        place = child.meta["place"]
        line = bisect_right(starts, place) - 1
        if line not in shifts:
            # A line of a block is the source line without the marks of quotes, lists and tables.
            content = token.content[starts[line] : starts[line + 1]].rstrip("\n")
            row = (token.map or [0])[0] + line
            found = text.find(content, lines[row], lines[row + 1])
            shifts[line] = (lines[row] if found < 0 else found) - starts[line]
        yield shifts[line] + place, child


def _comments(text: str, markup: str, start: int) -> Iterator[tuple[int, int]]:
    """The spans of comments in markup; in a list or a quote, it is not the text as it stands."""
    for match in _COMMENT.finditer(markup):
        begins, ends = start + match.start(), start + match.end()
        if text.startswith(match[0], begins):
            yield begins, ends


def _past_tags(text: str, place: int) -> int:
    """Where the text begins that an anchor names; it may stand on a line of its own."""
    tags = _TAGS.match(text, place)
    return tags.end() if tags else place


def _attributes(pattern: re.Pattern[str], markup: str, start: int) -> Iterator[tuple[int, str]]:
    """The values of an attribute in markup, each with its position after `start`."""
    for match in pattern.finditer(markup):
        yield start + match.start(), unescape(match[match.lastindex or 0]).strip()


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
    from markdown_it.rules_inline import html_inline, link

    def located(rule: Callable[["StateInline", bool], bool]) -> Callable[..., bool]:
        def with_place(state: "StateInline", silent: bool) -> bool:
            place, count = state.pos, len(state.tokens)
            if not rule(state, silent):
                return False
            if not silent:
                kinds = ("link_open", "html_inline")
                made = next(token for token in state.tokens[count:] if token.type in kinds)
                made.meta["place"], made.meta["length"] = place, state.pos - place
            return True

        return with_place

    parser = MarkdownIt("commonmark").enable("table")
    parser.inline.ruler.at("link", located(link))
    parser.inline.ruler.at("html_inline", located(html_inline))
    return parser


def _line_starts(text: str) -> list[int]:
    """The start of each line, and the end of the last one."""
    return [0, *(match.end() for match in re.finditer("\n", text)), len(text)]
