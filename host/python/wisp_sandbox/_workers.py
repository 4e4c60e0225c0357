"""Where functions run that guests call: threads for those that block, an event loop for those that are asynchronous."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

# Threads, beyond which calls wait for their turn.
_MOST = 256
# So many a sandbox has all the same, whatever the others do: one whose functions wait for what other functions do needs more than one.
_OWN = 4
# How long a thread stays that has nothing to do, in seconds.
_IDLE = 10.0
# How long the exit of the interpreter waits for the event loop, in seconds.
_ENDING = 2.0


Work = Callable[[], object]


class Workers:
    """Threads, which are made when there is work and none is free. They do not keep the interpreter, which exits while they work.

    Each piece of work belongs to a sandbox, by its number. Attack: one whose calls keep all threads busy, so that no other can call
    anything. So each has a few of its own, and what waits is taken from one sandbox after the other.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        # By sandbox: the one whose turn is next comes first.
        self._waiting: dict[int, deque[Work]] = {}
        self._count = 0
        self._free = 0
        self._threads = 0
        # Threads that work for each sandbox.
        self._busy: dict[int, int] = {}

    def submit(self, sandbox: int, work: Work) -> None:
        """Has a thread do this. Returns at once. Raises `RuntimeError` if there can be no thread."""
        with self._changed:
            if self._free > self._count or (self._threads >= _MOST and self._busy.get(sandbox, 0) >= _OWN):
                self._queue(sandbox, work)
                return
            self._threads += 1
            self._begin(sandbox)
        try:
            # The thread keeps what it is given to its end, so it is a list, which is empty then.
            threading.Thread(target=self._run, args=(sandbox, [work]), name="wisp-function", daemon=True).start()
        except RuntimeError:
            with self._changed:
                self._threads -= 1
                self._end(sandbox)
                # The threads that there are do it, if there are any.
                if not self._threads:
                    raise
                self._queue(sandbox, work)

    def withdraw(self, sandbox: int, work: Work) -> None:
        """Forgets this, if no thread has begun it."""
        with self._changed:
            queue = self._waiting.get(sandbox, deque())
            if work in queue:
                queue.remove(work)
                self._count -= 1
                if not queue:
                    del self._waiting[sandbox]

    def _queue(self, sandbox: int, work: Work) -> None:
        self._waiting.setdefault(sandbox, deque()).append(work)
        self._count += 1
        self._changed.notify()

    def _begin(self, sandbox: int) -> None:
        self._busy[sandbox] = self._busy.get(sandbox, 0) + 1

    def _end(self, sandbox: int) -> None:
        self._busy[sandbox] -= 1
        if not self._busy[sandbox]:
            del self._busy[sandbox]

    def _run(self, sandbox: int, first: list[Work]) -> None:
        taken: tuple[int, Work] | None = sandbox, first.pop()
        try:
            while taken is not None:
                sandbox = taken[0]
                try:
                    _done(taken[1])
                finally:
                    # While it waits, it keeps nothing of a call.
                    taken = None
                    with self._changed:
                        self._end(sandbox)
                with self._changed:
                    taken = self._take(sandbox)
        finally:
            with self._changed:
                self._threads -= 1

    def _take(self, last: int) -> tuple[int, Work] | None:
        """Waits for what this thread does next, after it has worked for this sandbox; nothing if it is to end."""
        if last in self._waiting and self._busy.get(last, 0) < _OWN:
            sandbox = last
        elif self._threads > _MOST:
            return None
        else:
            self._free += 1
            some = self._changed.wait_for(lambda: self._waiting, _IDLE)
            self._free -= 1
            if not some:
                return None
            sandbox = next(iter(self._waiting))
        queue = self._waiting.pop(sandbox)
        work = queue.popleft()
        self._count -= 1
        if queue:
            # Now it is the turn of the others.
            self._waiting[sandbox] = queue
        self._begin(sandbox)
        return sandbox, work


def _done(work: Work) -> None:
    """Does this, whatever it raises: the thread is for the calls of others too."""
    try:
        work()
    except BaseException as error:
        _note("a call of a function ended in an error of its own", error)


def _note(what: str, error: BaseException) -> None:
    import logging

    try:
        logging.getLogger("wisp_sandbox.functions").error(what, exc_info=error)
    except BaseException:
        # What logs can break too.
        return


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

    def forget(self, loop: asyncio.AbstractEventLoop) -> None:
        """Makes another one at the next use, if this is still the one: what runs there can end it."""
        with self._lock:
            if self._running is not None and self._running[0] is loop:
                self._running = None

    def stop(self) -> None:
        """Cancels what runs there, and ends the loop."""
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            loop, thread = running
            with contextlib.suppress(RuntimeError):
                # It is closed if what ran there has ended it.
                loop.call_soon_threadsafe(loop.stop)
            thread.join(_ENDING)


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    import asyncio

    asyncio.set_event_loop(loop)
    try:
        _run(loop)
        LOOP.forget(loop)
        # What was on its way to it has begun then.
        loop.run_until_complete(asyncio.sleep(0))
        while tasks := asyncio.all_tasks(loop):
            for task in tasks:
                task.cancel()
            loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


def _run(loop: asyncio.AbstractEventLoop) -> None:
    while True:
        try:
            loop.run_forever()
            return
        except (SystemExit, KeyboardInterrupt) as error:
            # A task that a function began has raised it, and the loop is for the calls of others too.
            _note("a task of a function would have ended the program", error)


WORKERS = Workers()
LOOP = Loop()
