"""Metadata added to objects, one at a time: entities, keywords and AMR graphs.

Entities that an object's metadata already holds need no enricher.
"""

from grapher_jax.enrich.entities import LlmEntities, SpacyEntities
from grapher_jax.enrich.runner import Enriched, Enricher, Survey, enrich, survey
from grapher_jax.errors import EnrichmentError

# What the command line knows by name; `keywords` and `amr` are in modules of their own.
ENRICHERS = ("spacy-entities", "llm-entities", "keywords")

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
