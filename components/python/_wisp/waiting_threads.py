"""Waiting on a lock, a condition, an event or a queue: with one thread, only a signal handler or a timeout ends the wait."""

import threading
import time

from wit_world.imports import monotonic_clock

from . import handles, signals


class _Waiter:
    """The lock that `threading.Condition.wait` makes for itself: taken once, then waited for."""

    __slots__ = ("_held",)

    def __init__(self):
        self._held = False

    def acquire(self, blocking=True, timeout=-1):
        """Take it, at once or when it is released."""
        if self._held and blocking and timeout:
            self._wait(timeout)
        if self._held:
            return False
        self._held = True
        return True

    def _wait(self, timeout):
        end = time.monotonic() + timeout if timeout > 0 else None
        while self._held:
            if end is None:
                signals.wait([], done=self._is_free)
                continue
            left = end - time.monotonic()
            if left <= 0:
                return
            timer = monotonic_clock.subscribe_duration(min(int(left * 1e9) + 1, 1 << 62))
            try:
                signals.wait([timer], done=self._is_free)
            finally:
                handles.drop(timer)

    def _is_free(self):
        return not self._held

    def release(self):
        """Release it."""
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False

    def locked(self):
        """Whether it is held."""
        return self._held


class _Lock(_Waiter):
    """`threading.Lock`. CPython's own would abort where no thread can release it."""

    __slots__ = ("__weakref__",)

    def acquire(self, blocking=True, timeout=-1):
        """Take it, at once or when a signal handler releases it."""
        if not self._held and blocking and timeout == -1:
            self._held = True
            return True
        return self._acquire(blocking, timeout)

    __enter__ = acquire_lock = acquire

    def _acquire(self, blocking, timeout):
        if not blocking and timeout != -1:
            raise ValueError("can't specify a timeout for a non-blocking call")
        if timeout < 0 and timeout != -1:
            raise ValueError("timeout value must be a non-negative number")
        if self._held and blocking and timeout == -1 and not signals.may_come():
            raise RuntimeError(f"deadlock: {self!r} is held already and nothing can release it: wisp runs one thread per process")
        return super().acquire(blocking, timeout)

    def __exit__(self, *_):
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False

    def release(self):
        """Release it."""
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False

    release_lock = release

    def locked_lock(self):
        """As `locked`."""
        return self._held

    def _at_fork_reinit(self):
        self._held = False

    def __repr__(self):
        return f"<{'locked' if self._held else 'unlocked'} _thread.lock object at {id(self):#x}>"

    def __reduce_ex__(self, _):
        raise TypeError("cannot pickle '_thread.lock' object")


def install():
    """Make locks and conditions wait in this way."""
    threading._allocate_lock = _Waiter
    _Lock.__name__ = _Lock.__qualname__ = "lock"
    _Lock.__module__ = "_thread"
    signals.uninterrupted.update(method.__code__ for method in (_Lock.release, _Lock.__exit__))
    threading.Lock = _Lock
