"""Locks, conditions, barriers, events, timers: what CPython prints, this prints."""
import threading, time, contextvars, sys, _thread
from threading import Thread, Event, Condition, Barrier, Timer, Semaphore, BoundedSemaphore, Lock, RLock

def case(function):
    try:
        print(f"{function.__name__}: {function()}")
    except Exception as error:
        print(f"{function.__name__}: {type(error).__name__}: {error}")

def together(*functions):
    ts = [Thread(target=f) for f in functions]
    for t in ts: t.start()
    for t in ts: t.join()

@case
def a_counter_under_a_lock():
    n, lock = [0], Lock()
    def add():
        for _ in range(200):
            with lock:
                seen = n[0]
                time.sleep(0)
                n[0] = seen + 1
    together(add, add, add)
    return n

@case
def an_event():
    go, out = Event(), []
    def waits(n): out.append((go.wait(), n))
    ts = [Thread(target=waits, args=(n,)) for n in range(3)]
    for t in ts: t.start()
    go.set()
    for t in ts: t.join()
    return sorted(out), Event().wait(0.001)

@case
def ping_pong():
    turn, out = Condition(), []
    def play(me, other):
        for _ in range(3):
            with turn:
                turn.wait_for(lambda: state[0] == me)
                out.append(me)
                state[0] = other
                turn.notify_all()
    state = ["ping"]
    together(lambda: play("ping", "pong"), lambda: play("pong", "ping"))
    return out

@case
def a_barrier():
    barrier, out = Barrier(3, action=lambda: out.append("all here")), []
    def party():
        barrier.wait()
        out.append("on")
    together(party, party, party)
    return out, barrier.broken

@case
def a_broken_barrier():
    barrier, out = Barrier(2), []
    def party():
        try: barrier.wait(0.01)
        except threading.BrokenBarrierError: out.append("broken")
    together(party)
    return out, barrier.broken

@case
def a_semaphore():
    sem, now, most = Semaphore(2), [0], [0]
    def work():
        with sem:
            now[0] += 1
            most[0] = max(most[0], now[0])
            time.sleep(0.002)
            now[0] -= 1
    together(*[work] * 6)
    bounded = BoundedSemaphore(1)
    try: bounded.release()
    except ValueError as error: return most, str(error)

@case
def an_rlock():
    lock, out = RLock(), []
    def other(): out.append(lock.acquire(timeout=0.005))
    with lock:
        with lock: together(other)
    try: lock.release()
    except RuntimeError as error: out.append(str(error))
    together(lambda: out.append(lock.acquire()))
    return out

@case
def try_and_time_out():
    lock, out = Lock(), []
    lock.acquire()
    together(lambda: out.extend([lock.acquire(False), lock.acquire(timeout=0.005), lock.locked()]))
    Timer(0.005, lock.release).start()
    return out, lock.acquire(timeout=2)

@case
def timers():
    out, done = [], Event()
    late = Timer(60, out.append, ["never"])
    late.start()
    Timer(0.01, lambda: (out.append("second"), done.set())).start()
    Timer(0.001, out.append, ["first"]).start()
    done.wait()
    late.cancel()
    late.join()
    return out

@case
def every_some_milliseconds():
    """A loop as `schedule` has it, in the background, until it is told to stop."""
    stop, ticks = Event(), []
    def loop():
        while not stop.wait(0.002): ticks.append(1)
    t = Thread(target=loop)
    t.start()
    while len(ticks) < 3: time.sleep(0.001)
    stop.set()
    t.join()
    return len(ticks) >= 3

@case
def thread_locals():
    local, seen = threading.local(), []
    def f():
        local.x = threading.current_thread().name
        time.sleep(0.001)
        seen.append(local.x == threading.current_thread().name)
    ts = [Thread(target=f, name=f"n{i}") for i in range(3)]
    for t in ts: t.start()
    for t in ts: t.join()
    return seen, hasattr(local, "x")

@case
def locals_of_a_class():
    class Mine(threading.local):
        def __init__(self, start): self.n = start
    mine, seen = Mine(5), []
    def f():
        mine.n += 1
        time.sleep(0.001)
        seen.append(mine.n)
    mine.n = 100
    together(f, f)
    return seen, mine.n

@case
def context_variables():
    var, seen = contextvars.ContextVar("var", default="none"), []
    var.set("main")
    together(lambda: seen.append(var.get()))
    together(lambda: contextvars.copy_context().run(lambda: (var.set("own"), seen.append(var.get()))))
    return var.get(), seen[-1]

@case
def identities():
    idents = set()
    def f():
        idents.add(threading.get_ident())
        time.sleep(0.005)
    together(f, f, f)
    main = threading.main_thread()
    return len(idents), threading.get_ident() in idents, main.ident == threading.get_ident(), len({t.ident for t in threading.enumerate()})

@case
def frames_of_all():
    go, ready = Event(), Event()
    def deep():
        ready.set()
        go.wait()
    t = Thread(target=deep)
    t.start()
    ready.wait()
    time.sleep(0.002)
    names = set()
    frame = sys._current_frames()[t.ident]
    while frame:
        names.add(frame.f_code.co_name)
        frame = frame.f_back
    go.set()
    t.join()
    return "deep" in names, len(sys._current_frames())

@case
def readers_and_a_writer():
    class Shared:
        def __init__(self): self.readers, self.lock, self.free = 0, Lock(), Semaphore(1)
        def read(self):
            with self.lock:
                self.readers += 1
                if self.readers == 1: self.free.acquire()
            time.sleep(0.001)
            value = store[0]
            with self.lock:
                self.readers -= 1
                if not self.readers: self.free.release()
            return value
        def write(self, value):
            with self.free: store[0] = value
    store, shared, seen = [0], Shared(), []
    together(*[lambda: seen.append(shared.read())] * 4, lambda: shared.write(9))
    return len(seen), store

@case
def philosophers():
    forks, meals = [Lock() for _ in range(5)], []
    def dine(n):
        first, second = sorted((n, (n + 1) % 5))
        for _ in range(3):
            with forks[first]:
                time.sleep(0)
                with forks[second]: meals.append(n)
    together(*[lambda n=n: dine(n) for n in range(5)])
    return len(meals)

@case
def what_is_refused():
    out = []
    t = Thread(target=lambda: None)
    for f in (t.join, lambda: (t.start(), t.start()), lambda: threading.current_thread().join(), lambda: Lock().release(), lambda: RLock().release(),
              lambda: Condition().notify(), lambda: _thread.start_new_thread(1, ())):
        try: f()
        except (RuntimeError, TypeError) as error: out.append(str(error))
    t.join()
    return out

@case
def low_level():
    done = _thread.allocate_lock()
    done.acquire()
    ident = _thread.start_new_thread(lambda a, b: (out.append(a + b), done.release()), (1,), {"b": 2}) if (out := []) == [] else None
    done.acquire()
    return out, isinstance(ident, int), type(done).__name__

@case
def spinning():
    """Nothing waits here: the threads are given turns."""
    flag, n = [False], [0]
    def work():
        for _ in range(3):
            for _ in range(20000): n[0] += 1
        flag[0] = True
    Thread(target=work).start()
    while not flag[0]: pass
    return n

@case
def spinning_on_both_sides():
    state = [0]
    def other():
        while state[0] != 1: pass
        state[0] = 2
    t = Thread(target=other)
    t.start()
    state[0] = 1
    while state[0] != 2: pass
    t.join()
    return state

@case
def a_handler_that_waits_for_another_lock():
    import signal
    outer, inner, handles = Lock(), Lock(), threading.Event()
    outer.acquire()
    inner.acquire()
    def handler(*_):
        handles.set()
        inner.acquire()
    before = signal.signal(signal.SIGALRM, handler)
    def other():
        handles.wait()
        outer.release()
        inner.release()
    t = Thread(target=other)
    t.start()
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    outer.acquire()
    t.join()
    signal.signal(signal.SIGALRM, before)
    return outer.locked(), inner.locked()

@case
def two_thousand_in_turn():
    total = [0]
    def add(): total[0] += 1
    for _ in range(2000):
        t = Thread(target=add)
        t.start()
        t.join()
    return total

@case
def inside_generators_and_sorts():
    def f(n):
        def g():
            for _ in range(3):
                time.sleep(0)
                yield sorted(range(3), key=lambda x: (time.sleep(0), -x)[1])
        out.append([x for y in g() for x in y] == [2, 1, 0] * 3)
    out = []
    together(*[lambda n=n: f(n) for n in range(5)])
    return all(out)

@case
def recursion_in_a_thread():
    out = []
    def nest(value):
        for _ in range(100000): value = [value]
        return value
    def f(n): return f(n + 1)
    def body():
        import json
        for what in (lambda: f(0), lambda: repr(nest(1)), lambda: json.loads("[" * 100000)):
            try: what()
            except RecursionError: out.append("RecursionError")
    together(body)
    return out
