"""PDF files."""

import os
import re
import subprocess
import sys
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
# PDFium's mark for a hyphen at the end of a line, which it joins with the next one.
_HYPHEN = re.compile(r"[\x02\ufffe](?=([^\W\d_]?))")


def pdf(data: bytes) -> Extract:
    """The text of the pages, joined by line breaks, without running heads and page numbers.

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
    return Extract(_HYPHEN.sub(_joined, text), told["title"])


def _joined(hyphen: re.Match[str]) -> str:
    """Nothing within a word; a hyphen before a capital, as in German compounds, and a digit."""
    return "" if hyphen[1].islower() else "-"
