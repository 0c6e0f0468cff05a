"""Tables for SQL generation: which tables a question needs, their joins, and their DDL."""
