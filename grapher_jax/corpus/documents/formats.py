"""Files to text with a title and the places of hyperlinks; what they hold is data, never run."""

import codecs
import logging
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from grapher_jax.errors import require
from grapher_jax.files import parse_json

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from selectolax.lexbor import LexborNode

Links = Sequence[tuple[int, str]]
Headings = Sequence[tuple[int, int, str]]


class UnreadableError(Exception):
    """A file that cannot be read; the message says what such files are, such as `binary`."""


@dataclass(frozen=True, slots=True)
class Extract:
    """What a file holds.

    Attributes:
        text: what is chunked.
        title: may be empty.
        links: places in `text`, ascending, with the targets as they are written.
        headings: places in `text`, ascending, with the level from 1 to 6 and the words.
    """

    text: str
    title: str = ""
    links: Links = ()
    headings: Headings = ()


def extract(path: Path) -> Extract:
    """Read a file by its ending, one of `ENDINGS`.

    The title is HTML's `<title>`, else the first heading; a PDF's own; else the file's name. It is
    cut at 200 characters, since every chunk repeats it.

    Raises:
        UnreadableError: where the file cannot be opened, decoded or parsed, holds no text, or has
            more than 100,000,000 bytes.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UnreadableError(f"of more than {_MOST_BYTES:,} bytes; split them")
        found = _READERS[path.suffix.lower()](path.read_bytes())
    except OSError as error:
        raise UnreadableError(f"unreadable ({error.strerror or error})") from error
    if not found.text.strip():
        raise UnreadableError("without text")
    headings = [(place, level, _heading(words)) for place, level, words in found.headings]
    return replace(found, title=_heading(found.title) or path.stem, headings=headings)


def _heading(words: str) -> str:
    return " ".join(words.split())[:_LONGEST_TITLE].strip()


_LONGEST_TITLE = 200
_MOST_BYTES = 100_000_000

# The legacy encodings that browsers know (Encoding Standard), by Python's names; but for Apple's,
# which in a short text look like the others.
_LEGACY = (
    *(f"cp125{n}" for n in range(9)),
    *(f"iso8859_{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    *("big5", "big5hkscs", "cp866", "cp874", "cp932", "cp949", "euc_jp", "euc_kr", "gb18030"),
    *("koi8_r", "koi8_u", "shift_jis"),
)
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # begins like that of UTF-16
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_CHARSET = re.compile(rb"<meta[^>]{1,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_SAMPLE = 2**16
# A picture written into a page is no text, and longer than all of it.
_DATA_URI = re.compile(
    r"\bdata:[\w.+-]{1,99}/[\w.+-]{1,99}(?:;[\w=.+-]{1,99}){0,9},[\w+/=%.:;@&~*$,?!'-]{99,}"
)


def _decode(data: bytes, declared: str = "") -> str:
    """UTF-8, or another Unicode by its byte order mark; else as declared; else as it looks."""
    marked = next((name for mark, name in _BYTE_ORDER_MARKS.items() if data.startswith(mark)), "")
    if not marked and b"\0" in data:
        raise UnreadableError("binary")
    try:
        text = data.decode(marked or "utf-8")
    except UnicodeDecodeError as error:
        encoding = "" if marked else declared or _guess(data)
        if not encoding:
            raise UnreadableError("of unknown encoding") from error
        text = data.decode(encoding, "replace")
    return _DATA_URI.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _declared(data: bytes) -> str:
    """The charset that HTML declares where the standard looks for it; empty if unknown."""
    found = _CHARSET.search(data[:1024])
    try:
        name = codecs.lookup(found[1].decode()).name.replace("-", "_") if found else ""
    except (LookupError, UnicodeError):
        return ""
    name = "cp1252" if name in ("iso8859_1", "ascii") else name  # as browsers read these
    return name if name in _LEGACY else ""


def _guess(data: bytes) -> str:
    first = _NOT_ASCII.search(data)
    start = max(0, first.start() - 1000) if first else 0
    matches = require("charset_normalizer").from_bytes(
        data[start : start + _SAMPLE], cp_isolation=list(_LEGACY)
    )
    best = matches.best()
    if best is None:
        return ""
    alike = {
        name
        for match in matches
        if (match.chaos, match.coherence) == (best.chaos, best.coherence)
        for name in match.could_be_from_charset
    }
    # Of encodings that look alike the library gives the first by name; this is the usual one.
    return "cp1252" if "cp1252" in alike else best.encoding


def _plain(data: bytes) -> Extract:
    return Extract(_decode(data))


_UNDERLINED = re.compile(
    r"^(?:([=\-~^\"'*+#:.`_])\1{2,}[ \t]*\n(?=.+\n\1{3}))?"
    r"([ \t]*\S.*)\n([=\-~^\"'*+#:.`_])\3{2,}[ \t]*$",
    re.MULTILINE,
)


# Sphinx's role and hyperlinks, as `target` or as `words <target>`; MyST writes the role in braces.
_ROLE = re.compile(r"(?::doc:|\{doc\})`([^`\n]{1,999})`")
_HYPERLINK = re.compile(r"`[^`<>]{1,999}<([^`<>\s]{1,999})>`__?")
_TOCTREE = re.compile(r"^([ \t]*)(?:\.\. toctree::|(`{3,}|:{3,})\{toctree\}).*\n", re.MULTILINE)
_LINE = re.compile(r".*\n?")
_NAMED_TARGET = re.compile(r".*<([^<>]+)>", re.DOTALL)


def _restructured(data: bytes) -> Extract:
    """The source of reStructuredText as it is."""
    text = _decode(data)
    # A level is told by its mark, and by whether this stands above the words too.
    levels: dict[tuple[str, bool], int] = {}
    headings = []
    for match in _UNDERLINED.finditer(text):
        style = (match[3], match[1] is not None)
        level = min(levels.setdefault(style, len(levels) + 1), len(_HEADINGS))
        headings.append((match.start(2), level, match[2].strip()))
    title = headings[0][2] if headings else ""
    links = [(match.start(), match[1]) for match in _HYPERLINK.finditer(text)]
    return Extract(text, title, sorted([*links, *_sphinx_links(text)]), headings)


def _sphinx_links(text: str) -> Iterator[tuple[int, str]]:
    """Where Sphinx's `doc` role and its trees of contents name documents, without an ending."""

    def target(written: str) -> str:
        named = _NAMED_TARGET.fullmatch(written.strip())
        return quote(named[1] if named else written.strip())

    for match in _ROLE.finditer(text):
        yield match.start(), target(match[1])
    for tree in _TOCTREE.finditer(text):
        place, fence = tree.end(), tree[2]
        while (line := _LINE.match(text, place)) and line[0]:
            said = line[0].strip()
            inside = line[0][len(tree[1]) :][:1].isspace()
            if said.startswith(fence) if fence else said and not inside:
                break
            if said and said[0] not in ":#" and said != "self":
                yield place, target(said)
            place = line.end()


_FRONT_MATTER = re.compile(r"---[ \t]*\n(?=[\w-]+:)(?:.*\n)*?---[ \t]*(?:\n|\Z)")
_FRONT_TITLE = re.compile(r"^title:[ \t]*(.*?)[ \t]*$", re.MULTILINE)


def _markdown(data: bytes) -> Extract:
    """The Markdown source as it is, since the splitter reads it too, without YAML front matter."""
    text = _decode(data)
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
                # A block's line is the source's, but for what marks quotes, lists and tables.
                content = token.content[starts[line] : starts[line + 1]].rstrip("\n")
                row = token.map[0] + line
                found = text.find(content, lines[row], lines[row + 1])
                shifts[line] = (lines[row] if found < 0 else found) - starts[line]
            links.append((min(shifts[line] + place, len(text) - 1), str(child.attrs["href"])))
    return Extract(text, title, sorted([*links, *_sphinx_links(text)]), headings)


def _notebook(data: bytes) -> Extract:
    """The cells of a Jupyter notebook as Markdown, code in fences, without what they put out."""
    try:
        cells = parse_json(_decode(data))["cells"]
        texts = [(cell["cell_type"], "".join(cell["source"])) for cell in cells]
    except (ValueError, TypeError, KeyError) as error:
        raise UnreadableError("whose notebook cannot be parsed") from error
    told = (
        f"````\n{text}\n````" if kind == "code" else text for kind, text in texts if text.strip()
    )
    return _markdown("\n\n".join(told).encode())


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
    """Where each line begins, and the end of the last."""
    return [0, *(match.end() for match in re.finditer("\n", text)), len(text)]


_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
# Elements whose end tag may be missing, and those that have none.
_NEVER_DEEP = re.compile(
    "html|head|body|p|li|d[dt]|option|optgroup|t[rdh]|thead|tbody|tfoot|colgroup|caption|r[pt]|"
    "area|base|br|col|embed|frame|hr|img|input|link|meta|param|source|track|wbr"
)
_DEEPEST = 2000
_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1|\Z)|<(/?)([a-z][^\s/>]*)",
    re.IGNORECASE | re.DOTALL,
)


def _check_nesting(markup: str) -> None:
    """Refuse what an HTML5 parser needs time for that grows with the square of its length."""
    deep, opened = 0, Counter[str]()
    for match in _TAG.finditer(markup):
        name = (match[3] or "").lower()
        if not name or _NEVER_DEEP.fullmatch(name):
            continue
        if not match[2]:
            opened[name] += 1
            deep += 1
        elif opened[name]:
            opened[name] -= 1
            deep -= 1
        if deep > _DEEPEST:
            raise UnreadableError(f"with HTML nested more than {_DEEPEST} deep")


_MOST_ATTRIBUTES = 500
# How often its length a page may be read for attributes that hold tags.
_MOST_PASSES = 8
_OPENED = re.compile(r"<([a-z][^\t\n\f />]*+)", re.IGNORECASE | re.ASCII)
_ATTRIBUTE = re.compile(
    r"[\t\n\f /]*+[^\t\n\f />][^\t\n\f />=]*+"
    r"(?:[\t\n\f ]*+=[\t\n\f ]*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\f >]*+))?+"
)


def _with_few_attributes(markup: str) -> str:
    """The markup, tags ended after 500 attributes; what follows within is read as text.

    An HTML5 parser compares each attribute of an element with all others.

    Raises:
        UnreadableError: where tags lie in attributes of tags again and again.
    """
    cuts, place, merged = {0, len(markup)}, 0, 0
    budget = _MOST_PASSES * max(len(markup), _SAMPLE)
    while tag := _OPENED.search(markup, place):
        end = tag.end()
        # All tags of these add to one element.
        merges = tag[1].lower() in ("html", "body")
        count = merged if merges else 0
        while count < _MOST_ATTRIBUTES and (attribute := _ATTRIBUTE.match(markup, end)):
            end, count = attribute.end(), count + 1
        if count == _MOST_ATTRIBUTES:
            cuts.add(end)
        if merges:
            merged = count
        budget -= end - tag.start()
        if budget < 0:
            raise UnreadableError("with HTML tags in attributes of tags")
        # In a comment or a script this is no tag, and what it holds behind a > may be one.
        inside = markup.find(">", tag.end(), end)
        place = end if inside < 0 else inside
    return ">".join(markup[start:end] for start, end in pairwise(sorted(cuts)))


_DROPPED = frozenset(
    ("script", "style", "template", "noscript", "iframe", "noframes", "noembed", "-comment")
)
# What stands between texts, from the weakest; the splitter sees longer runs of line ends first.
_GAPS = ("", " ", "\n", "\n\n", "\n\n\n")
_CELLS = re.compile("t[dh]")
_LINES = re.compile(
    "address|article|aside|body|br|caption|d[dt]|details|dialog|div|fieldset|figcaption|figure|"
    "footer|form|header|hr|legend|li|main|nav|option|optgroup|search|section|summary|tr"
)
_PARAGRAPHS = re.compile("p|[uod]l|pre|table|blockquote")
_SECTIONS = re.compile("h[1-6]")


@lru_cache(maxsize=1024)
def _gap(tag: str) -> int:
    """How strongly an element stands apart, as a place in `_GAPS`."""
    kinds = (_CELLS, _LINES, _PARAGRAPHS, _SECTIONS)
    return next((gap for gap, kind in enumerate(kinds, start=1) if kind.fullmatch(tag)), 0)


def _html(data: bytes) -> Extract:
    """The body's text as it is read: blocks on lines of their own, white space folded."""
    markup = _with_few_attributes(_decode(data, _declared(data)))
    _check_nesting(markup)
    tree = require("selectolax.lexbor").LexborHTMLParser(markup)
    pieces: list[str] = []
    links: list[tuple[int, str]] = []
    headings: list[tuple[int, int, str]] = []
    waiting: list[str] = []  # links whose text has not begun
    begun: list[tuple[int, str]] = []  # headings, likewise
    length = gap = verbatim = 0
    for node, entered in _walk(tree.body):
        tag = node.tag
        if tag == "pre":
            verbatim += 1 if entered else -1
        if tag in _HEADINGS and entered:
            begun.append((int(tag[1]), node.text()))
        if apart := _gap(tag):
            gap = max(gap, apart)
        elif tag in ("a", "area") and entered:
            waiting.append((node.attributes.get("href") or "").strip())
        elif tag == "-text" and entered:
            text = node.text_content or ""
            words = text.strip("\n") if verbatim and text.strip() else " ".join(text.split())
            if text[:1].isspace() or not words:
                gap = max(gap, 1)
            if not words:
                continue
            if pieces:
                pieces.append(_GAPS[gap])
                length += len(pieces[-1])
            first = length + len(words) - len(words.lstrip())
            links += ((first, target) for target in waiting if target)
            headings += ((first, level, said) for level, said in begun)
            waiting.clear()
            begun.clear()
            pieces.append(words)
            length += len(words)
            gap = int(text[-1:].isspace())
    links += ((max(length - 1, 0), target) for target in waiting if target)
    heading = tree.css_first("head > title") or tree.css_first(", ".join(_HEADINGS))
    return Extract("".join(pieces), heading.text() if heading else "", links, headings)


def _walk(root: "LexborNode | None") -> "Iterator[tuple[LexborNode, bool]]":
    """Every node below a root, when it is entered and when it is left."""
    node, parents = root, list["LexborNode"]()
    while node is not None:
        yield node, True
        child = None if node.tag in _DROPPED else node.child
        if child is not None:
            parents.append(node)
            node = child
            continue
        yield node, False
        while parents and node.next is None:
            node = parents.pop()
            yield node, False
        node = node.next if parents else None


def _pdf(data: bytes) -> Extract:
    """The pages' text, joined by line ends."""
    pypdf = require("pypdf")
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # the reason is reported once, by us
    try:
        reader = pypdf.PdfReader(BytesIO(data))
        locked = reader.is_encrypted and not reader.decrypt("")
        text = "" if locked else "\n".join(page.extract_text() for page in reader.pages)
        title = "" if locked else str((reader.metadata or {}).get("/Title") or "")
    except Exception as error:  # a damaged file can lead pypdf anywhere
        raise UnreadableError(f"whose PDF cannot be parsed ({type(error).__name__})") from error
    if locked:
        raise UnreadableError("encrypted")
    return Extract(_without_surrogates(text), _without_surrogates(title))


def _without_surrogates(text: str) -> str:
    # Fonts may name half characters, which UTF-8 cannot hold.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


_READERS: Mapping[str, Callable[[bytes], Extract]] = {
    ".txt": _plain,
    ".md": _markdown,
    ".rst": _restructured,
    ".ipynb": _notebook,
    ".html": _html,
    ".htm": _html,
    ".pdf": _pdf,
}
ENDINGS = tuple(_READERS)
