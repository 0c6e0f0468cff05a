"""Words of a report as HTML: whatever they hold, they are text."""

from html import escape

# Marks that turn the direction of all text after them are written out.
_TURNING = {mark: f"\\u{mark:04x}" for mark in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}


def as_text(value: object) -> str:
    """The value as HTML that shows it, and nothing else."""
    return escape(str(value).translate(_TURNING), quote=True)


def shortened(text: str, longest: int) -> str:
    """The text in one line of so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
