"""E-mails: single messages, and mailboxes of many."""

import re
from codecs import lookup
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grapher_jax.corpus.documents.decode import decode
from grapher_jax.corpus.documents.extract import (
    Block,
    Extract,
    Record,
    UnreadableError,
    joined,
    label_link,
)
from grapher_jax.corpus.documents.html import html
from grapher_jax.errors import MissingExtraError

if TYPE_CHECKING:
    from email.message import Message

MAIL, MAILBOX = ".eml", ".mbox"
_SAID = ("From", "To", "Cc", "Date")
_NAME = re.compile(r"<[^<>\s]{1,500}>")
# The header of an e-mail is within its first characters.
HEADER = 2**16
_OWN_NAME = re.compile(rf"^Message-ID:\s{{0,9}}({_NAME.pattern})", re.IGNORECASE | re.MULTILINE)
# A line that begins a message in a mailbox ends with a date; another such line has a mark.
_BEGINS = re.compile(
    rb"(?:\A|(?<=\n))From [^\n]{0,500}?\d\d?:\d\d[^\n]{0,30}\b\d{4}\b[^\n]{0,9}(?:\n|\Z)"
)
_ESCAPES = ("iso2022", "hz", "utf-7", "utf-16", "utf-32")
_MARKED = re.compile(rb"^>(>*From )", re.MULTILINE)


def message(data: bytes) -> Extract:
    """Who wrote an e-mail to whom and when, with its text; linked to the one that it answers.

    Its subject is the title. Of several forms of its text the plain one is read, else HTML; of
    attachments their names.
    """
    found = _read(data)
    links = [(0, label_link(found.parent))] if found.parent else []
    return Extract(found.text, found.subject, links)


def mailbox(data: bytes) -> Extract:
    """The messages of an mbox file as records, with the names by which they answer each other."""
    begins = [*_BEGINS.finditer(data)]
    if not begins or begins[0].start():
        raise UnreadableError("without a line 'From ' with a date, which begins a mailbox")
    ends = [*(one.start() for one in begins[1:]), len(data)]
    names = set[str]()
    records: list[Record] = []
    failed: list[UnreadableError] = []
    for number, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        try:
            found = _read(_MARKED.sub(rb"\1", data[begin.end() : end]))
        except UnreadableError as error:
            failed.append(error)
            continue
        # Each has another name, also a copy, without which none would be known by its own.
        name = found.name if found.name not in names else ""
        names.add(name)
        told = {
            "Subject": found.subject,
            "Message-ID": name or f"{number}",
            "In-Reply-To": found.parent,
        }
        text = "\n".join([*_lines(told), found.text])
        records.append((str(number), Extract(text, found.subject)))
    whole = joined(Block(one.text) for _, one in records)
    notes = [f"{len(failed)} of its messages left out, {failed[0]}"] if failed else []
    return replace(whole, records=records, notes=notes)


def name_of_message(text: str) -> str:
    """The name by which answers call an e-mail; empty for none."""
    found = _OWN_NAME.search(text, 0, HEADER)
    return found[1] if found else ""


@dataclass(frozen=True, slots=True)
class _Message:
    name: str
    parent: str
    subject: str
    text: str


def _read(data: bytes) -> _Message:
    from email import message_from_bytes

    try:
        mail = message_from_bytes(data)
        headers = {name.lower(): _said(value) for name, value in reversed([*mail.raw_items()])}
        told = {name: headers.get(name.lower(), "") for name in _SAID}
        told["Attachments"] = ", ".join(
            _said(name) for part in mail.walk() if (name := part.get_filename())
        )
        text = "\n\n".join(filter(None, ["\n".join(_lines(told)), *_texts(mail.walk())]))
    except (UnreadableError, MissingExtraError):
        raise
    except Exception as error:  # a damaged one can make its reader fail in any way
        raise UnreadableError("damaged e-mails") from error
    own = _NAME.findall(headers.get("message-id", ""))
    before = f"{headers.get('references', '')} {headers.get('in-reply-to', '')}"
    parents = _NAME.findall(before)
    return _Message(
        own[0] if own else "", parents[-1] if parents else "", headers.get("subject", ""), text
    )


def _lines(told: Mapping[str, str]) -> list[str]:
    return [f"{name}: {said}" for name, said in told.items() if said]


def _said(value: str) -> str:
    """A header's value in one line, without its encoding."""
    from email.header import decode_header, make_header

    # Python takes quadratic time for many encoded words.
    sent = decode(value[:HEADER].encode(errors="surrogateescape"))
    with suppress(LookupError, ValueError):  # of an encoding that there is not
        sent = str(make_header(decode_header(sent)))
    return " ".join(sent.split())


def _texts(parts: Iterable["Message"]) -> list[str]:
    """The plain texts of a message, or its pages if it has none, without attachments."""
    found: dict[str, list[str]] = {"text/plain": [], "text/html": []}
    for part in parts:
        sent = part.get_payload(decode=True)
        if not part.get_filename() and isinstance(sent, bytes):
            text = _decoded(sent, part.get_content_charset("")).strip()
            found.setdefault(part.get_content_type(), []).append(text)
    plain = [*filter(None, found["text/plain"])]
    return plain or [html(page.encode()).text for page in found["text/html"]]


def _decoded(sent: bytes, charset: str) -> str:
    try:
        name = lookup(charset).name
    except (LookupError, ValueError):
        name = ""
    # Japanese and Chinese in seven bits look like ASCII.
    in_escapes = name.startswith(_ESCAPES)
    return sent.decode(name, "replace") if in_escapes else decode(sent, name)
