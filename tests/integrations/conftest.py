"""One small shop for every framework; nothing may call home."""

import os

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
os.environ["LANGSMITH_TRACING"] = "false"

import pytest

QUESTION = "Which orders were placed in stores of Boston?"


@pytest.fixture
def shop() -> list[dict]:
    """Tables as a collection holds them: `customers` answers the question only through `orders`."""
    tables = [
        ("songs", "songs: title, artist, length", {}),
        ("customers", "customers: id, first_name, last_name", {}),
        ("orders", "orders: order_id, customer_id, store_id", ["customers", "stores"]),
        ("animals", "animals: animal_id, species, cage_id", ["cages"]),
        ("stores", "stores: store_id, city, manager", {}),
        ("cages", "cages: cage_id, size", {}),
    ]
    return [
        {"id": name, "text": text, "metadata": {"foreign_keys": list(keys), "db": "shop"}}
        for name, text, keys in tables
    ]


@pytest.fixture
def question() -> str:
    return QUESTION
