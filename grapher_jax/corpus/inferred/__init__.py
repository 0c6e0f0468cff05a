"""Inferred (undeclared) foreign keys: from names and types, views, queries, dbt, and lists.

Structural enrichment (GraphER, section 2.1) for databases that declare no keys. No row is read.
"""
