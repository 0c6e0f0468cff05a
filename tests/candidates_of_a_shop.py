"""Candidates of a shop, two of which are joined to the best."""

SHOP = [
    {"id": "orders", "score": 0.9, "metadata": {"foreign_keys": ["customers", "stores"]}},
    {"id": "stores", "score": 0.8, "text": "stores: city"},
    {"id": "songs", "score": 0.3},
    {"id": "customers", "score": 0.1},
]
