"""AsciiDoc: what is shown of it, and where its references lead."""

import time
from textwrap import dedent

import pytest
from document_folders import links, texts, write

from grapher_jax.corpus import read_documents
from grapher_jax.corpus.documents.asciidoc import asciidoc

PAGE = """\
// a comment
= The guide
:url: https://example.org
:product: Acme

[[start]]
== Getting {product}

Get `acme` from {url}[the site^], or {url}/all[all of it,window=_blank] +
with ((speed)) and (((hidden, term))).footnote:[Of some.]
[not an attribute]

[source,sh]
----
acme <<EOF
= not a heading
----

====
NOTE: Press kbd:[Enter]. image:logo.png[The logo,200] {unknown}
====

ifdef::extra[]
.A title
[source,java]
* one *bold* item, `snake_case` _word_ and [.path]#file &amp; more#
+
continued
// a comment within
here
endif::[]
ifdef::extra[Shown if extra.]

chart::data.csv[300,200]

[WARNING]
{unknown}/page.html[The page] is `link:there[away]`, not \\{product}.

|===
|a |b
|===

////
== Dropped
////

Old style
~~~~~~~~~

`+{product}+` ends.
"""


def test_what_is_shown_is_read():
    found = asciidoc(PAGE.encode())
    assert found.text == dedent(
        """\
        The guide

        Getting Acme

        Get acme from the site, or all of it
        with speed and .Of some.
        [not an attribute]

        acme <<EOF
        = not a heading

        NOTE: Press Enter. The logo {unknown}

        A title

        * one bold item, snake_case word and file & more

        continued
        here

        Shown if extra.

        WARNING: The page is away, not {product}.

        |a |b

        Old style

        {product} ends.

        """
    )
    assert found.title == "The guide"
    assert [(level, words) for _, level, words in found.headings] == [
        (1, "The guide"),
        (2, "Getting Acme"),
        (3, "Old style"),
    ]
    assert all(found.text.startswith(words, place) for place, _, words in found.headings)
    assert [found.text[start:end] for start, end in found.whole] == ["acme <<EOF\n= not a heading"]
    assert [target for _, target in found.links] == [
        "https://example.org",
        "https://example.org/all",
        "there",
    ]
    assert found.anchors == [(found.text.index("Getting"), "start")]


def test_references_lead_to_pages_and_parts_of_them(tmp_path):
    rest = "\n\nA sentence of some words. " * 40
    write(
        tmp_path,
        {
            "a.adoc": "= A\n\nSee <<other.adoc#part,a part>>, xref:other.adoc[] and <<far>>. "
            "There is <<here>>, <<The end>>, xref:#here[] and <<nowhere>>."
            f"{rest}\n\n[#here]\n== Here{rest}\n\n== The end\n\nWords.\n",
            "other.adoc": f"= Other{rest}\n\n[[part]]\n== Part\n\nWords.\n\n[[far]]Far away.\n",
            "notes.md": "See [the part](other.adoc#part).\n",
        },
    )
    found = links(tmp_path)
    text = texts(tmp_path)
    (part,) = (name for name, said in text.items() if "Far away" in said)
    (here,) = (name for name, said in text.items() if "Here" in said)
    (end,) = (name for name, said in text.items() if "The end\n" in said)
    assert found["a.adoc#0"] == [part, "other.adoc#0", here, end]
    assert found["notes.md#0"] == [part]
    assert text["a.adoc#0"].startswith("A\n\nSee a part, other and far. There is here")


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("xref:sub/b.adoc[b]", "docs/modules/ROOT/pages/sub/b.adoc#0"),
        ("xref:ROOT:sub/b.adoc[b]", "docs/modules/ROOT/pages/sub/b.adoc#0"),
        ("xref:api:c.adoc#x[c]", "docs/modules/api/pages/c.adoc#0"),
        ("xref:else::sub/b.adoc[b]", None),
        ("xref:else:api:c.adoc[c]", None),
        ("xref:d.adoc[d]", "docs/modules/ROOT/pages/sub/d.adoc#0"),
        ("include::partial$e.adoc[]", "docs/modules/ROOT/partials/e.adoc#0"),
        ("include::api:partial$e.adoc[]", None),
    ],
)
def test_modules_of_antora_are_known(tmp_path, written, target):
    root = "docs/modules/ROOT"
    names = ("pages/sub/b.adoc", "pages/sub/d.adoc", "partials/e.adoc")
    write(
        tmp_path,
        {
            **{f"{root}/{name}": "Words." for name in names},
            "docs/modules/api/pages/c.adoc": "Words.",
            f"{root}/pages/sub/a.adoc": f"Before.\n\n{written}\n\nAfter.\n",
        },
    )
    assert links(tmp_path)[f"{root}/pages/sub/a.adoc#0"] == ([target] if target else [])


@pytest.mark.parametrize(
    "line", ["[[far]]", "[#far]", '[id="far"]', "[quote#far.big]", "[role=x,id=far]"]
)
def test_anchors_are_written_in_many_ways(tmp_path, line):
    rest = "\n\nA sentence of some words. " * 40
    write(tmp_path, {"a.adoc": "See <<far>>.", "b.adoc": f"= B{rest}\n\n.Title\n{line}\n== Far\n"})
    (far,) = (name for name, said in texts(tmp_path).items() if "Far" in said)
    assert links(tmp_path)["a.adoc#0"] == [far]


def test_the_values_of_attributes_go_on_below_and_have_an_end():
    found = asciidoc(b":a: one \\\n  two\n:b: x\n:!b:\n\n{a} {b}\n")
    assert found.text == "one two {b}\n\n"
    grown = "".join(f":a{n + 1}: {{a{n}}}{{a{n}}}\n" for n in range(40))
    assert len(asciidoc(f":a0: x\n{grown}\n{{a40}}\n".encode()).text) < 5000


@pytest.mark.parametrize(
    "unfinished",
    [
        *("<<a,", "xref:a[", "[[", "((", "`", "{a", "[#", "(((", "link:a[[x]", "link:", "http://"),
        *("image:", "mailto:a@", "= a" + " " * 9, "*a ", "_a", "[a]#b ", "pass:[", "[id=a,"),
    ],
)
def test_unfinished_markup_is_text_and_takes_no_longer_with_its_length(unfinished):
    begin = time.process_time()
    text = f"Words.\n\n{unfinished * 40_000}\n\nMore words."
    assert "More words." in asciidoc(text.encode()).text
    # Patterns that read the rest of a line again at each of its letters take minutes.
    assert time.process_time() - begin < 10


def test_code_may_have_no_end(tmp_path):
    assert asciidoc(b"----\ncode without an end").text == "code without an end\n\n"
    write(tmp_path, {"a.adoc": "= Title only\n\n:description: of it\n", "b.asciidoc": "Words."})
    assert [item.id for item in read_documents(tmp_path)] == ["a.adoc#0", "b.asciidoc#0"]
