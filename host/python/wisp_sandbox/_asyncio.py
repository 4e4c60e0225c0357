"""Waiting for calls on an event loop."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, TypeVar

from ._native import Call

if TYPE_CHECKING:
    import asyncio

_T = TypeVar("_T")


async def settled(call: Call[_T]) -> _T:
    """Waits for the result of a call. If it waits no longer, since its task is cancelled or its coroutine closed, the call is dropped."""
    # Programs without an event loop do not import it with the package: it takes longer than all of that.
    import asyncio

    loop = asyncio.get_running_loop()
    future: asyncio.Future[_T] = loop.create_future()
    call.start(loop.call_soon_threadsafe, functools.partial(_settle, future))
    try:
        return await future
    except BaseException:
        future.cancel()
        call.cancel()
        raise
    finally:
        # An exception that it has raised knows this frame: together they would keep the sandbox until the collector finds them.
        del future


def _settle(future: asyncio.Future[_T], value: _T, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(value)
    else:
        future.set_exception(error)


def running_task() -> object:
    """Returns the task that runs now on the event loop of this thread: something of its own, if none does."""
    import asyncio

    return asyncio.current_task() or object()


def running_loop() -> asyncio.AbstractEventLoop | None:
    """Returns the event loop that runs in this thread, if one does."""
    import asyncio

    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
