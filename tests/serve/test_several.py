"""Several indexes in one service, and tokens that open some of them."""

import httpx
import pytest
from cohere import ClientV2, UnprocessableEntityError
from starlette.testclient import TestClient

from grapher_jax.corpus import Object
from grapher_jax.errors import InputError
from grapher_jax.search import Index
from grapher_jax.serve import Settings, create_app
from grapher_jax.serve.opened import Opened
from grapher_jax.serve.served_folder import ServedFolder
from grapher_jax.serve.settings import read_tokens

BOATS = [Object(name, f"{name}: sail") for name in ("boats", "crews")]
TOKENS = {"all": None, "one": ["zoo"], "both": ("shop", "boats")}


@pytest.fixture(scope="module")
def boats(embedder):
    """An index of another shape, of objects that nothing joins."""
    return Index.build(BOATS, embedder=embedder)


@pytest.fixture(scope="module")
def client(shop, boats):
    app = create_app(
        {"shop": shop, "boats": boats, "zoo": shop}, settings=Settings(token=TOKENS), warm_up=False
    )
    with TestClient(app, raise_server_exceptions=False) as made:
        made.headers = bearing("all")
        yield made


def bearing(token):
    return {"authorization": f"Bearer {token}"}


def post(client, path, token="all", **body):
    return client.post(path, json=body, headers=bearing(token))


def ids(answer):
    return {hit["id"] for hit in answer.json()["results"]}


def refused(answer, message, status=422):
    assert (answer.status_code, answer.json()["message"]) == (status, message)


def test_model_chooses_the_index(client, shop):
    found = ids(post(client, "/v1/search", query="sail", model="boats"))
    assert found == {"boats", "crews"}
    assert ids(post(client, "/v1/search", query="sail", model="shop")) == {*shop.ids}
    # What the one index knows of a text, the other does not.
    asked = {"query": "sail", "documents": [BOATS[0].text], "return_documents": True}
    for name, known in (("boats", "boats"), ("shop", None)):
        (result,) = post(client, "/v1/rerank", model=name, **asked).json()["results"]
        assert result["document"].get("id") == known
    (result,) = post(client, "/rerank", query="a", texts=["b"], model="boats").json()
    assert result["index"] == 0


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/search", {"query": "sail"}),
        ("/v1/rerank", {"query": "sail", "documents": ["a"]}),
        ("/v2/rerank", {"query": "sail", "documents": ["a"]}),
        ("/rerank", {"query": "sail", "texts": ["a"]}),
    ],
)
def test_a_name_that_is_unknown_or_missing_is_told_with_those_that_there_are(client, path, body):
    known = "name one of shop, boats, zoo"
    refused(post(client, path, **body), f"model: there are several indexes; {known}")
    refused(post(client, path, model="x", **body), f"model: 'x' is unknown; {known}")
    assert post(client, path, model=3, **body).status_code == 422
    # Nothing tells an index that the token does not open from none.
    for name in ("shop", "x"):
        message = f"model: '{name}' is unknown; name one of zoo"
        refused(post(client, path, "one", model=name, **body), message)


def test_a_token_opens_what_it_names(client):
    asked = {"query": "sail"}
    assert "songs" in ids(post(client, "/v1/search", "one", **asked))
    assert post(client, "/v1/search", "both", model="boats", **asked).status_code == 200
    assert post(client, "/v1/search", "both", model="zoo", **asked).status_code == 422
    assert post(client, "/v1/search", "none", model="zoo", **asked).status_code == 401
    assert client.get("/metrics", headers=bearing("one")).status_code == 403
    assert client.get("/metrics").status_code == 200
    listed = [[one["id"] for one in client.get("/v1/models", headers=bearing(token)).json()["data"]]
              for token in TOKENS]  # fmt: skip
    assert listed == [["shop", "boats", "zoo"], ["zoo"], ["shop", "boats"]]


def test_indexes_are_listed_as_models(client):
    (shop, boats, _) = client.get("/v1/models").json()["data"]
    assert (shop["object"], shop["objects"], shop["ranker"]) == ("model", 6, "gat")
    assert (boats["id"], boats["objects"], boats["owned_by"]) == ("boats", 2, "grapher-jax")


def test_metrics_tell_of_each_index(client):
    post(client, "/v1/search", query="sail", model="boats")
    text = client.get("/metrics").text
    asked = 'grapher_jax_requests_total{index="boats",path="/v1/search",status="200"}'
    assert asked in text and 'grapher_jax_objects{index="boats"} 2.0' in text


@pytest.mark.nightly
def test_each_index_is_opened_anew_by_itself(shop_folder, boats, tmp_path):
    boats.save(tmp_path / "boats")
    Index.load(shop_folder).save(tmp_path / "shop")
    served = {name: ServedFolder(tmp_path / name) for name in ("shop", "boats")}
    app = create_app(served, settings=Settings(token=TOKENS | {"one": ["boats"]}), warm_up=False)
    with TestClient(app, raise_server_exceptions=False) as client:
        boats.update([Object("oars", "oars: sail")]).save(tmp_path / "boats")
        (tmp_path / "shop" / "manifest.json").write_text("{}")
        assert post(client, "/v1/reload", "one").json() == {"objects": 3}
        answer = post(client, "/v1/reload")
        assert answer.status_code == 409 and answer.json()["message"].startswith("shop: ")
        refused(post(client, "/v1/reload", "one", model="shop"),
                "model: 'shop' is unknown; name one of boats")  # fmt: skip
        assert post(client, "/v1/search", query="sail", model="shop").status_code == 200
        text = client.get("/metrics", headers=bearing("all")).text
    assert 'grapher_jax_reloads_total{index="shop",outcome="failed"} 1.0' in text
    assert 'grapher_jax_reloads_total{index="boats",outcome="served"} 2.0' in text


def test_a_service_of_nothing_or_of_a_token_for_something_else_is_refused(shop):
    with pytest.raises(InputError, match="index: give one at least"):
        create_app({})
    with pytest.raises(InputError, match="an index that is not served; name some of index") as told:
        create_app(shop, settings=Settings(token={"hush": ["index", "zoo"]}))
    # It may be the token, which somebody wrote behind the name.
    assert "zoo" not in str(told.value)
    for empty in ({}, {"": None}):
        with pytest.raises(InputError, match="token: it is empty"):
            Settings(token=empty)
    with pytest.raises(InputError, match="token: the one at place 1 opens nothing; name an index"):
        Settings(token={"hush": []})
    with pytest.raises(InputError, match=r"token: the one at place 1 has a character that cannot"):
        Settings(token="hush\udce9")
    with pytest.raises(InputError, match="token: the one at place 1 begins or ends with a space"):
        Settings(token="hush ")
    with pytest.raises(InputError, match="token: line 2 begins with #; leave out comments"):
        read_tokens("hush\n#tokens-of-prod\n")


@pytest.mark.nightly
def test_several_are_served_by_a_process_and_asked_by_coheres_client(
    start, shop_folder, boats, tmp_path
):
    boats.save(tmp_path / "sea")
    (tmp_path / "tokens").write_text("hush\n\nhusk boats\n")
    options = ("--index", f"boats={tmp_path / 'sea'}", "--token-file", str(tmp_path / "tokens"))
    with start(shop_folder, *options) as (url, _), httpx.Client(timeout=600) as http:
        for token, names in (("hush", ["shop.index", "boats"]), ("husk", ["boats"])):
            listed = http.get(f"{url}/v1/models", headers=bearing(token)).json()["data"]
            assert [one["id"] for one in listed] == names
        client = ClientV2("husk", base_url=url, httpx_client=http)
        for model in ("boats", "shop.index"):
            ask = {"model": model, "query": "sail", "documents": ["a", BOATS[0].text]}
            if model == "boats":
                assert client.rerank(**ask).results[0].index == 1
            else:
                with pytest.raises(UnprocessableEntityError, match="name one of boats"):
                    client.rerank(**ask)


def test_names_are_those_of_the_tools(shop_folder, tmp_path):
    assert Opened([f"zoo={shop_folder}", shop_folder]).names == ("zoo", "shop.index")
    (tmp_path / "a=b").symlink_to(shop_folder)
    assert Opened([str(tmp_path / "a=b")]).names == ("a=b",)
    with pytest.raises(InputError, match=r"'=.*' has an empty name"):
        Opened([f"={shop_folder}"])
