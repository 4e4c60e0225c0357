import asyncio
import multiprocessing as mp
import os
import time
from concurrent.futures import ProcessPoolExecutor, TimeoutError, as_completed, wait
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import pandas as pd


def square(x):
    return x * x

def total(n):
    return float(np.arange(n).sum())

def means(table):
    return table.groupby("k")["v"].mean()

def bad(x):
    if x == 3:
        raise ValueError(f"bad {x}")
    return x

def seed(value, shared):
    global rng, count
    rng, count = np.random.default_rng(value), shared

def draw(n):
    with count:
        count.value += 1
    return round(float(rng.normal(size=n).sum()), 6)

def late(x):
    time.sleep(0.05)
    return x

def die():
    os._exit(3)

async def side_by_side(executor):
    loop = asyncio.get_running_loop()
    return await asyncio.gather(*(loop.run_in_executor(executor, total, n) for n in (10, 100)))

if __name__ == "__main__":
    mp.set_start_method("spawn")
    tables = [pd.DataFrame({"k": list("abab"), "v": np.arange(4.0) + n}) for n in range(5)]
    with mp.Pool(3) as pool:
        print(pool.map(total, range(0, 1000, 100)))
        print(pd.concat(pool.map(means, tables)).groupby(level=0).sum().to_dict())
        print(list(pool.imap(square, (n for n in range(5)))), sorted(pool.imap_unordered(square, range(100), 7))[-1])
        print(pool.starmap(pow, [(2, 3), (3, 2)]), pool.apply(np.linalg.norm, ([3.0, 4.0],)).item())
        print([len(part) for part in pool.map(bytes, [2_000_000] * 5, 1)], pool.map(len, [bytes(2_000_000)] * 5, 1))
        seen = []
        results = [pool.apply_async(square, (n,), callback=seen.append) for n in range(4)]
        while not all(result.ready() for result in results):
            time.sleep(0.01)
        print(sorted(seen))
        try:
            pool.map(bad, range(5))
        except ValueError as error:
            print(error, "|", type(error.__cause__).__name__, 'raise ValueError(f"bad {x}")' in str(error.__cause__))
        try:
            pool.apply_async(late, (1,)).get(0.001)
        except mp.TimeoutError:
            print("too late")
    count = mp.Value("i", 0)
    pool = mp.Pool(1, seed, (7, count), maxtasksperchild=2)
    result = pool.map_async(draw, [3, 3, 3], 1)
    pool.close()
    pool.join()
    print(result.get(), count.value)
    array = mp.Array("d", np.linspace(0, 1, 5))
    print(array[:], np.array(array[1:3]), len(array))
    with ProcessPoolExecutor(2) as executor:
        print(list(executor.map(total, [10, 100, 1000], chunksize=2)))
        futures = [executor.submit(late, n) for n in range(4)]
        print(sorted(future.result() for future in as_completed(futures)), len(wait(futures).done))
        print(repr(executor.submit(bad, 3).exception()), executor.submit(np.add, 1, 2).result().item())
        try:
            executor.submit(late, 1).result(0.001)
        except TimeoutError:
            print("too late")
        print(asyncio.run(side_by_side(executor)))
    with ProcessPoolExecutor(1) as executor:
        try:
            executor.submit(die).result()
        except BrokenProcessPool as error:
            print(error)
