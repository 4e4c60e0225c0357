"""What programs use of threads: the functions and types of `_thread` and `queue.SimpleQueue`, on `threads`.

CPython's own locks would trap where one waits for another thread: the C library has none. `threading`, `queue`,
`concurrent.futures` and the rest of the library are unchanged. No other thread runs amid code of this package, so nothing here
needs a lock of its own.
"""

import _thread
import collections
import sys

from wit_world.imports import monotonic_clock, process

from . import paths, signals, threads

signals.entries.add(threads.program.__code__)

#: What is replaced, by its name in `_thread`.
_STANDARD = {name: getattr(_thread, name) for name in ("LockType", "RLock", "get_ident", "interrupt_main")}

TIMEOUT_MAX = _thread.TIMEOUT_MAX


def _end(timeout):
    """The time, in nanoseconds, when a wait of so many seconds is over."""
    return None if timeout is None or timeout < 0 else monotonic_clock.now() + min(int(timeout * 1e9), 1 << 62)


class Lock:
    """`threading.Lock`. Who releases it hands it to the thread that has waited longest."""

    __slots__ = ("__weakref__", "held", "waiters")

    def __init__(self):
        self.held = False
        self.waiters = ()

    def acquire(self, blocking=True, timeout=-1):
        """Take it, at once or when it is released."""
        if not self.held and blocking and timeout == -1:
            self.held = True
            return True
        return self._acquire(blocking, timeout)

    __enter__ = acquire_lock = acquire

    def _acquire(self, blocking, timeout):
        if not blocking and timeout != -1:
            raise ValueError("can't specify a timeout for a non-blocking call")
        if timeout < 0 and timeout != -1:
            raise ValueError("timeout value must be a non-negative number")
        if timeout > TIMEOUT_MAX:
            raise OverflowError("timestamp out of range for platform time_t")
        if self.held:
            if not blocking:
                return False
            if not self.waiters:
                self.waiters = collections.deque()
            return threads.wait_for_lock(self, _end(timeout))
        self.held = True
        return True

    def release(self):
        """Release it."""
        if not self.held:
            raise RuntimeError("release unlocked lock")
        if self.waiters:
            self.hand_over()
        else:
            self.held = False

    release_lock = release

    def __exit__(self, *_):
        if not self.held:
            raise RuntimeError("release unlocked lock")
        if self.waiters:
            self.hand_over()
        else:
            self.held = False

    def hand_over(self):
        """Give it to the thread that has waited longest."""
        if self.waiters:
            waiter = self.waiters.popleft()
            waiter.granted = True
            threads.wake(waiter.thread)
        else:
            self.held = False

    def locked(self):
        """Whether it is held."""
        return self.held

    locked_lock = locked

    def what(self, frame):
        """What a thread waits for that waits for this lock in `frame`."""
        while frame is not None and frame.f_code.co_filename.startswith(paths.OWN):
            frame = frame.f_back
        code = frame and frame.f_code
        if code is not None and code.co_filename in paths.LOCKING:
            outer = frame
            while outer.f_back is not None and outer.f_back.f_code.co_filename in paths.LOCKING:
                outer = outer.f_back
            return f"{outer.f_code.co_qualname}()"
        return f"a lock ({self!r})"

    def _at_fork_reinit(self):
        self.held = False
        self.waiters = ()

    def __repr__(self):
        return f"<{'locked' if self.held else 'unlocked'} _thread.lock object at {id(self):#x}>"

    def __reduce_ex__(self, _):
        raise TypeError("cannot pickle '_thread.lock' object")


class RLock:
    """`threading.RLock`."""

    __slots__ = ("__weakref__", "_count", "_lock", "_owner")

    def __init__(self):
        self._lock = Lock()
        self._owner = None
        self._count = 0

    def acquire(self, blocking=True, timeout=-1):
        """Take it once more, at once or when its owner has released it."""
        me = threads.current
        if self._owner is me:
            self._count += 1
            return True
        taken = self._lock.acquire(blocking, timeout)
        if taken:
            self._owner, self._count = me, 1
        return taken

    __enter__ = acquire

    def release(self):
        """Release it once."""
        if self._owner is not threads.current:
            raise RuntimeError("cannot release un-acquired lock")
        self._count -= 1
        if not self._count:
            self._owner = None
            self._lock.release()

    def __exit__(self, *_):
        self.release()

    def locked(self):
        """Whether it is held."""
        return self._lock.held

    def _is_owned(self):
        return self._owner is threads.current

    def _recursion_count(self):
        return self._count if self._owner is threads.current else 0

    def _release_save(self):
        if not self._count:
            raise RuntimeError("cannot release un-acquired lock")
        saved = self._count, self._owner
        self._count, self._owner = 0, None
        self._lock.release()
        return saved

    def _acquire_restore(self, saved):
        self._lock.acquire()
        self._count, self._owner = saved

    def _at_fork_reinit(self):
        self.__init__()

    def __repr__(self):
        state, owner = ("locked" if self._lock.held else "unlocked"), (self._owner.ident if self._owner else 0)
        return f"<{state} _thread.RLock object owner={owner} count={self._count} at {id(self):#x}>"

    def __reduce_ex__(self, _):
        raise TypeError("cannot pickle '_thread.RLock' object")


class Handle:
    """`_thread._ThreadHandle`: a thread that can be waited for."""

    __slots__ = ("__weakref__", "_done", "_thread", "ident", "waiters")

    def __init__(self, ident=0):
        self.ident = ident
        self._thread = None
        self._done = False
        self.waiters = ()

    def begin(self, thread):
        """It is the handle of this thread."""
        self._thread, self.ident = thread, thread.ident

    def is_done(self):
        """Whether the thread has ended."""
        return self._done

    def _set_done(self):
        self._done = True
        for thread in self.waiters:
            threads.wake(thread)

    def join(self, timeout=None):
        """Wait for its end, for at most `timeout` seconds."""
        if not self.ident:
            raise RuntimeError("thread not started")
        if self.ident == threads.current.ident and not self._done:
            raise RuntimeError("Cannot join current thread")
        end, me = _end(timeout), threads.current
        self.waiters = (*self.waiters, me)
        try:
            while not self._done:
                if me is threads.first:
                    signals.deliver()
                if self._done or (end is not None and monotonic_clock.now() >= end):
                    return
                threads.block(end=end, lock=self)
        finally:
            rest = list(self.waiters)
            rest.remove(me)
            self.waiters = tuple(rest)

    def what(self, _):
        """What a thread waits for that joins this one."""
        return f"the end of {threads.name_of(self._thread)}" if self._thread else "the end of a thread"

    def __repr__(self):
        return f"<_ThreadHandle object: ident={self.ident}>"


#: The handles of threads that are no daemons and have not ended.
_awaited = {}


def start_joinable_thread(function, handle=None, daemon=True):
    """`_thread.start_joinable_thread`."""
    handle = Handle() if handle is None else handle
    if handle.ident:
        raise RuntimeError("thread already started")

    def body():
        try:
            threads.program(function)
        except SystemExit:
            pass
        except BaseException as failure:
            _report(failure, function)
        finally:
            _awaited.pop(handle, None)
            handle._set_done()

    threads.start(body, daemon, handle.begin)
    if not daemon:
        _awaited[handle] = None
    return handle


def start_new_thread(function, args, kwargs=None, /):
    """`_thread.start_new_thread`."""
    if not callable(function):
        raise TypeError("first arg must be callable")
    if not isinstance(args, tuple):
        raise TypeError("2nd arg must be a tuple")
    if kwargs is not None and not isinstance(kwargs, dict):
        raise TypeError("optional 3rd arg must be a dictionary")
    keywords = kwargs or {}

    def body():
        try:
            threads.program(function, *args, **keywords)
        except SystemExit:
            pass
        except BaseException as failure:
            _report(failure, function)

    return threads.start(body, True, lambda thread: None).ident


class _Unraisable:
    """The argument of `sys.unraisablehook`."""

    err_msg = object = None

    def __init__(self, failure, function):
        self.exc_type, self.exc_value, self.exc_traceback = type(failure), failure, failure.__traceback__
        self.err_msg = f"Exception ignored in thread started by {function!r}"


def _report(failure, function):
    sys.unraisablehook(_Unraisable(failure, function))


def join_all():
    """`_thread._shutdown`: wait for all threads that are no daemons. A deadlock that the program was told of is not told again."""
    told = threads.deadlocks
    while _awaited:
        try:
            next(iter(_awaited)).join()
        except RuntimeError:
            if told and threads.deadlocks > told:
                return
            raise


def get_ident():
    """`threading.get_ident`."""
    return threads.current.ident


def get_native_id():
    """`threading.get_native_id`."""
    return process.pid() + threads.current.number


def count():
    """`_thread._count`."""
    return len(threads.others)


def stack_size(size=0, /):
    """`threading.stack_size`: it is always the same."""
    if size < 0 or 0 < size < 32768:
        raise ValueError("size must be 0 or a valid value")
    return 0


def interrupt_main(signum=signals.SIGINT, /):
    """`_thread.interrupt_main`: the signal arrives in the main thread."""
    if threads.current is threads.first:
        _STANDARD["interrupt_main"](signum)
    else:
        signals.post(signum)


def current_frames():
    """`sys._current_frames`."""
    frames = {thread.ident: thread.frame for thread in (threads.first, *threads.others.values()) if thread.frame is not None}
    return frames | {threads.current.ident: sys._getframe(1)}


class SimpleQueue:
    """`queue.SimpleQueue`."""

    __slots__ = ("__weakref__", "_items", "waiters")

    def __init__(self):
        self._items = collections.deque()
        self.waiters = collections.deque()

    def put(self, item, block=True, timeout=None):
        """Put an item at the end."""
        self._items.append(item)
        if self.waiters:
            threads.wake(self.waiters.popleft())

    def put_nowait(self, item):
        """As `put`."""
        self.put(item)

    def get(self, block=True, timeout=None):
        """Take the first item, at once or when there is one."""
        if timeout is not None and timeout < 0:
            raise ValueError("'timeout' must be a non-negative number")
        end = None
        if block and not self._items:
            end = _end(timeout)
        while not self._items:
            if not block or (end is not None and monotonic_clock.now() >= end):
                raise sys.modules["_queue"].Empty
            self._wait(end)
        return self._items.popleft()

    def _wait(self, end):
        me = threads.current
        if me is threads.first:
            signals.deliver()
            if self._items:
                return
        self.waiters.append(me)
        try:
            threads.block(end=end, lock=self)
        finally:
            if me in self.waiters:
                self.waiters.remove(me)
            elif self._items and self.waiters and sys.exception() is not None:
                threads.wake(self.waiters.popleft())  # what woke this one is for another now

    def get_nowait(self):
        """Take the first item, if there is one."""
        return self.get(False)

    def empty(self):
        """Whether it has no items."""
        return not self._items

    def qsize(self):
        """The number of items."""
        return len(self._items)

    def what(self, _):
        """What a thread waits for that waits for an item."""
        return "SimpleQueue.get()"

    __class_getitem__ = classmethod(type(list[int]))


def _named(kind, name, module):
    kind.__name__ = kind.__qualname__ = name
    kind.__module__ = module


def install_first():
    """Put the functions and types into `_thread`, and in place of those that modules have of it already."""
    _named(Lock, "lock", "_thread")
    _named(RLock, "RLock", "_thread")
    _named(Handle, "_ThreadHandle", "_thread")
    ours = {
        "allocate_lock": Lock, "allocate": Lock, "lock": Lock, "LockType": Lock, "RLock": RLock, "get_ident": get_ident,
        "start_new_thread": start_new_thread, "start_new": start_new_thread, "start_joinable_thread": start_joinable_thread,
        "_ThreadHandle": Handle, "_make_thread_handle": Handle, "_count": count, "stack_size": stack_size,
        "interrupt_main": interrupt_main, "_shutdown": join_all, "daemon_threads_allowed": lambda: True,
    }
    replaced = {id(getattr(_thread, name)): value for name, value in ours.items() if hasattr(_thread, name)}
    kept = [getattr(_thread, name, None) for name in ours]  # so that no other object gets their addresses
    for name, value in ours.items():
        setattr(_thread, name, value)
    for name, module in list(sys.modules.items()):
        if name == "_thread" or name.startswith(("_wisp", "wit_world", "componentize_py")):
            continue
        for attribute, value in list(getattr(module, "__dict__", {}).items()):
            if id(value) in replaced:
                setattr(module, attribute, replaced[id(value)])
            elif type(value) is _STANDARD["LockType"]:
                setattr(module, attribute, Lock())
            elif type(value) is _STANDARD["RLock"]:
                setattr(module, attribute, RLock())
    del kept
    if "threading" in sys.modules:
        _mend_threading()


def _mend_threading():
    """`threading` was imported before: its main thread has a handle of C."""
    threading = sys.modules["threading"]
    threading._CRLock = RLock
    main = threading._main_thread
    main._os_thread_handle = Handle(threads.first.ident)
    main._ident = threads.first.ident
    threading._active.clear()
    threading._active[threads.first.ident] = main
    threading._active_limbo_lock = threading.RLock()
    threading._shutdown_locks_lock = Lock()


def install():
    """The rest, when the library is imported."""
    import queue
    import threading

    if threading._allocate_lock is not Lock or threading._CRLock is not RLock:
        raise RuntimeError("threading has locks of C")
    _named(SimpleQueue, "SimpleQueue", "_queue")
    queue.SimpleQueue = SimpleQueue
    sys.modules["_queue"].SimpleQueue = SimpleQueue
    _thread.get_native_id = threading.get_native_id = get_native_id
    threading.Thread.native_id = property(_native_id, doc="The native identifier of this thread, None before it is started.")
    sys._current_frames = current_frames
    for method in (Lock.release, Lock.__exit__, Lock.hand_over, RLock.release, RLock.__exit__, RLock._release_save):
        signals.uninterrupted.add(method.__code__)


def _native_id(thread):
    """`Thread.native_id`."""
    return None if not thread.ident else process.pid() + (thread.ident - threads.first.ident) // threads._STEP
