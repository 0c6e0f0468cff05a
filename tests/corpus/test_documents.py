import json
import os
import sys
import time
from collections import Counter
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from unicodedata import normalize

import pypdf
import pytest
from document_folders import SENTENCES, links, pdf, texts, write

from grapher_jax.corpus import Object, read_documents, read_source
from grapher_jax.corpus.documents import folder
from grapher_jax.corpus.documents.chunks import chunk_spans, count_tokens
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.search import Index


def test_the_outline_of_a_pdf_tells_its_headings(tmp_path):
    lines = [
        "Notes",
        "Of all.",
        "1.2 Ports",
        "Of ports.",
        "Notes",
        "Of ports again.",
        "Ends",
        "So.",
    ]
    outline = ["Ports", "Nowhere", "Notes", "", "Ends"]
    (tmp_path / "a.pdf").write_bytes(pdf(") Tj 0 -20 Td (".join(lines), outline=outline))
    chunks = [*read_documents(tmp_path, chunk_tokens=7, overlap_tokens=0)]
    told = {chunk.text: chunk.metadata.get("headings", []) for chunk in chunks}
    # Only in the order of the outline: the first line is not the heading of the same words.
    assert told == {
        "Notes\nOf all.": [],
        "1.2 Ports\nOf ports.": ["Ports"],
        "Notes\nOf ports again.": ["Notes"],
        "Ends\nSo.": ["Ends"],
    }


def encrypted(file: bytes) -> bytes:
    writer = pypdf.PdfWriter(BytesIO(file))
    writer.encrypt("secret", algorithm="RC4-128")
    written = BytesIO()
    writer.write(written)
    return written.getvalue()


def test_chunks_are_whole_sentences_that_overlap_within_the_budget(tmp_path):
    write(tmp_path, {"report.txt": SENTENCES})
    chunks = list(read_documents(str(tmp_path), chunk_tokens=50, overlap_tokens=10))
    assert [item.id for item in chunks] == [f"report.txt#{n}" for n in range(len(chunks))]
    assert [item.metadata["chunk_id"] for item in chunks] == [*range(len(chunks))]
    spans = [item.metadata["span"] for item in chunks]
    for item, (start, end) in zip(chunks, spans, strict=True):
        assert item.text == SENTENCES[start:end]
        assert item.text.startswith("Sentence")
        assert item.text.endswith(".")
        assert 30 < count_tokens(item.text) <= 50
        assert (item.title, item.metadata["document_id"]) == ("report", "report.txt")
    for (_, end), (start, _) in pairwise(spans):
        assert 0 < end - start < 60  # one sentence of 9 tokens
    assert (spans[0][0], spans[-1][1]) == (0, len(SENTENCES))


def test_a_token_is_a_word_a_part_of_a_long_one_a_character_or_a_mark():
    assert count_tokens("It's 2 words, counterrevolution!") == 9
    assert count_tokens("日本語 text") == 4
    assert count_tokens(" \n ") == 0


@pytest.mark.parametrize("syntax", ["", "markdown"])
def test_windows_leave_no_seam(monkeypatch, syntax):
    text = "\n\n".join(f"## Part {n}\n\n{SENTENCES[: 97 * n]}" for n in range(40))
    options = {"syntax": syntax, "chunk_tokens": 60, "overlap_tokens": 12}
    windows = list(chunk_spans(text, **options))
    monkeypatch.setattr("grapher_jax.corpus.documents.chunks._WINDOW", len(text))
    assert windows == list(chunk_spans(text, **options))


def test_no_chunk_lies_within_the_one_before():
    text = f"x = [{', '.join(map(str, range(20_000)))}]\n"
    spans = list(chunk_spans(text, chunk_tokens=50, overlap_tokens=10, syntax="python"))
    assert len(spans) > 1
    assert all(before < after for (_, before), (_, after) in pairwise(spans))


@pytest.mark.parametrize(
    "text",
    ["a" * 10**6, "日本語" * 10**4, "." * 10**5, " " * 10**6 + "end", "a\n" * 10**5, "\0" * 10],
    ids=["one word", "no spaces", "marks", "white space", "lines", "control"],
)
def test_odd_texts_are_chunked_whole(text):
    spans = list(chunk_spans(text, chunk_tokens=200, overlap_tokens=0))
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    assert all(count_tokens(text[a:b]) <= 200 for a, b in spans)


def test_html_is_read_as_a_page_shows_it(tmp_path):
    page = """<!doctype html><html><head><title>A &amp; B
        guide</title><style>p {color: red}</style><script>alert("head")</script></head><body>
        <!-- secret --><h1>Head</h1><p>One <b>bo</b>ld,&nbsp;caf&eacute;</p>
        <script>document.write("evil")</script><template>later</template><noscript>no</noscript>
        <ul><li>first<li>second</ul><table><tr><td>a</td><td>b</td></tr></table>
        <pre>  x
    y</pre>end<br>of page</body></html>"""
    write(tmp_path, {"page.html": page})
    (item,) = read_documents(tmp_path)
    assert item.title == "A & B guide"
    assert (
        item.text
        == "Head\n\n\nOne bold, café\n\nfirst\nsecond\n\na b\n\n  x\n    y\n\nend\nof page"
    )


def test_titles(tmp_path):
    files = {
        "a.htm": "<h2>From a <i>heading</i></h2>text",
        "b.md": "text\n\nFrom *Setext*\n===\n\n# No\n",
        "c.md": "```\n# no heading\n```\n",
        "d.pdf": pdf("text", title="From metadata"),
        "e.pdf": pdf("text"),
        "f.html": f"<title>{'long ' * 1000}</title>text",
        "g.md": "---\ntags: [a]\ntitle: 'From YAML'\n---\ntext\n",
        "h.md": "---\nno front matter\n---\n",
        "j.html": "<title>10. Files &mdash; The Manual v4</title><h1>10.\n Files<a href='#f'>¶</a></h1>x",
        "k.html": "<title>Install – Site</title><header><h1>Site</h1></header><h2>Install</h2>x",
        "k1.html": "<title>Install – Site</title><header><h1>Site</h1></header><h2>How</h2>x",
        "l.html": "<title>Files-and-more</title><h2>Files</h2>x",
        "m.md": "<h1>Logo</h1>\n\n## Install\n",
        "n.md": "Words.\n\n## How to apply\n\n### More\n",
        "o.md": "\n## Notes\n\n# Real\n",
        "q/README.md": "<h1>Logo</h1>\n\n## Postage of all\n",
        "p.md": "<!-- License: MIT -->\n\n## Postage\n\nWords.\n",
        "q/y.md": "## Notes\n\nWords.\n\n## Actions\n",
        "q/z.md": "## Guide\n\n### Notes\n\n### Actions\n",
        "i.md": '+++\ndate = 2026-01-01\ntitle = "From TOML"\n+++\ntext\n',
    }
    titles = [item.title for item in read_documents(write(tmp_path, files))]
    assert titles[:5] == ["From a heading", "From Setext", "c", "From metadata", "e"]
    assert len(titles[5]) < 200
    told = ["10. Files", "Install", "Install – Site", "Files-and-more"]
    assert titles[6:13] == ["From YAML", "no front matter", "From TOML", *told]
    assert titles[13:] == ["m", "n", "Real", "Postage", "Postage of all", "y", "Guide"]


def test_a_pdf_is_read_page_by_page(tmp_path):
    write(tmp_path, {"paper.pdf": pdf("First page.", "Second page.")})
    assert texts(tmp_path) == {"paper.pdf#0": "First page.\nSecond page."}


def test_a_damaged_page_of_a_pdf_is_left_out(tmp_path):
    whole = pdf("First.", "Second.", "Third.")
    start = whole.index(b"6 0 obj")
    damaged = whole[:start] + b"6 0 obj\nnull\nendobj".ljust(whole.index(b"7 0 obj") - start)
    write(tmp_path, {"a.pdf": damaged + whole[whole.index(b"7 0 obj") :]})
    assert texts(tmp_path) == {"a.pdf#0": "First.\nThird."}


@pytest.mark.parametrize("program", ["/bin/true", "/nowhere/python", "/tmp"])
def test_where_no_process_reads_pdfs_these_are_left_out(tmp_path, monkeypatch, program):
    monkeypatch.setattr(sys, "executable", program)
    write(tmp_path, {"a.pdf": pdf("Text."), "good.txt": "good"})
    with pytest.warns(GrapherWarning, match="or Python cannot start a process"):
        assert texts(tmp_path) == {"good.txt#0": "good"}


def test_modules_that_this_process_finds_are_found_by_the_one_that_reads_pdfs(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONIOENCODING", "utf-16")
    monkeypatch.setattr(sys, "executable", sys._base_executable)  # has none of these packages
    write(tmp_path, {"a.pdf": pdf("Text.")})
    assert texts(tmp_path) == {"a.pdf#0": "Text."}


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="the system has no limit of memory")
def test_a_pdf_that_unpacks_to_gigabytes_is_left_out(tmp_path):
    write(tmp_path, {"bomb.pdf": pdf(page="q " * 14_000_000), "good.txt": "good"})
    with pytest.warns(GrapherWarning, match=r"1 whose PDF cannot be parsed \(damaged, of too"):
        assert texts(tmp_path) == {"good.txt#0": "good"}


def test_words_of_a_pdf_stand_apart_without_spaces_and_hyphens(tmp_path):
    """As LaTeX sets them: a space is a move, and a word goes on in the next line."""
    lines = [
        "[(Each) -333 (package) -333 (is) -333 (writ-)] TJ",
        "0 -14 Td [(ten) -333 (for) -333 (Debian-)] TJ",
        "0 -14 Td [(Users) -333 (. . . . . . . 7)] TJ",
    ]
    write(tmp_path, {"book.pdf": pdf(page=f"BT /F 12 Tf 72 720 Td {' '.join(lines)} ET")})
    assert texts(tmp_path) == {"book.pdf#0": "Each package is written for Debian-Users … 7"}


def test_a_picture_written_into_a_page_is_no_text(tmp_path):
    picture = f"data:image/png;base64,{'iVBORw0KGgo' * 400}="
    script = f"data:text/html;charset=utf-8;base64,{'PGI+' * 99}"
    page = f"# Title\n\n![plot]({picture}) [there](b.txt) and data:text/plain,hello\n{script}\n"
    write(tmp_path, {"a.md": page, "b.txt": f"see {picture} here", "c.html": f"<p>{script} x"})
    found = {item.id: item for item in read_documents(tmp_path)}
    assert list(found) == ["a.md#0", "b.txt#0", "c.html#0"]
    told = found["a.md#0"].text
    assert told == "# Title\n\n![plot]() [there](b.txt) and data:text/plain,hello"
    assert found["a.md#0"].metadata["links"] == ["b.txt#0"]
    assert (found["b.txt#0"].text, found["c.html#0"].text) == ("see  here", "x")


def test_a_notebook_is_its_cells_without_what_they_put_out(tmp_path):
    cells = [
        {"cell_type": "markdown", "source": ["# Sales\n", "\n", "See [there](b.rst)."]},
        {"cell_type": "code", "source": "print(1)", "outputs": [{"text": "secret"}]},
        {"cell_type": "code", "source": []},
    ]
    write(tmp_path, {"a.ipynb": json.dumps({"cells": cells}), "b.rst": "Costs\n=====\n\nAll.\n"})
    found = {item.id: item for item in read_documents(tmp_path)}
    notebook, costs = found["a.ipynb#0"], found["b.rst#0"]
    assert notebook.text == "# Sales\n\nSee [there](b.rst).\n\n````\nprint(1)\n````"
    assert (notebook.title, notebook.metadata["links"]) == ("Sales", ["b.rst#0"])
    assert (costs.title, costs.text) == ("Costs", "Costs\n=====\n\nAll.")


def test_a_notebook_of_an_old_version_is_read_alike(tmp_path):
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Sales"]},
        {"cell_type": "code", "input": ["print(1)"], "outputs": [{"text": "secret"}]},
    ]
    sheets = {"nbformat": 3, "worksheets": [{"cells": cells[:1]}, {"cells": cells[1:]}]}
    write(tmp_path, {"a.ipynb": json.dumps(sheets)})
    (notebook,) = read_documents(tmp_path)
    assert notebook.text == "## Sales\n\n````\nprint(1)\n````"


UNREADABLE = {
    "binary.txt": (b"\x7fELF\0\0", "binary"),
    "blank.html": (b"<script>only()</script>", "without text"),
    "cut.txt": (b"\xff\xfeabc", "of unknown encoding"),
    "damaged.pdf": (pdf("x")[:100], "whose PDF cannot be parsed"),
    "drawn.html": (b"<svg>" + b"<path d='M0,0'>" * 10**5, "with HTML nested more than 2000 deep"),
    "deep.html": (b"<div>" * 10**5, "with HTML nested more than 2000 deep"),
    "empty.md": (b"", "without text"),
    "locked.pdf": (encrypted(pdf("x")), "encrypted"),
    "no.pdf": (b"\x89PNG", "whose PDF cannot be parsed"),
    "tangled.html": (b"<a x='><a' y=\"><b\" " * 10**4, "with HTML tags in attributes of tags"),
    "torn.ipynb": (b'{"cells": [{}]}', "whose notebook cannot be parsed"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_left_out(tmp_path, name):
    content, reason = UNREADABLE[name]
    write(tmp_path, {name: content})
    with pytest.raises(
        InputError, match=rf"1 file left out: 1 {reason}.*{name}\); no other is there"
    ):
        list(read_documents(tmp_path))
    write(tmp_path, {"good.txt": "good"})
    with pytest.warns(GrapherWarning, match=rf"1 file left out: 1 {reason}.*{name}\)"):
        assert texts(tmp_path) == {"good.txt#0": "good"}


def test_a_document_of_gigabytes_is_left_out_unread(tmp_path, monkeypatch):
    write(tmp_path, {"good.txt": "good", "large.txt": ""})
    os.truncate(tmp_path / "large.txt", 8 * 10**9)
    read = Path.read_bytes

    def small(path):
        assert path.name == "good.txt", "8 GB are read"
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", small)
    with pytest.warns(GrapherWarning, match=r"1 of more than 100,000,000 bytes; split them \(.*la"):
        assert texts(tmp_path) == {"good.txt#0": "good"}


def test_one_warning_counts_all(tmp_path):
    write(tmp_path, {name: content for name, (content, _) in UNREADABLE.items()})
    write(tmp_path, {"good.txt": "good"})
    with pytest.warns(GrapherWarning) as warned:
        list(read_documents(tmp_path))
    assert len(warned) == 1
    told = str(warned[0].message)
    assert f"{len(UNREADABLE)} files left out: 2 without text (such as blank.html)" in told
    assert all(reason in told for _, reason in UNREADABLE.values())


def test_files_that_should_be_read_are_told_before_other_kinds(tmp_path):
    others = {f"{n}.x{kind}": b"x" for kind in range(8) for n in range(3)}
    write(tmp_path, {**others, "good.txt": "good", "blank.md": ""})
    with pytest.warns(
        GrapherWarning,
        match=r"25 files left out: 1 without text \(such as blank\.md\), 3 .* 6 of other kinds$",
    ):
        list(read_documents(tmp_path))


def test_files_of_other_kinds_are_counted_by_reason(tmp_path):
    kinds = {
        "a.xls": "x",
        "b/c.xls": "x",
        "d.XLS": "x",
        "e.png": "x",
        "LICENSE": "x",
        ".git": "x",
    }
    write(tmp_path, {**kinds, "empty.md": " ", "good.txt": "good"})
    with pytest.warns(GrapherWarning) as warned:
        assert texts(tmp_path) == {"good.txt#0": "good"}
    (told,) = (str(one.message) for one in warned)
    first = "1 without text (such as empty.md), 3 .xls, not read (such as a.xls), 1 "
    assert f"{tmp_path}: 7 files left out: {first}" in told
    for other in (".png, not", "without an ending, not", "hidden (such as .git)", "without text"):
        assert f"1 {other}" in told


def test_symbolic_links_are_not_followed(tmp_path):
    write(tmp_path, {"secret/key.txt": "secret", "docs/a.md": "[x](key.txt) [y](out/key.txt) text"})
    (tmp_path / "docs" / "key.txt").symlink_to(tmp_path / "secret" / "key.txt")
    (tmp_path / "docs" / "out").symlink_to(tmp_path / "secret")
    (tmp_path / "docs" / "loop").symlink_to(tmp_path / "docs")
    with pytest.warns(GrapherWarning, match=r"3 linked symbolically.*such as key\.txt"):
        found = list(read_documents(tmp_path / "docs"))
    assert [(item.id, item.metadata["links"]) for item in found] == [("a.md#0", [])]


def test_what_is_passed_over_in_silence(tmp_path):
    files = {".git/x.md": "x", ".hidden.txt": "x", "dir.md/b.TXT": "read"}
    index = {"manifest.json": "{}", "objects.parquet": "x", "update-1/corpus.md": "x"}
    write(tmp_path, files | {f"an.index/{name}": text for name, text in index.items()})
    os.mkfifo(tmp_path / "pipe.txt")
    assert texts(tmp_path) == {"dir.md/b.TXT#0": "read"}


def test_a_name_that_is_not_unicode(tmp_path):
    write(tmp_path, {"a.txt": "good"})
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt")).write_text("x")
    except OSError:
        pytest.skip("the file system takes Unicode names alone")
    with pytest.warns(GrapherWarning, match="1 with a name that is not UTF-8"):
        assert texts(tmp_path) == {"a.txt#0": "good"}


def test_a_folder_without_documents_names_what_is_read(tmp_path):
    write(tmp_path, {"a.py": "x", "queries.jsonl": "{}", "b.png": "x"})
    told = r"in it \(left out: 2 data or code, which .*\), 1 \.png, not .*\); \.txt, \.md, "
    with pytest.raises(InputError, match=told):
        read_documents(tmp_path)


def test_the_same_folder_gives_the_same_objects(tmp_path):
    write(tmp_path, {f"{name}.txt": SENTENCES for name in ("b", "a/z", "a", "a-b", "Ä")})
    first = list(read_documents(tmp_path))
    assert first == list(read_documents(tmp_path))
    names = [item.metadata["document_id"] for item in first]
    assert list(dict.fromkeys(names)) == ["a-b.txt", "a.txt", "a/z.txt", "b.txt", "Ä.txt"]


@pytest.mark.parametrize("ending", ["txt", "html", "md"])
def test_a_large_document_takes_linear_time(tmp_path, ending):
    def seconds(size: int) -> float:
        block = f"<div><h2>Head</h2>{SENTENCES[:3000]} <a href=b.txt>x</a></div>\n"
        (tmp_path / f"big.{ending}").write_text(block * (size // len(block)))
        start = time.process_time()
        assert all(len(item.text) < 3000 for item in read_documents(tmp_path))
        return time.process_time() - start

    write(tmp_path, {"b.txt": "text"})
    seconds(10_000)
    assert seconds(1_000_000) < 30 * seconds(125_000)


def test_a_website_is_a_source_in_spite_of_its_manifest(tmp_path):
    write(tmp_path, {"manifest.json": "{}", "index.html": "Welcome"})
    with pytest.warns(GrapherWarning, match=r"1 file left out: 1 without text"):
        assert [item.id for item in read_source(str(tmp_path))] == ["index.html#0"]


def test_an_index_of_documents(tmp_path, embedder):
    files = {
        "guide.html": f"<h1>Guide</h1><p>{SENTENCES[:3000]}</p><a href='tides.md'>tides</a>",
        "tides.md": "# Tides\n\nHigh water comes twice a day, see [the guide](guide.html).",
    }
    index = Index.from_source(str(write(tmp_path / "docs", files)), embedder=embedder)
    assert index.graph.proximities() == ["link", "chunk"]
    assert all(isinstance(item, Object) for item in index.objects)
    index.save(tmp_path / "index")
    hits = Index.load(tmp_path / "index", embedder=embedder).search("When is high water?", k=2)
    assert hits[0].id == "tides.md#0"


def test_markdown_that_the_splitter_cannot_cut_is_cut_as_plain_text(tmp_path):
    # Found at random: the library panics on it.
    odd = (
        "a|b\n-|-\n1\n\n t's e a-b[a](b)\U0001f600\\[<p\U0001f600\U0001f600d a-b`"
        "e`\nn\\[[a](b)`e`[a](b)\U0001f600`e`e\u5b57`e`e`[a](b)<p"
        "\\[t's d.a-b\\[\\[\u5b57\u5b57e`e`\\[[a](b)e a-b t's`e"
        "`[a](b)<b>x</b>**d**<b>x</b>t's[a](b)\\[e"
        "\u5b57a-b<b>x</b>[a](b)d.\U0001f600e e\U0001f600\U0001f600d t's\U0001f600`e`d.`e`"
        "a-b`e`e d<p<b>x</b>a-b\u5b57"
    )
    write(tmp_path, {"a.md": odd, "b.md": "# Good"})
    chunks = [item for item in read_documents(tmp_path) if item.metadata["document_id"] == "a.md"]
    assert "".join(chunks[0].text.split()) in "".join(odd.split())


def test_accents_of_a_files_name_may_be_apart(tmp_path):
    name = normalize("NFD", "Übersicht.md")
    write(tmp_path, {"a.md": "See [it](Übersicht.md).", name: "Words."})
    assert links(tmp_path)["a.md#0"] == [f"{name}#0"]


@pytest.mark.parametrize(("room", "times"), [(100, 1), (3, 2)])
def test_a_linked_document_is_kept_until_its_turn_if_there_is_room(
    tmp_path, monkeypatch, room, times
):
    write(
        tmp_path,
        {
            "a.md": "# A\n\nSee [b](b.md) and [its part](b.md#part).\n",
            "b.md": "# B\n\n## Part\n\nWords.\n",
            "c.md": "# C\n\nSee [b](b.md#part) and [a](a.md).\n",
        },
    )
    reads = Counter()
    read = folder.extract

    def counted(path, reader):
        reads[path.name] += 1
        return read(path, reader)

    monkeypatch.setattr(folder, "extract", counted)
    monkeypatch.setattr(folder, "_MOST_KEPT", room)
    assert links(tmp_path)["c.md#0"] == ["b.md#0", "a.md#0"]
    assert reads == {"a.md": 1, "b.md": times, "c.md": 1}


def test_a_single_document_is_a_source(tmp_path, grapher):
    write(tmp_path, {"a.md": "# Fox\n\nSee [b](b.md).", "b.md": "Another."})
    (only,) = read_source(tmp_path / "a.md")
    assert (only.id, only.title, only.metadata["links"]) == ("a.md#0", "Fox", [])
    assert not grapher("index", "a.md", "--out", "one")[0]
    (tmp_path / "a.md").write_text("# Owl\n\nIt changed.")
    assert not grapher("update", "one", "--add", "a.md")[0]
    assert "It changed." in grapher("search", "one", "What is there?")[1]
    write(tmp_path, {"c.toml": "x = 1"})
    with pytest.raises(InputError, match=r"c\.toml: a file; give the folder .* files \.txt, \.md"):
        read_source(tmp_path / "c.toml")
