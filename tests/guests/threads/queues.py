"""Producers and consumers: what CPython prints, this prints."""
import queue, threading, time, random, collections, heapq
from threading import Thread

def case(function):
    try:
        print(f"{function.__name__}: {function()}")
    except Exception as error:
        print(f"{function.__name__}: {type(error).__name__}: {error}")

@case
def workers_and_join():
    q, out = queue.Queue(), []
    def work():
        while True:
            item = q.get()
            if item is None:
                q.task_done()
                return
            time.sleep(0.001)
            out.append(item * item)
            q.task_done()
    ts = [Thread(target=work) for _ in range(3)]
    for t in ts: t.start()
    for i in range(10): q.put(i)
    q.join()
    for _ in ts: q.put(None)
    for t in ts: t.join()
    return sorted(out), threading.active_count()

@case
def bounded_queue():
    q, got = queue.Queue(2), []
    def produce():
        for i in range(50): q.put(i)
        q.put(None)
    def consume():
        while (item := q.get()) is not None: got.append(item)
    ts = [Thread(target=consume), Thread(target=produce)]
    for t in ts: t.start()
    for t in ts: t.join()
    return got == list(range(50))

@case
def three_stages():
    a, b, c = queue.Queue(1), queue.Queue(1), queue.SimpleQueue()
    def stage(source, target, f):
        for item in iter(source.get, None): target.put(f(item))
        target.put(None)
    Thread(target=stage, args=(a, b, lambda x: x + 1)).start()
    Thread(target=stage, args=(b, c, lambda x: x * 10)).start()
    Thread(target=lambda: [a.put(x) for x in (1, 2, 3, None)]).start()
    return list(iter(c.get, None))

@case
def priorities():
    q = queue.PriorityQueue()
    for item in [(3, "c"), (1, "a"), (2, "b")]: q.put(item)
    out = []
    t = Thread(target=lambda: [out.append(q.get()) for _ in range(3)])
    t.start(); t.join()
    return out

@case
def last_in_first_out():
    q = queue.LifoQueue()
    for i in range(4): q.put(i)
    return [q.get() for _ in range(4)]

@case
def time_out():
    q = queue.Queue(1)
    seen = []
    for f in (lambda: q.get(timeout=0.01), lambda: q.get_nowait(), lambda: (q.put(1), q.put(2, timeout=0.01)), lambda: q.put_nowait(3)):
        try: f()
        except (queue.Empty, queue.Full) as error: seen.append(type(error).__name__)
    return seen

@case
def shut_down():
    q, seen = queue.Queue(), []
    def work():
        try:
            while True: seen.append(q.get())
        except queue.ShutDown: seen.append("shut down")
    t = Thread(target=work)
    t.start()
    q.put(1)
    time.sleep(0.005)
    q.shutdown()
    t.join()
    try: q.put(2)
    except queue.ShutDown: seen.append("no more")
    return seen

@case
def simple_queue():
    q = queue.SimpleQueue()
    Thread(target=lambda: (time.sleep(0.005), q.put("late"))).start()
    first = q.get()
    try: q.get(timeout=0.005)
    except queue.Empty: first += ", then nothing"
    return first, q.qsize(), q.empty(), type(q).__name__

@case
def many_of_both():
    q, total = queue.Queue(5), []
    lock = threading.Lock()
    def produce(n):
        for i in range(20): q.put(n * 100 + i)
    def consume():
        while (item := q.get()) is not None:
            with lock: total.append(item)
    producers = [Thread(target=produce, args=(n,)) for n in range(4)]
    consumers = [Thread(target=consume) for _ in range(3)]
    for t in producers + consumers: t.start()
    for t in producers: t.join()
    for _ in consumers: q.put(None)
    for t in consumers: t.join()
    return len(total), sum(total)

@case
def a_generator_fed_by_a_thread():
    def feed(items):
        q = queue.Queue(1)
        def run():
            for item in items: q.put((item,))
            q.put(None)
        Thread(target=run, daemon=True).start()
        while (one := q.get()) is not None: yield one[0]
    return sum(feed(range(30)))

@case
def a_deque_and_a_condition():
    things, ready, out = collections.deque(), threading.Condition(), []
    def consume():
        while len(out) < 5:
            with ready:
                while not things: ready.wait()
                out.append(things.popleft())
    t = Thread(target=consume)
    t.start()
    for i in range(5):
        with ready:
            things.append(i)
            ready.notify()
        time.sleep(0)
    t.join()
    return out

@case
def pub_and_sub():
    boxes = [queue.Queue() for _ in range(3)]
    got = [[] for _ in boxes]
    def listen(n):
        for message in iter(boxes[n].get, "stop"): got[n].append(message)
    ts = [Thread(target=listen, args=(n,)) for n in range(3)]
    for t in ts: t.start()
    for message in ("one", "two", "stop"):
        for box in boxes: box.put(message)
    for t in ts: t.join()
    return got
