import json
from pathlib import Path

import pytest

from grapher_jax.corpus import Object
from grapher_jax.demo import run_demo
from grapher_jax.explain import explain_question, render_page
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
SCRIPT = "<script>alert(1)</script>"
IMAGE = '"><img src=x onerror=alert(1)>'
TURNED = "\u202edrawkcab"
LONG = "x" * 10_000
QUESTION = f"Who pays for the bridge? {SCRIPT}"


@pytest.fixture(scope="module")
def index(embedder):
    """Chunks, references, links and entities, some with names that mean harm."""
    chunks = [
        Object(f"minutes#{n}", text, "Minutes", {"document_id": "minutes", "chunk_id": n})
        for n, text in enumerate(
            ["The council met.", "Who pays for the bridge? The river towns.", "Lunch was soup."]
        )
    ]
    tables = [
        Object(
            "payments", "payments: bridge, payer, amount", "", {"foreign_keys": ["payers", IMAGE]}
        ),
        Object("payers", "payers: name, town", "", {"links": [SCRIPT]}),
        Object(SCRIPT, f"The bridge is paid for. {SCRIPT}", IMAGE, {"entities": ["Oslo", IMAGE]}),
        Object(IMAGE, f"bridges: name {IMAGE}", "", {"entities": ["oslo", IMAGE]}),
        Object(TURNED, f"A bridge {TURNED}", "", {"entities": ["Bergen"]}),
        Object(LONG, f"Paid {LONG}", "", {"entities": ["Bergen"], "foreign_keys": ["payers"]}),
        Object("soup", "Tomatoes, salt and water."),
    ]
    return Index.build([*chunks, *tables], embedder=embedder)


@pytest.fixture(scope="module")
def report(index):
    return explain_question(index, QUESTION, k=9, ranker=Reranker(ranker="ppr", alpha=0.3))


@pytest.fixture(scope="module")
def pages(report, embedder, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, shown in (("demo", run_demo(embedder=embedder)), ("explain", report)):
        (folder / f"{name}.html").write_text(render_page(shown), encoding="utf-8")
    return folder


@pytest.fixture(params=["demo", "explain"])
def file(request, pages) -> Path:
    return pages / f"{request.param}.html"


def node(page, name):
    """A node of the drawing that is shown, by its name."""
    nodes = page.locator("#stage svg:visible .node")
    return nodes.and_(page.locator(f"[aria-label^={json.dumps(name)}]"))


def tip(page):
    return page.locator("#tip")


def labels(parts):
    return parts.evaluate_all("(found) => found.map((one) => one.getAttribute('aria-label'))")


def test_a_page_loads_and_does_nothing_unasked(open_page, file):
    with open_page(file) as opened:
        assert opened.page.locator("#stage svg:visible .node").count() > 5
        assert opened.requests == [file.as_uri()]
        assert (opened.console, opened.errors, opened.violations) == ([], [], [])


def test_no_other_script_would_run(open_page, file):
    with open_page(file) as opened:
        opened.page.evaluate(
            """() => {
              const script = document.createElement("script");
              script.textContent = "window.ran = true";
              document.body.append(script);
              document.body.insertAdjacentHTML("beforeend", "<img src='https://example.org/x.png'>");
            }"""
        )
        opened.page.wait_for_function("window.violations.length == 2")
        assert sorted(opened.violations) == ["img-src", "script-src-elem"]
        assert opened.page.evaluate("window.ran") is None


def test_pointing_at_a_node_tells_its_ranks_and_shows_its_neighbours(open_page, pages, report):
    payers = next(row for row in report["nodes"] if row["id"] == "payers")
    with open_page(pages / "explain.html") as opened:
        page = opened.page
        assert not tip(page).is_visible()
        node(page, "payers").locator("circle").last.hover()
        assert tip(page).is_visible()
        assert tip(page).inner_text().splitlines()[:3] == [
            "payers",
            f"Rank {payers['rank']} with the graph, {payers['base_rank']} before",
            f"Score {payers['score']:.3f}, before {payers['base_score']:.3f}",
        ]
        assert "payments: payments references payers" in tip(page).inner_text()
        lit = page.locator("#stage svg:visible .node.lit")
        assert {label.split("\n")[0] for label in labels(lit)} >= {"payers", "payments"}
        assert "soup" not in {label.split("\n")[0] for label in labels(lit)}
        page.mouse.move(5, 5)
        assert not tip(page).is_visible()
        assert page.locator("#stage svg.dimmed").count() == 0


def test_pointing_at_an_edge_tells_what_joins(open_page, pages):
    with open_page(pages / "explain.html") as opened:
        edges = opened.page.locator("#stage svg:visible .edge")
        number = next(n for n, label in enumerate(labels(edges)) if "minutes#2 follows" in label)
        edges.nth(number).locator(".reach").hover(force=True)
        assert tip(opened.page).inner_text().splitlines() == [
            "minutes#1 – minutes#2",
            "minutes#2 follows minutes#1",
        ]


def test_the_keyboard_reaches_nodes(open_page, file):
    with open_page(file) as opened:
        page = opened.page
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.matches('.node')")
        name = page.evaluate("document.activeElement.getAttribute('aria-label')").split("\n")[0]
        assert tip(page).inner_text().splitlines()[0] == name
        page.keyboard.press("Tab")
        assert tip(page).inner_text().splitlines()[0] != name
        page.keyboard.press("Escape")
        assert not tip(page).is_visible()


def test_a_finger_reaches_nodes(open_page, pages):
    with open_page(pages / "explain.html", **PHONE) as opened:
        node(opened.page, "payers").locator("circle").last.tap()
        assert tip(opened.page).inner_text().splitlines()[0] == "payers"
        opened.page.locator("footer").tap()
        assert not tip(opened.page).is_visible()


def test_a_phone_scrolls_in_one_direction(open_page, file):
    with open_page(file, **PHONE) as opened:
        page = opened.page
        page.locator("#stage svg:visible .node circle:last-of-type").first.tap()
        assert tip(page).is_visible()
        width = page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1] == 360
        edges = page.evaluate(
            "[...document.querySelectorAll('body *')].map((one) => one.getBoundingClientRect().right)"
        )
        assert max(edges) <= 360


@pytest.mark.parametrize("width", [360, 700, 961, 1600])
def test_all_letters_are_large_enough(open_page, file, width):
    with open_page(file, viewport={"width": width, "height": 740}) as opened:
        opened.page.keyboard.press("Tab")
        assert min(opened.page.evaluate(SIZES)) >= 11


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(open_page, file, scheme):
    with open_page(file, color_scheme=scheme) as opened:
        opened.page.keyboard.press("Tab")
        opened.page.keyboard.press("Escape")
        found = opened.page.evaluate(CONTRASTS)
        assert len(found) > 50
        assert min(found)[0] >= 4.5
        paper = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(20, 23, 27)") == (scheme == "dark")


def test_hostile_text_stays_text(open_page, pages):
    with open_page(pages / "explain.html") as opened:
        page = opened.page
        assert page.locator("blockquote").inner_text() == QUESTION
        names = page.locator(".hit .id").all_inner_texts()
        assert (names.count(IMAGE), names.count(SCRIPT)) == (2, 2)
        assert page.locator(".hit .other").all_inner_texts().count(IMAGE) == 2
        edges = labels(page.locator("#stage svg:visible .edge"))
        assert any(label.endswith(f"payments references {IMAGE}") for label in edges)
        assert any("both have" in label and IMAGE in label for label in edges)
        node(page, IMAGE).focus()
        assert tip(page).inner_text().splitlines()[0] == IMAGE
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == 1
        assert (opened.dialogs, opened.errors, opened.violations) == ([], [], [])


def test_marks_that_turn_text_around_are_written_out(open_page, pages):
    with open_page(pages / "explain.html") as opened:
        assert "\\u202edrawkcab" in opened.page.locator(".hit .id").all_inner_texts()
        assert "\u202e" not in opened.page.content()


def test_a_long_name_takes_a_few_lines(open_page, pages):
    with open_page(pages / "explain.html", **PHONE) as opened:
        heights = opened.page.evaluate(
            "[...document.querySelectorAll('.hit')].map((one) => one.offsetHeight)"
        )
        assert len(heights) == 18
        assert max(heights) < 500
        assert LONG in opened.page.locator(".hit .id").all_text_contents()


def test_without_scripts_everything_is_there_to_read(open_page, file):
    with open_page(file, java_script_enabled=False) as opened:
        page = opened.page
        hits = page.locator(".columns > section:last-child .hit")
        assert hits.count() >= 9
        assert all("%" in text or "neighbour" in text for text in hits.all_inner_texts())
        drawn = page.locator("#stage svg:visible .node")
        assert drawn.count() > 5
        assert "with the graph" in drawn.first.locator("title").text_content()
        assert not tip(page).is_visible()


# Of all visible elements with words of their own: how large these are on the screen.
SIZES = """() => [...document.querySelectorAll("body *")]
  .filter((one) => [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
  .filter((one) => one.checkVisibility() && !one.closest("script, title"))
  .map((one) => parseFloat(getComputedStyle(one).fontSize)
    * (one.ownerSVGElement ? one.getScreenCTM().a : 1))"""

# Likewise: the contrast (WCAG 2) with the nearest ground that is painted.
CONTRASTS = """() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = channels(colour).slice(0, 3)
      .map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (one) => {
    const painted = getComputedStyle(one).backgroundColor;
    return (channels(painted)[3] ?? 1) > 0 ? painted : ground(one.parentElement);
  };
  return [...document.querySelectorAll("body *")]
    .filter((one) => [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
    .filter((one) => one.checkVisibility() && !one.closest("script, title"))
    .map((one) => {
      const style = getComputedStyle(one);
      const ink = light(one.ownerSVGElement ? style.fill : style.color);
      const [high, low] = [ink, light(ground(one))].sort((a, b) => b - a);
      return [(high + 0.05) / (low + 0.05), one.className.baseVal ?? one.className];
    });
}"""
