"""Keys that names tell of: a schema by hand for each rule."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables_by_name import inferred, tables

from grapher_jax.corpus.inferred.likely import infer_by_name, weighed
from grapher_jax.corpus.inferred.types import Table


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ("customers: id, name\norders: id, customer_id", ("orders", "customer_id", "customers", "id")),
        ("Customer: CustomerId\nOrder: OrderId, CustomerId", ("Order", "CustomerId", "Customer", "CustomerId")),
        ("customers: customerid\norders: orderid, customerid", ("orders", "customerid", "customers", "customerid")),
        ("companies: id, name\nstaff: id, company_id", ("staff", "company_id", "companies", "id")),
        ("movies: id, title\nroles: id, movie_id", ("roles", "movie_id", "movies", "id")),
        ("addresses: id, city\npeople: id, address_id", ("people", "address_id", "addresses", "id")),
        ("customer: id, name\norders: id, customer", ("orders", "customer", "customer", "id")),
        ("customers: id\norders: id, billing_customer_id", ("orders", "billing_customer_id", "customers", "id")),
        ("team: id, name\nmatch: id, team1_id", ("match", "team1_id", "team", "id")),
        ("shop_customer: id\nshop_order: id, customer_id\nshop_item: id", ("shop_order", "customer_id", "shop_customer", "id")),
        ("tbl_customer: id, name\norders: id, customer_id", ("orders", "customer_id", "tbl_customer", "id")),
        ("department: dept_id, name\nperson: id, dept_id", ("person", "dept_id", "department", "dept_id")),
        ("revision: rev_id, rev_text\nchange: ct_id, ct_rev_id", ("change", "ct_rev_id", "revision", "rev_id")),
        ("orders: o_orderkey, o_total\nlineitem: l_id, l_orderkey", ("lineitem", "l_orderkey", "orders", "o_orderkey")),
        ("station: id, name\nreading: station_id, day, value", ("reading", "station_id", "station", "id")),
        ("device: serial_no, name\nlog: day, serial_no", ("log", "serial_no", "device", "serial_no")),
        ("auth_user: id, name\nblog_entry: id, user_id", ("blog_entry", "user_id", "auth_user", "id")),
        ("auth_user: id, name\nblog_entry: id, created_by_id", ("blog_entry", "created_by_id", "auth_user", "id")),
        ("blog_unit: id\nwiki_unit: id\nblog_entry: id, unit_id", ("blog_entry", "unit_id", "blog_unit", "id")),
        ("app_orderpayment: id\napp_refund: id, payment_id", ("app_refund", "payment_id", "app_orderpayment", "id")),
        ("app_secret: id\napp_secretsgroup: id\napp_repo: id, secrets_group_id", ("app_repo", "secrets_group_id", "app_secretsgroup", "id")),
        ("vpn_vpn: id\nvpn_vpnphase1policy: id\nvpn_tunnel: id, vpn_phase1_policy_id", ("vpn_tunnel", "vpn_phase1_policy_id", "vpn_vpnphase1policy", "id")),
        ("attributes: id, name\nport: id, attrib_id", ("port", "attrib_id", "attributes", "id")),
        ("data_set_link: id, x\nfile: id, dsl_id", ("file", "dsl_id", "data_set_link", "id")),
        ("data_local: id\ngraph_local: id\nstats: day, local_data_id", ("stats", "local_data_id", "data_local", "id")),
        ("user: id, name\nbill: id, user_created_id", ("bill", "user_created_id", "user", "id")),
        ("base: id, x\nchild: base_ptr_id, y", ("child", "base_ptr_id", "base", "id")),
        ("game: id, name\ngamestatus: id, name\ngame_log: id, status_id", ("game_log", "status_id", "gamestatus", "id")),
        ("mart_dim_driver: driver_id, name\nmart_fct_race: race_id, name\nmart_fct_lap: lap_id, driver_id", ("mart_fct_lap", "driver_id", "mart_dim_driver", "driver_id")),
        ("calendar_year: year_id, name\nbudget: id, year_id", ("budget", "year_id", "calendar_year", "year_id")),
        ("node: id, parent_id", ("node", "parent_id", "node", "id")),
        ("itemGroup: itemGroupId, parentGroupId\ngroup: id, name", ("itemGroup", "parentGroupId", "itemGroup", "itemGroupId")),
        ("category: id, name\nsubcategory: id, parent_category_id", ("subcategory", "parent_category_id", "category", "id")),
        ("category: category_id, parent_category_id", ("category", "parent_category_id", "category", "category_id")),
        ("country: name, area\ncity: id, country", ("city", "country", "country", "name")),
        ("continent: name, area\ncountry: code, continent", ("country", "continent", "continent", "name")),
        ("categorías: id, nombre\nproducto: id, categoria_id", ("producto", "categoria_id", "categorías", "id")),
        ("kunden: kundennr, name\nauftraege: auftragsnr, kundennr", ("auftraege", "kundennr", "kunden", "kundennr")),
        ("artikel: artikelnummer, name\nlager: id, artikelnummer", ("lager", "artikelnummer", "artikel", "artikelnummer")),
        ("ads: id, name\nclicks: id, ad_id", ("clicks", "ad_id", "ads", "id")),
        ("kunstler: id, name\nwerk: id, künstler_id", ("werk", "künstler_id", "kunstler", "id")),
    ],
)  # fmt: skip
def test_a_key_is_told_by_a_name(schema, expected):
    assert inferred(schema) == {expected}


@pytest.mark.parametrize("key", ["num_sejour", "sejour_kz", "code_sejour"])
def test_a_column_called_as_the_key_of_a_table_that_this_names_references_it(key):
    others = "\n".join(f"t{n}: id, agent_id, {key[:4]}_{n}" for n in range(5))
    schema = f"sejour: {key}, debut\nacte: acte_id, {key}\nagent: id, nom\n{others}"
    keys = {"sejour": ((key,),), "acte": (("acte_id",),), "agent": (("id",),)}
    found = {one for one in inferred(schema, keys=keys) if one[1] == key}
    assert found == {("acte", key, "sejour", key)}
    # Another table has a key of this name.
    schema, keys["agent"] = schema.replace("agent: id", f"agent: {key}"), ((key,),)
    assert not [one for one in inferred(schema, keys=keys) if one[:2] == ("acte", key)]


@pytest.mark.parametrize(
    "schema",
    [
        "customers: id, name\norders: id, order_date, total",
        # Several could be meant.
        "north_unit: id, x\nsouth_unit: id, x\nentry: id, unit_id",
        # Each row names its table.
        "owner: id, name\nfile: id, owner_type, owner_id",
        "object: id, name\nfile: id, content_type_id, object_id",
        # Three tables begin with a key of which none is the owner.
        "a: case_number, x\nb: case_number, y\nc: case_number, z",
        "person: id, name, date\nevent: id, name, date",
        # A year is no key of what happened in it.
        "game: year_id, park\nvote: id, year_id, points",
    ],
)
def test_what_may_mean_anything_is_left_alone(schema):
    assert inferred(schema) == set()


def test_a_key_of_several_columns_is_left_alone():
    schema = "orders: order_id, line, note\nshipments: id, order_id"
    assert inferred(schema, keys={"orders": (("order_id", "line"),)}) == set()
    assert inferred(schema, keys={"orders": (("order_id",),)}) == {
        ("shipments", "order_id", "orders", "order_id")
    }


def test_a_unique_column_is_named_too():
    schema = "country: id, country_code, email\ncities: id, country_code, country_id, email"
    assert inferred(schema, keys={"country": (("id",), ("country_code",), ("email",))}) == {
        ("cities", "country_code", "country", "country_code"),
        ("cities", "country_id", "country", "id"),
    }


def test_a_key_that_is_anothers_is_not_its_tables_own():
    schema = "app_user: id, name\nsettings: user_id, theme\ntokens: id, user_id\nlogs: id, user_id"
    keys = {"settings": (("user_id",),), "tokens": (("id",), ("user_id",))}
    found = inferred(schema, keys=keys)
    assert ("logs", "user_id", "app_user", "id") in found
    assert {target for _, _, target, _ in found} == {"app_user"}


@pytest.mark.parametrize(
    ("kind", "other", "fits"),
    [
        ("INTEGER", "BIGINT", True),
        ("VARCHAR(20)", "TEXT", True),
        ("INTEGER", "VARCHAR(20)", False),
        ("UUID", "INTEGER", False),
        ("DATE", "INTEGER", False),
        ("", "INTEGER", True),
        ("HSTORE", "INTEGER", True),
        ("INTEGER", "SMALLINT", True),
        ("TINYINT", "TINYINT(1)", True),
        ("MEDIUMINT", "TINYINT(1)", False),
    ],
)
def test_columns_whose_types_cannot_be_equal_are_left_alone(kind, other, fits):
    types = {"customer_key": kind, "customer_id": other}
    found = inferred("customers: customer_key, name\norders: id, customer_id", types=types)
    assert bool(found) == fits


STAYS = """patients: row_id, subject_id, gender
admissions: row_id, hadm_id, subject_id, unit
events: row_id, hadm_id, value
notes: row_id, hadm_id, text
items: row_id, itemid, label
wards: row_id, name"""
OWN = dict.fromkeys(("events", "notes", "wards"), (("row_id",),))
OWN |= {"patients": (("row_id",), ("subject_id",)), "admissions": (("row_id",), ("hadm_id",))}


def test_a_common_name_that_one_table_declares_as_its_key_references_it():
    own = OWN | {"items": (("row_id",), ("itemid",))}
    assert {key[:3] for key in inferred(STAYS, keys=own)} == {
        ("events", "hadm_id", "admissions"),
        ("notes", "hadm_id", "admissions"),
    }
    # Another table that declares it as well may be meant too.
    assert inferred(STAYS, keys=own | {"notes": (("hadm_id",),)}) == set()
    # Two tables of sixteen may be called so by chance.
    many = "\n".join([STAYS, *(f"t{n}: row_id, a{n}" for n in range(10))])
    assert inferred(many, keys=own | {f"t{n}": (("row_id",),) for n in range(10)}) == set()


def test_beside_the_numbers_of_its_rows_a_table_has_a_key_of_its_own():
    schema = "stays: row_id, stay_id, ward\nevents: row_id, stay_id, value"
    keys = {"stays": (("row_id",),), "events": (("row_id",),)}
    assert inferred(schema, keys=keys) == {("events", "stay_id", "stays", "stay_id")}
    keys = {"stays": (("id",),), "events": (("id",),)}
    found = inferred(schema.replace("row_id", "id"), keys=keys)
    assert found == {("events", "stay_id", "stays", "id")}


def test_beside_a_declared_key_a_guessed_one_of_its_name_is_none():
    schema = "author: aid, name\ndomain_author: aid, did\nwrites: aid, pid"
    keys = {"author": (("aid",),)}
    assert ("writes", "aid", "author", "aid") in inferred(schema, keys=keys)
    assert ("writes", "aid", "author", "aid") not in inferred(schema)


def test_a_guessed_key_that_is_its_tables_own_stands_beside_a_declared_one():
    schema = "users: id, name\napp_user: id, app\norders: id, user_id"
    found = inferred(schema, keys={"app_user": (("id",),), "orders": (("id",),)})
    assert ("orders", "user_id", "users", "id") in found
    schema = "users: user_id, name\nuser_settings: user_id, theme\norders: id, user_id"
    found = inferred(schema, keys={"user_settings": (("user_id",),), "orders": (("id",),)})
    assert ("orders", "user_id", "users", "user_id") in found


def test_a_table_beside_another_is_not_what_a_common_name_references():
    schema = "person: id, name\nuser_settings: user_id, x\na: id, user_id\nb: id, user_id"
    keys = dict.fromkeys(("person", "a", "b"), (("id",),))
    assert inferred(schema, keys=keys | {"user_settings": (("user_id",),)}) == set()


def test_a_table_with_another_column_called_as_the_end_is_not_referenced():
    schema = "flight: flight_id, {}, length\nstop: id, from_flight_code\nday: id\nplane: id"
    keys = {name: ((key,),) for name, key in (("flight", "flight_id"), ("stop", "id"))}
    keys |= {"day": (("id",),), "plane": (("id",),)}
    known = {("stop", "from_flight_code", "flight", "flight_id")}
    assert inferred(schema.format("weekday"), keys=keys) == known
    assert inferred(schema.format("flight_code"), keys=keys) == set()


def test_some_plurals_are_singulars():
    schema = "series: id, title\nedit_series: edit_id, series"
    assert inferred(schema) == {("edit_series", "series", "series", "id")}


def test_a_table_that_shares_its_key_references_its_owner():
    found = inferred("person: person_id, name\nperson_photo: person_id, image")
    assert found == {("person_photo", "person_id", "person", "person_id")}


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_tables_with_one_key_the_longer_name_references_the_other(turned):
    lines = ["blog_post: blog_id, title", "blog_entry: blog_id, text"]
    found = inferred("\n".join(lines[::-1] if turned else lines))
    assert found == {("blog_entry", "blog_id", "blog_post", "blog_id")}


def test_tables_of_the_same_name_reference_neither_each_other_nor_many():
    kept = Table("old.customer", "customer", ("customer_id", "name"), {}, ())
    orders = Table("new.orders", "orders", ("order_id", "customer_id"), {}, ())
    for count, expected in ((1, {"old.customer"}), (2, set()), (30, set())):
        same = [replace(kept, id=f"{n}.customer") for n in range(1, count)]
        found = list(infer_by_name([kept, *same, orders]))
        assert {key.references for key in found} == expected


def test_a_schema_for_each_of_many_customers_is_not_compared_with_every_other():
    for count in (4, 40):
        made = [
            replace(table, id=f"{n}.{table.id}")
            for n in range(count)
            for table in tables("customers: id, name\norders: id, customer_id")
        ]
        weighed_of = {source.id: found for source, column, found in weighed(made) if column.stem}
        assert {len(found) for found in weighed_of.values()} == {count if count < 20 else 0}


def test_a_key_named_after_its_own_table_references_no_other_by_a_part():
    schema = "mail_rulebooks: rbid, text\nprice_rb: id, name\nday: id, name\nnote: id, name"
    assert inferred(schema, keys={"mail_rulebooks": (("rbid",),)}) == set()


def test_a_table_that_ends_in_a_columns_name_leaves_no_letters_to_others():
    """`location_id` of `location` is none of `allocation`."""
    for own in ("location", "stock_location"):
        assert inferred(f"{own}: id, name, location_id\nallocation: id, days") == set()
    assert inferred("place: id, name, location_id\nallocation: id, days") != set()


def test_a_tenants_column_in_most_tables_references_nothing():
    """As `MANDT` of SAP, the key of the table of tenants and the first of every other key."""
    schema = "T000: MANDT, MTEXT\n" + "\n".join(f"TAB{n}X: MANDT, NR{n}, WERT" for n in range(24))
    keys = {f"TAB{n}X": (("MANDT", f"NR{n}"),) for n in range(24)} | {"T000": (("MANDT",),)}
    assert inferred(schema, keys=keys) == set()
    assert inferred(schema.replace("MANDT", "tenant_id").replace("T000", "tenants")) != set()


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        # All columns of a bridge may begin with the mark.
        (
            "ps_tag: id_tag, name\nps_item: id_item, name\nps_item_tag: id_item, id_tag",
            {("ps_item_tag", "id_item", "ps_item", "id_item"), ("ps_item_tag", "id_tag", "ps_tag", "id_tag")},
        ),
        (
            "ps_tag: sk_tag, name\nps_item: sk_item, name\nps_item_tag: sk_item, sk_tag",
            {("ps_item_tag", "sk_item", "ps_item", "sk_item"), ("ps_item_tag", "sk_tag", "ps_tag", "sk_tag")},
        ),
        # Where the mark comes first, the role comes last.
        (
            "ps_address: id_address, city\nps_order_invoice: id_order_invoice, number\n"
            "ps_orders: id_order, id_address_invoice",
            {("ps_orders", "id_address_invoice", "ps_address", "id_address")},
        ),
        # Another column references the table already.
        (
            "field: field_id, name\nform_field: form_field_id, field_id, field_number",
            {("form_field", "field_id", "field", "field_id")},
        ),
        # The table has such a number itself.
        ("invoice: id, number, total\norders: id, invoice_number", set()),
        ("orders: order_id, previous_order_id", {("orders", "previous_order_id", "orders", "order_id")}),
    ],
)  # fmt: skip
def test_what_the_other_names_of_a_schema_say_decides(schema, expected):
    assert inferred(schema) == expected


def test_the_table_with_a_key_of_this_name_is_meant_before_those_that_begin_so():
    """`fare_id` of GTFS, in whose schema others begin with `fare`."""
    schema = """fare_attributes: fare_id, price
        fare_media: fare_media_id, fare_media_name
        fare_products: fare_product_id, fare_product_name, fare_media_id
        areas: area_id, area_name
        networks: network_id, network_name
        levels: level_id, level_name
        ticket: ticket_id, fare_id, valid_to"""
    keys = {one.id: ((one.columns[0],),) for one in tables(schema) if one.id != "fare_products"}
    assert ("ticket", "fare_id", "fare_attributes", "fare_id") in inferred(schema, keys=keys)


def test_a_number_with_a_fraction_references_nothing():
    schema = "price: id, name\nrule: id, price"
    assert inferred(schema, types={"id": "integer", "price": "decimal(20, 6)"}) == set()
    assert inferred(schema, types={"id": "integer", "price": "decimal(20, 0)"}) != set()


def test_a_column_that_two_tables_have_references_neither_of_them():
    schema = "stock_gate: id, {}, name\nstock_rule: id, stock_id, text"
    assert inferred(schema.format("day")) == {("stock_rule", "stock_id", "stock_gate", "id")}
    assert inferred(schema.format("stock_id")) == set()


def test_a_table_that_joins_others_is_no_user():
    schema = "app_user: id, name\nteam_user: id, team_id, user_id\nteam: id, name"
    found = inferred(schema)
    assert ("team_user", "user_id", "app_user", "id") in found
    assert {target for _, _, target, _ in found} == {"app_user", "team"}


def test_a_table_that_keeps_the_history_of_another_copies_its_values():
    schema = "app_unit: id, name\nentry: id, unit_id, text\nold_entry: id, unit_id, text, changed"
    assert inferred(schema) == {("entry", "unit_id", "app_unit", "id")}


def test_where_columns_are_marked_others_are_less_likely_keys():
    schema = "app_unit: id, name\nentry: id, unit, {}\nnote: id, {}\nuser: id, name"
    unit = ("entry", "unit", "app_unit", "id")
    assert unit in inferred(schema.format("text", "text"))
    assert unit not in inferred(schema.format("user_id", "user_id"))


def test_where_columns_are_marked_a_number_is_a_quantity():
    schema = "unit: id, other_id\nentry: id, unit, user_id"
    assert inferred(schema) == {("entry", "unit", "unit", "id")}
    assert inferred(schema, types={"unit": "INTEGER"}) == set()


def test_the_name_of_the_own_table_before_all_columns_says_nothing():
    schema = "user: user_id, user_name\nactor: actor_id, actor_user\nnote: log_id\nlog: id, note_id"
    assert ("actor", "actor_user", "user", "user_id") in inferred(schema)


@pytest.mark.parametrize("column", ["ss_{}", "{}", "total_{}"])
def test_a_plural_counts_rows(column):
    schema = "page: page_id, page_title\nstats: ss_row, {}"
    assert inferred(schema.format(column.format("pages"))) == set()
    assert inferred(schema.format(column.format("page"))) != set()


def test_a_plural_that_is_the_name_of_a_key_is_that_key():
    schema, keys = "currency: units, name\nprice: id, units", {"currency": (("units",),)}
    assert inferred(schema, keys=keys) == {("price", "units", "currency", "units")}


@pytest.mark.parametrize(("kind", "is_key"), [("INTEGER", True), ("VARCHAR(9)", False)])
def test_a_number_named_after_a_person_is_a_user(kind, is_key):
    schema = "app_user: id, name\nteam: id, name\nqueue: id, team_id, creator\nlog: id, queue_id"
    found = inferred(schema, types={"id": "INTEGER", "creator": kind})
    assert (("queue", "creator", "app_user", "id") in found) == is_key


@pytest.mark.nightly
def test_thousands_of_tables_are_no_matter():
    lines = "\n".join(f"thing{n}: id, name, thing{n // 2}_id" for n in range(1, 2000))
    found = list(infer_by_name(tables(lines)))
    assert len(found) == 0  # digits tell tables apart, and every table is called thing without them
    words = [f"{a}{b}" for a in "bcdfghj" for b in ("ale", "ore", "ipe", "une", "ank")]
    names = [f"{a}_{b}" for a in words for b in words]
    lines = "\n".join(f"{name}: id, {names[n // 2]}_id" for n, name in enumerate(names))
    assert len(list(infer_by_name(tables(lines)))) == len(names) - 1


NAMES = st.text(st.sampled_from("abcIds_1é. "), min_size=1, max_size=8)


@given(st.dictionaries(NAMES, st.lists(NAMES, min_size=1, max_size=5, unique=True), max_size=6))
def test_whatever_names_there_are_keys_are_between_columns_that_exist(schema):
    made = [Table(name, name, tuple(columns)) for name, columns in schema.items()]
    for key in infer_by_name(made):
        assert key.columns[0] in schema[key.table]
        assert key.referenced_columns[0] in schema[key.references]
        assert (key.table, key.columns) != (key.references, key.referenced_columns)
