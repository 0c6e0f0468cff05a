"""A folder of documents as a corpus: chunks, their places, and the links between them."""

import os
import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

from grapher_jax.checks import check_count
from grapher_jax.corpus.documents.chunks import chunk_spans
from grapher_jax.corpus.documents.formats import ENDINGS, Extract, UnreadableError, extract
from grapher_jax.corpus.objects import Object
from grapher_jax.errors import InputError, warn

CHUNK_TOKENS = 200
OVERLAP_TOKENS = 40

# How Python shows a byte of a file's name that is not UTF-8.
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


def holds_documents(folder: Path) -> bool:
    """Whether a folder holds a file that `read_documents` would try to read."""
    names, _ = _find(folder)
    return bool(names)


def read_documents(
    folder: Path, *, chunk_tokens: int = CHUNK_TOKENS, overlap_tokens: int = OVERLAP_TOKENS
) -> Iterator[Object]:
    """Stream the chunks of every .txt, .md, .html, .htm and .pdf file of a folder.

    Files come in the order of their paths, and are read one at a time; what is hidden, and symbolic
    links, are passed over, so that nothing outside the folder is read. A chunk's id is
    `<path>#<number>`; its metadata holds `document_id` (the path, with `/`), `chunk_id` (0, 1, …),
    `span` (`[start, end)` in characters of the extracted text) and `links`.

    A hyperlink to another document becomes the id of that document's first chunk, in the chunk or
    chunks that hold where the link's text begins. An anchor and a query string in it are ignored,
    `/` at its start is the folder, and a link to a folder means its `index.html`.

    A file that cannot be read is left out; one warning counts them.

    Args:
        folder: where the documents are, at any depth.
        chunk_tokens: the most tokens of a chunk, as `count_tokens` counts them. The offline
            embedder reads 256 word pieces, about 230 tokens of English, the title included.
        overlap_tokens: the most tokens that a chunk shares with the one before it.

    Raises:
        InputError: where there is no document, none can be read, or an option is out of range.
    """
    check_count("chunk_tokens", chunk_tokens)
    if not check_count("overlap_tokens", overlap_tokens, least=0) < chunk_tokens:
        raise InputError(
            f"overlap_tokens: {overlap_tokens} must be at least 0 and below chunk_tokens, "
            f"{chunk_tokens}"
        )
    names, left_out = _find(folder)
    if not names:
        _report(folder, left_out, read=0)
        raise InputError(
            f"{folder}: not a BEIR folder (it has no corpus.jsonl), and no document is in it; "
            f"{', '.join(ENDINGS)} are read"
        )
    return _chunks(folder, names, left_out, chunk_tokens, overlap_tokens)


def _chunks(
    folder: Path,
    names: list[str],
    left_out: dict[str, str],
    chunk_tokens: int,
    overlap_tokens: int,
) -> Iterator[Object]:
    known: dict[str, bool] = dict.fromkeys(names, False)

    def load(name: str) -> Extract | None:
        try:
            found = extract(folder / name)
        except UnreadableError as error:
            del known[name]
            left_out[name] = str(error)
            return None
        known[name] = True
        return found

    def is_read(name: str) -> bool:
        # A link may lead to a document that comes later, and cannot be read.
        return name in known and (known[name] or load(name) is not None)

    for name in names:
        document = load(name) if name in known else None
        if document is None:
            continue
        targets = {written: _target(written, name, known) for _, written in document.links}
        links = [
            (place, f"{targets[written]}#0")
            for place, written in document.links
            if targets[written] != name and is_read(targets[written])
        ]
        spans = chunk_spans(
            document.text,
            markdown=name.lower().endswith(".md"),
            chunk_tokens=chunk_tokens,
            overlap_tokens=overlap_tokens,
        )
        for number, (start, end) in enumerate(spans):
            inside = links[bisect_left(links, (start, "")) : bisect_left(links, (end, ""))]
            yield Object(
                id=f"{name}#{number}",
                text=document.text[start:end],
                title=document.title,
                metadata={
                    "document_id": name,
                    "chunk_id": number,
                    "span": [start, end],
                    "links": list(dict.fromkeys(target for _, target in inside)),
                },
            )
    _report(folder, left_out, read=len(known))


def _report(folder: Path, left_out: Mapping[str, str], *, read: int) -> None:
    if not left_out:
        return
    example = min(left_out)
    message = (
        f"{folder}: {len(left_out)} documents cannot be read "
        f"(such as {example}: {left_out[example]})"
    )
    if not read:
        raise InputError(f"{message}, and no other is there; {', '.join(ENDINGS)} are read")
    warn(f"{message}; they are left out", stacklevel=3)


def _find(folder: Path) -> tuple[list[str], dict[str, str]]:
    """The documents' paths from the folder, sorted; and what is passed over, with the reason."""
    names: list[str] = []
    passed: dict[str, str] = {}

    def unlisted(error: OSError) -> None:
        passed[Path(error.filename).relative_to(folder).as_posix()] = error.strerror or str(error)

    for place, folders, files in os.walk(folder, onerror=unlisted):
        folders[:] = [entry for entry in folders if not entry.startswith(".")]
        documents = [
            entry
            for entry in files
            if not entry.startswith(".") and Path(entry).suffix.lower() in ENDINGS
        ]
        for entry in (*folders, *documents):
            path = Path(place, entry)
            name = path.relative_to(folder).as_posix()
            if path.is_symlink():
                passed[name] = "a symbolic link, which is not followed"
            elif _HALF_CHARACTER.search(name):
                passed[ascii(name)] = "its name is not UTF-8"
            elif path.is_file():
                names.append(name)
    return sorted(names), passed


def _target(written: str, source: str, known: Collection[str]) -> str:
    """The document that a link in `source` leads to; `source` itself for one outside."""
    try:
        parts = urlsplit(written)
    except ValueError:
        return source
    if parts.scheme or parts.netloc or not parts.path:
        return source
    path = unquote(parts.path)
    start = "" if path.startswith("/") else dirname(source)
    for name in (path, f"{path}/index.html"):
        if (target := normpath(join(start, name.lstrip("/")))) in known:
            return target
    return source
