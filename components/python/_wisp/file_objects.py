"""`open` and file objects on descriptors of the host, and on files of the C library that are shared.

`io.FileIO` is C and reads and writes what the C library has under its number. That is right for a shared file too: the host moves the
position of all. What the C library says of the position is not, so those methods ask the host. A number of the host's has a `HostFile`.
"""

import builtins
import gc
import io
import os
import sys

from . import descriptors, numbers, os_descriptors, stdio
from .errors import call

_LARGEST = 1 << 20  # the host takes at most 64 MiB in one call, and copies them

_standard_open = io.open

#: The methods of `io.FileIO` in C.
_standard = {name: vars(io.FileIO)[name] for name in "close read readall readinto seek tell truncate write".split()}
_number = vars(io.FileIO)["fileno"]


class HostFile(io.RawIOBase):
    """A raw stream over a descriptor of the host, as `io.FileIO` is over a descriptor of the C library."""

    def __init__(self, number, mode="rb", closefd=True):
        self._number = number
        self._closefd = closefd
        self._readable = "r" in mode or "+" in mode
        self._writable = any(letter in mode for letter in "wax+")
        self.mode = "rb+" if self._readable and self._writable else "rb" if self._readable else "wb"
        self.name = number
        if descriptors.lookup(number) is None and not numbers.is_standard(number):
            raise descriptors.bad_descriptor()
        if "a" in mode and self.seekable():
            self.seek(0, os.SEEK_END)

    @property
    def closefd(self):
        """Whether `close` closes the descriptor too."""
        return self._closefd

    def fileno(self):
        """The descriptor's number."""
        if self.closed:
            raise ValueError("I/O operation on closed file")
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
            os_descriptors.lseek(self.fileno(), 0, os.SEEK_CUR)
        except OSError:
            return False
        return True

    def readinto(self, buffer):
        """Read once, at most what fits into `buffer`."""
        if not self._readable:
            raise io.UnsupportedOperation("read")
        return _readinto(self.fileno(), buffer)

    def write(self, data):
        """Write all of `data`."""
        if not self._writable:
            raise io.UnsupportedOperation("write")
        return _write(self.fileno(), data)

    def seek(self, offset, whence=os.SEEK_SET):
        """Move the offset."""
        return os_descriptors.lseek(self.fileno(), offset, whence)

    def tell(self):
        """The offset."""
        return os_descriptors.lseek(self.fileno(), 0, os.SEEK_CUR)

    def truncate(self, size=None):
        """Cut or extend the file."""
        size = self.tell() if size is None else size
        os_descriptors.ftruncate(self.fileno(), size)
        return size

    def isatty(self):
        """Whether this is the terminal of the person who runs wisp."""
        return os_descriptors.isatty(self.fileno())

    def close(self):
        """Close the descriptor, unless it was borrowed."""
        if not self.closed:
            super().close()
            if self._closefd and (self._number in descriptors._table or numbers.is_standard(self._number)):
                os_descriptors.close(self._number)

    def __repr__(self):
        state = "[closed]" if self.closed else f"name={self.name!r} mode={self.mode!r} closefd={self._closefd!r}"
        return f"<_io.FileIO {state}>"


def _readinto(number, buffer):
    """Read once from a descriptor of the host; None if that would wait and must not."""
    try:
        return os_descriptors.readinto(number, memoryview(buffer).cast("B")[:_LARGEST])
    except BlockingIOError:
        return None


def _write(number, data):
    """Write all of `data` to a descriptor of the host."""
    handle = descriptors.lookup(number)
    if handle is None:
        return stdio.write(number, data)
    view = memoryview(data).cast("B")
    for start in range(0, len(view) or 1, _LARGEST):
        call(handle.write, bytes(view[start : start + _LARGEST]))
    return len(view)


def _open_number(number, mode, buffering, encoding, errors, newline, closefd):
    """`open` of a descriptor of the host."""
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
    lines = buffering == 1 or (buffering < 0 and raw.isatty())
    text = io.TextIOWrapper(stream, encoding, errors, newline, line_buffering=lines)
    text.mode = mode
    return text


def open_(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    """`open`."""
    if isinstance(file, int):
        if descriptors.lookup(file) is not None or numbers.is_standard(file):
            return _open_number(file, mode, buffering, encoding, errors, newline, closefd)
        if numbers.is_hidden(file):
            raise descriptors.bad_descriptor()
        return _standard_open(file, mode, buffering, encoding, errors, newline, closefd, opener)
    stream = _standard_open(file, mode, buffering, encoding, errors, newline, closefd, opener)
    if "a" in mode:
        descriptors.was_opened(stream.fileno(), os.O_APPEND)
    if descriptors.is_alias(file):
        descriptors.share_alias(stream.fileno())
    return stream


def _is_elsewhere(number):
    """Whether the position of a number is not the C library's."""
    return number in descriptors.shared or number in descriptors._table or numbers.is_standard(number)


def _close(self, /):
    number = _number(self) if self.closefd and not self.closed else -1
    _standard["close"](self)
    if number >= 0:
        _was_closed(number)


def _was_closed(number):
    """Note that the C library has closed what it had under a number, which may have held it for a descriptor of the host."""
    if numbers.is_standard(number):
        if descriptors.lookup(number) is not None:
            descriptors.forget(number)
        try:
            descriptors.close_standard(number)
        except OSError:
            pass  # the process was started without it
    elif descriptors.lookup(number) is not None:
        numbers.was_closed(number)
        descriptors.forget(number)
    else:
        descriptors.was_closed(number)
        numbers.freed(number)


def _seek(self, pos, whence=os.SEEK_SET, /):
    number = _number(self)
    if _is_elsewhere(number):
        return os_descriptors.lseek(number, pos, whence)
    return _standard["seek"](self, pos, whence)


def _tell(self, /):
    number = _number(self)
    if _is_elsewhere(number):
        return os_descriptors.lseek(number, 0, os.SEEK_CUR)
    return _standard["tell"](self)


def _truncate(self, size=None, /):
    number = _number(self)
    if _is_elsewhere(number):
        size = os_descriptors.lseek(number, 0, os.SEEK_CUR) if size is None else size
        os_descriptors.ftruncate(number, size)
        return size
    return _standard["truncate"](self, size)


def _readinto_(self, buffer, /):
    if descriptors.lookup(_number(self)) is None:
        return _standard["readinto"](self, buffer)
    if not self.readable():
        raise io.UnsupportedOperation("File not open for reading")
    return _readinto(_number(self), buffer)


def _read(self, size=-1, /):
    if descriptors.lookup(_number(self)) is None:
        return _standard["read"](self, size)
    return io.RawIOBase.read(self, -1 if size is None else size)


def _readall(self, /):
    if descriptors.lookup(_number(self)) is None:
        return _standard["readall"](self)
    return io.RawIOBase.readall(self)


def _write_(self, data, /):
    if descriptors.lookup(_number(self)) is None:
        return _standard["write"](self, data)
    if not self.writable():
        raise io.UnsupportedOperation("File not open for writing")
    return _write(_number(self), data)


def _put(**methods):
    """Put methods into `io.FileIO`, which takes none otherwise, and make the interpreter forget those that it has looked up."""
    (names,) = gc.get_referents(vars(io.FileIO))
    for name, method in methods.items():
        method.__name__, method.__qualname__, method.__doc__ = name, f"FileIO.{name}", _standard[name].__doc__
        names[name] = method
    sys._clear_internal_caches()  # not `_clear_type_cache`, which warns: a program that has not imported `warnings` cannot ignore that


def _replace_more():
    """Let file objects follow `os.dup2` to the number of their file. Programs that do not call it keep the methods in C."""
    if vars(io.FileIO)["write"] is not _write_:
        _put(read=_read, readall=_readall, readinto=_readinto_, write=_write_)


def install():
    """Put these functions into `io` and what depends on it."""
    open_.__name__, open_.__qualname__, open_.__module__, open_.__doc__ = "open", "open", "_io", _standard_open.__doc__
    builtins.open = io.open = sys.modules["_io"].open = open_
    _put(close=_close, seek=_seek, tell=_tell, truncate=_truncate)
    os_descriptors.before_replacing = _replace_more
