"""The table of proximities: what it says of the package's own, and rows that a user adds."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flax import nnx
from networks import random_network

from grapher_jax import Index, Object, Reranker
from grapher_jax.corpus import check_metadata
from grapher_jax.corpus.flat import flatten, unflatten
from grapher_jax.corpus.keys import KEYS, NUMBER, STRING, STRINGS, Key
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.explain.page import render_page
from grapher_jax.explain.report import explain_question
from grapher_jax.graph import (
    EMPTY,
    PROXIMITIES,
    GraphArrays,
    Proximity,
    Ragged,
    check_proximities,
    connecting_keys,
    kernel_table,
    references,
    register,
    registered,
    shared_values,
)
from grapher_jax.graph.joins import Join
from grapher_jax.kernels.graphs import proximities as kernel_rows
from grapher_jax.serve.jobs import RerankJob
from grapher_jax.serve.ranking import Engine
from grapher_jax.serve.shapes import Shape
from grapher_jax.systems.networks import save_weights
from grapher_jax.training.candidates import GraphSettings, build_candidates
from grapher_jax.training.gat import Gat, GatConfig
from grapher_jax.training.losses import softmax_loss
from grapher_jax.training.relations import COUNTED_AS, DEGREES, RELATIONS

HOUR = 3600.0


def build_times(objects):
    return {"times": np.array([own.get("time", -1.0) for own in objects.values], np.float32)}


def times_apart(graph, one, other):
    times = graph.numbers("times")[[one, other]]
    return abs(times[0] - times[1]) if (times >= 0).all() else np.inf


def within_an_hour(relations, mask):
    times = jnp.asarray(relations["times"])
    close = jnp.abs(times[..., :, None] - times[..., None, :]) <= HOUR
    valid = times >= 0 if mask is None else (times >= 0) & mask
    close &= valid[..., :, None] & valid[..., None, :] & ~jnp.eye(times.shape[-1], dtype=bool)
    return close.astype(jnp.float32)


def time_steps(graph, max_df):
    n = len(graph.object_ids)
    near = [[j for j in range(n) if j != i and times_apart(graph, i, j) <= HOUR] for i in range(n)]
    return [Ragged.build(near)]


def time_words(context, one, other):
    apart = times_apart(context.graph, one, other)
    if apart <= HOUR:
        ids = context.ids[one], context.ids[other]
        yield Join("time", ids, f"{' and '.join(ids)} are {apart / 60:.0f} minutes apart")


KERNEL_ROW = kernel_rows.Proximity("time", (kernel_rows.Reads("times", ids=False),), within_an_hour)
# What a user writes to add one: by hand, and of the two commonest forms.
TIME = Proximity(
    name="time",
    keys=(Key("time", NUMBER, joins=True),),
    arrays=("times",),
    build=build_times,
    joins=lambda graph: graph.numbers("times") >= 0,
    gather=lambda graph, rows, max_df: {"times": graph.pick("times", rows)},
    kernel=lambda: KERNEL_ROW,
    steps=time_steps,
    seeds=3,
    words=time_words,
)
SAME_AUTHOR = shared_values("same_author", "authors", told="both are by", label="same author")
CITATION = references("citation", "cites", verb="cites")

HARBOUR = "harbour"
OBJECTS = [
    Object(HARBOUR, "harbour lights", metadata={"authors": ["Ann Lee"], "time": 1000}),
    Object("wheat", "prices of wheat", metadata={"authors": ["ANN  LEE", "Bo"], "time": 90_000.5}),
    Object("barley", "prices of barley", metadata={"cites": ["harbour"], "authors": ["Bo"]}),
    Object("oats", "prices of oats", metadata={"time": 2800, "authors": ["Cy"]}),
    Object("rye", "prices of rye"),
]
OWN = ["foreign_key", "inferred_key", "link", "mention", "shared_entity", "chunk"]
# Each row with whom it joins to the harbour, and how that is told.
ROWS = [
    (SAME_AUTHOR, "wheat", "both are by ann lee"),
    (CITATION, "barley", "barley cites harbour"),
    (TIME, "oats", "oats and harbour are 30 minutes apart"),
]
EDGES = {"same_author": {(0, 1), (1, 2)}, "citation": {(0, 2)}, "time": {(0, 3)}}
each_row = pytest.mark.parametrize(
    ("row", "neighbor", "words"), ROWS, ids=[row.name for row, *_ in ROWS]
)


@pytest.fixture
def added():
    with registered(SAME_AUTHOR, CITATION, TIME):
        yield


@pytest.fixture
def index(added, embedder):
    return Index.build(OBJECTS, embedder=embedder)


def test_what_the_table_says_is_what_weights_and_kernels_know():
    assert list(PROXIMITIES) == OWN
    # Weights have a place for each of these, in this order. No network has learned from mentions.
    others = {"mention", *COUNTED_AS}
    assert tuple(name for name in PROXIMITIES if name not in others) == DEGREES
    assert {"inferred_key": PROXIMITIES["inferred_key"].relation} == COUNTED_AS
    relations = {row.relation for name, row in PROXIMITIES.items() if name != "mention"}
    assert relations | {"semantic"} == set(RELATIONS)
    # No choice among the package's own is another program.
    for names in ([], ["chunk"], list(PROXIMITIES)):
        assert kernel_table(names) is kernel_rows.TABLE
    assert [row.kernel_row for row in PROXIMITIES.values()] == [*kernel_rows.TABLE[:6]]
    assert connecting_keys() == (
        *("foreign_keys", "inferred_keys", "links", "title_mentions", "entities", "chunk_id"),
    )
    assert {name: row.seeds for name, row in PROXIMITIES.items()} == {
        "foreign_key": 10,
        "inferred_key": 10,
        "link": 10,
        "mention": 10,
        "shared_entity": 5,
        "chunk": 10,
    }


@pytest.mark.parametrize(
    ("ranker", "row", "neighbor", "words"),
    [("gcs", *own) for own in ROWS] + [("ppr", *ROWS[2]), ("gat", *ROWS[0])],
    ids=[f"gcs-{row.name}" for row, *_ in ROWS] + ["ppr-time", "gat-same_author"],
)
def test_an_added_row_ranks_and_explains(ranker, row, neighbor, words, index):
    assert index.graph.proximities() == ["same_author", "citation", "time"]
    alone = index.search("harbour lights", ranker=Reranker(ranker=ranker, proximities=["link"]))
    joined = Reranker(ranker=ranker, proximities=[row.name])
    hits = {hit.id: hit for hit in index.search("harbour lights", ranker=joined)}
    before = {hit.id: hit.score for hit in alone}
    assert hits[neighbor].score != pytest.approx(before[neighbor], rel=1e-4)
    if ranker != "gat":
        assert hits[neighbor].score == max(hits[hit.id].score for hit in alone[1:])
    source = next(s for s in hits[neighbor].explanation.sources if s.id == HARBOUR)
    assert source.relations == (row.name,)
    assert [join.text for join in source.joins] == [words]
    assert row.name.replace("_", " ") in str(hits[neighbor].explanation)


@each_row
def test_its_graph_is_that_of_the_metadata(row, neighbor, words, index):
    rows = np.array([[3, 2, 1, 0, EMPTY]])
    relations = index.graph.gather(rows, [row.name])
    found = kernel_rows.compare_pairs(
        rows.shape, relations, mask=rows != EMPTY, table=kernel_table([row.name])
    )
    pairs = {tuple(sorted(rows[0, [i, j]].tolist())) for i, j in np.argwhere(found[0])}
    assert pairs == EDGES[row.name]


def test_rows_weigh_what_they_are_given_and_join_beside_each_other(index):
    def scores(**options):
        hits = index.search("harbour lights", ranker=Reranker(**options))
        return {hit.id: hit.score for hit in hits}

    every = scores()
    assert every == scores(proximities=["same_author", "citation", "time"])
    light = scores(weights={"time": 0.0, "chunk": 2.0})
    assert light == pytest.approx(scores(proximities=["same_author", "citation"]))
    assert light["oats"] < every["oats"]


@each_row
def test_it_brings_candidates(row, neighbor, words, index):
    alone = index.retrieve(["harbour lights"], candidates=1)
    found = index.retrieve(["harbour lights"], candidates=1, expand=[row.name])
    assert [index.ids[row] for row in alone.rows[0]] == [HARBOUR]
    assert [index.ids[row] for row in found.rows[0] if row >= 0] == [HARBOUR, neighbor]


build = jax.jit(build_candidates, static_argnames=("neighbors", "table"))


@functools.partial(jax.jit, static_argnames="network")
def slope(state, batch, relevant, mask, *, network):
    """The loss, and how it changes with the weights."""

    def loss(state):
        return softmax_loss(nnx.merge(network, state)(batch), relevant, mask).mean()

    return jax.value_and_grad(loss)(state)


@each_row
@pytest.mark.nightly
def test_a_network_learns_from_candidates_that_it_joins(row, neighbor, words, index, tmp_path):
    settings = GraphSettings(neighbors=4)
    found = index.retrieve(["harbour lights", "prices of wheat"])
    mask = found.rows != EMPTY
    table = kernel_table([row.name])
    batch = build(
        found.scores,
        found.questions.embeddings,
        index.embeddings[found.rows],
        index.graph.gather(found.rows, [row.name], max_df=settings.max_df),
        mask=mask,
        neighbors=settings.neighbors,
        table=table,
    )
    place = [index.ids[row] for row in found.rows[0]].index
    assert place(neighbor) in np.asarray(batch.neighbors)[0, place(HARBOUR)]
    # What the weights count is as before: none of these edges is one of theirs.
    assert batch.degrees.shape == (*found.rows.shape, len(DEGREES)) and not batch.degrees.any()
    relevant = found.rows == index.ids.index(neighbor)
    size = index.embeddings.shape[1]
    config = GatConfig(dimension=size, layers=1, heads=2, channels=4)
    network, state = nnx.split(random_network(lambda: Gat(config, nnx.Rngs(0))))
    before, slopes = slope(state, batch, relevant, mask, network=network)
    # The share of what neighbours say is learned from these edges alone.
    assert np.abs(slopes["layers"][0]["attention"][...]).max() > 0
    after = jax.tree.map(lambda weight, by: weight - 1e-3 * by, state, slopes)
    assert slope(after, batch, relevant, mask, network=network)[0] < before
    save_weights(
        tmp_path / "weights", nnx.merge(network, after), embedder=index.embedder.name, record={}
    )
    trained = Reranker(ranker=str(tmp_path / "weights"), proximities=[row.name])
    assert len(index.search("harbour lights", ranker=trained)) == len(OBJECTS)


def test_other_retrievers_results_are_joined_and_looked_at(added):
    candidates = [
        {"id": one.id, "score": 1.0 - 0.1 * place, "metadata": one.metadata}
        for place, one in enumerate(OBJECTS)
    ]
    hits = Reranker(alpha=0.3).rerank("?", candidates)
    assert hits[1].explanation.sources[0].id in (HARBOUR, "wheat")
    assert any(source.joins for hit in hits for source in hit.explanation.sources)
    with pytest.raises(InputError, match=r"metadata.authors must be a list of strings, not 'Ann'"):
        Reranker().rerank("?", [{"id": "a", "score": 1.0, "metadata": {"authors": "Ann"}}])
    with pytest.raises(InputError, match=r"metadata.time must be a finite number, not 'noon'"):
        check_metadata({"time": "noon"}, "object 'a'")
    with pytest.warns(GrapherWarning, match="'Author' is not read; write it as 'authors'"):
        Reranker().rerank("?", [{"id": "a", "score": 1.0, "metadata": {"Author": ["Ann"]}}])


def test_stores_and_checks_know_its_keys(added):
    assert connecting_keys()[-3:] == ("authors", "cites", "time")
    metadata = {"authors": ["Ann"], "cites": [], "time": 2.5}
    assert unflatten(flatten(metadata)) == metadata
    assert KEYS["authors"].form is STRINGS and "authors" in KEYS.joining


def test_an_index_carries_its_arrays_or_gets_them_when_opened(embedder, tmp_path):
    with registered(SAME_AUTHOR):
        Index.build(OBJECTS, embedder=embedder).save(tmp_path / "with")
    Index.build(OBJECTS, embedder=embedder).save(tmp_path / "without")
    assert Index.load(tmp_path / "with").graph.proximities() == []
    with registered(SAME_AUTHOR, TIME):
        graphs = [Index.load(tmp_path / name).graph for name in ("with", "without")]
        for graph in graphs:
            assert graph.proximities() == ["same_author", "time"]
            assert graph.name("same_author_names", 0) == "ann lee"
        rows = np.arange(len(OBJECTS))[None]
        for one, other in zip(
            *(graph.gather(rows, ["same_author", "time"]).given().items() for graph in graphs),
            strict=True,
        ):
            assert one[0] == other[0]
            np.testing.assert_array_equal(one[1], other[1])


def test_a_graph_that_was_there_before_says_what_it_lacks():
    graph = GraphArrays.build(["a", "b"], [{"authors": ["x"]}, {"authors": ["x"]}])
    with registered(SAME_AUTHOR):
        assert graph.proximities() == []
        with pytest.raises(InputError, match="'same_author' was added to the table after"):
            check_proximities(["same_author"], graph)


def test_what_lies_in_a_scope_is_shared_within_it():
    metadata = [{"authors": ["x"], "entities": ["y"]}] * 3
    with registered(SAME_AUTHOR):
        graph = GraphArrays.build(list("abc"), metadata, scopes=iter([0, 0, 1]))
    assert graph.lists("same_author_ids").values.tolist() == [0, 0]
    assert graph.entities.values.tolist() == [0, 0]


def test_a_service_ranks_by_it(index):
    engine = Engine(index, Reranker(alpha=0.3, proximities=["same_author"]))
    documents = [
        {"id": one.id, "score": 1.0 - 0.1 * place, "metadata": dict(one.metadata)}
        for place, one in enumerate(OBJECTS)
    ]
    assert not Shape.fitting(documents).tables
    results = engine.rerank([RerankJob("?", documents, len(documents), True)])[0]
    hits = engine.reranker.rerank("?", documents)
    assert [documents[one["index"]]["id"] for one in results] == [hit.id for hit in hits]
    assert "both are by" in str(results)


def test_a_page_draws_it(index):
    reranker = Reranker(proximities=["same_author", "time"])
    page = render_page(explain_question(index, "harbour lights", ranker=reranker))
    for name, label in (("same_author", "same author"), ("time", "time")):
        assert f'class="line {name} further' in page
        assert f"</svg>{label}</li>" in page
    assert "oats and harbour are 30 minutes apart" in page or "harbour and oats are 30" in page


def test_a_row_that_cannot_be_added():
    with pytest.raises(InputError, match="'link' is taken"):
        register(references("link", "to", verb="leads to"))
    with pytest.raises(InputError, match="'semantic' is taken"):
        register(references("semantic", "to", verb="leads to"))
    with pytest.raises(InputError, match="'same author' is no name"):
        register(references("same author", "to", verb="leads to"))
    with pytest.raises(InputError, match="query-gnn's weights know no further ones"):
        register(references("to", "to", verb="leads to", relation="to", slots=4))
    with pytest.raises(InputError, match="'db' is a string, and cannot be a list of strings"):
        register(references("to", "db", verb="leads to"))
    assert list(PROXIMITIES) == OWN
    with (
        registered(references("to", "to", verb="leads to", array="links")),
        pytest.raises(InputError, match="'to' builds 'links', which another row has built"),
    ):
        GraphArrays.build(["a"], [{}])


def test_rows_are_gone_with_their_block(added):
    with registered(references("to", "to", verb="leads to")):
        assert "to" in PROXIMITIES and "to" in KEYS
    assert list(PROXIMITIES)[6:] == ["same_author", "citation", "time"]
    assert "to" not in KEYS and {"authors", "cites", "time"} <= KEYS.keys()
    assert KEYS["db"].form is STRING


def test_inferred_keys_count_as_declared_ones(embedder):
    """The shipped weights rank by them as if they were declared."""
    keys = {"orders": ["customers", "stores"]}
    found = {}
    for key in ("foreign_keys", "inferred_keys"):
        objects = [
            Object(name, f"{name}: id, city", metadata={key: keys[name]} if name in keys else {})
            for name in ("orders", "customers", "stores", "weather")
        ]
        index = Index.build(objects, embedder=embedder)
        found[key] = [
            [(hit.id, hit.score) for hit in index.search("Which orders?", ranker=ranker)]
            for ranker in ("gcs", "gat")
        ]
    assert found["foreign_keys"] == found["inferred_keys"]
