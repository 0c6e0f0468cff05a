"""An index that follows its source: a folder of documents, a corpus, a database."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from grapher_jax.corpus import read_source
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.index import following
from grapher_jax.index.following import follow
from grapher_jax.search import Index

QUESTION = "Who cleans the kettle?"
PAGE = "# {0}\n\n{1}\n\nSee [the other]({2}.md).\n"


def write(folder, name, text, link="rules"):
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_text(PAGE.format(name.title(), text, link))


def needs_documents():
    """Skips a test where the extra is not installed, as with the oldest libraries."""
    pytest.importorskip("semantic_text_splitter", reason="the extra documents is not installed")


@pytest.fixture
def handbook(tmp_path):
    needs_documents()
    folder = tmp_path / "handbook"
    write(folder, "rules", "Nobody sleeps here. " * 30)
    write(folder, "kitchen", "The kettle is cleaned on Mondays.")
    write(folder, "cellar", "Wine lies in the cellar.", link="kitchen")
    return folder


def equal(index, folder, embedder, **reading):
    afresh = Index.from_source(folder, embedder=embedder, **reading)
    assert {item.id: item for item in index.objects} == {item.id: item for item in afresh.objects}
    for ranker in ("base", "gcs"):
        found, expected = (one.search(QUESTION, k=99, ranker=ranker) for one in (index, afresh))
        scores = {hit.id: hit.score for hit in expected}
        np.testing.assert_allclose(
            [h.score for h in found], [scores[h.id] for h in found], atol=1e-5
        )


def test_only_what_changed_in_a_folder_is_embedded(grapher, handbook, embedder, monkeypatch):
    options = ("--chunk-tokens", 40, "--overlap-tokens", 0)
    reading = {"chunk_tokens": 40, "overlap_tokens": 0}
    assert grapher("index", handbook, "--out", "book.index", *options)[0] == 0
    before = Index.load("book.index").ids
    assert "rules.md#3" in before
    embedded = []
    embed = type(embedder).embed_objects

    def listen(self, texts, **more):
        embedded.extend(texts)
        return embed(self, texts, **more)

    monkeypatch.setattr(type(embedder), "embed_objects", listen)
    update = ("update", "book.index", "--add", handbook, *options)
    assert grapher(*update)[0] == 0
    assert embedded == []
    # A shorter file, a new one, one that is gone, and with it a link.
    write(handbook, "rules", "Nobody sleeps.")
    write(handbook, "attic", "Bats live there.")
    (handbook / "kitchen.md").unlink()
    assert grapher(*update)[0] == 0
    index = Index.load("book.index")
    assert not {"rules.md#3", "kitchen.md#0"} & set(index.ids)
    assert len(embedded) == 2
    monkeypatch.undo()
    equal(index, handbook, embedder, **reading)


@pytest.mark.filterwarnings("default::grapher_jax.errors.GrapherWarning")
def test_what_enrichers_added_stays_where_the_text_does(grapher, handbook, embedder):
    named = [
        replace(item, metadata={**item.metadata, "entities": ["kettle"], "keywords": ["rules"]})
        for item in read_source(handbook)
    ]
    Index.build(named, embedder=embedder).save("book.index")
    update = ("update", "book.index", "--add", handbook)
    status, _, told = grapher(*update)
    assert (status, "enrich" in told) == (0, False)
    index = Index.load("book.index")
    assert {item.id: item for item in index.objects} == {item.id: item for item in named}
    write(handbook, "rules", "Nobody sleeps.")
    status, _, told = grapher(*update)
    assert status == 0
    assert "1 new or changed objects have no entities and keywords (such as 'rules.md#0')" in told
    index = Index.load("book.index")
    assert "entities" not in index["rules.md#0"].metadata
    assert index["kitchen.md#0"].metadata["entities"] == ["kettle"]


def test_an_object_with_entities_keeps_its_own(handbook, embedder):
    plain = [*read_source(handbook)]
    tell = [replace(item, metadata={**item.metadata, "entities": ["kettle"]}) for item in plain]
    index = Index.build(tell, embedder=embedder)
    own = replace(plain[0], metadata={**plain[0].metadata, "entities": []})
    assert following.with_enrichment(index, [own, *plain[1:]]) == [own, *tell[1:]]
    assert following.with_enrichment(index, plain) == tell


def test_what_is_no_chunk_of_the_folder_stays(grapher, handbook, beir):
    assert grapher("index", beir, "--out", "shop.index")[0] == 0
    assert grapher("update", "shop.index", "--add", handbook)[0] == 0
    (handbook / "cellar.md").unlink()
    told = f"{handbook}: 1 chunks that it lacks left the index (such as 'cellar.md#0')\n"
    assert grapher("update", "shop.index", "--add", handbook)[2] == told
    index = Index.load("shop.index")
    assert "shop.orders" in index.ids
    assert "cellar.md#0" not in index.ids
    other = handbook.parent / "other"
    write(other, "garden", "Roses.")
    status, _, err = grapher("update", "shop.index", "--add", other)
    assert (status, "none of its documents is in the index, whose" in err) == (2, True)
    assert Index.load("shop.index").ids == index.ids


def test_tables_that_a_database_lacks_are_told(grapher, tmp_path):
    url = f"sqlite:///{tmp_path}/shop.db"
    with closing(sqlite3.connect(tmp_path / "shop.db")) as database:
        database.executescript("CREATE TABLE a (id); CREATE TABLE b (id); CREATE TABLE c (id);")
        assert grapher("index", url, "--out", "shop.index")[0] == 0
        update = ("update", "shop.index", "--add", url)
        assert grapher(*update)[2] == ""
        database.executescript("ALTER TABLE b RENAME TO d; DROP TABLE c;")
    told = "2 tables of the index are not in the database (such as 'b'); --delete those that were"
    assert grapher(*update)[2] == f"{told} dropped\n"
    assert grapher(*update, "--include", "a")[2] == ""
    assert grapher(*update, "--delete", "b", "--delete", "c")[2] == ""
    assert {*Index.load("shop.index").ids} == {"a", "d"}


def test_tables_of_another_database_replace_none_of_the_same_name(grapher, tmp_path):
    crm = "CREATE TABLE customer (id INT PRIMARY KEY, name TEXT); CREATE TABLE invoice (id INT);"
    airline = "CREATE TABLE customer (id INT PRIMARY KEY, seat TEXT); CREATE TABLE flight (id INT);"
    for name, script in (
        ("crm", crm),
        ("airline", airline),
        ("crm_2", f"{crm}CREATE TABLE x (y INT);"),
    ):
        (tmp_path / f"{name}.sql").write_text(script)
    assert grapher("index", tmp_path / "crm.sql", "--out", "crm.index")[0] == 0
    status, _, told = grapher("update", "crm.index", "--add", tmp_path / "airline.sql")
    assert (status, "customer: the index has a table of this name, but of the d" in told) == (
        2,
        True,
    )
    assert {*Index.load("crm.index").ids} == {"customer", "invoice"}
    assert grapher("update", "crm.index", "--add", tmp_path / "crm_2.sql")[0] == 0
    assert {*Index.load("crm.index").ids} == {"customer", "invoice", "x"}


class StopError(Exception):
    """The end of a test's looks at a source."""


def followed(source, path, steps, reading=None):
    """What was told, where each step changes the source between two looks."""
    told = []
    left = iter(steps)

    def wait():
        try:
            next(left)()
        except StopIteration:
            raise StopError from None

    with pytest.raises(StopError):
        follow(
            Index,
            str(source),
            path,
            reading or {},
            wait=wait,
            updated=lambda index: told.append(sorted(index.ids)),
            failed=lambda error: told.append(str(error)),
        )
    return told


def test_a_folder_is_followed(handbook, embedder, tmp_path):
    path = tmp_path / "book.index"
    Index.from_source(handbook, embedder=embedder).save(path)
    three = ["cellar.md#0", "kitchen.md#0", "rules.md#0"]
    aside = tmp_path / "aside"
    steps = [
        lambda: None,
        partial(write, handbook, "attic", "Bats live there."),
        (handbook / "cellar.md").unlink,
        partial(handbook.rename, aside),
        lambda: None,
        partial(aside.rename, handbook),
    ]
    told = followed(handbook, path, steps)
    four, left = sorted([*three, "attic.md#0"]), ["attic.md#0", "kitchen.md#0", "rules.md#0"]
    assert told[:3] == [three, four, left]
    # A source that cannot be read is told once, and read again when it can be.
    assert [str(one)[:24] for one in told[3:]] == ["source: there is no fold"]
    equal(Index.load(path), handbook, embedder)


def test_a_database_is_followed(embedder, tmp_path, monkeypatch):
    def run(statement):
        connection = sqlite3.connect(tmp_path / "shop.db")
        connection.execute(statement)
        connection.close()

    run("CREATE TABLE store (id INTEGER PRIMARY KEY, city TEXT)")
    url = f"sqlite:///{tmp_path}/shop.db"
    Index.from_source(url, embedder=embedder).save(tmp_path / "shop.index")
    sale = "CREATE TABLE sale (id INTEGER PRIMARY KEY, store INTEGER REFERENCES store(id))"
    steps = [
        partial(run, sale),
        partial(run, "ALTER TABLE store ADD COLUMN street TEXT"),
        partial(run, "DROP TABLE sale"),
    ]
    reads = []

    def counted(source, **reading):
        reads.append(source)
        return read_source(source, **reading)

    monkeypatch.setattr(following, "read_source", counted)
    told = followed(url, tmp_path / "shop.index", steps)
    assert told == [["store"], ["sale", "store"], ["sale", "store"], ["store"]]
    assert len(reads) == len(told)
    (item,) = Index.load(tmp_path / "shop.index").objects
    assert item == next(iter(read_source(url)))


def test_a_folder_of_tables_is_followed(embedder, tmp_path):
    place = tmp_path / "exports"
    place.mkdir()
    for name in ("sale", "store"):
        (place / f"{name}.csv").write_text("id,city\n1,Rome\n")
    Index.from_source(place, embedder=embedder).save(tmp_path / "shop.index")
    steps = [
        lambda: (place / "town.csv").write_text("id,name\n"),
        lambda: (place / "sale.csv").unlink(),
        lambda: (place / "store.csv").write_text("1,2,3\n"),  # as it is written anew
    ]
    with pytest.warns(GrapherWarning, match="store: a first line without names"):
        told = followed(str(place), tmp_path / "shop.index", steps)
    assert told == [["sale", "store"], ["sale", "store", "town"], *[["store", "town"]] * 2]
    (place / "store.csv").write_text("id,city\n1,Rome\n")
    reading = {"exclude": ["town"]}
    steps = [lambda: (place / "sale.csv").write_text("id,city\n")]
    told = followed(str(place), tmp_path / "shop.index", steps, reading=reading)
    assert told == [["store"], ["sale", "store"]]


def test_a_dump_is_followed_once_it_is_written(embedder, tmp_path, monkeypatch):
    file, store = tmp_path / "shop.sql", "CREATE TABLE store (id integer PRIMARY KEY);\n"
    whole = store + "CREATE TABLE sale (store integer REFERENCES store (id));\n"
    file.write_text(whole)
    Index.from_source(str(file), embedder=embedder).save(tmp_path / "shop.index")
    pauses = []

    def pause(seconds):
        pauses.append(seconds)
        # The dump that was begun goes on while it is looked at.
        if file.exists() and file.read_text() == store:
            file.write_text(whole + "CREATE TABLE paid (id integer);\n")

    monkeypatch.setattr(following.time, "sleep", pause)
    steps = [lambda: None, partial(file.write_text, store), lambda: None, file.unlink]
    told = followed(file, tmp_path / "shop.index", steps)
    assert told[0] == ["sale", "store"]
    assert {*map(tuple, told[1:-1])} == {("paid", "sale", "store")}
    assert told[-1].endswith("shop.sql: cannot be read (No such file or directory)")
    assert pauses == [1.0] * len(pauses)


ROWS = "Title,Director\nTides,Ada Berg\nRain,Bo Lund\n"


def test_an_appended_record_is_the_only_one_that_is_embedded(
    grapher, handbook, embedder, monkeypatch
):
    films = handbook / "films.csv"
    films.write_text(ROWS)
    assert grapher("index", handbook, "--out", "book.index")[0] == 0
    embedded = []
    embed = type(embedder).embed_objects

    def listen(self, texts, **more):
        embedded.extend(texts)
        return embed(self, texts, **more)

    films.write_text(f"{ROWS}Snow,Ada Berg\n")
    with monkeypatch.context() as patched:
        patched.setattr(type(embedder), "embed_objects", listen)
        assert grapher("update", "book.index", "--add", handbook)[0] == 0
    assert embedded == ["Snow Title: Snow\nDirector: Ada Berg"]
    equal(Index.load("book.index"), handbook, embedder)
    # The file alone leaves its neighbours, and takes what it lacks.
    films.write_text("Title,Director\nTides,Ada Berg\n")
    told = f"{films}: 2 chunks that it lacks left the index (such as 'films.csv#1#0')\n"
    assert grapher("update", "book.index", "--add", films)[2] == told
    equal(Index.load("book.index"), handbook, embedder)


@pytest.mark.filterwarnings("default::grapher_jax.errors.GrapherWarning")
def test_what_cannot_be_read_for_the_moment_stays(grapher, handbook, embedder, tmp_path):
    films, path = handbook / "films.json", tmp_path / "book.index"
    films.write_text('[{"title": "Tides", "text": "High water."}]')
    Index.from_source(handbook, embedder=embedder).save(path)
    before = Index.load(path).ids
    films.write_text('[{"title": "Ti')
    with pytest.warns(GrapherWarning, match="1 whose JSON cannot be parsed"):
        (told,) = followed(handbook, path, [])
    assert told == sorted(before)
    status, _, said = grapher("update", path, "--add", handbook)
    assert (status, Index.load(path).ids) == (0, before), said
    assert "films.json" in said and "left the index" not in said
    films.unlink()
    assert "1 chunks that it lacks left the index" in grapher("update", path, "--add", handbook)[2]


def test_a_failure_that_comes_again_is_told_again(tmp_path, embedder):
    source, path = tmp_path / "shop.db", tmp_path / "shop.index"
    with closing(sqlite3.connect(source)) as database:
        database.execute("CREATE TABLE author (id INTEGER PRIMARY KEY)")
    Index.from_source(source, embedder=embedder).save(path)
    away = partial(source.rename, tmp_path / "away")
    back = partial((tmp_path / "away").rename, source)
    told = followed(source, path, [away, back, away, lambda: None])
    assert len(told) == 3
    assert told[1] == told[2]


def test_no_password_is_shown(tmp_path):
    secret = "postgresql:/user:s3cret@host/shop"
    for call in (
        lambda: [*read_source(secret, schemas=["s"])],
        lambda: followed(secret, tmp_path / "x.index", []),
    ):
        with pytest.raises(InputError) as refused:
            call()
        assert "s3cret" not in str(refused.value)


def test_a_file_of_records_is_followed(embedder, tmp_path, monkeypatch):
    needs_documents()
    monkeypatch.setattr(following.time, "sleep", lambda seconds: None)
    films, path = tmp_path / "films.csv", tmp_path / "films.index"
    films.write_text(ROWS)
    Index.from_source(films, embedder=embedder).save(path)
    steps = [partial(films.write_text, f"{ROWS}Snow,Ada Berg\n"), films.unlink, lambda: None]
    told = followed(films, path, steps)
    two = ["films.csv#0#0", "films.csv#1#0"]
    assert told[:2] == [two, [*two, "films.csv#2#0"]]
    assert [one[:24] for one in told[2:]] == ["source: there is no fold"]


def test_an_index_may_lie_in_the_folder_that_it_follows(handbook, embedder):
    path = handbook / "book.index"
    Index.from_source(handbook, embedder=embedder).save(path)
    steps = [partial(write, handbook, "attic", "Bats live there."), lambda: None]
    three = ["cellar.md#0", "kitchen.md#0", "rules.md#0"]
    assert followed(handbook, path, steps) == [three, sorted([*three, "attic.md#0"])]


def test_all_files_of_a_followed_folder_may_be_replaced_at_once(handbook, embedder, tmp_path):
    path = tmp_path / "book.index"
    Index.from_source(handbook, embedder=embedder).save(path)

    def replace():
        for name in ("rules", "kitchen", "cellar"):
            (handbook / f"{name}.md").unlink()
        write(handbook, "garden", "Roses.")

    assert followed(handbook, path, [replace])[1:] == [["garden.md#0"]]
    equal(Index.load(path), handbook, embedder)


def test_another_source_is_refused(handbook, embedder, tmp_path):
    Index.from_source(handbook, embedder=embedder).save(tmp_path / "book.index")
    write(tmp_path / "other", "garden", "Roses.")
    with pytest.raises(InputError, match=r"the index has none of its objects .*that was indexed"):
        follow(
            Index,
            str(tmp_path / "other"),
            tmp_path / "book.index",
            {},
            wait=lambda: None,
            updated=lambda index: None,
            failed=lambda error: None,
        )


@pytest.mark.nightly
def test_the_verb_goes_on_until_it_is_interrupted(handbook, embedder, tmp_path):
    path = tmp_path / "book.index"
    Index.from_source(handbook, embedder=embedder).save(path)
    command = [sys.executable, "-m", "grapher_jax", "watch", str(handbook), str(path)]
    with subprocess.Popen(
        [*command, "--every", "0.1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout.readline().endswith("3 objects, joined by link\n")
            write(handbook, "attic", "Bats live there.")
            assert process.stdout.readline().endswith("4 objects, joined by link\n")
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, err) == (130, "grapher-jax: interrupted\n")
    assert "attic.md#0" in Index.load(path).ids


def test_a_folder_below_the_one_that_was_indexed_is_no_update_of_it(tmp_path, embedder):
    needs_documents()
    names = ("index", "guide/index", "guide/install", "ref/index", "ref/api", "about")
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nWords.\n")
    index = Index.from_source(tmp_path, embedder=embedder)
    inner = tmp_path / "guide"
    with pytest.raises(
        InputError, match=r"guide: seems to be another folder .* lacks 5 of the doc"
    ):
        following.gone_chunks(index, str(inner), [*read_source(inner)])
    # Where most is deleted, what is left is the same.
    for name in names[2:]:
        (tmp_path / f"{name}.md").unlink()
    assert len(following.gone_chunks(index, str(tmp_path), [*read_source(tmp_path)])) == 4


def test_a_document_is_deleted_with_all_its_chunks(handbook, embedder):
    index = Index.from_source(handbook, embedder=embedder, chunk_tokens=40, overlap_tokens=0)
    with pytest.warns(GrapherWarning, match=r"links: 1 name objects .* 'rules\.md#0'"):
        left = index.update(delete=["rules.md"])
    assert {item.metadata["document_id"] for item in left.objects} == {"kitchen.md", "cellar.md"}
