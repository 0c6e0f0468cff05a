"""Reads a PDF from standard input with PDFium, and writes its title and text as JSON.

This is run as a script, in a process of its own (see `pdf`): PDFium is written in C++, is not safe
in threads, and reads a file made for the purpose into any amount of memory. So nothing of this
package is imported.
"""

import json
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

# What a process may take; an ordinary book of 1,000 pages takes 2 seconds and 0.2 GB.
_MOST_BYTES, _MOST_SECONDS = 2**31, 120


def main() -> None:
    """Read and write; a file that PDFium refuses is told under `error`."""
    _limit()
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(sys.stdin.buffer.read())
    except pypdfium2.PdfiumError as error:
        locked = error.err_code == pypdfium2.raw.FPDF_ERR_PASSWORD
        told = {"error": "encrypted" if locked else "whose PDF cannot be parsed"}
    else:
        told = {"title": _title(document), "text": "\n".join(map(_text, document))}
    json.dump(told, sys.stdout)


def _title(document: "PdfDocument") -> str:
    try:
        return document.get_metadata_value("Title")
    except UnicodeDecodeError:  # it contains half a character
        return ""


def _text(page: "PdfPage") -> str:
    found = page.get_textpage()
    text = found.get_text_bounded()
    found.close()
    page.close()
    return text


def _limit() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    limits = ((resource.RLIMIT_AS, _MOST_BYTES), (resource.RLIMIT_CPU, _MOST_SECONDS))
    for kind, most in limits:
        with suppress(ValueError, OSError):  # macOS has no limit of memory
            resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    main()
