"""Why a result stands where it stands: as data, as text and as a page."""

from grapher_jax.explain.explanation import (
    Explanation,
    Source,
    explain,
    explain_learned,
    explain_shared,
    in_common,
    relations,
)
from grapher_jax.explain.page import render_page

__all__ = [
    "Explanation",
    "Source",
    "explain",
    "explain_learned",
    "explain_shared",
    "in_common",
    "relations",
    "render_page",
]
