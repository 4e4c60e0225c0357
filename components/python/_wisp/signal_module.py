"""The module `signal` as on POSIX systems: adds what its C half lacks in a WASI build, on top of `signals`."""

import errno
import math
import operator
import os
import signal as module
from enum import IntEnum

from wit_world.imports import process

from . import descriptors, signals
from .errors import Failure, os_error, refused
from .signals import bit

_NANO = 1_000_000_000

#: The longest time that a timer can be set for, limited by the clock.
_LONGEST = 1 << 60

_standard_signal = module.signal
_standard_getsignal = module.getsignal


class itimer_error(OSError):
    """A timer that cannot be set."""

    __module__ = "signal"


def _check(number):
    """Check a signal number; natively there are 64."""
    number = operator.index(number)
    if not 1 <= number < module.NSIG:
        raise ValueError(f"signal number {number} out of range [1; {module.NSIG - 1}]")
    if number > signals.LAST:
        raise refused(errno.EINVAL, f"wisp has the signals 1 to {signals.LAST}, and no real-time signals")
    return number


def signal(signalnum, handler):
    """`signal.signal`."""
    if isinstance(signalnum, int) and signals.LAST < signalnum < module.NSIG:
        _check(signalnum)
    if isinstance(handler, int) and handler == module.SIG_IGN:
        handler = signals.SIG_IGN
    before = _standard_signal(signalnum, handler)
    if signalnum == module.SIGPIPE:
        process.ignore_broken_pipe(handler == signals.SIG_IGN)
    signals.decided(int(signalnum), handler)
    return module.SIG_IGN if before == signals.SIG_IGN else before


def getsignal(signalnum):
    """`signal.getsignal`."""
    if isinstance(signalnum, int) and signals.LAST < signalnum < module.NSIG:
        return module.SIG_DFL
    handler = _standard_getsignal(signalnum)
    return module.SIG_IGN if handler == signals.SIG_IGN else handler


def raise_signal(signalnum, /):
    """`signal.raise_signal`."""
    if not 1 <= operator.index(signalnum) < module.NSIG:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    os.kill(process.pid(), signalnum)


def pthread_kill(thread_id, signalnum, /):
    """`signal.pthread_kill`: the main thread handles signals."""
    import threading

    if thread_id != threading.main_thread().ident:
        raise ProcessLookupError(errno.ESRCH, os.strerror(errno.ESRCH))
    if signalnum:
        raise_signal(signalnum)


def pause():
    """`signal.pause`."""
    signals.wait([], once=True)


def alarm(seconds, /):
    """`signal.alarm`."""
    return math.ceil(_set_timer(operator.index(seconds) * _NANO, 0)[0])


def setitimer(which, seconds, interval=0.0, /):
    """`signal.setitimer`."""
    _check_timer(which)
    return _set_timer(_nanoseconds(seconds), _nanoseconds(interval))


def getitimer(which, /):
    """`signal.getitimer`."""
    _check_timer(which)
    return _seconds(process.get_alarm())


def _check_timer(which):
    if which in (module.ITIMER_VIRTUAL, module.ITIMER_PROF):
        raise itimer_error(errno.EINVAL, f"{os.strerror(errno.EINVAL)}: wisp has ITIMER_REAL only, no timers of processor time")
    if which != module.ITIMER_REAL:
        raise itimer_error(errno.EINVAL, os.strerror(errno.EINVAL))


def _nanoseconds(seconds):
    seconds = float(seconds)
    if not seconds >= 0:
        raise itimer_error(errno.EINVAL, os.strerror(errno.EINVAL))
    return math.ceil(min(seconds * _NANO, _LONGEST))


def _seconds(alarm):
    return alarm.after / _NANO, alarm.interval / _NANO


def _set_timer(after, again):
    """Set SIGALRM, in nanoseconds; return the previous setting in seconds."""
    return _seconds(process.set_alarm(process.Alarm(min(after, _LONGEST), again if after else 0)))


def _set_of(mask):
    """A set of signals from their numbers."""
    found = 0
    for number in mask:
        number = operator.index(number)
        if not 1 <= number < module.NSIG:
            raise ValueError(f"signal number {number} out of range [1; {module.NSIG - 1}]")
        if number <= signals.LAST:
            found |= bit(number)
    return found


def _members(found):
    return {module.Signals(number) if number in module.Signals._value2member_map_ else number for number in signals.numbers(found)}


_UNBLOCKABLE = bit(9) | bit(19)


def pthread_sigmask(how, mask):
    """`signal.pthread_sigmask`."""
    wanted, before = _set_of(mask), signals.blocked
    if how == module.SIG_BLOCK:
        wanted |= before
    elif how == module.SIG_UNBLOCK:
        wanted = before & ~wanted
    elif how != module.SIG_SETMASK:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    signals.blocked = wanted & ~_UNBLOCKABLE
    signals.tell()
    signals.deliver()
    return _members(before)


def sigpending():
    """`signal.sigpending`."""
    signals.gather()
    return _members(signals.pending & signals.blocked)


def sigwait(sigset):
    """`signal.sigwait`."""
    wanted, before = _set_of(sigset), signals.blocked
    if not wanted:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    signals.blocked |= wanted
    signals.tell()
    try:
        signals.gather()
        while not signals.pending & wanted:
            _wait_for_any()
        number = signals.numbers(signals.pending & wanted)[0]
        this = bit(number)
        signals.pending &= ~this
    finally:
        signals.blocked = before
        signals.tell()
    return module.Signals(number)


def _wait_for_any():
    """Wait until a signal arrives, including blocked ones."""
    came = process.signals_pollable()
    try:
        came.block()
    finally:
        descriptors.drop(came)
    signals.deliver()


def siginterrupt(signalnum, flag, /):
    """`signal.siginterrupt`: has no effect, because Python resumes calls that a signal interrupts."""
    _check(signalnum)


def set_wakeup_fd(fd, /, *, warn_on_full_buffer=True):
    """`signal.set_wakeup_fd`."""
    fd = operator.index(fd)
    if fd != -1:
        if fd < 0 or descriptors.lookup(fd) is None:
            os.fstat(fd)
        if os.get_blocking(fd):
            raise ValueError(f"the fd {fd} must be in non-blocking mode")
    before, signals.wakeup = signals.wakeup, fd
    return before


def valid_signals():
    """`signal.valid_signals`: the signals of the contract."""
    return _members((1 << signals.LAST) - 1)


def kill(pid, signal, /):
    """`os.kill`."""
    pid, number = operator.index(pid), operator.index(signal)
    if pid == process.pid() and number:
        _send(lambda _, number: signals.send_self(number), pid, number)
    elif pid > 0:
        _send(process.kill, pid, number)
    elif pid == -1:
        own = process.pid()
        others = [entry.pid for entry in process.processes() if entry.pid not in (1, own)]
        if not others:
            raise ProcessLookupError(errno.ESRCH, os.strerror(errno.ESRCH))
        for other in others:
            _send(process.kill, other, number)
    else:
        killpg(-pid, number)


def killpg(pgid, signal, /):
    """`os.killpg`."""
    _send(process.kill_group, operator.index(pgid), operator.index(signal))


def _send(function, target, number):
    """Send a signal, and make sure that this process has received its own copy."""
    if not 0 <= number < module.NSIG:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    if number > signals.LAST:
        _check(number)
    if not 0 <= target < 1 << 32:
        raise ProcessLookupError(errno.ESRCH, os.strerror(errno.ESRCH))
    try:
        signals.send(function, target, number)
        return
    except Failure as failure:
        code = failure.value
    raise os_error(code)


def install():
    """Complete the module, and `os`."""
    module.Sigmasks = IntEnum("Sigmasks", {"SIG_BLOCK": 0, "SIG_UNBLOCK": 1, "SIG_SETMASK": 2}, module="signal")
    for member in module.Sigmasks:
        setattr(module, member.name, member)
    module.ITIMER_REAL, module.ITIMER_VIRTUAL, module.ITIMER_PROF = 0, 1, 2
    module.SIGCLD = module.SIGCHLD
    names = """signal getsignal raise_signal pthread_kill pause alarm setitimer getitimer pthread_sigmask sigpending sigwait
    siginterrupt set_wakeup_fd valid_signals"""
    module.ItimerError = module.itimer_error = itimer_error
    for name in names.split():
        setattr(module, name, globals()[name])
    os.kill, os.killpg = kill, killpg
    for number in (module.SIGPIPE, module.SIGXFSZ):  # as CPython starts
        _standard_signal(number, signals.SIG_IGN)
    # The C library's own value is the index of a function in a table.
    module.Handlers = IntEnum("Handlers", {"SIG_DFL": 0, "SIG_IGN": 1}, module="signal")
    module.SIG_DFL, module.SIG_IGN = module.Handlers
