"""The identity of the process: the sandbox's one user."""

import errno
import os
import platform
import posix
import site
import socket
import sysconfig

from . import paths

USER = 1000


def _user():
    return USER


def getresuid():
    """`os.getresuid`."""
    return USER, USER, USER


def getgroups():
    """`os.getgroups`."""
    return [USER]


def getlogin():
    """`os.getlogin`."""
    return "user"


def cpu_count():
    """`os.cpu_count`: the number that one process can use at once."""
    return 1


def sched_getaffinity(pid, /):
    """`os.sched_getaffinity`: consistent with `cpu_count`."""
    return {0}


def getloadavg():
    """`os.getloadavg`: unknown here."""
    reason = "a session does not see the load of its machine; os.times and wisp.processes() tell what runs here"
    raise OSError(errno.ENOTSUP, f"{os.strerror(errno.ENOTSUP)}: {reason}")


def gethostname():
    """`socket.gethostname`: the name that the command hostname prints."""
    return os.environ.get("HOSTNAME") or "wisp"


def uname():
    """`os.uname`."""
    system, _, *rest = posix.uname()
    return posix.uname_result((system, gethostname(), *rest))


def install():
    """Put these functions into `os`."""
    for name in ("getuid", "geteuid", "getgid", "getegid"):
        setattr(os, name, _user)
    os.getresuid = os.getresgid = getresuid
    os.getgroups = getgroups
    os.getlogin = getlogin
    os.cpu_count = os.process_cpu_count = cpu_count
    os.getloadavg = getloadavg
    os.uname = uname
    site._getuserbase = sysconfig._getuserbase = paths.user_base
    site.ENABLE_USER_SITE = True
    socket.gethostname = gethostname
    os.sched_getaffinity = sched_getaffinity
    platform._sys_version_cache.clear()
