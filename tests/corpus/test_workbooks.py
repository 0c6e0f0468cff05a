"""Excel workbooks, whose rows are records as those of other tables."""

from datetime import date, datetime, time
from functools import partial
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pytest
from document_folders import chunks

from grapher_jax.errors import GrapherWarning, InputError

CUSTOMERS = [
    ["Customers, as Bob exported them"],
    ["As of", date(2026, 11, 1)],
    [],
    ["Customer ID", "Name", "City", "Since", "Active"],
    [1001, "Anna Berg", "Oslo", datetime(2020, 5, 1), True],
    [1002, "Bob Stone", "Rome", datetime(2021, 6, 2, 8, 30), False],
]
ORDERS = [
    ["Order No", "Customer ID", "Item", "Price", "Paid"],
    [501, 1001, "Desk lamp", 19.9, "#N/A"],
    [502, 1002, "Oak chair", 0.1 + 0.2, None],
]


def workbook(**sheets):
    book, file = openpyxl.Workbook(), BytesIO()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(file)
    return file.getvalue()


@pytest.fixture
def read(tmp_path):
    """Reads files that are written into a folder: the chunks by their ids."""
    return partial(chunks, tmp_path)


def test_rows_are_records_that_references_join(read):
    found = read({"shop.xlsx": workbook(Customers=CUSTOMERS, Orders=ORDERS)})
    assert {name: item.text for name, item in found.items()} == {
        "shop.xlsx#Customers/0#0": "Customer ID: 1001\nName: Anna Berg\nCity: Oslo\n"
        "Since: 2020-05-01\nActive: true",
        "shop.xlsx#Customers/1#0": "Customer ID: 1002\nName: Bob Stone\nCity: Rome\n"
        "Since: 2021-06-02 08:30:00\nActive: false",
        "shop.xlsx#Orders/0#0": "Order No: 501\nCustomer ID: 1001\nItem: Desk lamp\nPrice: 19.9",
        "shop.xlsx#Orders/1#0": "Order No: 502\nCustomer ID: 1002\nItem: Oak chair\nPrice: 0.3",
    }
    assert found["shop.xlsx#Orders/1#0"].metadata["links"] == ["shop.xlsx#Customers/1#0"]
    assert found["shop.xlsx#Orders/1#0"].metadata["called"] == ["#502"]
    assert [item.title for item in found.values()] == ["Anna Berg", "Bob Stone", "Orders", "Orders"]


def test_of_a_single_sheet_records_are_those_of_the_file(read):
    rows = [["id", "issue_id", "words"], ["c-1", 12, "As here"]]
    files = {
        "issues.csv": b"id,title\n11,One thing\n12,Another one\n",
        "comments.xlsx": workbook(Sheet1=rows, Empty=[]),
        "readme.md": b"See c-1.",
    }
    found = read(files)
    assert found["comments.xlsx#c-1#0"].metadata["links"] == ["issues.csv#12#0"]
    assert found["readme.md#0"].metadata["links"] == ["comments.xlsx#c-1#0"]


def test_sheets_without_records_are_one_each(read):
    notes = [["Walnut is out of stock."], [], ["Bonn is free."]]
    numbers = [["year", "sum"], [2024, 7], [2025, 8]]
    found = read({"a.xlsx": workbook(Notes=notes, Orders=ORDERS, Sums=numbers)})
    assert found["a.xlsx#Notes/0#0"].text == "Walnut is out of stock.\nBonn is free."
    assert found["a.xlsx#Sums/0#0"].text == "year: 2024\nsum: 7\n\nyear: 2025\nsum: 8"
    assert found["a.xlsx#Sums/0#0"].title == "Sums"
    found = read({"a.xlsx": workbook(Notes=notes, Sums=numbers)})
    assert [*found] == ["a.xlsx#0"]
    assert found["a.xlsx#0"].text.startswith("Notes\n\nWalnut is out of stock.")


def test_a_sheet_that_is_split_like_a_text_has_no_names(read):
    items = [["Item", "Words"], *([f"A-{number}", "some words"] for number in (2000, 2001))]
    lines = [["line", "item", "sum"], *([n, f"A-{2000 + n % 2}", n * 7] for n in range(40))]
    found = read({"a.xlsx": workbook(Items=items, Lines=lines)})
    assert "called" not in found["a.xlsx#Lines/0#0"].metadata
    assert found["a.xlsx#Lines/0#0"].metadata["links"] == [
        "a.xlsx#Items/A-2000#0",
        "a.xlsx#Items/A-2001#0",
    ]


def test_sums_and_notes_below_the_rows_are_left_out_and_told(read):
    below = [[], [None, None, "Total", 42.5], ["Without tax"]]
    with pytest.warns(GrapherWarning, match=r"a\.xlsx: 2 rows below its records left out, such as"):
        found = read({"a.xlsx": workbook(Orders=[*ORDERS, *below])})
    assert [*found] == ["a.xlsx#0#0", "a.xlsx#1#0"]
    sparse = [None, None, "Stool", 3.5]
    assert len(read({"a.xlsx": workbook(Orders=[*ORDERS, sparse])})) == 3


def merged(*cells, **sheets):
    """A workbook with cells of its first sheet merged."""
    book, file = openpyxl.load_workbook(BytesIO(workbook(**sheets))), BytesIO()
    for one in cells:
        book.worksheets[0].merge_cells(one)
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("cells", "above", "names", "expected"),
    [
        (
            ["A1:A2", "B1:C1", "D1:D2"],
            ["No", "Buyer", None, "Order", None],
            [None, "Name", "City", None, "Note"],
            ["No", "Buyer Name", "Buyer City", "Order", "Note"],
        ),
        (
            ["A1:B1", "C1:E1"],
            ["2025", None, "2026", None, None],
            ["Sum", "Q1", "Sum", "Q1", "Q2"],
            ["2025 Sum", "2025 Q1", "2026 Sum", "2026 Q1", "2026 Q2"],
        ),
        (
            ["A1:B1", "C1:D1"],
            ["Buyer", None, "To", None, "Terms"],
            ["Name", "City", "Name", "City", "Days"],
            ["Buyer Name", "Buyer City", "To Name", "To City", "Terms Days"],
        ),
        (["A1:E1"], ["Sales", None, None, None, None], [*"ABCDE"], [*"ABCDE"]),
        (["A1:B1"], ["Name", None, "City", "Note", "No"], ["Bob", "Stone", "Oslo", "y", "z"], None),
        ([], ["Name", None, "City", None, "Note"], ["Bob", "x", "Oslo", "y", "z"], None),
        (
            ["A1:B1", "C1:D1"],
            ["Name", None, "City", None, "No"],
            ["Bob", "x", "Rome", "7", 1],
            None,
        ),
    ],
)
def test_names_of_groups_go_before_those_of_columns(read, cells, above, names, expected):
    values = ["one", "two", "three", "four", "five"]
    found = read({"a.xlsx": merged(*cells, A=[above, names, values, values])})
    text = found["a.xlsx#0#0"].text
    if expected:
        assert [line.partition(": ")[0] for line in text.split("\n")] == expected
    else:
        assert text.startswith("Name: Bob\n")


def test_a_merged_cell_is_of_each_of_its_rows(read):
    lines = [
        ["Order", "Day", "Item"],
        [7, "Monday", "Chair"],
        [None, None, "Lamp"],
        [],
        [8, "Friday", "Desk"],
    ]
    found = read({"a.xlsx": merged("A2:A4", "B2:B3", A=lines)})
    assert [item.text.split("\n") for item in found.values()] == [
        ["Order: 7", "Day: Monday", f"Item: {item}"] for item in ("Chair", "Lamp")
    ] + [["Order: 8", "Day: Friday", "Item: Desk"]]


def test_formulas_without_their_values_are_told(read):
    rows = [["No", "Item", "Sum"], [1, "Chair", "=1+2"], [2, "Lamp", "=2+3"]]
    with pytest.warns(GrapherWarning, match=r"a\.xlsx: 2 formulas without a saved value; open and"):
        assert len(read({"a.xlsx": workbook(A=rows)})) == 2


def test_hidden_sheets_and_names_with_marks(read):
    sheets = dict.fromkeys(["A #1", "A _1", "B", "C"], ORDERS)
    book = openpyxl.load_workbook(BytesIO(workbook(**sheets)))
    book["C"].sheet_state = "hidden"
    book["B"]["A2"] = time(8, 30)
    file = BytesIO()
    book.save(file)
    found = read({"a.XLSM": file.getvalue()})
    assert [*found] == [
        f"a.XLSM#{name}/{row}#0" for name in ("A _1", "A _1_1", "B") for row in (0, 1)
    ]
    assert found["a.XLSM#B/0#0"].text.startswith("Order No: 08:30:00\n")


def test_a_workbook_is_a_source_by_itself_and_a_file_of_an_index(tmp_path, grapher):
    place = tmp_path / "shop.xlsx"
    place.write_bytes(workbook(Customers=CUSTOMERS, Orders=ORDERS))
    assert not grapher("index", place, "--out", "index")[0]
    asked = "In which city does the buyer of the oak chair live?"
    status, found, _ = grapher("search", "index", asked, "-k", "2")
    assert not status and "shop.xlsx#Customers/1#0" in found
    assert "shop.xlsx#Orders/1#0" in grapher("search", "index", "Who bought in order 502?")[1]
    place.write_bytes(b"broken")
    status, _, told = grapher("update", "index", "--add", tmp_path)
    assert "whose workbook cannot be parsed (BadZipFile)" in told
    assert "Oak chair" in grapher("search", "index", asked)[1]
    assert not grapher("update", "index", "--delete", "shop.xlsx#Orders/1")[0]
    assert "Oak chair" not in grapher("search", "index", asked)[1]


def repeated():
    """A sheet that unpacks to more than may be read."""
    given, file = BytesIO(workbook(A=[["a"]])), BytesIO()
    with ZipFile(given) as book, ZipFile(file, "w", ZIP_DEFLATED) as large:
        for name in book.namelist():
            data = book.read(name)
            large.writestr(name, data + b" " * 10**6 if name.endswith("sheet1.xml") else data)
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (workbook(A=[["a", "b"]])[:-30], r"whose workbook cannot be parsed \(BadZipFile\)"),
        (workbook(A=[]), "without text"),
        (workbook(A=[["a"] * 200] * 60), "of more than 10,000 cells; save them as .csv"),
        (repeated(), "that unpack to more than 1,000,000 bytes; split them"),
    ],
)
def test_what_cannot_be_read_is_told(read, monkeypatch, data, told):
    monkeypatch.setattr("grapher_jax.corpus.documents.office._MOST_CELLS", 10**4)
    monkeypatch.setattr("grapher_jax.corpus.documents.office.MOST_BYTES", 10**6)
    with pytest.raises(InputError, match=rf"1 file left out: 1 {told} \(such as a\.xlsx\)"):
        read({"a.xlsx": data})


TASKS = [["Task", "By", "Note"], ["Wash", "Ann", "x"], ["Cook", "Bob", "y"]]


@pytest.mark.parametrize(
    "last",
    [
        [["Iron"], ["Sweep"]],
        [["Summer Miller", None, "Rome"]],
        [["Total Energies", None, None]],
        [["2024-01-03", None, 8]],
    ],
)
def test_rows_with_little_are_rows(read, last):
    assert len(read({"a.xlsx": workbook(A=[*TASKS, *last])})) == 2 + len(last)


@pytest.mark.parametrize(
    "last",
    [
        [[], ["Without tax"], ["Nor postage"]],
        [["Total", None, 8]],
        [[None, "Zwischensumme:", 8]],
        [[None, None, 8]],
    ],
)
def test_sums_and_notes_are_no_rows(read, last):
    with pytest.warns(GrapherWarning, match="below its records left out"):
        assert len(read({"a.xlsx": workbook(A=[["No", *TASKS[0]], *TASKS[1:], *last])})) == 2


@pytest.mark.parametrize(
    ("cells", "rows"),
    [
        ([], [["Glossary"], ["Term", "Meaning"], ["API", "An interface"], ["UI", "Another"]]),
        (["B1:F1"], [["Student", "Marks"], ["Ann", 1, 2, 3, 4, 5], ["Bob", 1, 2, 3, 4, 5]]),
    ],
)
def test_the_names_of_columns_are_found(read, cells, rows):
    found = [item.text for item in read({"a.xlsx": merged(*cells, A=rows)}).values()]
    assert len(found) == 2
    assert found[0].startswith(("Term: API\nMeaning: An", "Student: Ann\nMarks: 1"))


def test_a_formula_with_an_empty_text_has_its_value(read):
    given, file = BytesIO(workbook(A=[*TASKS, ["Iron", "Cy", "=A2"]])), BytesIO()
    with ZipFile(given) as book, ZipFile(file, "w") as other:
        for name in book.namelist():
            data = book.read(name)
            other.writestr(name, data.replace(b'<c r="C4"', b'<c r="C4" t="str"'))
    assert len(read({"a.xlsx": file.getvalue()})) == 3


def test_sheets_of_a_workbook_reference_each_other_before_those_of_another(read):
    rows = {
        "Customers": CUSTOMERS,
        "Orders": ORDERS,
        "Risks": [["Risk", "Words"], ["R-17", "Fire"]],
    }
    rows["Notes"] = [["Words", "of"], ["As in R-17", "Ann"], ["Nothing", "Bob"]]
    found = read({name: workbook(**rows) for name in ("Jan.xlsx", "Feb.xlsx")})
    for name in ("Jan.xlsx", "Feb.xlsx"):
        assert found[f"{name}#Orders/1#0"].metadata["links"] == [f"{name}#Customers/1#0"]
        assert found[f"{name}#Notes/0#0"].metadata["links"] == [f"{name}#Risks/R-17#0"]
