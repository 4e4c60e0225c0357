"""Threads: which one runs. `locks` has what programs use of them.

One thread runs at a time; the host keeps a stack for each (`wisp:sandbox/threads`) and `_wisp_threads` what CPython needs. A
thread lets others run where it waits, and every few milliseconds while it computes (`turn`). A thread that is about to wait chooses
the next: one that is ready, else the process waits for all that the threads wait for, in one call. Nothing of this runs in a process
that has one thread. In an image without `_wisp_threads` there is never another (`available`), and its locks work all the same.
"""

import _thread
import collections
import sys

from componentize_py_types import Err
from wit_world.imports import monotonic_clock, poll, process

from . import paths, signals
from .handles import drop

try:
    import _wisp_threads as native
except ModuleNotFoundError:  # the data image: its exceptions and threads exclude each other (host/wisp/src/exec/threads.rs)
    native = host = None
else:
    from wit_world.imports import threads as host

#: Whether this image can have more than one thread.
available = native is not None

#: `_PY_SIGNALS_PENDING_BIT` of `eval_breaker`: CPython looks whether a signal came.
_PENDING = 1 << 1

#: What lies between two identifiers of threads.
_STEP = 1 << 12

#: Switches after which threads are looked for whose time has come, although others are ready.
_PATIENCE = 32


class Thread:
    """A thread. Its `number` is the host's; `waits` is what it waits for, None while it runs."""

    __slots__ = ("begun", "body", "chosen", "daemon", "ended", "error", "frame", "ident", "number", "ready", "record", "waits")

    def __init__(self, number, ident):
        self.number, self.ident = number, ident
        self.begun = self.chosen = self.ready = self.ended = self.daemon = False
        self.body = self.error = self.frame = self.record = self.waits = None


class Waits:
    """What a thread waits for: the time, in nanoseconds; pollables; a function; the lock that another thread must release.

    No `namedtuple`: the code of one is not this package's, and another thread could run in the middle of it (`signals._amid`)."""

    __slots__ = ("done", "end", "lock", "pollables")

    def __init__(self, end, pollables, done, lock):
        self.end, self.pollables, self.done, self.lock = end, pollables, done, lock


_NOTHING = Waits(None, (), None, None)

#: The thread that the program began with, and the one that runs.
first = current = Thread(0, _thread.get_ident())
first.begun = True

#: The other threads, by number; those that wait, the longest first; those that can go on.
others = {}
_waiting = {}
_ready = collections.deque()

#: Records of threads that have ended.
_over = []

#: Switches until `_look`.
_left = _PATIENCE

#: How often a deadlock was found.
deadlocks = 0

_ONE = "wisp runs one thread per process with the policy `data`; use subprocess for work side by side"


def start(body, daemon, prepare):
    """Make a thread that will do `body`, and return it. `prepare` is called with it before it can run."""
    if not available:
        raise RuntimeError(f"can't start new thread: {_ONE}")
    record = native.new()
    if not record:
        raise RuntimeError("can't start new thread: there is no memory for its stack (limits.memory)")
    try:
        number = host.make(native.word(record), _PENDING)
    except Err as refused:
        native.free(record)
        raise RuntimeError(f"can't start new thread: {_reason(refused.value)}") from None
    thread = others[number] = Thread(number, first.ident + number * _STEP)
    thread.body, thread.daemon, thread.record = body, daemon, record
    prepare(thread)
    wake(thread)
    return thread


def _reason(refusal):
    """Why the host makes no thread."""
    if refusal == host.Refusal.TOO_MANY:
        return "a process has at most 256, and all sessions together 4,096"
    if refusal == host.Refusal.NO_MEMORY:
        return "each is charged to limits.memory, which has no room for another"
    return "this machine's memory is not copied on write, without which no thread can be given turns (`wisp doctor`)"


def enter(number):
    """The call in which a thread runs, from `thread-entry`."""
    thread = others[number]
    body, thread.body = thread.body, None
    try:
        body()
    except SystemExit:
        pass
    except BaseException as failure:  # nothing may get to the host
        sys.unraisablehook(_Unraisable(failure))
    signals.waits(True)
    thread.ended = True
    del others[number]
    _over.append(thread.record)


if available:
    native.entry(enter)


class _Unraisable:
    """The argument of `sys.unraisablehook`."""

    err_msg, object = "Exception ignored in thread", None

    def __init__(self, failure):
        self.exc_type, self.exc_value, self.exc_traceback = type(failure), failure, failure.__traceback__


def wake(thread):
    """Let a thread go on when its turn comes."""
    if not thread.ready:
        thread.ready = True
        _ready.append(thread)


def block(end=None, pollables=(), done=None, lock=None):
    """Wait until something of this has come, or perhaps for nothing: the caller looks again. Others run meanwhile."""
    before = signals.waits(True)  # first: during what follows, no other thread may run and wake this one
    me = current
    outer, me.waits = me.waits, Waits(end, pollables, done, lock)
    me.chosen = False
    _waiting[me] = None
    if outer is not None and not available and me.ready:  # that was for the outer wait, which is woken below
        _ready.remove(me)
        me.ready = False
    me.frame = sys._getframe(1)
    try:
        while not me.chosen:
            following = _next()
            if following is me:
                break
            _switch(me, following)
    finally:
        me.waits = outer
        me.frame = None
        if outer is None:
            del _waiting[me]
        else:
            wake(me)  # a finalizer waited while its thread did, or a task of a pool (`caller_pool`)
        signals.waits(before)
    _check(me)


def _check(me):
    """Raise what was meant for this thread while others ran."""
    if me.error is not None:
        error, me.error = me.error, None
        raise error


def program(function, *arguments, **keywords):
    """Call the function of a thread: its program begins here (`signals.entries`)."""
    _check(current)
    return function(*arguments, **keywords)


def turn():
    """Let others run, if any is ready."""
    _look()
    if _ready:
        give()


def give():
    """Let those run that are ready, then go on."""
    wake(current)
    block()


def poke():
    """Something happened that a thread may wait for with a function."""
    global _left
    _left = 1


class Waiter:
    """A thread in the row before a lock, and whether it was handed over. A handler of a signal may wait for another lock meanwhile."""

    __slots__ = ("granted", "thread")

    def __init__(self, thread):
        self.thread, self.granted = thread, False


def wait_for_lock(lock, end):
    """Wait for a lock, whose `waiters` this thread joins. Returns whether it was handed over: then it is this thread's."""
    me = current
    waiter = Waiter(me)
    lock.waiters.append(waiter)
    try:
        while not waiter.granted:
            if me is first:
                signals.deliver()
                if waiter.granted:  # while a handler ran
                    return True
                if not lock.held:
                    lock.held = True  # a handler released it
                    return True
            if end is not None and monotonic_clock.now() >= end:
                return False
            block(end=end, lock=lock)
        return True
    except BaseException:
        if waiter.granted:
            lock.hand_over()
        raise
    finally:
        if not waiter.granted:
            lock.waiters.remove(waiter)


def sleep(nanoseconds):
    """Wait for a time."""
    end = monotonic_clock.now() + nanoseconds
    while True:
        if current is first:
            signals.deliver()
        if monotonic_clock.now() >= end:
            return
        block(end=end)


def wait(pollables, once, done):
    """As `signals.wait`, which calls this while there are other threads."""
    while True:
        if current is first and signals.deliver() and once:
            return []
        if done is not None and done():
            return []
        if ready := [index for index, pollable in enumerate(pollables) if pollable.ready()]:
            return ready
        block(pollables=pollables, done=done)


def _switch(me, to):
    """Run another thread. Returns when this one was chosen, or, for the first, when a thread has ended."""
    global current
    signals.waits(False)
    if to.ended:  # a finalizer that ran since `_next` has let others run
        signals.waits(True)
        return
    to.chosen = True
    current = to
    if to.begun:
        native.switch(to.number)
    else:
        to.begun = True
        native.start(to.number, to.record)
    current = me
    signals.waits(True)
    while _over:
        native.free(_over.pop())


def _next():
    """The thread that goes on."""
    global _left
    while True:
        _left -= 1
        if _left <= 0:
            _look()
        while _ready:
            thread = _ready.popleft()
            thread.ready = False
            if thread in _waiting or not thread.begun:
                return thread
        _idle()


def _look():
    """Wake all whose time has come."""
    global _left
    _left = _PATIENCE
    now = monotonic_clock.now()
    for thread in list(_waiting):
        waits = thread.waits
        due = waits.end is not None and waits.end <= now
        if due or (waits.done is not None and waits.done()) or any(pollable.ready() for pollable in waits.pollables):
            wake(thread)


def _idle():
    """None is ready: wait for all that they wait for, and wake those for whom it has come."""
    pollables, owners, ends = [], [], []
    for thread in list(_waiting):
        waits = thread.waits
        if waits.done is not None and waits.done():
            wake(thread)
            return
        if waits.end is not None:
            ends.append(waits.end)
        pollables.extend(waits.pollables)
        owners.extend([thread] * len(waits.pollables))
    if not pollables and not ends and all(thread.waits.lock is not None for thread in _waiting) and not signals.may_come():
        global deadlocks
        deadlocks += 1
        first.error = RuntimeError(_deadlock())
        wake(first)
        return
    own = [process.signals_pollable()]
    if ends:
        left = min(ends) - monotonic_clock.now()
        if left <= 0:
            drop(own[0])
            _look()
            return
        own.append(monotonic_clock.subscribe_duration(left))
    elif not pollables:
        own.append(monotonic_clock.subscribe_duration(signals.FOREVER))
    try:
        with signals.Listening():
            came = poll.poll([*pollables, *own])
    finally:
        for pollable in own:
            drop(pollable)
    for index in came:
        if index < len(pollables):
            wake(owners[index])
        elif index == len(pollables):
            wake(first)
        else:
            _look()


def _deadlock():
    """Why nothing goes on: each thread, the lock that it waits for, and where."""
    lines = [f"deadlock: {'every thread waits' if others else 'it waits'} for something that no thread can do any more"]
    for thread in _waiting:
        frame = frame_of_program(thread.frame)
        where = f" at {frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else ""
        lines.append(f"  {name_of(thread)} waits for {thread.waits.lock.what(thread.frame)}{where}")
    return "\n".join(lines)


def name_of(thread):
    """A thread's name, as `threading` has it."""
    known = sys.modules["threading"]._active.get(thread.ident)
    return known.name if known is not None else "MainThread" if thread is first else f"thread {thread.number}"


def frame_of_program(frame):
    """The innermost frame that is not the library's, if there is one."""
    while frame is not None and _is_librarys(frame.f_code.co_filename) and not in_packages(frame):
        frame = frame.f_back
    return frame


def _is_librarys(name):
    return name.startswith((*paths.OWN, paths.LIBRARY + "/", "<frozen ", *paths.STANDARD))


def in_packages(frame):
    """Whether a frame is of a package that was installed."""
    return frame.f_code.co_filename.startswith(paths.SITE_PACKAGES)


#: How many turns each thread gets to end, and after how many of them `SystemExit` is raised in it once more.
_ROUNDS, _PAUSE = 100, 4


def end_all(gentle=()):
    """End all other threads: `SystemExit` is raised where each waits, or has its next turn; in those of `gentle` only if they do not end
    when they are woken. Returns those that would not end: they catch it again and again, and the host ends the process (`evaluate`)."""
    for number in range(_ROUNDS):
        for thread in list(others.values()):
            if number % _PAUSE == 0 and (number or thread not in gentle):
                thread.error = SystemExit()
            wake(thread)
        if not others:
            break
        give()
    return list(others.values())
