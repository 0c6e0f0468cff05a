"""Files of records beside documents, and alone: each record is a document of its own."""

import json
import time

import pytest
from document_folders import links, texts, write

from grapher_jax.corpus import read_documents, read_source

FILMS = [
    {"Title": "Up North", "Director": "Ada Berg", "Plot": "A train waits in the snow. " * 30},
    {"Title": "Tides", "Director": "Bo Lund", "Plot": "High water."},
    {"Title": "", "Director": "Ada Berg", "Plot": "Nothing is known."},
]
TABLE = "".join(",".join(one) + "\n" for one in (FILMS[0].keys(), *(f.values() for f in FILMS)))
LINES = "".join(json.dumps(one) + "\n" for one in FILMS)
README = {"README.md": "# Films\n\nAll are in [the table](films.csv#tides), [here](films.json).\n"}
SIZES = {"chunk_tokens": 60, "overlap_tokens": 0}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("films.csv", TABLE),
        ("films.tsv", TABLE.replace(",", "\t")),
        ("films.json", json.dumps(FILMS)),
        ("films.jsonl", LINES),
        ("films.ndjson", LINES),
    ],
)
def test_a_record_is_a_document_with_a_title(tmp_path, name, content):
    objects = [*read_documents(write(tmp_path, README | {name: content}), **SIZES)]
    records = [item for item in objects if item.metadata["document_id"] != "README.md"]
    long = [item for item in records if item.title == "Up North"]
    assert [item.id for item in long] == [f"{name}#0#{n}" for n in range(len(long))]
    assert long[0].text == "Title: Up North\nDirector: Ada Berg"
    assert {item.metadata["document_id"] for item in long} == {f"{name}#0"}
    assert [(item.id, item.title, item.text) for item in records[len(long) :]] == [
        (f"{name}#1#0", "Tides", "Title: Tides\nDirector: Bo Lund\nPlot: High water."),
        (f"{name}#2#0", "films", "Director: Ada Berg\nPlot: Nothing is known."),
    ]
    assert len(long) > 1


@pytest.mark.parametrize(
    ("names", "title"),
    [
        ("year,NAME,title", "second"),
        ("Headline,subject,x", "first"),
        ("a,b,Label", "third"),
        ("Ort,Betreff,x", "second"),
        ("lieu,x,Libellé", "third"),
        ("a,b,c", "films"),
    ],
)
def test_the_first_column_that_is_called_so_has_the_title(tmp_path, names, title):
    write(tmp_path, README | {"films.csv": f"{names}\nfirst,second,third\n"})
    assert [*read_documents(tmp_path)][-1].title == title


@pytest.mark.parametrize(
    ("ids", "known"),
    [
        (("tt1", "tt2"), ("tt1", "tt2")),
        (("7", "9"), ("7", "9")),
        (("7", "7"), ("0", "1")),
        (("7", ""), ("0", "1")),
        (("a b", "c"), ("0", "1")),
        (("../a", "b"), ("0", "1")),
    ],
)
def test_an_id_of_their_own_names_records_if_each_has_another(tmp_path, ids, known):
    rows = "".join(f"{own},some words\n" for own in ids)
    write(tmp_path, README | {"a.csv": f"ID,text\n{rows}"})
    assert [*texts(tmp_path)][1:] == [f"a.csv#{own}#0" for own in known]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("settings.json", json.dumps({"films": FILMS, "open": True})),
        ("mixed.json", json.dumps([*FILMS, "and others"])),
        ("mixed.jsonl", f'{LINES}"and others"'),
        ("measured.csv", "taken at,celsius\n" + "2024-01-01T00:00:00Z,3.5\n" * 9),
        ("names.csv", "only,names\n"),
    ],
)
def test_what_is_no_list_of_records_or_holds_numbers_alone_is_one_document(tmp_path, name, content):
    write(tmp_path, README | {name: content})
    (_, *objects) = read_documents(tmp_path, **SIZES)
    assert [item.id for item in objects] == [f"{name}#{n}" for n in range(len(objects))]


def test_a_link_to_a_file_of_records_means_none_of_them(tmp_path):
    write(tmp_path, README | {"films.csv": TABLE, "films.json": json.dumps({"a": "b"})})
    assert links(tmp_path)["README.md#0"] == ["films.json#0"]


@pytest.mark.nightly
def test_many_records_take_linear_time(tmp_path):
    def seconds(count: int) -> float:
        (tmp_path / "a.csv").write_text("id,text\n" + "".join(f"{n},word\n" for n in range(count)))
        start = time.process_time()
        assert len(texts(tmp_path)) == count + 1
        return time.process_time() - start

    write(tmp_path, README)
    seconds(100)
    assert seconds(10_000) < 30 * seconds(1250)


@pytest.mark.parametrize(
    ("name", "content"),
    [("films.csv", TABLE), ("films.tsv", TABLE.replace(",", "\t")), ("a.JSON", json.dumps(FILMS))],
)
def test_a_single_file_of_records_is_a_source(tmp_path, name, content):
    write(tmp_path, README | {name: content})
    objects = [*read_source(tmp_path / name)]
    beside = [item for item in read_source(tmp_path) if not item.id.startswith("README")]
    assert objects == beside
    assert len(objects) > 2


@pytest.mark.parametrize("name", ["films.json", "films.jsonl"])
def test_what_python_writes_of_a_missing_number_is_no_value(tmp_path, name):
    films = [one | {"Votes": float("nan")} for one in FILMS]
    content = json.dumps(films) if name.endswith("json") else "\n".join(map(json.dumps, films))
    assert "NaN" in content
    write(tmp_path, README | {name: content})
    assert texts(tmp_path)[f"{name}#1#0"] == "Title: Tides\nDirector: Bo Lund\nPlot: High water."
