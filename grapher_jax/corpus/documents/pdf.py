"""PDF files."""

import logging
from io import BytesIO

from grapher_jax.corpus.documents.extract import Extract, UnreadableError
from grapher_jax.errors import require


def pdf(data: bytes) -> Extract:
    """The text of the pages, joined by line breaks."""
    pypdf = require("pypdf")
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # we report the reason ourselves, once
    try:
        reader = pypdf.PdfReader(BytesIO(data))
        locked = reader.is_encrypted and not reader.decrypt("")
        text = "" if locked else "\n".join(page.extract_text() for page in reader.pages)
        title = "" if locked else str((reader.metadata or {}).get("/Title") or "")
    except Exception as error:  # a damaged file can make pypdf fail in any way
        raise UnreadableError(f"whose PDF cannot be parsed ({type(error).__name__})") from error
    if locked:
        raise UnreadableError("encrypted")
    return Extract(_without_surrogates(text), _without_surrogates(title))


def _without_surrogates(text: str) -> str:
    # Fonts may produce lone surrogates (half characters), which UTF-8 cannot encode.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
