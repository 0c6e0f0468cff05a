"""The links between documents, and what joins nothing: contents and navigation."""

from textwrap import dedent

import pytest
from document_folders import SENTENCES, links, write

from grapher_jax.corpus import read_documents
from grapher_jax.errors import GrapherWarning
from grapher_jax.search import Index


def test_links_between_documents(tmp_path):
    html = """<p>{}</p><a href="../notes/b%20c.md?version=2#part">relative</a>
        <a href=" ./d.html ">beside</a><a href="/notes/b%20c.md">from the top</a>
        <a href="sub/">a folder</a><a href="#top">itself</a><a href="a.html?x">itself</a>
        <a>nowhere</a><a href="http://[">malformed</a><a href="d.html%00">null</a>
        <a href="https://example.org/d.html">outside</a><a href="//d.html">outside</a>
        <a href="mailto:d.html">mail</a><a href="../../secret.txt">above</a>
        <a href="../../../../../../etc/passwd">above</a><a href="gone.html">gone</a>"""
    markdown = (
        "Some [text\nand more](<../web/a.html>) and `[code](../web/d.html)`.\n\n"
        "> a [reference][r] to\n> [it][r]\n\n[r]: ../web/sub/index.html 'title'\n"
        "\n<https://example.org/d.html> [x](http://d.html)\n"
    )
    files = {
        "docs/web/a.html": html,
        "docs/web/d.html": "<a href=d.html>itself</a> text",
        "docs/web/sub/index.html": "index",
        "docs/notes/b c.md": markdown,
        "secret.txt": "outside",
    }
    write(tmp_path, files)
    assert links(tmp_path / "docs") == {
        "notes/b c.md#0": ["web/a.html#0", "web/sub/index.html#0"],
        "web/a.html#0": ["notes/b c.md#0", "web/d.html#0", "web/sub/index.html#0"],
        "web/d.html#0": [],
        "web/sub/index.html#0": [],
    }


@pytest.mark.parametrize(
    ("name", "link"),
    [
        ("a.md", "[there](b.txt)"),
        ("a.md", "\n\n> * quoted,\n>   [there](b.txt)\n\n"),
        ("a.md", "\n\n| x | y |\n|---|---|\n| z | [there](b.txt) |\n\n"),
        ("a.html", "<i><a href=b.txt><img> there</a></i>"),
    ],
)
def test_a_link_belongs_to_the_chunks_that_hold_it(tmp_path, name, link):
    write(tmp_path, {name: f"{SENTENCES[:2000]} {link} {SENTENCES[:2000]}", "b.txt": "text"})
    chunks = list(read_documents(tmp_path, chunk_tokens=60, overlap_tokens=15))
    holding = [item for item in chunks if "there" in item.text]
    assert holding
    assert [item for item in chunks if item.metadata["links"]] == holding
    assert all(item.metadata["links"] == ["b.txt#0"] for item in holding)


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("b.html#Second", '<h2 id="Second">Part two</h2><p>'),
        ("b.html#Second", '<a name="Second"></a><h2>Part two</h2><p>'),
        ("b.html#second-%C3%BC", '<div id="second-ü"><div><h2>Part two</h2></div></div><p>'),
        ("b.html#part-2-x-y", "<h2>Part 2: <i>x_y</i></h2><p>"),
        ("b.md#osfreemempart-c", "\n\n## `os.freemem()`: Part C++?\n\n"),
        ("b.md#part-2", "\n\n## Part\n\nOne. Sentence.\n\n## Part\n\nTwo.\n\n## Part\n\n"),
        ("b.markdown#part-2-x_y", "\n\n## Part 2: `x_y`\n\n"),
        ("b.md#Second", '\n\n<a name="Second"></a>\n\nPart two. '),
        ("b.md#second", '\n\n## Part two <a id="second"></a>\n\n'),
        ("b.rst#part-2-x-y", "\n\nPart 2: x_y\n-----------\n\n"),
    ],
)
def test_a_link_to_an_anchor_leads_to_the_chunk_with_its_text(tmp_path, name, target):
    path = name.partition("#")[0]
    files = {
        "a.html": f'<a href="{name}">there</a>',
        "c.md": f"[gone]({path}#gone)",
        "d.html": '<a href="#here">x</a> <p id="here">text',
        path: f"{SENTENCES[:2000]}{target}{SENTENCES[:2000]}",
    }
    found = {item.id: item for item in read_documents(write(tmp_path, files), chunk_tokens=60)}
    (there,) = found["a.html#0"].metadata["links"]
    assert "Part" in found[there].text and there != f"{path}#0"
    assert found["c.md#0"].metadata["links"] == [f"{path}#0"]
    assert found["d.html#0"].metadata["links"] == []


@pytest.mark.parametrize(
    ("name", "link", "target"),
    [
        ("a.html", '<a href="#rules">the rules</a> ', '<h2 id="rules">Rules</h2>'),
        ("a.html", '<a href="a.html#rules">the rules</a> ', "<h2>Rules</h2>"),
        ("a.md", "[the rules](#rules) ", "\n\n## Rules\n\n"),
        ("a.rst", ":ref:`rules` ", "\n\n.. _rules:\n\nRules\n-----\n\n"),
    ],
)
def test_links_within_a_document(tmp_path, name, link, target):
    write(tmp_path, {name: f"{link}{SENTENCES[:2000]}{target}{SENTENCES[:2000]} {link}"})
    found = {one.id: one for one in read_documents(tmp_path, chunk_tokens=60, overlap_tokens=0)}
    first, *_, last = found.values()
    (there,) = first.metadata["links"]
    assert last.metadata["links"] == [there]
    assert "Rules" in found[there].text and "_rules" not in found[there].text
    assert found[there].metadata["links"] == []
    assert not any(".. _rules" in one.text for one in found.values())


@pytest.mark.parametrize(
    ("ending", "entry", "prose"),
    [
        ("html", '<li><a href="{0}">The section of {0}</a>', '<p>See <a href="{0}">it</a>. {1}'),
        ("md", "- [The section of {0}]({0})\n", "\n\nSee [it]({0}). {1}"),
    ],
)
def test_a_list_of_links_joins_nothing(tmp_path, ending, entry, prose):
    """Contents would be near to everything; four links in a text are still links."""
    names = [f"{number}.{ending}" for number in range(4)]
    texts = {
        f"contents.{ending}": "".join(map(entry.format, names)),
        f"few.{ending}": "".join(map(entry.format, names[:3])),
        f"prose.{ending}": "".join(prose.format(name, SENTENCES[:200]) for name in names),
        **dict.fromkeys(names, "<p>Words of their own."),
    }
    found = links(write(tmp_path, texts))
    assert found[f"contents.{ending}#0"] == []
    assert found[f"few.{ending}#0"] == [f"{name}#0" for name in names[:3]]
    assert found[f"prose.{ending}#0"] == [f"{name}#0" for name in names]


@pytest.mark.parametrize(
    "around",
    [
        '<div class="header"><p>Next: <a href="b.html" rel="next">B</a>, Up: <a href="c.html">C</a>',
        '<div class="nav-panel">Previous: <a href="b.html" accesskey="p">B</a>',
        '<div class="navheader"><table><tr><th>Chapter 1<td><a accesskey="n" href="b.html">Next</a>'
        "</table>",
        '<ul class="docnav"><li class="previous"><a href="b.html">Back</a></ul><div>',
        '<ul class="pager"><li class="next"><a href="b.html">On</a></ul><div>',
        '<ol class="breadcrumb"><li><a href="b.html">Home</a></ol><div>',
        '<div class="navigation"><b>Next:</b> <a href="b.html">B</a>',
        '<div class="header">Up: <a href="b.html">B</a> [<a rel="contents" href="c.html">C</a>]',
        '<div id="nav-path" class="navpath"><ul><li><a href="b.html">src</a></ul>',
    ],
)
def test_links_to_the_next_page_of_a_manual_are_no_text(tmp_path, around):
    page = f"{around}</div><h1>A page</h1>Words."
    write(
        tmp_path, {"a.html": page, "b.html": '<div class="header"><a href="a.html">A</a> b</div>'}
    )
    first, second = read_documents(tmp_path)
    assert (first.text, first.metadata["links"]) == ("A page\n\n\nWords.", [])
    assert (second.text, second.metadata["links"]) == ("A b", ["a.html#0"])


def test_links_alone_above_a_page_are_no_chunk(tmp_path):
    above = '<p><a href="https://example.org">Download the book</a> | <a href="b.html">More</a></p>'
    long = "<h1>A page</h1>" + "Words of their own. " * 60
    write(
        tmp_path, {"a.html": above + long, "b.html": above, "c.html": "<p>See</p>" + above + long}
    )
    found = {item.id: item for item in read_documents(tmp_path, chunk_tokens=100)}
    assert found["a.html#0"].text.startswith("A page")
    assert found["b.html#0"].text == "Download the book | More"
    assert found["c.html#0"].text.startswith("See\n\nDownload")


def test_contents_mention_no_titles(tmp_path, embedder):
    """They name every page, so that each would be as near to them as to its own."""
    names = [f"{number}.html" for number in range(4)]
    entry = '<li><a href="{0}">Page {0}</a>'
    texts = {
        "contents.html": "<title>All</title>" + "".join(map(entry.format, names)),
        "few.html": "<title>Some</title>" + "".join(map(entry.format, names[:3])),
        **{name: f"<title>Page {name}</title>Words of its own." for name in names},
    }
    index = Index.build(read_documents(write(tmp_path, texts)), embedder=embedder)
    mentions = index.graph.lists("mentions")
    assert mentions.at(index.rows["contents.html#0"]).size == 0
    assert {*mentions.at(index.rows["few.html#0"])} == {index.rows[f"{one}#0"] for one in names[:3]}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "a.html",
            f"<p>{SENTENCES[:400]}<a name=s1>" + '<a href="{}">it</a> in a text. ' * 5,
        ),
        (
            "a.md",
            "The store keeps files, as [page](a/very/long/path/to/../../../../../{}) tells. " * 5,
        ),
    ],
)
def test_words_that_are_no_links_and_addresses_are_not_taken_for_contents(tmp_path, name, text):
    pages = [f"{number}.md" for number in range(5)]
    write(tmp_path, {name: text.format(*pages), **dict.fromkeys(pages, "Words.")})
    found = {target for of in links(tmp_path).values() for target in of}
    assert found == {f"{page}#0" for page in pages}


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("a.md", "[[{}]]\n"),
        ("a.rst", "   {}\n"),
        ("a.md", "- [{0}](a/long/path/../../../{0}.md)\n"),
    ],
)
def test_all_kinds_of_contents_join_nothing(tmp_path, name, entry):
    entries = "".join(entry.format(f"page{number}") for number in range(5)).rstrip()
    head = ".. toctree::\n\n" if name == "a.rst" else ""
    pages = {f"page{number}.md": "Words." for number in range(5)}
    write(tmp_path, {name: head + entries, **pages})
    assert links(tmp_path)[f"{name}#0"] == []


def test_blocks_of_html_in_lists_and_quotes_keep_their_places(tmp_path):
    rows = "".join(f"  > words of row {number}.\n" for number in range(200))
    link = '  > <a href="b.md">b</a> <!-- of\n  > two lines --> and <a id="here"></a> text\n'
    text = f"- item\n\n  > <div>\n{rows}{link}  > </div>\n"
    write(tmp_path, {"a.md": text, "b.md": "[there](a.md#here)"})
    found = {one.id: one for one in read_documents(tmp_path, chunk_tokens=40, overlap_tokens=0)}
    (holding,) = (one for one in found.values() if one.metadata["links"] == ["b.md#0"])
    assert 'href="b.md"' in holding.text
    (there,) = found["b.md#0"].metadata["links"]
    assert 'id="here"' in found[there].text
    assert not any("two lines" in one.text for one in found.values())


def test_anchors_of_headings_are_told_from_others_that_have_the_same_letters(tmp_path):
    parts = "".join(f"## {name}\n\n{SENTENCES[:300]}\n\n" for name in ("Step 1-2", "Step 12"))
    write(tmp_path, {"a.md": parts, "b.md": "[one](a.md#step-1-2)\n\n[other](a.md#step-12)"})
    found = {one.id: one for one in read_documents(tmp_path, chunk_tokens=60, overlap_tokens=0)}
    one, other = (found[name].text for name in found["b.md#0"].metadata["links"])
    assert ("Step 1-2" in one, "Step 12" in other) == (True, True)


def test_links_of_html_within_markdown(tmp_path):
    text = """<p align="center"><a class="x" href='b.md'>B</a></p>

    <a href="no.md"> of code, and `<a href="no.md">` too

# Title <a name="top"></a>

> See <A HREF="c.md?x=1&amp;y=2">C</A>, <a href=d.md>D</a> <b data-href="no.md"> and <a name="e.md">
"""
    names = ("no.md", "b.md", "c.md", "d.md", "e.md")
    write(tmp_path, {"a.md": text, **dict.fromkeys(names, "Words.")})
    first = next(iter(read_documents(tmp_path)))
    assert first.title == "Title"
    assert first.metadata["links"] == ["b.md#0", "c.md#0", "d.md#0"]


def test_links_as_sphinx_writes_them(tmp_path):
    """The role `doc`, trees of contents and hyperlinks; labels and unknown names are none."""
    rst = """
        Guide
        =====

        See :doc:`install`, :doc:`the reference <ref/index>` and `its start <ref/start.html>`_.
        Not :ref:`install`, :doc:`nowhere` or `the web <https://example.org/install>`_.

        .. toctree::
           :maxdepth: 2

           install
           The end </ref/start>
           self

        Then :doc:`faq`.

          .. toctree::

             install

          .. note:: nowhere
    """
    myst = "# FAQ\n\nSee {doc}`/install`.\n\n```{toctree}\n:hidden:\nguide\n```\n\nref/start\n"
    others = dict.fromkeys(["install.rst", "ref/index.rst", "ref/start.md"], "text")
    write(tmp_path, {"guide.rst": dedent(rst), "faq.md": myst, **others})
    found = links(tmp_path)
    assert found["guide.rst#0"] == [
        "install.rst#0",
        "ref/index.rst#0",
        "ref/start.md#0",
        "faq.md#0",
    ]
    assert found["faq.md#0"] == ["install.rst#0", "guide.rst#0"]


def test_link_loops_and_links_to_what_cannot_be_read(tmp_path):
    files = {
        "a.md": "[b](b.md) [empty](z.txt)",
        "b.md": "[c](c.html)",
        "c.html": "<a href=a.md>a</a> <a href=z.txt>empty</a>",
        "z.txt": " ",
    }
    write(tmp_path, files)
    with pytest.warns(GrapherWarning, match=r"1 file left out: 1 without text \(such as z\.txt"):
        found = links(tmp_path)
    assert found == {"a.md#0": ["b.md#0"], "b.md#0": ["c.html#0"], "c.html#0": ["a.md#0"]}
