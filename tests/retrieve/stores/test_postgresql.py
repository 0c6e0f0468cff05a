"""PostgreSQL with pgvector, as others fill it, and with several processes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from made_stores import OBJECTS, QUESTIONS, VECTORS, check_scores, everything, spoil, unit
from small_embedder import SmallEmbedder

import grapher_jax
from grapher_jax import Object, StoreRetriever
from grapher_jax.corpus import read_objects
from grapher_jax.errors import InputError
from grapher_jax.retrieve import PgvectorStore
from grapher_jax.text import readable


@pytest.mark.parametrize("operator", ["<=>", "<->", "<#>"])
@pytest.mark.parametrize("column", ["vector", "halfvec"])
def test_every_operator_and_type_of_pgvector_gives_the_cosine(empty, tmp_path, operator, column):
    store = empty("pgvector", tmp_path, 8, operator=operator)
    store.add(OBJECTS, VECTORS)
    sql = pytest.importorskip("psycopg").sql
    with store.connection.transaction():
        store.connection.execute(
            sql.SQL("ALTER TABLE {} ALTER embedding TYPE {}(8)").format(
                sql.Identifier(store.table), sql.SQL(column)
            )
        )
    check_scores(store)


def test_tables_of_postgresql_as_others_fill_them(empty, tmp_path):
    made = empty("pgvector", tmp_path, 8)
    connection = made.connection
    with connection.transaction():
        connection.execute("CREATE SCHEMA IF NOT EXISTS theirs")
        connection.execute("DROP TABLE IF EXISTS theirs.docs")
        connection.execute(
            "CREATE TABLE theirs.docs (key int, body text, v vector, note json, meta jsonb)"
        )
        connection.cursor().executemany(
            "INSERT INTO theirs.docs VALUES (%s, 'x', %s::vector, '{}', '{\"kind\": \"a\"}')",
            [(row, vector) for row, vector in enumerate(VECTORS.tolist())],
        )
        connection.execute("INSERT INTO theirs.docs VALUES (99, 'no vector')")
    names = {"vector": "v", "identity": "key", "text": "body", "metadata": "meta"}
    store = PgvectorStore(connection=connection, table="docs", schema="theirs", **names)
    assert (store.dimension, store.count) == (8, 7)
    store.annotate([Object("2", "", "", {"links": ["1"]})])
    found = everything(store)
    assert len(found) == 6
    assert found["2"]["metadata"] == {"kind": "a", "links": ["1"]}
    assert not connection.info.transaction_status  # nothing is left open

    def attempt(**options):
        given = {"connection": connection, "table": "docs", "schema": "theirs", **names, **options}
        return PgvectorStore(**given).search(VECTORS, 1)

    for options, reason in (
        ({"schema": None}, "'docs': there is none on the search path; give schema="),
        ({"table": "x; DROP TABLE theirs.docs"}, "there is none on the search path"),
        ({"vector": "embedding"}, "has no 'embedding'; give vector= one of body, key, meta, note"),
        ({"vector": "body"}, "'body' is of type text; give vector= one of type vector or halfvec"),
        ({"metadata": "note"}, "'note' is of type json; give metadata= one of type jsonb"),
        ({"operator": "<+>"}, "operator: '<[+]>' is unknown; use one of <=> <-> <#>"),
    ):
        with pytest.raises(InputError, match=reason):
            attempt(**options)
    with pytest.raises(InputError, match="has no 'metadata'; give metadata= one of embedding, id"):
        made.search(VECTORS, 1, filter={"x": 1})


def test_a_connection_of_postgresql_may_have_rows_of_its_own(empty, tmp_path):
    store = empty("pgvector", tmp_path, 8)
    store.connection.row_factory = pytest.importorskip("psycopg").rows.dict_row
    store.add(OBJECTS, VECTORS)
    store.annotate([Object("17", "", "", {"links": ["x"]})])
    assert (store.count, store.dimension) == (6, 8)
    assert everything(store)["17"]["metadata"]["links"] == ["x"]
    check_scores(store)


def test_records_of_postgresql_that_cannot_be_used_leave_nothing_open(empty, tmp_path):
    store = empty("pgvector", tmp_path, 8)
    store.add(OBJECTS, VECTORS)
    spoil(store)
    store.connection.commit()
    with pytest.raises(InputError) as raised:
        everything(store)
    # The traceback keeps every frame of the search.
    assert raised.value.__traceback__
    assert not store.connection.info.transaction_status


def test_what_postgresql_cannot_hold_is_in_no_record(empty, tmp_path):
    store = empty("pgvector", tmp_path, 8)
    store.add(OBJECTS[:1], VECTORS[:1])
    with pytest.raises(InputError, match=r"object 'a\\x00b' has a NUL character"):
        store.add([Object("a\0b", "x")], VECTORS[:1])
    with pytest.raises(InputError, match="no record has any of the 1 ids"):
        store.annotate([Object("a\0b", "", "", {"level": 1})])
    for wanted in ({"k\0": 1}, {"level": "a\0"}, {"level": {"$in": ["a\0"]}}):
        assert store.search(VECTORS[:1], 1, filter=wanted) == [[]]
    assert len(store.search(VECTORS[:1], 1, filter={"k\0": {"$exists": False}})[0]) == 1


def test_a_user_may_have_postgresql_look_further(empty, tmp_path):
    store = empty("pgvector", tmp_path, 8)
    store.add(OBJECTS, VECTORS)
    connection = store.connection
    connection.execute("SET hnsw.ef_search = 500")
    connection.execute(
        "CREATE OR REPLACE FUNCTION ef_search() RETURNS text LANGUAGE sql "
        "AS $$ SELECT current_setting('hnsw.ef_search') $$"
    )
    sql = pytest.importorskip("psycopg").sql
    connection.execute(
        sql.SQL("CREATE VIEW looked AS SELECT id, ef_search() AS text, embedding FROM {}").format(
            sql.Identifier(store.table)
        )
    )
    view = PgvectorStore(connection=connection, table="looked")
    seen = [view.search(VECTORS[:1], k)[0][0]["text"] for k in (5, 900)]
    assert seen == ["500", "900"]
    connection.rollback()


def test_an_index_of_postgresql_returns_all_that_are_asked_for(empty, tmp_path):
    store = empty("pgvector", tmp_path, 8)
    vectors = unit(np.random.default_rng(2), 500, 8)
    store.add([Object(str(row), "", "", {"odd": row % 2}) for row in range(500)], vectors)
    sql = pytest.importorskip("psycopg").sql
    with store.connection.transaction():
        store.connection.execute(
            sql.SQL("CREATE INDEX ON {} USING hnsw (embedding vector_cosine_ops)").format(
                sql.Identifier(store.table)
            )
        )
        store.connection.execute("SET enable_seqscan = off")
    (found,) = store.search(vectors[:1], 200)
    assert len(found) == 200
    exact = np.argsort(-(vectors @ vectors[0]))[:200]
    assert len({c["id"] for c in found} & {*map(str, exact)}) >= 198
    (found,) = store.search(vectors[:1], 100, filter={"odd": 0})
    assert len(found) == 100


ASKED = """
import json, sys
import psycopg
from small_embedder import SmallEmbedder
from grapher_jax import StoreRetriever
from grapher_jax.retrieve import PgvectorStore
url, table, *questions = sys.argv[1:]
with psycopg.connect(url) as connection:
    retriever = StoreRetriever(PgvectorStore(connection=connection, table=table), SmallEmbedder())
    found = retriever.search_batch(questions, ranker="gcs")
print(json.dumps([[(hit.id, hit.score) for hit in hits] for hits in found]))
"""


@pytest.mark.nightly
def test_processes_that_share_a_server_answer_alike(empty, tmp_path, beir, pgvector_url):
    objects, embedder = [*read_objects(beir)], SmallEmbedder()
    store = empty("pgvector", tmp_path, embedder.dimension)
    store.add(objects, embedder.embed_objects([readable(o.searchable_text) for o in objects]))
    places = Path(__file__).parents[2], Path(grapher_jax.__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places))}
    command = [sys.executable, "-c", ASKED, pgvector_url, store.table, *QUESTIONS]
    processes = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    told = [process.communicate()[0] for process in processes]
    own = StoreRetriever(store, embedder).search_batch(QUESTIONS, ranker="gcs")
    expected = [[[hit.id, hit.score] for hit in hits] for hits in own]
    assert [json.loads(one) for one in told] == [expected] * 2
