"""What holds for the package as a whole."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import grapher_jax

PACKAGE = Path(grapher_jax.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def test_kernels_import_jax_numpy_and_jaxtyping_alone():
    allowed = re.compile(r"(jax|jaxtyping|numpy|grapher_jax\.kernels)(\.|$)")
    for path in MODULES:
        if path.is_relative_to(PACKAGE / "kernels"):
            for name in imports(path):
                standard = name.split(".")[0] in sys.stdlib_module_names
                assert standard or allowed.match(name), f"{path.name} imports {name}"


def test_training_imports_nothing_above_it():
    below = {"kernels", "training", "checks", "errors", "files", "pictures", "shapes", "text"}
    for path in (PACKAGE / "training").rglob("*.py"):
        for name in imports(path):
            if name.startswith("grapher_jax"):
                assert name == "grapher_jax" or name.split(".")[1] in below, (path, name)


def test_json_is_read_by_one_function():
    for path in MODULES:
        found = re.findall(r"json\.loads?\((?!json\.dumps)", path.read_text(encoding="utf-8"))
        assert not found, f"{path.name}: files.parse_json refuses what no other reader takes"


def test_importing_the_package_loads_nothing_heavy():
    heavy = [
        "jax",
        "flax",
        "torch",
        "scipy",
        "pyarrow",
        "sqlalchemy",
        "typer",
        "sentence_transformers",
    ]
    code = f"import sys, grapher_jax; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_help_and_completion_wait_for_no_jax():
    heavy = ["jax", "flax", "scipy", "pyarrow", "sqlalchemy"]
    code = "import sys, grapher_jax.command_line.commands; "
    code += f"print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("line", "most"),
    [
        ("import grapher_jax", 3),
        ("import grapher_jax.kernels", 75),
        ("from grapher_jax import Reranker", 240),
        ("from grapher_jax import Index", 250),
    ],
)
def test_few_modules_are_loaded_beyond_those_of_jax(line, most):
    code = f"import sys, jax; before = {{*sys.modules}}; {line}; print(*{{*sys.modules}} - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "grapher_jax" in loaded
    assert len(loaded) <= most, sorted(loaded)


def test_kernels_need_no_extra():
    extras = ["flax", "scipy", "pyarrow", "sqlalchemy", "typer", "matplotlib"]
    code = f"import sys, grapher_jax.kernels; print([m for m in {extras!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # JAX itself loads parts of SciPy.
    assert set(ast.literal_eval(done.stdout)) <= {"scipy"}


FIRST_CALL = """
import sys
import jax
import grapher_jax as gj
compiled = []
jax.monitoring.register_event_duration_secs_listener(
    lambda event, *_, **__: compiled.append(event) if event.endswith("backend_compile_duration") else None
)
gj.Reranker().rerank("who pays?", ["Customers pay.", "It rains.", "Stores sell."])
print([m for m in ("flax", "pyarrow", "sqlalchemy", "optax") if m in sys.modules])
print(len(compiled))
"""


def test_a_first_call_waits_for_three_programs_and_no_library_of_layers():
    """One embeds all texts with the question, one fuses, one takes the best."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_CALL], capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:2] == ["[]", "3"]


RANKING = """
import sys
for name in ("orbax", "jraph"):
    sys.modules[name] = None
import numpy as np
import grapher_jax as gj
from grapher_jax.systems.networks import SHIPPED
class Ones:
    name, dimension = "offline", 384
    def embed_queries(self, texts, *, progress=None):
        return np.full((len(texts), 384), 384**-0.5, np.float32)
    embed_objects = embed_queries
objects = [gj.Object("a", "one", metadata={"entities": ["x"]}), gj.Object("b", "two")]
index = gj.Index.build(objects, embedder=Ones())
for name in SHIPPED:
    assert len(index.search("one", ranker=name)) == 2, name
training = [name for name in sys.modules if name.startswith("grapher_jax.training.")]
print(*(name for name in training if hasattr(sys.modules[name], "optax")))
"""


@pytest.mark.nightly
def test_shipped_rankers_load_nothing_that_training_alone_needs():
    # Flax itself brings Optax, so that only ours can be told not to read it.
    command = [sys.executable, "-W", "ignore", "-c", RANKING]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "\n"), done.stderr


def test_public_names_are_found_and_unknown_ones_are_not():
    for name in grapher_jax.__all__:
        assert getattr(grapher_jax, name) is not None
        assert name in dir(grapher_jax)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = grapher_jax.nothing


def test_the_top_level_links_lead_into_the_package():
    root = PACKAGE.parent
    if (root / "PKG-INFO").is_file():
        pytest.skip("a source distribution holds no links")
    for room in ("kernels", "training"):
        assert (root / room).is_symlink()
        assert (root / room).resolve() == PACKAGE / room
