"""Keys that nobody declared: from names and types, views, queries, dbt, and lists.

Structural enrichment (GraphER, section 2.1) where a database declares none. No row is read.
"""
