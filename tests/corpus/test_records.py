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


CITING = {
    "tickets.jsonl": [
        {"id": "INC-7", "subject": "blank labels", "text": "Same cause as INC-12."},
        {"id": "INC-12", "subject": "ribbon", "text": "Turn the roll. See #31, INC-99."},
    ],
    "orders.json": [
        {"number": 31, "text": "ribbons, for INC-12"},
        {"number": 32, "text": "paper by § 2 and Article 3"},
    ],
    "terms.json": [
        {"title": "§ 1 Returns", "text": "As § 2 says"},
        {"title": "§ 2 Postage", "text": "Nothing."},
    ],
}


@pytest.mark.parametrize(
    ("empty", "told"), [([{}], "a record"), ([{}, {"a": None, "b": [""]}], "2 records")]
)
def test_records_without_a_value_are_counted(tmp_path, empty, told):
    write(tmp_path, {"films.json": json.dumps([*FILMS[1:], *empty])})
    with pytest.warns(GrapherWarning, match=f"films.json: {told} without any value left out"):
        assert len([*read_documents(tmp_path)]) == 2


def test_records_are_joined_that_cite_each_other(tmp_path):
    lines = "".join(json.dumps(one) + "\n" for one in CITING["tickets.jsonl"])
    others = {name: json.dumps(CITING[name]) for name in ("orders.json", "terms.json")}
    write(
        tmp_path, {"README.md": "# Export\n\nAsk about INC-7.\n", "tickets.jsonl": lines} | others
    )
    assert links(tmp_path) == {
        "README.md#0": ["tickets.jsonl#INC-7#0"],
        "tickets.jsonl#INC-7#0": ["tickets.jsonl#INC-12#0"],
        "tickets.jsonl#INC-12#0": ["orders.json#0#0"],
        "orders.json#0#0": ["tickets.jsonl#INC-12#0"],
        "orders.json#1#0": ["terms.json#1#0"],
        "terms.json#0#0": ["terms.json#1#0"],
        "terms.json#1#0": [],
    }


def test_a_short_summary_is_the_title_where_there_is_none(tmp_path):
    rows = f"Summary,Title\nLogin fails,\nOf it all,A book\n{'long ' * 40},\n"
    found = read_source(write(tmp_path, {"jira.csv": rows}) / "jira.csv")
    assert [item.title for item in found] == ["Login fails", "A book", "jira"]


def test_codes_and_numbers_that_identify_records_are_told(tmp_path):
    rows = "day,Ticket,number\n2024-01-05,OPS-5,31\n2024-01-06,OPS-6,32\n"
    found = read_source(write(tmp_path, {"a.csv": rows}) / "a.csv")
    assert {item.id: item.metadata["called"] for item in found} == {
        "a.csv#0#0": ["OPS-5", "#31"],
        "a.csv#1#0": ["OPS-6", "#32"],
    }
    found = read_source(write(tmp_path, {"b.csv": rows.replace("Ticket", "id")}) / "b.csv")
    assert {item.id: item.metadata["called"] for item in found} == {
        "b.csv#OPS-5#0": ["#31"],
        "b.csv#OPS-6#0": ["#32"],
    }


def test_a_number_is_said_of_a_record_and_its_id_names_it_in_columns(tmp_path):
    issues = [
        {"id": 900000000, "number": 1042, "body": "It crashes"},
        {"id": 900000001, "number": 1043, "body": "Fixes #1042, not #900000000"},
        {"id": 900000002, "number": 1044, "body": "Again", "parent_id": 900000001},
    ]
    write(tmp_path, {"issues.json": json.dumps(issues)})
    assert {name: to for name, to in links(tmp_path).items() if to} == {
        "issues.json#900000001#0": ["issues.json#900000000#0"],
        "issues.json#900000002#0": ["issues.json#900000001#0"],
    }


@pytest.mark.parametrize(
    ("own", "other", "first", "second"),
    [
        ("message_id", "in_reply_to", "<CAF1x@mail.example>", "<DAG2y@mail.example>"),
        ("ts", "thread_ts", "1700000000.000100", "1700000000.000200"),
        ("url", "see", "https://a.example/1", "https://a.example/2"),
    ],
)
def test_long_values_name_the_record_that_has_them(tmp_path, own, other, first, second):
    names_none = ["2024-01-05T10:00:00+01:00", "05.01.2024T10:00", "2024/01/05", "-0.12775829"]
    names_none += ["1700000001", "EUR1,234.50", "ann@mail.example", "1700000000.123456"]
    messages = [
        {own: first, "text": "Who has the key?"} | dict(zip("abcdefgh", names_none, strict=True)),
        {own: second, "text": "I do", other: first}
        | dict(zip("pqrstuvw", names_none, strict=True)),
    ]
    messages[1] |= {"a": "2024-01-06T10:00:00", "b": "06.01.2024", "c": "2024/01/06", "d": "1.5"}
    messages[1] |= {"e": "1700000002", "f": "EUR2,234.50", "g": "bob@mail.example", "h": "1.7"}
    write(tmp_path, {"mail.json": json.dumps(messages)})
    assert links(tmp_path) == {"mail.json#0#0": [], "mail.json#1#0": ["mail.json#0#0"]}


def test_a_list_within_a_record_names_those_of_another_file(tmp_path):
    orders = [
        {
            "id": 7,
            "text": "one",
            "items": [{"product_id": 100}, {"product_id": 101, "parent_id": 8}],
        }
    ]
    products = [{"id": number, "name": "tea"} for number in (8, 100, 101)]
    write(tmp_path, {"orders.json": json.dumps(orders), "products.json": json.dumps(products)})
    assert links(tmp_path)["orders.json#7#0"] == ["products.json#100#0", "products.json#101#0"]


def test_ids_may_have_nineteen_digits(tmp_path):
    posts = [
        {"id": 1700000000000000001, "text": "The new release is out"},
        {"id": 1700000000000000002, "text": "It fails", "in_reply_to": 1700000000000000001},
    ]
    write(tmp_path, {"posts.json": json.dumps(posts)})
    first, second = (f"posts.json#{post['id']}#0" for post in posts)
    assert links(tmp_path) == {first: [], second: [first]}


def test_a_code_without_a_digit_costs_no_other(tmp_path):
    tickets = [
        {"id": "bd-a3sj", "text": "one\nid: bd-zmmy"},
        {"id": "bd-zmmy", "text": "as bd-a3sj"},
        {"id": "bd-x.1", "text": "as bd-zmmy and well-known"},
        {"id": "well-known", "text": "no code, for no code begins like it"},
    ]
    write(tmp_path, {"README.md": "# Export\n\nSee.\n", "tickets.json": json.dumps(tickets)})
    assert {name: to for name, to in links(tmp_path).items() if to} == {
        "tickets.json#bd-a3sj#0": ["tickets.json#bd-zmmy#0"],
        "tickets.json#bd-zmmy#0": ["tickets.json#bd-a3sj#0"],
        "tickets.json#bd-x.1#0": ["tickets.json#bd-zmmy#0"],
    }


def test_integers_in_columns_that_name_records_lead_to_them(tmp_path):
    issues = [
        {"rank": 2, "id": 1, "text": "the first", "votes": 2, "reply_count": 2, "replies": 2},
        {"rank": 13, "id": 2, "text": "as #1", "duplicate_of": 1, "original_price": 13},
        {"rank": 1, "id": 13, "text": "both", "parent": {"id": 2}, "blockedBy": [1, 2, 99]},
        {"rank": 4, "id": 14, "text": "none", "assignee_id": 1, "issue": 13, "previous_id": 13},
    ]
    comments = [{"text": "a word", "issue_id": 13}, {"text": "another", "issue_ids": "1"}]
    files = {"issues.json": json.dumps(issues), "comments.jsonl": json.dumps(comments[0])}
    files["comments.jsonl"] += "\n" + json.dumps(comments[1])
    write(tmp_path, {"README.md": "# Export\n\nparent_id: 1\n"} | files)
    assert {name: to for name, to in links(tmp_path).items() if to} == {
        "issues.json#2#0": ["issues.json#1#0"],
        "issues.json#13#0": ["issues.json#2#0", "issues.json#1#0"],
        "issues.json#14#0": ["issues.json#13#0"],
        "comments.jsonl#0#0": ["issues.json#13#0"],
        "comments.jsonl#1#0": ["issues.json#1#0"],
    }


def test_columns_name_other_records_together_with_their_kind(tmp_path):
    tickets = [
        {"id": 31, "text": "first", "related_tickets": 2, "children": 1, "duplicates": 3},
        {"id": 32, "text": "second", "parent_ticket": 31, "blocks": 33, "causes": 33},
        {"id": 33, "text": "third", "merged_into": 32, "Related Tickets": [31, 32]},
        {"id": 34, "text": "fourth", "supersedes": 31, "children": [32, 33], "related_price": 31},
    ]
    comments = [{"text": "an answer", "parent_ticket": 32, "parent_ticket_id": 33}]
    files = {"tickets.json": json.dumps(tickets), "comments.json": json.dumps(comments)}
    write(tmp_path, {"README.md": "Words."} | files)
    assert {name: {*to} for name, to in links(tmp_path).items() if to} == {
        "tickets.json#32#0": {"tickets.json#31#0"},
        "tickets.json#33#0": {"tickets.json#31#0", "tickets.json#32#0"},
        "tickets.json#34#0": {"tickets.json#31#0", "tickets.json#32#0", "tickets.json#33#0"},
        "comments.json#0#0": {"tickets.json#32#0", "tickets.json#33#0"},
    }


def test_counts_and_prices_are_no_references(tmp_path):
    columns = {"original_price": 12, "reply_count": 12, "previous_score": 12, "child_count": 12}
    items = [{"id": n, "text": "a thing"} | columns for n in (11, 12)]
    names = ("items", "product_prices", "daily_counts", "scores")
    write(tmp_path, {"README.md": "Words."} | {f"{name}.json": json.dumps(items) for name in names})
    assert not any(links(tmp_path).values())


def test_a_column_may_say_the_last_words_of_a_files_name(tmp_path):
    partners = [{"id": n, "text": f"Partner {n}"} for n in (163, 164)]
    orders = [{"id": n, "text": "an order", "partner_id": 163, "line_id": 1} for n in (42, 43)]
    lines = [{"id": n, "text": "a line", "order_id": 42} for n in (1, 2)]
    named = {"res_partner": partners, "sale_order": orders, "sale_line": lines, "buy_line": lines}
    files = {f"{name}.json": json.dumps(records) for name, records in named.items()}
    write(tmp_path, {"README.md": "Words."} | files)
    found = links(tmp_path)
    assert found["sale_line.json#1#0"] == found["buy_line.json#2#0"] == ["sale_order.json#42#0"]
    # None of the two files of lines is the one that `line_id` names.
    assert found["sale_order.json#42#0"] == ["res_partner.json#163#0"]


def test_files_whose_names_differ_by_numbers_are_one_to_columns_that_name_them(tmp_path):
    files = {
        "2023/issues.json": [{"id": 1, "text": "one"}, {"id": 5, "text": "twice"}],
        "2024/issues-2.json": [{"id": 3, "text": "three"}, {"id": 5, "text": "twice"}],
        "---.json": [{"id": 4, "text": "four"}],
        "comments.json": [{"text": "of", "issue_id": n} for n in (1, 3, 4, 5)],
    }
    write(tmp_path, {name: json.dumps(records) for name, records in files.items()})
    assert {name: to for name, to in links(tmp_path).items() if to} == {
        "comments.json#0#0": ["2023/issues.json#1#0"],
        "comments.json#1#0": ["2024/issues-2.json#3#0"],
    }


def test_values_with_many_underscores_take_no_time(tmp_path):
    records = [{"id": n, "sign": "_" * 60 + " (here)", "path": f"{n}" + "_a" * 60} for n in (1, 2)]
    write(tmp_path, {"forms.json": json.dumps(records)})
    assert len(texts(tmp_path)) == 2


def test_a_number_of_two_files_means_the_record_of_the_same_file(tmp_path):
    rows = [{"id": 31, "text": "one"}, {"id": 32, "text": "as #31"}]
    both = {name: json.dumps(rows) for name in ("a.json", "b.json")}
    write(tmp_path, {"README.md": "# Export\n\nSee #31.\n"} | both)
    assert {name: to for name, to in links(tmp_path).items() if to} == {
        "a.json#32#0": ["a.json#31#0"],
        "b.json#32#0": ["b.json#31#0"],
    }


@pytest.mark.parametrize(
    ("heading", "cited", "leads"),
    [
        ("4.3 Keys", "see section 4.3", True),
        ("§ 4 Keys", "nach § 4 Abs. 2", True),
        ("Article 4: Keys", "by article 4.", True),
        ("4. Keys", "under Clause 4 and", True),
        ("4. Keys", "Nach § 4 BGB und § 13 TMG", False),
        ("4.3 Keys", "4.3 of them", False),
        ("4.31 Keys", "section 4.3", False),
    ],
)
def test_numbered_headings_are_joined_with_what_cites_them(tmp_path, heading, cited, leads):
    words = "Some words stand here. " * 12
    write(tmp_path, {"a.md": f"# Title\n\n{words}{cited}\n\n## {heading}\n\n{words}\n"})
    found = {item.id: item.metadata["links"] for item in read_documents(tmp_path, chunk_tokens=70)}
    assert [name for name, to in found.items() if to] == (["a.md#0"] if leads else [])


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


def test_a_link_to_a_file_of_records_means_none_of_them(tmp_path):
    write(tmp_path, README | {"films.csv": TABLE, "films.json": json.dumps({"a": "b"})})
    assert links(tmp_path)["README.md#0"] == ["films.json#0"]


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
