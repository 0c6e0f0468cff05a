"""The notebook runs from top to bottom and says what it promises."""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

NOTEBOOK = Path(__file__).parents[2] / "docs" / "tutorials" / "notebook.ipynb"
# In a process of its own, for pyzmq leaves sockets open. The kernel is that of this Python,
# whatever kernels the user has.
EXECUTE = """
import sys
import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient

kernels = AsyncKernelManager(kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, km=kernels, timeout=300).execute()
nbformat.write(notebook, sys.argv[2])
"""


def test_the_notebook_is_stored_without_outputs():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None


@pytest.mark.nightly
def test_the_notebook_tells_its_story(tmp_path):
    command = [sys.executable, "-c", EXECUTE, NOTEBOOK, "done.ipynb"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-3000:]
    done = nbformat.read(tmp_path / "done.ipynb", as_version=4)
    outputs = [output for cell in done.cells for output in cell.get("outputs", [])]
    printed = "".join(output["text"] for output in outputs if output.output_type == "stream")
    assert re.search(r"\d+ tables, \d+ foreign keys", printed)
    before, after = map(int, re.search(r"'journal_line': '(\d+) -> (\d+)'", printed).groups())
    assert f"'journal_line': {before}" in printed and after < before
    assert re.search(r"journal_line: .*\d% from journal_entry \(foreign key", printed)
    assert "gcs   won" in printed
    assert any("image/png" in output.get("data", {}) for output in outputs)
