import io

from rich.console import Console

from grapher_jax.command_line import meter
from grapher_jax.command_line.meter import Lines
from grapher_jax.retrieve.embedders import expect


def test_without_a_terminal_a_line_is_told_every_half_minute(capsys):
    seconds = [0.0]
    lines = Lines("embedding objects", clock=lambda: seconds[0])
    lines(500)  # was there already
    expect(lines, 4500)
    for _ in range(60):
        seconds[0] += 1
        lines(10)
    told = capsys.readouterr().err.splitlines()
    assert told == [
        "embedding objects: 800 of 4500, 10/s, 0:06:10 left",
        "embedding objects: 1100 of 4500, 10/s, 0:05:40 left",
    ]


def test_a_total_that_is_not_known_is_not_told(capsys):
    seconds = [0.0]
    lines = Lines("reading objects", clock=lambda: seconds[0])
    lines(1)
    for _ in range(2):
        seconds[0] += 20
        lines(4)
    assert capsys.readouterr().err == "reading objects: 9, 0.2/s\n"


def test_on_a_terminal_a_bar_learns_its_total(monkeypatch):
    written = io.StringIO()
    monkeypatch.setattr(meter, "errors", Console(file=written, force_terminal=True, width=120))
    with meter.progress("embedding objects") as progress:
        expect(progress, 40)
        progress(30)
    assert "30/40" in written.getvalue()


def test_what_takes_no_total_is_not_told_one():
    expect(lambda done: 1 / 0, 40)
