import jax.numpy as jnp
import numpy as np
import pytest

from grapher_jax.training.candidates import CandidateBatch
from grapher_jax.training.graphs import from_graphs_tuple, to_graphs_tuple


@pytest.fixture
def batch():
    rng = np.random.default_rng(0)
    mask = np.arange(4) < np.array([[4], [2], [0]])
    neighbors = np.full((3, 4, 2), -1, np.int32)
    neighbors[0, 0], neighbors[0, 2, 0], neighbors[1, 1, 0] = (1, 3), 0, 0
    real = mask.astype(np.float32)
    return CandidateBatch(
        scores=real * rng.random((3, 4), np.float32),
        smoothed=real * rng.random((3, 4), np.float32),
        questions=rng.random((3, 5), np.float32),
        objects=real[..., None] * rng.random((3, 4, 5), np.float32),
        neighbors=neighbors,
        degrees=real[..., None] * rng.random((3, 4, 2), np.float32),
        mask=mask,
        words=real[..., None] * rng.random((3, 4, 6), np.float32),
    )


def test_a_graph_has_real_candidates_and_who_speaks_to_whom(batch):
    graphs = to_graphs_tuple(batch)
    assert graphs.n_node.tolist() == [4, 2, 0]
    assert graphs.n_edge.tolist() == [3, 1, 0]
    assert graphs.senders.tolist() == [1, 3, 0, 4]
    assert graphs.receivers.tolist() == [0, 0, 2, 5]
    assert graphs.nodes["objects"].shape == (6, 5)
    assert graphs.globals["questions"].shape == (3, 5)


def test_there_and_back(batch):
    back = from_graphs_tuple(to_graphs_tuple(batch), candidates=4, neighbors=2)
    for name, array in vars(batch).items():
        np.testing.assert_array_equal(getattr(back, name), array, err_msg=name)
    wider = from_graphs_tuple(to_graphs_tuple(batch), candidates=7, neighbors=5)
    assert wider.neighbors.shape == (3, 7, 5)


def test_jraph_sums_what_is_heard(batch):
    import jraph

    graphs = to_graphs_tuple(batch)
    said = jnp.asarray(graphs.nodes["scores"])[graphs.senders]
    heard = np.asarray(jraph.segment_sum(said, jnp.asarray(graphs.receivers), 6))
    assert heard[0] == pytest.approx(batch.scores[0, 1] + batch.scores[0, 3])
    assert heard[5] == pytest.approx(batch.scores[1, 0])


def test_what_masked_candidates_say_is_no_edge(batch):
    batch.neighbors[1, 1, 1] = 3
    assert to_graphs_tuple(batch).n_edge.tolist() == [3, 1, 0]


def test_graphs_that_do_not_fit_are_refused(batch):
    graphs = to_graphs_tuple(batch)
    for candidates, neighbors in ((3, 2), (4, 1)):
        with pytest.raises(ValueError, match="up to 4 nodes and 2 neighbours, which do not fit"):
            from_graphs_tuple(graphs, candidates=candidates, neighbors=neighbors)


def test_features_of_another_name_are_refused(batch):
    graphs = to_graphs_tuple(batch)
    graphs = graphs._replace(nodes={**graphs.nodes, "height": graphs.nodes["scores"]})
    with pytest.raises(ValueError, match="graphs: 'height' is no feature of nodes; use scores"):
        from_graphs_tuple(graphs, candidates=4, neighbors=2)
