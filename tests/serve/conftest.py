"""A small index, and a real service over it."""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from grapher_jax.corpus import Object
from grapher_jax.search import Index

PROGRAM = Path(sys.executable).with_name("grapher-jax")
TABLES = {
    "orders": ("order_id, customer_id, store_id, total", ["customers", "stores"]),
    "stores": ("store_id, city, manager", []),
    "customers": ("id, first_name, last_name", []),
    "animals": ("animal_id, species, cage_id", ["cages"]),
    "cages": ("cage_id, size", []),
    "songs": ("title, artist, length", []),
}


@pytest.fixture(scope="session")
def shop(embedder) -> Index:
    """The tables of a shop and a zoo."""
    objects = [
        Object(name, f"{name}: {columns}", "", {"foreign_keys": keys, "db": "shop"})
        for name, (columns, keys) in TABLES.items()
    ]
    return Index.build(objects, embedder=embedder)


@pytest.fixture(scope="session")
def shop_folder(shop, tmp_path_factory) -> Path:
    """The same, saved."""
    folder = tmp_path_factory.mktemp("serve") / "shop.index"
    shop.save(folder)
    return folder


@contextmanager
def started(
    folder: Path, *options: str, **environment: str
) -> Iterator[tuple[str, subprocess.Popen]]:
    """`grapher-jax serve` in a process of its own; ends with status 0 when told to."""
    import os

    # A busy machine may take long to compile.
    command = [PROGRAM, "serve", str(folder), "--port", "0", "--no-warm-up"]
    command += ["--answer-seconds", "600", *options]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment}
    )
    try:
        told = process.stderr.readline()
        found = re.search(r"http://[^,\s]+", told)
        if found is None:
            process.terminate()
            pytest.fail(told + process.stderr.read())
        yield found[0], process
    finally:
        process.terminate()
        _, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors


@pytest.fixture(scope="session")
def program() -> Path:
    """The command line."""
    return PROGRAM


@pytest.fixture(scope="session")
def start():
    """The function that starts a service."""
    return started


@pytest.fixture(scope="session")
def service(shop_folder) -> Iterator[str]:
    """The address of a service with a token and short patience."""
    options = ("--read-seconds", "1.5", "--max-body", "300000")
    with started(shop_folder, *options, GRAPHER_JAX_TOKEN="hush") as (url, _):
        yield url


@pytest.fixture(scope="session")
def client(service) -> Iterator[httpx.Client]:
    """A client that knows the token."""
    headers = {"authorization": "Bearer hush"}
    with httpx.Client(base_url=service, headers=headers, timeout=600) as made:
        yield made


@pytest.fixture
def scored() -> list[dict]:
    """Candidates of which the graph lifts one."""
    return [
        {"id": "orders", "score": 0.9, "metadata": {"foreign_keys": ["customers", "stores"]}},
        {"id": "stores", "score": 0.8, "text": "stores: city", "metadata": {}},
        {"id": "songs", "score": 0.3, "metadata": {}},
        {"id": "customers", "score": 0.1, "title": "customers", "metadata": {"db": "shop"}},
    ]


@pytest.fixture
def held():
    """A ranker that waits until it is let go; without the packages for HTTP, no test asks for it."""
    from in_process import BASE, Held

    made = type("Held", (Held,), {"begun": threading.Event(), "open": threading.Event()})
    ranker = made(**BASE)
    yield ranker
    made.open.set()
