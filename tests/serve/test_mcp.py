"""Tools over the Model Context Protocol, asked by the SDK's own client over stdio and HTTP."""

import json
import os
import subprocess
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx2
import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from grapher_jax.corpus import Object
from grapher_jax.demo import sample_folder, sample_tables
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.search import Index
from grapher_jax.serve.opened import Opened

QUESTION = "Which customers complained about a product?"
POEM = "The river is wide:\n    who lives by it\n        builds boats."
TOOLS = {"find_tables", "describe_tables", "join_path", "search", "explain"}


@pytest.fixture(scope="session")
def folders(embedder, tmp_path_factory) -> list[Path]:
    """Indexes: of a company's tables, of tables that nothing joins, and of passages."""
    folder = tmp_path_factory.mktemp("mcp")
    columns = [{"name": f"a{n}", "type": "VARCHAR(400)"} for n in range(40)]
    told = {"columns": columns, "dialect": "sqlite"}
    alone = [Object(f"t{n}", f"t{n}: a0", "", {"table": f"t{n}", **told}) for n in range(3)]
    passages = [Object("bridge", "A bridge. " * 200, "The bridge", {"links": ["river"]})]
    passages.append(Object("river", POEM, "", {}))
    company = Index.build(sample_tables(), embedder=embedder, folder=sample_folder())
    company.save(folder / "company")
    Index.build(alone, embedder=embedder).save(folder / "alone")
    Index.build(passages, embedder=embedder).save(folder / "passages")
    return [folder / name for name in ("company", "alone", "passages")]


@contextmanager
def asked(server, **options):
    """A function that calls a server's tools, and the client."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(server, **options)) as client,
    ):

        def call(tool, **arguments):
            return portal.call(partial(client.call_tool, tool, arguments))

        call.client, call.portal = client, portal
        yield call


@pytest.fixture(scope="session")
def strays() -> list:
    """What came over standard output and is none of the protocol's."""
    return []


@pytest.fixture(scope="session")
def call(folders, program, strays):
    """Calls a tool of all indexes over stdio."""

    async def keep(message):
        strays.extend([message] if isinstance(message, Exception) else [])

    parameters = StdioServerParameters(
        command=str(program), args=["mcp", *map(str, folders)], env=dict(os.environ)
    )
    with asked(parameters, message_handler=keep) as made:
        yield made


def data(answer):
    """What a tool gives, after a look at whether it failed."""
    assert not answer.is_error, answer.content[0].text
    return answer.structured_content


def refusal(answer):
    """The one line that says why a tool gives nothing."""
    assert answer.is_error and answer.structured_content is None
    (block,) = answer.content
    assert "\n" not in block.text and len(block.text) <= 1000
    return block.text


def test_the_tools_tell_what_they_take_and_give_and_that_they_only_read(call):
    tools = {tool.name: tool for tool in call.portal.call(call.client.list_tools).tools}
    assert set(tools) == TOOLS
    for tool in tools.values():
        assert tool.annotations.read_only_hint and tool.description
        assert tool.input_schema["additionalProperties"] is False
        assert tool.input_schema["properties"]["index"]["enum"] == ["company", "alone", "passages"]
        assert "index" in tool.input_schema["required"]
        assert tool.output_schema["properties"]["index"] == {"title": "Index", "type": "string"}
    assert tools["find_tables"].input_schema["properties"]["form"]["default"] == "sql-comments"
    assert "company, alone, passages" in call.client.instructions
    assert "of documents, ask search" in call.client.instructions


def test_find_tables(call, folders):
    answer = call("find_tables", question=QUESTION, index="company", k=5)
    found = data(answer)
    expected = Index.load(folders[0]).tables(QUESTION, k=5)
    assert found["tables"] == expected.ids and len(expected.ids) == 5
    assert found["bridges"] == [one.table.id for one in expected.tables if one.bridge]
    assert found["sql"] == expected.sql_comments()
    assert answer.content[0].text.startswith(found["sql"])
    assert "complaint.product_id = product.product_id" in found["joins"]
    assert "described" not in found


def test_find_tables_as_statements_and_as_json(call):
    ask = partial(call, "find_tables", question=QUESTION, index="company", k=3)
    assert data(ask(form="ddl"))["sql"].startswith("CREATE TABLE product (")
    answer = ask(form="json")
    tables = data(answer)["described"]
    assert {"name": "product_id", "type": "INTEGER", "key": True} in tables[0]["columns"]
    assert json.loads(answer.content[0].text) == answer.structured_content


def test_a_budget_leaves_out_columns_and_says_which(call):
    ask = partial(call, "find_tables", question="a", index="alone", form="ddl")
    whole, within = data(ask())["sql"], data(ask(budget=700))
    assert len(within["sql"].encode()) <= 3 * 700 < len(whole.encode())
    assert any(note.startswith("columns left out of t") for note in within["notes"])


def test_describe_tables(call):
    answer = call("describe_tables", tables=["Product", "complaint"], index="company")
    found = data(answer)
    assert found["tables"] == ["product", "complaint"]
    assert found["joins"] == ["complaint.product_id = product.product_id"]
    assert "FOREIGN KEY(product_id) REFERENCES product (product_id)" in answer.content[0].text


def test_join_path(call):
    answer = call("join_path", tables=["complaint", "customer"], index="company")
    found = data(answer)
    assert found["tables"] == ["complaint", "customer", *found["bridges"]] and found["bridges"]
    others = [f"-- or through {' and '.join(bridges)}" for bridges in found["others"]]
    assert (
        others
        and [join["on"] for join in found["joins"]] + others == answer.content[0].text.splitlines()
    )
    assert {join["by"] for join in found["joins"]} == {"declared"}
    assert found["joins"][0]["left"].keys() == {"table", "columns"}


def test_search(call):
    results = data(call("search", question="a bridge", index="passages", k=1))["results"]
    assert [one["id"] for one in results] == ["bridge"]
    assert results[0]["title"] == "The bridge" and 1490 < len(results[0]["text"]) < 1510


def test_search_keeps_lines_and_names_each_result_once(call):
    answer = call("search", question="Who lives by the river?", index="passages", k=2)
    (river,) = [one for one in data(answer)["results"] if one["id"] == "river"]
    assert river["text"] == POEM
    assert f"{river['rank']}. river\n{POEM}" in answer.content[0].text
    answer = call("search", question="complaint", index="company", k=1)
    (table,) = data(answer)["results"]
    assert answer.content[0].text == f"1. {table['text']}"
    assert table["text"].startswith(f"{table['id']}: ")


def test_explain(call):
    answer = call("explain", question=QUESTION, id="customer", index="company")
    found = data(answer)
    assert found["rank"] >= 1 and found["base_rank"] >= 1 and found["ranker"] == "gat"
    assert 1 < len(found["sources"]) <= 5 and found["left_out"] > 0
    assert any(source["joins"] for source in found["sources"])
    assert answer.content[0].text.startswith(f"rank {found['rank']}, ")


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("describe_tables", {"tables": ["custmer"]}, "near names: customer"),
        ("join_path", {"tables": ["custmer", "product"]}, "near names: customer"),
        ("explain", {"question": "a", "id": "custmer"}, "near names: customer"),
        ("join_path", {"tables": ["customer"]}, "name another one"),
        ("join_path", {"tables": ["customer", "open_invoice"]}, "no keys connect customer and"),
        ("find_tables", {"question": "x" * 2**20}, "question: String should have at most 32768"),
        ("find_tables", {"question": 5}, "question: Input should be a valid string"),
        ("find_tables", {"question": " "}, "is empty"),
        ("find_tables", {"question": "a", "k": "5"}, "k: Input should be a valid integer"),
        ("find_tables", {"question": "a", "k": True}, "k: Input should be a valid integer"),
        ("find_tables", {"question": "a", "k": 0}, "k: Input should be greater than or equal to 1"),
        ("find_tables", {"question": "a", "form": "xml"}, "'sql-comments', 'ddl' or 'json'"),
        ("find_tables", {"question": "a", "budget": 9}, "budget: 9 tokens do not hold the key"),
        ("find_tables", {"query": "a"}, "question: Field required; query: Extra inputs"),
        ("search", {"question": "a", "limit": 3}, "; the arguments are question, index, k"),
        ("describe_tables", {"tables": "customer"}, "tables: Input should be a valid list"),
        ("describe_tables", {"tables": [1]}, "tables.0: Input should be a valid string"),
        ("describe_tables", {"tables": []}, "tables: List should have at least 1 item"),
        ("search", {"question": "a", "index": "zoo"}, "index: 'zoo' is unknown; name one of comp"),
        (
            "search",
            {"question": "a", "index": None},
            "index: there are several indexes; name one of",
        ),
        ("find_tables", {"question": "a", "index": "passages"}, "are no tables; search it, or"),
        ("describe_tables", {"tables": ["nope"]}, "a question finds tables, by `find_tables`"),
        ("find_tables", {"question": "a", "k": 0}, "equal to 1, or Input should be 'auto'"),
        ("explain", {"question": "a", "id": "lake", "index": "passages"}, "`search` finds ids"),
        ("drop_tables", {}, "Unknown tool: drop_tables"),
    ],
)
def test_what_cannot_be_answered_is_an_error_of_the_tool_with_the_cure(
    call, tool, arguments, message
):
    assert message in refusal(call(tool, **({"index": "company"} | arguments)))


def test_an_index_without_joins_says_so(call):
    found = data(call("find_tables", question="a", index="alone"))
    assert found["joins"] == [] and len(found["tables"]) == 3
    assert "no key joins any tables of this index" in found["notes"][0]
    assert "no keys connect t0 and t1" in refusal(
        call("join_path", tables=["t0", "t1"], index="alone")
    )


def test_nothing_but_the_protocol_came_over_standard_output(call, strays):
    data(call("find_tables", question=QUESTION, index="company"))
    assert strays == []


@pytest.fixture(scope="session")
def url(folders, program):
    """The address of the tools of one index over HTTP, with a token."""
    command = [program, "mcp", folders[0], "--transport", "http", "--port", "0"]
    environment = os.environ | {"GRAPHER_JAX_TOKEN": "hush"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        line = process.stderr.readline()
        assert "http://127.0.0.1:" in line and line.endswith("/mcp, with a token\n"), line
        yield line.split()[1].rstrip(",")
    finally:
        process.terminate()
        _, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors


@contextmanager
def over_http(url, token, **options):
    """Calls a tool over HTTP."""
    headers = {"authorization": f"Bearer {token}"}
    http = httpx2.AsyncClient(headers=headers, timeout=600)
    with asked(streamable_http_client(url, http_client=http), **options) as call:
        try:
            yield call
        finally:
            call.portal.call(http.aclose)


@pytest.mark.parametrize("mode", ["auto", pytest.param("legacy", marks=pytest.mark.nightly)])
def test_over_http_with_the_token(url, mode):
    with over_http(url, "hush", mode=mode) as call:
        found = data(call("find_tables", question=QUESTION, k=5))
        assert found["index"] == "company" and "complaint" in found["tables"]
        assert "32768" in refusal(call("search", question="x" * 2**20))
        assert "near names" in refusal(call("describe_tables", tables=["custmer"]))


def test_over_http_without_the_token_with_too_much_or_from_a_web_page(url):
    assert httpx2.post(url, json={}).status_code == 401
    assert httpx2.post(url, json={}, headers={"authorization": "Bearer husk"}).status_code == 401
    headers = {"authorization": "Bearer hush", "content-type": "application/json"}
    assert httpx2.post(url, content=b"x" * (5 << 20), headers=headers).status_code == 413
    elsewhere = headers | {"host": "evil.example"}
    assert httpx2.post(url, content=b"{}", headers=elsewhere).status_code == 421


def test_indexes_are_told_apart_by_their_names(folders, tmp_path):
    with pytest.raises(InputError, match="is no index; make one"):
        Opened([tmp_path])
    (tmp_path / "company").symlink_to(folders[1])
    assert Opened([tmp_path / "company", folders[1]]).names == ("company", "alone")
    with pytest.raises(InputError, match="both called 'company'; name one by NAME=PATH"):
        Opened([folders[0], folders[0]])
    with pytest.raises(InputError, match="give one at least"):
        Opened([])


def test_only_this_machine_is_listened_to_without_a_token(grapher, folders, monkeypatch):
    monkeypatch.delenv("GRAPHER_JAX_TOKEN", raising=False)
    status, out, err = grapher("mcp", folders[0], "--transport", "http", "--host", "0.0.0.0")
    assert (status, out) == (2, "") and "host: others reach 0.0.0.0; give" in err
    status, out, err = grapher("mcp", folders[0], "--transport", "tcp")
    assert (status, out) == (2, "") and "transport: 'tcp' is unknown; use stdio, http" in err


def test_a_damaged_index_is_told_to_whoever_asks_for_it(folders, tmp_path):
    import shutil

    from grapher_jax.serve.tools import create_server

    shutil.copytree(folders[1], tmp_path / "broken")
    for file in (tmp_path / "broken").rglob("*.npy"):
        file.write_bytes(b"no array")
    with (
        pytest.warns(UserWarning, match="index broken: "),
        asked(create_server(Opened([tmp_path / "broken"]))) as call,
    ):
        assert "checksum" in refusal(call("search", question="a"))


def test_an_index_that_has_changed_is_opened_again(folders, tmp_path):
    folder = tmp_path / "alone"
    Index.load(folders[1]).save(folder)
    opened = Opened([folder])
    _, before = opened.get(None)
    assert opened.get(None)[1] is before
    before.update([Object("new", "A new object.")]).save(folder)
    _, after = opened.get("alone")
    assert "new" in after and "new" not in before
    (folder / "manifest.json").write_text("{}")
    with pytest.warns(GrapherWarning, match="index alone: .*damaged.*; the one from before goes"):
        assert opened.get(None)[1] is after
    assert opened.get(None)[1] is after
