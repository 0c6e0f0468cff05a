"""Tables as objects, from any database that SQLAlchemy can reflect.

Structural enrichment (GraphER, section 2.1): a table's foreign keys become its metadata.
"""

from grapher_jax.corpus.database.reflect import Choice
from grapher_jax.corpus.database.script import is_script
from grapher_jax.corpus.database.sqlite import is_sqlite
from grapher_jax.corpus.database.table_files import table_files, told_of_files, unreadable_tables
from grapher_jax.corpus.database.tables import read_database

__all__ = [
    "Choice",
    "is_script",
    "is_sqlite",
    "read_database",
    "table_files",
    "told_of_files",
    "unreadable_tables",
]
