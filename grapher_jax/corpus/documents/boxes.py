"""Boxes of MkDocs and MyST, whose lines are Markdown, though CommonMark sees code in them."""

import re
from collections.abc import Iterator

from grapher_jax.corpus.documents.chunks import FENCE

# `!!! note "Title"`, `??? tip` and `=== "Tab"`; the lines of the box are indented by four spaces.
_BOX = re.compile(
    r"""[ ]*(?:(?:!!!|\?\?\?\+?)[ ]+[\w-]+(?:[ ]+inline(?:[ ]+end)?)?(?:[ ]+"[^"\n]*")?|"""
    r"""===[!+]?[ ]+"[^"\n]*")[ \t]*\n?"""
)
_INDENT = 4
_DIRECTIVE = re.compile(
    r"[ ]{0,3}([`:~]{3,})\{(?:admonition|attention|caution|danger|dropdown|error|hint|important|"
    r"note|seealso|tip|warning|tab-item|tab-set|grid|grid-item|card)\}"
)
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_BEGINS = re.compile(r"^[ ]*(?:!!!|\?\?\?|===[!+]? )|^[ ]*[`:~]{3,}\{", re.MULTILINE)


def without_boxes(text: str) -> str:
    """The text with the same lines, of which those of boxes are neither indented nor fenced."""
    return "".join(_plain(text)) if _BEGINS.search(text) else text


def _plain(text: str) -> Iterator[str]:
    boxes: list[int] = []  # how far their lines are indented
    directives: list[str] = []  # their marks
    code, depth = "", 0  # the mark of a block of code, and the boxes that it is in
    for line in _LINES.findall(text):
        words = line.strip()
        indent = len(line) - len(line.lstrip(" "))
        while boxes and words and indent < boxes[-1]:
            boxes.pop()
        code = code if depth <= len(boxes) else ""
        own = min(indent, _INDENT * len(boxes))
        line = line[own:]
        if code:
            if _ends(line, code):
                code = ""
            yield line
        elif begun := _DIRECTIVE.match(line):
            directives.append(begun[1])
            yield "\n"
        elif directives and _ends(line, directives[-1]):
            directives.pop()
            yield "\n"
        elif _BOX.fullmatch(line):
            boxes.append(indent + _INDENT)
            yield "\n"
        else:
            if begun := FENCE.match(line):
                code, depth = begun[1], len(boxes)
            yield line


def _ends(line: str, mark: str) -> bool:
    """Whether a line ends what a mark began: with as many of its letters or more."""
    words = line.strip()
    is_mark = len(words) >= len(mark) and not words.strip(mark[0])
    return is_mark and len(line) - len(line.lstrip(" ")) < _INDENT
