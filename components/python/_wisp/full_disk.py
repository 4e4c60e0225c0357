"""ENOSPC: when a write fails, the C library of the shipped image drops the error code and always reports EIO. That of the data image
does not.

For each error number, CPython keeps a table of the class that `OSError(number, …)` makes. For both we register a class
that checks whether the session's filesystem is full, and if so is ENOSPC, with a note.
"""

import errno
import os

from wit_world.imports import files

from . import linux_errors

#: A write stops at the limit, or short of it by the amount that the host would have had to take at once.
_NEARLY = 1 << 16


def is_full():
    """Whether the session's filesystem is full."""
    usage = files.space_usage()
    return usage.max_bytes - usage.bytes < _NEARLY or usage.files >= usage.max_files


_ERRORS = (errno.EIO, errno.ENOSPC)


class _WriteError(OSError):
    """`OSError` of EIO, which may turn out to be ENOSPC, or of ENOSPC."""

    __slots__ = ()

    def __init__(self, *arguments):
        OSError.__init__(self, *arguments)
        if self.errno in _ERRORS and arguments[1:2] == (os.strerror(self.errno),) and is_full():
            usage = files.space_usage()
            self.errno, self.strerror = errno.ENOSPC, os.strerror(errno.ENOSPC)
            self.args = (self.errno, self.strerror, *self.args[2:])
            self.add_note(
                f"the session's filesystem is full: {usage.bytes} of {usage.max_bytes} bytes, "
                f"{usage.files} of {usage.max_files} files (filesystem.quota and max_files of its policy)"
            )

    def __reduce__(self):
        """Pickle it as what it stands for, which is found by its name."""
        return (OSError, *OSError.__reduce__(self)[1:])


_WriteError.__name__ = _WriteError.__qualname__ = "OSError"
_WriteError.__module__ = "builtins"


def install():
    """Put the class into CPython's table."""
    linux_errors.table.update(dict.fromkeys(_ERRORS, _WriteError))
