"""Objects with metadata: read from BEIR folders, databases and documents, and written as BEIR."""

from grapher_jax.corpus.amr import AmrGraph, concept_sequence, join_amr, parse_amr, reaches
from grapher_jax.corpus.beir import (
    Judgements,
    PairGraphs,
    check_judged,
    has_queries,
    is_beir,
    read_judgements,
    read_objects,
    read_pair_graphs,
    read_queries,
    splits,
    write_beir,
    write_pair_graphs,
    write_queries,
)
from grapher_jax.corpus.database import is_script, read_database
from grapher_jax.corpus.documents import read_documents
from grapher_jax.corpus.filters import check_filter, check_filters
from grapher_jax.corpus.misspelt import NearKeys, warn_of_misspelt
from grapher_jax.corpus.objects import (
    Object,
    Query,
    as_query,
    check_corpus,
    check_metadata,
    check_object,
)
from grapher_jax.corpus.public_sets import is_public_set, local_source
from grapher_jax.corpus.questions import JudgedQueries, JudgedQuestion, judge_questions
from grapher_jax.corpus.searchable import TEXT_PARTS, searchable_texts
from grapher_jax.corpus.source import SourceOptions, check_no_url, is_database, read_source

__all__ = [
    "TEXT_PARTS",
    "AmrGraph",
    "JudgedQueries",
    "JudgedQuestion",
    "Judgements",
    "NearKeys",
    "Object",
    "PairGraphs",
    "Query",
    "SourceOptions",
    "as_query",
    "check_corpus",
    "check_filter",
    "check_filters",
    "check_judged",
    "check_metadata",
    "check_no_url",
    "check_object",
    "concept_sequence",
    "has_queries",
    "is_beir",
    "is_database",
    "is_public_set",
    "is_script",
    "join_amr",
    "judge_questions",
    "local_source",
    "parse_amr",
    "reaches",
    "read_database",
    "read_documents",
    "read_judgements",
    "read_objects",
    "read_pair_graphs",
    "read_queries",
    "read_source",
    "searchable_texts",
    "splits",
    "warn_of_misspelt",
    "write_beir",
    "write_pair_graphs",
    "write_queries",
]
