"""Explains one question's results before and after reranking, as data and as an HTML page."""

from grapher_jax.explain.page import render_page
from grapher_jax.explain.report import display_names, explain_question, main_sources

__all__ = ["display_names", "explain_question", "main_sources", "render_page"]
