"""What an index contains, as the verbs that write one tell it."""

from collections.abc import Sequence
from pathlib import Path

from grapher_jax.checks import shown
from grapher_jax.command_line.console import errors, output, print_json
from grapher_jax.corpus import Object
from grapher_jax.corpus.database.copies import copies_of
from grapher_jax.corpus.inferred.listing import told_of_further, told_of_inferred
from grapher_jax.corpus.inferred.stage import ALWAYS, AUTO
from grapher_jax.corpus.objects import is_table
from grapher_jax.corpus.searchable import are_tables
from grapher_jax.corpus.spoken import spoken_in
from grapher_jax.graph import edge_name, reads_embeddings
from grapher_jax.search import Index
from grapher_jax.text import spread


def print_index(folder: Path, index: Index, *, json: bool) -> None:
    """Print what an index contains."""
    proximities = index.graph.proximities()
    if json:
        summary = {
            "index": str(folder),
            "objects": len(index.ids),
            "embedder": index.embedder.name,
            "proximities": proximities,
        }
        print_json(summary)
    else:
        joined = ", ".join(proximities) or f"nothing: {_alone(index)}"
        output.print(f"{folder}: {len(index.ids)} objects, joined by {joined}", soft_wrap=True)


def _alone(index: Index) -> str:
    """Why nothing joins the objects of an index."""
    if are_tables(index.objects):
        return "no key was found; give keys by --keys, --queries-from or --dbt-manifest"
    return (
        "its metadata has no relations; `grapher-jax enrich` finds entities, and the metadata of a "
        "BEIR folder can name links"
    )


def tell_inferred(folder: Path, objects: Sequence[Object], infer_keys: str = ALWAYS) -> None:
    """Print on standard error how many keys of objects were inferred, and how to list them.

    If `infer_keys` is `auto`, also how many more names suggest, where they are many.
    """
    if told := told_of_inferred(objects):
        errors.print(f"{told}; look at them with `grapher-jax keys {folder}`", soft_wrap=True)
    if infer_keys == AUTO and (told := told_of_further(objects)):
        errors.print(told, soft_wrap=True)


def tell_copies(objects: Sequence[Object]) -> None:
    """Print on standard error how many tables were left out, because another stands for them."""
    tables = (item for item in objects if is_table(item))
    having = {item.id: copies for item in tables if (copies := copies_of(item))}
    if having:
        left, example = sum(map(len, having.values())), next(iter(having))
        told = f"{left} tables are left out whose names differ from another's only in a number, as "
        told += f"{shown(having[example][-1])} from {shown(example)}; --copies reads them too"
        errors.print(told, soft_wrap=True)


def tell_idle_edges(index: Index) -> None:
    """Print on standard error which edges of an index's own join none of its objects."""
    joining = index.graph.proximities()
    for keys, form in index.edges.items():
        if edge_name(keys) not in joining and not reads_embeddings({keys: form}):
            why = "no object has such metadata, or its values name no other object"
            cure = "fields of CSV and JSON records are text: metadata is that of a BEIR folder"
            errors.print(f"edges {keys!r} ({form}) join nothing: {why}; {cure}", soft_wrap=True)


def tell_language(index: Index) -> None:
    """Print on standard error that an index could read its texts as those of their language."""
    spoken = spoken_in(item.text for item in spread(index.objects))
    if spoken and not are_tables(index.objects):
        told = f"many texts look {spoken.title()}: --language {spoken} would compare stems of words"
        errors.print(told, soft_wrap=True)
