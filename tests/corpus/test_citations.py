"""References by numbers and codes, between records and to headings."""

import json

import pytest
from document_folders import links, texts, write

from grapher_jax.corpus import read_documents, read_source

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


def test_codes_and_numbers_that_identify_records_are_told(tmp_path):
    rows = "Ticket,day,Case,number\nOPS-5,2024-01-05,C-91,31\nOPS-6,2024-01-06,C-92,32\n"
    found = read_source(write(tmp_path, {"a.csv": rows}) / "a.csv")
    assert {item.id: item.metadata["called"] for item in found} == {
        "a.csv#OPS-5#0": ["C-91", "#31"],
        "a.csv#OPS-6#0": ["C-92", "#32"],
    }
    found = read_source(write(tmp_path, {"b.csv": rows.replace("Case", "id")}) / "b.csv")
    assert {item.id: item.metadata["called"] for item in found} == {
        "b.csv#C-91#0": ["OPS-5", "#31"],
        "b.csv#C-92#0": ["OPS-6", "#32"],
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


def test_codes_name_records_wherever_these_stand(tmp_path):
    rows = ["2024-01-06,PROJ-7,It fails", "2024-01-05,PROJ-6,Slow", "2024-01-05,PROJ-5,Wrong"]
    write(tmp_path, {"a.csv": "\n".join(["Created,Issue key,Words", *rows[1:]])})
    before = [item.id for item in read_source(tmp_path / "a.csv")]
    assert before == ["a.csv#PROJ-6#0", "a.csv#PROJ-5#0"]
    write(tmp_path, {"a.csv": "\n".join(["Created,Issue key,Words", *rows])})
    assert [item.id for item in read_source(tmp_path / "a.csv")] == ["a.csv#PROJ-7#0", *before]
    # A code of another table names none.
    write(tmp_path, {"b.csv": "\n".join(["Created,Ticket,Words", *rows])})
    assert next(item.id for item in read_source(tmp_path / "b.csv")) == "b.csv#0#0"
    # Of two with the same, and where one has none, numbers are the names.
    for other in ("2024-01-07,PROJ-7,Again", "2024-01-07,,Nothing"):
        write(tmp_path, {"a.csv": "\n".join(["Created,Issue key,Words", *rows, other])})
        found = [item.id for item in read_source(tmp_path / "a.csv")]
        assert found == [f"a.csv#{number}#0" for number in range(4)]


def test_numbered_documents_are_linked_where_texts_cite_them(tmp_path):
    files = {
        "docs/adr/0007-queue.md": "# 7. A queue\n\nInstead of ADR 8.",
        "docs/adr/0008-cache.md": "# 8. A cache",
        "docs/decisions/0009-mail.md": "# 9. Mail",
        "rfc/rfc2822.txt": "As said by RFC 822.",
        "rfc/rfc822.txt": "A message.",
        "rfc/RFC-7231.txt": "HTTP.",
        "python3.md": "A language.",
        "2024-06-10 note.md": "ADR-9 is RFC 7231 and python 3, see ADR-0007, RFC 11, ADR 2024, adr 8.",
        "plan.csv": "day,words\n1,as in ADR-0007\n2,and more\n",
    }
    write(tmp_path, files)
    assert {name: to for name, to in links(tmp_path).items() if to} == {
        "docs/adr/0007-queue.md#0": ["docs/adr/0008-cache.md#0"],
        "rfc/rfc2822.txt#0": ["rfc/rfc822.txt#0"],
        "2024-06-10 note.md#0": [
            "docs/decisions/0009-mail.md#0",
            "rfc/RFC-7231.txt#0",
            "docs/adr/0007-queue.md#0",
        ],
        "plan.csv#0#0": ["docs/adr/0007-queue.md#0"],
    }
    # Two with one number are none, and two documents no series.
    write(tmp_path, {"docs/adr/7-other.md": "Another", "rfc/RFC-7231.txt": ""})
    (tmp_path / "rfc" / "RFC-7231.txt").unlink()
    found = links(tmp_path)
    assert found["plan.csv#0#0"] == found["rfc/rfc2822.txt#0"] == []
