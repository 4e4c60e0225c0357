"""Pools of processes: what CPython prints with the start method `spawn`, this prints."""
import multiprocessing as mp, os, sys, time
from multiprocessing.pool import ThreadPool

def square(x):
    return x * x

def add(a, b):
    return a + b

def bad(x):
    if x == 3:
        raise ValueError(f"bad {x}")
    return x

def set_base(value):
    global base
    base = value

def from_base(x):
    return base + x

def pid(_):
    return os.getpid()

def unpicklable(_):
    return lambda: 0

if __name__ == "__main__":
    mp.set_start_method("spawn")
    with mp.Pool(3) as pool:
        print(pool.map(square, range(10)), pool.map(square, range(7), chunksize=3))
        print(pool.starmap(add, [(1, 2), (3, 4)]), pool.apply(add, (5, 6)))
        print(list(pool.imap(square, range(5))), sorted(pool.imap_unordered(square, range(5), 2)))
        seen = []
        result = pool.apply_async(add, (1, 1), callback=seen.append)
        print(result.get(30), result.ready(), result.successful(), seen)
        result = pool.apply_async(bad, (3,), error_callback=lambda error: seen.append(repr(error)))
        result.wait(30)
        print(result.successful(), seen)
        results = pool.map_async(square, range(3)), pool.starmap_async(add, [(1, 2)])
        print([each.get() for each in results])
        try:
            pool.map(bad, range(5))
        except ValueError as error:
            print(error, "| caused by", type(error.__cause__).__name__, '"bad 3"' in str(error.__cause__) or "bad 3" in str(error.__cause__))
        each = pool.imap(bad, range(5))
        got = []
        while True:
            try:
                got.append(next(each))
            except ValueError as error:
                got.append(str(error))
            except StopIteration:
                break
        print(got)
        try:
            pool.map(unpicklable, [1])
        except mp.pool.MaybeEncodingError as error:
            print(type(error).__name__)
        try:
            pool.apply_async(time.sleep, (30,)).get(0.05)
        except mp.TimeoutError as error:
            print("too late", repr(error))
    try:
        pool.map(square, [1])
    except ValueError as error:
        print(error)
    pool = mp.Pool(2, set_base, (100,))
    print(pool.map(from_base, [1, 2]))
    pool.close()
    pool.join()
    with mp.Pool(1, maxtasksperchild=1) as pool:
        print(len(set(pool.map(pid, range(3), 1))))
    with mp.Pool() as pool:
        print(pool.map(square, [5]))
    for wrong in (lambda: mp.Pool(0), lambda: mp.Pool(1, initializer=5)):
        try:
            wrong()
        except (ValueError, TypeError) as error:
            print(error)
    with mp.Pool(2) as pool:
        print(sum(pool.imap_unordered(square, range(2000), 50)), sum(map(len, pool.map(bytes, [100_000] * 4))))
    with ThreadPool(3) as pool:
        print(pool.map(square, range(4)), pool.apply(lambda: "a lambda"))
