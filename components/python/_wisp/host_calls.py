"""Calls of functions of the host: what the module `host` is made of."""

import asyncio
import weakref

from componentize_py_types import Err
from wit_world.imports import host

from . import descriptors, signals

#: The error of a call, as the bindings raise it.
Failure = Err

#: The calls that hold a handle of the host.
alive = weakref.WeakSet()

#: What `Running.next` returns when there is nothing yet, and when there is nothing more.
WAITING, ENDED = object(), object()


class Running:
    """A call that runs. Collecting or closing it ends the call."""

    def __init__(self, name, handle):
        self.name = name
        self._handle = descriptors.keep(handle)
        alive.add(self)

    def subscribe(self):
        """A pollable that is ready when there is something, for waiting and for the selector."""
        return self._handle.subscribe()

    def next(self):
        """The next value of the host, WAITING or ENDED."""
        if self._handle is None:
            return ENDED
        try:
            progress = self._handle.next()
        except Err:
            self.close()
            raise
        if isinstance(progress, host.Progress_Item):
            return progress.value
        if isinstance(progress, host.Progress_Waiting):
            return WAITING
        self.close()
        return ENDED

    def wait(self):
        """The next value, or ENDED; handlers of signals are called meanwhile."""
        try:
            while (value := self.next()) is WAITING:
                signals.wait_for(self.subscribe())
        except BaseException:
            self.close()
            raise
        return value

    async def ready(self):
        """The next value, or ENDED; other tasks run meanwhile."""
        try:
            while (value := self.next()) is WAITING:
                await self._await()
        except BaseException:
            self.close()
            raise
        return value

    async def _await(self):
        loop = asyncio.get_running_loop()
        waiter = loop.create_future()
        loop._selector.watch(self, lambda: waiter.done() or waiter.set_result(None))
        try:
            await waiter
        finally:
            loop._selector.unwatch(self)

    def close(self):
        """End the call."""
        handle, self._handle = self._handle, None
        alive.discard(self)
        if handle is not None:
            descriptors.drop(handle)


def call(name, arguments):
    """Call a function: a value if it is there at once, else a `Running`."""
    descriptors.hold_root()
    answer = host.call(name, arguments)
    return answer.value if isinstance(answer, host.Answer_Done) else Running(name, answer.value)
