"""The standard streams: text over buffers over descriptors 0, 1 and 2, which are read and written through the host by
number, without handles. They are made before the snapshot, so that a new process finds them."""

import io
import os
import posix
import stat
import sys

from wit_world.imports import process

from . import descriptors, numbers, signals, threads
from .errors import call

#: The locales in which CPython passes on bytes that are no text: C, and those that it takes in place of C (PEP 538).
_C = ("C", "POSIX", "", "C.UTF-8", "C.utf8", "UTF-8")
_NAMES = ("<stdin>", "<stdout>", "<stderr>")
_LARGEST = 1 << 20  # in one call to the host
_INPUT_BUFFER = 1 << 16

#: Whether the streams are made before the snapshot, where there is no host to ask for a position: they have none then.
_ahead = False

#: Whether the next read may have to wait: the last one returned less than it asked for.
_waits = True


class Standard(io.RawIOBase):
    """Descriptor 0, 1 or 2, or its replacement by `os.dup2`, as `io.FileIO` would present it."""

    closefd = False

    def __init__(self, number):
        self._number = number
        self.name = _NAMES[number]
        self.mode = "wb" if number else "rb"

    def fileno(self):
        """Its number."""
        if self.closed:
            raise ValueError("I/O operation on closed file")
        return self._number

    def isatty(self):
        """Whether this is the terminal of the person who runs wisp."""
        return os.isatty(self.fileno())

    def readable(self):
        """Whether this is standard input."""
        return self._number == 0

    def writable(self):
        """Whether this is standard output or error."""
        return self._number != 0

    def seekable(self):
        """Whether it is a file rather than a pipe or a terminal."""
        try:
            self.tell()
        except OSError:
            return False
        return True

    def seek(self, offset, whence=os.SEEK_SET):
        """Move the offset."""
        return os.lseek(self.fileno(), offset, whence)

    def tell(self):
        """The offset."""
        if _ahead:
            raise io.UnsupportedOperation("not seekable")
        return os.lseek(self.fileno(), 0, os.SEEK_CUR)

    def truncate(self, size=None):
        """Cut or extend the file."""
        if not self._number:
            raise io.UnsupportedOperation("File not open for writing")
        size = self.tell() if size is None else size
        os.ftruncate(self.fileno(), size)
        return size

    def readinto(self, buffer):
        """Read once, at most what fits into `buffer`."""
        if self._number:
            raise io.UnsupportedOperation("not readable")
        view = memoryview(buffer).cast("B")
        data = read(self.fileno(), len(view))
        view[: len(data)] = data
        return len(data)

    def write(self, data):
        """Write all of `data`."""
        if not self._number:
            raise io.UnsupportedOperation("not writable")
        return write(self.fileno(), data)

    def __repr__(self):
        state = "[closed]" if self.closed else f"name={self.name!r} mode={self.mode!r} closefd=False"
        return f"<_io.FileIO {state}>"


def read(number, length):
    """Read once from a descriptor of the start."""
    if not length:
        return b""
    global _waits
    handle = descriptors.lookup(number)
    if handle is not None:
        return descriptors.read(handle, min(length, _LARGEST))
    if not numbers.is_standard(number):
        return posix.read(number, min(length, _LARGEST))
    if _waits or threads.others:  # the others run meanwhile
        _wait(number)
    data = call(process.read_from, number, min(length, _LARGEST))
    _waits = len(data) < length
    return data


def _wait(number):
    """Wait until there is something to read; signals are handled meanwhile."""
    handle = call(process.inherited, number)
    try:
        signals.wait_for(handle.subscribe_read())
    finally:
        descriptors.drop(handle)


def write(number, data):
    """Write all of `data` to a descriptor of the start."""
    handle = descriptors.lookup(number)
    view = memoryview(data).cast("B")
    for start in range(0, len(view), _LARGEST):
        piece = bytes(view[start : start + _LARGEST])
        if handle is not None:
            call(handle.write, piece)
        elif numbers.is_standard(number):
            call(process.write_to, number, piece)
        else:
            while piece:
                piece = piece[posix.write(number, piece) :]
    return len(view)


def is_file(number):
    """Whether 0, 1 or 2 is a file, which has a position."""
    try:
        again = posix.open(f"/dev/fd/{number}", os.O_RDONLY)
    except OSError:
        return False
    try:
        return stat.S_ISREG(posix.fstat(again).st_mode)
    finally:
        posix.close(again)


def reader(encoding="utf-8", errors="surrogateescape", size=_INPUT_BUFFER):
    """A new standard input, which reads `size` bytes at a time."""
    stream = io.TextIOWrapper(io.BufferedReader(Standard(0), size), encoding, errors)
    stream.mode = "r"
    return stream


def writer(number, encoding="utf-8", errors="surrogateescape", unbuffered=False, line_buffering=False):
    """A new standard output or error."""
    raw = Standard(number)
    stream = io.TextIOWrapper(
        raw if unbuffered else io.BufferedWriter(raw),
        encoding,
        errors,
        newline="\n",
        line_buffering=number == 2 or line_buffering,
        write_through=unbuffered,
    )
    stream.mode = "w"
    return stream


def flush():
    """Write out what the program has printed, as CPython does after a script (not after `-c` and `-m`), before it reports what
    ended it. A failure is not reported here: the last flush meets it again."""
    for name in ("stderr", "stdout"):
        stream = getattr(sys, name, None)
        if stream is not None:
            try:
                stream.flush()
            except BaseException:
                pass


def prepare():
    """Make the streams of a process with the default environment."""
    global _ahead
    _ahead = True
    try:
        sys.stdin = sys.__stdin__ = reader()
        sys.stdout = sys.__stdout__ = writer(1)
        sys.stderr = sys.__stderr__ = writer(2, errors="backslashreplace")
    finally:
        _ahead = False


def open_standard(given, unbuffered, environment):
    """Set `sys.stdin`, `sys.stdout` and `sys.stderr` as the environment specifies, where None means the default; those not
    among `given` become None, as in CPython. A stream finds out when it is made whether it has a position."""
    encoding, errors, wanted = "utf-8", "surrogateescape", ""
    if environment is not None:
        if environment.get("LC_ALL", environment.get("LC_CTYPE", environment.get("LANG", "C"))) not in _C:
            errors = "strict"
        wanted = environment.get("PYTHONIOENCODING", "")
    if wanted:
        name, _, handler = wanted.partition(":")
        encoding, errors = name or encoding, handler or "strict"
    plain = (encoding, errors, unbuffered) == ("utf-8", "surrogateescape", False)
    at_terminal = 1 in given and not unbuffered and os.isatty(1)
    if 0 not in given:
        sys.stdin = sys.__stdin__ = None
    elif is_file(0):
        sys.stdin = sys.__stdin__ = reader(encoding, errors, io.DEFAULT_BUFFER_SIZE)
    elif not plain or sys.stdin is None:
        sys.stdin = sys.__stdin__ = reader(encoding, errors)
    if 1 not in given:
        sys.stdout = sys.__stdout__ = None
    elif not plain or sys.stdout is None or is_file(1):
        sys.stdout = sys.__stdout__ = writer(1, encoding, errors, unbuffered, at_terminal)
    elif at_terminal:
        sys.stdout.reconfigure(line_buffering=True)
    if 2 not in given:
        sys.stderr = sys.__stderr__ = None
    elif not plain or sys.stderr is None or is_file(2):
        sys.stderr = sys.__stderr__ = writer(2, encoding, "backslashreplace", unbuffered)
