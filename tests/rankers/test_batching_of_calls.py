"""Concurrent calls are answered in batches, each once, and none is lost."""

import asyncio
import threading

import pytest

import grapher_jax as gj
from grapher_jax.errors import InputError
from grapher_jax.rankers import batching
from grapher_jax.rankers.batching import gathered


class Worker:
    """Doubles what it is given, and says how many at a time."""

    def __init__(self):
        self.batches = []

    def work(self, items):
        self.batches.append(len(items))
        if "bad" in items:
            raise ValueError("bad")
        return [item * 2 for item in items]


@pytest.mark.parametrize(
    "options",
    [
        [{"expand": [["a"]]}, {"expand": [["b"]]}],  # without a hash
        [{"return_documents": True}, {"return_documents": 1}],
    ],
)
def test_options_are_not_taken_for_others(options):
    worker = Worker()

    async def main():
        return await asyncio.gather(
            *(gathered(worker.work, n, own) for n, own in enumerate(options))
        )

    assert asyncio.run(main()) == [0, 2]
    assert worker.batches == [1, 1]


def test_options_in_another_order_are_equal():
    worker = Worker()

    async def main():
        options = [{"k": 5, "ranker": "gcs"}, {"ranker": "gcs", "k": 5}]
        return await asyncio.gather(*(gathered(worker.work, 1, one) for one in options))

    assert asyncio.run(main()) == [2, 2]
    assert worker.batches == [2]


@pytest.mark.nightly
def test_ten_thousand_calls_end_in_batches_with_nothing_lost():
    worker = Worker()

    async def main():
        return await asyncio.gather(
            *(gathered(worker.work, n, {"k": n % 2}) for n in range(10_000))
        )

    assert asyncio.run(main()) == [2 * n for n in range(10_000)]
    assert (len(worker.batches), sum(worker.batches)) == (2 * 79, 10_000)
    assert max(worker.batches) == 64
    assert batching._CALLS == {}


def test_a_call_that_fails_fails_alone():
    worker = Worker()

    async def main():
        calls = (gathered(worker.work, item, {}) for item in (1, "bad", 3))
        return await asyncio.gather(*calls, return_exceptions=True)

    one, bad, three = asyncio.run(main())
    assert (one, str(bad), three) == (2, "bad", 6)


def test_a_cancelled_call_is_not_answered_and_others_are():
    worker = Worker()

    async def main():
        calls = [asyncio.create_task(gathered(worker.work, n, {})) for n in range(3)]
        await asyncio.sleep(0)
        calls[1].cancel()
        return await asyncio.gather(*calls, return_exceptions=True)

    first, cancelled, last = asyncio.run(main())
    assert (first, last, worker.batches) == (0, 4, [2])
    assert isinstance(cancelled, asyncio.CancelledError)


def test_what_cannot_be_hashed_is_the_same_where_it_is_one():
    worker, weights = Worker(), {"link": 1.0}

    async def main():
        calls = [gathered(worker.work, n, {"weights": weights, "expand": ["a"]}) for n in range(3)]
        return await asyncio.gather(*calls, gathered(worker.work, 3, {"weights": {}, "expand": 0}))

    assert asyncio.run(main()) == [0, 2, 4, 6]
    assert worker.batches == [3, 1]


def test_each_event_loop_has_its_own():
    worker = Worker()

    async def main():
        return await gathered(worker.work, 1, {})

    assert [asyncio.run(main()) for _ in range(3)] == [2] * 3


class Panic(BaseException):
    """As a Rust extension raises it."""


@pytest.mark.parametrize("error", [Panic("oh"), StopIteration("oh")], ids=repr)
def test_an_error_that_is_no_exception_of_a_future_is_told_too(error):
    def work(items):
        if "bad" in items:
            raise error
        return items

    async def main():
        calls = (gathered(work, item, {}) for item in (1, "bad", 3))
        return await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 10)

    one, bad, three = asyncio.run(main())
    assert (one, three) == (1, 3)
    assert (type(bad), bad.__cause__) == (RuntimeError, error)


@pytest.mark.parametrize("turns", [0, 2], ids=["before it begins", "while it works"])
def test_a_call_ends_where_what_answers_it_is_cancelled_and_the_next_is_answered(turns):
    worker, cancelled = Worker(), threading.Event()

    def work(items):
        assert cancelled.wait(10)  # the call may not end before it is cancelled
        return worker.work(items)

    async def main():
        call = asyncio.create_task(gathered(work, 1, {}))
        for _ in range(1 + turns):
            await asyncio.sleep(0)
        _, task = batching._CALLS[asyncio.get_running_loop()]
        task.cancel()
        cancelled.set()
        # One at once, and one as soon as the call has ended.
        second = asyncio.create_task(gathered(work, 2, {}))
        done, _ = await asyncio.wait([call, second], timeout=10)
        assert call in done
        return call.cancelled(), await asyncio.wait_for(gathered(work, 3, {}), 10)

    assert asyncio.run(main()) == (True, 6)
    assert batching._CALLS == {}


@pytest.mark.skipif(not hasattr(asyncio, "eager_task_factory"), reason="of Python 3.12")
def test_tasks_that_begin_at_once_are_answered_together_too():
    worker = Worker()

    async def main():
        asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
        calls = [asyncio.create_task(gathered(worker.work, n, {})) for n in range(3)]
        return await asyncio.wait_for(asyncio.gather(*calls), 10)

    assert asyncio.run(main()) == [0, 2, 4]
    assert worker.batches == [3]


def test_a_loop_that_was_closed_amid_a_call_is_let_go(monkeypatch):
    worker, loop = Worker(), asyncio.new_event_loop()
    loop.close()
    monkeypatch.setattr(batching, "_CALLS", {loop: None})

    async def main():
        return await gathered(worker.work, 2, {})

    assert asyncio.run(main()) == 4
    assert batching._CALLS == {}


SHOP = [("orders", 0.9), ("songs", 0.3)]


def test_reranks_of_one_moment_are_ranked_together(monkeypatch):
    asked, rerank_batch = [], gj.Reranker.rerank_batch

    def noting(reranker, questions, lists, **options):
        asked.append(len(questions))
        return rerank_batch(reranker, questions, lists, **options)

    monkeypatch.setattr(gj.Reranker, "rerank_batch", noting)
    reranker = gj.Reranker(ranker="gcs")

    async def main():
        calls = [reranker.arerank("?", SHOP[::step], k=2) for step in (1, -1, 1)]
        calls += [reranker.arerank("?", [None]), reranker.arerank("?", SHOP, top_n=1)]
        found = await asyncio.gather(*calls, return_exceptions=True)
        return [*found, await reranker.arerank_batch(["?"], [SHOP])]

    *same, bad, first, (batch,) = asyncio.run(main())
    assert same[0] == same[2] == batch == rerank_batch(reranker, ["?"], [SHOP])[0]
    assert [hit.index for hit in same[1]] == [1, 0]
    assert isinstance(bad, InputError)
    assert [hit.text for hit in first] == ["orders"]
    assert asked == [3, 1, 1, 1]


@pytest.fixture
def searched(index, monkeypatch):
    """How many questions each search of an index was given."""
    asked, search_batch = [], gj.Index.search_batch

    def noting(own, questions, **options):
        asked.append(len(questions))
        return search_batch(own, questions, **options)

    monkeypatch.setattr(gj.Index, "search_batch", noting)
    return asked


def test_searches_of_one_moment_are_answered_together(index, searched):
    async def main():
        calls = [
            index.asearch("orders of a store", k=2, ranker="gcs"),
            index.asearch("orders of a store", filter={"foreign_keys": []}, k=2, ranker="gcs"),
            index.asearch("", k=2, ranker="gcs"),
        ]
        found = await asyncio.gather(*calls, return_exceptions=True)
        return [*found, await index.asearch_batch(["orders of a store"], k=2, ranker="gcs")]

    plain, filtered, empty, (batch,) = asyncio.run(main())
    assert [hit.id for hit in plain] == [hit.id for hit in batch]
    assert all(hit.metadata["foreign_keys"] == [] for hit in filtered)
    assert isinstance(empty, InputError)
    # Together; then, as one was at fault, each for itself; then the batch.
    assert searched == [3, 1, 1, 1, 1]
