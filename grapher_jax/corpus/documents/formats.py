"""The reader for each file format; file contents are data and never executed."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from grapher_jax.checks import check_choice
from grapher_jax.corpus.documents.asciidoc import asciidoc
from grapher_jax.corpus.documents.data import WORKBOOKS, json_document, json_lines, table
from grapher_jax.corpus.documents.decode import decode
from grapher_jax.corpus.documents.extract import MOST_BYTES, Extract, UnreadableError
from grapher_jax.corpus.documents.html import html
from grapher_jax.corpus.documents.links import ASCIIDOC
from grapher_jax.corpus.documents.mail import MAIL, MAILBOX, mailbox, message
from grapher_jax.corpus.documents.markdown import markdown, mdx, notebook
from grapher_jax.corpus.documents.markitdown import CONVERTED, check_installed
from grapher_jax.corpus.documents.office import slides, word, workbook
from grapher_jax.corpus.documents.pdf import pdf
from grapher_jax.corpus.documents.restructured import restructured

# Names of files that tell nothing.
_UNTOLD = {"index", "_index", "readme"}
_LONGEST_TITLE = 200
_LONGEST_LINE = 5000


def extract(path: Path, reader: str) -> Extract:
    """Read a file by the reader with this name, one of `READERS`, which reads its ending.

    The title is HTML's `<title>`, without a site's name after the first heading, or a PDF's own
    title, or a record's, else the first heading, in Markdown of level 1 or at the beginning, else
    the file's name, or any first heading of an `index` or `readme`. It is cut at 200 characters,
    because every chunk repeats it.

    Raises:
        UnreadableError: if the file cannot be opened, decoded or parsed, has no text, or has more
            than 100,000,000 bytes.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UnreadableError(f"of more than {MOST_BYTES:,} bytes; split them")
        found = _BY_ENDING[reader][path.suffix.lower()](path.read_bytes())
    except OSError as error:
        raise UnreadableError(f"unreadable ({error.strerror or error})") from error
    if not found.text.strip():
        raise UnreadableError("without text")
    headings = [(place, level, _heading(words)) for place, level, words in found.headings]
    records = [(own, _titled(one, path.stem)) for own, one in found.records]
    return replace(_titled(found, path.stem), headings=headings, records=records)


def _titled(found: Extract, stem: str) -> Extract:
    first = [words for _, _, words in found.headings[:1] if stem.casefold() in _UNTOLD]
    return replace(found, title=next(filter(None, map(_heading, [found.title, *first])), stem))


def _heading(words: str) -> str:
    return " ".join(words.split())[:_LONGEST_TITLE].strip()


def _plain(data: bytes) -> Extract:
    return Extract(decode(data))


def _code(syntax: str) -> Callable[[bytes], Extract]:
    """The reader for code with this syntax: one of `chunks.GRAMMARS`, or empty for others."""

    def code(data: bytes) -> Extract:
        text = decode(data)
        if any(len(line) > _LONGEST_LINE for line in text.split("\n")):
            reason = f"with lines of more than {_LONGEST_LINE:,} characters, as no one writes code"
            raise UnreadableError(reason)
        return Extract(text, syntax=syntax)

    return code


# A folder with a file of one of these formats is a folder of documents.
_WRITINGS: Mapping[str, Callable[[bytes], Extract]] = {
    ".txt": _plain,
    ".md": markdown,
    ".markdown": markdown,
    ".mdx": mdx,
    ".rst": restructured,
    **dict.fromkeys(ASCIIDOC, asciidoc),
    ".ipynb": notebook,
    ".html": html,
    ".htm": html,
    ".pdf": pdf,
    ".docx": word,
    ".pptx": slides,
    MAIL: message,
    MAILBOX: mailbox,
}
# Indexes, BEIR folders and programs also have these, without being folders of documents.
_BESIDE: Mapping[str, Callable[[bytes], Extract]] = {
    ".csv": table,
    ".tsv": table,
    **dict.fromkeys(WORKBOOKS, workbook),
    ".json": json_document,
    ".jsonl": json_lines,
    ".ndjson": json_lines,
    **{
        ending: _code(syntax)
        for syntax, endings in {
            "c": (".c", ".h"),
            "cpp": (".cc", ".cpp", ".hpp"),
            "go": (".go",),
            "java": (".java",),
            "javascript": (".js", ".jsx", ".mjs"),
            "python": (".py",),
            "rust": (".rs",),
            "tsx": (".tsx",),
            "typescript": (".ts",),
            "": (".cs", ".kt", ".php", ".rb", ".scala", ".sh", ".sql", ".swift"),
        }.items()
        for ending in endings
    },
}
BUILT_IN = "built-in"
MARKITDOWN = "markitdown"
READERS: Mapping[str, Mapping[str, Callable[[bytes], Extract]]] = {
    BUILT_IN: _WRITINGS,
    MARKITDOWN: {**_WRITINGS, **CONVERTED},
}
_BY_ENDING = {name: {**_BESIDE, **own} for name, own in READERS.items()}


def check_reader(name: object) -> str:
    """Check the name of a reader, and that what it needs is installed.

    Raises:
        InputError: for an unknown name.
        MissingExtraError: if a library is not installed.
    """
    reader = check_choice("reader", name, READERS)
    if reader == MARKITDOWN:
        check_installed()
    return reader


def writings(reader: str) -> tuple[str, ...]:
    """The endings of the documents that a reader reads."""
    return tuple(READERS[reader])


def endings(reader: str) -> tuple[str, ...]:
    """The endings of all files that are read beside documents, and of the documents."""
    return tuple(_BY_ENDING[reader])
