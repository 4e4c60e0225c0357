"""The semaphores of `multiprocessing`: what `_multiprocessing` has in C elsewhere. It runs when a program first uses them.

A semaphore is a pipe of which the free bytes are its units. Taking one is a write of one byte, which the host does at once or not at
all; waiting is waiting for room; a release reads a byte. So no process blocks another amid it, and one that is killed leaves nothing
behind but the units that it took, as elsewhere. The pipe has lost its name before anybody sees it: children inherit the descriptor.
"""

import _thread
import errno
import itertools
import os
import posix
import sys

from wit_world.imports import files, monotonic_clock, process, terminal

from . import descriptors, signals
from .errors import call, refused
from .handles import drop

#: The bytes of a pipe, and the most units of a semaphore: so many bytes are always left to read that a release never waits.
_CAPACITY, _MOST = 65536, 65_000

_RECURSIVE, _SEMAPHORE = 0, 1

_UNIT = b"\0"

_names = itertools.count()

#: How many objects stand for a semaphore, by its descriptor.
_users = {}


def _make(units):
    """A new semaphore; returns its descriptor."""
    descriptors.hold_root()
    while True:
        path = f"/tmp/.semaphore-{process.pid()}-{next(_names)}"
        try:
            call(files.make_fifo, path, 0o600, path=path)
            break
        except FileExistsError:
            pass  # of a process that was killed amid this
    try:
        handle = call(files.open, path, files.OpenFlags.READ | files.OpenFlags.WRITE, 0, path=path)
    finally:
        posix.unlink(path)
    call(handle.write_some, bytes(_CAPACITY - units))
    return descriptors.install(handle)


class SemLock:
    """`_multiprocessing.SemLock`."""

    __slots__ = ("__weakref__", "_handle", "_held", "_number", "_owner", "kind", "maxvalue")

    SEM_VALUE_MAX = _MOST

    #: It has none, so the library has nothing to remove.
    name = None

    def __init__(self, kind, value, maxvalue, name, unlink):
        self._handle = None
        if kind not in (_RECURSIVE, _SEMAPHORE):
            raise ValueError("unrecognized kind")
        if value > _MOST:
            raise refused(errno.EINVAL, f"a semaphore of wisp counts to {_MOST:,}")
        if not 0 <= value <= maxvalue:
            raise ValueError("invalid value")
        self._begin(_make(value), kind, maxvalue)

    def _begin(self, number, kind, maxvalue):
        self.kind, self.maxvalue = kind, maxvalue
        self._held, self._owner = 0, None
        self._number, self._handle = number, descriptors.lookup(number)
        _users[number] = _users.get(number, 0) + 1

    @classmethod
    def _rebuild(cls, handle, kind, maxvalue, name):
        """The semaphore that this process inherited under a number."""
        made = cls.__new__(cls)
        made._handle = None
        if descriptors.lookup(handle) is None:
            raise descriptors.bad_descriptor()
        made._begin(handle, kind, maxvalue)
        return made

    def __del__(self):
        if self._handle is None:
            return
        _users[self._number] -= 1
        if not _users[self._number]:
            del _users[self._number]
            if descriptors.lookup(self._number) is self._handle:
                descriptors.forget(self._number)

    @property
    def handle(self):
        """The descriptor, which a process that is being started gets too."""
        popen = sys.modules["multiprocessing.context"].get_spawning_popen()
        return self._number if popen is None else popen.duplicate_for_child(self._number)

    def _open(self):
        if descriptors.lookup(self._number) is not self._handle:
            raise descriptors.bad_descriptor()
        return self._handle

    def acquire(self, block=True, timeout=None):
        """Take a unit, at once or when there is one."""
        if self.kind == _RECURSIVE and self._is_mine():
            self._held += 1
            return True
        handle = self._open()
        if not call(handle.write_some, _UNIT) and not (block and self._wait(handle, timeout)):
            return False
        self._held += 1
        self._owner = _thread.get_ident()
        return True

    def _wait(self, handle, timeout):
        """Wait for a unit and take it; returns whether there was one in time."""
        end = None if timeout is None else monotonic_clock.now() + min(int(max(timeout, 0) * 1e9), 1 << 62)
        while True:
            waits = [handle.subscribe_write()]
            try:
                if end is not None:
                    left = end - monotonic_clock.now()
                    if left <= 0:
                        return False
                    waits.append(monotonic_clock.subscribe_duration(left))
                signals.wait(waits)
            finally:
                for pollable in waits:
                    drop(pollable)
            if call(self._open().write_some, _UNIT):
                return True

    def release(self):
        """Give a unit back."""
        if self.kind == _RECURSIVE:
            if not self._is_mine():
                raise AssertionError("attempt to release recursive lock not owned by thread")
            if self._held > 1:
                self._held -= 1
                return
        elif self._get_value() >= self.maxvalue:
            raise ValueError("semaphore or lock released too many times")
        call(self._open().read, 1)
        self._held -= 1

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *_):
        self.release()

    def _count(self):
        return self._held

    def _is_mine(self):
        return self._held > 0 and self._owner == _thread.get_ident()

    def _get_value(self):
        return _CAPACITY - call(terminal.available, self._open())

    def _is_zero(self):
        room = self._open().subscribe_write()
        try:
            return not room.ready()
        finally:
            drop(room)

    def _after_fork(self):
        self._held = 0


def sem_unlink(name):
    """`_multiprocessing.sem_unlink`: no semaphore has a name."""
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)


SemLock.__module__ = sem_unlink.__module__ = "_multiprocessing"
for _method in (SemLock.release, SemLock.__exit__):
    signals.uninterrupted.add(_method.__code__)
