"""The links, headings and inline markup of documents."""

import re
import time
import warnings
from itertools import pairwise
from textwrap import dedent

import pytest
from document_folders import SENTENCES, links, write

from grapher_jax.corpus import read_documents
from grapher_jax.corpus.documents.chunks import count_tokens, heads_of_tables
from grapher_jax.corpus.documents.restructured import restructured
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


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "<!--\n" * 20_000),
        ("a.md", "<div>\n" + "<!-- x -->\n" * 20_000),
        ("a.html", f"<title>T</title><h1>{'word ' * 200_000}</h1>x"),
    ],
)
def test_comments_and_headings_take_linear_time(tmp_path, name, text):
    write(tmp_path, {name: text, "b.txt": "Words."})
    start = time.process_time()
    with warnings.catch_warnings(action="ignore"):
        list(read_documents(tmp_path))
    assert time.process_time() - start < 8


def test_what_no_page_of_markdown_shows_is_left_out(tmp_path):
    text = """# Title <!-- of a page -->

<!-- YAML
added: v1

changes: <a href="b.md">
-->

See [b][]<!-- not [c](c.md) --> and [x].

```html
<!-- shown -->
```

> A quote. <!-- cut --> Its end.

[^1]: Footnote.

<!-- [[c]] and {doc}`c` -->

[b]: b.md "B"
[x]:
  c.md#part
[b]: d.md
"""
    write(tmp_path, {"a.md": text, **dict.fromkeys(["b.md", "c.md", "d.md"], "Words.")})
    first = next(iter(read_documents(tmp_path)))
    assert first.title == "Title"
    assert [line for line in first.text.splitlines() if line.strip()] == [
        "# Title ",
        "See [b][] and [x].",
        "```html",
        "<!-- shown -->",
        "```",
        "> A quote.  Its end.",
        "[^1]: Footnote.",
    ]
    assert first.metadata["links"] == ["b.md#0", "c.md#0"]


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


def test_navigation_of_a_page_is_no_text(tmp_path):
    page = """<div role="navigation"><h3>Navigation</h3><a href="b.html">next</a></div>
        <nav><div role="navigation"><nav><a href="b.html">All pages</a></nav></div></nav>
        <main><h1>Files<a href="#files" title="Permalink">¶</a></h1><p>C# and <a href="#n1">1</a>
        </main><div role="search">Quick search</div><div role="contentinfo">Copyright</div>"""
    write(tmp_path, {"a.html": page, "b.html": "<nav><a href=a.html>Files</a></nav>"})
    page, contents = read_documents(tmp_path)
    assert (page.title, page.text) == ("Files", "Files\n\n\nC# and 1")
    assert page.metadata["links"] == []
    assert contents.text == "Files"  # a page of nothing but navigation
    assert contents.metadata["links"] == ["a.html#0"]


def test_a_page_with_a_drawing_of_thousands_of_shapes_is_read(tmp_path):
    shapes = (
        "<path d=\"M9,32L31,32\"  style='fill:none' /><circle r='2'/><polygon points='1,2' />"
        * 3000
    )
    write(tmp_path, {"a.html": f"<p>Before <svg>{shapes}<text>SELECT</text></svg> after</p>"})
    (page,) = read_documents(tmp_path)
    assert page.text == "Before SELECT after"


def test_headings_of_restructured_text(tmp_path):
    """A level is the order in which its mark first appears; one above the words is another."""
    text = "====\nBook\n====\n\nPart\n====\n\nSaid.\n\nOne\n---\n\nWords.\n\nTwo\n====\n\n"
    write(tmp_path, {"a.rst": text + SENTENCES[:2000]})
    chunks = [*read_documents(tmp_path, chunk_tokens=8, overlap_tokens=0)]
    assert {one.title for one in chunks} == {"Book"}
    told = [tuple(one.metadata.get("headings", ())) for one in chunks]
    assert [*dict.fromkeys(told)] == [(), ("Part",), ("Part", "One"), ("Two",)]


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


def test_inline_markup_of_restructured_text_is_read_as_its_words(tmp_path):
    source = r"""
        The :class:`~shop.Order` class
        ==============================

        See :ref:`the first
        steps <first-steps>`, :py:func:`len`, ``List<int>``, `a page`_, :doc:`b` and `its
        start <b.html>`__; not \`this\` or one's `own.

        So `it is` told::

            print(":ref:`kept <in-code>`")
    """
    write(tmp_path, {"a.rst": dedent(source), "b.rst": ".. _first-steps:\n\nSteps\n=====\n"})
    (item,) = (one for one in read_documents(tmp_path) if one.id == "a.rst#0")
    assert item.title == "The shop.Order class"
    assert item.text.splitlines()[3:] == [
        "See the first",
        "steps, len, List<int>, a page, b and its",
        r"start; not \`this\` or one's `own.",
        "",
        "So it is told::",
        "",
        '    print(":ref:`kept <in-code>`")',
    ]
    assert item.metadata["links"] == ["b.rst#0"]


def test_what_looks_like_roles_takes_linear_time():
    start = time.process_time()
    restructured(b":a:" * 20_000)
    assert time.process_time() - start < 2


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


BODIES = [
    f"{word} things are told here, and no others." for word in ("One", "Two", "Three", "Four")
]
MANUAL = "# Manual\n\n{}\n\n## Install\n\n{}\n\n### On *Linux*\n\n{}\n\n## Use\n\n{}\n".format(
    *BODIES
)
PAGE = (
    "<title>Manual</title><h1>Manual</h1><p>{}<h2>Install</h2><p>{}"
    "<h3>On <i>Linux</i></h3><p>{}<h2> </h2><h2>Use</h2><p>{}"
).format(*BODIES)


@pytest.mark.parametrize(("name", "content"), [("a.md", MANUAL), ("a.html", PAGE)])
def test_a_chunk_knows_the_headings_above_where_it_begins(tmp_path, name, content):
    found = read_documents(write(tmp_path, {name: content}), chunk_tokens=11, overlap_tokens=0)
    above = {item.text: item.metadata.get("headings", []) for item in found}
    told = [next(own for text, own in above.items() if body in text) for body in BODIES]
    assert told == [[], ["Install"], ["Install", "On Linux"], ["Use"]]


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("a.rst", "Part number {}\n--------------\n\n"),
        ("a.rst", "==============\nPart number {}\n==============\n\n"),
        ("a.md", "## Part number {}\n\n"),
        ("a.md", "Part number {}\n---\n\n"),
        ("a.html", "<h2>Part number {}</h2><p>"),
    ],
)
def test_a_heading_is_in_the_chunk_with_the_text_below_it(tmp_path, name, heading):
    parts = [f"{heading.format(n)}{SENTENCES[: 97 * n]}\n\n" for n in range(1, 40)]
    write(tmp_path, {name: "".join(parts)})
    found = [*read_documents(tmp_path, chunk_tokens=60, overlap_tokens=12)]
    assert not [item.text for item in found if re.search(r"Part number \d+\W*\Z", item.text)]
    told = {
        number for item in found for number in re.findall(r"(\d+)\W+Sentence number 0", item.text)
    }
    assert told == {str(n) for n in range(1, 40)}
    assert all("Part number" in item.text for item in found if item.text.startswith("==="))
    spans = [item.metadata["span"] for item in found]
    assert all(one < other for one, other in pairwise(spans))


def test_a_list_of_headings_stays_in_its_chunks(tmp_path):
    write(tmp_path, {"a.md": "".join(f"## Part number {n}\n\n" for n in range(400))})
    sizes = [count_tokens(item.text) for item in read_documents(tmp_path)]
    assert max(sizes) <= 250


def test_headings_are_searched_where_they_are_asked_for(tmp_path, embedder):
    folder = write(tmp_path, {"a.md": MANUAL})
    objects = list(read_documents(folder, chunk_tokens=11, overlap_tokens=0))
    asked = {
        part: Index.build(objects, embedder=embedder, text=part).lexical.scores(["linux"]).all[0]
        for part in ((), ("headings",))
    }
    told = next(row for row, item in enumerate(objects) if BODIES[2] in item.text)
    assert asked["headings",][told] > asked[()][told]


PRICES = "".join(f"| Article {n} of the catalogue | {n}.00 | {n}.19 |\n" for n in range(40))


def test_each_part_of_a_long_table_begins_with_its_head(tmp_path):
    head = "| Product | Net | Gross |\n|:---|---:|---|\n"
    write(tmp_path, {"a.md": f"# Prices\n\nAll of them.\n\n{head}{PRICES}\nPrices of today.\n"})
    items = [*read_documents(tmp_path, chunk_tokens=60, overlap_tokens=0)]
    rows = [item for item in items if "Article" in item.text]
    assert len(rows) > 5
    assert all(item.text.startswith(head) and item.text.count(head) == 1 for item in rows)
    # No row is lost or read twice.
    assert "".join(re.findall(r"\| Article.*\n?", "\n".join(i.text for i in rows))) == PRICES
    assert rows[-1].text.endswith("Prices of today.")
    found = Index.build(items).search("gross price of article 31", k=1)
    assert found[0].text.startswith(head)
    assert "31.19" in found[0].text


@pytest.mark.parametrize(
    "text",
    [
        "| Product | Net | Gross |\n\n" + PRICES,
        "Product\n---\n" + PRICES,
        "| Product | Net | Gross |\n|---|---|---|\n\n" + PRICES,
        "| " + "a long name of a column " * 20 + "| Net | Gross |\n|---|---|---|\n" + PRICES,
        "|---|---|---|\n" + PRICES,
    ],
    ids=["no rule", "a heading", "other rows", "a long head", "no head"],
)
def test_what_is_no_head_of_a_table_stays_where_it_is(tmp_path, text):
    write(tmp_path, {"a.md": text})
    items = [*read_documents(tmp_path, chunk_tokens=60)]
    assert all(item.text in text.replace("\n\n", "\n") or item.text in text for item in items)


def test_a_row_of_dashes_is_no_head_of_a_table(tmp_path):
    rows = [f"| item{n} | {n} |\n" if n != 20 else "| - | - |\n" for n in range(60)]
    write(tmp_path, {"a.md": "| name | price |\n|---|---|\n" + "".join(rows)})
    chunks = [item.text for item in read_documents(tmp_path, chunk_tokens=60)]
    assert len(chunks) > 4
    assert all(text.startswith("| name | price |\n|---|---|\n") for text in chunks)


def test_many_tables_and_long_rules_take_no_time(tmp_path):
    rows = "| name |\n|---|\n" + "| - |\n" * 20_000
    begun = time.process_time()
    assert len([*heads_of_tables(rows, chunk_tokens=60)]) == 1
    assert time.process_time() - begun < 2
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n\n"
    text = table * 5000 + "-" * 100_000 + "x\n" + "| - " * 20_000 + "x\n"
    begun = time.process_time()
    assert len([*heads_of_tables(text, chunk_tokens=60)]) == 5000
    assert time.process_time() - begun < 2
