"""The functions of `os` that take a descriptor, extended to the host's descriptors; and `os.pipe`."""

import errno
import operator
import os
import posix

from wit_world.imports import process

from . import descriptors, numbers, signals, stdio
from .errors import call, refused

_LIBRARY = posix

#: Called when `os.dup2` replaces a file of the C library, of which there may be a file object.
before_replacing = None


def _seen(fd):
    """A number of the C library's, unless it is the one that no program sees."""
    if numbers.is_hidden(fd):
        raise descriptors.bad_descriptor()
    return fd


def _ready_or_raise(fd, handle):
    """For a descriptor that must not wait: raise EAGAIN if there is nothing to read."""
    if fd in descriptors.non_blocking:
        ready = handle.subscribe_read()
        try:
            if not ready.ready():
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        finally:
            descriptors.drop(ready)


def read(fd, length, /):
    """`os.read`."""
    handle = descriptors.lookup(fd)
    if handle is None:
        return stdio.read(0, length) if fd == 0 and numbers.is_standard(0) else _LIBRARY.read(_seen(fd), length)
    _ready_or_raise(fd, handle)
    return descriptors.read(handle, min(length, 1 << 20)) if length else b""


def readinto(fd, buffer, /):
    """`os.readinto`."""
    handle = descriptors.lookup(fd)
    if handle is None and (fd != 0 or not numbers.is_standard(0)):
        return _LIBRARY.readinto(_seen(fd), buffer)
    view = memoryview(buffer).cast("B")
    data = read(fd, len(view))
    view[: len(data)] = data
    return len(data)


def write(fd, data, /):
    """`os.write`: like write(2), it may write only a part to a pipe, so that a caller that waited for readiness never
    blocks."""
    handle = descriptors.lookup(fd)
    if handle is None:
        return stdio.write(fd, data) if fd in (1, 2) and numbers.is_standard(fd) else _LIBRARY.write(_seen(fd), data)
    data = memoryview(data).cast("B")
    written = _write_some(handle, data)
    while len(data) and not written:  # a full pipe
        if fd in descriptors.non_blocking:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        ready = handle.subscribe_write()
        try:
            signals.wait([ready])
        finally:
            descriptors.drop(ready)
        written = _write_some(handle, data)
    return written


def _write_some(handle, view):
    """Write as much as fits, one megabyte at a time: the host takes at most 64 MiB in one call, and copies them."""
    written = 0
    while True:
        piece = bytes(view[written : written + (1 << 20)])
        taken = call(handle.write_some, piece)
        written += taken
        if taken < len(piece) or written == len(view):
            return written


def close(fd):
    """`os.close`."""
    handle = descriptors.lookup(fd)
    if handle is not None:
        descriptors.forget(fd)
    if numbers.is_standard(fd):
        descriptors.close_standard(fd)
    elif handle is None:
        _LIBRARY.close(_seen(fd))
        descriptors.was_closed(fd)
        numbers.freed(fd)


def closerange(fd_low, fd_high, /):
    """`os.closerange`."""
    ours = [number for number in descriptors._table if number >= numbers.LAST]
    for number in [*ours, *range(min(fd_high, numbers.LAST) - 1, max(fd_low, 0) - 1, -1)]:  # the lowest is free last, and used first
        if fd_low <= number < fd_high:
            try:
                close(number)
            except OSError:
                pass


def isatty(fd, /):
    """`os.isatty`."""
    handle = descriptors.lookup(fd)
    return _LIBRARY.isatty(fd) if handle is None else handle.is_terminal()


def lseek(fd, position, whence, /):
    """`os.lseek`."""
    handle, ours = descriptors.positioned(fd)
    if handle is None:
        return _LIBRARY.lseek(_seen(fd), position, whence)
    position, whence = operator.index(position), operator.index(whence)
    try:
        if not 0 <= whence <= 2:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return call(handle.seek, descriptors._WHENCE[whence], position)
    finally:
        if ours:
            descriptors.drop(handle)


def pread(fd, length, offset, /):
    """`os.pread`."""
    if _is_of_start(fd):
        return _again(fd, os.O_RDONLY, lambda number: _LIBRARY.pread(number, length, offset))
    if descriptors.lookup(fd) is None:
        return _LIBRARY.pread(fd, length, offset)
    return _elsewhere(fd, offset, lambda: read(fd, length))


def pwrite(fd, data, offset, /):
    """`os.pwrite`."""
    if _is_of_start(fd):
        return _again(fd, os.O_WRONLY, lambda number: _LIBRARY.pwrite(number, data, offset))
    if descriptors.lookup(fd) is None:
        return _LIBRARY.pwrite(fd, data, offset)
    return _elsewhere(fd, offset, lambda: write(fd, data))


def _is_of_start(fd):
    """Whether `/dev/fd` has this descriptor: the process was started with it."""
    return fd in descriptors._received or (numbers.is_standard(fd) and descriptors.lookup(fd) is None)


def _again(fd, flags, work):
    """Do something with a descriptor of the start by a number of the C library's, which reads and writes in any place."""
    lseek(fd, 0, os.SEEK_CUR)  # it fails if there are no places
    number = _LIBRARY.open(f"/dev/fd/{fd}", flags)
    try:
        return work(number)
    finally:
        _LIBRARY.close(number)


def _elsewhere(fd, offset, work):
    """Do something at another position than the present one. Another process that shares it must not use it meanwhile."""
    before = lseek(fd, 0, os.SEEK_CUR)
    lseek(fd, offset, os.SEEK_SET)
    try:
        return work()
    finally:
        lseek(fd, before, os.SEEK_SET)


def ftruncate(fd, length, /):
    """`os.ftruncate`."""
    handle, ours = descriptors.positioned(fd)
    if handle is None:
        return _LIBRARY.ftruncate(fd, length)
    try:
        call(handle.set_size, length)
    finally:
        if ours:
            descriptors.drop(handle)


def fsync(fd):
    """`os.fsync`; the session's filesystem is in memory, so there is nothing to wait for."""
    if descriptors.lookup(fd) is None and not numbers.is_standard(fd):
        _LIBRARY.fsync(fd)


def dup(fd, /):
    """`os.dup`: the copy shares the offset."""
    handle, ours = descriptors.handle_of(fd)
    return descriptors.install(handle if ours else call(handle.duplicate))


def dup_apart(fd):
    """Copy a descriptor for a use that does not move the position."""
    handle, ours = descriptors.facts_of(fd)
    return descriptors.install(handle if ours else call(handle.duplicate))


def dup2(fd, fd2, inheritable=True):
    """`os.dup2`. The streams of 0, 1 and 2 look their descriptors up by number."""
    handle, ours = descriptors.handle_of(fd)
    if fd == fd2:
        if ours:
            descriptors.drop(handle)
        return fd2
    if fd2 < 0:
        raise descriptors.bad_descriptor()
    copy = handle if ours else call(handle.duplicate)
    if descriptors.lookup(fd2) is not None:
        descriptors.forget(fd2)
    elif not numbers.is_standard(fd2) and _has(fd2):
        before_replacing()
        close(fd2)
    descriptors.install(copy, fd2)
    if inheritable:
        descriptors.inheritable.add(fd2)
    return fd2


def dup_from(fd, lowest):
    """Copy a descriptor to the lowest free number from `lowest` on (`F_DUPFD`)."""
    number = lowest
    while is_open(number):
        number += 1
    return dup2(fd, number, False)


def _has(fd):
    """Whether the C library has a file of the program's under this number."""
    if numbers.is_hidden(fd):
        return False
    try:
        _LIBRARY.fstat(fd)
    except OSError:
        return False
    return True


def pipe():
    """`os.pipe`."""
    descriptors.hold_root()
    reader, writer = call(process.pipe)
    reading, writing = descriptors.install(reader), descriptors.install(writer)
    descriptors.write_ends.add(writing)
    return reading, writing


def get_inheritable(fd, /):
    """`os.get_inheritable`."""
    _check_open(fd)
    return numbers.is_standard(fd) or fd in descriptors.inheritable


def set_inheritable(fd, inheritable, /):
    """`os.set_inheritable`: for `os.exec*`, `os.posix_spawn` and `close_fds=False`."""
    _check_open(fd)
    (descriptors.inheritable.add if inheritable else descriptors.inheritable.discard)(fd)


def is_open(fd):
    """Whether the program has something open under this number."""
    return numbers.is_standard(fd) or is_opened(fd)


def is_opened(fd):
    """Whether the program has opened something under this number, or put it there."""
    return descriptors.lookup(fd) is not None or (not numbers.is_standard(fd) and _has(fd))


def _check_open(fd):
    if not is_open(fd):
        raise descriptors.bad_descriptor()


def get_blocking(fd, /):
    """`os.get_blocking`."""
    return fd not in descriptors.non_blocking


def set_blocking(fd, blocking, /):
    """`os.set_blocking` for the host's descriptors; those of the C library always block."""
    if descriptors.lookup(fd) is None and not blocking:
        raise refused(errno.ENOTSUP, "only pipes can be read without waiting")
    (descriptors.non_blocking.discard if blocking else descriptors.non_blocking.add)(fd)


def host_stat(fd):
    """The host's facts about one of our numbers, or about one of the C library's where it can be adopted; else None."""
    _seen(fd)
    try:
        handle, ours = descriptors.facts_of(fd)
    except OSError:
        return None
    try:
        return call(handle.stat)
    finally:
        if ours:
            descriptors.drop(handle)


def getrandom(size, flags=0):
    """`os.getrandom`."""
    return os.urandom(size)


def sync():
    """`os.sync`: see `fsync`."""


def install():
    """Put these functions into `os`."""
    names = "read readinto write close closerange isatty lseek pread pwrite ftruncate fsync dup dup2 pipe"
    for name in (names + " get_inheritable set_inheritable get_blocking set_blocking getrandom sync").split():
        setattr(os, name, globals()[name])
    os.fdatasync = fsync
