"""The identity of the process: the sandbox's one user."""

import errno
import os
import platform
import posix
import site
import socket
import sysconfig

from wit_world.imports import process

from . import paths

USER = 1000

_sysconf = posix.sysconf


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


def sysconf(name, /):
    """`os.sysconf`; the C library does not know what a session has."""
    number = os.sysconf_names.get(name, name) if isinstance(name, str) else name
    asked = _OF_THE_SESSION.get(number)
    return _sysconf(name) if asked is None else asked()


def _pages(fact):
    """A fact of `/proc/meminfo` in pages."""
    with open("/proc/meminfo", encoding="ascii") as file:
        kilobytes = next(int(line.split()[1]) for line in file if line.startswith(fact + ":"))
    return kilobytes * 1024 // _sysconf("SC_PAGE_SIZE")


def _limit(name):
    """A limit of this process; -1 for none."""
    soft = process.get_limit(process.Limited[name]).soft
    return -1 if soft is None else soft


_OF_THE_SESSION = {
    os.sysconf_names["SC_PHYS_PAGES"]: lambda: _pages("MemTotal"),
    os.sysconf_names["SC_AVPHYS_PAGES"]: lambda: _pages("MemAvailable"),
    os.sysconf_names["SC_OPEN_MAX"]: lambda: _limit("OPEN_FILES"),
    os.sysconf_names["SC_CHILD_MAX"]: lambda: _limit("PROCESSES"),
    os.sysconf_names["SC_ARG_MAX"]: lambda: 2 << 20,
}


def gethostname():
    """`socket.gethostname`: the name that the command hostname prints."""
    return _fact("hostname")


def uname():
    """`os.uname`."""
    return posix.uname_result((_fact("ostype"), gethostname(), _fact("osrelease"), "WASI 0.2", "wasm32"))


def _fact(name):
    """One of the kernel's facts that the command `uname` prints too."""
    with open(f"/proc/sys/kernel/{name}", encoding="ascii") as file:
        return file.read().strip()


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
    os.sysconf = sysconf
    site._getuserbase = sysconfig._getuserbase = paths.user_base
    site.ENABLE_USER_SITE = True
    socket.gethostname = gethostname
    os.sched_getaffinity = sched_getaffinity
    platform._sys_version_cache.clear()
