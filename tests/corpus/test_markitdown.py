"""PDF, office files, HTML and EPUB as Markdown, by the reader `markitdown`."""

import sys
import zipfile
from io import BytesIO
from pathlib import Path

import docx
import pptx
import pypdf
import pytest
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from grapher_jax.command_line import main
from grapher_jax.corpus import Object, read_documents, read_source
from grapher_jax.errors import GrapherWarning, MissingExtraError
from grapher_jax.search import Index


@pytest.fixture
def openpyxl():
    pytest.importorskip("markitdown")
    return pytest.importorskip("openpyxl")


def read(folder: Path, files: dict[str, bytes], **options: int) -> dict[str, Object]:
    for name, content in files.items():
        (folder / name).write_bytes(content)
    found = read_documents(folder, reader="markitdown", **options)
    return {item.id: item for item in found}


def saved(made) -> bytes:
    file = BytesIO()
    made.save(file)
    return file.getvalue()


def contract() -> bytes:
    made = docx.Document()
    made.add_heading("Contract", 0)
    made.add_paragraph("Between the owner and customer_id 7.")
    made.add_heading("Rent", 1)
    table = made.add_table(2, 2)
    for cell, text in zip(table._cells, ("Month", "Day", "May", "3"), strict=True):
        cell.text = text
    return saved(made)


def slides() -> bytes:
    made = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[1])
    slide.shapes.title.text = "Results"
    slide.placeholders[1].text = "Good."
    slide.notes_slide.notes_text_frame.text = "Said aside."
    return saved(made)


def archive(files: dict[str, str]) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w", 8) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return made.getvalue()


def book(chapter: str) -> bytes:
    names = "xmlns:dc='http://purl.org/dc/elements/1.1/'"
    rooted = "<rootfiles><rootfile full-path='a/book.opf'/></rootfiles>"
    listed = "<manifest><item id='one' href='one.xhtml'/></manifest>"
    return archive(
        {
            "META-INF/container.xml": f"<container>{rooted}</container>",
            "a/book.opf": f"<package {names}><metadata><dc:title>Tales</dc:title></metadata>"
            f"{listed}<spine><itemref idref='one'/></spine></package>",
            "a/one.xhtml": f"<html><body>{chapter}</body></html>",
        }
    )


def workbook(openpyxl, cells: dict[str, object]) -> bytes:
    made = openpyxl.Workbook()
    made.active.title = "Costs"
    for name, value in cells.items():
        made.active[name] = value
    return saved(made)


def pdf(words: dict[tuple[int, int], str]) -> bytes:
    """A page with words at these places."""
    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(612, 792)
    font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    named = DictionaryObject({NameObject(key): NameObject(name) for key, name in font.items()})
    fonts = DictionaryObject({NameObject("/F"): named})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    stream = DecodedStreamObject()
    shown = (f"1 0 0 1 {x} {y} Tm ({word}) Tj" for (x, y), word in words.items())
    stream.set_data(f"BT /F 12 Tf {' '.join(shown)} ET".encode())
    page[NameObject("/Contents")] = writer._add_object(stream)
    file = BytesIO()
    writer.write(file)
    return file.getvalue()


def test_office_files_and_books_become_markdown(tmp_path, openpyxl):
    cells = {"A1": "item", "B1": "unit_price", "A2": "Tea", "B2": 1.5, "A3": "Milk"}
    files = {
        "a.docx": contract(),
        "b.pptx": slides(),
        "c.xlsx": workbook(openpyxl, cells),
        "d.epub": book("<h1>The fox</h1><p>Once upon.</p>"),
        "e.html": b"<title>Page</title><p>See <a href='a.docx'>the contract</a>.</p>",
    }
    found = read(tmp_path, files)
    assert {name: (item.title, item.text) for name, item in found.items()} == {
        "a.docx#0": (
            "Contract",
            "# Contract\n\nBetween the owner and customer_id 7.\n\n# Rent\n\n"
            "|  |  |\n| --- | --- |\n| Month | Day |\n| May | 3 |",
        ),
        "b.pptx#0": ("Results", "# Results\nGood.\n\n### Notes:\nSaid aside."),
        "c.xlsx#0": (
            "Costs",
            "## Costs\n| item | unit_price |\n| --- | --- |\n| Tea | 1.5 |\n| Milk |  |",
        ),
        "d.epub#0": ("Tales", "**Title:** Tales\n\n# The fox\n\nOnce upon."),
        "e.html#0": ("Page", "Page\n\nSee [the contract](a.docx)."),
    }
    assert found["e.html#0"].metadata["links"] == ["a.docx#0"]
    parts = read(tmp_path, {}, chunk_tokens=8, overlap_tokens=0)
    (told,) = (item.metadata["headings"] for item in parts.values() if "May" in item.text)
    assert told == ["Rent"]


def test_a_table_of_a_pdf_becomes_one_of_markdown(tmp_path, openpyxl):
    rows = [("item", "price", "stock"), ("Tea", "1.50", "12"), ("Milk", "0.99", "3")]
    places = {
        (72 + 160 * column, 700 - 20 * row): word
        for row, words in enumerate(rows)
        for column, word in enumerate(words)
    }
    item = read(tmp_path, {"a.pdf": pdf({(72, 740): "What is in the shop."} | places)})["a.pdf#0"]
    first, *table = (line for line in item.text.splitlines() if line)
    assert first == "What is in the shop."
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    assert [tuple(row) for row in cells if not row[0].startswith("-")] == rows


UNREADABLE = {
    "cut.docx": (lambda _: contract()[:3000], "whose .docx cannot be parsed (BadZipFile)"),
    "cut.epub": (lambda _: book("")[:300], "whose .epub cannot be parsed (BadZipFile)"),
    "cut.pdf": (lambda _: pdf({(72, 700): "x"})[:100], "whose .pdf cannot be parsed"),
    "deep.html": (lambda _: b"<div>" * 10**5, "with HTML nested more than 2000 deep"),
    "far.xlsx": (
        lambda openpyxl: workbook(openpyxl, {"A1": "x", "XFD1048576": "y"}),
        "of more than 500,000 cells a sheet; save as .csv",
    ),
    "large.epub": (
        lambda _: book("word " * 300_000),
        "that unpack to more than 1,000,000 bytes; split them",
    ),
    "other.pptx": (lambda _: contract(), "whose .pptx cannot be parsed (ValueError)"),
    "other.xlsx": (lambda _: contract(), "whose .xlsx cannot be parsed"),
    "text.docx": (lambda _: b"plain", "whose .docx cannot be parsed (BadZipFile)"),
    "void.epub": (lambda _: archive({"a": ""}), "whose .epub cannot be parsed (KeyError)"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_broken_file_is_left_out_with_its_reason(tmp_path, monkeypatch, openpyxl, name):
    monkeypatch.setattr("grapher_jax.corpus.documents.office.MOST_BYTES", 10**6)
    make, reason = UNREADABLE[name]
    with pytest.warns(GrapherWarning) as warned:
        found = read(tmp_path, {name: make(openpyxl), "readme.md": b"Read me."})
    assert [*found] == ["readme.md#0"]
    (told,) = (str(one.message) for one in warned)
    assert f"1 file left out: 1 {reason}" in told
    assert told.endswith(f"(such as {name})")


def test_a_slide_with_a_picture_is_read(tmp_path, openpyxl):
    made = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[6])
    picture = Path(__file__).parents[2] / "docs" / "images" / "demo.png"
    slide.shapes.add_picture(str(picture), 0, 0)
    slide.shapes.add_textbox(0, 0, 9, 9).text_frame.text = "Seen."
    assert "Seen." in read(tmp_path, {"a.pptx": saved(made)})["a.pptx#0"].text


def test_a_folder_of_spreadsheets_alone_is_indexed(tmp_path, openpyxl, embedder):
    folder = tmp_path / "sheets"
    folder.mkdir()
    (folder / "costs.xlsx").write_bytes(workbook(openpyxl, {"A1": "item", "A2": "Tea"}))
    assert [item.text for item in read_source(str(folder))] == ["item\nTea"]
    index = Index.from_source(str(folder), reader="markitdown", embedder=embedder)
    assert index.ids == ["costs.xlsx#0"]
    with pytest.raises(SystemExit, match="0"):
        main(["index", str(folder), "--out", str(tmp_path / "index"), "--reader", "markitdown"])
    assert Index.load(tmp_path / "index").ids == index.ids


def test_a_missing_library_is_named_with_its_cure(tmp_path, monkeypatch):
    (tmp_path / "a.md").write_text("x")
    for module in ("markitdown", "mammoth"):
        with monkeypatch.context() as changed:
            for name in ("markitdown", "mammoth", "openpyxl", "pandas", "pdfplumber", "pptx"):
                changed.setitem(sys.modules, name, None if name == module else sys)
            with pytest.raises(MissingExtraError) as raised:
                read_documents(tmp_path, reader="markitdown")
        cure = 'is not installed; run: pip install "grapher-jax[markitdown]"'
        assert str(raised.value) == f"{module} {cure}"
