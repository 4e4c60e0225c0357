"""File locks, and the flags of descriptors that wisp supports.

A lock is on the whole file and belongs to the open file, as with flock(2): descriptors that share the open file (`os.dup`,
a child that inherits it) share the lock, and it is released when the last of them is closed. `lockf` and `F_SETLK` take
that same lock. It holds among the processes of one session; programs of the host do not see it on a file of a mount.
"""

import errno
import operator
import os
import struct
import sys

from wit_world.imports import files as _files

from _wisp import descriptors, os_descriptors, signals, terminals
from _wisp.errors import Failure, call, code_of, refused

LOCK_SH, LOCK_EX, LOCK_NB, LOCK_UN = 1, 2, 4, 8
F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW = range(8)
F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW = 36, 37, 38
F_GETLK64, F_SETLK64, F_SETLKW64 = F_GETLK, F_SETLK, F_SETLKW
F_DUPFD_CLOEXEC = 1030
F_RDLCK, F_WRLCK, F_UNLCK = 0, 1, 2
FD_CLOEXEC = 1

_TIOCGWINSZ, _TIOCSWINSZ, _FIONREAD = 0x5413, 0x5414, 0x541B
_WINSIZE = struct.Struct("=4H")

_RECORD = {F_RDLCK: LOCK_SH, F_WRLCK: LOCK_EX, F_UNLCK: LOCK_UN}


def flock(fd, operation, /):
    """`fcntl.flock`."""
    number = descriptors.number_of(fd)
    sys.audit("fcntl.flock", number, operation)
    _lock(number, operator.index(operation))


def lockf(fd, cmd, len=0, start=0, whence=0, /):
    """`fcntl.lockf`, for the whole file only: the default arguments."""
    number, cmd = descriptors.number_of(fd), operator.index(cmd)
    sys.audit("fcntl.lockf", number, cmd, len, start, whence)
    if cmd & ~LOCK_NB not in (LOCK_SH, LOCK_EX) and cmd != LOCK_UN:
        raise ValueError("unrecognized lockf argument")
    _whole_file(number, len, start, whence)
    _lock(number, cmd)


def fcntl(fd, cmd, arg=0, /):
    """`fcntl.fcntl`: locks of the whole file, close-on-exec, O_NONBLOCK, and copies of descriptors."""
    number, cmd = descriptors.number_of(fd), operator.index(cmd)
    sys.audit("fcntl.fcntl", number, cmd, arg)
    if cmd in (F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW):
        return _record(number, arg, cmd in (F_SETLKW, F_OFD_SETLKW))
    if cmd == F_GETFD:
        return 0 if os.get_inheritable(number) else FD_CLOEXEC
    if cmd == F_SETFD:
        os.set_inheritable(number, not arg & FD_CLOEXEC)
        return 0
    if cmd == F_GETFL:
        return _access(number) | (os.O_APPEND if _appends(number) else 0) | (0 if os.get_blocking(number) else os.O_NONBLOCK)
    if cmd == F_SETFL:
        if bool(arg & os.O_APPEND) != _appends(number):
            _set_appends(number, bool(arg & os.O_APPEND))
        os.set_blocking(number, not arg & os.O_NONBLOCK)
        return 0
    if cmd in (F_DUPFD, F_DUPFD_CLOEXEC):
        lowest = operator.index(arg)
        if lowest < 0:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        copy = os_descriptors.dup_from(number, lowest)
        os.set_inheritable(copy, cmd == F_DUPFD)
        return copy
    raise refused(errno.ENOTSUP, f"fcntl({cmd}): of a file wisp has locks (F_SETLK, F_SETLKW), F_DUPFD, F_GETFD and F_GETFL")


def ioctl(fd, request, arg=0, mutate_flag=True, /):
    """`fcntl.ioctl`: the size of a terminal, and how many bytes can be read from it."""
    number = descriptors.number_of(fd)
    os.fstat(number)
    if request == _TIOCGWINSZ:
        return _given(arg, _WINSIZE.pack(*terminals.size(number)), mutate_flag)
    if request == _TIOCSWINSZ:
        size = bytes(arg) if isinstance(arg, (bytes, bytearray, memoryview)) else b""
        if len(size) < _WINSIZE.size:
            raise OSError(errno.EFAULT, os.strerror(errno.EFAULT))
        terminals.set_size(number, *_WINSIZE.unpack_from(size))
        return _given(arg, size, mutate_flag)
    if request == _FIONREAD:
        return _given(arg, terminals.available(number).to_bytes(4, sys.byteorder), mutate_flag)
    raise refused(errno.ENOTTY, f"ioctl({request:#x}): a terminal of wisp has TIOCGWINSZ, TIOCSWINSZ and FIONREAD; termios has its settings")


def _given(arg, result, mutate):
    """What `ioctl` returns: `result` in place of the beginning of `arg`, which is changed if it can be and `mutate` says so."""
    if not isinstance(arg, (bytes, bytearray, memoryview)) or len(arg) < len(result):
        raise OSError(errno.EFAULT, os.strerror(errno.EFAULT))
    if mutate and not isinstance(arg, bytes):
        memoryview(arg).cast("B")[: len(result)] = result
        return 0
    return result + bytes(arg)[len(result) :]


def _lock(number, operation):
    """Take or release the lock of the open file with this number."""
    what = operation & ~LOCK_NB
    if what not in (LOCK_SH, LOCK_EX, LOCK_UN):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    handle, ours = descriptors.facts_of(number)
    try:
        if what == LOCK_UN:
            return call(handle.unlock)
        kind = _files.LockKind.SHARED if what == LOCK_SH else _files.LockKind.EXCLUSIVE
        if operation & LOCK_NB:
            return call(handle.try_lock, kind)
        return signals.wait_for(call(handle.subscribe_lock, kind))
    except OSError as error:
        if error.errno == errno.ENOTSUP:
            raise refused(errno.ENOTSUP, "files and directories can be locked, not pipes and terminals") from None
        raise
    finally:
        if ours:
            descriptors.drop(handle)


def _record(number, lock, wait):
    """`F_SETLK` with a `struct flock`: its type and origin come first, then the start and the length of the range."""
    if not isinstance(lock, (bytes, bytearray, memoryview, str)):
        raise OSError(errno.EFAULT, os.strerror(errno.EFAULT))
    record = lock.encode() if isinstance(lock, str) else bytes(lock)
    what = _RECORD.get(int.from_bytes(record[:2], sys.byteorder, signed=True))
    if what is None or len(record) < 4:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    # Anything but zeros means a part of the file, however wide the numbers are.
    _whole_file(number, any(record[4:]), 0, int.from_bytes(record[2:4], sys.byteorder, signed=True))
    _lock(number, what if wait or what == LOCK_UN else what | LOCK_NB)
    return record


def _whole_file(number, length, start, whence):
    """Refuse a part of a file."""
    if whence == os.SEEK_CUR:
        start += os.lseek(number, 0, os.SEEK_CUR)
    elif whence == os.SEEK_END:
        start += os.fstat(number).st_size
    if length or start:
        raise refused(errno.ENOTSUP, "wisp locks whole files, not parts of them: leave out len, start and whence")


def _appends(number):
    """Whether each write goes to the end of the file. The C library knows it of the files that nothing shares."""
    handle, ours = descriptors.positioned(number)
    if handle is None:
        return number in descriptors.appending
    try:
        return handle.appends()
    finally:
        if ours:
            descriptors.drop(handle)


def _set_appends(number, appends):
    """Set whether each write goes to the end of the file, for all that share it."""
    handle, ours = descriptors.handle_of(number)
    try:
        handle.set_appends(appends)
    finally:
        if ours:
            descriptors.drop(handle)


def _access(number):
    """How a descriptor was opened. A read or write of nothing fails if the descriptor is not open for it."""
    handle, ours = descriptors.facts_of(number)
    try:
        if handle.is_terminal():
            return os.O_RDWR
        writes = _can(handle.write_some, b"")
        if call(handle.stat).kind == _files.FileType.FIFO:  # even a read of nothing would wait
            return os.O_WRONLY if writes else os.O_RDONLY
        return os.O_RDWR if writes and _can(handle.read, 0) else os.O_WRONLY if writes else os.O_RDONLY
    finally:
        if ours:
            descriptors.drop(handle)


def _can(function, nothing):
    try:
        function(nothing)
    except Failure as failure:
        return code_of(failure) not in (_files.ErrorCode.BAD_DESCRIPTOR, _files.ErrorCode.ACCESS, _files.ErrorCode.READ_ONLY)
    return True
