"""What connects given tables."""

import pytest

from grapher_jax.corpus import Object
from grapher_jax.errors import InputError
from grapher_jax.tables.paths import connecting, join_path
from grapher_jax.tables.schema import Schema


def test_a_path_names_what_lies_between_and_the_conditions(shop):
    path = shop.join_path(["Country", "product"])
    assert path.tables == ("country", "product", "customer", "order_line", "sales_order")
    assert path.bridges == ("customer", "order_line", "sales_order")
    assert "order_line.order_id = sales_order.id" in str(path)
    assert path.to_dict()["joins"][0] == {
        "left": {"table": "customer", "columns": ["country"]},
        "right": {"table": "country", "columns": ["code"]},
        "by": "declared",
        "on": "customer.country = country.code",
    }


def links(*pairs: str) -> list[Object]:
    """Tables of one letter each, of which the first of a pair references the second."""
    keys: dict[str, list[str]] = {name: [] for name in sorted({*"".join(pairs)})}
    for one, other in pairs:
        keys[one].append(other)
    return [
        Object(name, f"{name}: id", metadata={"foreign_keys": own}) for name, own in keys.items()
    ]


def test_a_path_tells_other_ways_that_avoid_a_bridge_each():
    schema = Schema(links("ab", "bz", "ad", "de", "ez", "af", "fg", "gh", "hz"))
    path = join_path(schema, ["a", "z"])
    assert path.bridges == ("b",)
    assert path.others == (("d", "e"), ("f", "g", "h"))
    assert [join.references for join in path.joins] == ["b", "z"]
    others = ["-- or through d and e", "-- or through f and g and h"]
    assert str(path).splitlines()[2:] == others
    assert path.to_dict()["others"] == [["d", "e"], ["f", "g", "h"]]
    assert join_path(schema, ["a", "z", "d", "e"]).bridges == ()


def test_no_other_way_leaves_a_table_out():
    schema = Schema(links("ab", "bc", "bd", "ce", "ed"))
    path = join_path(schema, ["a", "c", "d"])
    assert (path.bridges, path.others) == (("b",), ())


def test_two_columns_make_one_condition(shop):
    path = shop.join_path(["shipped_line", "order_line"])
    assert path.bridges == ()
    expected = "shipped_line.order_id = order_line.order_id and shipped_line.line = order_line.line"
    assert str(path) == expected


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["product"], "a path joins two or more, not 1"),
        (["product", "PRODUCT"], "a path joins two or more, not 1"),
        (["product", "wether_station"], "near names: weather_station"),
        (
            ["product", "weather_station"],
            "no keys connect product and weather_station; they lie among 6 and 1 connected tables",
        ),
    ],
)
def test_what_cannot_be_joined_is_told(shop, names, message):
    with pytest.raises(InputError, match=message):
        shop.join_path(names)


def test_the_fewest_tables_connect_a_star():
    objects = [Object("hub", "hub: id")]
    objects += [
        Object(f"leaf{n}", "leaf: id", metadata={"foreign_keys": ["hub"]}) for n in range(5)
    ]
    objects += [Object("far", "far: id", metadata={"foreign_keys": ["leaf0"]})]
    schema = Schema(objects)
    assert connecting(schema, [1, 2, 3]) == [0]
    assert connecting(schema, [6, 4]) == [0, 1]
    assert connecting(schema, [0, 1]) == []
    assert connecting(schema, []) == []
