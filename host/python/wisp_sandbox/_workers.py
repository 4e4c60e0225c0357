"""Where functions run that guests call: threads for those that block, an event loop for those that are asynchronous."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

# Maximum threads: further calls wait. A function that waits for a sandbox whose code calls functions needs more than one.
_MOST = 256
# How long a thread stays that has nothing to do, in seconds.
_IDLE = 10.0
# How long the exit of the interpreter waits for the event loop, in seconds.
_ENDING = 2.0


class Workers:
    """Threads, which are made when there is work and none is free. They do not keep the interpreter, which exits while they work."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: deque[Callable[[], None]] = deque()
        self._free = 0
        self._threads = 0

    def submit(self, work: Callable[[], None]) -> None:
        """Has a thread do this, which raises nothing. Returns at once. Raises `RuntimeError` if there can be no thread."""
        with self._changed:
            self._waiting.append(work)
            if self._free >= len(self._waiting) or self._threads == _MOST:
                self._changed.notify()
                return
            self._threads += 1
        try:
            threading.Thread(target=self._run, name="wisp-function", daemon=True).start()
        except RuntimeError:
            with self._changed:
                self._threads -= 1
                # The threads that there are do it, if there are any.
                if not self._threads:
                    self._waiting.remove(work)
                    raise

    def _run(self) -> None:
        while True:
            with self._changed:
                self._free += 1
                some = self._changed.wait_for(lambda: self._waiting, _IDLE)
                self._free -= 1
                if not some:
                    self._threads -= 1
                    return
                work = self._waiting.popleft()
            work()
            # While it waits, it keeps nothing of a call.
            del work


class Loop:
    """An event loop in a thread of its own, which is made at its first use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: tuple[asyncio.AbstractEventLoop, threading.Thread] | None = None

    def get(self) -> asyncio.AbstractEventLoop:
        """Returns the loop."""
        import asyncio

        with self._lock:
            if self._running is None:
                loop = asyncio.new_event_loop()
                thread = threading.Thread(target=_serve, args=(loop,), name="wisp-functions", daemon=True)
                thread.start()
                self._running = loop, thread
            return self._running[0]

    def stop(self) -> None:
        """Cancels what runs there, and ends the loop."""
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            loop, thread = running
            loop.call_soon_threadsafe(loop.stop)
            thread.join(_ENDING)


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    import asyncio

    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


WORKERS = Workers()
LOOP = Loop()
