"""Long commands that run side by side. The first that fails ends the others, so that a mistake is not followed by minutes of work
that nobody needs, and its message is the last one."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from .steps import Missing

# Reentrant: a signal's handler may run in the thread that has it.
_LOCK = threading.RLock()
_RUNNING: set = set()
_FAILURE: list = []


def call(command: Sequence, remedy: str, **options) -> None:
    """Run a long command with its messages on our standard error. Once a command has failed, all that run or begin later
    fail with what it failed with."""
    words = [str(word) for word in command]
    with _LOCK:
        if _FAILURE:
            raise _FAILURE[0]
        # A session of its own, and so a group: the processes that it starts (the compilers of cargo) end with it.
        child = subprocess.Popen(words, stdout=sys.stderr, stdin=subprocess.DEVNULL, start_new_session=True, **options)
        _RUNNING.add(child)
    status = child.wait()
    with _LOCK:
        _RUNNING.discard(child)
        if status != 0:
            _fail(Missing(f"`{Path(words[0]).name}` failed with status {status}", remedy))
            raise _FAILURE[0]


def end_with_us() -> None:
    """Have the signals that end this program end its commands too: in sessions of their own they get none from the terminal."""

    def end(number: int, _: object) -> NoReturn:
        with _LOCK:
            _fail(Missing("interrupted", "run it again: it goes on where it was"))
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        sys.exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # as `nohup` has it
            signal.signal(number, end)


def _fail(failure: Missing) -> None:
    """Remember the first failure, and end what runs."""
    if _FAILURE:
        return
    _FAILURE.append(failure)
    for child in list(_RUNNING):
        try:
            os.killpg(child.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
