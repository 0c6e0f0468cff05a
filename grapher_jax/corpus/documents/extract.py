"""What a file holds, as its reader gives it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

Links = Sequence[tuple[int, str]]
Headings = Sequence[tuple[int, int, str]]

# Bytes of a file, of what it is packed of, and characters of what is made of it.
MOST_BYTES = 100_000_000
LOWEST_HEADING = 6


class UnreadableError(Exception):
    """A file that cannot be read; the message says what such files are, such as `binary`."""


@dataclass(frozen=True, slots=True)
class Extract:
    """What a file holds.

    Attributes:
        text: what is chunked.
        title: may be empty.
        links: places in `text`, ascending, with the targets as they are written.
        headings: places in `text`, ascending, with the level from 1 to 6 and the words.
        whole: spans of `text` that are not cut where they fit a chunk, such as blocks of code.
        syntax: what the text is written in, as `chunk_spans` has it; empty for plain text.
    """

    text: str
    title: str = ""
    links: Links = ()
    headings: Headings = ()
    whole: Sequence[tuple[int, int]] = ()
    syntax: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a document.

    Attributes:
        text: without white space around it.
        gap: what parts it from the block before it.
        level: that of a heading; 0 for none.
        links: what it leads to.
    """

    text: str
    gap: str = "\n\n"
    level: int = 0
    links: Sequence[str] = ()


def joined(blocks: Iterable[Block]) -> Extract:
    """The blocks one after the other; those without text are left out.

    Raises:
        UnreadableError: where this is longer than 100,000,000 characters.
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


def label_link(label: str) -> str:
    """A link to where a label stands, as `links.Targets` reads it."""
    return f"label:{quote(label)}"


def page_link(page: str) -> str:
    """A link to a page by its name, as `links.Targets` reads it."""
    return f"page:{quote(page)}"
