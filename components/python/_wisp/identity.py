"""Who runs: the sandbox's one user."""

import os
import platform

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
    """`os.cpu_count`: what a process can use at once."""
    return 1


def sched_getaffinity(pid, /):
    """`os.sched_getaffinity`: as `cpu_count`."""
    return {0}


def getloadavg():
    """`os.getloadavg`: unknown here."""
    raise OSError("Load averages are unobtainable")


def install():
    """Put these functions into `os`."""
    for name in ("getuid", "geteuid", "getgid", "getegid"):
        setattr(os, name, _user)
    os.getresuid = os.getresgid = getresuid
    os.getgroups = getgroups
    os.getlogin = getlogin
    os.cpu_count = os.process_cpu_count = cpu_count
    os.getloadavg = getloadavg
    os.sched_getaffinity = sched_getaffinity
    platform._sys_version_cache.clear()
