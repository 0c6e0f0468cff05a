"""Language models: their options, and endpoints that answer so."""

from bad_input import Row, each, rows

from grapher_jax.corpus import Object
from grapher_jax.enrich import enrich
from grapher_jax.errors import EnrichmentError
from grapher_jax.llm import Llm, LlmError


def asked(world, answer):
    world.endpoint.answer = lambda body: answer
    with Llm("m", endpoint=world.endpoint.url, timeout=0.2, max_retries=0) as llm:
        llm.ask([{"role": "user", "content": "How many?"}], int)


def enriched(world, answer):
    from grapher_jax.enrich.entities import LlmEntities

    world.endpoint.answer = lambda body: answer
    with Llm("m", endpoint=world.endpoint.url, timeout=0.2, max_retries=0) as llm:
        LlmEntities(llm)(Object("a", "Angela Merkel flew to Paris."))


def made_llm(world, options):
    with Llm("m", **{"endpoint": world.endpoint.url} | options):
        pass


def without_key(world, answer):
    world.monkeypatch.delenv("OPENAI_API_KEY")
    asked(world, answer)


MODELS = [
    *rows(
        "a model that fails",
        asked,
        [
            ((500, {}), "Error code: 500"),
            ((503, {}), "Error code: 503"),
            ((429, {}), "Error code: 429"),
            ((400, {}), "Error code: 400"),
            (b"\xff{", "no chat completion"),
            (b"[" * 100_000, "no chat completion"),
            (b'{"choices": []}', "no chat completion"),
            (b'{"choices": [{"message": {"content": null}}]}', "has no text"),
            (" ", "has no text"),
            ("many", "m: two replies that cannot be used: invalid literal"),
            (1.0, "no whole answer"),
            ([b"{"] * 50, r"no whole answer in 0\.2 s"),
        ],
        LlmError,
    ),
    *rows(
        "an endpoint that never will",
        asked,
        [
            ((401, {}), r"the key was refused .*you said Bearer \*\*\*.* set OPENAI_API_KEY"),
            ((403, {}), r"the key was refused .*you said Bearer \*\*\*"),
            ((404, {}), r"no such endpoint or model 'm' .*you said Bearer \*\*\*"),
            ((429, {"code": "insufficient_quota"}), r"quota is used up .*you said Bearer \*\*\*"),
        ],
    ),
    Row("no key", lambda w: without_key(w, (401, {})), "the key was refused .*OPENAI_API_KEY"),
    *rows(
        "options of a model",
        made_llm,
        [
            ({"endpoint": "localhost:8000"}, "is no URL like http://localhost:8000/v1"),
            ({"endpoint": "http://[x"}, "is no URL"),
            ({"endpoint": "https://me:hush@host/v1"}, "must hold no name or password"),
            ({"timeout": 0.0}, r"timeout: 0\.0 must be at least"),
            ({"concurrency": 0}, "concurrency: 0 must be at least 1"),
            ({"max_tokens": 0}, "max_tokens: 0 must be"),
        ],
    ),
    *rows(
        "entities that are none",
        enriched,
        [
            ("[garbage", "two replies that cannot be used"),
            ('{"a": 1}', "two replies that cannot be used"),
            ("[1]", "two replies that cannot be used"),
            ((500, {}), "Error code: 500"),
        ],
        EnrichmentError,
    ),
    Row(
        "nothing to enrich",
        lambda w: enrich([], w.root / "out", []),
        "the source has no objects",
    ),
]


@each(MODELS)
def test_bad_input_is_named_with_its_cure_and_costs_nothing(row, world):
    row.check(world)
