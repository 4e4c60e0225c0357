import asyncio
import concurrent.futures
import logging
import multiprocessing as mp
import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from multiprocessing.dummy import Pool as DummyPool
from multiprocessing.pool import ThreadPool

import numpy as np


def bad(x):
    if x == 3:
        raise ValueError(f"bad {x}")
    return x

def total(n):
    return float(np.arange(n).sum())

def endless():
    n = 0
    while n < 100:
        yield n
        n += 1

def set_base(value):
    global base
    base = value

def broken():
    raise OSError("no")

def later():
    time.sleep(0.3)
    print("before the interpreter ends")

def thread_pools():
    seen, errors = [], []
    with ThreadPool(3) as pool:
        print(pool.map(total, range(0, 1000, 100)), pool.map(lambda x: -x, range(7), chunksize=3))
        print(list(pool.imap(total, endless()))[-1], sorted(pool.imap_unordered(abs, range(-50, 50), 7))[-3:])
        print(pool.starmap(pow, [(2, 3), (3, 2)]), pool.apply(np.linalg.norm, ([3.0, 4.0],)).item())
        results = [pool.apply_async(total, (n,), callback=seen.append) for n in range(4)]
        while not all(result.ready() for result in results):
            time.sleep(0.01)
        print(sorted(seen), all(result.successful() for result in results))
        result = pool.apply_async(bad, (3,), error_callback=errors.append)
        result.wait()
        print(result.successful(), errors)
        try:
            pool.map(bad, range(5))
        except ValueError as error:
            print(error)
        each, got = pool.imap(bad, range(5)), []
        while True:
            try:
                got.append(next(each))
            except ValueError as error:
                got.append(str(error))
            except StopIteration:
                break
        print(got)
        print(pool.map_async(total, [10, 20]).get(), pool.starmap_async(pow, [(2, 2)]).get(5))
        work = queue.Queue()
        pool.apply_async(lambda: [work.put(n) for n in range(3)])
        print([work.get() for _ in range(3)])
    pool = ThreadPool(1, set_base, (100,))
    results = [pool.apply_async(lambda x: base + x, (n,)) for n in range(3)]
    pool.close()
    pool.join()
    print([result.get() for result in results])
    try:
        pool.map(abs, [1])
    except ValueError as error:
        print(error)
    with DummyPool(2) as pool:
        print(pool.map(lambda x: x + 1, [1, 2]))

def executors():
    seen = []
    with ThreadPoolExecutor(4, thread_name_prefix="name") as executor:
        print(list(executor.map(total, [10, 100, 1000])), list(executor.map(pow, [2, 3], [3, 2])))
        futures = [executor.submit(total, n) for n in range(5)]
        print(sorted(future.result() for future in as_completed(futures)), len(wait(futures).done))
        print(repr(executor.submit(bad, 3).exception()), executor.submit(np.add, 1, 2).result(5).item())
        future = executor.submit(total, 3)
        future.add_done_callback(lambda future: seen.append(future.result()))
        while not future.done():
            time.sleep(0.01)
        print(future.done(), seen)
        try:
            list(executor.map(bad, range(5)))
        except ValueError as error:
            print(error)
        print(executor.submit(lambda: threading.current_thread().name.rpartition("_")[0]).result())
        print(executor.submit(lambda: threading.current_thread() is threading.main_thread()).result())
        nested = executor.submit(lambda: executor.submit(total, 5).result())
        print(nested.result())
        late = executor.submit(lambda: seen.append("at the end of the block"))
    print(seen[1:], late.done())
    try:
        executor.submit(total, 1)
    except RuntimeError as error:
        print(error)
    executor = ThreadPoolExecutor(1)
    print(executor.submit(len, "abc").result())
    executor.shutdown(wait=False, cancel_futures=True)
    with ThreadPoolExecutor(2, initializer=set_base, initargs=(7,)) as executor:
        print(list(executor.map(lambda x: base * x, range(3))))
    logging.disable()
    with ThreadPoolExecutor(1, initializer=broken) as executor:
        try:
            executor.submit(total, 1).result()
        except concurrent.futures.BrokenExecutor as error:
            print(type(error).__name__)
    values = []
    lock = threading.RLock()
    def add(n):
        with lock:
            values.append(n)
    with ThreadPoolExecutor() as executor:
        for n in range(20):
            executor.submit(add, n)
    print(sorted(values) == list(range(20)))

async def side_by_side():
    loop = asyncio.get_running_loop()
    print(await asyncio.gather(*(asyncio.to_thread(total, n) for n in (10, 100))))
    print(await loop.run_in_executor(None, bad, 2))
    with ThreadPoolExecutor(2) as executor:
        print(await asyncio.gather(*(loop.run_in_executor(executor, bad, n) for n in (1, 3)), return_exceptions=True))
    try:
        await asyncio.to_thread(bad, 3)
    except ValueError as error:
        print(error)
    ticks = []
    async def tick():
        for n in range(3):
            ticks.append(n)
            await asyncio.sleep(0)
    await asyncio.gather(tick(), asyncio.to_thread(time.sleep, 0.01))
    print(ticks, await asyncio.to_thread(lambda: asyncio.run(asyncio.sleep(0, "a loop of its own"))))

if __name__ == "__main__":
    thread_pools()
    executors()
    asyncio.run(side_by_side())
    with mp.get_context("spawn").Pool(2) as pool, ThreadPoolExecutor(2) as executor:
        results = [pool.apply_async(total, (n,)) for n in (10, 20)]
        print(list(executor.map(total, [30])), [result.get() for result in results])
        print(executor.submit(pool.map, total, [40, 50]).result())
    last = ThreadPoolExecutor(1)
    last.submit(later)
    last.shutdown(wait=False)
    print("the end of the program")
