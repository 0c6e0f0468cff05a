"""Help as a person sees it on a terminal, and as a program reads it."""

import functools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import grapher_jax as gj
from grapher_jax.command_line import main
from grapher_jax.command_line.commands import app
from grapher_jax.command_line.help import PANELS

PACKAGE = Path(gj.__file__).parent
COMMANDS = typer.main.get_command(app).commands
MOST = ("index", "search", "tables", "serve", "mcp", "evaluate", "train")
FRAME = re.compile("[╭╮╰╯│─]")


def environment(columns):
    return {
        **{name: value for name, value in os.environ.items() if name != "NO_COLOR"},
        "PYTHONPATH": str(PACKAGE.parent),
        "COLUMNS": str(columns),
        "TERM": "xterm-256color",
    }


@functools.cache
def piped(*arguments, columns=80):
    command = [sys.executable, "-m", "grapher_jax", *map(str, arguments)]
    done = subprocess.run(
        command, env=environment(columns), capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout


@functools.cache
def on_a_terminal(*arguments, columns=80):
    """The same, with a terminal as standard output."""
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "grapher_jax", *map(str, arguments)]
    shown = b""
    with subprocess.Popen(command, env=environment(columns), stdout=theirs) as running:
        os.close(theirs)
        while True:
            try:
                piece = os.read(ours, 100_000)
            except OSError:  # Linux says so of a terminal that nobody has open any more
                break
            if not piece:
                break
            shown += piece
    os.close(ours)
    assert running.returncode == 0
    return shown.decode().replace("\r\n", "\n")


def bare(shown):
    return re.sub(r"\x1b\[[0-9;]*m", "", shown)


def words(shown):
    return set(FRAME.sub(" ", shown).split())


@pytest.mark.parametrize("shown", [piped, on_a_terminal])
def test_help_fits_one_screen_and_what_most_people_need_comes_first(shown):
    text = bare(shown("--help"))
    lines = text.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    first, more = text.partition("More commands")[::2]
    names = re.findall(r"^\W*([a-z]+) +[A-Z]", first.partition("Commands")[2], re.MULTILINE)
    assert tuple(names) == MOST
    rest = re.findall(r"^\W*([a-z]+) +[A-Z]", more, re.MULTILINE)
    assert {*names, *rest} == {*COMMANDS}
    assert len(names) + len(rest) == len(COMMANDS)


def without_colours_or_frames_where_piped(*arguments):
    plain, shown = piped(*arguments), on_a_terminal(*arguments)
    assert "\x1b" not in plain
    assert not FRAME.search(plain)
    assert "\x1b[" in shown


def test_what_is_piped_has_neither_colours_nor_frames():
    without_colours_or_frames_where_piped("--help")


@pytest.mark.nightly
def test_nor_have_results_and_the_help_of_a_verb(shop_files, embedder, tmp_path):
    gj.Index.from_source(str(shop_files), embedder=embedder).save(tmp_path / "shop.index")
    without_colours_or_frames_where_piped("search", "--help")
    asked = ("search", tmp_path / "shop.index", "Which stores?", "--ranker", "base")
    without_colours_or_frames_where_piped(*asked)


def test_every_panel_is_of_options_that_there_are():
    options = {(verb, one.name) for verb in COMMANDS for one in COMMANDS[verb].params}
    for names in PANELS.values():
        for name in names:
            verb, _, option = name.rpartition(".")
            assert any(found == option and (not verb or verb == of) for of, found in options), (
                f"{name}: no verb has it; leave it out"
            )


@pytest.mark.parametrize("verb", COMMANDS)
def test_help_of_a_verb_is_grouped_and_the_same_wherever_it_is_shown(verb, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "300")
    command = COMMANDS[verb]
    parameters = command.get_params(command.make_context(verb, [], resilient_parsing=True))
    panels = [one.rich_help_panel or "Options" for one in parameters]
    shown = {}
    for terminal in (False, True):
        monkeypatch.setattr(sys.stdout, "isatty", lambda terminal=terminal: terminal)
        with pytest.raises(SystemExit):
            main([verb, "--help"])
        shown[terminal] = bare(capsys.readouterr().out)
    for title in panels:
        assert f"\n{title}:\n" in shown[False]
        assert f"─ {title} ─" in shown[True]
    assert 1 <= panels.count("Options") <= 12
    for one in parameters:
        if one.param_type_name == "option":
            assert {*one.opts} & words(shown[True])
            assert any(name in shown[False] for name in one.opts)
        # Nothing in it is read as markup.
        assert {*(one.help or "").split()} <= words(shown[True])


def test_auto_says_what_it_chooses_and_how_to_be_surer():
    (k,) = (one for one in COMMANDS["tables"].params if one.name == "k")
    assert "`auto` takes the set with the best expected F1" in k.help
    assert "--confidence" in k.help


def test_errors_are_on_standard_error(grapher, tmp_path):
    command = [sys.executable, "-m", "grapher_jax", "serch"]
    done = subprocess.run(command, env=environment(80), capture_output=True, text=True)
    here = (["search"], ["search", tmp_path, "x"], ["index", "x", "--out"])
    told = (grapher(*wrong) for wrong in here)
    for status, out, err in ((done.returncode, done.stdout, done.stderr), *told):
        assert (status, out) == (2, "")
        assert err.startswith("grapher-jax: ")
        assert err.count("\n") == 1
