import asyncio
import threading

import pytest

from grapher_jax.rankers.batching import Full, Lane


def lane(**settings):
    sizes = []
    made = Lane(**{"name": "test", "longest": 8, "wait": 0.0, "observe": sizes.append} | settings)
    return made, sizes


def run(made, talk):
    async def main():
        task = asyncio.create_task(made.run())
        try:
            return await talk
        finally:
            task.cancel()

    return asyncio.run(main())


class Gate:
    """Work that waits until it is let through, and says what it was given."""

    def __init__(self):
        self.begun, self.open, self.batches = threading.Event(), threading.Event(), []

    def __call__(self, items):
        self.batches.append(items)
        self.begun.set()
        assert self.open.wait(10)
        if "bad" in items:
            raise ValueError("bad")
        return [item * 2 for item in items]


async def begun(gate):
    await asyncio.get_running_loop().run_in_executor(None, gate.begun.wait, 10)


def test_what_waits_for_a_busy_worker_is_one_batch():
    made, sizes = lane()
    gate = Gate()

    async def talk():
        first = asyncio.create_task(made.ask(gate, 1, most=4))
        await begun(gate)
        others = [asyncio.create_task(made.ask(gate, item, most=4)) for item in range(2, 8)]
        await asyncio.sleep(0)
        assert len(made) == 6
        gate.open.set()
        return await asyncio.gather(first, *others)

    assert run(made, talk()) == [2, 4, 6, 8, 10, 12, 14]
    assert gate.batches == [[1], [2, 3, 4, 5], [6, 7]]
    assert sizes == [1, 4, 2]


def test_too_few_for_a_batch_are_answered_one_after_the_other():
    made, sizes = lane()
    gate = Gate()

    async def talk():
        first = asyncio.create_task(made.ask(gate, 0, most=4, least=3))
        await begun(gate)
        rest = [asyncio.create_task(made.ask(gate, i, most=4, least=3)) for i in range(1, 7)]
        await asyncio.sleep(0)
        gate.open.set()
        return await asyncio.gather(first, *rest)

    assert run(made, talk()) == [0, 2, 4, 6, 8, 10, 12]
    assert gate.batches == [[0], [1, 2, 3, 4], [5], [6]]
    assert sizes == [1, 4, 1, 1]


def test_only_requests_of_a_kind_stand_in_a_batch():
    made, sizes = lane()
    gate = Gate()

    async def talk():
        first = asyncio.create_task(made.ask(gate, 0, kind="a", most=4))
        await begun(gate)
        rest = [
            asyncio.create_task(made.ask(gate, i, kind="ab"[i % 2], most=4)) for i in range(1, 5)
        ]
        await asyncio.sleep(0)
        gate.open.set()
        await asyncio.gather(first, *rest)

    run(made, talk())
    assert gate.batches == [[0], [1, 3], [2, 4]]
    assert sizes == [1, 2, 2]


def test_a_bad_request_fails_alone():
    made, _ = lane()
    gate = Gate()
    gate.open.set()

    async def talk():
        asked = [made.ask(gate, item, most=4) for item in ("x", "bad", "y")]
        return await asyncio.gather(*asked, return_exceptions=True)

    first, error, last = run(made, talk())
    assert (first, last) == ("xx", "yy")
    assert isinstance(error, ValueError)
    assert gate.batches == [["x", "bad", "y"], ["x"], ["bad"], ["y"]]


def test_a_lane_goes_on_after_an_error_of_its_own():
    made, _ = lane()

    async def talk():
        with pytest.raises(ValueError, match="argument 2"):  # there are too few answers
            await made.ask(lambda items: [], 1)
        return await made.ask(lambda items: items, 2)

    assert run(made, talk()) == 2


def test_a_request_too_many_is_refused():
    made, _ = lane(longest=2)
    gate = Gate()

    async def talk():
        first = asyncio.create_task(made.ask(gate, 1, most=4))
        await begun(gate)
        waiting = [asyncio.create_task(made.ask(gate, item, most=4)) for item in (2, 3)]
        await asyncio.sleep(0)
        with pytest.raises(Full):
            await made.ask(gate, 4, most=4)
        waiting.append(asyncio.create_task(made.ask(gate, 5, most=4, admitted=True)))
        await asyncio.sleep(0)
        gate.open.set()
        return await asyncio.gather(first, *waiting)

    assert run(made, talk()) == [2, 4, 6, 10]


def test_nobody_works_for_who_no_longer_waits():
    made, _ = lane()
    gate = Gate()

    async def talk():
        first = asyncio.create_task(made.ask(gate, 1, most=4))
        await begun(gate)
        gone = asyncio.create_task(made.ask(gate, 2, most=4))
        last = asyncio.create_task(made.ask(gate, 3, most=4))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.sleep(0)
        gate.open.set()
        return await asyncio.gather(first, last)

    assert run(made, talk()) == [2, 6]
    assert gate.batches == [[1], [3]]


def test_no_batch_begins_while_others_hold_the_worker():
    made, _ = lane()
    gate = Gate()
    gate.open.set()

    async def talk():
        async with made.busy:
            held = asyncio.create_task(made.ask(gate, 1))
            await asyncio.sleep(0.05)
            assert not gate.batches
        return await held

    assert run(made, talk()) == 2


def test_who_waits_for_a_worker_comes_before_its_next_batch():
    made, _ = lane()
    gate = Gate()

    async def talk():
        first = asyncio.create_task(made.ask(gate, 1))
        await begun(gate)
        second = asyncio.create_task(made.ask(gate, 2))
        other = asyncio.create_task(made.busy.acquire())
        await asyncio.sleep(0)
        gate.open.set()
        assert await first == 2
        await other
        assert gate.batches == [[1]]
        made.busy.release()
        return await second

    assert run(made, talk()) == 4


def test_a_free_worker_waits_where_it_is_told_to():
    made, sizes = lane(wait=0.05)
    gate = Gate()
    gate.open.set()

    async def talk():
        first = asyncio.create_task(made.ask(gate, 1, most=4))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return await asyncio.gather(first, made.ask(gate, 2, most=4))

    assert run(made, talk()) == [2, 4]
    assert sizes == [2]


@pytest.mark.parametrize("wait", [0.0, 0.01])
def test_who_gives_up_makes_room_and_is_not_worked_for(wait):
    made, _ = lane(longest=1, wait=wait)
    gate = Gate()

    async def talk():
        first = asyncio.create_task(made.ask(gate, 1))
        await begun(gate)
        for item in (2, 3):
            leaving = asyncio.create_task(made.ask(gate, item))
            await asyncio.sleep(0)
            with pytest.raises(Full):
                await made.ask(gate, 4)
            leaving.cancel()
            await asyncio.wait([leaving])
            assert len(made) == 0
        last = asyncio.create_task(made.ask(gate, 5))
        gate.open.set()
        return await asyncio.gather(first, last)

    assert run(made, talk()) == [2, 10]
    assert gate.batches == [[1], [5]]
