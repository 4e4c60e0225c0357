"""Waiting on a condition, an event, a queue: with one thread, what ends it is a handler of a signal, or the time."""

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
        """Take it, at once or when somebody let go of it."""
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
        """Let go of it."""
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False

    def locked(self):
        """Whether somebody has it."""
        return self._held


def install():
    """Have conditions wait by it."""
    threading._allocate_lock = _Waiter
