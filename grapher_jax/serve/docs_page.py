"""`/docs`: the OpenAPI document as one HTML page, which loads nothing from other servers."""

import json
from collections.abc import Iterable, Mapping
from html import escape
from string import Template

from grapher_jax.files import Json

# Nothing on the page may be loaded or run.
HEADERS = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}
_LIMITS = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {}",
    "maxItems": "at most {}",
    "minimum": "from {}",
    "exclusiveMinimum": "above {}",
    "maximum": "to {}",
    "exclusiveMaximum": "below {}",
}
_PAGE = Template("""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
  :root { color-scheme: light dark; --line: #8884; --quiet: #777; --mark: #0a7b5c; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem;
    margin: 2rem auto; padding: 0 1rem; }
  h1 { margin-bottom: 0 } h2 { margin-top: 2.5rem } h3 { margin: 2rem 0 .3rem }
  code, pre { font: .9em ui-monospace, monospace; overflow-wrap: anywhere }
  pre { background: #8881; padding: .8rem 1rem; border-radius: .4rem; white-space: pre-wrap }
  table { border-collapse: collapse; width: 100% }
  td { border-top: 1px solid var(--line); padding: .3rem .8rem .3rem 0; vertical-align: top }
  td:first-child { width: 12rem } .quiet { color: var(--quiet) } a, .verb { color: var(--mark) }
</style>
<h1>$title</h1>
<p>$description <a href="openapi.json">openapi.json</a> says the same to machines.
Where the service has a token, every request but those for health bears it:
<code>Authorization: Bearer …</code></p>
<h2>Paths</h2>
$paths
<h2>Objects</h2>
$objects
</html>
""")

_Schema = Mapping[str, Json]


def render(document: Mapping[str, Json]) -> str:
    """The HTML page of an OpenAPI document; all its strings are escaped."""
    schemas = document["components"]["schemas"]
    paths = [
        _path(path, verb, operation, schemas)
        for path, operations in document["paths"].items()
        for verb, operation in operations.items()
    ]
    return _PAGE.substitute(
        title=escape(f"{document['info']['title']} {document['info']['version']}"),
        description=escape(document["info"]["description"]),
        paths="\n".join(paths),
        objects="\n".join(_object(name, schema) for name, schema in schemas.items()),
    )


def _path(path: str, verb: str, operation: _Schema, schemas: _Schema) -> str:
    lines = [
        f'<h3><code><span class="verb">{escape(verb.upper())}</span> {escape(path)}</code></h3>',
        f"<p>{escape(operation.get('description', ''))}</p>",
    ]
    if "requestBody" in operation:
        asked = operation["requestBody"]["content"]["application/json"]["schema"]
        lines.append(f"<p>Takes {_kind(asked)}.</p>")
        for example in schemas.get(_name(asked), {}).get("examples", ()):
            body = json.dumps(example, ensure_ascii=False)
            command = f"curl -H 'content-type: application/json' -d '{body}' http://…{path}"
            lines.append(f"<pre>{escape(command)}</pre>")
    by_kind: dict[str, list[str]] = {}
    for status, answer in operation["responses"].items():
        given = answer.get("content", {}).get("application/json", {}).get("schema", {})
        kind = _kind(given) if _name(given) else "an answer of its own"
        by_kind.setdefault(kind, []).append(f"<code>{escape(status)}</code>")
    told = "; ".join(f"{', '.join(statuses)} {kind}" for kind, statuses in by_kind.items())
    return "\n".join([*lines, f"<p>Gives {told}.</p>"])


def _object(name: str, schema: _Schema) -> str:
    needed = schema.get("required", ())
    rows = [
        f"<tr><td><code>{escape(key)}</code><td>{_field(value, key in needed)}"
        for key, value in schema.get("properties", {}).items()
    ]
    return (
        f'<h3 id="{escape(name)}">{escape(name)}</h3>\n'
        f"<p>{escape(schema.get('description', ''))}</p>\n<table>{''.join(rows)}</table>"
    )


def _field(schema: _Schema, needed: bool) -> str:
    notes = [*(["required"] if needed else []), *_limits(schema)]
    if schema.get("default") is not None:
        notes.append(f"{json.dumps(schema['default'])} by default")
    told = f' <span class="quiet">{escape(", ".join(notes))}</span>' if notes else ""
    description = f"<br>{escape(schema['description'])}" if "description" in schema else ""
    return f"{_kind(schema)}{told}{description}"


def _limits(schema: _Schema) -> Iterable[str]:
    for part in (schema, *schema.get("anyOf", ())):
        for key, text in _LIMITS.items():
            if key in part:
                yield text.format(f"{part[key]:,.15g}")


def _kind(schema: _Schema) -> str:
    if name := _name(schema):
        return f'<a href="#{escape(name)}">{escape(name)}</a>'
    if "anyOf" in schema:
        kinds = (_kind(part) for part in schema["anyOf"] if part.get("type") != "null")
        return " or ".join(kinds)
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    return escape(str(schema.get("type", "anything")))


def _name(schema: _Schema) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]
