"""Make a benchmark set, as a folder in BEIR layout, from its public source.

    python bench/prepare.py spider --out sets/spider
    python bench/prepare.py hotpotqa --out sets/hotpotqa --split dev --sample 2000
    python bench/prepare.py bird --out sets/bird --from ~/downloads/bird
    python bench/prepare.py beir:scifact --out sets/scifact

`benchmark_sets/sources.toml` says where each set comes from, in which version, and with which
digests. What is downloaded stays in `OUT.sources`; a download that stopped goes on where it was.
`--from` takes the files from a folder, packed or unpacked, or from below another address. The
digest of every file is printed; it must be the one that is recorded, or that `--sha256 FILE=DIGEST`
demands.

Passages and chunks come without entities; `grapher-jax enrich` adds them.
"""

import argparse
import random
import re
import sys
import tomllib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmark_sets import chunks, passages, tables
from benchmark_sets.files import Files, Row, fetch, tell
from benchmark_sets.made import Asked, Made

from grapher_jax.corpus import read_judgements, read_objects, read_queries, splits, write_beir
from grapher_jax.errors import GrapherError, InputError, shorten

FOLDER = Path(__file__).with_name("benchmark_sets")
SETS = tomllib.loads((FOLDER / "sources.toml").read_text(encoding="utf-8"))
BEIR = SETS.pop("beir")
BEIR_NAME = "beir:"
HOTPOTQA = {"dev": "hotpot_dev_distractor_v1.json", "train": "hotpot_train_v1.1.json"}
TWO_WIKI = {"dev": "dev.json", "train": "train.json"}
MAKE: dict[str, Callable[..., Made]] = {
    "spider": partial(tables.spider, schemas="tables.json"),
    "spider-test": partial(tables.spider, schemas="test_tables.json"),
    "bird": tables.bird,
    "bird-dev": tables.bird,
    "beaver": tables.beaver,
    "hotpotqa": partial(passages.hotpotqa, prefix="hotpot", names=HOTPOTQA, between=""),
    "2wikimultihopqa": partial(passages.hotpotqa, prefix="2wiki", names=TWO_WIKI, between=" "),
    "musique": passages.musique,
    "nq": partial(passages.beir, chunks=True),
    "qmsum": chunks.qmsum,
    "chunkeval": chunks.chunkeval,
    "covidqa": chunks.covidqa,
    "squad": chunks.squad,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Make one set; 1 if that is not possible, with a line that says why."""
    options = _parser().parse_args(arguments)
    try:
        prepare(options)
    except GrapherError as error:
        tell(str(error))
        return 1
    return 0


def prepare(options: argparse.Namespace) -> None:
    """Fetch the files of a set, make it, write it, and print its counts."""
    described = describe(options.set)
    known = [*described.get("splits", ()), *described.get("more", ())]
    if known and (unknown := {*options.split}.difference(known)):
        raise InputError(f"--split: {options.set} has no {unknown.pop()!r}; it has {known}")
    chosen = options.split or described.get("splits", ())
    if options.sample is not None and "sample" not in described:
        raise InputError(f"--sample: {options.set} is made whole; leave this out")
    sample = described.get("sample", 0) if options.sample is None else options.sample
    if sample < 0:
        raise InputError(f"--sample: {sample} is below 0; give a number of questions, or 0 for all")
    files = gather(described["files"], options, chosen)
    asked = Asked(files, chosen, partial(draw, sample=sample, seed=options.seed))
    make = MAKE.get(options.set, partial(passages.beir, inside=described.get("inside", "")))
    try:
        made = make(asked)
        read = {file.name for file in files.checked}
        if unread := dict(options.sha256).keys() - read:
            told = ", ".join(sorted(read))
            raise InputError(f"--sha256: {unread.pop()} was not read; what was: {told}")
        write_beir(options.out, made.objects, made.queries, made.judgements, compress=True)
    except GrapherError:
        raise
    except Exception as error:  # a damaged archive or another format can fail in any way
        told = shorten(f"{type(error).__name__} {error}", 200)
        raise InputError(
            f"{files.folder}: not in the format of {options.set} ({told}); take the release that "
            "benchmark_sets/sources.toml names, or fetch a damaged file again"
        ) from error
    tell_counts(options.out, described)


def draw(rows: list[Row], *, sample: int, seed: int) -> list[Row]:
    """So many of the rows, drawn at random, in their order; all if `sample` is 0."""
    if not 0 < sample < len(rows):
        return rows
    return [rows[at] for at in sorted(random.Random(seed).sample(range(len(rows)), sample))]


def describe(name: str) -> dict[str, Any]:
    """What is known of a set: its table of `sources.toml`, or the like for a set of BEIR."""
    if name in SETS:
        return SETS[name]
    if not name.startswith(BEIR_NAME):
        raise InputError(f"set: no {name!r}; beir:NAME, or one of {', '.join(SETS)}")
    # `cqadupstack/android` is one of several in an archive.
    archive, _, inside = name.removeprefix(BEIR_NAME).partition("/")
    digest = f"md5:{BEIR['md5'][archive]}" if archive in BEIR["md5"] else ""
    source = {"address": f"{BEIR['address']}/{archive}.zip", "digest": digest}
    return {"files": {f"{archive}.zip": source}, "inside": inside}


def gather(
    sources: dict[str, dict[str, str]],
    options: argparse.Namespace,
    chosen: Sequence[str],
) -> Files:
    """The files of a set, downloaded unless `--from` names a folder with them."""
    digests = {Path(name).name: one.get("digest", "") for name, one in sources.items()}
    digests |= {name: f"sha256:{digest}" for name, digest in options.sha256}
    if options.source and "://" not in options.source:
        return Files(Path(options.source), digests)
    folder = Path(f"{options.out}.sources")
    for name, one in sources.items():
        if "address" in one and ("split" not in one or one["split"] in chosen):
            address = f"{options.source}/{name}" if options.source else one["address"]
            fetch(address, folder / name)
    return Files(folder, digests)


def tell_counts(folder: Path, described: dict[str, Any]) -> None:
    """Read a folder again, and print how much it has."""
    objects = {item.id for item in read_objects(folder)}
    queries = {query.id for query in read_queries(folder)}
    for split in splits(folder):
        judged = read_judgements(folder, split, objects=objects, queries=queries)
        several = sum(sum(map(bool, row.values())) > 1 for row in judged.values())
        told = f"{folder} {split}: {len(judged)} questions, {several} with several relevant objects"
        paper = described.get("counts", {}).get(split)
        beside = f"; GraphER's paper: {', '.join(map(str, paper))}" if paper else ""
        tell(f"{told}, {len(objects)} objects{beside}")
    if licence := described.get("licence"):
        tell(f"licence of the data: {licence}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("set", help=f"beir:NAME, or one of {', '.join(SETS)}")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write")
    parser.add_argument("--from", dest="source", metavar="FOLDER_OR_URL", help="has the files")
    parser.add_argument("--split", action="append", default=[], help="may be given several times")
    parser.add_argument("--sample", type=int, help="questions drawn from each split; 0 for all")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument(
        "--sha256",
        action="append",
        default=[],
        type=_file_and_digest,
        metavar="FILE=DIGEST",
        help="demand this digest",
    )
    return parser


def _file_and_digest(text: str) -> tuple[str, str]:
    name, _, digest = text.partition("=")
    if not re.fullmatch("[0-9a-f]{64}", digest):
        raise argparse.ArgumentTypeError(f"{text!r} is no FILE=DIGEST with 64 hexadecimal digits")
    return name, digest


if __name__ == "__main__":
    sys.exit(main())
