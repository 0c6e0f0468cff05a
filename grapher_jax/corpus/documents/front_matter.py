"""The front matter of Markdown: YAML, or TOML between other marks, above the text of a page."""

import re
import tomllib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grapher_jax.errors import require

if TYPE_CHECKING:
    from yaml import Node

_FRONT_MATTER = re.compile(
    r"(?:---[ \t]*\n((?=(?:[ \t]*(?:#.*)?\n)*[\"']?[\w-]+[\"']?[ \t]*:)(?:.*\n)*?)---|"
    r"\+\+\+[ \t]*\n((?=[\w-]+[ \t]*=|[\[#])(?:.*\n)*?)\+\+\+)[ \t]*(?:\n|\Z)"
)
# The title of what cannot be parsed, such as templates.
_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(?:\"([^\"\n]*)\"|'([^'\n]*)'|(.*))", re.MULTILINE)
# What says how a page is shown or made, and not what it is about.
_OF_PAGE = {
    *("layout", "template", "theme", "slug", "url", "permalink", "redirect_from", "canonical"),
    *("weight", "order", "nav_order", "sidebar", "sidebar_position", "sidebar_label", "parent_nav"),
    *("toc", "pagination_next", "pagination_prev", "hide_table_of_contents", "draft", "published"),
    *("image", "images", "cover", "thumbnail", "icon", "banner", "css", "cssclass", "cssclasses"),
    *("id", "uid", "uuid", "jupyter", "jupytext", "kernelspec", "output", "format", "ms.custom"),
}
_LONGEST = 1000


def front_matter(text: str) -> tuple[int, str, str]:
    """Where the text of a page begins, its title, and lines `name: value` of other properties.

    Of what its front matter does not tell, the result is empty.
    """
    found = _FRONT_MATTER.match(text)
    if not found:
        return 0, "", ""
    try:
        told = dict(_of_yaml(found[1]) if found[2] is None else _of_toml(found[2]))
    except (ValueError, RecursionError):
        titled = _TITLE.search(found[0])
        told = {"title": titled[titled.lastindex or 0]} if titled else {}
    told = {name: " ".join(said.split()) for name, said in told.items()}
    title = told.pop("title", "")
    others = (
        f"{name}: {said}"
        for name, said in told.items()
        if name.casefold() not in _OF_PAGE and 0 < len(said) <= _LONGEST
    )
    return found.end(), title, "\n".join(others)


def _of_toml(text: str) -> Iterator[tuple[str, str]]:
    for name, value in tomllib.loads(text).items():
        values = value if isinstance(value, list) else [value]
        is_plain = not any(isinstance(one, dict | list | bool) for one in values)
        if is_plain and (name != "title" or values == [value]):
            yield name, ", ".join(map(str, values))


def _of_yaml(text: str) -> Iterator[tuple[str, str]]:
    """The names and values of a mapping; raises ValueError if it is none or cannot be parsed."""
    yaml = require("yaml")
    try:  # composed alone, so that nothing is constructed and no alias is followed
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None
    if not isinstance(node, yaml.MappingNode):
        raise ValueError(text)
    for key, value in node.value:
        # A list is no title.
        if isinstance(key, yaml.ScalarNode) and (key.value != "title" or value.id == "scalar"):
            parts = value.value if isinstance(value, yaml.SequenceNode) else [value]
            yield str(key.value), ", ".join(filter(None, map(_said, parts)))


def _said(node: "Node") -> str:
    """A plain value; `[[Page]]` of Obsidian, which is a list in a list; else empty."""
    yaml = require("yaml")
    if isinstance(node, yaml.ScalarNode):
        return "" if node.tag.endswith((":null", ":bool")) else str(node.value)
    while isinstance(node, yaml.SequenceNode) and len(node.value) == 1:
        (node,) = node.value
    return f"[[{node.value}]]" if isinstance(node, yaml.ScalarNode) else ""
