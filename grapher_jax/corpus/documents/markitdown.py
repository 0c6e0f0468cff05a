"""PDF, office files, HTML and EPUB as Markdown, by Microsoft's library markitdown."""

import logging
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from io import BytesIO

from grapher_jax.corpus.documents.extract import Extract, UnreadableError
from grapher_jax.corpus.documents.html import checked_markup
from grapher_jax.corpus.documents.markdown import markdown
from grapher_jax.corpus.documents.office import unpacked
from grapher_jax.errors import require

# The library keeps a whole sheet in memory several times over.
MOST_CELLS = 500_000
_CONVERTERS = {
    ".docx": "DocxConverter",
    ".epub": "EpubConverter",
    ".htm": "HtmlConverter",
    ".html": "HtmlConverter",
    ".pdf": "PdfConverter",
    ".pptx": "PptxConverter",
    ".xlsx": "XlsxConverter",
}
# Identifiers are searched as they are written, and a title of Word is a heading.
_OPTIONS = {
    "escape_asterisks": False,
    "escape_underscores": False,
    "style_map": "p[style-name='Title'] => h1:fresh",
}
# Numbers of slides, and what stands for an empty cell.
_FILLED_IN = re.compile(r"<!-- Slide number: \d+ -->\n|(?<=\| )(?:NaN|Unnamed: \d+)(?= \|)")


def _converted(data: bytes, ending: str) -> Extract:
    convert = getattr(require("markitdown.converters"), _CONVERTERS[ending])().convert
    info = require("markitdown").StreamInfo(extension=ending, charset="utf-8")
    try:
        with warnings.catch_warnings(action="ignore"):
            found = convert(BytesIO(_checked(data, ending)), info, **_OPTIONS)
    except UnreadableError:
        raise
    except Exception as error:  # a damaged file can make the library fail in any way
        raise UnreadableError(
            f"whose {ending} cannot be parsed ({type(error).__name__})"
        ) from error
    text = _FILLED_IN.sub("", found.markdown.replace("\0", ""))
    read = markdown(text.encode("utf-8", "replace"))  # fonts may produce half characters
    return replace(read, title=found.title or read.title)


def _checked(data: bytes, ending: str) -> bytes:
    """A file that the library can be given without using up time or memory."""
    if ending in (".htm", ".html"):
        return checked_markup(data).encode()
    if ending == ".pdf":
        return data
    archive = unpacked(data)
    if ending == ".xlsx":
        _check_size(archive)
    return archive.getvalue()


def _check_size(workbook: BytesIO) -> None:
    """Refuse more cells than the limit, counting empty ones, for which the library makes text too.

    Raises:
        UnreadableError: if a sheet has more.
        Exception: of many kinds, if the file is damaged.
    """
    for sheet in require("openpyxl").load_workbook(workbook, read_only=True).worksheets:
        sheet.reset_dimensions()  # which a file may state wrongly
        rows = columns = 0
        for row in sheet.iter_rows():
            rows, columns = rows + 1, max(columns, len(row))
            if rows * columns > MOST_CELLS:
                raise UnreadableError(f"of more than {MOST_CELLS:,} cells a sheet; save as .csv")


CONVERTED: Mapping[str, Callable[[bytes], Extract]] = {
    ending: partial(_converted, ending=ending) for ending in _CONVERTERS
}


def check_installed() -> None:
    """Check that the library and what it needs for each format are installed.

    Raises:
        MissingExtraError: if not.
    """
    for module in ("markitdown", "mammoth", "openpyxl", "pandas", "pdfplumber", "pptx"):
        require(module)
    logging.getLogger("pdfminer").setLevel(logging.CRITICAL)  # we report the reason ourselves, once
