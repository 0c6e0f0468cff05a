"""The headings, tables and inline markup of documents."""

import re
import time
import warnings
from itertools import pairwise
from textwrap import dedent

import pytest
from document_folders import SENTENCES, write

from grapher_jax.corpus import read_documents
from grapher_jax.corpus.documents.chunks import count_tokens, heads_of_tables
from grapher_jax.corpus.documents.restructured import restructured
from grapher_jax.search import Index


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


def test_hyperlinks_may_name_their_addresses_elsewhere():
    found = restructured(
        b"""See `Debian  Policy`_, `CALL`_ and `none`_.

.. _Debian policy: https://www.debian.org/doc
.. _`call`: sub/call.rst

.. parsed-literal::

  `CALL`_ (:ref:`all <lab>`)

.. code::

  .. _kept: `as it is`_
"""
    )
    assert " ".join(found.text.split()) == (
        "See Debian Policy, CALL and none. .. parsed-literal:: CALL (all) .. code:: "
        ".. _kept: `as it is`_"
    )
    assert [target for _, target in found.links] == [
        *("https://www.debian.org/doc", "sub/call.rst", "sub/call.rst", "label:lab")
    ]


def test_what_looks_like_roles_takes_linear_time():
    start = time.process_time()
    restructured(b":a:" * 20_000)
    restructured(b".. _a: b\n" * 5_000 + b".. _" * 20_000)
    assert time.process_time() - start < 2


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
