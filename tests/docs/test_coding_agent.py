"""The configurations that the tutorial shows are JSON, and what they start can be started."""

import json
import re
from pathlib import Path

from typer.main import get_command

from grapher_jax.command_line.commands import app

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "coding-agent.md"


def test_every_configuration_starts_or_reaches_the_tools():
    blocks = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    kinds = []
    for block in blocks:
        ((place, servers),) = json.loads(block).items()
        (server,) = servers.values()
        kinds.append((place, server.get("type")))
        if "command" in server:
            assert server["command"] == "grapher-jax"
            verb, *rest = server["args"]
            get_command(app).commands[verb].make_context(verb, rest)
        else:
            assert server["url"].endswith("/mcp")
            assert "GRAPHER_JAX_TOKEN" in server["headers"]["Authorization"]
    assert kinds == [("mcpServers", None), ("servers", "stdio"), ("mcpServers", "http")]
