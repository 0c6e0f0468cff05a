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
    is_document_file,
    is_of_beir,
    is_read,
)
from grapher_jax.corpus.documents.formats import BUILT_IN, check_reader, writings

__all__ = [
    "BUILT_IN",
    "CHUNK_TOKENS",
    "OVERLAP_TOKENS",
    "RECORDS",
    "DocumentChoice",
    "check_reader",
    "holds_documents",
    "holds_index",
    "is_document_file",
    "is_of_beir",
    "is_read",
    "read_documents",
    "writings",
]
