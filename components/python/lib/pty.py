"""Terminals of a program's own: `openpty` and `spawn`, as CPython's `pty` has them. There is no `fork`."""

import os as _os
import select as _select
import tty as _tty

from _wisp import terminals as _terminals

__all__ = ["fork", "openpty", "spawn"]

STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO = range(3)

CHILD = 0

#: Bytes that are passed on at a time.
_PART = 1024


def openpty():
    """A new terminal: (the end at which keys are typed, the end for programs)."""
    return _os.openpty()


def fork():
    """Refused: a WebAssembly program cannot fork."""
    raise OSError("pty.fork: a WebAssembly program cannot fork; pty.spawn starts a program at a terminal of its own")


def spawn(argv, master_read=None, stdin_read=None):
    """Run a program at a terminal of its own, and connect that with our standard input and output. Return its status, as
    `os.waitpid` does. `master_read` and `stdin_read` get a descriptor and return what is passed on; no bytes mean the end.
    """
    if isinstance(argv, str):
        argv = (argv,)
    master_read, stdin_read = master_read or _read, stdin_read or _read
    keys, programs = openpty()
    try:
        pid = _terminals.spawn_at(argv, programs)
    except BaseException:
        _os.close(keys)
        raise
    finally:
        _os.close(programs)
    before = None
    try:
        before = _tty.setraw(STDIN_FILENO)
    except _tty.error:
        pass  # standard input is no terminal
    try:
        _pass_on(keys, master_read, stdin_read)
    finally:
        if before is not None:
            _tty.tcsetattr(STDIN_FILENO, _tty.TCSAFLUSH, before)
        _os.close(keys)
    return _os.waitpid(pid, 0)[1]


def _read(fd):
    """The bytes that are there."""
    return _os.read(fd, _PART)


def _pass_on(keys, master_read, stdin_read):
    """Pass on what is typed and shown, until the program's end is closed."""
    sources = [keys, STDIN_FILENO]
    while True:
        ready = _select.select(sources, [], [])[0]
        if keys in ready:
            try:
                shown = master_read(keys)
            except OSError:
                shown = b""
            if not shown:
                return
            _write(STDOUT_FILENO, shown)
        if STDIN_FILENO in ready:
            typed = stdin_read(STDIN_FILENO)
            if typed:
                _write(keys, typed)
            else:
                sources.remove(STDIN_FILENO)


def _write(fd, data):
    """Write all of it."""
    while data:
        data = data[_os.write(fd, data) :]
