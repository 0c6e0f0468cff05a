"""Databases of tests, on servers that are there."""


def execute(url, *commands):
    """Run statements, each in a transaction of its own."""
    import sqlalchemy

    engine = sqlalchemy.create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for command in commands:
            connection.execute(sqlalchemy.text(command))
    engine.dispose()


def create_database(server, name, commands):
    """Make a database of its own on a PostgreSQL server, and give its URL."""
    execute(server, f'CREATE DATABASE "{name}"')
    url = server.replace("/postgres?", f"/{name}?")
    execute(url, *commands)
    return url
