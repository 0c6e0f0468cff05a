"""The content of a file, as its reader returns it."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

Links = Sequence[tuple[int, str]]
Headings = Sequence[tuple[int, int, str]]

# The maximum size of a file in bytes, also when unpacked, and of its text in characters.
MOST_BYTES = 100_000_000
LOWEST_HEADING = 6


class UnreadableError(Exception):
    """A file that cannot be read; the message is the kind of such files, such as `binary`.

    Attributes:
        leads_to: the address of a page that this one leads to at once; empty for none.
    """

    def __init__(self, kind: str, *, leads_to: str = "") -> None:
        """Take the kind of such files."""
        super().__init__(kind)
        self.leads_to = leads_to


@dataclass(frozen=True, slots=True)
class Extract:
    """The content of a file.

    Attributes:
        text: the text to be chunked.
        title: may be empty.
        links: ascending positions in `text`, with the targets as they are written.
        headings: ascending positions in `text`, with the level from 1 to 6 and the words.
        whole: spans of `text` that are not cut if they fit into a chunk, such as blocks of code.
        syntax: the syntax of the text, as for `chunk_spans`; empty for plain text.
        anchors: positions in `text`, with the names by which links lead to them.
        labels: the same for Sphinx's labels that are no part of `text`.
        linked: ascending spans of `text` that links fill, each with how many of its characters are
            words.
        records: for a file of records, each with its id in the file: documents of their own,
            instead of `text`.
        notes: what a user should know of how the file was read.
    """

    text: str
    title: str = ""
    links: Links = ()
    headings: Headings = ()
    whole: Sequence[tuple[int, int]] = ()
    syntax: str = ""
    anchors: Sequence[tuple[int, str]] = ()
    labels: Sequence[tuple[int, str]] = ()
    linked: Sequence[tuple[int, int, int]] = ()
    records: Sequence["Record"] = ()
    notes: Sequence[str] = ()


Record = tuple[str, Extract]


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a document.

    Attributes:
        text: its text, without surrounding white space.
        gap: the separator from the block before it.
        level: the level of a heading; 0 for none.
        links: the targets of its links.
    """

    text: str
    gap: str = "\n\n"
    level: int = 0
    links: Sequence[str] = ()


def joined(blocks: Iterable[Block]) -> Extract:
    """Joins blocks in order; those without text are left out.

    Raises:
        UnreadableError: if the result is longer than 100,000,000 characters.
    """
    pieces: list[str] = []
    links: list[tuple[int, str]] = []
    headings: list[tuple[int, int, str]] = []
    length = 0
    for block in blocks:
        if not block.text:
            continue
        if pieces:
            pieces.append(block.gap)
            length += len(block.gap)
        links += ((length, target) for target in block.links)
        if block.level:
            headings.append((length, min(block.level, LOWEST_HEADING), block.text))
        pieces.append(block.text)
        length += len(block.text)
        if length > MOST_BYTES:
            raise UnreadableError(f"of more than {MOST_BYTES:,} characters; split them")
    title = headings[0][2] if headings else ""
    return Extract("".join(pieces), title, links, headings)


def cut_out(text: str, spans: Iterable[tuple[int, int]]) -> tuple[str, Callable[[int], int]]:
    """The text without these spans, and the function from a former position to the present one."""
    pieces, starts, ends, gone = list[str](), [0], [0], [0]
    for start, end in sorted(spans):
        if start >= ends[-1] and start < end:
            pieces.append(text[ends[-1] : start])
            starts.append(start)
            gone.append(gone[-1] + end - start)
            ends.append(end)
    pieces.append(text[ends[-1] :])

    def moved(place: int) -> int:
        last = bisect_right(starts, place) - 1
        return place - gone[last] + max(ends[last] - place, 0)

    return "".join(pieces), moved


def label_link(label: str) -> str:
    """A link to a label, as `links.Targets` reads it."""
    return f"label:{quote(label)}"


def page_link(pages: Sequence[str], part: str = "") -> str:
    """A link to the first page that there is, by names, as `links.Targets` reads it.

    Args:
        pages: the names; none for the page of the link itself.
        part: the words of a heading, or an anchor, to which the link leads.
    """
    anchor = f"#{quote(part)}" if part else ""
    return f"page:{quote('|'.join(pages))}{anchor}" if pages else anchor


def xref_link(target: str) -> str:
    """A link of AsciiDoc to a file, or to a page of Antora, as `links.Targets` reads it."""
    path, mark, anchor = target.partition("#")
    return f"xref:{quote(path, safe='/:$')}{mark}{quote(anchor)}"
