"""A scheduler for cooperative threads, in Python: what `threading` needs of `_thread`, on `_spike.start` and `_spike.switch`."""
import collections, time, threading, _thread, _spike

_sleep, _now = time.sleep, time.monotonic
bodies, waiting, names = {}, collections.OrderedDict(), {}
current, last = 0, 100
switches = 0

class Deadlock(RuntimeError): pass

def wait(done, end=None, give=False):
    """Let others run until `done()`; False when `end` has come."""
    global current, switches
    me = current
    while True:
        if not give:
            if done(): return True
            if end is not None and _now() >= end: return False
        give = False
        waiting[me] = (done, end)
        waiting.move_to_end(me)
        next = pick()
        del waiting[next]
        if next == me: continue
        current, fresh = next, next in bodies
        switches += 1
        (_spike.start if fresh else _spike.switch)(next)
        current = me
        waiting.pop(me, None)

def pick():
    while True:
        for id, (done, end) in waiting.items():
            if done() or (end is not None and _now() >= end): return id
        ends = [end for _, end in waiting.values() if end is not None]
        if not ends:
            raise Deadlock("every thread waits for another: " + ", ".join(names.get(id, "MainThread") for id in waiting))
        _sleep(max(0, min(ends) - _now()))   # here: poll of all that the threads wait for

class Lock:
    def __init__(self): self.held = False
    def acquire(self, blocking=True, timeout=-1):
        if self.held:
            if not blocking or timeout == 0: return False
            if not wait(lambda: not self.held, None if timeout < 0 else _now() + timeout): return False
        self.held = True
        return True
    def release(self):
        if not self.held: raise RuntimeError("release unlocked lock")
        self.held = False
    def locked(self): return self.held
    def _at_fork_reinit(self): self.held = False
    __enter__ = acquire
    def __exit__(self, *_): self.release()

class Handle:
    def __init__(self, ident=None): self.ident, self.done = ident, False
    def is_done(self): return self.done
    def _set_done(self): self.done = True
    def join(self, timeout=None): wait(lambda: self.done, None if timeout is None else _now() + timeout)

def start_joinable_thread(function, handle=None, daemon=True):
    global last
    last += 1
    handle.ident = last
    def body():
        global current
        current = handle.ident
        try: function()
        finally: handle.done = True
    bodies[last] = body
    names[last] = getattr(getattr(function, "__self__", None), "name", "?")
    waiting[last] = (lambda: True, None)
    return handle

def enter(id): bodies.pop(id)()

def install():
    import queue
    real = _thread.get_ident()
    get_ident = lambda: current or real
    for module, values in ((_thread, dict(allocate_lock=Lock, LockType=Lock, lock=Lock, get_ident=get_ident, _ThreadHandle=Handle, start_joinable_thread=start_joinable_thread, RLock=threading._PyRLock)),
                           (threading, dict(_allocate_lock=Lock, Lock=Lock, get_ident=get_ident, _ThreadHandle=Handle, _start_joinable_thread=start_joinable_thread, _CRLock=None)),
                           (queue, dict(SimpleQueue=queue._PySimpleQueue)),
                           (time, dict(sleep=lambda s: wait(lambda: False, _now() + s, s <= 0)))):
        for name, value in values.items(): setattr(module, name, value)
    main = threading._main_thread
    threading._active.clear(); main._os_thread_handle = Handle(real); threading._active[real] = main
    threading._active_limbo_lock = threading.RLock()
install()
