"""Stores of each kind: empty, with odd records, and with the small shop."""

import secrets

import pytest
from made_stores import EMPTY, OBJECTS, VECTORS

from grapher_jax.corpus import read_objects
from grapher_jax.retrieve import PgvectorStore
from grapher_jax.text import readable


@pytest.fixture(scope="module")
def empty(request):
    """A function from a kind, a folder and a dimension to an empty store."""
    connections = []

    def make(kind, folder, dimension, **options):
        if kind != "pgvector":
            return EMPTY[kind](folder, dimension, **options)
        psycopg = pytest.importorskip("psycopg")
        connections.append(psycopg.connect(request.getfixturevalue("pgvector_url")))
        name = f'x"; DROP TABLE y; -- 5 %s {secrets.token_hex(4)}'
        connections[-1].execute(
            psycopg.sql.SQL(
                "CREATE TABLE {} (id text PRIMARY KEY, text text, embedding vector({}))"
            ).format(psycopg.sql.Identifier(name), dimension)
        )
        connections[-1].commit()
        return PgvectorStore(connection=connections[-1], table=name, **options)

    yield make
    for connection in connections:
        connection.close()


@pytest.fixture(params=[*EMPTY, "pgvector"])
def kind(request):
    return request.param


@pytest.fixture
def store(kind, empty, tmp_path):
    """A store of each kind with six records, whose ids, texts and metadata are odd."""
    made = empty(kind, tmp_path, 8)
    made.add(OBJECTS, VECTORS)
    return made


@pytest.fixture
def shop(kind, empty, tmp_path, beir, embedder):
    """A store of each kind with the small shop."""
    objects = [*read_objects(beir)]
    made = empty(kind, tmp_path, embedder.dimension)
    made.add(objects, embedder.embed_objects([readable(o.searchable_text) for o in objects]))
    return made
