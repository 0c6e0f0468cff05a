"""Foreign keys from files: a list of logical keys, or dbt's manifest."""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from grapher_jax.checks import shown
from grapher_jax.corpus.columns import in_any_case
from grapher_jax.corpus.inferred.tables import Tables
from grapher_jax.corpus.inferred.types import InferredKey, Table
from grapher_jax.errors import InputError, require, warn
from grapher_jax.files import Json, parse_json, read_option

_SHAPE = "{table: …, columns: […], references: …, referenced_columns: […]}"
_FIELDS = ("table", "columns", "references", "referenced_columns")
_REF = re.compile(r"""(?:ref|source)\(\s*(?:['"][^'"]*['"]\s*,\s*)?['"]([^'"]+)['"]""")


def infer_by_list(tables: Tables, path: Path) -> Iterator[InferredKey]:
    """The keys that a YAML file lists.

    Args:
        tables: the tables of the corpus; the file names them by id or by unique name.
        path: the path of the file.

    Raises:
        InputError: if it cannot be read, is not a list of keys, or names an unknown table or
            column.
    """
    yaml = require("yaml")
    try:
        listed = yaml.safe_load(read_option("keys", path, "a YAML file"))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        told = " ".join(str(error).split())
        raise InputError(f"keys: {path} is no YAML ({told}); give a list of {_SHAPE}") from None
    if not isinstance(listed, list):
        raise InputError(f"keys: {path} holds {shown(listed)}; give a list of {_SHAPE}")
    for number, entry in enumerate(listed, start=1):
        place = f"keys: {path}: key {number}"
        if not isinstance(entry, dict) or set(entry) != set(_FIELDS):
            raise InputError(f"{place}: {shown(entry)} must have these fields: {_SHAPE}")
        ends = []
        for one, many in (_FIELDS[:2], _FIELDS[2:]):
            table = _table(tables, entry[one], f"{place}: {one}")
            ends.append((table.id, _columns(table, entry[many], f"{place}: {many}")))
        (source, own), (target, theirs) = ends
        if len(own) != len(theirs):
            raise InputError(
                f"{place}: {len(own)} columns and {len(theirs)} referenced_columns; give as many"
            )
        yield InferredKey(source, own, target, theirs, "yaml")


def _table(tables: Tables, name: object, place: str) -> Table:
    found = tables.called(name) if isinstance(name, str) else None
    if found is None:
        raise InputError(
            f"{place}: {shown(name)} is no table of the source{_near(name, tables.by_id)}"
        )
    return found


def _columns(table: Table, listed: object, place: str) -> tuple[str, ...]:
    names = [listed] if isinstance(listed, str) else listed
    if not isinstance(names, list) or not names:
        raise InputError(f"{place}: {shown(listed)} must be a list of columns")
    spelled = in_any_case(table.columns)
    found = []
    for name in names:
        own = spelled.get(name, spelled.get(name.casefold())) if isinstance(name, str) else None
        if own is None:
            near = _near(name, table.columns)
            raise InputError(f"{place}: {shown(name)} is no column of {table.id}{near}")
        found.append(own)
    return tuple(found)


def _near(name: object, known: Sequence[str] | Mapping[str, object]) -> str:
    """A suggestion of a similar name, as the end of a message."""
    folded = {one.casefold(): one for one in known}
    close = get_close_matches(str(name).casefold(), folded, n=3, cutoff=0.5)
    several = [one for one in known if isinstance(name, str) and one.rpartition(".")[2] == name]
    meant = several[:3] or [folded[one] for one in close] or list(known)[:3]
    return (
        f"; there are {', '.join(meant)}"
        if len(known) > len(meant)
        else f"; use {', '.join(meant)}"
    )


def infer_by_dbt(tables: Tables, path: Path) -> Iterator[InferredKey]:
    """The keys from dbt's relationship tests.

    Keys of models that are not tables of the corpus are left out with a warning.

    Args:
        tables: the tables of the corpus.
        path: the path of dbt's `manifest.json`.

    Raises:
        InputError: if it cannot be read, or is not a manifest of a version that
            dbt-artifacts-parser knows.
    """
    parser = require("dbt_artifacts_parser.parser")
    try:
        manifest = parse_json(read_option("dbt_manifest", path, "dbt's manifest.json"))
        parser.parse_manifest(manifest)
        nodes = manifest["nodes"] | manifest["sources"]
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 - each version has its own error types
        told = " ".join(str(error).split())[:120]
        raise InputError(
            f"dbt_manifest: {path} is no manifest of a version that can be read ({told}); make it "
            "anew by `dbt parse`, with dbt 1.0 or later"
        ) from None
    unknown: list[str] = []
    for name, node in manifest["nodes"].items():
        test = node.get("test_metadata") or {}
        if node.get("resource_type") == "test" and test.get("name") == "relationships":
            key = _related(tables, node, test.get("kwargs") or {}, nodes)
            if key:
                yield key
            else:
                unknown.append(name)
    if unknown:
        warn(
            f"dbt_manifest: {len(unknown)} tests of {path} name tables or columns that the source "
            f"lacks, such as {unknown[0]}; the others are used",
        )


def _related(
    tables: Tables,
    node: Mapping[str, Json],
    arguments: Mapping[str, Json],
    nodes: Mapping[str, Json],
) -> InferredKey | None:
    """The key of a relationship test; None if the corpus lacks its table or column."""
    # dbt 1.10 and later may nest them one level deeper.
    arguments = {**arguments, **(arguments.get("arguments") or {})}
    named = _REF.findall(str(arguments.get("to")))
    read = [one for one in node.get("depends_on", {}).get("nodes", []) if one in nodes]
    parents = [one for one in read if nodes[one].get("name") in named]
    children = [one for one in read if one == node.get("attached_node")]
    children = children or [one for one in read if one not in parents] or parents
    if not parents or not children:
        return None
    related = tables.find([_relation(nodes[one]) for one in (children[0], parents[0])])
    names = node.get("column_name") or arguments.get("column_name"), arguments.get("field")
    ends = []
    for table, name in zip(related, names, strict=True):
        said = str(name).strip('"`').casefold()
        named = [own for own in table.columns if own.casefold() == said] if table else []
        if table is None or not named:
            return None
        ends.append((table.id, (named[0],)))
    (source, own), (target, theirs) = ends
    return InferredKey(source, own, target, theirs, "dbt")


def _relation(node: Mapping[str, Json]) -> tuple[str, str]:
    """The schema and name of the table of a model or source."""
    name = node.get("alias") or node.get("identifier") or node["name"]
    return node.get("schema") or "", name
