"""Hits as tables for Arrow, pandas, Polars and notebooks."""

from collections.abc import Sequence
from html import escape
from typing import Any

from grapher_jax.errors import require, shorten
from grapher_jax.files import Json, json_text

Rows = Sequence[dict[str, Json]]

# Rows are those of `Hit.to_dict`, with `index` only if candidates were given.
_INTEGERS, _FLOATS = ("rank", "base_rank", "index"), ("score", "base_score")
_COLUMNS = ("rank", "id", "score", "base_rank", "base_score", "title", "text", "metadata")
_LONGEST_SHOWN = 120


def to_arrow(rows: Rows) -> Any:
    """A pyarrow table; metadata as JSON."""
    arrow = require("pyarrow")

    def kind(name: str) -> Any:
        number = arrow.float64() if name in _FLOATS else arrow.string()
        return arrow.int64() if name in _INTEGERS else number

    columns = {
        name: arrow.array(
            [json_text(row[name], name) if name == "metadata" else row[name] for row in rows],
            kind(name),
        )
        for name in _names(rows)
    }
    return arrow.table(columns)


def to_pandas(rows: Rows) -> Any:
    """A pandas data frame; metadata as dicts."""
    frame = require("pandas").DataFrame(list(rows), columns=_names(rows))
    kinds = {"rank": "int64", "base_rank": "int64"} | dict.fromkeys(_FLOATS, "float64")
    return frame.astype(kinds)


def to_polars(rows: Rows) -> Any:
    """A Polars data frame; metadata as JSON."""
    polars = require("polars")
    return polars.from_arrow(to_arrow(rows))


def to_html(rows: Rows) -> str:
    """An HTML table of each result's rank and score, now and before reranking."""
    head = "".join(f"<th>{name}</th>" for name in ("", "before", "id", "score", "before", "text"))
    body = "".join(_html_row(row) for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html_row(row: dict[str, Json]) -> str:
    up = row["base_rank"] - row["rank"]
    moved = f" ▲{up}" if up > 0 else f" ▼{-up}" if up < 0 else ""
    text = shorten(" ".join(f"{row['title']} {row['text']}".split()), _LONGEST_SHOWN)
    cells = (
        *(str(row["rank"]), f"{row['base_rank']}{moved}", row["id"]),
        *(f"{row['score']:.4g}", f"{row['base_score']:.4g}", text),
    )
    return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"


def _names(rows: Rows) -> list[str]:
    return [*_COLUMNS, *(["index"] if rows and "index" in rows[0] else [])]
