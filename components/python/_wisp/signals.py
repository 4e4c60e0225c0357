"""Signals that programs handle: how they get from the host to a Python function.

The host keeps handled signals, those of the timer too, until it is asked (`take_signals`). We ask wherever a program
waits (`wait`), and between its bytecodes once the host has set our flags: the words of our memory that CPython's own C
handler sets. The interpreter looks at one of them between bytecodes anyway, and then calls the function of the signal
`between_bytecodes.OURS` in the program's frame. So a program that computes notices signals, and pays nothing. The host
knows the words from the component. For a moment after a signal that came amid code of ours, `sys.monitoring` calls us
at jumps and calls.

Where the host cannot set flags (its memory is not copied on write), we ask between bytecodes too while the program has
a handler of its own. SIGINT is then a KeyboardInterrupt where the program waits, and between bytecodes while we ask
there; elsewhere it ends the program, unless the program has changed its handling.
"""

import dataclasses
import enum
import functools
import os
import sys
import weakref
from _signal import SIG_DFL, SIG_IGN, SIGINT, SIGPIPE, SIGXFSZ, default_int_handler, getsignal
from _signal import signal as set_handler
from opcode import opmap

from wit_world.imports import monotonic_clock, poll, process

from . import between_bytecodes, paths, threads
from .errors import Failure
from .handles import drop

#: The last signal of the contract.
LAST = 31

FOREVER = 365 * 86_400 * 1_000_000_000

#: What a process ignores as CPython starts, unless it has inherited more.
_USUAL = 1 << SIGPIPE - 1 | 1 << SIGXFSZ - 1

#: Sets of signals: bit n - 1 for signal n.
blocked = pending = _handled = _watched = 0
ignored = _USUAL

#: The descriptor to which the number of an arriving signal is written.
wakeup = -1

#: What decided the handling of SIGINT: None, "asyncio" (which takes it over while it runs) or "program".
_int_set_by = None

#: Whether we are about to wait and will check for signals ourselves.
_waits = False

#: Whether SIGINT is handled temporarily, because the program waits.
_listens = False

#: Whether we check between bytecodes.
_looks = False

#: Whether the host sets our flags. It says so to a process that evaluates cells; a command asks.
flagged = False

#: Code of ours in which a program begins, or a part of it that may take any time: between bytecodes of what it calls, another thread
#: may have a turn. While the program's code runs that any other code of ours has called, none may: ours has not finished.
entries = set()

#: More code of ours before which a handler must not be called: code that releases a lock.
uninterrupted = set()

#: Handlers of event loops: they only record the signal for the next time the loop waits.
_loop_handlers = weakref.WeakSet()


def bit(number):
    """The set of one signal."""
    return 1 << number - 1


def numbers(signals):
    """The signals of a set, lowest first."""
    return [number for number in range(1, LAST + 1) if signals & bit(number)] if signals else []


def begin():
    """A command begins: learn what it inherited, and handle SIGINT from now on. A process that evaluates cells has nothing to
    learn: it begins with no signal ignored, and the host keeps SIGINT for it from the start."""
    global flagged, ignored
    flagged, inherited = process.has_signal_flags(), process.ignored_signals()
    for number in numbers(inherited):
        set_handler(number, SIG_IGN)
    ignored = inherited | _USUAL
    if flagged:
        _handle()


def prepare():
    """Before the snapshot: the function that CPython calls when our flags are set, and the code during which it waits."""
    set_handler(between_bytecodes.OURS, _ours)
    # What is called between the bytecodes of a program, but not by it: that it has just been entered says nothing about the program.
    uninterrupted.update(function.__code__ for function in (_ours, *between_bytecodes.CALLBACKS))
    uninterrupted.update(_called_by_bindings())


def _ours(_, frame):
    """The handler of `between_bytecodes.OURS`."""
    _between_bytecodes(frame)


def _called_by_bindings():
    """The code of Python functions by which the bindings, which are C code, make the values that a call returns. That code cannot
    handle an exception: it would abort the interpreter."""
    functions = [enum.EnumType.__call__, enum.Enum.__new__, enum.Flag._missing_.__func__, weakref.finalize.__init__]
    for name, module in list(sys.modules.items()):
        if name == "componentize_py_types" or name.partition(".")[0] == "wit_world":
            functions += [kind.__init__ for kind in vars(module).values() if dataclasses.is_dataclass(kind)]
    if not any(function.__qualname__ == "Outcome.__init__" for function in functions):
        raise RuntimeError("the bindings are not among the modules: an interrupt could abort the interpreter")
    return {function.__code__ for function in functions}


def forget_interrupt():
    """Drop an interrupt that came too late for an evaluation: it is not for the next. The host drops those that we have not taken."""
    global pending
    pending &= ~bit(SIGINT)
    if _looks and not pending and not (_watched and not flagged):
        _look(False)


def decided(number, handler):
    """Record that the program decided about a signal; C code knows already."""
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
    """Mark `handler` as one that need not be called before its event loop waits."""
    _loop_handlers.add(handler)
    return handler


def tell():
    """Tell the host which signals are handled and ignored now, and check between bytecodes if necessary."""
    global _handled, _watched
    _handled = _watched = 0
    for number in range(1, LAST + 1):
        handler = getsignal(number)
        if not callable(handler) or (number == SIGINT and _int_set_by != "program"):
            continue
        _handled |= bit(number)
        if handler not in _loop_handlers:
            _watched |= bit(number)
    process.ignore_signals(ignored & ~blocked)
    _look(bool(_watched and not flagged))


def _look(on):
    """Start or stop checking between bytecodes."""
    global _looks
    _looks = on
    _handle()
    between_bytecodes.watch(on, _has_come)


def _handle():
    """Tell the host which signals are handled now."""
    interrupt = bit(SIGINT) if (flagged or _listens or _looks) and _waits_for_interrupt() else 0
    process.handle_signals(_handled | blocked | interrupt)


def renew():
    """Continue as another process, of which the host knows no more than of every new one: it handles SIGINT."""
    if _int_set_by == "program" or _handled or blocked or _looks or ignored != _USUAL:
        tell()


def may_come():
    """Whether there is a handler that may be called while the program waits."""
    return bool(_handled or process.get_alarm().after)


def _waits_for_interrupt():
    """Whether SIGINT is noticed only where the program waits."""
    return _int_set_by != "program" and callable(getsignal(SIGINT))


class Listening:
    """While this context is entered, SIGINT is handled whether the program decided about it or not."""

    __slots__ = ("_on",)

    def __enter__(self):
        global _listens
        self._on = not (flagged or _listens) and _waits_for_interrupt()
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
    """`poll.poll`: wait until one of these is ready. Handlers of signals that arrive meanwhile are called, and the wait
    continues unless `once` is set or `done` returns true: then the result may be empty. Other threads run meanwhile."""
    global _waits
    if threads.others:
        return threads.wait(pollables, once, done)
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
    """Wait for these or for a signal, once."""
    waits = [*pollables, process.signals_pollable()]
    try:
        if not pollables:
            waits.append(monotonic_clock.subscribe_duration(FOREVER))
        return [index for index in poll.poll(waits) if index < len(pollables)]
    finally:
        for own in waits[len(pollables) :]:
            drop(own)


def wait_for(pollable):
    """Wait for one thing, and release it."""
    try:
        if not pollable.ready():
            wait([pollable])
    finally:
        drop(pollable)


def waits(on):
    """Set whether we are about to wait; return whether we were."""
    global _waits
    before, _waits = _waits, on
    return before


def sleep(nanoseconds):
    """Wait for a time."""
    if threads.others:
        threads.sleep(nanoseconds)
        return
    wait_for(monotonic_clock.subscribe_duration(nanoseconds))


def gather():
    """Take the signals that arrived: they are pending now."""
    global pending
    # The call may call a handler, which may change this set: so the call comes first.
    came = process.take_signals()
    pending |= came


def post(number):
    """A signal that another thread raises: the first thread handles it."""
    global pending
    pending |= bit(number)
    threads.wake(threads.first)


def deliver(frame=None):
    """Handle the pending signals; return whether there was a function to call."""
    global pending, _waits
    gather()
    called, before = False, _waits
    try:
        while ready := pending & ~blocked:
            lowest = ready & -ready
            pending &= ~lowest
            _waits = False  # because of what the handler does
            called |= _act(lowest.bit_length(), frame)
            _waits = before
    finally:
        _waits = before
        if _looks and not (_watched and not flagged):
            _look(False)
    return called


def _between_bytecodes(frame):
    """As `deliver`, but not where the program is about to wait, because the wait checks first; and not within our own code,
    which takes the place of C code and must not be interrupted half way. What is pending is then delivered a little later."""
    if _waits:
        return
    if threads.others and not _is_for_first():
        if not _amid(frame) and not _within(frame):
            threads.turn()
    elif _amid(frame):
        if not _looks:
            _look(True)  # until it is delivered: the host sets our flags again only in some milliseconds, perhaps here
        between_bytecodes.again()
    else:
        deliver(frame)


def _is_for_first():
    """With several threads, whether a signal has come and the first thread runs. Another one wakes it."""
    gather()
    if pending & ~blocked and threads.current is not threads.first:
        threads.wake(threads.first)
        return False
    return bool(pending & ~blocked)


#: The instruction before the call of `__enter__`, and the first instruction of a function.
_LOAD_SPECIAL, _RESUME = opmap["LOAD_SPECIAL"], opmap["RESUME"]


def _amid(frame):
    """Whether a handler in this frame would find or leave something half done. This is so in our code; in code that the
    bindings called (from C, which cannot handle an exception) or that begins or ends a call of theirs, where no program
    runs; where locks are held that a handler may need (elsewhere a deadlock; where that code waits, it holds none); and
    where a `with` has entered but is not yet bound to exit, so that a lock would stay locked."""
    code, at = frame.f_code, frame.f_lasti
    if code in uninterrupted:
        return True
    if _is_closed(code):
        # A function that has just been entered has done nothing yet: this equals the state before its call. Without a caller, it was
        # called from C: an interrupt that came before an evaluation has begun belongs to its code, not to our function around it.
        entered = code.co_code[at] == _RESUME and code.co_code[at + 1] & 3 == 0
        frame = frame.f_back
        if not entered or frame is None or _is_closed(frame.f_code) or frame.f_code in uninterrupted:
            return True
    elif at >= 2 and code.co_code[at - 2] == _LOAD_SPECIAL:
        return True
    own = _our(frame)
    return own is None or own.f_code.co_filename.startswith(paths.BINDINGS)


def _within(frame):
    """Whether code of ours called this one, directly or not, and has not finished: a finalizer amid a lock that is handed over."""
    own = _our(frame)
    return own is not None and own.f_code not in entries


def _our(frame):
    """The innermost frame of ours, from this one outwards."""
    while frame is not None and not frame.f_code.co_filename.startswith(paths.OWN):
        frame = frame.f_back
    return frame


def _is_closed(code):
    return code.co_filename.startswith(paths.OWN) or code.co_filename in paths.LOCKING


def _act(number, frame):
    """Do what one signal asks for."""
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


entries.add(_act.__code__)


def _wake(number):
    """Write the number to the descriptor that the program chose."""
    try:
        os.write(wakeup, bytes([number]))
    except OSError as error:
        if not isinstance(error, BlockingIOError):
            sys.unraisablehook(_Unraisable(type(error), error, error.__traceback__))


class _Unraisable:
    """The argument of `sys.unraisablehook`."""

    err_msg, object = "Exception ignored while trying to write to the signal wakeup fd", None

    def __init__(self, kind, value, trace):
        self.exc_type, self.exc_value, self.exc_traceback = kind, value, trace


def _frame_of_program(frame):
    """The innermost frame that does not belong to this package, from this one outwards."""
    if frame is None:
        frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(paths.OWN):
        frame = frame.f_back
    return frame


def send_self(number):
    """Send a signal to this process itself: it has arrived when this returns. May raise the host's `Failure`."""
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
        pass  # the status reports it too


def _has_come():
    """Whether there is something to deliver."""
    if _waits:
        return False
    gather()
    return bool(pending & ~blocked)
