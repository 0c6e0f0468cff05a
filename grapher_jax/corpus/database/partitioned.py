"""Finds the files of a table that is a folder, as Spark, Delta Lake and Iceberg write it."""

import re
from contextlib import suppress
from pathlib import Path

from grapher_jax.corpus.documents.data import TABLES

# What programs keep beside the parts of a table.
_MARKS = {"_SUCCESS", "_delta_log", "_metadata", "_common_metadata", ".hoodie"}
# What a part's name has behind the table's own: a number, or a random one, and these words alone.
_RANDOM = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[a-f]{0,99}\d)[0-9a-f]{6,99}")
_WORD = re.compile(r"[^\W\d_]+")
_WORDS = {"part", "data", "c", "snappy", "gz", "gzip", "zstd", "lz4"}


def is_table_name(name: str) -> bool:
    """Whether a file or folder is called as one with a table."""
    return name.lower().endswith(tuple(TABLES)) and not name.startswith(".")


def last_part(folder: Path) -> Path | None:
    """The last file of a table in parts, by its path; None if the folder is no such table.

    The parts are directly in the folder, in subfolders such as `year=2024/month=05`, or in the
    folder `data` of a table of Iceberg. Such a table has a folder with one of these names, a mark
    such as `_SUCCESS`, a name such as `orders.parquet`, or parts called by numbers, such as
    `part-00000.parquet` or `orders_2.csv` of `orders`.
    """
    with suppress(OSError):
        inside = {child.name for child in folder.iterdir()}
        if {"data", "metadata"} <= inside and any((folder / "metadata").glob("*.metadata.json")):
            return _last_file(folder / "data", any_folder=True)
        marked = is_table_name(folder.name) or not _MARKS.isdisjoint(inside)
        if marked or any("=" in name or _is_part(name, folder.name) for name in inside):
            return _last_file(folder, any_folder=marked)
    return None


def _is_part(name: str, table: str) -> bool:
    own = name.lower().removeprefix(table.lower())
    for ending in sorted(TABLES, key=len, reverse=True):
        own = own.removesuffix(ending)
    numbered = _RANDOM.sub("0", own)
    is_numbered = any(map(str.isdigit, numbered)) and _WORDS.issuperset(_WORD.findall(numbered))
    return is_table_name(name) and is_numbered


def _last_file(folder: Path, *, any_folder: bool) -> Path | None:
    """The last file in the folder or in its subfolders by values, which are read from the end.

    Of a table with a mark, subfolders may have any name, as Hudi's by dates do.
    """
    inside = sorted(folder.iterdir(), reverse=True)
    for child in inside:
        is_values = "=" in child.name or (any_folder and not child.name.startswith((".", "_")))
        if not is_values or not child.is_dir() or child.is_symlink():
            continue
        if found := _last_file(child, any_folder=any_folder):
            return found
    parts = (child for child in inside if is_table_name(child.name) and child.is_file())
    return next((part for part in parts if part.stat().st_size), None)


def partition_columns(folder: Path, part: Path) -> list[str]:
    """The columns that the names of subfolders tell, as `year` in `year=2024`."""
    return [name.split("=", 1)[0] for name in part.relative_to(folder).parts[:-1] if "=" in name]
