"""Why a result stands where it stands: as data, as text and as a page."""

from grapher_jax.explain.explanation import (
    Explanation,
    Source,
    explain,
    explain_learned,
    explain_shared,
    in_common,
    name_joins,
    relations,
)
from grapher_jax.explain.joins import Join, Joins
from grapher_jax.explain.page import render_page
from grapher_jax.explain.report import display_names, explain_question, main_sources

__all__ = [
    "Explanation",
    "Join",
    "Joins",
    "Source",
    "display_names",
    "explain",
    "explain_learned",
    "explain_question",
    "explain_shared",
    "in_common",
    "main_sources",
    "name_joins",
    "relations",
    "render_page",
]
