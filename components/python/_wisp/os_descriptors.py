"""The functions of `os` that take a descriptor, extended to the host's descriptors; and `os.pipe`."""

import errno
import io
import os
import posix

from wit_world.imports import process

from . import descriptors, signals, stdio
from .errors import call, refused

_LIBRARY = posix


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
        return stdio.read(0, length) if fd == 0 else _LIBRARY.read(fd, length)
    _ready_or_raise(fd, handle)
    return descriptors.read(handle, min(length, 1 << 20)) if length else b""


def readinto(fd, buffer, /):
    """`os.readinto`."""
    handle = descriptors.lookup(fd)
    if handle is None and fd != 0:
        return _LIBRARY.readinto(fd, buffer)
    view = memoryview(buffer).cast("B")
    data = read(fd, len(view))
    view[: len(data)] = data
    return len(data)


def write(fd, data, /):
    """`os.write`: like write(2), it may write only a part to a pipe, so that a caller that waited for readiness never
    blocks."""
    handle = descriptors.lookup(fd)
    if handle is None:
        return stdio.write(fd, data) if fd in (1, 2) else _LIBRARY.write(fd, data)
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
    descriptors.inheritable.discard(fd)
    if handle is not None:
        descriptors.forget(fd)
    elif 0 <= fd <= 2:
        call(process.release, fd)
    else:
        _LIBRARY.close(fd)


def closerange(fd_low, fd_high, /):
    """`os.closerange`, and our numbers in the range."""
    for number in [n for n in descriptors._table if fd_low <= n < fd_high]:
        close(number)
    _LIBRARY.closerange(fd_low, min(fd_high, descriptors.FIRST))


def isatty(fd, /):
    """`os.isatty`."""
    handle = descriptors.lookup(fd)
    return _LIBRARY.isatty(fd) if handle is None else handle.is_terminal()


def lseek(fd, position, whence, /):
    """`os.lseek`."""
    handle = descriptors.lookup(fd)
    if handle is None:
        return _LIBRARY.lseek(fd, position, whence)
    return call(handle.seek, descriptors._WHENCE[whence], position)


def ftruncate(fd, length, /):
    """`os.ftruncate`."""
    handle = descriptors.lookup(fd)
    if handle is None:
        return _LIBRARY.ftruncate(fd, length)
    call(handle.set_size, length)


def fsync(fd):
    """`os.fsync`; the session's filesystem is in memory, so there is nothing to wait for."""
    if descriptors.lookup(fd) is None:
        _LIBRARY.fsync(fd)


def dup(fd, /):
    """`os.dup`: the copy shares the offset."""
    handle, ours = descriptors.handle_of(fd)
    return descriptors.install(handle if ours else call(handle.duplicate))


def dup2(fd, fd2, inheritable=True):
    """`os.dup2`, for numbers that are not standard streams or the C library's."""
    if fd == fd2:
        return fd2
    handle, ours = descriptors.handle_of(fd)
    copy = handle if ours else call(handle.duplicate)
    if fd2 <= 2:
        _redirect_standard(fd2, copy)
        return fd2
    if descriptors.lookup(fd2) is not None:
        close(fd2)
    if inheritable:
        descriptors.inheritable.add(fd2)
    return descriptors.install(copy, fd2)


def _redirect_standard(fd2, copy):
    """Point 0, 1 or 2 to another descriptor; the streams look it up by number."""
    if descriptors.lookup(fd2) is not None:
        descriptors.forget(fd2)
    descriptors.install(copy, fd2)


def pipe():
    """`os.pipe`."""
    descriptors.hold_root()
    reader, writer = call(process.pipe)
    reading, writing = descriptors.install(reader), descriptors.install(writer)
    descriptors.write_ends.add(writing)
    return reading, writing


def fdopen(fd, mode="r", buffering=-1, encoding=None, *args, **kwargs):
    """`os.fdopen`."""
    if not isinstance(fd, int):
        raise TypeError(f"invalid fd type ({type(fd)}, expected integer)")
    if descriptors.lookup(fd) is not None:
        return descriptors.open_number(fd, mode, buffering, encoding, *args, **kwargs)
    if "b" not in mode:
        encoding = io.text_encoding(encoding)
    return io.open(fd, mode, buffering, encoding, *args, **kwargs)


def get_inheritable(fd, /):
    """`os.get_inheritable`."""
    if descriptors.lookup(fd) is None:
        posix.fstat(fd)
    return fd <= 2 or fd in descriptors.inheritable


def set_inheritable(fd, inheritable, /):
    """`os.set_inheritable`: for `os.exec*`, `os.posix_spawn` and `close_fds=False`."""
    if descriptors.lookup(fd) is None:
        posix.fstat(fd)
    (descriptors.inheritable.add if inheritable else descriptors.inheritable.discard)(fd)


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
    handle = descriptors.lookup(fd)
    if handle is not None:
        return call(handle.stat)
    try:
        handle, ours = descriptors.handle_of(fd)
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
    names = "read readinto write close closerange isatty lseek ftruncate fsync dup dup2 pipe fdopen"
    for name in (names + " get_inheritable set_inheritable get_blocking set_blocking getrandom sync").split():
        setattr(os, name, globals()[name])
    os.fdatasync = fsync
