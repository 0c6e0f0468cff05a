"""The README's Python works as it stands."""

import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import grapher_jax

README = Path(grapher_jax.__file__).parents[1] / "README.md"


def test_the_python_of_the_readme_runs(tmp_path):
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.executescript(
        "CREATE TABLE stores (id INTEGER PRIMARY KEY, city TEXT);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, store INTEGER REFERENCES stores(id));"
    )
    connection.close()
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 2
    code = "\n".join(blocks) + "\nprint(hits[1].id, top.indices.shape, solution.scores.shape)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[-1] == "customers (1, 10) (1, 3)"


def test_every_link_of_the_readme_leads_somewhere():
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README.read_text(encoding="utf-8")):
        assert (README.parent / target).exists(), target
