"""Enrichers: add entities, keywords and AMR graphs to the metadata of objects, one at a time.

Entities that are already in an object's metadata need no enricher.
"""

from grapher_jax.enrich.entities import LlmEntities, SpacyEntities
from grapher_jax.enrich.runner import Enriched, Enricher, Survey, enrich, survey
from grapher_jax.errors import EnrichmentError

# The names for the command line; `keywords`, `mentions` and `amr` are in modules of their own.
ENRICHERS = ("spacy-entities", "llm-entities", "keywords", "mentions")

__all__ = [
    "ENRICHERS",
    "Enriched",
    "Enricher",
    "EnrichmentError",
    "LlmEntities",
    "SpacyEntities",
    "Survey",
    "enrich",
    "survey",
]
