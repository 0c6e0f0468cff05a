"""Candidates, rankers with their options, searches and evaluations."""

from dataclasses import replace

import numpy as np
from bad_input import Row, each, rows
from memory_collection import MemoryCollection, candidates_of

import grapher_jax as gj
from grapher_jax.corpus import Object
from grapher_jax.evaluation import evaluate

SHOP = [
    {"id": "orders", "score": 0.9, "metadata": {"foreign_keys": ["customers"]}},
    {"id": "customers", "score": 0.1},
]
FLOOR = float("nan"), float("inf"), -float("inf")

CANDIDATES = rows(
    "a candidate",
    lambda _, candidate: gj.Reranker().rerank("?", [SHOP[0], candidate]),
    [
        (
            {"id": "", "score": 1.0},
            "candidate 2 of question 1: id must be a string that is not empty, not ''",
        ),
        ({"id": 7, "score": 1.0}, "candidate 2 of question 1: id must be a string .*, not 7"),
        (
            {"id": "orders", "score": 1.0},
            "candidate 2 of question 1: id 'orders' stands in the list",
        ),
        *(
            (
                odd,
                'candidate 2 of question 1: give a text, a dict with a text or an id, such as {"id"',
            )
            for odd in (None, 7, b"customers", (7, 0.5), ("customers", 0.5, 1), Object, ...)
        ),
        ({"id": "x", "score": 10**400}, "score must be a finite number, not 1000"),
        ({"id": "x", "score": 1e300}, r"score .* not 1e\+300; float32 must hold it"),
        ({"id": "x"}, "candidate 'x' has no score, no text and no embedding, by which it"),
        (("x", "high"), "candidate 2 of question 1: score must be a finite number, not 'high'"),
        ({"id": "x", "text": 5}, "candidate 'x': text must be a string, not 5"),
        *(
            ({"id": "x", "score": bad}, f"score must be a finite number, not {bad}")
            for bad in FLOOR
        ),
        ({"id": "x", "score": "0.5"}, "score must be a finite number, not '0.5'"),
        (
            {"id": "x", "score": 1.0, "metadata": {"links": 3}},
            r"candidate 'x': metadata\.links must",
        ),
    ],
)
RERANKERS = rows(
    "a reranker",
    lambda _, options: gj.Reranker(**options).rerank("?", SHOP),
    [
        ({"ranker": "bm25"}, "ranker: 'bm25' is unknown; use auto, base, gcs, ppr, diffusion, gat"),
        ({"alpha": 0.0}, r"alpha: 0\.0 is outside \(0, 1\]; 1 keeps the retriever's order"),
        ({"alpha": 1.5}, r"alpha: 1\.5 is outside \(0, 1\]"),
        ({"alpha": float("nan")}, "alpha: nan must be a finite number"),
        ({"ranker": 5}, "ranker: the name of a ranker, its folder, or a ranker is needed, not 5"),
        ({"ranker": "a" * 5000}, "ranker: 'aaa.* cannot be a path .File name too long"),
        ({"ranker": "a\0b"}, "ranker: .* cannot be a path .*embedded null"),
        ({"alpha": "0.3"}, "alpha: '0.3' must be a finite number"),
        ({"tol": "1e-6"}, "tol: '1e-6' must be a finite number"),
        ({"max_df": "8"}, "max_df: '8' must be an integer below .*, or None for all"),
        ({"max_steps": 2**31}, r"max_steps: 2147483648 must be an integer below 2\*\*31"),
        ({"max_steps": 10.5}, r"max_steps: 10\.5 must be an integer"),
        ({"weights": {"chunk": "1"}}, "weights: chunk='1' cannot be used; give numbers ≥ 0"),
        ({"weights": {"chunk": 1e39}}, r"weights: chunk=1e\+39 cannot be used; .* float32 holds"),
        ({"weights": ["chunk"]}, r"weights: a number by name is needed, not \['chunk'\]"),
        ({"proximities": [5]}, "proximities: give a list of names, which are strings; 5 is none"),
        (
            {"temperature": 0.1},
            "temperature: of the ranker diffusion; choose it, or leave this out",
        ),
        ({"ranker": "diffusion", "temperature": 0.0}, r"temperature: 0\.0 must be above 0"),
        ({"ranker": "diffusion", "temperature": "1"}, "temperature: '1' must be a finite number"),
        ({"tol": 0.0}, r"tol: 0\.0 must be above 0"),
        ({"max_steps": 0}, "max_steps: 0 must be at least 1"),
        ({"scores": "percent"}, "scores: 'percent' is unknown; use auto, logit, cosine, probabili"),
        ({"max_df": 0}, "max_df: 0 must be at least 1, or None for all entities"),
        (
            {"weights": {"friends": 1.0}},
            r"weights: friends=1\.0 cannot be used; give numbers ≥ 0 that float32 holds to",
        ),
        ({"weights": {"chunk": -1.0}}, r"weights: chunk=-1\.0 cannot be used"),
        ({"proximities": "chunk"}, r"proximities: give a list of names, such as \['chunk'\]"),
        ({"proximities": ["fk"]}, "proximity: 'fk' is unknown; use foreign_key"),
        (
            {"ranker": "gat", "alpha": 0.5},
            "alpha: of gcs, ppr and diffusion; 'gat' has what it was trained",
        ),
        ({"ranker": "gat", "weights": {"chunk": 1.0}}, "weights: of gcs, ppr and diffusion"),
        ({"ranker": "gat", "tol": 1e-3}, "tol: of gcs, ppr and diffusion"),
        ({"ranker": "gat", "max_steps": 10}, "max_steps: of gcs, ppr and diffusion"),
        ({"ranker": "gat", "max_df": None}, "max_df: None cannot be used; .* was trained with 8"),
        ({"ranker": "g-rag"}, "candidate 'orders': a trained ranker reads embeddings; give it a"),
        ({"ranker": "query-gnn"}, "reads the documents around candidates; give the other"),
    ],
)
FOUND = candidates_of(np.zeros((1, 1), np.int32), np.ones((1, 1), np.float32))
NONE = replace(FOUND, scores=np.full((1, 1), np.nan, np.float32))
ONE = MemoryCollection([gj.Object("a", "")], embeddings=np.zeros((1, 2), np.float32))
RANKING = [
    *rows(
        "candidates",
        lambda _, candidates: gj.Reranker().rerank("?", candidates),
        [
            (given, f"candidates of question 1: give a list of candidates, {told}")
            for given, told in [
                (None, "not None"),
                ("orders", r"such as \['orders'\]"),
                ({"id": "orders", "score": 1.0}, "not {'id': 'orders'"),
            ]
        ],
    ),
    Row("no results", lambda w: gj.Reranker().rerank("?", SHOP, k=0), "k: 0 must be at least 1"),
    Row(
        "no question",
        lambda w: gj.Reranker().rerank_batch(["?", None], [SHOP, SHOP]),
        "question 2 must be a string, not None",
    ),
    Row(
        "a list short", lambda w: gj.Reranker().rerank_batch(["a", "b"], [SHOP]), "1 lists for 2 q"
    ),
    Row(
        "no weights", lambda w: gj.Reranker(ranker=str(w.root)), "no weights .*; give a folder that"
    ),
    Row(
        "a score that is none",
        lambda w: gj.Reranker().rank(ONE, NONE, k=1),
        "scores: candidate '[^']+' of query 1 has score nan; scores must be finite numbers",
    ),
    Row(
        "embeddings of another model",
        lambda w: gj.Reranker(ranker="g-rag").rank(ONE, FOUND, k=1),
        "ranker: 'g-rag' was trained on embeddings of 'offline' \\(384 dimensions\\), the index has",
    ),
]
SEARCHES = rows(
    "a search",
    lambda world, options: world.index.search(**{"question": "orders"} | options),
    [
        ({"question": " "}, "question 1 is empty"),
        ({"question": None}, "question 1 must be a string, not None"),
        ({"question": "caf\udce9"}, "question 1 is not UTF-8 text .surrogates not allowed"),
        ({"k": 0}, "k: 0 must be at least 1"),
        ({"k": 1.5}, r"k: 1\.5 must be an integer"),
        ({"k": "3"}, "k: '3' must be an integer"),
        ({"candidates": "3"}, "candidates: '3' must be an integer"),
        ({"min_score": "3"}, "min_score: '3' must be a finite number"),
        ({"filter": {"d": {"$is": 3}}}, r"filter: 'd' has the unknown operator '\$is'; use one of"),
        ({"ranker": 5}, "ranker: the name of a ranker, its folder, or a ranker is needed, not 5"),
        ({"system": 5}, "system: a system or its name is needed, not 5"),
        ({"expand": 5}, "expand: give a list of names, or True, not 5"),
        ({"filter": 5}, "filter must map metadata keys to values, not 5"),
        ({"ranker": "bm42"}, "'bm42' is unknown; use auto, base, gcs, ppr, diffusion"),
        ({"system": "rag"}, "system: 'rag' is unknown; use grapher"),
        ({"filter": {"doc": "a"}}, "no object has metadata 'doc'; use foreign_keys"),
        ({"filter": {"d" * 5000: "a"}}, "^filter: no object has .{,980}'; use foreign_keys$"),
        ({"expand": ["friends"]}, "proximity: 'friends' is unknown; use foreign_key"),
        ({"expand": "link"}, r"expand: give a list of names, or True, such as \['link'\]"),
        *(
            ({"system": "grapher"} | given, f"{next(iter(given))}: the system 'grapher' decides it")
            for given in ({"ranker": "gcs"}, {"alpha": 0.3}, {"expand": True}, {"candidates": 200})
        ),
    ],
)
EVALUATIONS = [
    Row(
        "no candidates",
        lambda w: w.index.retrieve(["orders"], candidates=0),
        "candidates: 0 must be at least 1",
    ),
    Row("no rankers", lambda w: evaluate(w.index, "test", []), "there are none, nor systems"),
    Row("no such split", lambda w: evaluate(w.index, "dev", [gj.Reranker()]), "no split 'dev'"),
]


@each(CANDIDATES, RERANKERS, RANKING, SEARCHES, EVALUATIONS)
def test_bad_input_is_named_with_its_cure_and_costs_nothing(row, world):
    row.check(world)
