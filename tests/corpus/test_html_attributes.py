"""Tags of so many attributes that a parser would take quadratic time."""

import re
from contextlib import suppress
from itertools import count

import pytest
import selectolax.lexbor
from document_folders import write
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grapher_jax.corpus import read_documents
from grapher_jax.corpus.documents import html
from grapher_jax.corpus.documents.extract import UnreadableError

NAMED = " ".join(f"a{n}" for n in range(3000))


@pytest.fixture
def parsed(monkeypatch):
    """The most attributes that any element has of what the parser sees, page by page."""
    parser, most = selectolax.lexbor.LexborHTMLParser, []

    def watched(markup):
        tree = parser(markup)
        most.append(max(len(node.attributes) for node in tree.css("*")))
        return tree

    monkeypatch.setattr(selectolax.lexbor, "LexborHTMLParser", watched)
    return most


@pytest.mark.parametrize(
    "page",
    [
        f"<p {NAMED}>here</p>",
        f"<P\n{NAMED.replace(' ', chr(10))}\n>here</P>",
        f"<p {NAMED.replace(' ', '/')}>here</p>",
        f"<p {NAMED.replace(' ', '=1 ')}>here</p>",
        "<p " + NAMED.replace(" ", '=">" ') + ">here</p>",
        "<p " + NAMED.replace(" ", "='>'") + ">here</p>",
        f"<!-- <a b=' --><p {NAMED}>here</p>",
        f'<textarea><a b="</textarea><p {NAMED}>here</p>',
        f"<style><a b='</style><p {NAMED}>here</p>",
        "".join(f"<html {name}>" for name in NAMED.split()) + "here",
        "<body>" + "".join(f"<body {name}>" for name in NAMED.split()) + "here",
    ],
    ids=lambda page: page[:24],
)
def test_a_tag_of_thousands_of_attributes_is_ended_early(tmp_path, parsed, page):
    (found,) = read_documents(write(tmp_path, {"a.html": page}), chunk_tokens=10**6)
    assert found.text.endswith("here")
    assert parsed == [500]


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(
            [
                "<p",
                "<a/",
                "<body",
                "<html",
                "</p",
                "<textarea>",
                "</textarea>",
                "<script>",
                "</script>",
                "<svg>",
                "</svg>",
                "<title>",
                "<!--",
                "-->",
                "<![CDATA[",
                "]]>",
                "<style>",
                "</style>",
                "<plaintext>",
                "='",
                '="',
                "'",
                '"',
                ">",
                "=",
                "/",
                "-",
                "x",
            ]
        )
        | st.sampled_from([" ", "\n", " N", " N=", "/N", " N='N'", ' N=">"']),
        max_size=60,
    )
)
def test_no_element_has_more_attributes_than_the_limit(monkeypatch, parsed, pieces):
    monkeypatch.setattr(html, "_MOST_ATTRIBUTES", 4)
    numbers = count()
    page = re.sub("N", lambda _: f"n{next(numbers)}", "".join(pieces))
    parsed.clear()
    with suppress(UnreadableError):
        html.html(page.encode())
        assert parsed[0] <= 4


def test_an_ordinary_page_comes_to_the_parser_as_it_is(monkeypatch):
    page = (
        '<!DOCTYPE html><html lang="en"><head><script>if (a<b && c>d) x = "<p a b c>"</script></head>'
        '<body class="a b"><!-- <p "> --><p title="a > b" id=x>Here <b>and</b> there<br/></body></html>'
    )
    parser, seen = selectolax.lexbor.LexborHTMLParser, []
    monkeypatch.setattr(
        selectolax.lexbor, "LexborHTMLParser", lambda markup: seen.append(markup) or parser(markup)
    )
    assert html.html(page.encode()).text == "Here and there"
    assert seen == [page]
