"""Gives up the work for a client that has left."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

from fastapi import HTTPException, Request

_Answer = TypeVar("_Answer")


async def while_awaited(request: Request, answer: Coroutine[None, None, _Answer]) -> _Answer:
    """The answer; if the client disconnects, the request is cancelled and leaves the queue.

    Raises:
        HTTPException: 499 if the client has disconnected, only for the metrics.
    """
    work, left = asyncio.create_task(answer), asyncio.create_task(_leaves(request))
    try:
        await asyncio.wait((work, left), return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            return work.result()
        raise HTTPException(499, "connection: closed before the answer was there")
    finally:
        work.cancel()
        left.cancel()


async def _leaves(request: Request) -> None:
    """Wait until the client closes its connection; its body has been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
