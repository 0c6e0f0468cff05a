"""Word documents and PowerPoint presentations."""

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZipFile

from grapher_jax.corpus.documents.extract import (
    MOST_BYTES,
    Block,
    Extract,
    UnreadableError,
    joined,
)
from grapher_jax.errors import require

if TYPE_CHECKING:
    from docx.oxml.xmlchemy import BaseOxmlElement
    from pptx.shapes.base import BaseShape
    from pptx.text.text import TextFrame

# The members of an archive that are text; the last five are those of books.
_READ = (".xml", ".rels", ".opf", ".ncx", ".xhtml", ".html", ".htm")
_SECTION, _PARAGRAPH, _LINE, _CELL = "\n\n\n", "\n\n", "\n", " | "
# A text and the targets of its links.
_Line = tuple[str, Sequence[str]]
# Parts of a Word document with texts of their own, and what a paragraph does not say itself.
_NOTES = ("/footnotes", "/endnotes")
_UNSAID = {"del", "moveFrom", "p", "pPr", "rPr", "instrText", "delText", "Fallback"}
_MARKS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_TYPE = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}type"
# The fallback content for older readers, which repeats the content next to it.
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"


def word(data: bytes) -> Extract:
    """The paragraphs and table cells of a Word document; styles mark the headings."""
    require("docx")
    return _read(data, _word_blocks, "Word document")


def slides(data: bytes) -> Extract:
    """The text of slides with the speaker's notes; slide titles are headings."""
    require("pptx")
    return _read(data, _slide_blocks, "presentation")


def _read(data: bytes, blocks: Callable[[BytesIO], Iterator[Block]], kind: str) -> Extract:
    try:
        return joined(blocks(unpacked(data)))
    except UnreadableError:
        raise
    except Exception as error:  # a damaged file can make its reader fail in any way
        raise UnreadableError(f"whose {kind} cannot be parsed ({type(error).__name__})") from error


def unpacked(data: bytes) -> BytesIO:
    """The archive, unpacked and without pictures, so that no reader unpacks more.

    Raises:
        UnreadableError: if there are more than 100,000,000 bytes, whatever size the archive claims.
    """
    unpacked, left = BytesIO(), MOST_BYTES
    with ZipFile(BytesIO(data)) as given, ZipFile(unpacked, "w") as stored:
        for member in given.infolist():
            content = b""
            if member.filename.lower().endswith(_READ):
                with given.open(member) as packed:
                    content = packed.read(left + 1)
            left -= len(content)
            if left < 0:
                raise UnreadableError(f"that unpack to more than {MOST_BYTES:,} bytes; split them")
            stored.writestr(member.filename, content)
    return unpacked


def _word_blocks(file: BytesIO) -> Iterator[Block]:
    from docx import Document
    from docx.oxml import parse_xml
    from docx.oxml.ns import qn
    from docx.text.hyperlink import Hyperlink
    from docx.text.paragraph import Paragraph

    document = Document(file)
    last_row = None
    levels: dict[str | None, int] = {}
    # The library's own iteration over tables repeats a cell for each column that it spans.
    for element in document.element.body.iter(qn("w:p")):
        if next(element.iterancestors(_FALLBACK), None) is not None:
            continue
        paragraph = Paragraph(element, document)
        row = next(element.iterancestors(qn("w:tr")), None)
        if element.style not in levels:  # a look-up among all styles takes 1 ms
            style = paragraph.style
            levels[element.style] = _heading_level(style.name if style else None)
        level = levels[element.style]
        gap = _SECTION if level else _PARAGRAPH
        if row is not None and last_row is not None:
            gap = _CELL if row is last_row else _LINE
        inner = (Hyperlink(one, paragraph) for one in element.iter(qn("w:hyperlink")))
        text = "".join(_said(element)).strip()
        yield Block(text, gap, level, [one.url for one in inner if one.url])
        last_row = row if text else last_row
    for related in document.part.rels.values():
        if related.reltype.endswith(_NOTES) and not related.is_external:
            for note in parse_xml(related.target_part.blob):
                yield Block("\n".join(map("".join, map(_said, note.iter(qn("w:p"))))).strip())


def _said(element: "BaseOxmlElement") -> Iterator[str]:
    """The text of a paragraph as it is after all tracked changes, without boxes anchored in it."""
    for child in element:
        name = str(child.tag).rpartition("}")[2]
        if name == "t":
            yield child.text or ""
        elif name in _MARKS:
            yield _MARKS[name] if child.get(_TYPE) in (None, "textWrapping") else ""
        elif name not in _UNSAID:
            yield from _said(child)


def _heading_level(style: str | None) -> int:
    """The level of Word's own styles for titles and headings; 0 for other styles."""
    if style == "Title":
        return 1
    name, _, number = (style or "").rpartition(" ")
    return int(number) if name == "Heading" and number.isdecimal() else 0


def _slide_blocks(file: BytesIO) -> Iterator[Block]:
    from pptx import Presentation

    for slide in Presentation(file).slides:
        gap, title = _SECTION, slide.shapes.title
        if title is not None and (words := " ".join(title.text_frame.text.split())):
            yield Block(words, gap, level=1)
            gap = _PARAGRAPH
        texts = [
            _lines(shape)
            for top in slide.shapes
            for shape in _inside(top)
            if title is None or shape.shape_id != title.shape_id
        ]
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame:
            texts.append(_lines_of_frame(slide.notes_slide.notes_text_frame))
        for lines in texts:
            for text, links in lines:
                yield Block(text, gap, links=links)
                gap = _LINE if text else gap
            gap = _PARAGRAPH if gap == _LINE else gap


def _inside(shape: "BaseShape") -> "Iterator[BaseShape]":
    """A shape, or the shapes of a group."""
    from pptx.shapes.group import GroupShape

    if isinstance(shape, GroupShape):
        for inner in shape.shapes:
            yield from _inside(inner)
    else:
        yield shape


def _lines(shape: "BaseShape") -> Iterator[_Line]:
    """The lines of a shape: its paragraphs, or the rows of a table."""
    from pptx.shapes.autoshape import Shape
    from pptx.shapes.graphfrm import GraphicFrame

    if isinstance(shape, Shape):
        yield from _lines_of_frame(shape.text_frame)
    elif isinstance(shape, GraphicFrame) and shape.has_table:
        for row in shape.table.rows:
            cells = [[*_lines_of_frame(cell.text_frame)] for cell in row.cells]
            words = (" ".join(" ".join(text for text, _ in cell).split()) for cell in cells)
            links = [link for cell in cells for _, found in cell for link in found]
            yield _CELL.join(words).strip(_CELL), links


def _lines_of_frame(frame: "TextFrame") -> Iterator[_Line]:
    for paragraph in frame.paragraphs:
        addresses = [run.hyperlink.address for run in paragraph.runs]
        text = paragraph.text.replace("\v", "\n").strip()
        yield text, [one for one in addresses if one]
