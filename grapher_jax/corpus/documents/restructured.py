"""reStructuredText, and Sphinx's markup in it and in Markdown."""

import re
from collections.abc import Iterator
from urllib.parse import quote

from grapher_jax.corpus.documents.decode import decode
from grapher_jax.corpus.documents.extract import LOWEST_HEADING, Extract, label_link

_UNDERLINED = re.compile(
    r"^(?:([=\-~^\"'*+#:.`_])\1{2,}[ \t]*\n(?=.+\n\1{3}))?"
    r"([ \t]*\S.*)\n([=\-~^\"'*+#:.`_])\3{2,}[ \t]*$",
    re.MULTILINE,
)
# The content of a code directive, or an indented block after two colons.
_CODE = re.compile(
    r"^([ \t]*+)(?:\.\. (?:code|code-block|sourcecode|parsed-literal|prompt|math)::.*|"
    r"(?!\.\. ).*::[ \t]*)\n((?:[ \t]*\n|\1[ \t]+\S.*(?:\n|\Z))+)",
    re.MULTILINE,
)
# Sphinx's roles and hyperlinks, as `target` or as `words <target>`; MyST writes roles in braces.
_ROLE = re.compile(r"(?::(?=\w+:)|\{(?=\w+\}))(doc|ref|numref)[:}]`([^`]{1,999})`")
_HYPERLINK = re.compile(r"`[^`<>]{1,999}<([^`<>\s]{1,999})>`__?")
_TOCTREE = re.compile(r"^([ \t]*)(?:\.\. toctree::|(`{3,}|:{3,})\{toctree\}).*\n", re.MULTILINE)
_LINE = re.compile(r".*\n?")
_NAMED_TARGET = re.compile(r".*<([^<>]+)>", re.DOTALL)


def restructured(data: bytes) -> Extract:
    """The reStructuredText source, unchanged."""
    text = decode(data)
    # A heading's level depends on its mark, and on whether the mark is also above the words.
    levels: dict[tuple[str, bool], int] = {}
    headings = []
    for match in _UNDERLINED.finditer(text):
        style = (match[3], match[1] is not None)
        level = min(levels.setdefault(style, len(levels) + 1), LOWEST_HEADING)
        headings.append((match.start(), level, match[2].strip()))
    title = headings[0][2] if headings else ""
    links = [(match.start(), match[1]) for match in _HYPERLINK.finditer(text)]
    code = [match.span(2) for match in _CODE.finditer(text)]
    return Extract(text, title, sorted([*links, *sphinx_links(text)]), headings, code)


def sphinx_links(text: str) -> Iterator[tuple[int, str]]:
    """Sphinx's roles and tables of contents, which name labels, or documents without ending."""

    def target(written: str) -> str:
        named = _NAMED_TARGET.fullmatch(written.strip())
        return named[1] if named else written.strip()

    for match in _ROLE.finditer(text):
        named = target(match[2])
        yield match.start(), quote(named) if match[1] == "doc" else label_link(named)
    for tree in _TOCTREE.finditer(text):
        place, fence = tree.end(), tree[2]
        while (line := _LINE.match(text, place)) and line[0]:
            said = line[0].strip()
            inside = line[0][len(tree[1]) :][:1].isspace()
            if said.startswith(fence) if fence else said and not inside:
                break
            if said and said[0] not in ":#" and said != "self":
                yield place, quote(target(said))
            place = line.end()
