"""Pools of threads: what CPython prints, this prints."""
import concurrent.futures as futures, threading, time, itertools, functools
from concurrent.futures import ThreadPoolExecutor

def case(function):
    try:
        print(f"{function.__name__}: {function()}")
    except Exception as error:
        print(f"{function.__name__}: {type(error).__name__}: {error}")

def slow(x):
    time.sleep(0.005)
    return x + 1

@case
def map_in_order():
    with ThreadPoolExecutor(4) as pool: return list(pool.map(slow, range(8)))

@case
def submit_and_result():
    with ThreadPoolExecutor() as pool: return [f.result() for f in [pool.submit(pow, 2, n) for n in range(5)]]

@case
def as_completed():
    with ThreadPoolExecutor(3) as pool:
        fs = {pool.submit(lambda n: (time.sleep(n * 0.02), n)[1], n): n for n in (3, 1, 2)}
        return [f.result() for f in futures.as_completed(fs)]

@case
def exceptions():
    with ThreadPoolExecutor(2) as pool:
        f = pool.submit(lambda: 1 / 0)
        g = pool.submit(int, "x")
        return type(f.exception()).__name__, str(g.exception())

@case
def an_exception_of_map():
    with ThreadPoolExecutor(2) as pool: return list(pool.map(lambda x: 10 // x, [5, 2, 0, 1]))

@case
def wait_for_the_first():
    with ThreadPoolExecutor(3) as pool:
        fs = [pool.submit(time.sleep, s) for s in (0.2, 0.001, 0.2)]
        done, rest = futures.wait(fs, return_when=futures.FIRST_COMPLETED)
        return len(done), len(rest), fs[1] in done

@case
def cancel_what_has_not_begun():
    with ThreadPoolExecutor(1) as pool:
        go = threading.Event()
        first = pool.submit(go.wait)
        second = pool.submit(print, "never")
        cancelled = second.cancel(), second.cancelled(), first.cancel()
        go.set()
        return cancelled

@case
def shutdown_cancels():
    pool = ThreadPoolExecutor(1)
    fs = [pool.submit(time.sleep, 0.01) for _ in range(4)]
    pool.shutdown(cancel_futures=True)
    try: pool.submit(print)
    except RuntimeError as error: return sum(f.cancelled() for f in fs) >= 2, str(error)

@case
def names_and_initializer():
    local = threading.local()
    def begin(): local.n = 7
    with ThreadPoolExecutor(2, thread_name_prefix="w", initializer=begin) as pool:
        return sorted(set(pool.map(lambda _: (threading.current_thread().name.split("_")[0], local.n), range(6))))

@case
def callbacks():
    out = []
    with ThreadPoolExecutor(2) as pool:
        for n in range(3): pool.submit(slow, n).add_done_callback(lambda f: out.append(f.result()))
    return sorted(out)

@case
def a_result_that_comes_too_late():
    with ThreadPoolExecutor(1) as pool:
        f = pool.submit(time.sleep, 0.05)
        try: f.result(timeout=0.001)
        except TimeoutError: return "too late"

@case
def pools_in_pools():
    with ThreadPoolExecutor(2) as outer:
        def inner(n):
            with ThreadPoolExecutor(2) as pool: return sum(pool.map(slow, range(n)))
        return list(outer.map(inner, (2, 3, 4)))

@case
def side_by_side():
    most, now, lock = [0], [0], threading.Lock()
    def work(_):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.005)
        with lock: now[0] -= 1
    with ThreadPoolExecutor(5) as pool: list(pool.map(work, range(20)))
    return most

@case
def from_multiprocessing_dummy():
    class Pool:
        """The shape of multiprocessing.pool.ThreadPool, as people write it by hand."""
        def __init__(self, n): self.pool = ThreadPoolExecutor(n)
        def starmap(self, f, rows): return [f.result() for f in [self.pool.submit(f, *row) for row in rows]]
    return Pool(3).starmap(pow, [(2, 3), (3, 2)])

@case
def retries():
    tries = itertools.count()
    def flaky():
        if next(tries) < 2: raise OSError("again")
        return "at last"
    def retry(f, n):
        for _ in range(n):
            try: return f()
            except OSError: time.sleep(0.001)
    with ThreadPoolExecutor() as pool: return pool.submit(retry, flaky, 5).result()

@case
def a_cache_that_all_use():
    calls = []
    @functools.lru_cache
    def square(x):
        calls.append(x)
        return x * x
    with ThreadPoolExecutor(4) as pool: return sum(pool.map(square, [1, 2, 3] * 5)), sorted(set(calls))
