"""Reranking and search over HTTP, in the convention of Cohere's and Jina's clients."""

from grapher_jax.serve.app import create_app
from grapher_jax.serve.settings import Settings

__all__ = ["Settings", "create_app"]
