"""Python's numbers for descriptors of the host.

The C library of the WASI build hides its descriptors and has no pipes. A descriptor from the host (`open-file`, pipes,
inherited descriptors above 2) gets a number here, from `FIRST` on, and the functions of `os` that take a descriptor
look here before they ask the C library.
"""

import errno
import io
import os
import posix

from componentize_py_types import Err
from wit_world.imports import files, process

from . import signals
from .errors import call, code_of, os_error
from .handles import drop, keep

#: Our own numbers start here, far above those of the C library.
FIRST = 10_000

_table = {}

#: The numbers that are the writing ends of pipes: never ready for reading.
write_ends = set()

#: The numbers that a new program in this process gets too. Those of the C library may have been closed meanwhile.
inheritable = set()

#: The numbers on which `os.read` and `os.write` must not wait.
non_blocking = set()

_WHENCE = (files.Whence.START, files.Whence.CURRENT, files.Whence.END)

#: Whether the C library holds the directory `/`, as far as `hold_root` knows.
_root_is_held = False

#: The largest amount that one `read` of the host returns.
_LARGEST_READ = 1 << 20
_LARGEST_WRITE = 1 << 20  # the host takes at most 64 MiB in one call, and copies them


def hold_root():
    """Make the C library take its handle of `/` now. It takes the handle at the first path, and that must come before every
    handle that is kept: an interpreter that continues from a snapshot has `/` as its first handle, whatever else was open."""
    global _root_is_held
    if not _root_is_held:
        _root_is_held = True
        posix.stat("/")


def install(handle, number=None):
    """Give `handle` a number and return it."""
    if number is None:
        number = FIRST
        while number in _table:
            number += 1
    _table[number] = keep(handle)
    return number


def lookup(number):
    """The handle for one of our numbers, or None."""
    return _table.get(number)


def adopt_inherited():
    """Number the descriptors above 2 that this process was started with; return which of 0, 1 and 2 are open."""
    numbers = process.descriptors()
    for number in numbers:
        if number > 2:
            install(call(process.inherited, number), number)
            inheritable.add(number)
    return [number for number in numbers if number < 3]


def forget(number):
    """Close one of our numbers."""
    write_ends.discard(number)
    non_blocking.discard(number)
    inheritable.discard(number)
    drop(_table.pop(number))


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
    handle = _table.get(number)
    if handle is not None:
        return handle, False
    hold_root()
    if 0 <= number <= 2:
        return call(process.inherited, number), True
    return adopt(number), True


def adopt(number):
    """A handle of the host for a file that the C library holds open, at its current offset."""
    facts = posix.fstat(number)
    try:
        offset = posix.lseek(number, 0, os.SEEK_CUR)
    except OSError:
        offset = 0
    both = files.OpenFlags.READ | files.OpenFlags.WRITE
    for how in (both, files.OpenFlags.WRITE, files.OpenFlags.READ):
        try:
            return files.adopt(facts.st_dev, facts.st_ino, offset, how)
        except Err as failure:
            code = code_of(failure)
    raise os_error(code)


def read(handle, length):
    """Read once. Signals are handled during the wait."""
    signals.wait_for(handle.subscribe_read())
    return call(handle.read, length)


class HostFile(io.RawIOBase):
    """A raw stream over a numbered descriptor of the host, as `io.FileIO` is over a descriptor of the C library."""

    def __init__(self, number, mode="rb", closefd=True):
        self._number = number
        self._closefd = closefd
        self._readable = "r" in mode or "+" in mode
        self._writable = any(letter in mode for letter in "wax+")
        self.mode = "rb+" if self._readable and self._writable else "rb" if self._readable else "wb"
        self.name = number
        if number not in _table:
            raise bad_descriptor()

    @property
    def closefd(self):
        """Whether `close` closes the descriptor too."""
        return self._closefd

    def _handle(self):
        if self.closed:
            raise ValueError("I/O operation on closed file")
        handle = _table.get(self._number)
        if handle is None:
            raise bad_descriptor()
        return handle

    def fileno(self):
        """The descriptor's number."""
        self._handle()
        return self._number

    def readable(self):
        """Whether it was opened for reading."""
        return self._readable

    def writable(self):
        """Whether it was opened for writing."""
        return self._writable

    def seekable(self):
        """Whether the descriptor has an offset that can be moved."""
        try:
            self._handle().seek(files.Whence.CURRENT, 0)
        except Err:
            return False
        return True

    def readinto(self, buffer):
        """Read once, at most what fits into `buffer`."""
        if not self._readable:
            raise io.UnsupportedOperation("read")
        view = memoryview(buffer).cast("B")
        data = read(self._handle(), min(len(view), _LARGEST_READ)) if len(view) else b""
        view[: len(data)] = data
        return len(data)

    def write(self, data):
        """Write all of `data`."""
        if not self._writable:
            raise io.UnsupportedOperation("write")
        view = memoryview(data).cast("B")
        handle = self._handle()
        for start in range(0, len(view) or 1, _LARGEST_WRITE):
            call(handle.write, bytes(view[start : start + _LARGEST_WRITE]))
        return len(view)

    def seek(self, offset, whence=os.SEEK_SET):
        """Move the offset."""
        return call(self._handle().seek, _WHENCE[whence], offset)

    def truncate(self, size=None):
        """Cut or extend the file."""
        size = self.tell() if size is None else size
        call(self._handle().set_size, size)
        return size

    def isatty(self):
        """Whether this is the terminal of the person who runs wisp."""
        return self._handle().is_terminal()

    def close(self):
        """Close the descriptor, unless it was borrowed."""
        if not self.closed:
            super().close()
            if self._closefd and self._number in _table:
                forget(self._number)

    def __repr__(self):
        state = "[closed]" if self.closed else f"name={self.name!r} mode={self.mode!r} closefd={self._closefd!r}"
        return f"<_io.FileIO {state}>"


def open_number(number, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True):
    """`io.open` for one of our numbers."""
    binary = "b" in mode
    raw = HostFile(number, mode, closefd)
    if buffering == 0:
        if not binary:
            raise ValueError("can't have unbuffered text I/O")
        return raw
    size = io.DEFAULT_BUFFER_SIZE if buffering < 2 else buffering
    if raw.readable() and raw.writable():
        stream = io.BufferedRandom(raw, size)
    elif raw.writable():
        stream = io.BufferedWriter(raw, size)
    else:
        stream = io.BufferedReader(raw, size)
    if binary:
        return stream
    text = io.TextIOWrapper(stream, encoding, errors, newline, line_buffering=buffering == 1)
    text.mode = mode
    return text
