"""Files of records beside documents, and alone: each record is a document of its own."""

import json
import time

import pytest
from document_folders import links, texts, write

from grapher_jax.corpus import read_documents, read_source
from grapher_jax.corpus.documents.data import table
from grapher_jax.errors import GrapherWarning, InputError

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


def test_quotes_between_tabs_may_be_text(tmp_path):
    table = 'id\tname\tnote\n1\t"Ann" Lee\tx\n2\t"Bob the builder\ty\n3\tDon 5"\tz\n'
    found = [
        item.text for item in read_source(write(tmp_path, {"people.tsv": table}) / "people.tsv")
    ]
    assert found == [
        'id: 1\nname: "Ann" Lee\nnote: x',
        'id: 2\nname: "Bob the builder\nnote: y',
        'id: 3\nname: Don 5"\nnote: z',
    ]


def test_a_quote_that_does_not_end_is_told(tmp_path):
    table = '# exported\n\nid,name\n1,Ann Lee\n2,"Bob Ray\n3,Cid Low\n'
    with pytest.warns(GrapherWarning, match=r"a quote in line 5 does not end where its value does"):
        found = [
            item.text for item in read_source(write(tmp_path, {"people.csv": table}) / "people.csv")
        ]
    assert found == ["id: 1\nname: Ann Lee", "id: 2\nname: Bob Ray\n3,Cid Low"]


@pytest.mark.parametrize("above", ["# exported today\n", "Our people,,\n\n", "#\n,\n"])
def test_lines_above_a_header_are_left_out(tmp_path, above):
    table = above + "id,name\n1,Ann Lee\n2,Bob Ray\n"
    found = [
        item.text for item in read_source(write(tmp_path, {"people.csv": table}) / "people.csv")
    ]
    assert found == ["id: 1\nname: Ann Lee", "id: 2\nname: Bob Ray"]


@pytest.mark.parametrize("first", ["# exported today\n", ""])
def test_a_single_column_keeps_its_rows_and_the_delimiter_is_that_of_the_names(tmp_path, first):
    one = write(tmp_path, {"people.csv": f"{first}name\nalice\nfoo,,\ncarol\n"}) / "people.csv"
    assert [item.text for item in read_source(one)] == ["name: alice", "name: foo", "name: carol"]
    two = write(tmp_path, {"ages.csv": f"{first}name;age\nalice;1\nbob;2\n"}) / "ages.csv"
    assert [item.text for item in read_source(two)] == ["name: alice\nage: 1", "name: bob\nage: 2"]
    three = write(tmp_path, {"ids.csv": "#id\nxx\nyy\nzz\n"}) / "ids.csv"
    assert [item.text for item in read_source(three)] == ["#id: xx", "#id: yy", "#id: zz"]


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
        (("7", ""), ("0", "1")),
        (("a b", "c"), ("0", "1")),
        (("../a", "b"), ("0", "1")),
        (("ord.2024+7", "v1.0:b"), ("ord.2024+7", "v1.0:b")),
    ],
)
def test_an_id_of_their_own_names_records_if_each_has_another(tmp_path, ids, known):
    rows = "".join(f"{own},some words\n" for own in ids)
    write(tmp_path, README | {"a.csv": f"ID,text\n{rows}"})
    assert [*texts(tmp_path)][1:] == [f"a.csv#{own}#0" for own in known]


def test_numbers_name_records_where_an_id_stands_twice(tmp_path):
    write(tmp_path, README | {"a.csv": "id,text\n7,some words\n7,others\n"})
    with pytest.warns(GrapherWarning, match=r"a.csv: numbers name .* the id '7' stands 2 times$"):
        assert [*texts(tmp_path)][1:] == ["a.csv#0#0", "a.csv#1#0"]


def test_the_only_list_of_an_object_holds_records(tmp_path):
    write(tmp_path, README | {"films.json": json.dumps({"total": 2, "films": FILMS})})
    wrapped = {name: text for name, text in texts(tmp_path).items() if "films" in name}
    write(tmp_path, {"films.json": json.dumps(FILMS)})
    assert wrapped == {name: text for name, text in texts(tmp_path).items() if "films" in name}
    assert len(wrapped) > len(FILMS)


def test_objects_one_below_the_other_may_be_called_json(tmp_path):
    expected = texts(write(tmp_path, {"films.jsonl": LINES}))
    (tmp_path / "films.jsonl").rename(tmp_path / "films.json")
    assert [*texts(tmp_path).values()] == [*expected.values()]
    write(tmp_path, {"films.json": json.dumps(FILMS, indent=1)[:-1]})
    with pytest.raises(InputError, match="1 whose JSON cannot be parsed"):
        texts(tmp_path)


@pytest.mark.parametrize("line", ["Exported by Bob", "Sales report 2024\n"])
def test_a_title_alone_on_its_line_is_no_column(tmp_path, line):
    (found,) = read_source(
        write(tmp_path, {"a.csv": f"{line}\nregion;amount paid\nNorth;2\n"}) / "a.csv"
    )
    assert found.text == "region: North\namount paid: 2"


@pytest.mark.parametrize(
    ("rows", "first"),
    [
        ('Product name\n"Widget,blue"\n"Gadget,red"\n', "Product name: Widget,blue"),
        ("Review text\nNice phone,good battery\nBad screen\n", "Review text: Nice phone"),
        (
            "Page url\nhttps://x.org/a?b=1;c=2\nhttps://x.org/d\n",
            "Page url: https://x.org/a?b=1;c=2",
        ),
        ("Unit price\n12,50\n13,00\n", "Unit price: 12"),
    ],
)
def test_a_name_of_several_words_is_no_title(tmp_path, rows, first):
    found = [*read_source(write(tmp_path, {"a.csv": rows + "word,\n" * 3}) / "a.csv")]
    assert found[0].text.startswith(first)


@pytest.mark.parametrize(
    "text",
    [
        "word " * 40_000 + ",x\na b,c\n",
        "a b\n" + "word " * 40_000 + "\nx,y\n",
        "a b\n" + "word," * 40_000 + "1\nx,y\n",
        "a,b\n" + '1,"' + "some key: some value\n" * 8_000 + '"\n',
    ],
)
def test_long_lines_of_a_table_take_no_time(tmp_path, text):
    file = write(tmp_path, {"a.csv": text}) / "a.csv"
    started = time.process_time()
    assert [*read_source(file)]
    assert time.process_time() - started < 5


def test_a_table_of_one_column_may_have_commas_in_its_values(tmp_path):
    rows = read_source(write(tmp_path, {"a.csv": "full name\nDoe, Jane\nRoe, Max\n"}) / "a.csv")
    assert [one.text for one in rows] == ["full name: Doe\nJane", "full name: Roe\nMax"]


def test_a_line_that_cannot_be_parsed_costs_no_other(tmp_path):
    write(tmp_path, README | {"films.jsonl": f'{LINES}{{"Title": "Ti'})
    told = "films.jsonl: a line left out, whose line [0-9]+ cannot be parsed"
    with pytest.warns(GrapherWarning, match=told):
        found = texts(tmp_path)
    write(tmp_path, {"films.jsonl": LINES})
    assert found == texts(tmp_path)


@pytest.mark.parametrize(
    ("empty", "told"), [([{}], "a record"), ([{}, {"a": None, "b": [""]}], "2 records")]
)
def test_records_without_a_value_are_counted(tmp_path, empty, told):
    write(tmp_path, {"films.json": json.dumps([*FILMS[1:], *empty])})
    with pytest.warns(GrapherWarning, match=f"films.json: {told} without any value left out"):
        assert len([*read_documents(tmp_path)]) == 2


def test_a_short_summary_is_the_title_where_there_is_none(tmp_path):
    rows = f"Summary,Title\nLogin fails,\nOf it all,A book\n{'long ' * 40},\n"
    found = read_source(write(tmp_path, {"jira.csv": rows}) / "jira.csv")
    assert [item.title for item in found] == ["Login fails", "A book", "jira"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("settings.json", json.dumps({"films": FILMS, "open": {"at": "noon"}})),
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


@pytest.mark.parametrize(
    ("written", "first"),
    [
        ("Title,,\n,,\nname,,\n1,,\n2,3,\n", "name: 1"),
        ("# note\n# id\n1\n2\n", "# id: 1"),
        ("Report 2020,,\nid,,\n1,2,3\n", "id: 1"),
    ],
)
def test_a_header_with_one_name_is_not_above_the_header(written, first):
    assert table(written.encode()).text.startswith(first)


def test_many_blank_lines_above_a_table_take_no_time(tmp_path):
    write(tmp_path, README | {"a.csv": "# a note\n" + "  ,,\n" * 5000 + "1,2,3\n"})
    write(tmp_path, {"b.csv": "# a note\n" + "  ,,\n" * 5000 + "id,text\n1,word\n"})
    begun = time.process_time()
    assert texts(tmp_path)["b.csv#1#0"] == "id: 1\ntext: word"
    assert time.process_time() - begun < 5


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


def test_a_folder_of_nothing_but_json_is_read(tmp_path):
    write(tmp_path, {"films.jsonl": LINES, "more/films.json": json.dumps(FILMS[1:])})
    ids = [item.metadata["document_id"] for item in read_source(tmp_path)]
    assert [*dict.fromkeys(ids)] == [
        *(f"films.jsonl#{number}" for number in range(3)),
        *(f"more/films.json#{number}" for number in range(2)),
    ]
    write(tmp_path, {"queries.jsonl": '{"_id": "q1", "text": "x"}\n'})
    with pytest.raises(InputError, match=r"not a BEIR folder \(it has no corpus.jsonl\)"):
        read_source(tmp_path)
    (tmp_path / "queries.jsonl").unlink()
    write(tmp_path, {"export.py": "def export(): ...\n"})
    with pytest.raises(
        InputError, match=r"records, such as films\.jsonl, may be a source by itself"
    ):
        read_source(tmp_path)


@pytest.mark.parametrize("name", ["corpus.jsonl", "other.ndjson"])
def test_a_file_of_a_beir_folder_is_told_from_one_of_records(tmp_path, name):
    path = tmp_path / name
    path.write_text('{"_id": "a", "title": "", "text": "x"}\n')
    with pytest.raises(InputError, match="its lines have `_id` and `text`, as in a BEIR folder"):
        read_source(path)
    path.write_text('{"_id": "a", "body": "Some words"}\n')
    assert [item.id for item in read_source(path)] == [f"{name}#a#0"]
    path.write_text('{"_id": {"$oid": "a"}, "text": "As MongoDB exports"}\n')
    assert [item.id for item in read_source(path)] == [f"{name}#0#0"]


@pytest.mark.parametrize("name", ["films.json", "films.jsonl"])
def test_what_python_writes_of_a_missing_number_is_no_value(tmp_path, name):
    films = [one | {"Votes": float("nan")} for one in FILMS]
    content = json.dumps(films) if name.endswith("json") else "\n".join(map(json.dumps, films))
    assert "NaN" in content
    write(tmp_path, README | {name: content})
    assert texts(tmp_path)[f"{name}#1#0"] == "Title: Tides\nDirector: Bo Lund\nPlot: High water."


def test_a_link_to_a_file_of_records_means_none_of_them(tmp_path):
    write(tmp_path, README | {"films.csv": TABLE, "films.json": json.dumps({"a": "b"})})
    assert links(tmp_path)["README.md#0"] == ["films.json#0"]
