"""Whatever a client sends, the service answers in JSON, and never that it has failed."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grapher_jax.corpus import Object
from grapher_jax.search import Index

pytest.importorskip("fastapi")
from starlette.testclient import TestClient

from grapher_jax.serve import Settings, create_app

PATHS = ["/v1/rerank", "/v2/rerank", "/rerank", "/v1/search", "/v1/reload", "/v1/models"]


class Flat:
    """An embedder of two dimensions."""

    name, dimension = "flat", 2

    def embed_objects(self, texts, *, progress=lambda done: None):
        return np.tile(np.array([0.6, 0.8], np.float32), (len(texts), 1))

    embed_queries = embed_objects


@pytest.fixture(scope="module", params=[1, 2])
def client(request):
    objects = [
        Object("a", "apples", metadata={"foreign_keys": ["b"], "document_id": "d"}),
        Object("b", "bears", metadata={"entities": ["x"], "chunk_id": 3}),
    ]
    limits = Settings(max_body=20_000, max_documents=20)
    index = Index.build(objects, embedder=Flat())
    app = create_app(dict.fromkeys("ab"[: request.param], index), settings=limits, warm_up=False)
    with TestClient(app, raise_server_exceptions=False) as made:
        yield made


words = st.sampled_from(
    ["", " ", "a", "b", "apples", "apples?", "\x00", "ü", "\ud800", "x" * 2000, "../a", "1"]
)
numbers = st.sampled_from(
    [
        0,
        -1,
        1,
        3,
        2**31,
        -(2**63),
        2**64,
        10**400,
        0.5,
        -0.0,
        1e30,
        -1e30,
        1e-320,
        float("nan"),
        float("inf"),
    ]
)
anything = st.recursive(
    st.none() | st.booleans() | words | numbers,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)


def record(**known):
    """An object of which each key may be left out or hold anything at all."""
    given_keys = {key: value | value | value | anything for key, value in known.items()}
    return st.fixed_dictionaries({}, optional=given_keys)


metadata = record(
    foreign_keys=st.lists(words, max_size=3),
    links=st.lists(words, max_size=3),
    entities=st.lists(words, max_size=3),
    document_id=words,
    chunk_id=numbers,
    other=anything,
    by=words | st.lists(words, max_size=3) | st.dictionaries(words, numbers, max_size=2),
)
document = words | record(
    id=words,
    text=words,
    title=words,
    score=numbers,
    metadata=metadata,
    embedding=st.lists(numbers, min_size=2, max_size=2),
)
request = record(
    query=words,
    documents=st.lists(document, max_size=4),
    texts=st.lists(words, max_size=4),
    top_n=numbers,
    explain=st.booleans(),
    return_documents=st.booleans(),
    edges=st.dictionaries(
        st.sampled_from(["by", "other", "by,other", "links", ""]),
        st.sampled_from(["reference", "shared", "weighted", "sequence", "semantic"]),
        max_size=2,
    ),
    filter=record(document_id=words, foreign_keys=st.lists(words, max_size=2)),
    model=words,
)
# Half of the requests have what each must have.
whole = st.builds(
    lambda asked, **needed: asked | needed,
    request,
    query=st.sampled_from(["apples?", "bears"]),
    documents=st.lists(document, min_size=1, max_size=4),
    texts=st.lists(words, min_size=1, max_size=4),
)


def check(response):
    assert 200 <= response.status_code < 500, (response.status_code, response.text)
    # NaN is no JSON.
    json.loads(response.text, parse_constant=lambda name: pytest.fail(f"{name} in {response.text}"))
    for leak in ("Traceback", "site-packages", "grapher_jax/", 'File "', "/work", "/home", "0x"):
        assert leak not in response.text


sending = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
as_json = {"content-type": "application/json"}


# A filter that nothing fits is warned of.
@pytest.mark.filterwarnings("ignore::grapher_jax.errors.GrapherWarning")
@sending
@given(path=st.sampled_from(PATHS), body=whole | request | anything)
def test_any_json_is_answered(client, path, body):
    check(client.post(path, content=json.dumps(body), headers=as_json))


@sending
@given(
    path=st.sampled_from(PATHS),
    body=st.binary(max_size=60)
    | st.sampled_from(
        [b"[" * 9000, b'{"query":' * 2000, b"9" * 9000, b'{"a":1,"a":2}', b"\xef\xbb\xbf{}"]
    )
    | st.builds(lambda body, cut: json.dumps(body).encode()[:cut], whole, st.integers(0, 300)),
    kind=st.sampled_from(
        ["application/json", "text/plain", "application/x-www-form-urlencoded", ""]
    ),
)
def test_any_bytes_are_answered(client, path, body, kind):
    check(client.post(path, content=body, headers={"content-type": kind}))


@sending
@given(
    path=st.text(alphabet="abv12/.%~\\?#&= ü", max_size=30),
    verb=st.sampled_from(["GET", "POST", "PUT", "DELETE"]),
)
def test_any_path_is_answered(client, path, verb):
    response = client.request(verb, "/" + path.lstrip("/"))
    if not response.text.startswith("# HELP"):  # metrics are no JSON
        check(response)
