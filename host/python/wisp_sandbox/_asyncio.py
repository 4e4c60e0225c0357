"""Waiting for calls on an event loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ._native import Call

if TYPE_CHECKING:
    import asyncio

_T = TypeVar("_T")


async def settled(call: Call[_T]) -> _T:
    """Waits for the result of a call. If the task is cancelled, the call is dropped."""
    # Programs without an event loop do not import it with the package: it takes longer than all of that.
    import asyncio

    loop = asyncio.get_running_loop()
    future: asyncio.Future[_T] = loop.create_future()

    def settle(value: _T, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)

    call.start(loop.call_soon_threadsafe, settle)
    try:
        return await future
    except asyncio.CancelledError:
        call.cancel()
        raise


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
