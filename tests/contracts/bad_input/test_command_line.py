"""Verbs of the command line, which change nothing at all."""

import os

import pytest
from bad_input import each, rows, stored_files

from grapher_jax.command_line import main
from grapher_jax.errors import InputError


def told(world, arguments):
    """Raise what it tells: one line on standard error, nothing on standard output, status 2."""
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    out, err = world.capsys.readouterr()
    assert (stopped.value.code, out) == (2, "")
    assert err.startswith("grapher-jax: ")
    assert err.count("\n") == 1
    raise InputError(err)


TO_RERANK = ("rerank", "shop.index", "--queries", "shop/queries.jsonl", "--out")
EVALUATE = ("evaluate", "shop", "--split", "test")
GRAPHER = ("--system", "grapher")
QUESTIONS = ("questions", "shop", "--out", "o")
COMMANDS = rows(
    "grapher-jax",
    told,
    [
        (("index", "nowhere", "--out", "o"), "nowhere: no such folder"),
        (("index", "corrupt", "--out", "o"), r"corpus\.jsonl:2: malformed JSON"),
        (("index", "empty", "--out", "o"), "not a BEIR folder .* no document is in it"),
        (("index", "shop.index", "--out", "o"), "is an index already"),
        (("index", "sqlite:///none.db", "--out", "o"), "no such SQLite database"),
        (("index", "shop", "--out", "o", "--lexical", "grep"), "lexical: 'grep' is unknown"),
        (("index", "shop", "--out", "o", "--store", "shelf"), "store: 'shelf' is unknown"),
        *(
            ((*verb, "mysql://u:hush@host/d"), "mysql://…: a database is no index; make one by")
            for verb in (("keys",), ("compact",), ("serve",), ("index", "shop", "--out"))
        ),
        (("serve", "mysql://host/d?user=u&password=hush"), "mysql://…: a database is no index"),
        (("index", "shop", "--out", "shop"), "exists and is not an index; give another --out"),
        (
            ("index", "postgresql+psycopg://u:hush@127.0.0.1:1/d?connect_timeout=2", "--out", "o"),
            "the database cannot be read",
        ),
        *(
            (
                (*before, "a" * 5000, *after),
                "aaa.* cannot be a path|aaa.*: File name too long|aaa.*: no such file",
            )
            for before, after in [
                (("index",), ("--out", "o")),
                (("index", "shop", "--out"), ()),
                (("search",), ("x",)),
                (("search", "shop.index", "x", "--ranker"), ()),
                (("evaluate",), ("--split", "test")),
                (("rerank", "shop.index", "--out", "o", "--queries"), ()),
                (("rerank", "shop.index", "--queries", "shop/queries.jsonl", "--out"), ()),
            ]
        ),
        (("update", "shop.index"), "give --add or --delete"),
        (("update", "nowhere", "--delete", "a"), "nowhere: not an index"),
        (("compact", "nowhere"), "nowhere: not an index"),
        (("watch", "shop", "nowhere"), "nowhere: not an index"),
        (
            ("watch", "nowhere", "shop.index"),
            "there is no folder 'nowhere'; give one that is there",
        ),
        (("watch", "shop", "shop.index", "--every", 0), "greater than or equal to 0.1"),
        (("search", "nowhere", "x"), "nowhere: not an index"),
        (("search", "shop.index"), "Missing argument"),
        (("search", "shop.index", " "), "question 1 is empty"),
        (("search", "shop.index", "x", "-k", 0), "k: 0 must be at least 1"),
        (
            ("search", "shop.index", "x", "--ranker", "bm42"),
            "'bm42' is unknown; use auto, base, gcs, ppr, diffusion",
        ),
        (("search", "shop.index", "x", "--alpha", 1.5), r"alpha: 1\.5 is outside \(0, 1\]"),
        (("search", "shop.index", "x", "--filter", "db"), "must be KEY=VALUE"),
        (("search", "shop.index", "x", "--filter", '{"a": 1'), "must be KEY=VALUE, or a JSON obj"),
        (("search", "shop.index", "x", "--filter", '{"a": {"$is": 1}}'), r"operator '\$is'; use"),
        *(
            (("search", "shop.index", "x", "--filter", f"a={value}"), rf"filter: 'a=.* \({says}")
            for value, says in [
                ("1e400", "1e400 is more than a number can be.; put a string in quotes"),
                ('{"x": [-1e999]}', "-1e999 is more"),
                ("Infinity", "Infinity is no JSON"),
                ("[" * 100_000, "nested too deep"),
                ("9" * 5000, "Exceeds the limit"),
            ]
        ),
        (("train", "--config", "endless.json", "--out", "o"), "1e400 is more than a number can"),
        (("search", "shop.index", "x", "--system", "rag"), "system: 'rag' is unknown; use grapher"),
        (
            ("search", "shop.index", "x", *GRAPHER, "--ranker", "gat"),
            "ranker: the system 'grapher' d",
        ),
        (("search", "shop.index", "x", *GRAPHER, "--proximity", "chunk"), "proximity: the system"),
        ((*EVALUATE, *GRAPHER, "--alpha", 0.5), "alpha: the system 'grapher' decides it"),
        (
            (*EVALUATE, *GRAPHER, "--expand-by", "link"),
            "expand-by: the system 'grapher' decides it",
        ),
        ((*EVALUATE, *GRAPHER, "--max-df", 0), "max-df: the system 'grapher' decides it"),
        ((*EVALUATE, "--proximity", "x"), "proximity: 'x' is unknown"),
        (("evaluate", "shop", "--split", "dev"), "no split 'dev'; its splits: test"),
        (("rerank", "shop.index", "--queries", "none", "--out", "o"), "none: no such file"),
        ((*TO_RERANK, "o", "-k", 0), "k: 0 must be at least 1"),
        ((*TO_RERANK, "no/o"), "no/o: give a file in an existing folder"),
        ((*TO_RERANK, "o", "--run", "nan.trec"), r"nan\.trec:1: score must be a finite number"),
        ((*TO_RERANK, "o", "--run", "none.trec"), r"none\.trec: cannot be read \(No such file"),
        (("tune", "shop", "--split", "test", "--picture", "grid.xyz"), r"ends in \.png or \.svg"),
        (("demo", "--out", "shop"), "shop: is a folder"),
        (QUESTIONS, "model: is missing; name one by --model, or give --paths"),
        ((*QUESTIONS, "--paths", 0), "paths: 0 must be at least 1"),
        ((*QUESTIONS, "--paths", 9), "paths: none of 2 objects is a table that declares a foreign"),
        *(
            ((*QUESTIONS, "--paths", 9, *given), f"{given[0][2:]}: is for documents alone; leave")
            for given in [
                ("--per-document", 3),
                ("--kinds", "multi-hop=1"),
                ("--window-tokens", 99),
                ("--within-document",),
            ]
        ),
        (
            (*QUESTIONS, "--paths", 9, "--endpoint", "http://x"),
            "endpoint: 'http://x' is for a model; name it with --model",
        ),
        (("fetch",), "No such command 'fetch'"),
        (("serve",), "index: give one at least"),
        (("serve", "nowhere"), "index: nowhere is no index; make one with grapher-jax index"),
        (("serve", "a=nowhere"), "index: nowhere is no index"),
        (("serve", "=shop.index"), "'=shop.index' has an empty name; give NAME=PATH, or the path"),
        (
            ("serve", "shop.index", "--index", "shop.index"),
            "both called 'shop.index'; name one by NAME=PATH",
        ),
        (("mcp", "a=shop.index", "a=shop.index"), "both called 'a'; name one by NAME=PATH"),
        *(
            (("serve", "shop.index", "--token-file", name), says)
            for name, says in [
                ("none", "token-file: none cannot be read"),
                ("shop", "token-file: shop cannot be read"),
                ("empty.tokens", "token: it is empty"),
                ("twice.tokens", "token: that of line 2 stands there twice; leave one out"),
                ("other.tokens", "an index that is not served; name some of shop.index after"),
            ]
        ),
        (
            ("mcp", "shop.index", "--transport", "http", "--token-file", "other.tokens"),
            "token: those of `mcp` open every index; leave out the names behind them",
        ),
    ],
)


def written_to_a_pipe(world, arguments):
    os.mkfifo(world.root / "pipe")
    try:
        told(world, [*arguments, "--out", "pipe"])
    finally:
        assert (world.root / "pipe").is_fifo()


COMMANDS += rows(
    "grapher-jax to a pipe",
    written_to_a_pipe,
    [
        (arguments, "pipe: (is a device, a pipe or a socket; give|exists and is not an index)")
        for arguments in (
            ("explain", "shop.index", "orders"),
            ("index", "shop"),
            TO_RERANK[:-1],
            (*TO_RERANK[:-1], "--shard", "1/2"),
        )
    ],
)


@each(COMMANDS)
def test_bad_input_is_named_with_its_cure_and_costs_nothing(row, world):
    before = stored_files(world.root)
    row.check(world)
    assert stored_files(world.root) == before
