"""Folders of documents in many formats, as chunks with their positions and links.

Contextual enrichment (GraphER, section 2.1): a chunk stores its document and its number in it.
"""

from grapher_jax.corpus.documents.folder import (
    CHUNK_TOKENS,
    OVERLAP_TOKENS,
    DocumentChoice,
    read_documents,
)
from grapher_jax.corpus.documents.folder_files import (
    RECORDS,
    holds_documents,
    holds_index,
    is_of_beir,
    is_read,
    is_record_file,
)
from grapher_jax.corpus.documents.formats import BUILT_IN, check_reader

__all__ = [
    "BUILT_IN",
    "CHUNK_TOKENS",
    "OVERLAP_TOKENS",
    "RECORDS",
    "DocumentChoice",
    "check_reader",
    "holds_documents",
    "holds_index",
    "is_of_beir",
    "is_read",
    "is_record_file",
    "read_documents",
]
