"""Blocking file work, away from the event loop and from everybody else's threads."""

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar

THREADS = 8
_limiter: RunVar[CapacityLimiter] = RunVar("shelf_limiter")

ResultT = TypeVar("ResultT")
ArgumentTs = TypeVarTuple("ArgumentTs")


async def off_loop(
    function: Callable[[*ArgumentTs], ResultT],
    *arguments: *ArgumentTs,
) -> ResultT:
    """Run `function` in a worker thread; at most `THREADS` of these run at once.

    A disk that hangs can so take every thread of ours and none of anybody else's. A cancelled
    caller waits for the thread to end: long work asks `anyio.from_thread.check_cancelled`.
    """
    try:
        limiter = _limiter.get()
    except LookupError:
        limiter = CapacityLimiter(THREADS)
        _limiter.set(limiter)
    return await to_thread.run_sync(function, *arguments, limiter=limiter)
