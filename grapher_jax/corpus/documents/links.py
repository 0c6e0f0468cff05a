"""Resolves the targets of links: by path, by a label in any document, or by a page's name."""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from posixpath import dirname, join, normpath
from unicodedata import normalize
from urllib.parse import unquote, urlsplit

from grapher_jax.corpus.documents.extract import Extract
from grapher_jax.corpus.documents.mail import HEADER, MAIL, name_of_message

ASCIIDOC = (".adoc", ".asciidoc")
_LABELLED = (".rst", ".md", ".markdown", ".mdx", ".txt", MAIL, *ASCIIDOC)
# A definition of a label in reStructuredText or MyST, and all that stand above the same text.
_DEFINED = r"^[ \t]*+(?:\.\. _(?:`([^`\n]+)`|([^`:\n][^:\n]*)):|\(([^()\n]+)\)=)[ \t]*$"
_LABEL = re.compile(_DEFINED, re.M)
_LABELS = re.compile(rf"(?:{_DEFINED}(?:\n[ \t]*(?=\n))*\n?)+", re.M)
# An anchor in AsciiDoc, in a line of its own or of the attributes of a block.
ANCHORS = (
    r"\[\[([^\[\],\s]++)[^\[\]\n]*+\]\]",
    r"\[[^\[\]#\n]*+#([\w:-]++)[^\]\n]*+\]",
    r"\[(?:[^\[\]\n]*,[ \t]*)?id=[\"']?([\w:.-]++)[^\]\n]*+\]",
)
_ANCHOR = re.compile(f"{ANCHORS[0]}|^(?:{ANCHORS[1]}|{ANCHORS[2]})$", re.MULTILINE)
# In Antora's `<component>/modules/<module>/pages/<page>`, what is before and after the module.
_MODULE = re.compile(r"((?:.*/)?modules/)([^/]+)/")
# The page of a folder, in most formats, in Hugo, and where code is kept.
_INDEXES = ("index", "_index", "README", "readme")
_SPACES = re.compile(r"[\s_-]+")
_MARKS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Targets:
    """The targets of links in a folder's documents.

    Attributes:
        folder: the folder of the documents.
        names: the paths of the documents; unreadable ones may be removed later.
        endings: those of documents, which links may leave out.
    """

    folder: Path
    names: Collection[str]
    endings: tuple[str, ...]

    def of(self, written: str, source: str) -> str:
        """The document to which a link in `source` leads; empty if that is none of these."""
        try:
            parts = urlsplit(written)
        except ValueError:
            return ""
        path = unquote(parts.path)
        if parts.scheme == "label":
            return self._labels.get(label_name(path), "")
        if parts.scheme == "page":
            return self._of_page(path, source)
        if parts.scheme == "xref":
            return self._of_xref(path, source)
        if parts.scheme or parts.netloc:
            return ""
        if not path:
            return source
        # Of a link within a site, the folder may be the first part.
        inside = normalize("NFC", path)
        inside = inside[len(self._root) - 1 :] if inside.startswith(self._root) else ""
        return self._of_path(path, source) or (inside and self._of_path(inside, source))

    def _of_path(self, path: str, source: str) -> str:
        start = "" if path.startswith("/") else dirname(source)
        # Sphinx names documents without an ending, or by the page that is made from them.
        stem = path.removesuffix(".html").rstrip("/")
        named = (path, *(stem + ending for ending in self.endings))
        inside = (f"{path}/{index}{ending}" for index in _INDEXES for ending in self.endings)
        for name in (*named, *inside):
            if target := self._named(join(start, name.lstrip("/"))):
                return target
        return ""

    def _of_page(self, names: str, source: str) -> str:
        """The nearest page with one of these names, from the folder of the source upwards."""
        for name in names.split("|"):
            above = dirname(source)
            while above:
                if found := self._pages.get(_page(f"{above}/{name}")):
                    return found
                above = dirname(above)
            if found := self._pages.get(_page(name)):
                return found
        return ""

    def _of_xref(self, path: str, source: str) -> str:
        """The document that AsciiDoc's `xref` or `include` means, also in a module of Antora."""
        *modules, own = path.split(":")
        if len(modules) > 1:  # of another component
            return ""
        family, _, name = own.rpartition("$")
        places = [] if modules or family else [join(dirname(source), name)]
        if found := _MODULE.match(source):
            module = (modules or [found[2]])[-1] or "ROOT"
            places.append(f"{found[1]}{module}/{family or 'page'}s/{name}")
        for place in places:
            for ending in ("", *ASCIIDOC):
                if target := self._named(place + ending):
                    return target
        return ""

    def _named(self, path: str) -> str:
        """The document with a path; empty if there is none."""
        name = normpath(path)
        # File systems of macOS keep letters and their accents apart.
        found = name if name in self.names else self._composed.get(normalize("NFC", name), "")
        return found if found in self.names else ""

    @cached_property
    def _root(self) -> str:
        return normalize("NFC", f"/{self.folder.resolve().name}/")

    @cached_property
    def _composed(self) -> dict[str, str]:
        """Documents by their paths with accents in one character with their letters."""
        return {normalize("NFC", name): name for name in self.names}

    @cached_property
    def _labels(self) -> dict[str, str]:
        """The document of each label; documents are scanned only if there is a link to a label."""
        found: dict[str, str] = {}
        for name in self.names:
            if not name.lower().endswith(_LABELLED):
                continue
            with suppress(OSError):  # unreadable files are reported when they are read
                with (self.folder / name).open("rb") as file:
                    read = file.read(HEADER if name.lower().endswith(MAIL) else -1)
                text = read.decode(errors="replace")
                for label in _defined(name, text.replace("\r\n", "\n")):
                    found.setdefault(label, name)
        return found

    @cached_property
    def _pages(self) -> dict[str, str]:
        """Documents by their paths without an ending, and by the last part of these paths."""
        stems = [
            (name.rpartition(".")[0], name)
            for name in sorted(self.names, key=lambda name: (name.count("/"), name))
            if name.lower().endswith(self.endings)
        ]
        found: dict[str, str] = {}
        for stem, name in (*stems, *((stem.rpartition("/")[2], name) for stem, name in stems)):
            found.setdefault(_page(stem), name)
        return found


def parts_of(written: str) -> tuple[str, ...]:
    """The names of the part of a document to which a link leads, the most exact first.

    They are those of `named_parts`.
    """
    if written.startswith("label:"):
        return (label_name(unquote(written.removeprefix("label:"))),)
    anchor = unquote(written.partition("#")[2])
    return (f"#{anchor}", _slug(anchor), _bare(anchor)) if anchor else ()


def named_parts(document: Extract) -> Iterator[tuple[str, int]]:
    """The names of a document's parts, each with its position; the most exact names last.

    Renderers name the anchor of a heading after its words, each with other marks for what is
    between them or with none, and number those of the same words from 1.
    """
    bare: dict[str, int] = {}
    same = Counter[str]()
    for place, _, words in document.headings:
        name = _bare(words)
        bare.setdefault(f"{name}{same[name] or ''}", place)
        same[name] += 1
    yield from bare.items()
    yield from ((_slug(words), place) for place, _, words in reversed(document.headings))
    yield from ((f"#{name}", place) for place, name in document.anchors)
    yield from ((name, place) for place, name in document.labels)
    yield from label_places(document.text)


def _slug(words: str) -> str:
    return f"#{_MARKS.sub('-', words).strip('-').casefold()}"


def _bare(words: str) -> str:
    return f"~{_MARKS.sub('', words).casefold()}"


def label_lines(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the lines that define labels."""
    return (match.span() for match in _LABELS.finditer(text))


def label_places(text: str) -> Iterator[tuple[str, int]]:
    """The labels that a text defines, each with the position of the text below it."""
    for labels in _LABELS.finditer(text):
        for match in _LABEL.finditer(labels[0]):
            yield label_name(match[match.lastindex or 0]), labels.end()


def _defined(name: str, text: str) -> Iterator[str]:
    """The labels that a document defines, the anchors of AsciiDoc, or the name of an e-mail."""
    if name.lower().endswith(MAIL):
        yield label_name(name_of_message(text))
    elif name.lower().endswith(ASCIIDOC):
        yield from (label_name(found[found.lastindex or 0]) for found in _ANCHOR.finditer(text))
    else:
        yield from (label for label, _ in label_places(text))


def label_name(written: str) -> str:
    """A label as it is compared: without case, and with single spaces."""
    return " ".join(written.lower().split())


def _page(written: str) -> str:
    """A page's name normalised as in wikis, where a space may be a hyphen."""
    return _SPACES.sub("-", written.removesuffix(".md").strip("/ ")).casefold()
