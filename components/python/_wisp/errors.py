"""Translates the host's error codes into Python's exceptions."""

import errno
import os

from componentize_py_types import Err
from wit_world.imports.files import ErrorCode

_NUMBERS = {
    ErrorCode.ACCESS: errno.EACCES,
    ErrorCode.NOT_PERMITTED: errno.EPERM,
    ErrorCode.NO_ENTRY: errno.ENOENT,
    ErrorCode.NO_SUCH_DEVICE: errno.ENXIO,
    ErrorCode.EXIST: errno.EEXIST,
    ErrorCode.IS_DIRECTORY: errno.EISDIR,
    ErrorCode.NOT_DIRECTORY: errno.ENOTDIR,
    ErrorCode.NOT_EMPTY: errno.ENOTEMPTY,
    ErrorCode.LOOP: errno.ELOOP,
    ErrorCode.NAME_TOO_LONG: errno.ENAMETOOLONG,
    ErrorCode.ILLEGAL_BYTE_SEQUENCE: errno.EILSEQ,
    ErrorCode.BAD_DESCRIPTOR: errno.EBADF,
    ErrorCode.INVALID: errno.EINVAL,
    ErrorCode.FILE_TOO_LARGE: errno.EFBIG,
    ErrorCode.INSUFFICIENT_SPACE: errno.ENOSPC,
    ErrorCode.TOO_MANY_OPEN_FILES: errno.EMFILE,
    ErrorCode.READ_ONLY: errno.EROFS,
    ErrorCode.CROSS_DEVICE: errno.EXDEV,
    ErrorCode.BROKEN_PIPE: errno.EPIPE,
    ErrorCode.ILLEGAL_SEEK: errno.ESPIPE,
    ErrorCode.BUSY: errno.EBUSY,
    ErrorCode.WOULD_BLOCK: errno.EAGAIN,
    ErrorCode.NO_PROCESS: errno.ESRCH,
    ErrorCode.NOT_EXECUTABLE: errno.ENOEXEC,
    ErrorCode.ARGUMENTS_TOO_LONG: errno.E2BIG,
    ErrorCode.INSUFFICIENT_MEMORY: errno.ENOMEM,
    ErrorCode.UNSUPPORTED: errno.ENOTSUP,
    ErrorCode.IO: errno.EIO,
    ErrorCode.CONNECTION_REFUSED: errno.ECONNREFUSED,
    ErrorCode.CONNECTION_RESET: errno.ECONNRESET,
    ErrorCode.NOT_CONNECTED: errno.ENOTCONN,
    ErrorCode.NOT_SOCKET: errno.ENOTSOCK,
    ErrorCode.ADDRESS_IN_USE: errno.EADDRINUSE,
    ErrorCode.ADDRESS_NOT_AVAILABLE: errno.EADDRNOTAVAIL,
    ErrorCode.NO_BUFFER_SPACE: errno.ENOBUFS,
}

#: The code itself, for callers that decide by it.
Failure = Err


def os_error(code, path=None):
    """The `OSError` (or its subclass) for the host's error `code`, about `path`."""
    number = _NUMBERS.get(code, errno.EIO)
    if path is None:
        return OSError(number, os.strerror(number))
    return OSError(number, os.strerror(number), path)


def call(function, *arguments, path=None):
    """Call a function of the host; raise a failure as `OSError`."""
    try:
        return function(*arguments)
    except Err as failure:
        code = code_of(failure)
    raise os_error(code, path)


def code_of(failure):
    """The host's code in a failure, which is released: the failure refers to the frame that raised it, and that frame's
    traceback to the failure; this cycle would keep what the callers hold, such as open files, until garbage collection."""
    failure.with_traceback(None)
    return failure.value


def refused(number, reason):
    """An `OSError` with a reason."""
    return OSError(number, f"{os.strerror(number)}: {reason}")
