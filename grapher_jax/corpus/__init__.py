"""Objects with their metadata: from BEIR folders, databases and documents, to BEIR folders."""

from grapher_jax.corpus.amr import AmrGraph, parse_amr
from grapher_jax.corpus.beir import (
    Judgements,
    is_beir,
    read_judgements,
    read_objects,
    read_queries,
    splits,
    write_beir,
    write_queries,
)
from grapher_jax.corpus.database import read_database
from grapher_jax.corpus.documents import read_documents
from grapher_jax.corpus.objects import Object, Query, check_filter, check_metadata, check_object
from grapher_jax.corpus.source import read_source

__all__ = [
    "AmrGraph",
    "Judgements",
    "Object",
    "Query",
    "check_filter",
    "check_metadata",
    "check_object",
    "is_beir",
    "parse_amr",
    "read_database",
    "read_documents",
    "read_judgements",
    "read_objects",
    "read_queries",
    "read_source",
    "splits",
    "write_beir",
    "write_queries",
]
