"""Pages of the API, one a room, made from the package when the documentation is built.

A hook of mkdocs: it walks the package, so that no page can forget a name, whatever moves. A name
stands once, where its room's front shows it, or else under its module. Names are those of a room's
`__all__`, and of every further module the ones without a leading underscore. `kernels` is its
`__all__` alone, for its inner modules may change at any time. The command line's page is made from
its verbs and options.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import click
import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from typer.main import get_command

ROOT = Path(__file__).parents[2]
PACKAGE = "grapher_jax"
FRONT_ALONE = ("kernels",)
COMMAND_LINE, FACADES, FOUNDATION = "command_line", "facades", "foundation"
TITLES = {FACADES: "Façades", FOUNDATION: "Errors and foundation"}
LEADS = {
    FACADES: "What most programs need: the modules that hand to all rooms.",
    FOUNDATION: "Errors, and the modules that every room stands on.",
    COMMAND_LINE: "The verbs of `grapher-jax`, with all their options.",
}

_log = logging.getLogger(f"mkdocs.hooks.{__name__}")


@dataclass(frozen=True)
class Entry:
    """A module on a page, and those of its names that stand there."""

    module: str
    names: tuple[str, ...]

    @property
    def markdown(self) -> str:
        """What mkdocstrings reads."""
        members = "".join(f"\n        - {name}" for name in self.names)
        return f"::: {self.module}\n    options:\n      members:{members}\n"


@dataclass(frozen=True)
class Room:
    """A page of the API.

    Attributes:
        name: that of the room's folder, of its page, and of the page's file.
        lead: what the room is, in a sentence.
        entries: its modules, the front first.
    """

    name: str
    lead: str
    entries: tuple[Entry, ...]

    @property
    def title(self) -> str:
        """What the page is called."""
        return TITLES.get(self.name, self.name.replace("_", " ").capitalize())

    @property
    def path(self) -> str:
        """Where the page lies, from the documentation's folder.

        A folder's page has its whole name: `api/index.md` is the index of all pages.
        """
        alone = self.name in (FACADES, FOUNDATION)
        return f"api/{self.name}.md" if alone else f"api/{PACKAGE}.{self.name}.md"

    @property
    def names(self) -> list[str]:
        """Every name of the page, as its module shows it."""
        return [f"{entry.module}.{name}" for entry in self.entries for name in entry.names]

    @property
    def markdown(self) -> str:
        """The page."""
        if self.name == COMMAND_LINE:
            return "\n".join(_verbs(self))
        # The front's docstring says what a room is; where there is none, the lead does.
        lead = [self.lead] if self.name in LEADS else []
        parts = [f"# {self.title}", *lead, *(entry.markdown for entry in self.entries)]
        return "\n\n".join(parts)


@cache
def load() -> griffe.Module:
    """The package as it is written; none of its modules is run."""
    loader = griffe.GriffeLoader(search_paths=[ROOT])
    package = loader.load(PACKAGE)
    loader.resolve_aliases(implicit=True, external=False)
    return package


@cache  # every page asks
def rooms(package: griffe.Module) -> list[Room]:
    """Every page but the index: façades, rooms by name, foundation, command line."""
    modules = _modules(package)
    folders = [module for module in modules if module.is_subpackage]
    flat = [module for module in modules if not module.is_subpackage]
    facades = [module for module in flat if _imports_any(module, folders)]
    foundation = [module for module in flat if module not in facades]
    found = [Room(FACADES, LEADS[FACADES], tuple(_entries(facades)))]
    for room in folders:
        if room.name != COMMAND_LINE:
            shown = [room] if room.name in FRONT_ALONE else [room, *_below(room)]
            found.append(Room(room.name, _first_line(room), tuple(_entries(shown))))
    found.append(Room(FOUNDATION, LEADS[FOUNDATION], tuple(_entries(foundation))))
    found.append(Room(COMMAND_LINE, LEADS[COMMAND_LINE], ()))
    return found


def _modules(package: griffe.Module) -> list[griffe.Module]:
    """Those of a folder that have no underscore; what it imports are aliases."""
    return [
        module
        for name, module in sorted(package.modules.items())
        if not (name.startswith("_") or module.is_alias)
    ]


def _below(room: griffe.Module) -> Iterator[griffe.Module]:
    """A room's modules, the shallow ones first: fronts show the names of what lies below them."""
    modules = _modules(room)
    yield from modules
    for module in modules:
        yield from _below(module)


def _entries(modules: list[griffe.Module]) -> Iterator[Entry]:
    shown: set[str] = set()
    for module in modules:
        names = []
        for name in _public(module):
            member = module[name]
            home = member.canonical_path
            inside = any(home.startswith(f"{other.path}.") for other in modules)
            # A function that is named like its module stands under that module.
            if inside and home not in shown and not member.is_module:
                shown.add(home)
                names.append(name)
        if names:
            yield Entry(module.path, tuple(names))


def _public(module: griffe.Module) -> list[str]:
    """The names that a module shows: its `__all__`, or what is defined in it without underscore."""
    if module.exports is not None:
        return [str(name) for name in module.exports if not str(name).startswith("_")]
    return [
        name
        for name, member in module.members.items()
        if not (name.startswith("_") or member.is_alias or member.is_module)
    ]


def _imports_any(module: griffe.Module, rooms: list[griffe.Module]) -> bool:
    paths = tuple(f"{room.path}." for room in rooms)
    return any(f"{target}.".startswith(paths) for target in module.imports.values())


def _first_line(module: griffe.Module) -> str:
    return module.docstring.value.splitlines()[0] if module.docstring else ""


def _verbs(room: Room) -> Iterator[str]:
    from grapher_jax.command_line.commands import app

    yield f"# {room.title}\n\n{room.lead}\n"
    for name, verb in sorted(get_command(app).commands.items()):
        yield f"## {name}\n\n{(verb.help or '').strip()}\n"
        yield "| | |\n|---|---|"
        for parameter in verb.params:
            yield f"| {_usage(parameter)} | {_cell(getattr(parameter, 'help', None) or '')} |"
        yield ""


def _usage(parameter: click.Parameter) -> str:
    if isinstance(parameter, click.Argument):
        return f"`{parameter.make_metavar(click.Context(click.Command('')))}`"
    return ", ".join(f"`{option}`" for option in (*parameter.opts, *parameter.secondary_opts))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _index(package: griffe.Module) -> str:
    """What the index of the pages ends with: every page, and the names of the package itself."""
    pages = (f"| [{room.title}]({Path(room.path).name}) | {room.lead} |" for room in rooms(package))
    names = (name for name in package.exports if not str(name).startswith("_"))
    return "\n".join(
        [
            *("| | |", "|---|---|", *pages),
            "\n`import grapher_jax as gj` has these names, each loaded when it is first used:\n",
            *(f"- [`gj.{name}`][{package[str(name)].canonical_path}]" for name in names),
        ]
    )


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages into the navigation, below their index."""
    pages = [room.path for room in rooms(load())]
    for item in config.nav:
        if "API" in item:
            item["API"] = [item["API"], *pages]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages."""
    for room in rooms(load()):
        files.append(File.generated(config, room.path, content=room.markdown))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Complete the index."""
    return f"{markdown}\n{_index(load())}" if page.file.src_uri == "api/index.md" else markdown


def on_page_content(html: str, page: Page, **_: object) -> None:
    """Warn, which ends a strict build, of a name that its page does not show."""
    for room in rooms(load()):
        if room.path == page.file.src_uri:
            for name in room.names:
                if f'id="{name}"' not in html:
                    _log.warning("%s: %s is not shown", room.path, name)
