import re
from html import escape
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from grapher_jax.explain.page import render_page

HOSTILE = "</script></title><img src=x onerror=alert(1)>\" onfocus='alert(1)' & $title ${sql}"


def make_node(number, name, *, relevant=False):
    return {
        "id": name,
        "rank": number,
        "base_rank": number,
        "score": 1 / number,
        "base_score": 0.5 / number,
        "relevant": relevant,
    }


def make_report(names, pairs=(), *, k=10, title="What the graph brings", relation="foreign_key"):
    nodes = [make_node(n, name, relevant=n == 2) for n, name in enumerate(names, start=1)]
    return {
        "title": title,
        "subtitle": "60 tables, 91 foreign keys, 72 questions",
        "questions": 62,
        "metrics": [
            {"ranker": "base", "alpha": None, "PR@5": 0.523, "PR@10": 0.714},
            {"ranker": "ppr", "alpha": 0.8, "PR@5": 0.581, "PR@10": 0.806},
        ],
        "walk": {
            "question": "Which orders hold tents?",
            "sql": "SELECT id FROM sales_order",
            "ranker": "gcs",
            "alpha": 0.1,
            "k": k,
            "results": [
                node | {"sources": [{"id": node["id"], "share": 1.0, "relations": []}]}
                for node in nodes[:k]
            ],
            "before": [
                {key: node[key] for key in ("id", "rank", "score", "relevant")}
                for node in nodes[:k]
            ],
            "nodes": nodes,
            "edges": [{"source": a, "target": b, "relations": [relation]} for a, b in pairs],
        },
    }


def make_first_result(report, **values):
    report["walk"]["results"][0] |= values
    return report


class Reader(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.words = [], [], []
        self.feed(page)
        self.close()
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_data(self, words):
        self.words.append(words)


def hostile_report():
    names = [f"{number} {HOSTILE}" for number in range(3)]
    report = make_report(names, [names[:2]], title=HOSTILE, relation=HOSTILE)
    report |= {"subtitle": HOSTILE, "questions": HOSTILE}
    report["metrics"][1]["ranker"] = HOSTILE
    report["walk"] |= {"question": HOSTILE, "sql": HOSTILE, "ranker": HOSTILE}
    source = {"id": names[1], "share": 0.5, "relations": [HOSTILE]}
    return make_first_result(report, sources=[source])


def test_hostile_text_adds_no_tag_and_no_attribute():
    harmless = make_report(["a", "b", "c"], [("a", "b")])
    hostile, harmless = Reader(render_page(hostile_report())), Reader(render_page(harmless))
    assert hostile.tags == harmless.tags
    assert [name for name, _ in hostile.attributes] == [name for name, _ in harmless.attributes]
    assert not [name for name, _ in hostile.attributes if name.startswith("on")]


def test_hostile_text_stays_readable_as_text():
    page = render_page(hostile_report())
    assert page.count(escape(HOSTILE, quote=True)) > 20
    assert HOSTILE not in page
    assert f"50 % from 1 {HOSTILE} ({HOSTILE.replace('_', ' ')})" in Reader(page).text


def test_every_metric_appears():
    text = Reader(render_page(make_report(["a", "b"]))).text
    for shown in ("base", "52.3 %", "71.4 %", "ppr α = 0.8", "58.1 %", "80.6 %", "62"):
        assert shown in text


def test_every_result_appears_in_both_columns():
    names = [f"table_{number}" for number in range(30)]
    page = render_page(make_report(names, k=10))
    before, after = re.findall(r"<ol>(.*?)</ol>", page, re.DOTALL)
    for column in (before, after):
        assert re.findall(r'class="id">(\w+)<', column) == names[:10]
        assert column.count("✓ relevant") == 1


def test_relevant_results_are_counted():
    text = Reader(render_page(make_report(["a", "b", "c"], k=1))).text
    assert "The retriever alone 0 of 1 relevant" in text


@pytest.mark.parametrize(("base_rank", "shown"), [(8, "▲ 7"), (1, "=")])
def test_a_result_shows_how_far_it_moved(base_rank, shown):
    report = make_first_result(make_report(["a", "b"]), base_rank=base_rank)
    assert f">{shown}</span>" in render_page(report)


def test_a_fallen_result_shows_it():
    report = make_first_result(make_report(["a", "b"]), rank=4)
    assert ">▼ 3</span>" in render_page(report)


def test_a_result_says_where_its_score_came_from():
    sources = [
        {"id": "b", "share": 0.5, "relations": ["foreign_key", "link"]},
        {"id": "a", "share": 0.3, "relations": []},
        {"id": "c", "share": 0.1, "relations": []},
        {"id": "d", "share": 0.06, "relations": []},
        {"id": "e", "share": 0.03, "relations": []},
        {"id": "f", "share": 0.009, "relations": []},
    ]
    text = Reader(render_page(make_first_result(make_report(["a"]), sources=sources))).text
    assert (
        "50 % from b (foreign key and link), 30 % its own, 10 % from c (further off), "
        "9 % from 2 others"
    ) in text


def test_the_page_asks_for_nothing_from_elsewhere():
    page = render_page(make_report(["a", "b"], [("a", "b")]))
    for reference in ("http:", "https:", "//", "src=", "href=", "url(", "@import", "eval("):
        assert reference not in page
    assert "default-src 'none'" in page


def test_the_same_report_gives_the_same_bytes():
    names = [f"table_{number}" for number in range(40)]
    report = make_report(names, pairwise(names))
    assert render_page(report) == render_page(report)


def test_edges_join_the_nodes_they_name():
    page = render_page(make_report(["a", "b", "c"], [("c", "a")]))
    assert page.count('data-ends="2 0"') == 2
    assert page.count('data-number="0" data-near="2"') == 2
    assert "<title>c – a: foreign key</title>" in page


def test_nodes_stay_inside_their_drawing():
    names = [f"table_{number}" for number in range(120)]
    page = render_page(make_report(names, [(names[i // 3], names[i]) for i in range(1, 100)]))
    for width, height, drawing in re.findall(
        r'viewBox="0 0 (\d+) (\d+)"(.*?)</svg>', page, re.DOTALL
    ):
        circles = re.findall(r'cx="([\d.-]+)" cy="([\d.-]+)" r="([\d.]+)"', drawing)
        assert len(circles) == 121  # the ring of the relevant one, too
        for x, y, radius in (map(float, circle) for circle in circles):
            assert radius <= x <= float(width) - radius
            assert radius <= y <= float(height) - radius


def test_a_single_candidate_is_drawn():
    page = render_page(make_report(["only"]))
    assert page.count('class="node"') == 2
    assert "Left out" not in page


def test_no_candidates_leave_an_empty_drawing():
    assert "0 candidates, 0 edges" in render_page(make_report([]))


def test_isolated_candidates_are_left_out_and_counted():
    page = render_page(make_report([f"table_{number}" for number in range(200)], k=10))
    assert "Left out: 190 candidates without an edge." in page
    assert page.count('tabindex="0"') == 2 * 10


def test_joined_and_relevant_candidates_are_never_left_out():
    names = [f"table_{number}" for number in range(50)]
    page = render_page(make_report(names, [(names[40], names[41])], k=1))
    assert "Left out: 46 candidates without an edge." in page
    assert page.count("<title>table_1: rank 2 with the graph") == 2


def test_a_few_isolated_candidates_stay():
    names = [f"table_{number}" for number in range(10)]
    page = render_page(make_report(names, pairwise(names[:9]), k=2))
    assert "Left out" not in page
    assert page.count('tabindex="0"') == 2 * 10


def test_long_names_are_cut_in_the_drawing_only():
    page = render_page(make_report(["x" * 200]))
    assert re.findall(r">(x+…?)</text>", page) == ["x" * 27 + "…"] * 2
    assert f'class="id">{"x" * 200}<' in page
