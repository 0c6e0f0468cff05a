"""Folders of tables in parts, as data lakes have them."""

import gzip

import pytest

from grapher_jax.corpus import is_database, read_source
from grapher_jax.errors import GrapherWarning, InputError

ROW = "order_id,total\n7,9.5\n"
CUSTOMERS = {"customers.csv": "customer_id,name\n"}


@pytest.fixture
def lake(tmp_path):
    """Writes files into the subfolders of a folder."""

    def write(files):
        for name, content in (CUSTOMERS | files).items():
            place = tmp_path / "lake" / name
            place.parent.mkdir(parents=True, exist_ok=True)
            data = content.encode()
            place.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return tmp_path / "lake"

    return write


def columns_of(folder):
    return {
        item.id: [column["name"] for column in item.metadata["columns"]]
        for item in read_source(folder)
    }


@pytest.mark.parametrize(
    "parts",
    [
        ("orders/part-00000.csv", "orders/part-00001.csv", "orders/_SUCCESS"),
        ("orders/part-00000-5f0c2a-c000.snappy.csv",),
        ("orders/orders-000000000000.csv", "orders/orders-000000000001.csv"),
        ("orders/data_0_0_0.csv",),
        ("orders/0000_part_00.csv.gz",),
        ("orders/20241201_7e1b2c3d4f.csv",),
        ("orders/2024-01.csv", "orders/2024-02.csv"),
        ("orders/8f3e1b2c-77aa-4c1d-9f00-0123456789ab-0.csv",),
        ("orders.csv/anything.csv",),
        ("orders/anything.csv", "orders/_delta_log/00000000000000000000.json"),
        ("orders/data/anything.csv", "orders/metadata/v1.metadata.json"),
    ],
)
def test_a_folder_of_parts_is_a_table(lake, parts):
    place = lake(dict.fromkeys(parts, ROW))
    assert is_database(place)
    assert columns_of(place) == {
        "customers": ["customer_id", "name"],
        "orders": ["order_id", "total"],
    }


def test_subfolders_by_values_are_columns_and_the_last_part_tells_the_others(lake):
    old, new = "orders/year=2023/month=12", "orders/year=2024/month=02"
    files = {f"{old}/x.csv": ROW, f"{new}/x.csv": "order_id,total,month\n", f"{new}/_x": ""}
    place = lake(files | {"orders/year=2025/none.txt.crc": ""})
    assert columns_of(place)["orders"] == ["order_id", "total", "month", "year"]


def test_other_folders_are_no_tables(lake):
    files = [
        "raw/orders.csv",
        "raw/01_items.csv",
        "_old/part-0.csv",
        ".x/part-0.csv",
        "no/part-0.x",
    ]
    place = lake(dict.fromkeys([*files, "orders.csv", "facade/decade.csv"], ROW))
    assert [*columns_of(place)] == ["customers", "orders"]


def test_links_to_parts_are_not_followed(lake):
    place = lake({"orders/part-0.csv": ROW})
    (place / "linked").symlink_to(place / "orders")
    (place / "sums").mkdir()
    (place / "sums" / "part-0.csv").symlink_to(place / "orders" / "part-0.csv")
    with pytest.warns(GrapherWarning, match=r"lake: 2 .* \(such as linked: a symbolic link"):
        assert [*columns_of(place)] == ["customers", "orders"]


def test_tables_in_parts_are_told(lake, grapher):
    place = lake({"orders/part-0.csv": ROW, "orders/part-1.csv": ROW, "raw/x.csv": ROW})
    status, _, told = grapher("index", place, "--out", "index")
    assert not status
    assert "2 CSV files and folders of parts, read as the tables of one database" in told
    assert "not read: 1 others, such as raw" in told


def test_a_marked_table_has_parts_in_folders_of_any_name(lake):
    found = columns_of(lake({"orders/.hoodie/x": "", "orders/2024/01/a.csv": ROW}))
    assert found == {"customers": ["customer_id", "name"], "orders": ["order_id", "total"]}


def test_an_empty_part_tells_no_columns(lake):
    found = columns_of(lake({"orders/part-0.csv": ROW, "orders/part-1.csv": ""}))
    assert found["orders"] == ["order_id", "total"]


def test_the_parts_of_the_source_itself_are_no_tables(lake):
    folder = lake({"orders/year=2023/part-0.csv": ROW, "orders/year=2024/part-0.csv": ROW})
    with pytest.raises(InputError, match="no document is in it"):
        columns_of(folder / "orders")
