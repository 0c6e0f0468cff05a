"""AsciiDoc, and Antora's references between pages."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import unescape

from grapher_jax.corpus.documents.decode import decode
from grapher_jax.corpus.documents.extract import LOWEST_HEADING, Extract, label_link, xref_link
from grapher_jax.corpus.documents.links import ANCHORS, label_name

# The lines around code and other verbatim text; of comments and of what is passed on to HTML.
_VERBATIM = re.compile(r"(-{4,}|\.{4,}|`{3,})[\w,+-]*+$")
_UNREAD = re.compile(r"(/{4,}|\+{4,})$")
# The lines around other blocks and tables, breaks, conditions, and macros in lines of their own.
_MARKS = re.compile(
    r"(?:={4,}|\*{4,}|_{4,}|~{4,}|--|[|,:!]={3,}|'{3,}|<{3,}|\+)$|"
    r"(?:ifn?def|ifeval|endif)::[^\[]*+\[|(?!image::)[a-z][\w-]*+::[^\s\[]*+\[.*\]$"
)
_CONDITION = re.compile(r"ifn?def::[^\[\s]*+\[(.+)\]$")
_ATTRIBUTE = re.compile(r":(!?\w[\w-]*+!?):(?:[ \t]++(.*))?$")
# An attribute that repeats others could make a page of any length.
_LONGEST = 4000
_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]++(\S.*)$")
# The line below a heading, as long as that or by one mark longer or shorter.
_UNDERLINE = re.compile(r"([=\-~^+])\1{2,}+$")
_UNDERLINES = "=-~^+"
_INCLUDED = re.compile(r"include::([^\[\n]++)\[.*\]$")
_OWN_LINE = re.compile(rf"(?:{'|'.join(ANCHORS)}|\[[^\]\n]*+\])$")
_ADMONITION = re.compile(r"\[(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\b")
_WORDS = r"\[((?:[^\[\]\n]|\n(?!\n)|\[[^\[\]\n]*+\]){0,999}+)\]"
_INLINE = re.compile(
    rf"<<([^<>,\n]++)(?:,([^<>]{{0,999}}+))?>>|"
    rf"(?<![\w\\])(xref|link|mailto|image|icon|anchor|pass|indexterm|footnote|indexterm2|kbd|btn|"
    rf"menu|stem)::?([^\s\[]{{0,999}}+){_WORDS}|"
    rf"((?:https?://|\{{[\w-]++\}})[^\s\[\]<>]{{0,999}}+){_WORDS}|{ANCHORS[0]}|"
    r"\(\(\([^()]{0,999}+\)\)\)|\(\(([^()]{1,999}+)\)\)|`\+([^`\n]{1,999}?)\+`"
)
# An attribute; not what a backslash escapes or what is passed on as it is.
_REFERENCE = re.compile(r"`\+[^`\n]{1,999}?\+`|pass:\w*+\[[^\]\n]{0,999}+\]|\\?\{([\w-]++)\}")
# Marks of bold, italic and other text, with its role; and of code, but for what is passed on.
_MARKED = re.compile(
    r"(?:\[[\w.# ,-]{1,99}\])?(?<![\w*_#`\\])(\*\*|__|##|\*|_|#)"
    r"(?=[^\s*_#])([^\n]{0,200}?[^\s*_#])\1(?![\w*_#])"
)
_CODE = re.compile(r"`(?!\+)([^`\n]++)`")
# Words, before `,window=_blank` and the like; a mark at their end opens another window.
_NAMED = re.compile(r"(?:^|,)\s*+[\w-]++=.*", re.DOTALL)
_UNSEEN = ("icon", "anchor", "indexterm")
_SIGNS = {"nbsp": " ", "sp": " ", "empty": "", "zwsp": "", "plus": "+", "asterisk": "*"}


def asciidoc(data: bytes) -> Extract:
    """The AsciiDoc source, with the words of links alone and without what is not shown."""
    page = _Page()
    page.read(decode(data).split("\n"))
    title = next((words for _, level, words in page.headings if level == 1), "")
    title = title or (page.headings[0][2] if page.headings else "")
    own = {name for _, name in page.anchors} | {words for _, _, words in page.headings}
    links = [(place, _resolved(target, own)) for place, target in page.links]
    return Extract(
        "".join(page.pieces),
        title,
        links,
        page.headings,
        page.whole,
        anchors=page.anchors,
        labels=[(place, label_name(name)) for place, name in page.anchors],
        linked=page.linked,
    )


def _resolved(target: str, own: set[str]) -> str:
    """A link; one to an anchor or a heading leads into the page if it has it, else to another."""
    if not target.startswith("#"):
        return target
    return target if target[1:] in own or target[1:2] == "_" else label_link(target[1:])


@dataclass
class _Page:
    """What is read of a page: see `Extract`; links to an anchor are `#anchor`."""

    pieces: list[str] = field(default_factory=list)
    links: list[tuple[int, str]] = field(default_factory=list)
    linked: list[tuple[int, int, int]] = field(default_factory=list)
    headings: list[tuple[int, int, str]] = field(default_factory=list)
    anchors: list[tuple[int, str]] = field(default_factory=list)
    whole: list[tuple[int, int]] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=lambda: dict(_SIGNS))
    length: int = 0

    def read(self, lines: Sequence[str]) -> None:
        """Read the lines of a page, in order."""
        paragraph: list[str] = []
        number = 0
        while number < len(lines):
            line = lines[number].rstrip()
            if condition := _CONDITION.match(line):
                line = condition[1]
            following = lines[number + 1].rstrip() if number + 1 < len(lines) else ""
            end = number + 1
            if found := _UNREAD.match(line):
                end = _end(lines, end, found[1])
            elif found := _VERBATIM.match(line):
                end = _end(lines, end, found[1])
                self._add(paragraph)
                self._add_code(lines[number + 1 : end - 1])
            elif found := _HEADING.match(line):
                self._add(paragraph)
                self._add_heading(len(found[1]), found[2].removesuffix(f" {found[1]}"))
            elif not paragraph and _is_underlined(line, following):
                self._add_heading(1 + _UNDERLINES.index(following[0]), line)
                end += 1
            elif found := _ATTRIBUTE.match(line):
                end = self._define(found[1], found[2] or "", lines, end)
            elif found := _INCLUDED.match(line):
                self._add(paragraph)
                self.links.append((self.length, xref_link(self._valued(found[1]))))
            elif not line or _MARKS.match(line):
                self._add(paragraph)
            elif not _is_comment(line) and (paragraph or not self._read_of_block(line)):
                is_title = not paragraph and line[0] == "." and line[1:2] not in ("", " ", ".")
                paragraph.append(line[is_title:].removesuffix(" +"))
                if is_title:
                    self._add(paragraph)
            number = end
        self._add(paragraph)

    def _define(self, name: str, value: str, lines: Sequence[str], end: int) -> int:
        """Read an attribute, whose value may go on below; the line after it."""
        while value.endswith("\\") and end < len(lines):
            begun = value.removesuffix("\\").rstrip()
            value = f"{begun} {lines[end].strip()}"
            end += 1
        if "!" in name:
            self.attributes.pop(name.strip("!"), None)
        else:
            self.attributes[name] = self._valued(value)[:_LONGEST]
        return end

    def _read_of_block(self, line: str) -> bool:
        """Read what a line says of the block below it, such as its anchor; whether it does."""
        found = _OWN_LINE.match(line)
        if found and found.lastindex:
            self.anchors.append((self.length, found[found.lastindex]))
        if told := _ADMONITION.match(line):
            self._put(f"{told[1]}: ")
        return found is not None

    def _add(self, paragraph: list[str]) -> None:
        """Add the lines of a paragraph, and empty it."""
        if paragraph:
            self._add_inline("\n".join(paragraph))
            self._put("\n\n")
            paragraph.clear()

    def _add_heading(self, level: int, words: str) -> None:
        place, before = self.length, len(self.pieces)
        self._add_inline(words)
        shown = "".join(self.pieces[before:]).strip()
        self.headings.append((place, min(level, LOWEST_HEADING), shown))
        self._put("\n\n")

    def _add_code(self, lines: Iterable[str]) -> None:
        code = "\n".join(lines)
        if code.strip():
            self.whole.append((self.length, self.length + len(code)))
            self._put(f"{code}\n\n")

    def _put(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)

    def _add_inline(self, text: str) -> None:
        text, place = _CODE.sub(r"\1", unescape(self._valued(text))), 0
        for found in _INLINE.finditer(text):
            self._put(_unmarked(text[place : found.start()]))
            place = found.end()
            words, target = self._read_inline(found)
            if target:
                words = words or target.rpartition("/")[2].rpartition("#")[2]
                self.links.append((self.length, target))
                self.linked.append((self.length, self.length + len(words), len(words)))
            self._put(words)
        self._put(_unmarked(text[place:]))

    def _read_inline(self, found: re.Match[str]) -> tuple[str, str]:
        """What is shown of markup, and where it leads."""
        near, said, macro, target, given, address, named, anchor, term, literal = found.groups()
        if near:
            path = near if "#" in near or near.endswith(".adoc") else f"#{near}"
            return _shown(said or "") or near, path if path[0] == "#" else xref_link(path)
        if macro:
            words = "" if macro in _UNSEEN else given if macro == "pass" else _words(given)
            if macro == "image":
                words = words.partition(",")[0]
            if macro == "anchor":
                self.anchors.append((self.length, target))
            if macro == "xref":
                return words or _stem(target), target if target[:1] == "#" else xref_link(target)
            return words, target if macro == "link" else ""
        if address:
            return _words(named) or address, "" if address[0] == "{" else address
        if anchor:
            self.anchors.append((self.length, anchor))
        return literal or _shown(term or ""), ""

    def _valued(self, text: str) -> str:
        """A text in which attributes have their values."""

        def value(found: re.Match[str]) -> str:
            if found[0][0] == "{":
                return self.attributes.get(found[1], found[0])
            return found[0].removeprefix("\\")

        return _REFERENCE.sub(value, text)


def _words(given: str) -> str:
    """The words in a macro's brackets, without its named attributes."""
    return _shown(_NAMED.sub("", given).strip().strip('"').removesuffix("^"))


def _shown(text: str) -> str:
    """A text without white space around it and without marks."""
    return _unmarked(text.replace("`", "")).strip()


def _unmarked(text: str) -> str:
    """A text without marks of bold, italic and other text, which may stand within each other."""
    return _MARKED.sub(r"\2", _MARKED.sub(r"\2", text))


def _is_comment(line: str) -> bool:
    return line.startswith("//") and not line.startswith("///")


def _stem(path: str) -> str:
    name = re.split(r"[/:$]", path.partition("#")[0])[-1]
    return name.removesuffix(".adoc") or path


def _end(lines: Sequence[str], start: int, mark: str) -> int:
    """The line after the one that ends a block, or after the last."""
    ends = (number for number in range(start, len(lines)) if lines[number].rstrip() == mark)
    return next(ends, len(lines)) + 1


def _is_underlined(line: str, following: str) -> bool:
    is_line = _UNDERLINE.match(following) and abs(len(line) - len(following)) <= 1
    is_title = line[:1] != "." and not _OWN_LINE.match(line) and any(map(str.isalnum, line))
    return bool(is_line) and is_title
