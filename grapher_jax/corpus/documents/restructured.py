"""reStructuredText, and Sphinx's markup in it and in Markdown."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from urllib.parse import quote

from grapher_jax.corpus.documents.decode import decode
from grapher_jax.corpus.documents.extract import LOWEST_HEADING, Extract, cut_out, label_link
from grapher_jax.corpus.documents.links import label_lines, label_name, label_places

_UNDERLINED = re.compile(
    r"^(?:([=\-~^\"'*+#:.`_])\1+[ \t]*\n(?=.+\n\1{2}))?"
    r"([ \t]*\S.*)\n(([=\-~^\"'*+#:.`_])\4+)[ \t]*$",
    re.MULTILINE,
)
# A shorter line is only below a heading that is no longer, and not of dots or colons.
_UNDERLINE = 3
# The content of a code directive, or an indented block after two colons.
_CODE = re.compile(
    r"^([ \t]*+)(?:\.\. (?:code|code-block|sourcecode|parsed-literal|prompt|math)::.*|"
    r"(?!\.\. ).*::[ \t]*)\n((?:[ \t]*\n|\1[ \t]+\S.*(?:\n|\Z))+)",
    re.MULTILINE,
)
# Sphinx's roles, as `target` or as `words <target>`; MyST writes them in braces.
_ROLE = re.compile(r"(?::(?=\w+:)|\{(?=\w+\}))(doc|ref|numref)[:}]`([^`]{1,999})`")
# A literal; or a role or a hyperlink, which ends with `_`. None has a blank line in it.
_WRITTEN = r"((?:[^`\n]|\n(?![ \t]*\n)){1,999})"
_INLINE = re.compile(
    rf"(?<![\w`\\])(?:``{_WRITTEN}``|(?::(\w[\w:+.-]{{0,99}}):)?`{_WRITTEN}`(_{{0,2}}))(?![\w`])"
)
# A name for the address of a hyperlink.
_ADDRESS = re.compile(
    r"^[ \t]*\.\. _(?:`([^`\n]{1,200})`|([^:`\n]{1,200})):[ \t]+(\S.*)\n?", re.MULTILINE
)
_TOCTREE = re.compile(r"^([ \t]*)(?:\.\. toctree::|(`{3,}|:{3,})\{toctree\}).*\n", re.MULTILINE)
_LINE = re.compile(r".*\n?")


def restructured(data: bytes) -> Extract:
    """The source, with the words of its roles, literals and hyperlinks alone, and no labels."""
    written, found = _readable(decode(data))
    code = _code(written)
    named = [*label_lines(written), *(match.span() for match in _ADDRESS.finditer(written))]
    lines = [span for span in sorted(named) if not _is_inside(code, *span)]
    text, moved = cut_out(written, lines)
    labels = [(moved(place), name) for name, place in label_places(written)]
    links = [(moved(place), target) for place, target in found]
    # A heading's level depends on its mark, and on whether the mark is also above the words.
    levels: dict[tuple[str, bool], int] = {}
    headings = []
    for match in _UNDERLINED.finditer(text):
        is_short = len(match[3]) < _UNDERLINE
        if is_short and (match[4] in ".:" or len(match[2].rstrip()) > len(match[3])):
            continue
        style = (match[4], match[1] is not None)
        level = min(levels.setdefault(style, len(levels) + 1), LOWEST_HEADING)
        headings.append((match.start(), level, match[2].strip()))
    title = headings[0][2] if headings else ""
    trees = [*toctrees(text)]
    links = sorted([*links, *((start, target) for start, _, target in trees)])
    linked = [(start, end, end - start) for start, end, _ in trees]
    return Extract(text, title, links, headings, _code(text), labels=labels, linked=linked)


def _code(text: str, *, parsed: bool = True) -> list[tuple[int, int]]:
    """The spans of code; on demand without that in which roles and hyperlinks have a meaning."""
    found = _CODE.finditer(text)
    return [match.span(2) for match in found if parsed or ".. parsed-literal::" not in match[0]]


def _is_inside(code: list[tuple[int, int]], start: int, end: int) -> bool:
    before = bisect_right(code, (start, end))
    return before > 0 and start < code[before - 1][1]


def _readable(source: str) -> tuple[str, list[tuple[int, str]]]:
    """The text without marks, roles and targets outside of code; and the links in it."""
    code = _code(source, parsed=False)
    addresses = {label_name(one[1] or one[2]): one[3].strip() for one in _ADDRESS.finditer(source)}
    pieces: list[str] = []
    links: list[tuple[int, str]] = []
    length = place = 0
    for match in _INLINE.finditer(source):
        if _is_inside(code, *match.span()):
            continue
        literal, role, written, named = match.groups()
        words, target = (literal, "") if literal else _parts(written)
        pieces += source[place : match.start()], words or target
        length += match.start() - place
        if role in ("doc", "ref", "numref"):
            links.append((length, _role_link(role, written)))
        elif named and (target := target or addresses.get(label_name(words), "")):
            links.append((length, target))
        length += len(pieces[-1])
        place = match.end()
    return "".join((*pieces, source[place:])), links


def _parts(written: str) -> tuple[str, str]:
    """The words and the target of `words <target>`; an empty target if there are only words."""
    words, bracket, target = written.strip().rpartition("<")
    if bracket and target.endswith(">"):
        return words.strip(), target[:-1]
    return written.strip().lstrip("~!"), ""


def _role_link(role: str, written: str) -> str:
    words, target = _parts(written)
    named = target or words
    return quote(named) if role == "doc" else label_link(named)


def role_links(text: str) -> Iterator[tuple[int, str]]:
    """Sphinx's roles, which name labels, or documents without ending."""
    for match in _ROLE.finditer(text):
        yield match.start(), _role_link(match[1], match[2])


def toctrees(text: str) -> Iterator[tuple[int, int, str]]:
    """The lines of Sphinx's tables of contents: start, end and the link to what each names."""
    for tree in _TOCTREE.finditer(text):
        place, fence = tree.end(), tree[2]
        while (line := _LINE.match(text, place)) and line[0]:
            said = line[0].strip()
            inside = line[0].startswith(tree[1]) and line[0].removeprefix(tree[1])[:1].isspace()
            if said.startswith(fence) if fence else said and not inside:
                break
            if said and said[0] not in ":#" and said != "self":
                yield place, line.end(), _role_link("doc", said)
            place = line.end()
