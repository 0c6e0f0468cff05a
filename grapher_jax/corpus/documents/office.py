"""Word documents and PowerPoint presentations."""

from collections.abc import Callable, Iterator
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
    from pptx.shapes.base import BaseShape
    from pptx.text.text import TextFrame

# The members of an archive that are text; the last five are those of books.
_READ = (".xml", ".rels", ".opf", ".ncx", ".xhtml", ".html", ".htm")
_SECTION, _PARAGRAPH, _LINE, _CELL = "\n\n\n", "\n\n", "\n", " | "
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
        inner = paragraph.iter_inner_content()
        links = [one.url for one in inner if isinstance(one, Hyperlink) and one.url]
        text = paragraph.text.strip()
        yield Block(text, gap, level, links)
        last_row = row if text else last_row


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
        frames = [
            (frame, title is not None and shape.shape_id == title.shape_id)
            for top in slide.shapes
            for shape in _inside(top)
            for frame in _frames(shape)
        ]
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame:
            frames.append((slide.notes_slide.notes_text_frame, False))
        for frame, titled in frames:
            if titled:
                words = " ".join(frame.text.split())
                yield Block(words, gap, level=1)
                gap = _PARAGRAPH if words else gap
                continue
            for paragraph in frame.paragraphs:
                text = paragraph.text.replace("\v", "\n").strip()
                addresses = [run.hyperlink.address for run in paragraph.runs]
                yield Block(text, gap, links=[one for one in addresses if one])
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


def _frames(shape: "BaseShape") -> "Iterator[TextFrame]":
    from pptx.shapes.autoshape import Shape
    from pptx.shapes.graphfrm import GraphicFrame

    if isinstance(shape, Shape):
        yield shape.text_frame
    elif isinstance(shape, GraphicFrame) and shape.has_table:
        for cell in shape.table.iter_cells():
            yield cell.text_frame
