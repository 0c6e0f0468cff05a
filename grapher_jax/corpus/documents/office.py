"""Word documents, PowerPoint presentations and Excel workbooks."""

import re
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, time
from io import BytesIO
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, TypeVar
from zipfile import ZipFile

from grapher_jax.corpus.documents.data import records_of_rows
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

T = TypeVar("T")
# The first and the last column of cells.
_Span = tuple[int, int]

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
# The rows among which the names of columns are looked for.
_FIRST_ROWS = 20
# Also empty cells, which a cell far away brings with it.
_MOST_CELLS = 20_000_000
_MERGED = re.compile(rb'mergeCell\b[^>]{0,99}?\bref="([A-Z]{1,3}[0-9]{1,7}:[A-Z]{1,3}[0-9]{1,7})"')
# A formula whose value is an empty text has that type.
_UNSAVED = re.compile(
    rb'<c(?![^>]{0,200}\bt="str")(?: [^>]{0,200})?><f\b[^<]{0,9000}(?:</f>)?(?:<v ?/>|<v></v>)?</c>'
)
# What a sheet's name does not keep within an id, `<file>#<sheet>/<record>`.
_IN_ID = re.compile("[#/]")
# Excel's numbers have fifteen digits.
_MOST_DIGITS = 10**15
# How the name of a sum begins, in English, German, French, Spanish and Italian.
_SUM = re.compile(
    r"(?:grand |sub|sous-|zwischen|end|gesamt)?(?:total|sum|summe|somme|suma|somma|gesamt)\b",
    re.IGNORECASE,
)
_ERRORS = {"#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"}


def word(data: bytes) -> Extract:
    """The paragraphs and table cells of a Word document; styles mark the headings."""
    require("docx")
    return _read(data, lambda file: joined(_word_blocks(file)), "Word document")


def slides(data: bytes) -> Extract:
    """The text of slides with the speaker's notes; slide titles are headings."""
    require("pptx")
    return _read(data, lambda file: joined(_slide_blocks(file)), "presentation")


def workbook(data: bytes) -> Extract:
    """The rows of all visible sheets, each value after its column's name, as records.

    With several sheets, a record's id begins with its sheet, `Orders/7`. A sheet without words in
    its rows is one record, unless there is no other; then the workbook is one document.
    """
    require("openpyxl")
    sheets = _read(data, lambda file: [*_sheets(file)], "workbook")
    if len(sheets) == 1:
        return sheets[0][1]
    whole = joined(
        block for name, sheet in sheets for block in (Block(name, level=1), Block(sheet.text))
    )
    if not any(sheet.records for _, sheet in sheets):
        return whole
    names: dict[str, str] = {}
    for name, _ in sheets:
        own = _IN_ID.sub("_", name)
        names[name] = f"{own}_{len(names)}" if own in names.values() else own
    records = [
        (f"{names[name]}/{own}", replace(record, title=record.title or name))
        for name, sheet in sheets
        for own, record in sheet.records or [("0", sheet)]
    ]
    notes = [f"sheet {name}: {note}" for name, sheet in sheets for note in sheet.notes]
    return replace(whole, records=records, notes=notes)


def _read(data: bytes, read: Callable[[BytesIO], T], kind: str) -> T:
    try:
        return read(unpacked(data))
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


def _sheets(file: BytesIO) -> Iterator[tuple[str, Extract]]:
    """The visible sheets of a workbook that are not empty, by their names."""
    from openpyxl.reader.excel import ExcelReader

    with warnings.catch_warnings(action="ignore"):  # of what is no value, such as colours
        reader = ExcelReader(file, read_only=True, data_only=True)
        reader.read()
    pages = {sheet.name: place.target for sheet, place in reader.parser.find_sheets()}
    left = _MOST_CELLS
    for sheet in reader.wb.worksheets:
        if sheet.sheet_state != "visible":
            continue
        page = reader.archive.read(pages[sheet.title])
        merged = _merged(page)
        sheet.reset_dimensions()  # which a file may state wrongly
        rows: list[list[str]] = []
        wide: dict[int, list[_Span]] = {}
        tall: dict[int, tuple[int, str]] = {}
        gaps: set[int] = set()
        for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
            left -= 1 + len(row) + len(tall)
            if left < 0:
                raise UnreadableError(f"of more than {_MOST_CELLS:,} cells; save them as .csv")
            said = [*map(_value, row)]
            is_empty = not any(said)
            for column, (_, value) in tall.items():
                said += [""] * (column + 1 - len(said))
                said[column] = value
            for start, end, last in merged.get(number, ()):
                if start < len(said) and said[start]:
                    tall[start] = last, said[start]
                    if start < end:
                        wide.setdefault(len(rows), []).append((start, end))
            tall = {column: one for column, one in tall.items() if one[0] > number}
            if is_empty:
                gaps.add(len(rows))
            else:
                rows.append(said)
        if rows:
            found = _sheet(rows, wide, gaps)
            if unsaved := len(_UNSAVED.findall(page)):
                what = "a formula" if unsaved == 1 else f"{unsaved} formulas"
                note = f"{what} without a saved value; open and save it in Excel"
                found = replace(found, notes=[*found.notes, note])
            yield sheet.title, found


def _merged(page: bytes) -> dict[int, list[tuple[int, int, int]]]:
    """For each row of a sheet, its merged cells: the first and last column, and the last row."""
    from openpyxl.utils import range_boundaries

    found: dict[int, list[tuple[int, int, int]]] = {}
    for cells in _MERGED.findall(page, page.rfind(b"sheetData>")):
        start, first, end, last = range_boundaries(cells.decode())
        found.setdefault(first, []).append((start - 1, end - 1, last))
    return found


def _sheet(
    rows: Sequence[Sequence[str]], wide: Mapping[int, Sequence[_Span]], gaps: Collection[int]
) -> Extract:
    """The records of a sheet below its names of columns; the text of a sheet of one column.

    Args:
        rows: those that are not empty.
        wide: of each, the first and the last column of cells that are merged with others beside.
        gaps: the numbers of those with an empty row above them.
    """
    if len({at for row in rows for at, said in enumerate(row) if said}) == 1:
        return Extract("\n".join(filter(None, chain.from_iterable(rows))))
    filled = [sum(map(bool, row)) for row in rows[:_FIRST_ROWS]]
    widths = [
        count + sum(end - start for start, end in wide.get(at, ()) if count > 1)
        for at, count in enumerate(filled)
    ]
    # A title and notes above the names fill few columns.
    fits = (at for at, width in enumerate(widths) if width > 1 and 2 * width >= max(widths))
    header = next(fits, 0)
    names = rows[header]
    for above in (header - 1, header):
        if 0 <= above < len(rows) - 2:
            spans = wide.get(above, ())
            if _are_groups(rows[above], rows[above + 1], spans):
                header, names = above + 1, _in_groups(rows[above], rows[above + 1], spans)
                break
    end = len(rows)
    while end > header + 2 and _is_sparse(names, rows[end - 1]):
        end -= 1
    # Sums, what follows them, and notes below an empty row.
    below = (at for at in range(end, len(rows)) if at in gaps or _is_sum(rows[at]))
    end = next(below, len(rows))
    found = records_of_rows(chain([names], rows[header + 1 : end]))
    if end == len(rows):
        return found
    example = next(filter(None, rows[end]))
    left = "a row" if end + 1 == len(rows) else f"{len(rows) - end} rows"
    note = f"{left} below its records left out, such as {example[:30]!r}"
    return replace(found, notes=[*found.notes, note])


def _are_groups(groups: Sequence[str], names: Sequence[str], spans: Sequence[_Span]) -> bool:
    """Whether merged cells of a row stand above several names of columns each.

    A single one may be a title, or a name of two columns, unless names beside it take both rows.
    """
    below = [name for start, end in spans for name in names[start : end + 1]]
    is_beside = any(group and group == name for group, name in zip(groups, names, strict=False))
    return (
        len(spans) > 1 - is_beside
        and len(below) == sum(end + 1 - start for start, end in spans)
        and all(any(map(str.isalpha, name)) for name in below)
    )


def _in_groups(groups: Sequence[str], names: Sequence[str], spans: Sequence[_Span]) -> list[str]:
    """The names of columns, each after that of its group."""
    group = [*groups, *[""] * (len(names) - len(groups))]
    for start, end in spans:
        group[start : end + 1] = [group[start]] * (end + 1 - start)
    pairs = zip_longest(group, names, fillvalue="")
    return [name if one == name else f"{one} {name}".strip() for one, name in pairs]


def _is_sparse(header: Sequence[str], row: Sequence[str]) -> bool:
    """Whether a row may be a note or a sum: it has one value, or is one of sums."""
    said = sum(map(bool, row))
    return said == 1 or (2 * said <= sum(map(bool, header)) and _is_sum(row))


def _is_sum(row: Sequence[str]) -> bool:
    """Whether a row has numbers beside the word for their sum, or beside an empty first column."""
    words = [value for value in row if any(map(str.isalpha, value))]
    if not any(value and value not in words for value in row):
        return False
    return len(words) == 1 and bool(_SUM.match(words[0])) if words else not row[0]


def _value(value: object) -> str:
    """A value without the format of its cell; empty for an error."""
    if value is None or value in _ERRORS:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        is_whole = value.is_integer() and abs(value) < _MOST_DIGITS
        return f"{value:.0f}" if is_whole else f"{value:.15g}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d}" if value.time() == time() else f"{value:%Y-%m-%d %H:%M:%S}"
    return str(value).strip()
