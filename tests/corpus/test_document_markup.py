"""What documents show and say: front matter, boxes, cells, tracked changes, code, folders' pages."""

import time
from io import BytesIO

import pytest
from document_folders import links, texts, write

from grapher_jax.corpus import read_documents
from grapher_jax.corpus.documents.boilerplate import without_running_heads
from grapher_jax.corpus.documents.chunks import chunk_spans
from grapher_jax.corpus.documents.html import html
from grapher_jax.corpus.documents.markdown import markdown
from grapher_jax.corpus.documents.restructured import restructured
from grapher_jax.errors import GrapherWarning


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("title: 'What''s new in 2.0'", "What's new in 2.0"),
        ('title: "The \\"best\\" guide"', 'The "best" guide'),
        ("title: >-\n  folded\n  words", "folded words"),
        ("title: Comment # here", "Comment"),
        ("# This page is generated\ntitle: Commented", "Commented"),
        ('"title": "Quoted key"\nweight: 3', "Quoted key"),
        ("title: {{ template }}", "Heading"),
        ("title: !!int ''", "Heading"),
        ("title: true", "Heading"),
        ("title: 2.5", "2.5"),
        ("title: [a, b]", "Heading"),
    ],
)
def test_front_matter_is_yaml(front, title):
    found = markdown(f"---\n{front}\n---\n# Heading\n".encode())
    assert (found.title, found.text) == (title, "# Heading\n")


@pytest.mark.parametrize(
    ("front", "told"),
    [
        ("---\nstatus: on  hold\ntags: [a, 'b c']\ndraft: true\nweight: 3\n---", "status: on hold\ntags: a, b c"),
        ("---\nowner: '[[Ann]]'\nteam:\n- [[Bob]]\n- [[Cy|C]]\n---", "owner: [[Ann]]\nteam: [[Bob]], [[Cy|C]]"),
        ("---\nproject: [[Roof]]\nnested: {a: b}\nnothing:\n---", "project: [[Roof]]"),
        ('+++\ndate = 2026-01-01\ntags = ["a", "b"]\n[extra]\nx = 1\n+++', "date: 2026-01-01\ntags: a, b"),
        ("---\na: {% template %}\nb: word\n---", ""),
    ],
)  # fmt: skip
def test_other_properties_of_the_front_matter_are_lines_of_the_text(front, told):
    found = markdown(f"{front}\n# Heading\n".encode())
    assert found.title == "Heading"
    assert found.text == (f"{told}\n\n# Heading\n" if told else "# Heading\n")
    links = [target for _, target in found.links]
    assert len(links) == told.count("[[")


def test_a_heading_may_have_an_id_and_braces_of_its_own():
    found = markdown(b"# Guide {#top}\n\n## Installing {#setup .wide}\n\n## GET /users/{id}\n")
    assert [words for _, _, words in found.headings] == ["Guide", "Installing", "GET /users/{id}"]
    assert found.anchors == [(0, "top"), (16, "setup")]


def test_links_in_boxes_are_links_and_those_in_code_are_none():
    text = """!!! note

    See [one](one.md).

=== "Linux"

    - [two](two.md)

    ??? tip
        [three](three.md)

```{note}
See [four](four.md).
```

    [code](no.md)

```
[code](no.md)
```
"""
    found = markdown(text.encode())
    assert [target for _, target in found.links] == ["one.md", "two.md", "three.md", "four.md"]
    assert [found.text[place:].split("]")[0] for place, _ in found.links] == [
        "[one",
        "[two",
        "[three",
        "[four",
    ]


def test_boxes_in_code_are_code_and_lines_of_equals_are_headings():
    text = """# A

```md
!!! note
    ```py
    x
    ```
```

Title
=== \x20

```{note}
!!! tip "Inner"

    ~~~
    [code](no.md)
    ~~~
    [deep](b.md)
```

## After

[x](y.md)
"""
    found = markdown(text.encode())
    assert [words for _, _, words in found.headings] == ["A", "Title", "After"]
    assert [target for _, target in found.links] == ["b.md", "y.md"]


@pytest.mark.parametrize(
    "text",
    [
        f"# x {{a={'aa=' * 5_000}",
        f"# x{' ' * 20_000}y",
        "```{note}\n" * 20_000,
        "!!! note\n" * 20_000,
        f"~~~ {'x ' * 20_000}\n{'code' * 4}\n" * 4,
        "---\na: &a {x: 1}\n"
        + "".join(f"b{n}: &b{n} {{<<: [{'*a, ' * 9}*a]}}\n" for n in range(50))
        + "title: t\n---\n",
    ],
)
def test_odd_markdown_takes_no_time(text):
    started = time.process_time()
    found = markdown(text.encode())
    spans = chunk_spans(found.text, chunk_tokens=60, overlap_tokens=0, syntax="markdown")
    assert [*spans] or found.title == "t"
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    ("written", "page"),
    [
        ("guide/", "docs/guide.md"),
        ("/docs/", "docs/_index.md"),
        ("../pkg", "pkg/README.md"),
        ("../pkg/", "pkg/README.md"),
    ],
)
def test_a_folder_leads_to_its_page(tmp_path, written, page):
    pages = ("docs/guide.md", "docs/_index.md", "pkg/README.md")
    files = dict.fromkeys(pages, "Words of a page.\n")
    files["docs/home.md"] = f"A [link]({written}).\n"
    assert links(write(tmp_path, files))["docs/home.md#0"] == [f"{page}#0"]


def test_a_line_that_looks_like_a_fence_is_kept_where_it_is_none(tmp_path):
    files = {
        "a.md": "```kubectl rollout restart```\n",
        "b.txt": "~~~ Reminder: the freeze begins ~~~\n",
        "c.md": "```text\n",
    }
    assert [*texts(write(tmp_path, files)).values()] == [text.strip() for text in files.values()]


def test_code_of_a_later_window_is_told_from_text():
    block = "```\n" + "".join(f"run {n}\n" for n in range(6000)) + "```\n"
    sections = "".join(f"\n## Topic {n}\n\nWords.\n\n```\n# comment {n}\n```\n" for n in range(12))
    text = f"{block}{sections}"
    spans = [*chunk_spans(text, chunk_tokens=60, overlap_tokens=0, syntax="markdown")]
    chunks = [text[start:end] for start, end in spans]
    assert "".join("".join(chunks).split()) == "".join(text.split())
    # The end of the long block may stand above the first section.
    begun = [chunk.removeprefix("```\n\n") for chunk in chunks if "# comment" in chunk]
    assert all(chunk.startswith("## Topic") and chunk.endswith("```") for chunk in begun)


def test_a_definition_longer_than_a_chunk_keeps_its_name(tmp_path):
    body = "".join(f"    total = total + charge_for_item({n})\n" for n in range(30))
    files = {
        "README.md": "Words.\n",
        "app.py": f"import os\n\n\n@cached\ndef charge(total):\n{body}",
    }
    read = read_documents(write(tmp_path, files), chunk_tokens=100, overlap_tokens=0)
    chunks = [item.text for item in read if item.id.startswith("app.py")]
    assert "def charge(total):\n    total = total" in chunks[0]
    assert all(len(chunk.split()) > 10 for chunk in chunks)


def test_numbered_titles_of_pages_are_no_running_heads():
    titles = ("Scope", "Definitions", "Liability", "Termination", "Law", "Payment")
    pages = [f"{n}. {title}\nText.\nEnd {title}." for n, title in enumerate(titles, start=1)]
    assert without_running_heads(pages) == pages
    chapters = [f"{n} {'Law' if n < 4 else 'Payment'}\nText {n}.\nEnd." for n in range(1, 7)]
    assert [page.count("\n") for page in without_running_heads(chapters)] == [2, 0, 0, 0, 0, 0]


def test_what_all_pages_share_is_found_where_the_first_leads_elsewhere(tmp_path):
    page = "<div>Hotline 555</div><h1>P{0}</h1><p>Words {0}.</p><div>Imprint</div>"
    files = {f"p{n}.html": page.format(n) for n in range(1, 8)}
    files["index.html"] = '<meta http-equiv="refresh" content="0; url=p1.html">'
    with pytest.warns(match="lead to another page"):
        found = texts(write(tmp_path, files))
    assert [name for name, text in found.items() if "Hotline" in text] == ["p1.html#0"]


def test_html_that_repeats_itself_is_read_once():
    found = html(
        b"<h2>History<span class='mw-editsection'>[edit]</span></h2><p>Donau&shy;dampf&#173;schiff"
        b"<span class='katex'><math><mi>x</mi><annotation>x^{2}</annotation></math>"
        b"<span class='katex-html'>x2</span></span></p><button class='copybtn'>Copy</button>"
        b"<table><tr><td class='linenos'>1</td><td>run</td></tr></table>"
        b"<section class='navigation'><h2>Navigation</h2>At sea.</section>"
    )
    said = "History\n\n\nDonaudampfschiffx\n\nrun\n\n\nNavigation\n\n\nAt sea."
    assert (found.text, found.headings[0][2]) == (said, "History")


def test_a_paragraph_in_a_cell_does_not_end_the_row():
    row = "<tr><td><p>{0}</p></td><td> <p>{0} too</p> </td></tr>"
    found = html(f"<table>{row.format('a')}{row.format('b')}</table>".encode())
    assert found.text == "a a too\nb b too"


def test_headings_of_two_letters():
    found = restructured(b"Go\n==\n\nWords.\n\n--\nC#\n--\n\nWords of all\n--\n")
    assert [words for _, _, words in found.headings] == ["Go", "C#"]


def test_a_word_document_says_what_it_says_after_its_changes(tmp_path):
    docx = pytest.importorskip("docx")
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    def run(text, tag="t"):
        return f'<w:r><w:{tag} xml:space="preserve">{text}</w:{tag}></w:r>'

    parts = (
        run("The fee is "),
        f"<w:del>{run('500', 'delText')}</w:del><w:ins>{run('750')}</w:ins>",
        run(" euros, "),
        f"<w:sdt><w:sdtContent>{run('Acme')}</w:sdtContent></w:sdt>",
        f'<w:smartTag w:element="city">{run(" Paris")}</w:smartTag>',
        f'<w:fldSimple w:instr="DATE">{run(" today")}</w:fldSimple>',
        f"<w:moveFrom>{run('gone')}</w:moveFrom><w:moveTo>{run(' here')}</w:moveTo>",
        "<w:r><w:tab/><w:t>end</w:t><w:br/><w:t>of it</w:t></w:r>",
    )
    document = docx.Document()
    document.element.body.insert(0, parse_xml(f"<w:p {nsdecls('w')}>{''.join(parts)}</w:p>"))
    document.save(file := BytesIO())
    found = texts(write(tmp_path, {"a.docx": file.getvalue()}))
    assert found == {"a.docx#0": "The fee is 750 euros, Acme Paris today here\tend\nof it"}


def test_notes_of_a_word_document_follow_its_text(tmp_path):
    docx = pytest.importorskip("docx")
    from docx.opc.packuri import PackURI
    from docx.opc.part import Part
    from docx.oxml.ns import nsdecls

    notes = ("<w:footnote><w:p><w:r><w:t>One.</w:t></w:r></w:p>", "<w:p><w:r><w:t>Two.</w:t></w:r>")
    blob = f"<w:footnotes {nsdecls('w')}>{''.join(notes)}</w:p></w:footnote></w:footnotes>"
    document = docx.Document()
    document.add_paragraph("Text.")
    office = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    part = Part(PackURI("/word/footnotes.xml"), office, blob.encode(), document.part.package)
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
    document.part.relate_to(part, kind)
    document.save(file := BytesIO())
    found = texts(write(tmp_path, {"a.docx": file.getvalue()}))
    assert found == {"a.docx#0": "Text.\n\nOne.\nTwo."}


def test_a_slide_begins_with_its_title_and_its_tables_have_rows(tmp_path):
    pptx = pytest.importorskip("pptx")
    from pptx.util import Inches

    made = pptx.Presentation()
    for title in ("Staffing", "Risks"):
        slide = made.slides.add_slide(made.slide_layouts[5])
        slide.shapes.title.text = title
        table = slide.shapes.add_table(2, 3, *map(Inches, (1, 1, 5, 2))).table
        for row, cells in enumerate((("who", "when", "why"), (title, "", "needed"))):
            for column, text in enumerate(cells):
                table.cell(row, column).text = text
        tree = slide.shapes._spTree
        tree.append(slide.shapes.title._element)
    made.save(file := BytesIO())
    (text,) = texts(write(tmp_path, {"deck.pptx": file.getvalue()})).values()
    assert text.split("\n\n\n") == [
        f"{title}\n\nwho | when | why\n{title} |  | needed" for title in ("Staffing", "Risks")
    ]


def test_properties_of_notion_are_links_and_its_tables_are_its_pages(tmp_path):
    one, two, three = (letter * 32 for letter in "abc")
    tasks = f"# Fix it\n\nProject: Move (../Projects%20{two}/Move%20{three}.md), Build (x%20{one}.md)\nDue: 3 May (see a.md)\n"
    rows = f"Name,Project\nFix it,Move (Projects%20{two}/Move%20{three}.md)\n"
    files = {
        f"Home {one}/Tasks {one}/Fix it {two}.md": tasks,
        f"Home {one}/Tasks {one}.csv": rows,
        f"Home {one}/Tasks {one}_all.csv": rows,
        f"Home {one}/Projects {two}/Move {three}.md": "# Move\n",
        f"Home {one}/Other {one}.csv": rows,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.warns(GrapherWarning, match="2 a table of Notion, whose rows are pages too"):
        found = {item.id: item for item in read_documents(tmp_path)}
    task = found[f"Home {one}/Tasks {one}/Fix it {two}.md#0"]
    assert task.text == "# Fix it\n\nProject: Move, Build\nDue: 3 May (see a.md)"
    assert task.metadata["links"] == [f"Home {one}/Projects {two}/Move {three}.md#0"]
    assert f"Home {one}/Other {one}.csv#0#0" in found
