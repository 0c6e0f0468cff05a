"""One HTML page that shows the effect of the graph; it loads nothing from anywhere."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from itertools import pairwise
from string import Template

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.explain.escaping import as_text as _text
from grapher_jax.explain.escaping import shortened as _short
from grapher_jax.explain.layout import FRAMES, MARGIN, RING, Frame, labels_of, places_of
from grapher_jax.explain.report import display_names, is_notable, main_sources
from grapher_jax.explain.tree import draw_tree
from grapher_jax.files import Json
from grapher_jax.graph import PROXIMITIES

_METRICS = ("PR@5", "PR@10")
# The maximum lengths of names and texts that are shown.
_LONGEST_NAME, _LONGEST_LABEL, _LONGEST_TEXT = 120, 28, 240
_NAMED_NEIGHBOURS = 4
# More nodes cannot be distinguished; the ones nearest to the results are drawn.
_MOST_NODES, _MOST_EDGES = 90, 240
# Relations that are not proximities.
_FURTHER = {
    "semantic": "alike in meaning",
    "in_common": "in common",
    "several": "several of these",
}
# The class of edges along which a result got a share.
_CARRYING = "carrying"
# The width and height of a letter in font sizes, and how much wider bold ones are. They are those
# of a wide sans-serif font, because gaps are better than overlaps.
_LETTER, _BOLD = (0.62, 1.2), 1.15
# The minimum size that a finger can hit.
_REACH = 12.0

_Row = Mapping[str, Json]


def render_page(report: _Row) -> str:
    """A self-contained page: one question before and after, and its candidate graph.

    Args:
        report: the result of `explain_question`. It may also have a `title`, a `subtitle`, the
            `sql` of the question, and `metrics` of several rankers (`ranker`, `alpha`, `PR@5`,
            `PR@10`) over a number of `questions`.

    Returns:
        HTML in which every string of the report is escaped.
    """
    shown = _Shown(report)
    metrics = report.get("metrics")
    left_out = len(report["nodes"]) - len(shown.nodes), len(report["edges"]) - len(shown.edges)
    counts = zip(left_out, ("candidate", "edge"), strict=True)
    missing = " and ".join(_count(number, noun) for number, noun in counts if number)
    template = files("grapher_jax.explain").joinpath("page.html").read_text(encoding="utf-8")
    script = template.partition("<script>")[2].partition("</script>")[0]
    return Template(template).substitute(
        script=b64encode(sha256(script.encode()).digest()).decode(),
        title=_text(report.get("title", "Why these results")),
        subtitle=_text(report.get("subtitle", _summary(report))),
        metrics=_all_metrics(metrics, report["questions"]) if metrics else "",
        heading="One question, before and after" if metrics else "Before and after",
        question=_text(report["question"]),
        sql=f"<pre><code>{_text(report['sql'])}</code></pre>" if report.get("sql") else "",
        ranker=_ranker(report["ranker"], report["parameters"].get("alpha")),
        before="\n".join(shown.before(row) for row in report["before"]),
        found_before=_found(report["before"], report["nodes"]),
        after="\n".join(shown.result(row) for row in report["results"]),
        found_after=_found(report["results"], report["nodes"]),
        tree=draw_tree(report.get("tree", ()), shown.names),
        candidates=_count(len(report["nodes"]), "candidate"),
        edges=_count(len(report["edges"]), "edge"),
        left_out=f"Not drawn, as farther from the results: {missing}." if missing else "",
        legend=shown.legend(),
        graph="\n".join(map(shown.graph, FRAMES)),
    )


@dataclass(frozen=True)
class _Shown:
    """The parts of a report that are shown."""

    report: _Row

    @cached_property
    def names(self) -> dict[str, str]:
        """See `display_names`."""
        return display_names(self.report)

    @cached_property
    def carrying(self) -> set[frozenset[str]]:
        """The edges along which a result got a notable share."""
        return {
            frozenset(step)
            for result in self.report["results"]
            for source in result["explanation"]["sources"]
            if is_notable(source)
            for step in pairwise((result["id"], *source["via"], source["id"]))
        }

    @cached_property
    def nodes(self) -> list[_Row]:
        """The nodes that are drawn: if too many, the results and the nodes nearest to them."""
        k = self.report["k"]
        ranked = [row for row in self.report["nodes"] if row["rank"] is not None]
        pairs = [{edge["source"], edge["target"]} for edge in self.report["edges"]]
        joined = set().union(*pairs)
        if len(ranked) <= _MOST_NODES and 2 * len(joined) >= len(ranked):
            return ranked
        results = {row["id"] for row in ranked if row["rank"] <= k}
        carried = set().union(*self.carrying)
        near = set().union(*(pair for pair in pairs if pair & results))
        steps = [results, carried, near, *([joined] if len(joined) <= _MOST_NODES else [])]

        def distance(row: _Row) -> int:
            if row.get("relevant") or row["base_rank"] <= k:
                return 0
            return next((n for n, those in enumerate(steps) if row["id"] in those), len(steps))

        nearest = sorted(ranked, key=lambda row: (distance(row), row["rank"]))[:_MOST_NODES]
        return [row for row in nearest if distance(row) < len(steps)]

    @cached_property
    def edges(self) -> list[_Row]:
        """The edges that are drawn: if there are many, those of the results."""
        drawn = {row["id"] for row in self.nodes}
        results = {row["id"] for row in self.report["results"]}

        def distance(edge: _Row) -> tuple[bool, int]:
            ends = {edge["source"], edge["target"]}
            return frozenset(ends) not in self.carrying, -len(ends & results)

        among = [edge for edge in self.report["edges"] if {edge["source"], edge["target"]} <= drawn]
        return sorted(among, key=distance)[:_MOST_EDGES]

    def before(self, row: _Row) -> str:
        """HTML for one result of the retriever alone."""
        gone = row["rank"] is None or row["rank"] > self.report["k"]
        now = f"now {row['rank']}" if row["rank"] else "dropped"
        return self._hit(row, row["base_rank"], row["base_score"], f"↘ {now}" if gone else "")

    def result(self, row: _Row) -> str:
        """HTML for one result with the graph, and where its score came from."""
        moved = row["base_rank"] - row["rank"]
        mark = f"▲ {moved}" if moved > 0 else f"▼ {-moved}" if moved else "="
        return self._hit(row, row["rank"], row["score"], mark, _bar(row), self._why(row))

    def _hit(self, row: _Row, rank: int, score: float, mark: str, *more: str) -> str:
        name = self.names[row["id"]]
        other = row["title"] if name == row["id"] else row["id"]
        text = _short(row["text"], _LONGEST_TEXT)
        head = [
            f'<bdi class="id">{_text(name)}</bdi>',
            f'<bdi class="other">{_text(_short(other, _LONGEST_NAME))}</bdi>'
            if other not in ("", name)
            else "",
            '<span class="tick">✓ relevant</span>' if row.get("relevant") else "",
            f'<span class="move{" up" if "▲" in mark else ""}">{mark}</span>' if mark else "",
        ]
        if more and text:
            more = (f'<p class="text"><bdi>{_text(text)}</bdi></p>', *more)
        return (
            f'<li class="hit{" relevant" if row.get("relevant") else ""}">'
            f'<span class="rank">{rank:d}</span><div class="head">{"".join(head)}</div>'
            f'<span class="score">{score:.3f}</span>{"".join(more)}</li>'
        )

    def _why(self, row: _Row) -> str:
        named, others, share = main_sources(row["explanation"])
        lines = [self._source(source, row["id"]) for source in named]
        if row["explanation"]["learned"]:
            lines = [f"neighbour {line}" for line in lines] or ["no neighbours"]
            lines += [f"and {_count(others, 'other neighbour')}"] if others else []
        elif others:
            lines.append(f"<b>{_percent(share)}</b> from {_count(others, 'other')}")
        return f'<ul class="why">{"".join(f"<li>{line}</li>" for line in lines)}</ul>'

    def _source(self, source: _Row, result: str) -> str:
        share = "" if source["share"] is None else f"<b>{_percent(source['share'])}</b> "
        identity: str = source["id"]
        if identity == result:
            return f"{share}its own"
        name = _text(_short(self.names.get(identity, identity), _LONGEST_NAME))
        way = f": {_text(_told(source['joins']))}" if source["joins"] else ""
        return f"{share}{'from ' if share else ''}<bdi>{name}</bdi>{way}"

    def legend(self) -> str:
        """The legend of this drawing."""
        kinds = {_kind(edge) for edge in self.edges}
        judged = any("relevant" in node for node in self.nodes)
        carried = any(map(self._carries, self.edges))
        marks = [
            ('<span class="dot result"></span>', f"among the first {self.report['k']}"),
            *([('<span class="dot relevant"></span>', "✓ relevant")] if judged else []),
            ('<span class="dot"></span>', "other candidate"),
            *((_key(kind), label) for kind, label in _line_labels(kinds).items()),
            *([(_key(_CARRYING), "thick: a result got a share this way")] if carried else []),
        ]
        return "\n".join(f"<li>{mark}{label}</li>" for mark, label in marks)

    def _carries(self, edge: _Row) -> bool:
        return frozenset((edge["source"], edge["target"])) in self.carrying

    def graph(self, frame: Frame) -> str:
        """The drawing in one size."""
        nodes, k = self.nodes, self.report["k"]
        if not nodes:
            return ""
        numbers = {node["id"]: number for number, node in enumerate(nodes)}
        pairs = [(numbers[edge["source"]], numbers[edge["target"]]) for edge in self.edges]
        labels = [self._label(node) for node in nodes]
        bold = [_BOLD if node.get("relevant") else 1 for node in nodes]
        letters = [(len(label) * wide, 1) for label, wide in zip(labels, bold, strict=True)]
        sizes = np.array(letters) * _LETTER * frame.font
        chosen = [i for i, node in enumerate(nodes) if node.get("relevant") or node["rank"] <= k]
        # Earlier nodes get better label positions.
        chosen.sort(key=lambda i: (not nodes[i].get("relevant"), nodes[i]["rank"]))
        scores = np.array([node["score"] for node in nodes], float)
        above = (scores - scores.min()) / (np.ptp(scores) or 1)
        radii = np.interp(above, (0, 1), frame.radii)
        widths = np.where(np.isin(np.arange(len(nodes)), chosen), sizes[:, 0], 0)
        at = places_of(np.array(pairs, int).reshape(-1, 2), widths, frame)
        box = np.array([frame.width, at[:, 1].max() + MARGIN])
        places = labels_of(at, radii + RING, sizes, chosen, box)
        parts = [self._edge(edge, pair, at) for edge, pair in zip(self.edges, pairs, strict=True)]
        for i, node in enumerate(nodes):
            near = [sum(pair) - i for pair in pairs if i in pair]
            label = f"{places[i]}{_text(labels[i])}</text>"
            parts.append(self._node(node, i, near, at[i], radii[i], label))
        return (
            f'<svg class="{frame.name}" viewBox="0 0 {frame.width} {box[1]:.0f}" role="group" '
            f'font-size="{frame.font}" aria-label="The candidate graph">{"".join(parts)}</svg>'
        )

    def _label(self, node: _Row) -> str:
        name = _short(self.names[node["id"]], _LONGEST_LABEL)
        lifted = node["rank"] <= self.report["k"] < node["base_rank"]
        moved = f" {node['base_rank']}→{node['rank']}" if lifted else ""
        return f"{'✓ ' if node.get('relevant') else ''}{name}{moved}"

    def _edge(self, edge: _Row, pair: tuple[int, int], at: Float[ndarray, "n 2"]) -> str:
        (x1, y1), (x2, y2) = at[list(pair)]
        ends = " – ".join(
            _short(self.names[edge[end]], _LONGEST_NAME) for end in ("source", "target")
        )
        line = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        kind = f"{_style(_kind(edge))}{f' {_CARRYING}' if self._carries(edge) else ''}"
        return (
            f'<g class="edge" data-near="{pair[0]} {pair[1]}">'
            f"<title>{_text(ends)}\n{_text(_told(edge['joins']))}</title>"
            f'<line class="reach" {line}/><line class="line {kind}" {line}/></g>\n'
        )

    def _node(
        self,
        node: _Row,
        number: int,
        near: Sequence[int],
        at: Float[ndarray, " 2"],
        radius: float,
        label: str,
    ) -> str:
        lines = [
            _short(self.names[node["id"]], _LONGEST_NAME),
            f"Rank {node['rank']} with the graph, {node['base_rank']} before",
            f"Score {node['score']:.3f}, before {node['base_score']:.3f}",
            *(["Relevant"] if node.get("relevant") else []),
            *self._neighbours(node["id"], near),
        ]
        kinds = [
            "node",
            *(["relevant"] if node.get("relevant") else []),
            *(["result"] if node["rank"] <= self.report["k"] else []),
        ]
        centre = f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}"'
        ring = f'{centre} r="{radius + RING:.1f}" class="ring"/>' if node.get("relevant") else ""
        return (
            f'<g class="{" ".join(kinds)}" tabindex="0" role="img" data-number="{number}" '
            f'data-near="{" ".join(map(str, (number, *near)))}">'
            f"<title>{_text(chr(10).join(filter(None, lines)))}</title>"
            f'{centre} r="{max(radius, _REACH):.1f}" class="reach"/>'
            f'{ring}{centre} r="{radius:.1f}"/>{label}</g>\n'
        )

    def _neighbours(self, identity: str, near: Sequence[int]) -> Iterator[str]:
        for number in near[:_NAMED_NEIGHBOURS]:
            other = self.nodes[number]["id"]
            name = _short(self.names[other], _LONGEST_LABEL)
            yield f"{name}: {_told(self._by_ends[frozenset((identity, other))]['joins'])}"
        more = len(near) - _NAMED_NEIGHBOURS
        yield f"and {_count(more, 'more neighbour')}" if more > 0 else ""

    @cached_property
    def _by_ends(self) -> dict[frozenset[str], _Row]:
        return {frozenset((edge["source"], edge["target"])): edge for edge in self.edges}


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _percent(fraction: float, digits: int = 0) -> str:
    return f"{100 * fraction:.{digits}f}\N{NO-BREAK SPACE}%"


def _summary(report: _Row) -> str:
    found = f"{len(report['results'])} of {_count(len(report['nodes']), 'candidate')}"
    return f"The best {found}, ranked by {report['ranker']}: who lifted what, and through what."


def _ranker(name: str, alpha: float | None) -> str:
    return f"<b>{_text(name)}</b>{'' if alpha is None else f' <small>α = {alpha:g}</small>'}"


def _all_metrics(metrics: Iterable[_Row], questions: object) -> str:
    rows = "\n".join(map(_metrics, metrics))
    return f"""<section>
<h2>Perfect recall</h2>
<p>How often the first 5 or 10 results hold everything that is relevant, over the {_text(questions)}
questions with more than one relevant object; <b>base</b> is the retriever alone.</p>
<table>
<thead><tr>
<th scope="col">Ranker</th><th scope="col">PR@5</th><th scope="col">PR@10</th>
</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</section>"""


def _metrics(row: _Row) -> str:
    cells = "".join(
        f'<td>{_percent(row[name], 1)}<span class="bar">'
        f'<span style="width: {100 * row[name]:.1f}%"></span></span></td>'
        for name in _METRICS
    )
    kind = ' class="base"' if row["ranker"] == "base" else ""
    return f'<tr{kind}><th scope="row">{_ranker(row["ranker"], row["alpha"])}</th>{cells}</tr>'


def _found(results: Sequence[_Row], nodes: Sequence[_Row]) -> str:
    if not any("relevant" in row for row in nodes):
        return ""
    found, all_of_them = (sum(row["relevant"] for row in rows) for rows in (results, nodes))
    return f"{found} of {all_of_them} relevant"


def _bar(row: _Row) -> str:
    """A bar of a result's own share and the shares of others."""
    sources = [*filter(is_notable, row["explanation"]["sources"])]
    whole = sum(abs(source["share"]) for source in sources)
    parts = "".join(
        f"<span{'' if source['id'] == row['id'] else ' class=from'} "
        f'style="width: {100 * abs(source["share"]) / whole:.1f}%"></span>'
        for source in sorted(sources, key=lambda source: source["id"] != row["id"])
    )
    return f'<span class="shares" aria-hidden="true">{parts}</span>' if len(sources) > 1 else ""


def _told(joins: Sequence[_Row]) -> str:
    return _short("; ".join(join["text"] for join in joins), _LONGEST_TEXT)


def _key(kind: str) -> str:
    return (
        '<svg class="key" viewBox="0 0 30 10" aria-hidden="true">'
        f'<line class="line {_style(kind)}" x1="1" y1="5" x2="29" y2="5"/></svg>'
    )


def _kind(edge: _Row) -> str:
    if len(edge["relations"]) > 1:
        return "several"
    name = edge["relations"][0]
    if name in _FURTHER:
        return name
    rows = PROXIMITIES.values()
    # A kind that is not in the table is one of the index's own edges.
    return next((row.name for row in rows if name in (row.name, row.relation)), name)


def _style(kind: str) -> str:
    """The CSS classes of a line; added proximities share one style."""
    if kind in (*_FURTHER, _CARRYING):
        return kind
    if kind not in PROXIMITIES:
        return "further"
    return f"{kind} further" if PROXIMITIES[kind].relation is None else kind


def _line_labels(kinds: Set[str]) -> dict[str, str]:
    """The names of these kinds of edges in the legend."""
    rows = {row.name: row.label or row.name for row in PROXIMITIES.values()}
    own = {kind: _text(kind) for kind in sorted(kinds - rows.keys() - _FURTHER.keys())}
    labels = rows | own | _FURTHER
    return {kind: label for kind, label in labels.items() if kind in kinds}
