"""Named shared memory for `multiprocessing.shared_memory`: files of the session."""

import errno
import os


def _call(function, name, *arguments):
    """Do something with the file of a name, which may begin with a slash."""
    place = os.fsdecode(name).removeprefix("/")
    if not place or "/" in place:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), name)
    try:
        return function(f"/tmp/.shm-{place}", *arguments)
    except OSError as error:
        number = error.errno
    raise OSError(number, os.strerror(number), name)


def shm_open(path, flags, mode=0o777):
    """Open or make shared memory; return its descriptor."""
    return _call(os.open, path, flags, mode)


def shm_unlink(path):
    """Remove the name of shared memory."""
    _call(os.unlink, path)
