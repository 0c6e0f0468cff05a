"""One question before and after reranking: as data and as a page."""

from grapher_jax.explain.page import render_page
from grapher_jax.explain.report import display_names, explain_question, main_sources

__all__ = ["display_names", "explain_question", "main_sources", "render_page"]
