"""One HTML page that shows what the graph brings; it loads nothing from anywhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

_METRICS = ("PR@5", "PR@10")
# Smaller shares are left out of a sentence, which names only this many sources.
_WORTH_SAYING = 0.01
_NAMED_SOURCES = 3
_LONGEST_NAME = 28
# About what the letters of a wide sans-serif take, in font sizes: better a gap than a collision.
_LETTER = (0.62, 1.2)
_MARGIN = 24.0
_RING = 3.0
_LAYOUT_STEPS = 200
# Where a label may stand around its node, the best place first.
_SIDES = np.array([(1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1)])
_TOLERATED_OVERLAP = 0.1


@dataclass(frozen=True)
class _Frame:
    name: str
    width: int
    height: int
    font: int
    radii: tuple[int, int]


# Letters that shrink with their drawing cannot be read on a phone, so it gets a drawing of its own.
_FRAMES = (
    _Frame("wide", 1040, 640, 13, (4, 13)),
    _Frame("narrow", 360, 560, 11, (3, 9)),
)


def render_page(report: Mapping[str, Any]) -> str:
    """A self-contained page: metrics, one question before and after, and its candidate graph.

    Args:
        report: `title`, `subtitle`, `questions` (how many), `metrics` (of each ranker: `ranker`,
            `alpha`, `PR@5`, `PR@10`) and `walk`, the question that is shown. A walk has
            `question`, `sql`, `ranker`, `alpha`, `k`; `before` and `results`, the best k without
            and with the graph; `nodes`, all candidates; and `edges`, each once. Objects have `id`,
            `rank`, `score`, `relevant`, outside `before` also `base_rank` and `base_score`;
            `results` also `sources`, and these `id`, `share`, `relations`. Edges have `source`,
            `target`, `relations`.

    Returns:
        HTML in which every string of the report is text, whatever it holds.
    """
    walk = report["walk"]
    nodes = _drawn(walk)
    left_out = len(walk["nodes"]) - len(nodes)
    template = files("grapher_jax.explain").joinpath("page.html").read_text(encoding="utf-8")
    return Template(template).substitute(
        title=_text(report["title"]),
        subtitle=_text(report["subtitle"]),
        questions=_text(report["questions"]),
        metrics="\n".join(map(_metrics, report["metrics"])),
        question=_text(walk["question"]),
        sql=f"<pre><code>{_text(walk['sql'])}</code></pre>" if walk["sql"] else "",
        ranker=_ranker(walk),
        before="\n".join(map(_result, walk["before"])),
        found_before=_found(walk["before"], walk["nodes"]),
        after="\n".join(map(_result, walk["results"])),
        found_after=_found(walk["results"], walk["nodes"]),
        candidates=_count(len(walk["nodes"]), "candidate"),
        edges=_count(len(walk["edges"]), "edge"),
        left_out=f"Left out: {_count(left_out, 'candidate')} without an edge." if left_out else "",
        graph="\n".join(_graph(nodes, walk["edges"], walk["k"], frame) for frame in _FRAMES),
    )


def _text(value: object) -> str:
    return escape(str(value), quote=True)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _percent(fraction: float, digits: int = 0) -> str:
    return f"{100 * fraction:.{digits}f}\N{NO-BREAK SPACE}%"


def _ranker(row: Mapping[str, Any]) -> str:
    alpha = "" if row["alpha"] is None else f" <small>α = {row['alpha']:g}</small>"
    return f"<b>{_text(row['ranker'])}</b>{alpha}"


def _metrics(row: Mapping[str, Any]) -> str:
    cells = "".join(
        f'<td>{_percent(row[name], 1)}<span class="bar">'
        f'<span style="width: {100 * row[name]:.1f}%"></span></span></td>'
        for name in _METRICS
    )
    kind = ' class="base"' if row["ranker"] == "base" else ""
    return f'<tr{kind}><th scope="row">{_ranker(row)}</th>{cells}</tr>'


def _found(results: Sequence[Mapping[str, Any]], nodes: Sequence[Mapping[str, Any]]) -> str:
    found, all_of_them = (sum(bool(row["relevant"]) for row in rows) for rows in (results, nodes))
    return f"{found} of {all_of_them} relevant"


def _result(row: Mapping[str, Any]) -> str:
    parts = [
        f'<span class="rank">{row["rank"]:d}</span>',
        f'<span class="id">{_text(row["id"])}</span>',
        '<span class="tick">✓ relevant</span>' if row["relevant"] else "",
        _movement(row["base_rank"] - row["rank"]) if "base_rank" in row else "",
        f'<span class="score">{row["score"]:.3f}</span>',
        f'<span class="why">{_origin(row)}</span>' if "sources" in row else "",
    ]
    kind = ' class="relevant"' if row["relevant"] else ""
    return f"<li{kind}>{' '.join(filter(None, parts))}</li>"


def _movement(places: int) -> str:
    if places > 0:
        return f'<span class="move up">▲ {places}</span>'
    return f'<span class="move">{f"▼ {-places}" if places else "="}</span>'


def _origin(row: Mapping[str, Any]) -> str:
    sources = [source for source in row["sources"] if abs(source["share"]) >= _WORTH_SAYING]
    parts = [_source(source, row["id"]) for source in sources[:_NAMED_SOURCES]]
    if rest := sources[_NAMED_SOURCES:]:
        parts.append(
            f"{_percent(sum(source['share'] for source in rest))} from {_count(len(rest), 'other')}"
        )
    return ", ".join(parts)


def _source(source: Mapping[str, Any], result: str) -> str:
    share = _percent(source["share"])
    if source["id"] == result:
        return f"{share} its own"
    return f"{share} from {_text(source['id'])} ({_relations(source) or 'further off'})"


def _relations(row: Mapping[str, Any]) -> str:
    return _text(" and ".join(row["relations"]).replace("_", " "))


def _drawn(walk: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    joined = {edge[end] for edge in walk["edges"] for end in ("source", "target")}
    if 2 * len(joined) >= len(walk["nodes"]):
        return list(walk["nodes"])
    return [
        node
        for node in walk["nodes"]
        if node["id"] in joined or node["relevant"] or node["rank"] <= walk["k"]
    ]


def _graph(
    nodes: Sequence[Mapping[str, Any]], edges: Sequence[Mapping[str, Any]], k: int, frame: _Frame
) -> str:
    if not nodes:
        return ""
    numbers = {node["id"]: number for number, node in enumerate(nodes)}
    pairs = [(numbers[edge["source"]], numbers[edge["target"]]) for edge in edges]
    names = [_name(node) for node in nodes]
    sizes = np.array([(len(name), 1) for name in names]) * _LETTER * frame.font
    chosen = [i for i, node in enumerate(nodes) if node["relevant"] or node["rank"] <= k]
    # Who comes first gets the better place.
    chosen.sort(key=lambda i: (not nodes[i]["relevant"], nodes[i]["rank"]))
    scores = np.array([node["score"] for node in nodes], float)
    above = (scores - scores.min()) / (np.ptp(scores) or 1)
    radii = np.interp(above, (0, 1), frame.radii)
    widths = np.where(np.isin(np.arange(len(nodes)), chosen), sizes[:, 0], 0)
    at = _places(np.array(pairs, int).reshape(-1, 2), widths, frame)
    box = np.array([frame.width, at[:, 1].max() + _MARGIN])
    labels = _labels(at, radii + _RING, sizes, chosen, box)
    lines = [_edge(edge, pair, at) for edge, pair in zip(edges, pairs, strict=True)]
    for i, node in enumerate(nodes):
        near = [sum(pair) - i for pair in pairs if i in pair]
        lines.append(_node(node, i, near, at[i], radii[i], f"{labels[i]}{_text(names[i])}</text>"))
    return (
        f'<svg class="{frame.name}" viewBox="0 0 {frame.width} {box[1]:.0f}" role="group" '
        f'font-size="{frame.font}" aria-label="The candidate graph">{"".join(lines)}</svg>'
    )


def _name(node: Mapping[str, Any]) -> str:
    name = node["id"]
    short = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
    return f"✓ {short}" if node["relevant"] else short


def _edge(edge: Mapping[str, Any], pair: tuple[int, int], at: Float[ndarray, "n 2"]) -> str:
    (x1, y1), (x2, y2) = at[list(pair)]
    title = f"{_text(edge['source'])} – {_text(edge['target'])}: {_relations(edge)}"
    return (
        f'<line class="edge" data-ends="{pair[0]} {pair[1]}" x1="{x1:.1f}" y1="{y1:.1f}" '
        f'x2="{x2:.1f}" y2="{y2:.1f}"><title>{title}</title></line>\n'
    )


def _node(
    node: Mapping[str, Any],
    number: int,
    near: Sequence[int],
    at: Float[ndarray, " 2"],
    radius: float,
    label: str,
) -> str:
    says = _text(
        f"{node['id']}: rank {node['rank']} with the graph ({node['score']:.3f}), "
        f"rank {node['base_rank']} by the retriever alone ({node['base_score']:.3f})"
        f"{', relevant' if node['relevant'] else ''}; {_count(len(near), 'neighbour')}"
    )
    centre = f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}"'
    ring = f'{centre} r="{radius + _RING:.1f}" class="ring"/>' if node["relevant"] else ""
    return (
        f'<g class="node{" relevant" if node["relevant"] else ""}" tabindex="0" role="img" '
        f'data-number="{number}" data-near="{" ".join(map(str, near))}" data-says="{says}">'
        f'<title>{says}</title>{ring}{centre} r="{radius:.1f}"/>{label}</g>\n'
    )


def _places(
    ends: Int[ndarray, "m 2"], widths: Float[ndarray, " n"], frame: _Frame
) -> Float[ndarray, "n 2"]:
    """Joined nodes by springs, the others in rows below them, as far apart as labels are wide."""
    at = np.zeros((len(widths), 2))
    joined = np.unique(ends)
    height = 0.0
    if len(joined):
        height = min(frame.height, 60 + 20 * len(joined))  # a few would be lost in all of it
        room = np.array([frame.width, height]) - 2 * _MARGIN
        at[joined] = _MARGIN + room * _layout(np.searchsorted(joined, ends), len(joined))
    x, y = _MARGIN, height + _MARGIN
    for lone in np.setdiff1d(np.arange(len(at)), joined):
        if x + widths[lone] > frame.width - _MARGIN:
            x, y = _MARGIN, y + _MARGIN
        at[lone] = x, y
        x += widths[lone] + _MARGIN
    return at


def _layout(ends: Int[ndarray, "m 2"], n: int) -> Float[ndarray, "n 2"]:
    """Fruchterman and Reingold's springs in the unit square; points are complex numbers."""
    joined = np.zeros((n, n))
    joined[ends, ends[:, ::-1]] = 1
    at = np.random.default_rng(0).uniform(size=(n, 2)) @ (1, 1j)
    spring = n**-0.5
    for heat in np.linspace(0.1, 0.001, _LAYOUT_STEPS):
        apart = at[:, None] - at
        distance = np.maximum(np.abs(apart), 1e-4)
        force = (apart * ((spring / distance) ** 2 - joined * distance / spring)).sum(axis=1)
        force -= at - at.mean()  # or parts that nothing joins would drift away
        at += force * np.minimum(1, heat / np.maximum(np.abs(force), 1e-9))
    flat = np.stack([at.real, at.imag], axis=1)
    flat = (flat - flat.min(0)) / np.maximum(np.ptp(flat, axis=0), 1e-9)
    # Halfway to evenly spread coordinates: crowds loosen and the corners fill.
    return (flat + flat.argsort(0).argsort(0) / max(n - 1, 1)) / 2


def _labels(
    at: Float[ndarray, "n 2"],
    radii: Float[ndarray, " n"],
    sizes: Float[ndarray, "n 2"],
    chosen: Sequence[int],
    box: Float[ndarray, " 2"],
) -> list[str]:
    """The opening tag of every label, quiet (shown on demand) where it would cover another."""
    labels = [""] * len(at)
    taken, halves = at, np.stack([radii, radii], axis=1)
    for i in [*chosen, *set(range(len(at))).difference(chosen)]:
        half = sizes[i] / 2
        low, high = half + _RING, box - half - _RING
        options = np.clip(at[i] + _SIDES * (half + radii[i]), low, np.maximum(low, high))
        shared = np.maximum(half + halves - np.abs(options[:, None] - taken), 0)
        overlap = shared.prod(axis=2).sum(axis=1)
        best = options[overlap.argmin()]
        clear = i in chosen and overlap.min() < _TOLERATED_OVERLAP * sizes[i].prod()
        if clear:
            taken, halves = np.vstack([taken, best]), np.vstack([halves, half])
        side = int(np.sign(best[0] - at[i, 0]))
        labels[i] = (
            f'<text class="{"clear" if clear else "quiet"}" '
            f'text-anchor="{("middle", "start", "end")[side]}" '
            f'x="{best[0] - side * half[0]:.1f}" y="{best[1]:.1f}">'
        )
    return labels
