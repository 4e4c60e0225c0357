"""Processes: starting, waiting, signals and ids, as the functions of `os` that WASI lacks."""

import errno
import os
import posix
import signal as signals
import time

from wit_world.imports import monotonic_clock, poll, process

from . import descriptors
from .errors import Failure, call, os_error, refused

WNOHANG = 1
WUNTRACED = 2

#: Children that have not been waited for: by process id, the child, the files lent to it, and its name.
_children = {}

#: Called before a child starts; a kernel hands over there what its program has written so far.
before_start = None


class Remembered:
    """Stands for a child after its handle was given up: it ended with `status`, or stayed behind if that is None."""

    def __init__(self, status):
        self._status = status

    def try_wait(self):
        """How it ended."""
        if self._status is None:
            reason = "it stayed behind when this interpreter went on from a snapshot"
            raise ProcessLookupError(errno.ESRCH, f"{os.strerror(errno.ESRCH)}: {reason}")
        return self._status

    wait = subscribe = try_wait


class _Lent:
    """A file of the C library that a child works on: its offset moves on when the child has ended."""

    def __init__(self, number, handle):
        self.number = number
        self.handle = handle

    def give_back(self):
        """Take over the offset and let go."""
        try:
            posix.lseek(self.number, call(self.handle.seek, descriptors._WHENCE[1], 0), os.SEEK_SET)
        except OSError:
            pass  # closed meanwhile, or not a file with an offset
        descriptors.drop(self.handle)


def start(program, arguments, environment, directory, numbers, report_as=None):
    """Start `program` (an absolute path) with descriptors {child's number: ours}; answers the process id.

    `arguments` and `environment` are bytes; PWD is set to `directory`, which the tools enter.
    """
    if before_start is not None:
        before_start()
    descriptors.hold_root()
    environment = [pair for pair in environment if not pair.startswith(b"PWD=")]
    environment.append(b"PWD=" + os.fsencode(directory))
    handles, lent = {}, []
    try:
        for wanted, number in numbers.items():
            if number in handles:
                continue
            handle, ours = descriptors.handle_of(number)
            handles[number] = (handle, ours)
            if ours and number > 2:
                lent.append(_Lent(number, descriptors.keep(handle)))
        command = process.Command(
            program,
            arguments,
            environment,
            directory,
            [process.Descriptor(wanted, handles[number][0]) for wanted, number in numbers.items()],
            False,
        )
        child = call(process.spawn, command, path=report_as or program)
    except BaseException:
        for handle, ours in handles.values():
            if ours:
                descriptors.drop(handle)
        raise
    for number, (handle, ours) in handles.items():
        if ours and number <= 2:
            descriptors.drop(handle)
    pid = child.pid()
    _children[pid] = (descriptors.keep(child), lent, os.path.basename(report_as or program))
    return pid


def standard(redirections=None):
    """The descriptors a child gets when nothing is said: the standard ones that are open here."""
    numbers = {number: number for number in process.descriptors() if number <= 2}
    numbers.update(redirections or {})
    return numbers


def environment_block(environment=None):
    """An environment as the host wants it."""
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
    """Forget an ended child and answer its status as `wait` encodes it."""
    child, lent, _ = _children[pid]
    ended = child.wait()
    del _children[pid]
    descriptors.drop(child)
    for file in lent:
        file.give_back()
    return ended.signal if ended.signal is not None else ended.code << 8


def wait_until_ended(pid, timeout):
    """Wait for a child at the most `timeout` seconds; True when it has ended."""
    entry = _children.get(pid)
    if entry is None:
        return True
    if entry[0].try_wait() is not None:
        return True
    ended = entry[0].subscribe()
    timer = monotonic_clock.subscribe_duration(max(0, int(timeout * 1e9)))
    try:
        return 0 in poll.poll([ended, timer])
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
    """Wait for whichever child ends first."""
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
        pid = pids[poll.poll(waits)[0]]
    finally:
        for pollable in waits:
            descriptors.drop(pollable)
    return pid, _reap(pid)


def wait():
    """`os.wait`."""
    return _wait_any(0)


def waitstatus_to_exitcode(status):
    """`os.waitstatus_to_exitcode`."""
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
    """Whether it is stopped: never here."""
    return False


def WIFCONTINUED(status):
    """Whether it was continued: never here."""
    return False


def WCOREDUMP(status):
    """Whether it left a core file: never here."""
    return False


def WSTOPSIG(status):
    """The signal that stopped it."""
    return (status >> 8) & 0xFF


def kill(pid, signal, /):
    """`os.kill`. To itself: a handler set with `signal.signal` runs, as it would for a signal from outside."""
    signal = int(signal)
    if not 0 < pid < 1 << 32:  # there are no groups of processes
        raise ProcessLookupError(errno.ESRCH, os.strerror(errno.ESRCH))
    if pid == process.pid() and signal:
        handler = signals.getsignal(signal)
        if handler is signals.SIG_IGN:
            return
        if callable(handler):
            handler(signal, None)
            return
    if not 0 <= signal < 65:
        raise os_error(_invalid())
    try:
        process.kill(pid, signal)
        return
    except Failure as failure:
        code = failure.value
    if code == _unsupported():
        raise refused(errno.EINVAL, "the sandbox delivers SIGHUP, SIGINT, SIGPIPE, SIGTERM and SIGKILL")
    raise os_error(code)


def _invalid():
    from wit_world.imports.files import ErrorCode

    return ErrorCode.INVALID


def _unsupported():
    from wit_world.imports.files import ErrorCode

    return ErrorCode.UNSUPPORTED


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


def execve(path, arguments, environment):
    """`os.execve`: the new program runs as a child on the same descriptors, and this process ends with its status."""
    path = os.fspath(path)
    where = os.path.join(posix.getcwd(), os.fsdecode(path))
    block = environment_block(environment)
    pid = start(where, [os.fsencode(a) for a in arguments], block, posix.getcwd(), standard(), report_as=path)
    status = waitpid(pid, 0)[1]
    _exit(128 + WTERMSIG(status) if WIFSIGNALED(status) else WEXITSTATUS(status))


def execv(path, arguments, /):
    """`os.execv`."""
    execve(path, arguments, os.environ)


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
    """`time.process_time_ns`: the C library counts from the machine that took the snapshot."""
    return process.times()[0]


def process_time():
    """`time.process_time`."""
    return process.times()[0] / 1e9


def install():
    """Put these functions into `os` and `time`."""
    time.process_time = process_time
    time.process_time_ns = process_time_ns
    names = """waitpid wait waitstatus_to_exitcode WIFEXITED WEXITSTATUS WIFSIGNALED WTERMSIG WIFSTOPPED WIFCONTINUED
    WCOREDUMP WSTOPSIG WNOHANG WUNTRACED kill system execv execve getpid getppid times _exit"""
    for name in names.split():
        setattr(os, name, globals()[name])
