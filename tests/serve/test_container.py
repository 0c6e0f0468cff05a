"""The files from which a container is made, as far as they can be tried without one."""

import json
import os
import re
import socket
import subprocess
import sys
from inspect import signature
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml

from grapher_jax.command_line.verbs.serve import serve

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def words(instruction):
    """The words of the last instruction of that name, which is a JSON list."""
    return json.loads(re.findall(rf"^\s*{instruction} (\[.*\])$", DOCKERFILE, re.MULTILINE)[-1])


def test_what_it_copies_is_there_and_sent():
    sent = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    names = {name for line in copied for name in line.split()}
    assert names == {line[1:] for line in sent if line.startswith("!")}
    assert all((ROOT / name).exists() for name in names)


def test_no_step_of_its_build_hides_a_failure():
    """A shell tells only whether the last command of a pipe failed."""
    assert "|" not in DOCKERFILE


def test_it_starts_the_service_with_options_that_there_are():
    program, verb, *options = words("ENTRYPOINT")
    assert (program, verb) == ("grapher-jax", "serve")
    given = {option[2:].replace("-", "_") for option in options if option.startswith("--")}
    assert given == {"host", "token_file"} and given <= set(signature(serve).parameters)
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    (service,) = compose["services"].values()
    assert [f"/run/secrets/{name}" for name in service["secrets"]] == [options[-1]]
    (cache,) = re.findall(r"JAX_COMPILATION_CACHE_DIR=(\S+)", DOCKERFILE)
    assert f"programs:{cache}" in service["volumes"]


def test_the_base_that_is_tried_is_the_one_of_its_stages():
    script = (ROOT / ".ci" / "container.sh").read_text(encoding="utf-8")
    (base,) = re.findall(r"^base=docker\.io/library/(.+)$", script, re.MULTILINE)
    (version,) = re.findall(r"^ARG PYTHON=(.+)$", DOCKERFILE, re.MULTILINE)
    stages = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert {stage.replace("${PYTHON}", version) for stage in stages} == {base}


@pytest.mark.parametrize("running", [True, False])
@pytest.mark.nightly
def test_its_check_of_health_tells_whether_the_service_answers(service, running):
    (check,) = re.findall(r"HEALTHCHECK .*\n\s*CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    python, *arguments = json.loads(check)
    assert python == "python"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobody = taken.getsockname()[1]
    port = urlsplit(service).port if running else nobody
    command = [sys.executable, *(one.replace(":8000/", f":{port}/") for one in arguments)]
    done = subprocess.run(command, stderr=subprocess.DEVNULL, check=False)
    assert (done.returncode == 0) == running


@pytest.mark.nightly
def test_programs_for_an_image_are_kept_without_a_service(shop_folder, program, tmp_path):
    environment = os.environ | {"JAX_COMPILATION_CACHE_DIR": str(tmp_path)}
    # A network's warm-up is short, for its reranks have none.
    command = [program, "serve", str(shop_folder), "--ranker", "gat", "--compile-only"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
    assert [*tmp_path.iterdir()]
