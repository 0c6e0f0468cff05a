"""`grapher-jax mcp`: serve indexes as tools for clients of the Model Context Protocol."""

from typing import TYPE_CHECKING, Annotated

import typer

from grapher_jax.checks import check_choice
from grapher_jax.command_line.given import given_tokens
from grapher_jax.command_line.options import TOKEN, TokenFile
from grapher_jax.errors import InputError, require

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from grapher_jax.serve.settings import Tokens

# Only this machine reaches these addresses. Requests that name another host are refused, since a
# web page from elsewhere could send them.
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_PATH = "/mcp"


def mcp(
    indexes: Annotated[
        list[str],
        typer.Argument(
            help="Index folders. Tools call an index by its folder's name, or NAME in NAME=FOLDER."
        ),
    ],
    transport: Annotated[
        str, typer.Option(help="stdio, if the client starts this; or http.", metavar="NAME")
    ] = "stdio",
    host: Annotated[
        str, typer.Option(help="For http: the address; one that is not local needs a token.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="For http: the port; 0 for any free port.")
    ] = 8001,
    token_file: TokenFile = None,
) -> None:
    """Serve tools to a language model's client: find tables and joins, search, and explain."""
    check_choice("transport", transport, ("stdio", "http"))
    require("mcp")
    from grapher_jax.serve.opened import Opened
    from grapher_jax.serve.tools import create_server

    tokens = given_tokens(token_file) if transport == "http" else None
    if any(names is not None for names in (tokens or {}).values()):
        raise InputError("token: those of `mcp` open every index; leave out the names behind them")
    if host not in _LOOPBACK and tokens is None:
        raise InputError(
            f"host: others reach {host}; give --transport http and a token (--token-file, or "
            f"{TOKEN}), or listen on {_LOOPBACK[0]}"
        )
    server = create_server(Opened(indexes))
    if transport == "stdio":
        server.run("stdio")
    else:
        _serve(server, host, port, tokens)


def _serve(server: "MCPServer", host: str, port: int, tokens: "Tokens | None") -> None:
    """Answer over HTTP until a signal ends the process, within the service's limits."""
    for module in ("fastapi", "prometheus_client"):
        require(module)
    from grapher_jax.serve.metrics import Counted, Metrics
    from grapher_jax.serve.middleware import Limits
    from grapher_jax.serve.server import address, listen, run
    from grapher_jax.serve.settings import Settings

    settings = Settings(token=tokens)
    # Requests are independent of each other: a client has no session to lose.
    tools = server.streamable_http_app(
        streamable_http_path=_PATH,
        host=host,
        max_request_body_size=settings.max_body,
        stateless_http=True,
        json_response=True,
    )
    app = Counted(Limits(tools, settings), Metrics(), frozenset({_PATH}))
    listening = listen(host, port)
    access = "with a token" if tokens else "for everyone on this machine"
    typer.echo(f"tools: {address(host, listening)}{_PATH}, {access}", err=True)
    run(app, listening, read_seconds=settings.read_seconds)
