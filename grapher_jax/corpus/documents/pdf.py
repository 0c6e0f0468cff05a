"""PDF files."""

import os
import re
import subprocess
import sys
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from grapher_jax.corpus.documents.boilerplate import without_running_heads
from grapher_jax.corpus.documents.extract import MOST_BYTES, Extract, UnreadableError
from grapher_jax.errors import check_installed
from grapher_jax.files import parse_json

_PDFIUM = Path(__file__).with_name("pdfium.py")
# A little more than the script gives itself, for systems where it cannot.
_MOST_SECONDS = 150
# The dots between a heading and its page in a table of contents.
_LEADER = re.compile(r"(?: ?[.·…]){5,} ?")
# Lines of a table of contents or of an index, with lines of up to three characters between them.
_CONTENTS = re.compile(r"(?:^.* … [\divxlc, ]{1,30}\n(?:.{0,3}\n){0,2}){4,}", re.MULTILINE)
# The number of a heading, such as `7.2` or `B.1`.
_NUMBER = re.compile(r"^\s*[A-Z]?\d*(?:\.\d+)*\.?\s+")
_LONGEST_HEADING = 300
# PDFium's mark for a hyphen at the end of a line, which it joins with the next one.
_HYPHEN = re.compile(r"[\x02\ufffe](?=([^\W\d_]?))")


def pdf(data: bytes) -> Extract:
    """The text of the pages, joined by line breaks, without running heads, page numbers, contents.

    Words that a hyphen divides at the end of a line are joined.
    """
    check_installed("pypdfium2")
    # `-P`: the modules beside the script are not meant by `import html`.
    command = [sys.executable or "python3", "-P", str(_PDFIUM)]
    # It imports from where this process does.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        read = subprocess.run(  # noqa: S603
            command,
            input=data,
            capture_output=True,
            check=True,
            timeout=_MOST_SECONDS,
            env=environment,
        )
        told = parse_json(read.stdout.decode())
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        # It ended by a limit, in the library itself, or could not begin.
        reason = "damaged, of too much work, or Python cannot start a process"
        raise UnreadableError(f"whose PDF cannot be parsed ({reason})") from error
    if "error" in told:
        raise UnreadableError(told["error"])
    pages = [page.replace("\r\n", "\n") for page in told["pages"]]
    text = _LEADER.sub(" … ", "\n".join(without_running_heads(pages)))
    if len(text) > MOST_BYTES:
        raise UnreadableError(f"of more than {MOST_BYTES:,} characters; split them")
    text = _HYPHEN.sub(_joined, text)
    text = _CONTENTS.sub("", text) or text
    outline = [(level, title) for level, title in told["outline"]]
    return Extract(text, told["title"], headings=_headings(text, outline))


def _headings(text: str, outline: Iterable[tuple[int, str]]) -> list[tuple[int, int, str]]:
    """The titles of an outline that are lines of the text in this order, but for their numbers."""
    places, place = defaultdict[str, list[int]](list), 0
    for line in text.split("\n"):
        places[_without_number(line)].append(place)
        place += len(line) + 1
    found, last = list[tuple[int, int, str]](), -1
    for level, title in outline:
        known = places.get(_without_number(title), [])
        if title.strip() and (number := bisect_right(known, last)) < len(known):
            last = known[number]
            found.append((last, level, title))
    return found


def _without_number(heading: str) -> str:
    return " ".join(_NUMBER.sub("", heading[:_LONGEST_HEADING]).split()).casefold()


def _joined(hyphen: re.Match[str]) -> str:
    """Nothing within a word; a hyphen before a capital, as in German compounds, and a digit."""
    return "" if hyphen[1].islower() else "-"
