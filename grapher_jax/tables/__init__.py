"""Tables for whoever writes SQL: which to read, by what they join, and their DDL."""
