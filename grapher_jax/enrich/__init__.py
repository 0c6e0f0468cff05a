"""Metadata added to objects, one at a time: entities and keywords, for the graph to connect by.

Entities that an object's metadata already holds need no enricher.
"""

from grapher_jax.enrich.entities import LlmEntities, SpacyEntities
from grapher_jax.enrich.runner import Enriched, Enricher, Survey, enrich, survey
from grapher_jax.errors import EnrichmentError

# What the command line knows; `keywords` is in a module of its own.
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
