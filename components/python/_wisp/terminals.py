"""Terminals: their settings, their sizes, and pairs of one's own."""

import errno
import os
import shutil

from wit_world.imports import terminal

from . import descriptors, processes
from .errors import call


def ask(function, fd, *arguments):
    """Call a function of the host with the open file of descriptor `fd`. What is no terminal is ENOTTY."""
    handle, ours = descriptors.facts_of(fd)
    try:
        return call(function, handle, *arguments)
    except OSError as error:
        if error.errno != errno.ENOTSUP:
            raise
    finally:
        if ours:
            descriptors.drop(handle)
    raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))


def size(fd):
    """Lines, columns, and width and height in pixels."""
    size = ask(terminal.get_size, fd)
    return size.rows, size.columns, size.width, size.height


def set_size(fd, rows, columns, width=0, height=0):
    """Set the size; the foreground receives SIGWINCH if it changes."""
    ask(terminal.set_size, fd, terminal.Size(rows, columns, width, height))


def available(fd):
    """The number of bytes that can be read without waiting."""
    return ask(terminal.available, fd)


def get_terminal_size(fd=1, /):
    """`os.get_terminal_size`."""
    rows, columns, _, _ = size(fd)
    return os.terminal_size((columns, rows))


def openpty():
    """`os.openpty`: the end at which keys are typed, then the end for programs."""
    master, slave = call(terminal.make, terminal.Size(0, 0, 0, 0))
    return descriptors.install(master), descriptors.install(slave)


def spawn_at(arguments, fd):
    """Start a program at the terminal of descriptor `fd`, which is its controlling terminal and its standard descriptors;
    return the process id."""
    name = os.fspath(arguments[0])
    program = name if os.path.dirname(name) else shutil.which(name)
    if program is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    words = [os.fsencode(word) for word in arguments]
    numbers = {0: fd, 1: fd, 2: fd}
    directory = os.getcwd()
    path = os.path.join(directory, os.fsdecode(program))
    return processes.start(path, words, processes.environment_block(), directory, numbers, report_as=name, controlled_by=0)


def ttyname(fd, /):
    """`os.ttyname`: every terminal is called `/dev/tty`, the name under which a program opens its own."""
    size(fd)
    return "/dev/tty"


def install():
    """Put these functions into `os`."""
    os.ttyname = ttyname
    os.get_terminal_size = get_terminal_size
    os.openpty = openpty
