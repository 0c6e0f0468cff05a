"""PDF."""

import logging
from io import BytesIO

from grapher_jax.corpus.documents.extract import Extract, UnreadableError
from grapher_jax.errors import require


def pdf(data: bytes) -> Extract:
    """The pages' text, joined by line ends."""
    pypdf = require("pypdf")
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # the reason is reported once, by us
    try:
        reader = pypdf.PdfReader(BytesIO(data))
        locked = reader.is_encrypted and not reader.decrypt("")
        text = "" if locked else "\n".join(page.extract_text() for page in reader.pages)
        title = "" if locked else str((reader.metadata or {}).get("/Title") or "")
    except Exception as error:  # a damaged file can lead pypdf anywhere
        raise UnreadableError(f"whose PDF cannot be parsed ({type(error).__name__})") from error
    if locked:
        raise UnreadableError("encrypted")
    return Extract(_without_surrogates(text), _without_surrogates(title))


def _without_surrogates(text: str) -> str:
    # Fonts may name half characters, which UTF-8 cannot hold.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
