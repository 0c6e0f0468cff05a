"""HTML, as the text that a page shows."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from grapher_jax.corpus.documents.decode import decode, html_charset
from grapher_jax.corpus.documents.extract import Extract, UnreadableError
from grapher_jax.errors import require

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

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
# Shapes of drawings (SVG), which have no text; of thousands, none ends for `_check_nesting`.
_SHAPE = re.compile(
    r"<(?:path|circle|ellipse|line|poly(?:line|gon)|rect|use|stop|image)"
    r"""(?:\s++[^\s"'<>/=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'))?+){0,40}+\s*+/>""",
    re.IGNORECASE,
)


def _check_nesting(markup: str) -> None:
    """Refuse nesting for which an HTML5 parser needs quadratic time."""
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
# The limit, in lengths of the page, for re-reading attributes that contain tags.
_MOST_PASSES = 8
_SHORT = 2**16
_OPENED = re.compile(r"<([a-z][^\t\n\f />]*+)", re.IGNORECASE | re.ASCII)
_ATTRIBUTE = re.compile(
    r"[\t\n\f /]*+[^\t\n\f />][^\t\n\f />=]*+"
    r"(?:[\t\n\f ]*+=[\t\n\f ]*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\f >]*+))?+"
)


def _with_few_attributes(markup: str) -> str:
    """The markup with tags closed after 500 attributes; the rest of a tag is read as text.

    An HTML5 parser compares each attribute of an element with all others.

    Raises:
        UnreadableError: if tags occur within attributes of tags again and again.
    """
    cuts, place, merged = {0, len(markup)}, 0, 0
    budget = _MOST_PASSES * max(len(markup), _SHORT)
    while tag := _OPENED.search(markup, place):
        end = tag.end()
        # All tags with these names add to the same element.
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
        # In a comment or a script this is no tag, and the text after its > may contain one.
        inside = markup.find(">", tag.end(), end)
        place = end if inside < 0 else inside
    return ">".join(markup[start:end] for start, end in pairwise(sorted(cuts)))


_DROPPED = frozenset(
    ("script", "style", "template", "noscript", "iframe", "noframes", "noembed", "-comment")
)
# What a page itself declares as no part of its content; then links to the pages before and after
# and above, as the stylesheets of DocBook, Texinfo, Publican and others write them.
_AROUND = (
    'nav, [role="navigation"], [role="search"], [role="contentinfo"], .navheader, .navfooter, '
    '.nav-panel, .header:has(a[rel="next"]), .header:has(a[rel="prev"]), .docnav, '
    "ul:has(> li.previous), ul:has(> li.next), .breadcrumb, .breadcrumbs, .pagination, "
    ".navigation:not(section), .navpath, #nav-path, "
    '.header:has(a[rel="contents"]), .header:has(a[rel="index"])'
)
# What repeats or numbers the content beside it: formulas, lines, `[edit]`, and `Copy`.
_BESIDE = (
    ".katex-html, annotation, td.linenos, span.linenos, span.lineno, .mw-editsection, .copybtn, "
    "button.copy, button.copy-button, button.btn-clipboard, button[data-clipboard-text], "
    'button[data-clipboard-target], button[title^="Copy"]'
)
# A page that leads to another one at once, and says little more than that.
_REDIRECTS = re.compile(r"\s*0\s*[;,]\s*url\s*=\s*['\"]?([^'\"]*)", re.IGNORECASE)
_LONGEST_REDIRECT = 500
_SOFT_HYPHEN = re.compile("&shy;|&#173;|&#xad;|\u00ad", re.IGNORECASE)
# The words of a link from a heading to itself, such as `¶`.
_PERMALINK = re.compile(r"[^\w\s]\ufe0f?")
# A mark between a page's name and its site's.
_SITE = re.compile(r"\s+[-–—|·•»«/]\s")
# The separators between texts, the weakest first; the splitter prefers longer runs of line breaks.
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
    """How strongly an element is separated from others, as an index into `_GAPS`."""
    kinds = (_CELLS, _LINES, _PARAGRAPHS, _SECTIONS)
    return next((gap for gap, kind in enumerate(kinds, start=1) if kind.fullmatch(tag)), 0)


def checked_markup(data: bytes) -> str:
    """The markup of a page, which an HTML5 parser reads in linear time.

    Raises:
        UnreadableError: if it is of unknown encoding, nested too deep, or tangled.
    """
    written = _SOFT_HYPHEN.sub("", decode(data, html_charset(data)))
    markup = _with_few_attributes(_SHAPE.sub("", written))
    _check_nesting(markup)
    return markup


def html(data: bytes) -> Extract:
    """The visible text of the body: blocks on separate lines, with white space folded.

    Navigation is left out, unless the page has nothing else.
    """
    parse = require("selectolax.lexbor").LexborHTMLParser
    markup = checked_markup(data)
    tree = parse(markup)
    # Backwards: what is inside of a node is gone with it.
    for link in reversed(tree.css('a[href^="#"]')):
        if _PERMALINK.fullmatch(link.text(strip=True)):
            link.decompose()
    for node in reversed(tree.css(_BESIDE)):
        node.decompose()
    around = tree.css(_AROUND)
    for node in reversed(around):
        node.decompose()
    found = _page(tree)
    if len(found.text) <= _LONGEST_REDIRECT and (to := _redirect(tree)):
        raise UnreadableError("that lead to another page at once", leads_to=to[1].strip())
    if around and not found.text.strip():
        return _page(parse(markup))
    return found


def _redirect(tree: "LexborHTMLParser") -> re.Match[str] | None:
    given = (node.attributes for node in tree.css("meta[http-equiv]"))
    found = (
        _REDIRECTS.match(own.get("content") or "")
        for own in given
        if (own.get("http-equiv") or "").lower() == "refresh"
    )
    return next(filter(None, found), None)


def _title(tree: "LexborHTMLParser") -> str:
    """The title of a page, without a site's name after what is the first heading too."""
    named = _words(tree.css_first("head > title"))
    headings = tree.css(", ".join(_HEADINGS))
    # In a header, the site has a heading of its own.
    first = next((node for node in headings if not _is_in_header(node)), None)
    heading = _words(first or (headings[0] if headings else None))
    after = named.removeprefix(heading)
    return heading if not named or (heading and _SITE.match(after)) else named


def _words(node: "LexborNode | None") -> str:
    return " ".join(node.text().split()) if node else ""


def _is_in_header(node: "LexborNode") -> bool:
    above = node.parent
    while above is not None and above.tag != "header":
        above = above.parent
    return above is not None


def _page(tree: "LexborHTMLParser") -> Extract:
    pieces, links = list[str](), list[tuple[int, str]]()
    headings: list[tuple[int, int, str]] = []
    waiting: list[str] = []  # links whose text has not begun
    begun: list[tuple[int, str]] = []  # headings whose text has not begun
    anchors: list[tuple[int, str]] = []
    named: list[str] = []  # anchors whose text has not begun
    code: list[tuple[int, int]] = []
    linked: list[tuple[int, int, int]] = []
    length = gap = verbatim = 0
    inside: list[bool] = []  # of each open anchor, whether it is a link
    for node, entered in _walk(tree.body):
        tag = node.tag
        if entered and (name := node.id):
            named.append(name)
        if tag in _HEADINGS and entered:
            begun.append((int(tag[1]), node.text()))
        if apart := _gap(tag):
            gap = max(gap, 1 if tag == "p" and _fills_cell(node) else apart)
        elif tag == "a" and not entered:
            # In a heading, its words are still to come.
            if inside.pop() and waiting and not begun:
                links += _without_words(waiting.pop(), length)
        elif tag in ("a", "area") and entered:
            given = node.attributes
            waiting.append((given.get("href") or "").strip())
            if tag == "a":
                inside.append(bool(waiting[-1]))
            named.append(given.get("name") or "")
        elif tag == "-text" and entered:
            text = node.text_content or ""
            words = text if verbatim else " ".join(text.split())
            if not verbatim and (text[:1].isspace() or not words):
                gap = max(gap, 1)
            if not words:
                continue
            if pieces:
                pieces.append(_GAPS[gap])
                length += len(pieces[-1])
            if words.strip():
                first = length + len(words) - len(words.lstrip())
                links += ((first, target) for target in waiting if target)
                headings += ((first, level, said) for level, said in begun)
                anchors += ((first, name) for name in named)
                for done in (waiting, begun, named):
                    done.clear()
            if verbatim:
                begins = code.pop()[0] if code and code[-1][1] == length else length
                code.append((begins, length + len(words)))
            if any(inside):
                linked.append((length, length + len(words), len(words)))
            pieces.append(words)
            length += len(words)
            gap = 0 if verbatim else int(text[-1:].isspace())
        if tag == "pre":
            verbatim += 1 if entered else -1
            if not entered and pieces:
                length -= _strip_breaks(pieces, length, code, linked)
    links += ((max(length - 1, 0), target) for target in waiting if target)
    text = "".join(pieces)
    return Extract(text, _title(tree), links, headings, code, anchors=anchors, linked=linked)


def _without_words(target: str, length: int) -> Iterator[tuple[int, str]]:
    """A link without words, such as a logo's: with the text before it, not the text after it."""
    if length and not target.startswith("#"):
        yield length - 1, target


def _fills_cell(node: "LexborNode") -> bool:
    """Whether an element is all that a cell of a table holds, so that its row stays one line."""
    above = node.parent
    if above is None or not _CELLS.fullmatch(above.tag or ""):
        return False
    return all(one.mem_id == node.mem_id or _is_blank(one) for one in above.iter(include_text=True))


def _is_blank(node: "LexborNode") -> bool:
    return node.tag == "-text" and not (node.text_content or "").strip()


def _strip_breaks(
    pieces: list[str],
    length: int,
    code: list[tuple[int, int]],
    linked: list[tuple[int, int, int]],
) -> int:
    """Remove line breaks at the end of a text, and of spans that end there; return how many."""
    last = pieces[-1]
    pieces[-1] = last.rstrip("\n")
    cut = len(last) - len(pieces[-1])
    if code and code[-1][1] == length:
        code[-1] = code[-1][0], length - cut
    if linked and linked[-1][1] == length:
        linked[-1] = linked[-1][0], length - cut, linked[-1][2] - cut
    return cut


def _walk(root: "LexborNode | None") -> "Iterator[tuple[LexborNode, bool]]":
    """Visits every node below a root, when entering and when leaving it."""
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
