"""Office files, tables, JSON and code among documents, as they come from their own programs."""

import json
import warnings
import zipfile
from io import BytesIO
from pathlib import Path
from textwrap import dedent

import docx
import pptx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from grapher_jax.corpus import Object, read_documents, read_source
from grapher_jax.corpus.documents import extract, holds_documents
from grapher_jax.corpus.documents.html import html
from grapher_jax.corpus.documents.markdown import mdx
from grapher_jax.errors import GrapherWarning, InputError


def read(folder: Path, files: dict[str, str | bytes], **options: int) -> dict[str, Object]:
    """The chunks of these files, and of `readme.md`, which links to nothing."""
    for name, content in {"readme.md": "Read me.", **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    found = {item.id: item for item in read_documents(folder, **options)}
    found.pop("readme.md#0", None)
    return found


def saved(made: "docx.document.Document | pptx.presentation.Presentation") -> bytes:
    file = BytesIO()
    made.save(file)
    return file.getvalue()


def link(paragraph: "docx.text.paragraph.Paragraph", words: str, target: str) -> None:
    """A hyperlink, which python-docx reads and does not write."""
    element = OxmlElement("w:hyperlink")
    external = paragraph.part.relate_to(target, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    element.set(qn("r:id"), external)
    run = OxmlElement("w:r")
    text = OxmlElement("w:t")
    text.text = words
    run.append(text)
    element.append(run)
    paragraph._p.append(element)


def contract() -> bytes:
    made = docx.Document()
    made.add_heading("Contract", 0)
    made.add_paragraph("Between two.")
    made.add_heading("Rent", 1)
    link(made.add_paragraph("Paid as "), "the house rules", "rules.md#pay")
    made.add_heading("When", 2)
    table = made.add_table(2, 2)
    for cell, text in zip(table._cells, ("Month", "Day", "May", "3"), strict=True):
        cell.text = text
    made.add_paragraph("Signed.")
    return saved(made)


def test_styles_of_a_word_document_are_looked_up_once_each(tmp_path, monkeypatch):
    made = docx.Document()
    for number in range(50):
        made.add_heading("Part", 1)
        made.add_paragraph(f"Paragraph {number}.")
    asked = []
    find = docx.styles.styles.Styles.get_by_id
    monkeypatch.setattr(
        docx.styles.styles.Styles, "get_by_id", lambda *given: asked.append(given) or find(*given)
    )
    read(tmp_path, {"a.docx": saved(made)})
    assert len(asked) == 2


def test_a_word_document_has_headings_links_and_tables(tmp_path):
    found = read(tmp_path, {"a.docx": contract(), "rules.md": "Pay."})
    item = found["a.docx#0"]
    assert item.title == "Contract"
    assert item.metadata["links"] == ["rules.md#0"]
    assert item.text == (
        "Contract\n\nBetween two.\n\n\nRent\n\nPaid as the house rules\n\n\nWhen\n\n"
        "Month | Day\nMay | 3\n\nSigned."
    )
    parts = read(tmp_path, {}, chunk_tokens=6, overlap_tokens=0)
    told = {item.text.split()[-1]: item.metadata.get("headings") for item in parts.values()}
    assert told["3"] == told["Signed."] == ["Rent", "When"]
    assert told["two."] is None


def test_slides_have_titles_tables_groups_and_notes(tmp_path):
    made = pptx.Presentation()
    for title in ("Results", "Outlook"):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = f"{title} are good.\nAnd better."
    run = slide.placeholders[1].text_frame.paragraphs[1].runs[0]
    run.hyperlink.address = "plan.md"
    inside = slide.shapes.add_group_shape().shapes.add_group_shape().shapes
    inside.add_textbox(0, 0, 9, 9).text_frame.text = "In a group"
    slide.shapes.add_table(1, 2, 0, 0, 9, 9).table.cell(0, 1).text = "In a cell"
    slide.notes_slide.notes_text_frame.text = "Said aside."
    item = read(tmp_path, {"a.pptx": saved(made), "plan.md": "Plan."})["a.pptx#0"]
    assert (item.title, item.metadata["links"]) == ("Results", ["plan.md#0"])
    first, second = item.text.split("\n\n\n")
    assert first == "Results\n\nResults are good.\nAnd better."
    assert second.split("\n\n")[1:] == [
        "Outlook are good.\nAnd better.",
        "In a group",
        "In a cell",
        "Said aside.",
    ]


def repacked(file: bytes, **changes: bytes) -> bytes:
    """The archive with other contents in the place of some."""
    made = BytesIO()
    with zipfile.ZipFile(BytesIO(file)) as old, zipfile.ZipFile(made, "w", 8) as new:
        for name in old.namelist():
            stem = Path(name).stem
            new.writestr(name, changes.get(stem, old.read(name)))
    return made.getvalue()


def test_office_files_that_unpack_to_more_than_they_may_are_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr("grapher_jax.corpus.documents.office.MOST_BYTES", 10**6)
    bomb = repacked(contract(), styles=b" " * 2 * 10**6)
    assert len(bomb) < 10**5
    with pytest.warns(GrapherWarning, match="1 that unpack to more than 1,000,000 bytes; split"):
        assert read(tmp_path, {"bomb.docx": bomb}) == {}
    # A size that the archive itself names is no word to rely on.
    liar = bomb.replace((2 * 10**6).to_bytes(4, "little"), (100).to_bytes(4, "little"))
    assert liar != bomb
    with pytest.warns(GrapherWarning, match="1 whose Word document cannot be parsed"):
        assert read(tmp_path, {"bomb.docx": liar}) == {}
    # Pictures are not unpacked at all.
    made = docx.Document()
    made.add_paragraph("Seen.")
    picture = saved(made)
    with zipfile.ZipFile(file := BytesIO(picture), "a", 8) as more:
        more.writestr("word/media/large.png", b" " * 2 * 10**6)
    with warnings.catch_warnings(action="error"):
        assert read(tmp_path, {"bomb.docx": file.getvalue()})["bomb.docx#0"].text == "Seen."


def test_tables_are_records_with_the_names_of_their_columns(tmp_path):
    files = {
        "a.csv": 'name,city,\nAda,"London,\n\nEngland",x\n\nBob,,\n',
        "b.csv": "\ufeffname;price\nTea;1,50\n",
        "c.tsv": "\tb\n1\t2\n",
        "d.csv": "only,names\n",
        "e.csv": "sep=;\nname;size, in m\nTea, green;1\n",
        "f.csv": "name|city\nAda|London\n",
    }
    assert {name: item.text for name, item in read(tmp_path, files).items()} == {
        "a.csv#0#0": "name: Ada\ncity: London,\nEngland\nx",
        "a.csv#1#0": "name: Bob",
        "b.csv#0#0": "name: Tea\nprice: 1,50",
        "c.tsv#0": "1\nb: 2",
        "d.csv#0": "only, names",
        "e.csv#0#0": "name: Tea, green\nsize, in m: 1",
        "f.csv#0#0": "name: Ada\ncity: London",
    }
    # Whole articles stand in one cell.
    article = {"a.csv": "id,body\nx," + "word " * 40_000 + "\ny,end\n"}
    *parts, last = read(tmp_path / "article", article).values()
    assert [item.id for item in parts] == [f"a.csv#x#{n}" for n in range(len(parts))]
    assert len(parts) > 100
    assert (last.id, last.text) == ("a.csv#y#0", "id: y\nbody: end")


def test_json_is_lines_that_say_where_a_value_stands(tmp_path):
    value = {
        "name": "Shop",
        "open": True,
        "closed": None,
        "owner": {"name": "Ada", "ages": [1, 2.5]},
        "stores": [{"city": "Rome", "text": "a\n\nb"}, {"city": "Oslo"}],
    }
    lines = '{"a": 1, "b": 2}\n\n"plain"\n'
    found = read(tmp_path, {"a.json": json.dumps(value), "b.jsonl": lines, "c.json": "[1, [2]]"})
    assert found["a.json#0"].text == (
        "name: Shop\nopen: true\nowner.name: Ada\nowner.ages: 1, 2.5\n\n"
        "stores.city: Rome\nstores.text: a\nb\n\nstores.city: Oslo"
    )
    assert found["b.jsonl#0"].text == "a: 1\nb: 2\n\nplain"
    assert found["c.json#0"].text == "1\n\n2"


def test_what_grows_by_names_that_stand_again_and_again_is_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(extract, "MOST_BYTES", 10_000)
    long = "n" * 1000
    files = {
        "a.csv": f"{long}\n" + "1\n" * 20,
        "b.json": json.dumps({long: [{"a": 1}] * 20}),
    }
    with pytest.warns(GrapherWarning, match="2 of more than 10,000 characters; split them"):
        assert read(tmp_path, files) == {}


CODE = {
    "a.py": 'def one():\n    """Says."""\n\n    x = 1\n\n    return x\n\n\ndef two():\n    return 2\n',
    "b.go": "func one() int {\n\n\tx := 1\n\n\treturn x\n}\n\nfunc two() int {\n\n\treturn 2\n}\n",
    "c.rs": "fn one() -> i32 {\n    let x = 1;\n\n    x\n}\n\nfn two() -> i32 {\n    2\n}\n",
    "d.tsx": "function one() {\n\n  const x = 1;\n\n  return x;\n}\n\nfunction two() { return <b/>; }\n",
}


@pytest.mark.parametrize("name", CODE)
def test_code_is_cut_between_definitions_not_at_their_blank_lines(tmp_path, name):
    found = read(tmp_path, {name: CODE[name]}, chunk_tokens=20, overlap_tokens=0)
    one, two = (item.text for item in found.values())
    assert "one" in one and "x" in one.rsplit("\n\n", 1)[1]
    assert ("two" in two and "2" in two) or "<b/>" in two


def test_code_of_other_languages_is_text(tmp_path):
    code = "CREATE TABLE a (b int);\n\nCREATE TABLE c (d int);\n"
    found = read(tmp_path, {"a.sql": code}, chunk_tokens=10, overlap_tokens=0)
    assert [item.text for item in found.values()] == code.strip().split("\n\n")


BLOCK = "one = 1\n\n\ntwo = 2\n \nthree = 3"
AROUND = "Words come before this block, a good few. {}\n\nAnd words come after it, as many."


@pytest.mark.parametrize(
    ("name", "marked"),
    [
        ("a.md", f"\n\n```\n{BLOCK}\n```"),
        ("a.rst", ":\n\n.. code-block:: python\n\n   {}".format(BLOCK.replace("\n", "\n   "))),
        ("a.rst", "::\n\n   {}".format(BLOCK.replace("\n", "\n   "))),
        ("a.html", f"<pre><b>{BLOCK[:7]}</b>{BLOCK[7:15]}<i>{BLOCK[15:]}</i></pre>"),
    ],
)
def test_blocks_of_code_are_whole(tmp_path, name, marked):
    found = read(tmp_path, {name: AROUND.format(marked)}, chunk_tokens=16, overlap_tokens=0)
    (whole,) = [item.text for item in found.values() if "two = 2" in item.text]
    assert "one = 1" in whole and "three = 3" in whole


def test_code_at_the_end_of_a_page_is_whole(tmp_path):
    page = f"<p>{AROUND.format('')}</p><pre><a href=b.html>{BLOCK}\n</a>\n</pre>"
    found = read(tmp_path, {"a.html": page}, chunk_tokens=16, overlap_tokens=0)
    assert [item.text for item in found.values()][-1] == BLOCK


def test_code_of_a_page_keeps_its_lines(tmp_path):
    page = "<pre><b>if</b> x:\n    <i>y</i>\n\n<i>z</i>\n</pre><p>end"
    assert read(tmp_path, {"a.html": page})["a.html#0"].text == "if x:\n    y\n\nz\n\nend"


def test_labels_lead_to_the_documents_that_hold_them(tmp_path):
    guide = """
        See :ref:`Install  it <first-steps>`, :ref:`the
        long way <A label: of words>`, :numref:`table` and :ref:`nowhere`.
    """
    files = {
        "guide.rst": dedent(guide),
        "install.rst": ".. _First-Steps:\n\nInstall\n=======\n",
        "more/long.txt": ".. _`A label: of  words`:\n\nLong\n",
        "myst.md": "(table)=\n# Table\n\n{ref}`first-steps` and {doc}`guide`.\n",
    }
    found = read(tmp_path, files)
    assert found["guide.rst#0"].metadata["links"] == [
        "install.rst#0",
        "more/long.txt#0",
        "myst.md#0",
    ]
    assert found["myst.md#0"].metadata["links"] == ["install.rst#0", "guide.rst#0"]


def test_a_label_leads_to_the_chunk_with_the_text_below_it(tmp_path):
    words = "Some words are here. " * 20
    guide = f"Guide\n=====\n\n{words}\n\n.. _first:\n.. _`one more`:\n\nSteps\n-----\n\n{words}"
    files = {
        "a.rst": "Before it, :ref:`first`.",
        "guide.rst": guide,
        "myst.md": f"# MyST\n\n{words}\n\n(third)=\n## Third\n\n{words}",
        "z.rst": "After it, :ref:`words <one more>` and :ref:`third`, not :doc:`guide`.",
    }
    found = read(tmp_path, files, chunk_tokens=50, overlap_tokens=0)
    steps, third = (
        next(name for name, item in found.items() if heading in item.text)
        for heading in ("Steps\n-----", "## Third")
    )
    assert "0" not in (steps[-1], third[-1])
    assert found["a.rst#0"].metadata["links"] == [steps]
    assert found["z.rst#0"].metadata["links"] == [steps, third, "guide.rst#0"]


def test_wiki_links_name_pages(tmp_path):
    files = {
        "home.md": "[[Getting started]], [[deep/Page]], [[page#Part|words]] [[no]] `if [[ -f x ]]`"
        "\n\nWords that are no links come between them, so that this is no list of contents: nine more."
        "\n\nOf code: `[[Code]]`, [[1]](Other.md), [[2]], [[3]][ref], [to [[Last]]](Next.md)\n\n"
        "```\n[[Code]]\n```\n\n[2]: Second.md\n[ref]: Third.md\n",
        **{f"{name}.md": "Words." for name in ("Code", "Other", "Next", "Last", "Second", "Third")},
        **{f"{name}.md": "Words." for name in (1, 2, 3)},
        "Getting-Started.md": "![[HOME]] and [[home]]",
        "deep/page.md": "Deep.",
        "deep/er/page.md": "Deeper.",
        "getting-started.py": "x = 1",
    }
    found = read(tmp_path, files)
    assert found["home.md#0"].metadata["links"] == [
        *("Getting-Started.md#0", "deep/page.md#0", "Other.md#0", "Second.md#0", "Third.md#0"),
        *("Next.md#0", "Last.md#0"),
    ]
    assert found["Getting-Started.md#0"].metadata["links"] == ["home.md#0"]


def test_wiki_links_lead_to_headings_and_blocks_and_to_the_nearest_page(tmp_path):
    page = (
        f"# Setup\n\n{'Words of the first part. ' * 12}\n\n## On Linux\n\n{'Packages. ' * 30}^pkg\n"
    )
    files = {
        "a/home.md": "Read [[Setup#On Linux]], then\n\n[[Setup#Setup#On Linux|this]] and [[#Below]]."
        f"\n\n{'Words of the home page. ' * 12}\n\n## Below\n\nSee ![[Setup#^pkg]] of `[[Code#x]]`.",
        "Setup.md": "Of all.",
        "a/Setup.md": page,
        "b/Setup.md": page,
        "b/deep/page.md": "[[set it up|Setup]] is [[no|where]] and [[#]] and [[|Setup]] or [[a|b|Setup]].",
        "b/deep/linux.md": "[[as on Linux|Setup#On Linux]]",
    }
    found = read(tmp_path, files, chunk_tokens=50, overlap_tokens=0)
    linux = next(name for name, item in found.items() if name[0] == "a" and "## On L" in item.text)
    below = next(name for name, item in found.items() if "## Below" in item.text)
    block = next(name for name, item in found.items() if name[0] == "a" and "^pkg" in item.text)
    assert found["a/home.md#0"].metadata["links"] == [linux, below]
    assert found[below].metadata["links"] == [block]
    assert "0" not in (linux[-1], block[-1])
    assert found["b/deep/page.md#0"].metadata["links"] == ["b/Setup.md#0"]
    assert found["b/deep/linux.md#0"].metadata["links"] == [linux.replace("a/", "b/")]


@pytest.mark.parametrize("name", ["docs", "our docs", "bücher"])
def test_a_site_may_call_its_folder_by_name(tmp_path, name):
    site = f"</{name}/guide/b>"
    files = {
        "a.md": f"[one]({site}), [two](/guide/b.md) and [three](</other{site[1:]}).",
        "guide/b.md": f"Of [four](</{name}/docs/c.md#part>) and [five](/{'docs/' * 3000}b).",
        "docs/c.md": "Words.\n\n## Part\n\nWords.",
    }
    (tmp_path / name).mkdir()
    found = read(tmp_path / name, files)
    assert found["a.md#0"].metadata["links"] == ["guide/b.md#0"]
    assert found["guide/b.md#0"].metadata["links"] == ["docs/c.md#0"]


def test_what_sphinx_makes_beside_its_pages_is_left_out(tmp_path):
    beside = ["_sources/a.rst.txt", "_static/b.js", "_modules/c.html", "genindex.html"]
    beside += ["genindex-A.html", "py-modindex/index.html", "_design_static/a.js", "searchindex.js"]
    pages = ["index.html", "search.html", "sub/genindex.html"]
    files = dict.fromkeys(beside, "words") | dict.fromkeys(pages, "<p>words")
    other = {name: text for name, text in files.items() if name != "searchindex.js"}
    assert len(read(tmp_path / "other", other)) == len(other)
    with pytest.warns(
        GrapherWarning, match=r"8 made by Sphinx beside its pages \(such as _design_static"
    ):
        found = read(tmp_path / "sphinx", files | {"objects.inv": "", "_sources/d.txt": "words"})
    assert [*found] == [f"{name}#0" for name in pages]


def test_installed_packages_are_left_out(tmp_path):
    files = {"a.md": "words", "dist/b.md": "words", "web/node_modules/c/README.md": "words"}
    files |= {"env/pyvenv.cfg": "home = /usr", "env/lib/d.txt": "words"}
    with pytest.warns(GrapherWarning, match=r"2 of installed packages \(such as env\)"):
        assert [*read(tmp_path / "code", files)] == ["a.md#0", "dist/b.md#0"]
    assert len(read(tmp_path / "code" / "web" / "node_modules", {})) == 1


def test_of_mdx_no_code_is_text(tmp_path):
    text = """---
title: Cards
---
import Tabs from '@theme/Tabs';
import {a} from "b"

export const meta = {
  title: 'x'
}

export const card = () => <a id="gone" href="b.md">Setup</a>
export const link = '[x](b.md)'

# Heading

## import * as an example

export your data, or import lists from files.

<Tabs>

Inside of [a link](other.mdx#part).

</Tabs>

```js
import Code from 'kept';
```
"""
    files = {"a.mdx": text, "other.mdx": "## Part\n\nWords.", "b.md": "import x from 'y'\n"}
    found = read(tmp_path, files)
    item = found["a.mdx#0"]
    assert item.title == "Cards" and item.metadata["links"] == ["other.mdx#0"]
    assert mdx(b"export const a = '[x](b.md)'\n\n# Title\n\nWords.\n").linked == []
    for kept in ("export your data", "<Tabs>", "import Code from 'kept';", "## import * as"):
        assert kept in item.text
    for gone in ("@theme", "meta", '"b"'):
        assert gone not in item.text
    assert "import x" in found["b.md#0"].text


def test_a_link_without_words_is_not_that_of_the_words_after_it():
    logo = '<a href="{}"><img src="logo.png"></a>'
    words = f"<p>{logo.format('first')}</p><h1>Title</h1><p>Last.</p>{logo.format('second')}"
    words += "<h2>Next</h2><p><a href='third'>Words</a>"
    found = html(words.encode())
    (place, second), (start, third) = found.links
    assert (second, found.text[: place + 1].split()) == ("second", ["Title", "Last."])
    assert (third, found.text[start:]) == ("third", "Words")
    anchor = "<h2><a href='#next'><svg></svg></a>Next</h2><p>Words."
    found = html(f"<p>Before.{anchor}".encode())
    assert [found.text[place:].split()[0] for place, _ in found.links] == ["Next"]


def test_data_and_code_make_no_folder_one_of_documents(tmp_path):
    """Or an index, whose questions are JSON, would be one."""
    for name in ("a.csv", "b.jsonl", "c.py", "manifest.json"):
        (tmp_path / name).write_text("{}")
    assert not holds_documents(tmp_path)
    with pytest.raises(InputError, match="is an index already; give its source"):
        read_source(str(tmp_path))


UNREADABLE = {
    "cut.docx": (contract()[:3000], "whose Word document cannot be parsed (BadZipFile)"),
    "other.pptx": (contract(), "whose presentation cannot be parsed (ValueError)"),
    "no.docx": (repacked(contract(), document=b"<x>"), "whose Word document cannot be parsed"),
    "cut.json": ('{"a": ', "whose JSON cannot be parsed"),
    "huge.jsonl": ('{"a": 1}\n\n{"b": 1e400}\n', "whose line 3 cannot be parsed"),
    "deep.json": ("[" * 200 + "]" * 200, "with JSON nested more than 100 deep"),
    "minified.js": ("x=1;" * 2000, "with lines of more than 5,000 characters, as no one writes"),
    "nothing.json": ("{}", "without text"),
    "binary.py": (b"x\0", "binary"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_damaged_is_left_out_with_its_reason(tmp_path, name):
    content, reason = UNREADABLE[name]
    with pytest.warns(GrapherWarning) as warned:
        assert read(tmp_path, {name: content}) == {}
    (told,) = (str(one.message) for one in warned)
    assert f"1 file left out: 1 {reason}" in told
    assert told.endswith(f"(such as {name})")
