"""Reads a PDF from standard input with PDFium, and writes its title and text as JSON.

This is run as a script, in a process of its own (see `pdf`): PDFium is written in C++, is not safe
in threads, and reads a file made for the purpose into any amount of memory. So nothing of this
package is imported.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_MOST_ENTRIES = 100_000
# What a process may take; an ordinary book of 1,000 pages takes 2 seconds and 0.2 GB.
_MOST_BYTES, _MOST_SECONDS = 2**31, 120


def main() -> None:
    """Read and write; why a file cannot be read is told under `error`."""
    _limit()
    sys.stdout.buffer.write(json.dumps(_read(sys.stdin.buffer.read())).encode())


def _read(data: bytes) -> dict[str, object]:
    try:
        import pypdfium2
    except ImportError:
        return {"error": "whose reader, PDFium, cannot be loaded"}
    try:
        document = pypdfium2.PdfDocument(data)
        pages = [*_pages(document)]
    except pypdfium2.PdfiumError as error:
        locked = error.err_code == pypdfium2.raw.FPDF_ERR_PASSWORD
        return {"error": "encrypted" if locked else "whose PDF cannot be parsed"}
    title = ""
    with suppress(UnicodeDecodeError):  # half a character
        title = document.get_metadata_value("Title")
    return {"title": title, "pages": pages, "outline": [*_outline(document)]}


def _pages(document: "PdfDocument") -> Iterator[str]:
    """The text of each page, without damaged ones.

    Raises:
        PdfiumError: if all are.
    """
    from pypdfium2 import PdfiumError

    read, refused = 0, None
    for number in range(len(document)):
        try:
            page = document[number]
            found = page.get_textpage()
        except PdfiumError as error:
            refused = error
            continue
        read += 1
        yield found.get_text_range()
        found.close()
        page.close()
    if refused and not read:
        raise refused


def _outline(document: "PdfDocument") -> Iterator[tuple[int, str]]:
    """The levels, from 1 to 6, and the titles of the outline."""
    for _, entry in zip(range(_MOST_ENTRIES), document.get_toc(), strict=False):
        with suppress(UnicodeDecodeError):
            yield min(entry.level + 1, 6), entry.get_title()


def _limit() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    limits = (
        (resource.RLIMIT_AS, _MOST_BYTES),
        (resource.RLIMIT_CPU, _MOST_SECONDS),
        (resource.RLIMIT_CORE, 0),
    )
    for kind, most in limits:
        now, hard = resource.getrlimit(kind)
        if now == resource.RLIM_INFINITY or most < now:
            with suppress(ValueError, OSError):  # macOS has no limit of memory
                resource.setrlimit(kind, (most, hard))


if __name__ == "__main__":
    main()
