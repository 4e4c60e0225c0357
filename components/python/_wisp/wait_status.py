"""The result of `wait`, taken apart by the macros of POSIX. `encode` makes it from the host's `exit-status`."""

import operator
import os

WNOHANG, WUNTRACED, WCONTINUED = 1, 2, 8


def encode(ended):
    """How a process ended, as `wait` encodes it."""
    return ended.signal if ended.signal is not None else ended.code << 8


def waitstatus_to_exitcode(status):
    """`os.waitstatus_to_exitcode`."""
    status = operator.index(status)
    if not 0 <= status <= 0xFFFF or status & 0x7F == 0x7F:
        raise ValueError(f"invalid wait status: {status}")
    return -(status & 0x7F) if status & 0x7F else (status >> 8) & 0xFF


def WIFEXITED(status):
    """Whether the process exited."""
    return status & 0x7F == 0


def WEXITSTATUS(status):
    """Its exit code."""
    return (status >> 8) & 0xFF


def WIFSIGNALED(status):
    """Whether a signal ended it."""
    return status & 0x7F != 0


def WTERMSIG(status):
    """The signal that ended it."""
    return status & 0x7F


def WIFSTOPPED(status):
    """Whether it is stopped: never the case here."""
    return False


def WIFCONTINUED(status):
    """Whether it was continued: never the case here."""
    return False


def WCOREDUMP(status):
    """Whether it left a core file: never the case here."""
    return False


def WSTOPSIG(status):
    """The signal that stopped it."""
    return (status >> 8) & 0xFF


def install():
    """Install the replacements in `os`."""
    names = """waitstatus_to_exitcode WIFEXITED WEXITSTATUS WIFSIGNALED WTERMSIG WIFSTOPPED WIFCONTINUED WCOREDUMP WSTOPSIG
    WNOHANG WUNTRACED WCONTINUED"""
    for name in names.split():
        setattr(os, name, globals()[name])
