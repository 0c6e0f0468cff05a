"""A folder of documents as a corpus: chunks, their places, and the links between them."""

import os
import re
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from grapher_jax.checks import check_count
from grapher_jax.corpus.documents.chunks import chunk_spans
from grapher_jax.corpus.documents.extract import Extract, UnreadableError
from grapher_jax.corpus.documents.formats import ENDINGS, WRITINGS, extract
from grapher_jax.corpus.documents.links import Targets
from grapher_jax.corpus.objects import Object
from grapher_jax.errors import InputError, warn

CHUNK_TOKENS = 200
OVERLAP_TOKENS = 40

# In these cases nobody is warned.
_HIDDEN, _INDEX = "hidden", "an index"
_BESIDE = "data or code, which is read beside documents alone"
_READ = f"{', '.join(WRITINGS)} are read, and beside them tables, JSON and code"
_MOST_REASONS = 6
# How Python shows a byte of a file's name that is not UTF-8.
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


def holds_documents(folder: Path) -> bool:
    """Whether a folder holds a document, beside which `read_documents` reads data and code too."""
    names, _ = _find(folder)
    return any(map(_is_document, names))


def is_read(folder: Path) -> bool:
    """Whether a folder within one of documents is looked into."""
    return not folder.name.startswith(".") and not holds_index(folder)


def holds_index(folder: Path) -> bool:
    """Whether a folder is one that `Index.save` wrote; a website has a manifest too."""
    return all((folder / name).is_file() for name in ("manifest.json", "objects.parquet"))


def _is_document(name: str) -> bool:
    return name.lower().endswith(WRITINGS)


def read_documents(
    folder: Path, *, chunk_tokens: int = CHUNK_TOKENS, overlap_tokens: int = OVERLAP_TOKENS
) -> Iterator[Object]:
    """Stream the chunks of a folder's documents: text, Markdown, HTML, PDF, office files and more.

    Read are .txt, .md, .rst, .ipynb, .html, .htm, .pdf, .docx and .pptx files, and where there is
    one of these, .csv, .tsv, .json and .jsonl files and source code too. Of tables and JSON each
    record is lines of `name: value`; code is cut at its definitions.

    Files come in the order of their paths, and are read one at a time; what is hidden, indexes, and
    symbolic links are passed over, so that nothing outside the folder is read. A chunk's id is
    `<path>#<number>`; its metadata holds `document_id` (the path, with `/`), `chunk_id` (0, 1, …),
    `span` (`[start, end)` in characters of the extracted text), `links`, and `headings`, those that
    stand above where the chunk begins, but for the title, where the format has headings.

    A hyperlink to another document becomes the id of that document's first chunk, in the chunk or
    chunks that hold where the link's text begins. An anchor and a query string in it are ignored,
    `/` at its start is the folder, and a link to a folder means its index. A document may be named
    without its ending, or by the `.html` that is made of it, as Sphinx does in its `doc` role and
    its trees of contents, which are read in reStructuredText and MyST, and so are its `ref` roles,
    which name a label of any document. `[[Page]]` in Markdown names a document by its path without
    an ending, or by the last part of it; of several the one that lies highest is meant.

    Files that are not read are left out; one warning counts them by reason. What is hidden alone is
    no reason to warn.

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
    if not any(map(_is_document, names)):
        left_out |= dict.fromkeys(names, _BESIDE)
        passed = f" (left out: {_counted(left_out)})" if left_out else ""
        raise InputError(
            f"{folder}: not a BEIR folder (it has no corpus.jsonl), and no document is in it"
            f"{passed}; {_READ}"
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
    leads = Targets(folder, known)

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
        targets = {written: leads.of(written, name) for _, written in document.links}
        links = [
            (place, f"{targets[written]}#0")
            for place, written in document.links
            if targets[written] != name and is_read(targets[written])
        ]
        spans = chunk_spans(
            document.text,
            chunk_tokens=chunk_tokens,
            overlap_tokens=overlap_tokens,
            syntax=document.syntax,
            whole=document.whole,
        )
        for number, (start, end, headings) in enumerate(_under_headings(document, spans)):
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
                }
                | ({"headings": headings} if headings else {}),
            )
    _report(folder, left_out, read=len(known))


def _under_headings(
    document: Extract, spans: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int, list[str]]]:
    """The chunks with the headings above where each begins, the highest first."""
    above: dict[int, str] = {}
    below = deque(document.headings)
    for start, end in spans:
        while below and below[0][0] <= start:
            _, level, words = below.popleft()
            above = {own: said for own, said in above.items() if own < level} | {level: words}
        yield start, end, [said for said in above.values() if said not in ("", document.title)]


def _report(folder: Path, left_out: Mapping[str, str], *, read: int) -> None:
    files = f"{len(left_out)} file{'s' * (len(left_out) != 1)} left out: {_counted(left_out)}"
    if not read:
        raise InputError(f"{folder}: {files}; no other is there; {_READ}")
    if set(left_out.values()) - {_HIDDEN, _INDEX}:
        warn(f"{folder}: {files}")


def _counted(left_out: Mapping[str, str]) -> str:
    """How many files are left out for which reason, the commonest first, each with an example."""
    reasons = Counter(left_out.values()).most_common()
    examples = {left_out[name]: name for name in sorted(left_out, reverse=True)}
    named = [f"{times} {why} (such as {examples[why]})" for why, times in reasons[:_MOST_REASONS]]
    if rest := sum(times for _, times in reasons[_MOST_REASONS:]):
        named.append(f"{rest} for other reasons")
    return ", ".join(named)


def _find(folder: Path) -> tuple[list[str], dict[str, str]]:
    """The documents' paths from the folder, sorted; and what is passed over, with the reason."""
    names: list[str] = []
    passed: dict[str, str] = {}

    def unlisted(error: OSError) -> None:
        name = Path(error.filename).relative_to(folder).as_posix()
        passed[name] = f"unreadable ({error.strerror or error})"

    for place, folders, files in os.walk(folder, onerror=unlisted):
        for entry in (*folders, *files):
            path = Path(place, entry)
            name = path.relative_to(folder).as_posix()
            if reason := _passed_over(path, name):
                passed[ascii(name) if _HALF_CHARACTER.search(name) else name] = reason
            elif path.is_file():
                names.append(name)
        folders[:] = [entry for entry in folders if is_read(Path(place, entry))]
    return sorted(names), passed


def _passed_over(path: Path, name: str) -> str:
    """Why a file or folder is not read; empty where it is."""
    if path.name.startswith("."):
        return _HIDDEN
    if holds_index(path):
        return _INDEX
    if path.is_symlink():
        return "linked symbolically, which is not followed"
    if _HALF_CHARACTER.search(name):
        return "with a name that is not UTF-8"
    ending = path.suffix.lower()
    if path.is_file() and ending not in ENDINGS:
        return f"{ending or 'without an ending'}, not read"
    return ""
