"""Runs enrichers on a Ray cluster."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

from grapher_jax.corpus import Object
from grapher_jax.corpus.beir import object_record
from grapher_jax.enrich.runner import Enricher, Outcome, enrich_one
from grapher_jax.errors import InputError
from grapher_jax.files import parse_json
from grapher_jax.runs.ray_engine import Forward, map_blocks
from grapher_jax.runs.stream import blocks

_BLOCK = 64

Read = Callable[[], Iterable[Object]]


def ray_outcomes(
    read: Read, total: int, enrichers: Sequence[Enricher]
) -> Callable[[int], Iterator[Outcome]]:
    """The argument `elsewhere` for `enrich`: runs the enrichers in Ray processes.

    Args:
        read: streams the objects, the same in every process; it must be picklable.
        total: how many objects there are.
        enrichers: called one after the other for every object.

    Raises:
        InputError: for an enricher that only waits for a network: it would not become faster.
    """
    waiting = [enricher.name for enricher in enrichers if getattr(enricher, "waits", False)]
    if waiting:
        raise InputError(f"engine: ray divides computing, and {waiting[0]} waits; use local")

    def outcomes(done: int) -> Iterator[Outcome]:
        make = partial(_Enrich, read, enrichers)
        results = map_blocks(make, range(done // _BLOCK, -(-total // _BLOCK)))
        lines = (line for result in results for line in result.splitlines())
        for line in islice(lines, done % _BLOCK, None):
            record, failures = parse_json(line.decode())
            item = Object(record["_id"], record["text"], record["title"], record["metadata"])
            yield item, failures

    return outcomes


class _Enrich:
    """Enriches a block of objects by its number: one line of JSON per object, with its failures."""

    def __init__(self, read: Read, enrichers: Sequence[Enricher]) -> None:
        self._blocks = Forward(lambda: blocks(read(), _BLOCK))
        self._enrich = partial(enrich_one, [one.name for one in enrichers], enrichers)

    def __call__(self, number: int) -> bytes:
        done = map(self._enrich, self._blocks[number])
        return b"\n".join(json.dumps([object_record(item), bad]).encode() for item, bad in done)
