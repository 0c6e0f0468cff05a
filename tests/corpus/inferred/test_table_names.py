"""What of a table's name says what it is for, and which keys are its own."""

import pytest
from tables_by_name import inferred


@pytest.mark.parametrize("name", ["{}_dim", "{}Dim", "{}_d", "{}_tbl", "{}_master", "{}_entity"])
def test_what_a_table_is_for_may_stand_at_the_end_of_its_name(name):
    customer, product, store = (name.format(one) for one in ("customer", "product", "store"))
    schema = f"""
        {customer}: customer_key, city
        {product}: product_key, label
        {store}: store_key, city
        inventory_fact: product_key, origin_store_key, quantity
        sales_fact: product_key, customer_key, bill_to_customer_key, quantity
        returns_fact: product_key, customer_key, quantity
    """
    keys = {customer: (("customer_key",),), product: (("product_key",),), store: (("store_key",),)}
    assert inferred(schema, keys=keys) == {
        ("inventory_fact", "product_key", product, "product_key"),
        ("inventory_fact", "origin_store_key", store, "store_key"),
        ("sales_fact", "product_key", product, "product_key"),
        ("sales_fact", "customer_key", customer, "customer_key"),
        ("sales_fact", "bill_to_customer_key", customer, "customer_key"),
        ("returns_fact", "product_key", product, "product_key"),
        ("returns_fact", "customer_key", customer, "customer_key"),
    }


@pytest.mark.parametrize("word", ["dataset", "export", "raw", "2024"])
def test_a_word_at_the_end_of_most_names_is_no_part_of_them(word):
    schema = f"""
        shop_orders_{word}: order_id, customer_id, bought
        shop_order_items_{word}: order_id, order_item_id, product_id, price
        shop_order_payments_{word}: order_id, sequential, value
        shop_customers_{word}: customer_id, city
        shop_products_{word}: product_id, weight
        translations: category, english
    """
    found = inferred(schema)
    assert {(table.split("_", 1)[1], column, target) for table, column, target, _ in found} == {
        (f"orders_{word}", "customer_id", f"shop_customers_{word}"),
        (f"order_items_{word}", "order_id", f"shop_orders_{word}"),
        (f"order_items_{word}", "product_id", f"shop_products_{word}"),
        (f"order_payments_{word}", "order_id", f"shop_orders_{word}"),
    }


@pytest.mark.parametrize(
    "schema",
    [
        """
        user_logs: id, user_id, at
        order_logs: id, order_id, at
        item_logs: id, item_id, at
        page_logs: id, page_id, user_id
        """,
        """
        customer_details: id, customer_id, city
        order_details: id, order_id, customer_id
        product_details: id, product_id, order_id
        """,
    ],
)
def test_a_last_word_of_tables_that_tell_of_others_stays(schema):
    assert inferred(schema) == set()


def test_a_last_word_by_which_columns_call_tables_is_a_part_of_their_names():
    schema = """
        price_master: id, x
        tax_master: id, x
        trade_master: id, x
        price: id, x
        bill: id, price_id, tax_master_id, trade_master_id
    """
    assert inferred(schema) == {
        ("bill", "price_id", "price", "id"),
        ("bill", "tax_master_id", "tax_master", "id"),
        ("bill", "trade_master_id", "trade_master", "id"),
    }


def test_tables_that_differ_in_what_they_are_for_alone_stay_apart():
    names = ("customer", "product", "store")
    lines = [f"{name}_{kind}: {name}_key, city" for name in names for kind in ("dim", "stg")]
    facts = [f"{name}_fact: customer_key, product_key" for name in ("sales", "returns", "orders")]
    keys = {f"{name}_dim": ((f"{name}_key",),) for name in names}
    assert inferred("\n".join([*lines, *facts]), keys=keys) == {
        *(
            (f"{name}_fact", f"{one}_key", f"{one}_dim", f"{one}_key")
            for name in ("sales", "returns", "orders")
            for one in ("customer", "product")
        ),
        *((f"{name}_stg", f"{name}_key", f"{name}_dim", f"{name}_key") for name in names),
    }
    pairs = [f"{name}_{part}: id, x" for name in ("team", "player", "game") for part in "ab"]
    assert inferred("\n".join([*pairs, "bet: id, team_id"])) == set()


def test_tables_that_share_a_key_that_says_a_table_reference_it():
    others = ("billing_profile", "shop_preferences", "forum_signature")
    schema = "auth_account: account_id, mail\n" + "\n".join(
        f"{name}: account_id, x{n}" for n, name in enumerate(others)
    )
    keys = dict.fromkeys(("auth_account", *others), (("account_id",),))
    assert inferred(schema, keys=keys) == {
        (name, "account_id", "auth_account", "account_id") for name in others
    }


def test_numbers_of_rows_by_one_name_in_several_tables_reference_none():
    schema = """
        a_text: value_id, txt
        a_int: value_id, num
        a_date: value_id, day
        option_value: value_id, label
        choice: choice_id, value_id
    """
    own = dict.fromkeys(("a_text", "a_int", "a_date", "option_value"), (("value_id",),))
    keys = own | {"choice": (("choice_id",),)}
    found = inferred(schema, keys=keys)
    assert found == {("choice", "value_id", "option_value", "value_id")}


def test_a_part_of_a_key_that_is_called_like_its_table_is_its_own():
    schema = """
        address: address_id, city
        person: person_id, name
        email_address: person_id, email_address_id, email
    """
    keys = {
        "address": (("address_id",),),
        "person": (("person_id",),),
        "email_address": (("person_id", "email_address_id"),),
    }
    person = ("email_address", "person_id", "person", "person_id")
    assert inferred(schema, keys=keys) == {person}


def test_a_kind_of_what_another_table_has_references_it():
    schema = """
        category: category_id, name, description
        subcategory: subcategory_id, category_id, name, description
    """
    keys = {name: ((f"{name}_id",),) for name in ("category", "subcategory")}
    assert inferred(schema, keys=keys) == {
        ("subcategory", "category_id", "category", "category_id")
    }
