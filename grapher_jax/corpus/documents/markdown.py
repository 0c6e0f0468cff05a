"""Markdown, and notebooks, whose cells become Markdown."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from html import unescape
from itertools import chain, pairwise
from operator import add
from typing import TYPE_CHECKING

from grapher_jax.corpus.documents.boxes import without_boxes
from grapher_jax.corpus.documents.decode import decode
from grapher_jax.corpus.documents.extract import (
    Extract,
    UnreadableError,
    cut_out,
    page_link,
)
from grapher_jax.corpus.documents.front_matter import front_matter
from grapher_jax.corpus.documents.restructured import role_links, toctrees
from grapher_jax.errors import require
from grapher_jax.files import Json, parse_json

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

# The path of another page behind its title, as Notion writes properties that name pages.
_PROPERTY = re.compile(r" \(([^()\s]{1,1000}%20[0-9a-f]{32}\.md)\)")
# `[[Page]]`, `[[Page#Heading|words]]`; `[[1]](page)` is a link of Markdown's own.
# A page, one of its headings or blocks, and words; some wikis write the words before the page.
_WIKI_LINK = re.compile(
    r"\[\[([^\[\]|#\n]{0,999})(?:#([^\[\]|\n]{0,999}))?(?:\|([^\[\]\n]{0,999}))?\]\](?![(\[])"
)
# The name of a block in Obsidian, at its end.
_BLOCK = re.compile(r"(?:^|[ \t])(\^[\w-]{1,64})[ \t]*$", re.MULTILINE)
# How a paragraph of MDX begins that is code.
_CODE = re.compile(
    r"import\s+(?:[\"'{*]|[\w$]+\s*(?:,|from\b))"
    r"|export\s+(?:[{*]|(?:default|const|let|var|async|function|class)\b)"
)
# Tags of HTML that lead somewhere, and those that are led to.
_WRITTEN = r"\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)'|([^\s\"'<>=`]+))"
_HTML_LINK = re.compile(rf"<a\s[^<>]*?(?<![\w-])href{_WRITTEN}", re.IGNORECASE)
_HTML_ANCHOR = re.compile(rf"<[a-z]\w*\s[^<>]*?(?<![\w-])(?:id|name){_WRITTEN}", re.IGNORECASE)
# What may follow a heading, `{#install .wide}`, with its id.
_ATTRIBUTES = re.compile(
    r"(?<!\s)\s+\{:?[ ]*+(?=[#.\w-])(?:#([^\s{}#]++))?"
    r"(?:[ ]*+(?:\.[\w-]++|[\w-]++=[^\s{}]++))*+[ ]*+\}\Z"
)
_TAGS = re.compile(r"(?:\s*<[^<>]*>){0,4}\s*")
# How much white space may be beside a comment on a line of its own.
_MARGIN = 200


@dataclass
class _Found:
    """What the blocks of a text hold, by positions in it.

    Attributes:
        headings: as in `Extract`.
        links: as in `Extract`.
        linked: as in `Extract`.
        anchors: as in `Extract`, where their tags are.
        hidden: the spans of comments.
    """

    headings: list[tuple[int, int, str]] = field(default_factory=list)
    links: list[tuple[int, str]] = field(default_factory=list)
    linked: list[tuple[int, int, int]] = field(default_factory=list)
    anchors: list[tuple[int, str]] = field(default_factory=list)
    hidden: list[tuple[int, int]] = field(default_factory=list)

    def hide(self, spans: Sequence[tuple[int, int]]) -> None:
        """Leave out spans, in order, with all that they hold."""
        starts = [start for start, _ in spans]

        def is_shown(place: int) -> bool:
            before = bisect_right(starts, place) - 1
            return before < 0 or place >= spans[before][1]

        self.hidden += spans
        self.links = [one for one in self.links if is_shown(one[0])]
        self.linked = [one for one in self.linked if is_shown(one[0])]
        self.anchors = [one for one in self.anchors if is_shown(one[0])]

    def read_tags(self, markup: str, at: Callable[[int], int]) -> None:
        """Read HTML, of which `at` tells the position in the text."""
        pieces, last = list[str](), 0
        for start, end in _comments(markup):
            self.hidden.append((at(start), at(end - 1) + 1))
            pieces += markup[last:start], " " * (end - start)
            last = end
        markup = "".join((*pieces, markup[last:]))
        for pattern, found in ((_HTML_LINK, self.links), (_HTML_ANCHOR, self.anchors)):
            for match in pattern.finditer(markup):
                written = unescape(match[match.lastindex or 0]).strip()
                found.append((at(match.start()), written))


def markdown(data: bytes) -> Extract:
    """The Markdown source, which the splitter can read too, without what no page shows.

    That is comments, the definitions of links, and front matter, whose properties go before it.
    """
    return _markdown(decode(data))


def mdx(data: bytes) -> Extract:
    """Markdown with components, as `markdown`, without what is imported and exported."""
    return _markdown(decode(data), mdx=True)


def _markdown(text: str, *, mdx: bool = False) -> Extract:
    begins, title, told = front_matter(text)
    head = f"{told}\n\n" if told else ""
    text = head + text[begins:]
    paths = [*_PROPERTY.finditer(text)]
    text, moved = cut_out(text, (match.span() for match in paths))
    links = [(moved(match.start()), match[1]) for match in paths]
    lines = _line_starts(text)
    defined: dict[str, Json] = {}
    tokens = _markdown_parser().parse(without_boxes(text), defined)
    found = _read_blocks(text, lines, tokens)
    code: list[tuple[int, int]] = []
    for before, token in pairwise(tokens) if mdx else ():
        is_paragraph = before.type == "paragraph_open" and before.level == 0
        if is_paragraph and token.map and _CODE.match(token.content):
            code.append((lines[token.map[0]], lines[token.map[1]]))
    found.hide(code)
    definitions = [*defined.get("references", {}).items()]
    definitions += ((one["label"], one) for one in defined.get("duplicate_refs", ()))
    for label, one in definitions:
        if not label.startswith("^"):  # a footnote
            first, last = one["map"]
            found.hidden.append((lines[first], lines[last]))
    shown, moved = cut_out(text, (_with_line(text, *span) for span in found.hidden))
    headings = [(moved(place), level, words) for place, level, words in found.headings]
    links = [(moved(place), target) for place, target in chain(links, found.links)]
    linked = [(moved(start), moved(end), words) for start, end, words in found.linked]
    for start, end, target in toctrees(shown):
        links.append((start, target))
        linked.append((start, end, end - start))
    links += role_links(shown)
    return Extract(
        shown,
        title or _title(shown, headings, len(head)),
        sorted((min(place, len(shown) - 1), to) for place, to in links),
        headings,
        syntax="markdown",
        anchors=[
            *((_past_tags(shown, moved(place)), name) for place, name in found.anchors),
            *((match.start(1), match[1]) for match in _BLOCK.finditer(shown)),
        ],
        linked=sorted(linked),
    )


def _title(shown: str, headings: Sequence[tuple[int, int, str]], before: int) -> str:
    """The first heading of level 1, else one above others with which the words begin.

    Of a page with the headings `Notes` and `Actions`, both are those of parts.
    """
    first = [words for _, level, words in headings if level == 1]
    if first or not headings:
        return next(iter(first), "")
    (place, level, words), *others = headings
    is_above = all(level < other for _, other, _ in others)
    return words if is_above and not any(map(str.isalnum, shown[before:place])) else ""


def _read_blocks(text: str, lines: Sequence[int], tokens: Sequence["Token"]) -> _Found:
    found = _Found()
    for number, token in enumerate(tokens):
        if not token.map or token.type not in ("html_block", "inline"):
            continue
        at = _places(text, lines, token.map[0], token.content)
        if token.type == "html_block":
            found.read_tags(token.content, at)
            continue
        children = token.children or []
        before = tokens[number - 1]
        if before.type == "heading_open":
            words = "".join(one.content for one in children if one.type != "html_inline").strip()
            if given := _ATTRIBUTES.search(words):
                words = words[: given.start()]
                found.anchors += [(lines[token.map[0]], given[1])] if given[1] else []
            found.headings.append((lines[token.map[0]], int(before.tag[1]), words))
        for child in children:
            if "place" not in child.meta:
                continue
            place = child.meta["place"]
            start = at(place)
            if child.type == "html_inline":
                found.read_tags(child.content, partial(add, start))
            else:
                found.links.append((start, str(child.attrs["href"])))
                end = start + child.meta["length"]
                found.linked.append((start, end, child.meta["words"]))
    return found


def _places(text: str, lines: Sequence[int], row: int, content: str) -> Callable[[int], int]:
    """The function from a position in the content of a block to that in the text.

    A line of a block is the source line without the marks of quotes, lists and tables.
    """
    starts = _line_starts(content)
    shifts: dict[int, int] = {}

    def at(place: int) -> int:
        line = bisect_right(starts, place, hi=len(starts) - 1) - 1
        if line not in shifts:
            written = content[starts[line] : starts[line + 1]].rstrip("\n")
            first = lines[row + line]
            found = text.find(written, first, lines[row + line + 1])
            shifts[line] = (first if found < 0 else found) - starts[line]
        return shifts[line] + place

    return at


def _comments(markup: str) -> Iterator[tuple[int, int]]:
    """The spans of comments."""
    start = markup.find("<!--")
    while start >= 0 and (end := markup.find("-->", start + 4)) >= 0:
        yield start, end + 3
        start = markup.find("<!--", end + 3)


def _with_line(text: str, start: int, end: int) -> tuple[int, int]:
    """A span with the end of its line, if nothing else is on its lines."""
    begins = text.rfind("\n", max(start - _MARGIN, 0), start) + 1
    ends = text.find("\n", end, end + _MARGIN) + 1 or len(text)
    if ends - end > _MARGIN or start - begins > _MARGIN:
        return start, end
    alone = not (text[begins:start].strip() or text[end:ends].strip())
    return (begins, ends) if alone and start < end else (start, end)


def _past_tags(text: str, place: int) -> int:
    """Where the text begins that an anchor names, if its tag begins a line."""
    before = text[max(place - _MARGIN, 0) : place].rpartition("\n")[2]
    tags = None if before.strip() else _TAGS.match(text, place)
    return tags.end() if tags else place


def notebook(data: bytes) -> Extract:
    """The cells of a Jupyter notebook as Markdown, with code in fences and without outputs."""
    try:
        texts = [*_cells(parse_json(decode(data)))]
    except (ValueError, TypeError, KeyError) as error:
        raise UnreadableError("whose notebook cannot be parsed") from error
    told = (_fenced(text) if kind == "code" else text for kind, text in texts if text.strip())
    return markdown("\n\n".join(told).encode())


def _fenced(code: str) -> str:
    """Code between marks that are longer than any in it."""
    marks = "`" * max(4, *(len(run) + 1 for run in re.findall("`+", code)), 4)
    return f"{marks}\n{code}\n{marks}"


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
                made.meta["words"] = sum(len(token.content) for token in state.tokens[count:])
            return True

        return with_place

    parser = MarkdownIt("commonmark").enable("table")
    parser.inline.ruler.at("link", located(link))
    parser.inline.ruler.at("html_inline", located(html_inline))
    parser.inline.ruler.before("link", "wiki_link", _wiki_link)
    return parser


def _wiki_link(state: "StateInline", silent: bool) -> bool:
    from markdown_it.common.utils import normalizeReference

    # Asked silently, it may stand in the words of another link.
    found = None if silent else _WIKI_LINK.match(state.src, state.pos)
    if not found or normalizeReference(found[1]) in state.env.get("references", {}):
        return False
    other, _, within = (found[3] or "").partition("#")
    pages = [name for name in (found[1], other) if name.strip() and "|" not in name]
    # Of headings within headings, the last is meant.
    part = (found[2] or within).rpartition("#")[2].strip()
    if not (found[1].strip() or part):
        return False
    token = state.push("wiki_link", "", 0)
    pages = pages if found[1].strip() else []
    token.content, token.attrs = found[0], {"href": page_link(pages, part)}
    token.meta = {"place": state.pos, "length": len(found[0]), "words": len(found[0])}
    state.pos = found.end()
    return True


def _line_starts(text: str) -> list[int]:
    """The start of each line, and the end of the last one."""
    return [0, *(match.end() for match in re.finditer("\n", text)), len(text)]
