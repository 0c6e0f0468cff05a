import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from grapher_jax.explain.page import render_page

HOSTILE = "</script></title><img src=x onerror=alert(1)>\" onfocus='alert(1)' & $title ${sql}"


def make_node(number, name, *, relevant=False):
    return {
        "id": name,
        "title": "",
        "rank": number,
        "base_rank": number,
        "score": 1 / number,
        "base_score": 0.5 / number,
        "relevant": relevant,
    }


def make_source(name, share=1.0, *, joins=(), relations=(), via=()):
    return {
        "id": name,
        "amount": share,
        "share": share,
        "relations": [*relations],
        "via": [*via],
        "joins": [make_join(text) for text in joins],
    }


def make_join(text, relation="foreign_key"):
    return {"relation": relation, "names": [], "text": text}


def make_explanation(name, *sources, learned=False):
    return {"id": name, "learned": learned, "sources": [*sources]}


def make_report(names, pairs=(), *, k=10, relation="foreign_key", **more):
    nodes = [make_node(n, name, relevant=n == 2) for n, name in enumerate(names, start=1)]
    texts = [node | {"text": f"about {node['id']}"} for node in nodes[:k]]
    return {
        "question": "Which orders hold tents?",
        "ranker": "gcs",
        "parameters": {"alpha": 0.1},
        "k": k,
        "before": texts,
        "results": [
            row | {"explanation": make_explanation(row["id"], make_source(row["id"]))}
            for row in texts
        ],
        "nodes": nodes,
        "edges": [
            {
                "source": a,
                "target": b,
                "relations": [relation],
                "joins": [make_join(f"{a} references {b}", relation)],
            }
            for a, b in pairs
        ],
    } | more


def make_demo(names, pairs=(), **more):
    metrics = [
        {"ranker": "base", "alpha": None, "PR@5": 0.523, "PR@10": 0.714},
        {"ranker": "ppr", "alpha": 0.8, "PR@5": 0.581, "PR@10": 0.806},
    ]
    told = {
        "title": "What the graph brings",
        "subtitle": "60 tables, 91 foreign keys, 72 questions",
        "questions": 62,
        "sql": "SELECT id FROM sales_order",
    }
    return make_report(names, pairs, metrics=metrics, **(told | more))


def make_first_result(report, *sources, learned=False, **values):
    first = report["results"][0] | values
    if sources:
        first["explanation"] = make_explanation(first["id"], *sources, learned=learned)
    report["results"][0] = first
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
        if self.lasttag not in ("style", "script"):
            self.words.append(words)


def hostile_report():
    names = [f"{number} {HOSTILE}" for number in range(3)]
    report = make_demo(
        names,
        [names[:2]],
        relation=HOSTILE,
        **dict.fromkeys(("title", "subtitle", "questions", "question", "sql", "ranker"), HOSTILE),
    )
    report["metrics"][1]["ranker"] = HOSTILE
    for node in (*report["nodes"], *report["results"], *report["before"]):
        node |= {"title": HOSTILE, "text": HOSTILE}
    return make_first_result(report, make_source(names[1], 0.5, joins=[HOSTILE]))


def test_hostile_text_adds_no_tag_and_no_attribute():
    harmless = make_demo(["a", "b", "c"], [("a", "b")], relation="unknown")
    for node in (*harmless["nodes"], *harmless["results"], *harmless["before"]):
        node |= {"title": "same", "text": "words"}
    harmless = make_first_result(harmless, make_source("b", 0.5, joins=["a references b"]))
    hostile, harmless = Reader(render_page(hostile_report())), Reader(render_page(harmless))
    assert hostile.tags == harmless.tags
    assert [name for name, _ in hostile.attributes] == [name for name, _ in harmless.attributes]
    assert not [name for name, _ in hostile.attributes if name.startswith("on")]


def test_hostile_text_stays_readable_as_text():
    page = render_page(hostile_report())
    assert page.count(escape(HOSTILE, quote=True)) > 20
    assert HOSTILE not in page
    assert f"50 % from 1 {HOSTILE} : {HOSTILE}" in Reader(page).text


def test_marks_that_turn_text_around_are_written_out():
    page = render_page(make_report(["\u202eedoc", "\u2066b\u2069", "שלום"]))
    assert not set(page) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert "\\u202eedoc" in page
    assert "שלום" in page


def test_every_metric_appears():
    text = Reader(render_page(make_demo(["a", "b"]))).text
    for shown in ("base", "52.3 %", "71.4 %", "ppr α = 0.8", "58.1 %", "80.6 %", "62"):
        assert shown in text


def test_what_is_not_known_is_left_out():
    report = make_report(["a", "b"])
    for node in (*report["nodes"], *report["results"], *report["before"]):
        del node["relevant"]
    text = Reader(render_page(report)).text
    assert "Why these results The best 2 of 2 candidates, ranked by gcs" in text
    for absent in ("Perfect recall", "relevant", "SELECT", "questions", "None"):
        assert absent not in text


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


@pytest.mark.parametrize(
    ("rank", "base_rank", "shown"), [(1, 8, "▲ 7"), (1, 1, "="), (4, 1, "▼ 3")]
)
def test_a_result_shows_how_far_it_moved(rank, base_rank, shown):
    report = make_first_result(make_report(["a", "b"]), rank=rank, base_rank=base_rank)
    assert f">{shown}</span>" in render_page(report)


@pytest.mark.parametrize(("rank", "shown"), [(12, "↘ now 12"), (None, "↘ dropped")])
def test_a_result_of_the_retriever_shows_where_it_went(rank, shown):
    report = make_report(["a", "b"], k=1)
    report["before"][0] = report["before"][0] | {"rank": rank}
    assert f">{shown}</span>" in render_page(report)


def test_what_the_ranker_dropped_is_not_drawn():
    report = make_report(["a", "b", "c"], [("a", "b"), ("b", "c")])
    report["nodes"][2] |= {"rank": None, "score": None}
    page = render_page(report)
    assert page.count('tabindex="0"') == 2 * 2
    assert "Not drawn, as farther from the results: 1 candidate and 1 edge." in page


def test_a_result_says_where_its_score_came_from():
    sources = [
        make_source("b", 0.5, joins=["a references b", "a links to b"]),
        make_source("c", 0.2, via=["b"], joins=["a references b", "c references b"]),
        make_source("d", 0.12),
        make_source("a", 0.1),
        make_source("e", 0.07),
        make_source("f", 0.01 / 2),
        make_source("g", 0.01 / 2),
    ]
    text = Reader(render_page(make_first_result(make_report(["a"]), *sources))).text
    assert (
        "50 % from b : a references b; a links to b 20 % from c : a references b; c references b "
        "12 % from d 10 % its own 8 % from 3 others"
    ) in text


def test_a_part_that_rounds_to_nothing_is_not_said():
    sources = [make_source("a", 0.996), make_source("b", 0.004)]
    text = Reader(render_page(make_first_result(make_report(["a"]), *sources))).text
    assert "100 % its own" in text
    assert "from" not in text.partition("100 %")[2].partition("The candidate graph")[0]


def test_a_network_names_the_neighbours_that_it_read():
    near = [make_source(name, None, joins=[f"a references {name}"]) for name in "bcdef"]
    report = make_first_result(make_report(["a"]), *near, learned=True)
    text = Reader(render_page(report)).text
    assert "neighbour b : a references b neighbour c : a references c" in text
    assert "neighbour d : a references d and 2 other neighbours" in text
    report["results"][0]["explanation"] = make_explanation("a", learned=True)
    assert "no neighbours" in Reader(render_page(report)).text


def test_objects_are_called_by_titles_of_their_own():
    report = make_report(["p1", "p2", "p3", "p4"], [("p1", "p2")])
    for row, title in zip(report["nodes"], ["Oslo", "Oslo", "Bergen", "p1"], strict=True):
        row["title"] = title
    page = render_page(report)
    assert re.findall(r">([^<]*)</text>", page)[:4] == ["p1", "✓ p2", "Bergen", "p4"]


def test_the_page_asks_for_nothing_from_elsewhere():
    page = render_page(make_demo(["a", "b"], [("a", "b")]))
    for reference in ("http:", "https:", "://", "src=", "href=", "url(", "@import", "eval("):
        assert reference not in page.replace(policy(page), "")
    assert "default-src 'none'" in policy(page)


def policy(page):
    return re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]


def test_only_the_pages_own_script_may_run():
    page = render_page(hostile_report())
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in policy(page)


def test_the_same_report_gives_the_same_bytes():
    names = [f"table_{number}" for number in range(40)]
    report = make_report(names, [*pairwise(names)])
    assert render_page(report) == render_page(report)


def test_edges_join_the_nodes_they_name():
    page = render_page(make_report(["a", "b", "c"], [("c", "a")]))
    assert page.count('class="edge" data-near="2 0"') == 2
    assert page.count('data-number="0" data-near="0 2"') == 2
    assert "<title>c – a\nc references a</title>" in page


def test_a_node_tells_its_ranks_and_neighbours():
    names = ["a", *(f"n{number}" for number in range(6))]
    report = make_report(names, [("a", name) for name in names[1:]])
    report["nodes"][0]["base_rank"] = 30
    page = render_page(report)
    title = re.search(r"<title>(a\nRank.*?)</title>", page, re.DOTALL)[1].splitlines()
    assert title == [
        "a",
        "Rank 1 with the graph, 30 before",
        "Score 1.000, before 0.500",
        *(f"n{number}: a references n{number}" for number in range(4)),
        "and 2 more neighbours",
    ]
    assert ">a 30→1</text>" in page


def test_the_legend_has_the_kinds_that_are_drawn():
    pairs = [("a", "b"), ("b", "c")]
    page = render_page(make_report(["a", "b", "c"], pairs, relation="shared_entity"))
    legend = Reader(re.search(r'<ul class="legend">(.*?)</ul>', page, re.DOTALL)[1]).text
    assert legend == "among the first 10 ✓ relevant other candidate shared entity"
    report = make_report(["a", "b", "c"], pairs)
    report["edges"][0]["relations"].append("link")
    report = make_first_result(report, make_source("c", 0.5, via=["b"]))
    legend = Reader(re.search(r'<ul class="legend">(.*?)</ul>', render_page(report), re.DOTALL)[1])
    assert legend.text.endswith("foreign key several of these thick: a result got a share this way")


def test_the_way_of_a_share_is_thick():
    report = make_report(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "d")])
    page = render_page(make_first_result(report, make_source("c", 0.5, via=["b"])))
    titles = re.findall(r"<title>(\w) – (\w)\n[^<]*</title><line[^>]*><line[^>]*carrying", page)
    assert titles == [("a", "b"), ("b", "c")] * 2


def test_nodes_stay_inside_their_drawing():
    names = [f"table_{number}" for number in range(80)]
    page = render_page(make_report(names, [(names[i // 3], names[i]) for i in range(1, 70)]))
    drawings = re.findall(r'viewBox="0 0 (\d+) (\d+)" role="group"(.*?)</svg>', page, re.DOTALL)
    assert drawings
    for width, height, drawing in drawings:
        circles = re.findall(r'cx="([\d.-]+)" cy="([\d.-]+)" r="([\d.]+)"', drawing)
        assert len(circles) == 2 * 80 + 1  # what a finger hits, and the ring of the relevant one
        for x, y, radius in (map(float, circle) for circle in circles):
            assert radius <= x <= float(width) - radius
            assert radius <= y <= float(height) - radius


def test_a_single_candidate_is_drawn():
    page = render_page(make_report(["only"]))
    assert page.count('class="node result"') == 2
    assert "Not drawn" not in page


def test_no_candidates_leave_an_empty_drawing():
    assert "0 candidates, 0 edges" in render_page(make_report([]))


def test_isolated_candidates_are_left_out_and_counted():
    page = render_page(make_report([f"table_{number}" for number in range(200)], k=10))
    assert "Not drawn, as farther from the results: 190 candidates." in page
    assert page.count('tabindex="0"') == 2 * 10


def test_a_few_joined_candidates_are_never_left_out():
    names = [f"table_{number}" for number in range(50)]
    page = render_page(make_report(names, [(names[40], names[41])], k=1))
    assert "Not drawn, as farther from the results: 46 candidates." in page
    assert page.count("<title>table_1\nRank 2 with the graph") == 2


def test_of_a_large_graph_what_stands_near_the_results_is_drawn():
    names = [f"table_{number}" for number in range(256)]
    far = [(a, b) for a in names[100:] for b in names[100:] if a < b]
    report = make_report(names, [*far, (names[0], names[200]), (names[200], names[201])], k=3)
    report = make_first_result(report, make_source(names[201], 0.5, via=[names[200]]))
    page = render_page(report)
    drawn = re.findall(r"<title>(\w+)\nRank", page)
    assert sorted(drawn) == sorted([*names[:3], names[200], names[201]] * 2)


def test_the_drawing_has_a_largest_size():
    names = [f"table_{number}" for number in range(256)]
    pairs = [(a, b) for a in names[:60] for b in names if a < b]
    page = render_page(make_report(names, pairs, k=10))
    assert page.count('tabindex="0"') == 2 * 90
    assert page.count('class="edge"') == 2 * 240
    assert len(page) < 1_000_000


def test_a_few_isolated_candidates_stay():
    names = [f"table_{number}" for number in range(10)]
    page = render_page(make_report(names, [*pairwise(names[:9])], k=2))
    assert "Not drawn" not in page
    assert page.count('tabindex="0"') == 2 * 10


def test_long_names_are_cut_in_the_drawing_only():
    page = render_page(make_report(["x" * 200]))
    assert re.findall(r">(x+…?)</text>", page) == ["x" * 27 + "…"] * 2
    assert f'class="id">{"x" * 200}<' in page
