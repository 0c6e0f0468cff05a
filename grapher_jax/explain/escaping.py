"""Escapes the strings of a report as HTML, so that they are always shown as text."""

from html import escape

# Characters that change the direction of the text after them are written as escapes.
_TURNING = {mark: f"\\u{mark:04x}" for mark in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}


def as_text(value: object) -> str:
    """The value as HTML that only shows it as text."""
    return escape(str(value).translate(_TURNING), quote=True)


def shortened(text: str, longest: int) -> str:
    """The text on one line of at most this many characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
