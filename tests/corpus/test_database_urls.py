"""URLs of databases: their secrets stay, and what is wrong with them is said."""

import pytest

from grapher_jax.corpus import read_database
from grapher_jax.errors import InputError, MissingExtraError
from grapher_jax.search import Index, open_source


def test_a_short_password_is_masked_where_it_stands_alone(monkeypatch):
    import psycopg

    def refuse(*_, **__):
        raise psycopg.OperationalError("bad password for ada:a@host: 'a'")

    monkeypatch.setattr(psycopg, "connect", refuse)
    with pytest.raises(InputError) as raised:
        list(read_database("postgresql+psycopg://ada:a@127.0.0.1"))
    assert "(bad password for ada:***@host: '***'); check host" in str(raised.value)


def test_an_unreachable_database_keeps_its_password():
    url = "postgresql+psycopg://reader:s3cret-word@127.0.0.1:1/shop?connect_timeout=2"
    with pytest.raises(InputError, match="the database cannot be read") as raised:
        list(read_database(url))
    assert "s3cret-word" not in str(raised.value)
    assert "reader:***@127.0.0.1" in str(raised.value)


@pytest.mark.parametrize(
    "query",
    [
        "user=bob&password=s3cr3t+wörd",
        "PASSWORD=s3cr3t%20w%C3%B6rd",
        "sslpassword=s3cr3t&password=s3cr3t%20w%c3%b6rd",
        "options=PWD%3Ds3cr3t",
    ],
)
def test_a_password_in_the_query_is_kept_too(query):
    url = f"postgresql+psycopg://127.0.0.1:1/shop?connect_timeout=2&{query}"
    with pytest.raises(InputError, match=r"check host, name and credentials") as raised:
        list(read_database(url))
    assert "s3cr3t" not in str(raised.value)
    assert "connect_timeout=2" in str(raised.value)
    assert "=***" in str(raised.value)


@pytest.mark.parametrize("said", ["s3cr3t wörd", "s3cr3t%20w%C3%B6rd", "s3cr3t+w%c3%b6rd"])
@pytest.mark.parametrize("url", ["bob:s3cr3t%20wörd@127.0.0.1", "127.0.0.1?token=s3cr3t%20wörd"])
def test_what_a_driver_says_is_shown_without_secrets(monkeypatch, url, said):
    import psycopg

    def refuse(*_, **__):
        raise psycopg.OperationalError(f"connection of {said!r} refused\nnot shown")

    monkeypatch.setattr(psycopg, "connect", refuse)
    with pytest.raises(InputError, match=r"connection of '\*\*\*' refused\); check") as raised:
        list(read_database(f"postgresql+psycopg://{url}"))
    assert "s3cr3t" not in str(raised.value)


@pytest.mark.parametrize(
    "url",
    [
        "sql ite://",
        "postgresql+psycopg://bob:s3cr3t/db",  # the host is forgotten
        "postgresql+psycopg://bob:pass@host:s3cr3t/db",
        "postgresql+psycopg://bob:pa@s3cr3t@host/db",
        "postgresql+psycopg:///bob:s3cr3t@host/db",
        "sqlite:///shop.db?timeout=s3cr3t",
        "sqlite://bob:s3cr3t@shop.db",
    ],
)
def test_a_malformed_url_is_named_but_not_shown(url):
    with pytest.raises(InputError, match="malformed; write it like sqlite:///") as raised:
        list(read_database(url))
    assert "s3cr3t" not in str(raised.value)
    assert raised.value.__suppress_context__


@pytest.mark.parametrize(
    "url",
    [
        "postgresql:/bob:s3cr3t@host/db",
        "mysql//bob:s3cr3t@host",
        "postgresql:/bob:s3/cr3t@host/db",
        "postgresql:/bob:s3cr3t%40host/db",
    ],
)
@pytest.mark.parametrize("use", [Index.from_source, Index.load, open_source])
def test_a_password_in_a_path_is_not_shown(use, url):
    with pytest.raises(InputError) as raised:
        use(url)
    assert "cr3t" not in str(raised.value)


def test_a_scheme_of_other_tools_is_told():
    with pytest.raises(InputError, match=r"bob:\*\*\*@host/db: write it with postgresql://"):
        list(read_database("postgres://bob:s3cr3t@host/db"))


@pytest.mark.parametrize(
    ("kind", "module", "cure"),
    [
        ("mysql", "MySQLdb", "pymysql and write mysql+pymysql://"),
        ("mysql+pymysql", "pymysql", "pymysql"),
        ("mysql+mysqlconnector", "mysql", "mysql-connector-python"),
        ("mssql+pyodbc", "pyodbc", "pyodbc"),
        ("oracle+oracledb", "oracledb", "oracledb"),
        ("postgresql+psycopg", "psycopg", '"grapher-jax[postgresql]"'),
        (
            "postgresql+psycopg2",
            "psycopg2",
            '"grapher-jax[postgresql]" and write postgresql+psycopg://',
        ),
    ],
)
def test_a_missing_driver_is_named_with_its_cure(monkeypatch, kind, module, cure):
    import sqlalchemy

    def missing(url, **_):
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)

    monkeypatch.setattr(sqlalchemy, "create_engine", missing)
    with pytest.raises(MissingExtraError) as raised:
        list(read_database(f"{kind}://bob:s3cr3t@host/db"))
    assert str(raised.value) == (
        f"{kind}://bob:***@host/db: the driver {module!r} is not installed; run: pip install {cure}"
    )
