"""Processes: starting children, waiting for them, ids and times. These are functions of `os` that WASI lacks."""

import errno
import os
import posix
import time

from wit_world.imports import monotonic_clock, process, terminal

from . import descriptors, os_descriptors, signals, spelling, threads
from .errors import call
from .wait_status import WNOHANG, encode

#: Children that have not been waited for: by process id, the child and its name.
_children = {}

#: Called before a child starts; a live interpreter uses it to write its program's output so far.
before_start = None


class Remembered:
    """Represents a child after its handle was released: it ended with `status`, or stayed behind if `status` is None."""

    def __init__(self, status):
        self._status = status

    def try_wait(self):
        """How it ended."""
        if self._status is None:
            reason = "it stayed behind when this interpreter went on from a snapshot"
            raise ProcessLookupError(errno.ESRCH, f"{os.strerror(errno.ESRCH)}: {reason}")
        return self._status

    wait = subscribe = try_wait


class Command:
    """What a new program gets: `program` (an absolute path) with descriptors {its number: ours}.

    `arguments` and `environment` are bytes; PWD is set to `directory`, which the tools enter.
    """

    def __init__(self, program, arguments, environment, directory, numbers, quiet_pipes=False):
        if before_start is not None:
            before_start()
        descriptors.hold_root()
        environment = [pair for pair in environment if not pair.startswith(b"PWD=")]
        environment.append(b"PWD=" + os.fsencode(directory))
        self._handles = {}
        try:
            for number in numbers.values():
                if number not in self._handles:
                    self._handles[number] = descriptors.handle_of(number)
        except BaseException:
            self.drop()
            raise
        handed = [process.Descriptor(wanted, self._handles[number][0]) for wanted, number in numbers.items()]
        self.host = process.Command(spelling.spell(program), arguments, environment, spelling.spell(directory), handed, quiet_pipes)

    def drop(self):
        """Release everything that was made for it."""
        for handle, ours in self._handles.values():
            if ours:
                descriptors.drop(handle)


def start(program, arguments, environment, directory, numbers, report_as=None, attributes=None, quiet_pipes=False, controlled_by=None):
    """Start a program, see `Command`; return the process id. `controlled_by` is the number of that descriptor of its own which
    is its controlling terminal."""
    command = Command(program, arguments, environment, directory, numbers, quiet_pipes)
    try:
        if controlled_by is not None:
            attributes = attributes or process.Attributes(None, None, None)
            child = call(terminal.spawn_controlled, command.host, attributes, controlled_by, path=report_as or program)
        elif attributes is None:
            child = call(process.spawn, command.host, path=report_as or program)
        else:
            child = call(process.spawn_with, command.host, attributes, path=report_as or program)
    finally:
        command.drop()
    pid = child.pid()
    _children[pid] = (descriptors.keep(child), os.path.basename(report_as or program))
    return pid


def standard(redirections=None):
    """The descriptors that a child gets by default: the standard ones that are open here."""
    there = {number: number for number in process.descriptors() if number <= 2}
    there.update((number, number) for number in range(3) if number in descriptors.inheritable and os_descriptors.is_opened(number))
    there.update(redirections or {})
    return there


def environment_block(environment=None):
    """An environment as the host expects it."""
    if environment is None:
        return [name + b"=" + value for name, value in os.environb.items()]
    block = []
    for name, value in environment.items():
        name = os.fsencode(name)
        if b"=" in name:
            raise ValueError("illegal environment variable name")
        block.append(name + b"=" + os.fsencode(value))
    return block


def child(pid):
    """The host's handle of a child that has not been waited for."""
    return _children[pid][0]


def _reap(pid):
    """Forget an ended child and return its status, encoded as by `wait`."""
    child, _ = _children[pid]
    if child.try_wait() is None:
        signals.wait_for(child.subscribe())
    ended = child.wait()
    if _children.pop(pid, None) is None:  # a signal handler was faster
        raise ChildProcessError(errno.ECHILD, os.strerror(errno.ECHILD))
    descriptors.drop(child)
    return encode(ended)


def wait_until_ended(pid, timeout):
    """Wait for a child for at most `timeout` seconds; return True if it has ended."""
    entry = _children.get(pid)
    if entry is None:
        return True
    if entry[0].try_wait() is not None:
        return True
    ended = entry[0].subscribe()
    timer = monotonic_clock.subscribe_duration(max(0, int(timeout * 1e9)))
    try:
        return 0 in signals.wait([ended, timer])
    finally:
        descriptors.drop(ended)
        descriptors.drop(timer)


def waitpid(pid, options, /):
    """`os.waitpid`."""
    if pid in (-1, 0):
        return _wait_any(options)
    entry = _children.get(pid)
    if entry is None:
        raise ChildProcessError(errno.ECHILD, os.strerror(errno.ECHILD))
    if options & WNOHANG and entry[0].try_wait() is None:
        return 0, 0
    return pid, _reap(pid)


def _wait_any(options):
    """Wait for the first child that ends."""
    if not _children:
        raise ChildProcessError(errno.ECHILD, os.strerror(errno.ECHILD))
    pids = list(_children)
    if options & WNOHANG:
        for pid in pids:
            if _children[pid][0].try_wait() is not None:
                return pid, _reap(pid)
        return 0, 0
    waits = [_children[pid][0].subscribe() for pid in pids]
    try:
        pid = pids[signals.wait(waits)[0]]
    finally:
        for pollable in waits:
            descriptors.drop(pollable)
    return pid, _reap(pid)


def wait():
    """`os.wait`."""
    return _wait_any(0)


def system(command):
    """`os.system`."""
    try:
        pid = start("/bin/sh", [b"sh", b"-c", os.fsencode(command)], environment_block(), posix.getcwd(), standard())
    except OSError as error:
        os.write(2, f"python3: os.system: {error.filename}: {error.strerror}\n".encode())
        return 127 << 8
    return waitpid(pid, 0)[1]


def _exit(status=0):
    """`os._exit`."""
    process.exit(int(status) & 0xFF)


def getpid():
    """`os.getpid`."""
    return process.pid()


def getppid():
    """`os.getppid`."""
    return process.parent()


def times():
    """`os.times`."""
    own, children = process.times()
    return os.times_result((own / 1e9, 0.0, children / 1e9, 0.0, time.monotonic()))


def process_time_ns():
    """`time.process_time_ns`: the C library counts from a time on the machine that took the snapshot."""
    return process.times()[0]


def process_time():
    """`time.process_time`."""
    return process.times()[0] / 1e9


def sleep(seconds, /):
    """`time.sleep`: signals are handled during the wait."""
    if isinstance(seconds, (int, float)) and 0 < seconds < _LONGEST:
        signals.sleep(max(1, round(seconds * 1_000_000_000)))
    elif seconds == 0 and threads.others:
        threads.give()
    else:
        _standard_sleep(seconds)  # it reports what is wrong


_standard_sleep = time.sleep

#: Seconds: the longest sleep that a 64-bit clock can represent.
_LONGEST = 1 << 32


def install():
    """Put these functions into `os` and `time`."""
    time.process_time = process_time
    time.process_time_ns = process_time_ns
    time.thread_time, time.thread_time_ns = process_time, process_time_ns  # threads have no times of their own
    time.sleep = sleep
    for name in "waitpid wait system getpid getppid times _exit".split():
        setattr(os, name, globals()[name])
