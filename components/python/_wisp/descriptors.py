"""Python's numbers for descriptors of the host, and the files of the C library that others share.

The C library of the WASI build hides its descriptors, cannot copy them, and has no pipes. A descriptor from the host (`open-file`, pipes,
copies, inherited descriptors above 2) gets a number here (`numbers`), and the functions of `os` that take a descriptor look here before
they ask the C library. A file of the C library of which a copy is made, or which a child gets, becomes one description with them (`share`):
the host then moves one position for all, and the C library's own says nothing.
"""

import errno
import os
import posix

from componentize_py_types import Err
from wit_world.imports import files, process

from . import numbers, signals
from .errors import call, code_of, os_error
from .handles import drop, keep

_table = {}

#: The files of the C library that are shared: their numbers, and the host's handles.
shared = {}

#: The files of the C library that were opened for appending.
appending = set()

#: The numbers above 2 that the process was started with.
_received = set()

#: The numbers that are the writing ends of pipes: never ready for reading.
write_ends = set()

#: The numbers that a new program in this process gets too. Those of the C library may have been closed meanwhile.
inheritable = set()

#: The numbers on which `os.read` and `os.write` must not wait.
non_blocking = set()

_WHENCE = (files.Whence.START, files.Whence.CURRENT, files.Whence.END)

#: Whether the C library holds the directory `/`, as far as `hold_root` knows.
_root_is_held = False

_BOTH = files.OpenFlags.READ | files.OpenFlags.WRITE

_ALIASES = ("/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/")


def hold_root():
    """Make the C library take its handle of `/` now. It takes the handle at the first path, and that must come before every
    handle that is kept: an interpreter that continues from a snapshot has `/` as its first handle, whatever else was open."""
    global _root_is_held
    if not _root_is_held:
        _root_is_held = True
        posix.stat("/")


def install(handle, number=None):
    """Give `handle` a number, the lowest that is free unless one is given, and return it."""
    try:
        if number is None:
            number = numbers.take()
        else:
            numbers.hold(number)
    except OSError:
        drop(handle)
        raise
    _table[number] = keep(handle)
    return number


def lookup(number):
    """The handle for one of our numbers, or None."""
    return _table.get(number)


def adopt_inherited():
    """Number the descriptors above 2 that this process was started with; return which of 0, 1 and 2 are open."""
    given = process.descriptors()
    for number in given:
        if number > 2:
            install(call(process.inherited, number), number)
            inheritable.add(number)
            _received.add(number)
    for number in range(2, -1, -1):
        if number not in given:
            numbers.closed.add(number)
            numbers.freed(number)
            posix.close(number)
    return [number for number in given if number < 3]


def forget(number):
    """Close one of our numbers."""
    write_ends.discard(number)
    non_blocking.discard(number)
    inheritable.discard(number)
    drop(_table.pop(number))
    if number in _received:
        _received.discard(number)
        call(process.release, number)  # it was the host's to keep for `/dev/fd`
    numbers.let_go(number)


def close_standard(number):
    """Close 0, 1 or 2 as the process was started with it."""
    numbers.closed.add(number)
    numbers.freed(number)
    try:
        posix.close(number)
    except OSError:
        pass  # C code did
    call(process.release, number)


def was_opened(number, flags):
    """Note that the C library has opened a file under this number."""
    numbers.was_taken(number)
    was_closed(number)
    if flags & os.O_APPEND:
        appending.add(number)


def was_closed(number):
    """Forget what is known of a file of the C library, which is closed."""
    appending.discard(number)
    inheritable.discard(number)
    handle = shared.pop(number, None)
    if handle is not None:
        drop(handle)


def is_pipe(number):
    """Whether one of our numbers is an end of a pipe."""
    try:
        return _table[number].stat().kind == files.FileType.FIFO
    except Err:
        return False


def is_socket(number):
    """Whether one of our numbers is a socket."""
    try:
        return _table[number].stat().kind == files.FileType.SOCKET
    except Err as failure:
        return code_of(failure) == files.ErrorCode.NOT_CONNECTED


def number_of(file):
    """The descriptor of a number or of a file object."""
    number = file if isinstance(file, int) else file.fileno() if hasattr(file, "fileno") else None
    if not isinstance(number, int):
        raise TypeError("argument must be an int, or have a fileno() method.")
    if number < 0:
        raise ValueError(f"file descriptor cannot be a negative integer ({number})")
    return number


def bad_descriptor():
    """EBADF."""
    return OSError(errno.EBADF, os.strerror(errno.EBADF))


def handle_of(number):
    """A handle of the host for any descriptor of this process (ours, standard or the C library's), and whether the caller
    must drop it."""
    handle = _known(number)
    if handle is not None:
        return handle, False
    hold_root()
    if numbers.is_standard(number):
        return call(process.inherited, number), True
    return share(number), False


def facts_of(number):
    """Like `handle_of`, for what does not depend on the position: a file of the C library stays as it is."""
    handle = _known(number)
    if handle is not None:
        return handle, False
    hold_root()
    if numbers.is_standard(number):
        return call(process.inherited, number), True
    return _adopt(number, 0, (files.OpenFlags(0),)), True


def positioned(number):
    """The handle that has the position of a descriptor, and whether the caller must drop it; None where the C library has it."""
    handle = _known(number)
    if handle is None and numbers.is_standard(number):
        return call(process.inherited, number), True
    return handle, False


def _known(number):
    handle = _table.get(number)
    return shared.get(number) if handle is None else handle


def share(number):
    """Let the host have the position of a file that the C library holds open; return the handle, which stays as long as the file."""
    handle = shared.get(number)
    if handle is None:
        offset = _leave_position(number)
        more = files.OpenFlags.APPEND if number in appending else files.OpenFlags(0)
        ways = (_BOTH | more, files.OpenFlags.WRITE | more, files.OpenFlags.READ)
        handle = shared[number] = keep(_adopt(number, offset, ways))
    return handle


def _leave_position(number):
    """The position that the C library has in a file. Its streams, which would go on from there, are closed: it makes new ones when it next
    reads or writes, and what they move is up to the host. It closes them only if it seeks to another place, so it seeks there and back."""
    try:
        offset = posix.lseek(number, 0, os.SEEK_CUR)
        posix.lseek(number, offset ^ 1, os.SEEK_SET)
        posix.lseek(number, offset, os.SEEK_SET)
    except OSError:
        return 0  # it has no position
    return offset


def is_alias(path):
    """Whether a path names a descriptor of this process: what is opened there shares that one's position."""
    return isinstance(path, str) and path[:5] in ("/dev/", "/proc") and path.startswith(_ALIASES)


def share_alias(number):
    """Let the host have the position of what such a path has led to."""
    try:
        share(number)
    except OSError:
        pass  # it is of a kind that has none


def _adopt(number, offset, ways):
    """The host's handle of a file that the C library holds open, in the first of the ways in which it is open."""
    if numbers.is_hidden(number):
        raise bad_descriptor()
    facts = posix.fstat(number)
    for how in ways:
        try:
            return files.adopt(facts.st_dev, facts.st_ino, offset, how)
        except Err as failure:
            code = code_of(failure)
    raise os_error(code)


def read(handle, length):
    """Read once. Signals are handled during the wait."""
    signals.wait_for(handle.subscribe_read())
    return call(handle.read, length)
