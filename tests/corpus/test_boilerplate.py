"""Lines that pages share, and what else of documents is no content."""

import document_folders
import pytest
from document_folders import links, pdf, write

from grapher_jax.corpus import read_documents
from grapher_jax.corpus.documents.boilerplate import without_running_heads
from grapher_jax.errors import GrapherWarning

PAGE = """<title>Page {0}</title>
<div id="top">Acme. Fast and <a href="page1.html">good</a>.</div>
<div>Download</div>
<h1>Page {0}</h1>
<p>Of {0} alone, see <a href="#top">above</a>. {1}</p>
<p>Yours, Acme.</p>
<div>Written by Acme.</div>
"""


def pages(count, folder="", extra=""):
    return {f"{folder}page{n}.html": PAGE.format(n, extra) for n in range(count)}


def test_what_nearly_all_pages_begin_and_end_with_stays_in_the_first_alone(tmp_path):
    texts = document_folders.texts(
        write(tmp_path, pages(10) | {"site.html": "<p>Written by Acme.</p>"})
    )
    assert texts["page0.html#0"].startswith("Acme. Fast and good.\nDownload")
    assert texts["page0.html#0"].endswith("Yours, Acme.\n\nWritten by Acme.")
    assert texts["page3.html#0"] == "Page 3\n\n\nOf 3 alone, see above."
    # A page that holds nothing else is read whole.
    assert texts["site.html#0"] == "Written by Acme."


def test_links_of_menus_join_nothing_and_links_to_menus_lead_to_the_page(tmp_path):
    links = document_folders.links(write(tmp_path, pages(6)))
    assert links["page0.html#0"] == ["page1.html#0"]
    assert links["page3.html#0"] == []
    spans = {item.id: item.metadata["span"] for item in read_documents(tmp_path)}
    text = "Acme. Fast and good.\nDownload\n\n\n"
    assert spans["page3.html#0"][0] == len(text)


@pytest.mark.parametrize("count", [1, 4])
def test_a_few_pages_are_read_whole(tmp_path, count):
    texts = document_folders.texts(write(tmp_path, pages(count)))
    assert all(text.startswith("Acme.") for text in texts.values())


def test_what_a_few_pages_lack_is_content(tmp_path):
    rows = {
        f"{n}.html": f"<h1>Lamp {n}</h1><p>In stock: {'no' if n % 5 == 0 else 'yes'}</p>"
        for n in range(20)
    }
    texts = document_folders.texts(write(tmp_path, rows))
    assert texts["7.html#0"] == "Lamp 7\n\n\nIn stock: yes"


def test_each_folder_is_a_site_of_its_own(tmp_path):
    other = {f"b/{n}.html": f"<p>Menu of b</p><h1>Item {n}</h1>" for n in range(6)}
    texts = document_folders.texts(write(tmp_path, pages(6, "a/") | other))
    assert texts["a/page2.html#0"] == "Page 2\n\n\nOf 2 alone, see above."
    assert texts["b/2.html#0"] == "Item 2"


def test_a_broken_page_is_told_of_once(tmp_path):
    broken = {"broken.html": "<div>" * 10**4}
    with pytest.warns(GrapherWarning, match="1 file left out: 1 with HTML nested more"):
        texts = document_folders.texts(write(tmp_path, broken | pages(6)))
    assert len(texts) == 6 and texts["page5.html#0"].startswith("Page 5")


def test_lines_are_counted_on_some_pages_of_many(tmp_path, monkeypatch):
    from grapher_jax.corpus.documents import folder

    read, extract = [], folder.extract
    monkeypatch.setattr(folder, "extract", lambda path, *_: read.append(path) or extract(path, *_))
    texts = document_folders.texts(write(tmp_path, pages(100)))
    assert texts["page55.html#0"].startswith("Page 55")
    assert len(read) <= 100 + 32


CITIES = ("Oslo", "Bergen", "Riga", "Turku", "Gdynia", "Lisbon")


def book(*, head="", foot=""):
    """Pages from number 7 on, with two lines of text each."""
    return [
        "\n".join(
            [
                *head.format(n).splitlines(),
                f"{city} has one.",
                f"See {city}.",
                *foot.format(n).splitlines(),
            ]
        )
        for n, city in enumerate(CITIES, start=7)
    ]


@pytest.mark.parametrize(
    ("head", "foot"),
    [
        ("Harbour Reference {} / 99", ""),
        ("12 Harbours, page {}", "{}"),
        ("", "\n- {} -\n"),
        ("Chapter 3. Harbours", ""),
    ],
)
def test_running_heads_and_page_numbers_stay_on_the_first_page_alone(head, foot):
    first, *others = without_running_heads(book(head=head, foot=foot))
    assert first.split() == book(head=head, foot=foot)[0].split()
    assert [page.strip() for page in others] == book()[1:]


def test_lines_with_other_numbers_than_those_of_pages_are_content():
    bills = [f"Bill {n * n % 97}\nTo {city}.\n{10 * n} EUR" for n, city in enumerate(CITIES)]
    assert without_running_heads(bills) == bills


def test_few_pages_and_parts_of_a_document_keep_their_lines():
    few = book(head="Harbours {}")[:4]
    assert without_running_heads(few) == few
    parts = [f"Part {'ABC'[n % 3]}\n{page}" for n, page in enumerate(book() * 5)]
    assert without_running_heads(parts) == parts
    # What is left of a page is never nothing.
    assert without_running_heads(["same"] * 6) == ["same"] * 6
    assert without_running_heads(["", " \n", *book(foot="{}")])[:2] == ["", ""]


def test_a_pdf_has_its_running_heads_once(tmp_path):
    texts = [
        f"Harbours {n}) Tj 0 -20 Td ({city} has one." for n, city in enumerate(CITIES, start=1)
    ]
    (tmp_path / "a.pdf").write_bytes(pdf(*texts))
    (page,) = read_documents(tmp_path)
    assert page.text.split("\n") == ["Harbours 1", *(f"{city} has one." for city in CITIES)]


@pytest.mark.parametrize("head", ["Chapter {}: Harbours {}", "{1} Harbours of {0}"])
def test_running_heads_name_the_chapter(head):
    pages = [f"{head.format(n // 2, n + 3)}\n{page}" for n, page in enumerate(book())]
    assert without_running_heads(pages) == [pages[0], *book()[1:]]


def test_contents_of_a_pdf_are_no_text(tmp_path):
    entries = [f"1.{n} {city} {'.' * 9} {n * 7}" for n, city in enumerate(CITIES)]
    lines = ["Contents", *entries, "Harbours", "See Oslo ........ 7", "42", "Of them all."]
    (tmp_path / "a.pdf").write_bytes(pdf(") Tj 0 -20 Td (".join(lines)))
    (page,) = read_documents(tmp_path)
    assert page.text.split("\n") == ["Contents", "Harbours", "See Oslo … 7", "42", "Of them all."]


def test_pages_that_lead_to_another_are_left_out(tmp_path):
    moved = '<meta http-equiv="Refresh" content="0; url=page0.html"><p>It is <a>here</a>.</p>'
    again = "<meta http-equiv=refresh content=60><p>News of the day.</p>"
    named = pages(2) | {"old.html": moved, "news.html": again, "long.html": moved + "word " * 200}
    with pytest.warns(GrapherWarning, match=r"1 that lead to another page at once \(such as old"):
        found = document_folders.texts(write(tmp_path, named))
    assert {"news.html#0", "long.html#0"} < set(found)
    assert "old.html#0" not in found


@pytest.mark.parametrize("old", ["a-old.html", "z-old.html"])
def test_links_to_pages_that_lead_to_another_lead_there(tmp_path, old):
    moved = "<meta http-equiv=refresh content=\"0; url='{}'\">"
    files = {
        "m.html": f'<p>See <a href="{old}#part">how</a>, <a href="loop.html">or not</a>.</p>',
        old: moved.format("deep/new-older.html"),
        "deep/new-older.html": moved.format("../new.html#part"),
        "new.html": f"<p>{'word ' * 300}</p><h2 id=part>Part</h2><p>here</p>",
        "loop.html": moved.format("loop.html"),
    }
    with pytest.warns(GrapherWarning, match="3 that lead to another page at once"):
        assert links(write(tmp_path, files))["m.html#0"] == ["new.html#1"]
