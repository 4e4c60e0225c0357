"""`ProcessPoolExecutor`: what CPython prints with the start method `spawn`, this prints."""
import asyncio, multiprocessing as mp, os, time
from concurrent.futures import FIRST_COMPLETED, CancelledError, ProcessPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool

def square(x):
    return x * x

def bad():
    raise KeyError("bad")

def die():
    os._exit(3)

def set_base(value):
    global base
    base = value

def from_base(x):
    return base + x

def fail():
    raise RuntimeError("in the initializer")

async def side_by_side():
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(2) as pool:
        return await asyncio.gather(*(loop.run_in_executor(pool, square, n) for n in range(4)))

if __name__ == "__main__":
    mp.set_start_method("spawn")
    with ProcessPoolExecutor(2) as pool:
        print(list(pool.map(square, range(6))), list(pool.map(pow, [2, 3], [5, 2], chunksize=2)))
        future = pool.submit(square, 7)
        print(future.result(30), future.done(), future.cancelled(), future.exception())
        print(repr(pool.submit(bad).exception()))
        print(sorted(each.result() for each in as_completed([pool.submit(square, n) for n in range(4)])))
        done, _ = wait([pool.submit(square, 1), pool.submit(square, 2)], return_when=FIRST_COMPLETED)
        print(len(done) >= 1)
        called = []
        future = pool.submit(square, 3)
        future.add_done_callback(lambda future: called.append(future.result()))
        print(future.result(), pool.submit(square, 0).result(), called)
    try:
        pool.submit(square, 1)
    except RuntimeError as error:
        print(error)
    with ProcessPoolExecutor(1) as pool:
        pool.submit(square, 1).result()
        slow = [pool.submit(time.sleep, 0.2) for _ in range(6)]
        print(slow[-1].cancel(), slow[-1].cancelled())
        try:
            slow[-1].result()
        except CancelledError:
            print("cancelled")
        pool.shutdown(cancel_futures=True)
        print(slow[0].done(), slow[4].cancelled())
    with ProcessPoolExecutor(1, initializer=set_base, initargs=(10,)) as pool:
        print(list(pool.map(from_base, range(3))))
    with ProcessPoolExecutor(1, max_tasks_per_child=5) as pool:
        print(len({pool.submit(os.getpid).result() for _ in range(4)}))
    with ProcessPoolExecutor(1) as pool:
        try:
            pool.submit(die).result()
        except BrokenProcessPool as error:
            print("broken:", error)
        try:
            pool.submit(square, 1)
        except BrokenProcessPool as error:
            print("still broken:", error)
    with ProcessPoolExecutor(1, initializer=fail) as pool:
        try:
            pool.submit(square, 1).result()
        except BrokenProcessPool as error:
            print("broken:", error)
    with ProcessPoolExecutor(1) as pool:
        try:
            pool.submit(lambda: 1).result()
        except Exception as error:
            print("a lambda cannot be pickled:", "pickle" in str(error).lower())
        print(pool.submit(square, 9).result())
    print(asyncio.run(side_by_side()))
