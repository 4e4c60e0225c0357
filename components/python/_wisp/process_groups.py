"""Process groups, and the group that Ctrl-C interrupts."""

import errno
import os

from wit_world.imports import files, process, terminal

from . import terminals
from .errors import Failure, os_error


def getpgid(pid, /):
    """`os.getpgid`."""
    return _of_process(process.group, pid)


def getpgrp():
    """`os.getpgrp`."""
    return _of_process(process.group, 0)


def setpgid(pid, pgrp, /):
    """`os.setpgid`."""
    _of_process(process.set_group, pid, pgrp)


def setpgrp():
    """`os.setpgrp`."""
    _of_process(process.set_group, 0, 0)


def setsid():
    """`os.setsid`: wisp has only one session, so this makes a new process group."""
    if _of_process(process.group, 0) == process.pid():
        raise os_error(files.ErrorCode.NOT_PERMITTED)
    setpgrp()


def tcgetpgrp(fd, /):
    """`os.tcgetpgrp`."""
    _check_terminal(fd)
    try:
        return terminals.ask(terminal.get_foreground, fd)
    except OSError as error:
        if error.errno != errno.ENOTTY:
            raise
    # A terminal whose lines the host edits is the controlling terminal.
    return process.foreground()


def tcsetpgrp(fd, pgid, /):
    """`os.tcsetpgrp`."""
    _check_terminal(fd)
    _of_process(process.set_foreground, pgid)


def _check_terminal(fd):
    if not os.isatty(fd):
        raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))


def _of_process(function, *numbers):
    """Ask the host about processes and groups by number."""
    if not all(0 <= number < 1 << 32 for number in numbers):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    try:
        return function(*numbers)
    except Failure as failure:
        code = failure.value
    raise os_error(code)


def install():
    """Put these functions into `os`."""
    for name in "getpgid getpgrp setpgid setpgrp setsid tcgetpgrp tcsetpgrp".split():
        setattr(os, name, globals()[name])
