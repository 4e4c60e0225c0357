"""Signals that programs handle: how they get from the host to a function of Python's.

The host keeps what is handled until it is asked (`take_signals`). We ask wherever a program waits (`wait`), and, once a
program has put a function of its own in place or set a timer, between its bytecodes too: `sys.monitoring` calls us at
jumps and at calls. A program that does neither pays nothing. SIGINT of a program that never said anything about it is
a KeyboardInterrupt where it waits, and between its bytecodes while we look there for another signal; elsewhere its end.
"""

import functools
import os
import sys
import weakref
from _signal import SIG_DFL, SIG_IGN, SIGALRM, SIGINT, SIGPIPE, SIGXFSZ, default_int_handler, getsignal
from _signal import signal as set_handler
from opcode import opmap

from wit_world.imports import monotonic_clock, poll, process

from . import between_bytecodes, paths
from .errors import Failure
from .handles import drop

#: The last signal of the contract.
LAST = 31

_FOREVER = 365 * 86_400 * 1_000_000_000

#: Sets of signals: bit n - 1 for signal n. What the process ignores is not known before somebody asks.
blocked = pending = _handled = _watched = 0
ignored = None

#: When SIGALRM is due, 0 for never, and after how long again; nanoseconds of the monotonic clock.
alarm_at = alarm_again = 0

#: Where the number of a signal is written when it comes.
wakeup = -1

#: Who decided about SIGINT: None, "asyncio" (which takes it over while it runs) or "program".
_int_set_by = None

#: Whether we are about to wait, and look for signals ourselves.
_waits = False

#: Whether SIGINT is handled for the moment, because something is waited for.
_listens = False

#: Whether we look between bytecodes.
_looks = False

#: Code of ours that a handler must not be called before, either: what lets go of a lock.
uninterrupted = set()

#: Handlers of event loops: they only make a note for when the loop waits next.
_loop_handlers = weakref.WeakSet()


def bit(number):
    """The set of one signal."""
    return 1 << number - 1


_ALARM = bit(SIGALRM)


def numbers(signals):
    """The signals of a set, the lowest first."""
    return [number for number in range(1, LAST + 1) if signals & bit(number)]


def learn():
    """Ask once what the process ignored from its start."""
    global ignored
    if ignored is None:
        ignored = process.ignored_signals()
        for number in numbers(ignored):
            set_handler(number, SIG_IGN)
        ignored |= bit(SIGPIPE) | bit(SIGXFSZ)  # as CPython starts


def decided(number, handler):
    """The program decided about a signal; C code and `learn` know already."""
    global ignored, _int_set_by
    if number > LAST:
        return
    ignored &= ~bit(number)
    if handler == SIG_IGN:
        ignored |= bit(number)
    if number == SIGINT:
        if isinstance(handler, functools.partial) and getattr(handler.func, "__qualname__", "") == "Runner._on_sigint":
            _int_set_by = "asyncio"
        elif _int_set_by == "asyncio" and handler is default_int_handler:
            _int_set_by = None
        else:
            _int_set_by = "program"
    tell()


def for_loop(handler):
    """`handler` as one that need not be called before its event loop waits."""
    _loop_handlers.add(handler)
    return handler


def tell():
    """Tell the host what is handled and ignored now, and look between bytecodes if need be."""
    global _handled, _watched
    _handled = _watched = 0
    for number in range(1, LAST + 1):
        handler = getsignal(number)
        if not callable(handler) or (number == SIGINT and _int_set_by != "program"):
            continue
        _handled |= bit(number)
        if handler not in _loop_handlers:
            _watched |= bit(number)
    process.ignore_signals((ignored or 0) & ~blocked)
    _look(bool(_watched or alarm_at))


def _look(on):
    """Look between bytecodes from now on, or no longer."""
    global _looks
    _looks = on
    _handle()
    between_bytecodes.watch(on, _has_come, _between_bytecodes)


def _handle():
    """Tell the host what is handled now."""
    interrupt = bit(SIGINT) if (_listens or _looks) and _waits_for_interrupt() else 0
    process.handle_signals(_handled | blocked | interrupt)


def renew():
    """This goes on as another process, of which the host knows nothing yet."""
    if _handled or ignored or blocked or _looks:
        tell()


def may_come():
    """Whether there is a handler that may be called while something is waited for."""
    return bool(_handled or alarm_at)


def _waits_for_interrupt():
    """Whether SIGINT is to be seen only where the program waits."""
    if ignored is None:
        learn()
    return _int_set_by != "program" and callable(getsignal(SIGINT))


class Listening:
    """While this is entered, SIGINT is handled whether the program decided about it or not."""

    __slots__ = ("_on",)

    def __enter__(self):
        global _listens
        self._on = not _listens and _waits_for_interrupt()
        if self._on:
            _listens = True
            if not _looks:
                process.handle_signals(_handled | blocked | bit(SIGINT))

    def __exit__(self, *_):
        global _listens
        if self._on:
            _listens = False
            if not _looks:
                process.handle_signals(_handled | blocked)


def wait(pollables, once=False, done=None):
    """`poll.poll`: wait until one of these is ready. Handlers of signals that come meanwhile are called and the waiting
    goes on, unless `once` or when `done` says so: then nothing may be the answer."""
    global _waits
    before, _waits = _waits, True
    try:
        with Listening():
            while True:
                if (deliver() and once) or (done is not None and done()):
                    return []
                if ready := _poll(pollables):
                    deliver()
                    return ready
    finally:
        _waits = before


def _poll(pollables):
    """Wait for these or a signal, once."""
    waits = [*pollables, process.signals_pollable()]
    try:
        if alarm_at:
            waits.append(monotonic_clock.subscribe_instant(alarm_at))
        elif not pollables:
            waits.append(monotonic_clock.subscribe_duration(_FOREVER))
        return [index for index in poll.poll(waits) if index < len(pollables)]
    finally:
        for own in waits[len(pollables) :]:
            drop(own)


def wait_for(pollable):
    """Wait for one thing, and let go of it."""
    try:
        if not pollable.ready():
            wait([pollable])
    finally:
        drop(pollable)


def sleep(nanoseconds):
    """Wait for a time."""
    wait_for(monotonic_clock.subscribe_duration(nanoseconds))


def gather():
    """Take what came: it is pending now."""
    global pending, alarm_at
    # In every call a handler may be called, and change this: what is called for comes first.
    came = process.take_signals()
    pending |= came
    if alarm_at:
        now = monotonic_clock.now()
        if alarm_at and now >= alarm_at:
            pending |= _ALARM
            alarm_at = now + alarm_again - (now - alarm_at) % alarm_again if alarm_again else 0


def deliver(frame=None):
    """Do what the pending signals ask for; answers whether there was a function to call."""
    global pending, _waits
    gather()
    called, before = False, _waits
    try:
        while ready := pending & ~blocked:
            lowest = ready & -ready
            pending &= ~lowest
            _waits = False  # for what the handler does
            called |= _act(lowest.bit_length(), frame)
            _waits = before
    finally:
        _waits = before
        # Not as soon as the last timer was due: where it came, there may have been no place for it.
        if _looks and not (alarm_at or _watched):
            _look(False)
    return called


def _between_bytecodes(frame):
    """As `deliver`, but not where something is about to be waited for, who waits looks first; and not in our own code,
    which stands where C code is elsewhere: it is not to be left half way. What is pending then comes a little later."""
    if _waits:
        return
    if _amid(frame):
        between_bytecodes.again()
    else:
        deliver(frame)


#: The instruction before the call of `__enter__`, and the first of a function.
_LOAD_SPECIAL, _RESUME = opmap["LOAD_SPECIAL"], opmap["RESUME"]


def _amid(frame):
    """Whether a handler in this frame would find or leave something half done: in our code, in what the bindings called
    (from C, which cannot bear an exception), where locks are held that a handler may want (elsewhere a deadlock; where
    they wait for something they hold none), and where a `with` has entered and is not yet bound to leave: a lock would
    stay locked."""
    code, at = frame.f_code, frame.f_lasti
    if code in uninterrupted:
        return True
    if _is_closed(code):
        # A function that has just been entered has done nothing yet: that is as before its call.
        entered = code.co_code[at] == _RESUME and code.co_code[at + 1] & 3 == 0
        frame = frame.f_back
        if not entered or (frame is not None and _is_closed(frame.f_code)):
            return True
    elif at >= 2 and code.co_code[at - 2] == _LOAD_SPECIAL:
        return True
    while frame is not None and not frame.f_code.co_filename.startswith(paths.OWN):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(paths.BINDINGS)


def _is_closed(code):
    return code.co_filename.startswith(paths.OWN) or code.co_filename in paths.LOCKING


def _act(number, frame):
    """What one signal asks for."""
    handler = getsignal(number)
    if handler == SIG_IGN:
        return False
    if handler == SIG_DFL:
        send_self(number)
        return False
    if wakeup != -1:
        _wake(number)
    handler(number, _frame_of_program(frame))
    return True


def _wake(number):
    """Write the number where the program wants it."""
    try:
        os.write(wakeup, bytes([number]))
    except OSError as error:
        if not isinstance(error, BlockingIOError):
            sys.unraisablehook(_Unraisable(type(error), error, error.__traceback__))


class _Unraisable:
    """What `sys.unraisablehook` takes."""

    err_msg, object = "Exception ignored while trying to write to the signal wakeup fd", None

    def __init__(self, kind, value, trace):
        self.exc_type, self.exc_value, self.exc_traceback = kind, value, trace


def _frame_of_program(frame):
    """The innermost frame that is not of this package, from this one outwards."""
    if frame is None:
        frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(paths.OWN):
        frame = frame.f_back
    return frame


def send_self(number):
    """A signal that this process sends to itself: it is there when this returns. May raise the host's `Failure`."""
    global pending
    if 0 < number <= LAST and (callable(getsignal(number)) or blocked & bit(number)):
        this = bit(number)
        pending |= this
        deliver()
    elif not 0 < number <= LAST or getsignal(number) != SIG_IGN:
        process.kill(process.pid(), number)


def send(function, target, number):
    """Send a signal to others, and perhaps to this process too. May raise the host's `Failure`."""
    with Listening():
        function(target, number)
        deliver()


def end_by_interrupt():
    """End the process as an uncaught KeyboardInterrupt ends it: by the signal."""
    set_handler(SIGINT, SIG_DFL)
    process.handle_signals(0)
    try:
        process.kill(process.pid(), SIGINT)
    except Failure:
        pass  # a status says it too


def _has_come():
    """Whether there is something to deliver."""
    if _waits:
        return False
    gather()
    return bool(pending & ~blocked)
