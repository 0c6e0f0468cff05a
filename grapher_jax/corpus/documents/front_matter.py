"""The front matter of Markdown: YAML, or TOML between other marks, above the text of a page."""

import re
import tomllib
from collections.abc import Mapping
from datetime import date

from grapher_jax.errors import require

_FRONT_MATTER = re.compile(
    r"(?:---[ \t]*\n((?=(?:[ \t]*(?:#.*)?\n)*[\"']?[\w-]+[\"']?[ \t]*:)(?:.*\n)*?)---|"
    r"\+\+\+[ \t]*\n((?=[\w-]+[ \t]*=|[\[#])(?:.*\n)*?)\+\+\+)[ \t]*(?:\n|\Z)"
)
# The title of what cannot be parsed, such as templates.
_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(?:\"([^\"\n]*)\"|'([^'\n]*)'|(.*))", re.MULTILINE)


def front_matter(text: str) -> tuple[int, str]:
    """Where the text of a page begins, and the title that its front matter gives; else empty."""
    found = _FRONT_MATTER.match(text)
    if not found:
        return 0, ""
    try:
        own = tomllib.loads(found[2]) if found[1] is None else _parsed(found[1])
    except (ValueError, RecursionError):
        titled = _TITLE.search(found[0])
        return found.end(), titled[titled.lastindex or 0].strip() if titled else ""
    title = own.get("title")
    is_plain = isinstance(title, str | int | float | date) and not isinstance(title, bool)
    return found.end(), " ".join(str(title).split()) if is_plain else ""


def _parsed(text: str) -> Mapping[str, object]:
    """The keys of YAML; raises ValueError if it has none or cannot be parsed."""
    yaml = require("yaml")
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None
    if not isinstance(found, dict):
        raise ValueError(text)
    return found
