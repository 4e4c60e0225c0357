import threads, threading, queue, time, io, logging, logging.handlers, random
from threading import Thread, Event, Condition, Barrier, Timer, Semaphore, Lock, RLock
import concurrent.futures as futures, concurrent.futures.thread

def workers():
    q, out = queue.Queue(), []
    def work():
        while True:
            item = q.get()
            if item is None: q.task_done(); return
            time.sleep(0.001); out.append(item * item); q.task_done()
    ts = [Thread(target=work) for _ in range(3)]
    for t in ts: t.start()
    for i in range(10): q.put(i)
    q.join()
    for _ in ts: q.put(None)
    for t in ts: t.join()
    assert sorted(out) == [i * i for i in range(10)] and threading.active_count() == 1

def bounded():
    q, got = queue.Queue(2), []
    def produce():
        for i in range(50): q.put(i)
        q.put(None)
    def consume():
        while (item := q.get()) is not None: got.append(item)
    ts = [Thread(target=consume), Thread(target=produce)]
    for t in ts: t.start()
    for t in ts: t.join()
    assert got == list(range(50))

def pool():
    def slow(x): time.sleep(0.02); return x + 1
    began = time.monotonic()
    with futures.ThreadPoolExecutor(4) as ex:
        assert list(ex.map(slow, range(8))) == list(range(1, 9))
        fs = [ex.submit(slow, i) for i in range(8)]
        assert sorted(f.result() for f in futures.as_completed(fs)) == list(range(1, 9))
        f = ex.submit(lambda: 1 / 0)
        assert isinstance(f.exception(), ZeroDivisionError)
    took = time.monotonic() - began
    assert took < 0.16, took          # 16 sleeps of 20 ms by 4 workers: 80 ms, not 320

def tools():
    out, ev, cond, bar, sem = [], Event(), Condition(), Barrier(3), Semaphore(2)
    inside = [0, 0]
    def a(n):
        ev.wait(); bar.wait()
        with sem:
            inside[0] += 1; inside[1] = max(inside); time.sleep(0.001); inside[0] -= 1
        with cond: out.append(n); cond.notify_all()
    ts = [Thread(target=a, args=(n,)) for n in range(3)]
    for t in ts: t.start()
    t = Timer(0.005, ev.set); t.start()
    with cond: assert cond.wait_for(lambda: len(out) == 3, timeout=2)
    for t in ts: t.join(1); assert not t.is_alive()
    assert inside[1] == 2 and not Event().wait(0.001)
    r = RLock()
    with r:
        with r: pass

def local_and_names():
    l, seen = threading.local(), []
    def f():
        l.x = threading.current_thread().name; time.sleep(0.001); seen.append(l.x == threading.current_thread().name)
    ts = [Thread(target=f, name=f"n{i}") for i in range(3)]
    for t in ts: t.start()
    for t in ts: t.join()
    assert seen == [True] * 3 and not hasattr(l, "x")

def log():
    q, stream = queue.SimpleQueue(), io.StringIO()
    listener = logging.handlers.QueueListener(q, logging.StreamHandler(stream)); listener.start()
    logger = logging.getLogger("x"); logger.addHandler(logging.handlers.QueueHandler(q)); logger.propagate = False
    logger.warning("one"); logger.warning("two"); listener.stop()
    assert stream.getvalue() == "one\ntwo\n"

def generators():
    """Each thread is inside nested generators and a sort's key function when it is switched."""
    def f(n):
        def g():
            for i in range(3): time.sleep(0); yield sorted(range(3), key=lambda x: (time.sleep(0), -x)[1])
        return [x for y in g() for x in y]
    with futures.ThreadPoolExecutor(5) as ex: assert list(ex.map(f, range(20))) == [[2, 1, 0] * 3] * 20

def deadlock():
    a, b = Lock(), Lock()
    def f():
        with b: time.sleep(0.001); a.acquire(timeout=0.05)
    with a:
        t = Thread(target=f, name="other"); t.start(); time.sleep(0.002)
        assert b.acquire(timeout=1); b.release()      # the other gives up after 50 ms
    t.join()
    q = queue.Queue()
    try: q.get()
    except threads.Deadlock as error: return str(error)
    raise AssertionError

def many(n):
    began, s0 = time.perf_counter_ns(), threads.switches
    ts = [Thread(target=lambda: [time.sleep(0) for _ in range(5)]) for _ in range(n)]
    for t in ts: t.start()
    for t in ts: t.join()
    return f"{n} threads at once, {threads.switches - s0} switches, {(time.perf_counter_ns() - began) / 1e6:.0f} ms"

def programs():
    lines = []
    for f in (workers, bounded, pool, tools, local_and_names, log, generators, deadlock):
        try: lines.append(f"{f.__name__}: ok {f() or ''}")
        except BaseException as error:
            import traceback; lines.append(f"{f.__name__}: " + traceback.format_exc())
    return "\n  " + "\n  ".join(lines)
