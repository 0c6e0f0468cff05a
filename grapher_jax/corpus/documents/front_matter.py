"""The front matter of Markdown: YAML, or TOML between other marks, above the text of a page."""

import re
import tomllib

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
        title = _of_toml(found[2]) if found[1] is None else _of_yaml(found[1])
    except (ValueError, RecursionError):
        titled = _TITLE.search(found[0])
        title = titled[titled.lastindex or 0] if titled else ""
    return found.end(), " ".join(title.split())


def _of_toml(text: str) -> str:
    title = tomllib.loads(text).get("title", "")
    return "" if isinstance(title, dict | list | bool) else str(title)


def _of_yaml(text: str) -> str:
    """The title; raises ValueError if the text is no mapping or cannot be parsed."""
    yaml = require("yaml")
    try:  # composed alone, so that nothing is constructed and no alias is followed
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None
    if not isinstance(node, yaml.MappingNode):
        raise ValueError(text)
    for key, value in node.value:
        if key.value == "title" and isinstance(value, yaml.ScalarNode):
            return "" if value.tag.endswith((":null", ":bool")) else str(value.value)
    return ""
