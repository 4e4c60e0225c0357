"""Waiting for a socket, and what stands for one that is neither bound nor connected."""

import errno
import os
import types

from wit_world.imports import files, monotonic_clock

from . import signals
from .errors import Failure
from .handles import drop


class Idle:
    """Stands in the table of descriptors for a socket that is neither bound nor connected."""

    finalizer = types.SimpleNamespace(alive=False, atexit=False)

    @staticmethod
    def subscribe_read():
        """Ready at once: reading fails."""
        return monotonic_clock.subscribe_duration(0)

    subscribe_write = subscribe_read

    @staticmethod
    def _fail(*arguments):
        raise Failure(files.ErrorCode.NOT_CONNECTED)

    read = write = write_some = seek = stat = set_size = duplicate = _fail

    @staticmethod
    def is_terminal():
        """Never."""
        return False

    appends = is_terminal

    @staticmethod
    def set_appends(appends):
        """Nothing: it has no offset."""


class Deadline:
    """When an operation must have ended: None for never, 0 for at once."""

    def __init__(self, timeout):
        self._at_once = timeout == 0
        self._end = None if timeout is None else monotonic_clock.now() + min(int(timeout * 1e9), 1 << 62)

    def wait(self, pollable):
        """Wait until it is ready, and release it."""
        try:
            if pollable.ready():
                return
            if self._at_once:
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
            if self._end is None:
                signals.wait([pollable])
                return
            left = self._end - monotonic_clock.now()
            if left > 0:
                timer = monotonic_clock.subscribe_duration(left)
                try:
                    ready = signals.wait([pollable, timer])
                finally:
                    drop(timer)
                if 0 in ready or pollable.ready():
                    return
            raise TimeoutError("timed out")
        finally:
            drop(pollable)
