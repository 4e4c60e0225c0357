"""Limits of this process and of the processes that it starts, below those of the session's policy; what they used.

The host enforces RLIMIT_CPU, RLIMIT_AS, RLIMIT_NOFILE and RLIMIT_NPROC. RLIMIT_DATA is RLIMIT_AS: a process has one memory.
The other limits can be read; setting one to another value is refused.
"""

import errno
import operator
import os
import sys

from wit_world.imports import process as _process

from _wisp.errors import call as _call
from _wisp.errors import refused as _refused

error = OSError
RLIM_INFINITY = -1
RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_CORE, RLIMIT_RSS, RLIMIT_NPROC, RLIMIT_NOFILE = range(8)
RLIMIT_MEMLOCK, RLIMIT_AS = 8, 9
RLIMIT_SIGPENDING, RLIMIT_MSGQUEUE, RLIMIT_NICE, RLIMIT_RTPRIO, RLIMIT_RTTIME = range(11, 16)
RUSAGE_SELF, RUSAGE_CHILDREN, RUSAGE_THREAD = 0, -1, 1

_LIMITED = {
    RLIMIT_CPU: _process.Limited.PROCESSOR_TIME,
    RLIMIT_DATA: _process.Limited.MEMORY,
    RLIMIT_AS: _process.Limited.MEMORY,
    RLIMIT_NOFILE: _process.Limited.OPEN_FILES,
    RLIMIT_NPROC: _process.Limited.PROCESSES,
}

#: Limits that cannot be set, with their value and the reason.
_FIXED = {
    RLIMIT_FSIZE: (RLIM_INFINITY, "the session's filesystem.quota limits files"),
    RLIMIT_STACK: (32 << 20, "every program has the same stack"),
    RLIMIT_CORE: (0, "there are no core files"),
    RLIMIT_RSS: (RLIM_INFINITY, "RLIMIT_AS limits memory"),
    RLIMIT_MEMLOCK: (0, "memory cannot be locked"),
    10: (RLIM_INFINITY, "the number of file locks is not limited"),
    RLIMIT_SIGPENDING: (RLIM_INFINITY, "signals do not queue"),
    RLIMIT_MSGQUEUE: (0, "there are no message queues"),
    RLIMIT_NICE: (0, "there are no priorities"),
    RLIMIT_RTPRIO: (0, "there are no priorities"),
    RLIMIT_RTTIME: (RLIM_INFINITY, "there are no priorities"),
}


def getrlimit(resource, /):
    """The soft and the hard limit."""
    resource = _number(resource)
    if resource in _FIXED:
        value, _ = _FIXED[resource]
        return value, value
    bound = _process.get_limit(_LIMITED[resource])
    return tuple(RLIM_INFINITY if value is None else value for value in (bound.soft, bound.hard))


def setrlimit(resource, limits, /):
    """Set the soft and the hard limit."""
    resource = _number(resource)
    try:
        soft, hard = (operator.index(value) for value in limits)
    except ValueError:
        raise ValueError("expected a tuple of 2 integers") from None
    sys.audit("resource.setrlimit", resource, (soft, hard))
    if resource in _FIXED:
        value, reason = _FIXED[resource]
        if (soft, hard) != (value, value):
            raise _refused(errno.ENOTSUP, f"this limit cannot be set in the sandbox: {reason}")
        return
    bound = _process.Bound(*(None if value == RLIM_INFINITY else value for value in (soft, hard)))
    try:
        _call(_process.set_limit, _LIMITED[resource], bound)
    except PermissionError:
        raise ValueError("not allowed to raise maximum limit") from None
    except OSError as failure:
        if failure.errno == errno.EINVAL:
            raise ValueError("current limit exceeds maximum limit") from None
        raise


def prlimit(pid, resource, limits=None, /):
    """Like `getrlimit` and `setrlimit`, for this process only."""
    if pid not in (0, os.getpid()):
        raise _refused(errno.EPERM, "a process sets its own limits")
    before = getrlimit(resource)
    if limits is not None:
        setrlimit(resource, limits)
    return before


def getrusage(who, /):
    """Processor time and memory that were used."""
    if who not in (RUSAGE_SELF, RUSAGE_CHILDREN, RUSAGE_THREAD):
        raise ValueError("invalid who parameter")
    own, children = _process.times()
    used = children if who == RUSAGE_CHILDREN else own
    return struct_rusage((used / 1e9, 0.0, 0 if who == RUSAGE_CHILDREN else _memory(), *([0] * 13)))


def getpagesize():
    """Bytes of a page, as `os.sysconf` has them."""
    return os.sysconf("SC_PAGE_SIZE")


def _memory():
    """Kilobytes of this process's memory, which never shrinks."""
    with open("/proc/self/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))


def _number(resource):
    """A known limit."""
    resource = operator.index(resource)
    if resource not in _LIMITED and resource not in _FIXED:
        raise ValueError("invalid resource specified")
    return resource


class struct_rusage(tuple):
    """What `getrusage` returns."""

    __slots__ = ()
    n_fields = n_sequence_fields = 16
    _NAMES = """ru_utime ru_stime ru_maxrss ru_ixrss ru_idrss ru_isrss ru_minflt ru_majflt ru_nswap ru_inblock ru_oublock
    ru_msgsnd ru_msgrcv ru_nsignals ru_nvcsw ru_nivcsw""".split()

    def __repr__(self):
        fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._NAMES, self, strict=True))
        return f"resource.struct_rusage({fields})"


for _place, _name in enumerate(struct_rusage._NAMES):
    setattr(struct_rusage, _name, property(operator.itemgetter(_place)))
del _place, _name
