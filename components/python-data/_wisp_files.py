"""`os.dup` for C code: numpy's `fromfile` and `tofile` call it and go on in C with the number that they get, so for a file of the C
library it must be another of the C library's. That library cannot duplicate; the file is opened once more, at the same offset."""

import gc
import io
import os
import posix
import stat

from _wisp import descriptors, os_descriptors


def _opened(fd):
    """The file object that opened a descriptor, or None."""
    for thing in gc.get_objects():
        if issubclass(type(thing), io.FileIO) and not thing.closed and thing.fileno() == fd:
            return thing
    return None


def _again(fd):
    """A second descriptor of the C library's for a file; None if there is no way to it."""
    facts = posix.fstat(fd)
    file = _opened(fd) if stat.S_ISREG(facts.st_mode) else None
    if file is None or isinstance(file.name, int):
        return None
    how = os.O_RDWR if "+" in file.mode else os.O_RDONLY if "r" in file.mode else os.O_WRONLY
    try:
        number = posix.open(file.name, how | (os.O_APPEND if "a" in file.mode else 0))
    except OSError:
        return None  # it was removed, or renamed
    if not os.path.sameopenfile(fd, number):
        posix.close(number)
        return None
    posix.lseek(number, os.lseek(fd, 0, os.SEEK_CUR), os.SEEK_SET)
    return number


def dup(fd, /):
    """`os.dup`."""
    ours = fd <= 2 or descriptors.lookup(fd) is not None
    number = None if ours else _again(fd)
    return os_descriptors.dup(fd) if number is None else number


def install():
    """Put it into `os`."""
    os.dup = dup
