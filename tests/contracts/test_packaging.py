"""The wheel and the source distribution hold what they should and nothing else."""

import os
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import entry_points
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
STEM = f"grapher_jax-{PROJECT['version']}"
ROOMS = ("grapher_jax", "tests", "bench", "docs")
FILES = [
    *("README.md", "LICENSE", "NOTICE", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md"),
    *("pyproject.toml", "MANIFEST.in", "constraints.txt", "Makefile", "mkdocs.yml"),
    *(".ci/run", ".ci/nightly", ".ci/container.sh"),
    *(".ci/extras.py", ".ci/pythons.sh", ".ci/sbom.sh"),
]
SUFFIXES = {".py", ".typed", ".sql", ".jsonl", ".tsv", ".html", ".json", ".safetensors"}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """What `python -m build` makes of a clean checkout: the wheel comes from the sdist."""
    folder = tmp_path_factory.mktemp("build")
    checkout = folder / "checkout"
    for room in ROOMS:
        ignored = shutil.ignore_patterns("__pycache__", "*.pyc", ".*")
        shutil.copytree(ROOT / room, checkout / room, ignore=ignored)
    for file in FILES:
        (checkout / file).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / file, checkout / file)
    for link in ("kernels", "training"):
        (checkout / link).symlink_to(f"grapher_jax/{link}")
    build(checkout, folder)
    return folder


def build(checkout, folder, *options):
    command = [
        sys.executable,
        "-m",
        "build",
        "--no-isolation",
        *options,
        "--outdir",
        folder,
        checkout,
    ]
    # Some day in 2026: where it is given, it stands in the wheel instead of the hour.
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1790000000"}
    done = subprocess.run(
        command, cwd=checkout.parent, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]


def files(folder, *rooms):
    found = (path for room in rooms for path in (folder / "checkout" / room).rglob("*"))
    return {
        path.relative_to(folder / "checkout").as_posix()
        for path in found
        if path.is_file() and "egg-info" not in str(path)
    }


@pytest.mark.nightly
def test_the_wheel_is_the_package_its_data_and_its_licence(built):
    with zipfile.ZipFile(built / f"{STEM}-py3-none-any.whl") as wheel:
        infos = wheel.infolist()
        metadata = wheel.read(f"{STEM}.dist-info/METADATA").decode()
    names = {info.filename for info in infos}
    about = ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "top_level.txt")
    about += ("licenses/LICENSE", "licenses/NOTICE")
    package = files(built, "grapher_jax")
    assert names == package | {f"{STEM}.dist-info/{name}" for name in about}
    assert {"grapher_jax/py.typed", "grapher_jax/demo/company.sql"} <= package
    assert {Path(name).suffix for name in package} == SUFFIXES
    assert not any(stat.S_ISLNK(info.external_attr >> 16) for info in infos)
    # Of which the word vectors are 2 MB.
    assert sum(info.compress_size for info in infos) < 9.5e6
    assert "\nLicense-Expression: Apache-2.0\n" in metadata
    shipped = {
        path.split("/")[3] for path in package if path.startswith("grapher_jax/training/shipped/")
    }
    told = (ROOT / "NOTICE").read_text(encoding="utf-8")
    assert shipped and all(name in told for name in shipped)
    for extra in PROJECT["optional-dependencies"]:
        assert f"\nProvides-Extra: {extra}\n" in metadata


@pytest.mark.nightly
def test_the_sdist_is_the_checkout_without_its_links(built):
    with tarfile.open(built / f"{STEM}.tar.gz") as sdist:
        members = sdist.getmembers()
    assert all(member.isfile() or member.isdir() for member in members)
    names = {member.name.removeprefix(f"{STEM}/") for member in members if member.isfile()}
    made = {name for name in names if name.startswith("grapher_jax.egg-info/")}
    assert names - made - {"PKG-INFO", "setup.cfg"} == files(built, *ROOMS) | set(FILES)
    assert sum(member.size for member in members) < 16e6


def test_workflows_are_read_and_what_they_run_is_there():
    folder = ROOT / ".github" / "workflows"
    if not folder.is_dir():
        pytest.skip("a source distribution holds no workflows")
    assert [*folder.iterdir()]
    for workflow in folder.iterdir():
        text = workflow.read_text(encoding="utf-8")
        for job in yaml.safe_load(text)["jobs"].values():
            assert all(step.keys() & {"run", "uses"} for step in job["steps"])
        for script in re.findall(r"\.ci/[\w.]+", text):
            assert os.access(ROOT / script, os.X_OK), f"{workflow.name}: {script}"


@pytest.mark.nightly
def test_the_same_wheel_is_built_again(built, tmp_path):
    # Once from the source distribution, which holds no links, and once from the checkout, which does.
    build(built / "checkout", tmp_path, "--wheel")
    name = f"{STEM}-py3-none-any.whl"
    assert (tmp_path / name).read_bytes() == (built / name).read_bytes()


@pytest.mark.nightly
def test_the_tests_run_from_the_sdist(built):
    with tarfile.open(built / f"{STEM}.tar.gz") as sdist:
        sdist.extractall(built / "unpacked", filter="data")
    folder = built / "unpacked" / STEM
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["tests/contracts/test_package.py", "tests/test_text.py"]
    command += ["-k", "not shipped_rankers and not need_no_extra"]  # slow, and the same here
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout


def run(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "grapher_jax", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )


def test_the_command_tells_its_version():
    (script,) = entry_points(group="console_scripts", name="grapher-jax")
    assert script.value == "grapher_jax.command_line:main"
    assert run("--version").stdout == f"{PROJECT['version']}\n"
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {PROJECT['version']}\n" in citation


@pytest.mark.parametrize(
    ("typed", "word", "offered"),
    [("grapher-jax ev", "1", "evaluate"), ("grapher-jax search --expl", "2", "--explain")],
)
@pytest.mark.nightly
def test_a_shell_completes_verbs_and_options(typed, word, offered):
    done = run(_GRAPHER_JAX_COMPLETE="complete_bash", COMP_WORDS=typed, COMP_CWORD=word)
    assert done.stdout.split() == [offered]


def test_completion_can_be_installed(tmp_path):
    # Without looking for the shell among the processes that started this one.
    alone = {"HOME": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = run("--install-completion", "bash", **alone)
    assert done.returncode == 0, done.stderr
    scripts = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any("_GRAPHER_JAX_COMPLETE" in path.read_text(encoding="utf-8") for path in scripts)
