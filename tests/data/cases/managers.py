import multiprocessing as mp
import queue
import time
from multiprocessing.managers import BaseManager, RemoteError

import numpy as np


class Account:
    def __init__(self, balance):
        self.total = balance

    def add(self, amount):
        self.total += amount
        return self.total

    def rows(self):
        return [self.total]

    def fail(self):
        raise KeyError("no such thing")

    def secret(self):
        return lambda: 0

class Bank(BaseManager):
    pass

Bank.register("Account", Account, method_to_typeid={"rows": "list"})
Bank.register("list", list)

jobs = queue.Queue()

class Remote(BaseManager):
    pass

Remote.register("jobs", lambda: jobs)

def serve(address, key, ready):
    server = Remote(address, key).get_server()
    jobs.put("from the server")
    ready.send(server.address)
    server.serve_forever()

def count(mapping, items, names, value, lock, number):
    for _ in range(3):
        with lock:
            mapping["sum"] = mapping["sum"] + number
            names.x += 1
            value.value += 2
    items.append(float(np.arange(number).sum()))

def square(shared, number):
    shared[number] = number * number
    return number

def produce(work, count):
    for number in range(count):
        work.put(number)
    work.put(None)

def consume(work, done):
    while (number := work.get()) is not None:
        done.put(number * 2)
        work.task_done()
    work.task_done()

def turn(condition, order, number):
    with condition:
        condition.wait_for(lambda: len(order) == number)
        order.append(number)
        condition.notify_all()

def meet(barrier, event, places, reports):
    places.append(barrier.wait())
    event.wait()
    reports.put(barrier.wait() in range(3))

def hold(lock, reports):
    with lock, lock:
        reports.put("held twice")

def never(work):
    work.get()

def start(target, *tasks):
    processes = [mp.Process(target=target, args=each) for each in tasks]
    for each in processes:
        each.start()
    return processes

def end(processes):
    for each in processes:
        each.join()

if __name__ == "__main__":
    mp.set_start_method("spawn")
    with mp.Manager() as manager:
        mapping, items, names, value = manager.dict(sum=0), manager.list(), manager.Namespace(x=0), manager.Value("i", 0)
        lock = manager.Lock()
        end(start(count, *((mapping, items, names, value, lock, number) for number in (1, 10, 100))))
        print(mapping.copy(), sorted(items), names, value.value, value)
        with mp.Pool(2) as pool:
            squares = manager.dict()
            print(sorted(pool.starmap(square, [(squares, number) for number in range(5)])), sorted(squares.items()))
        nested = manager.list([manager.dict(), manager.list()])
        nested[0]["k"] = "v"
        nested[1].extend([1, 2])
        print(nested[0].copy(), nested[1][:], len(nested), list(mapping), "sum" in mapping)
        for wrong in (lambda: mapping["missing"], lambda: items.remove(5), lambda: names.y):
            try:
                wrong()
            except (KeyError, ValueError, AttributeError, RemoteError) as error:
                print(type(error).__name__, str(error).splitlines()[-1][:60] if isinstance(error, RemoteError) else error)

        work, done = manager.JoinableQueue(1), manager.Queue()
        processes = start(consume, (work, done)) + start(produce, (work, 4))
        print([done.get() for _ in range(4)])
        end(processes)
        work.join()
        work.put("full")
        for wait in (lambda: work.put(2, timeout=0.01), lambda: done.get(timeout=0.01), lambda: done.get(False), lambda: work.put(1, False)):
            try:
                wait()
            except (queue.Empty, queue.Full) as error:
                print(type(error).__name__, end=" ")
        print(work.get(), done.qsize())

        condition, order = manager.Condition(), manager.list()
        end(start(turn, *((condition, order, number) for number in (2, 1, 0))))
        print(list(order))
        with condition:
            print(condition.wait(0.01))
        own = manager.Lock()
        shared = manager.Condition(own)
        with shared:
            print(own.acquire(False), shared.wait(0.01), own.acquire(False))
        print(own.acquire(False))
        try:
            condition.notify()
        except RuntimeError as error:
            print(error)

        barrier, event, places, reports = manager.Barrier(3), manager.Event(), manager.list(), manager.Queue()
        processes = start(meet, *((barrier, event, places, reports),) * 3)
        while len(places) < 3:
            time.sleep(0.01)
        print(event.is_set(), event.wait(0.01), sorted(places), barrier.parties, barrier.broken)
        event.set()
        end(processes)
        print(event.wait(), [reports.get() for _ in range(3)])
        try:
            barrier.wait(0.01)
        except Exception as error:
            print(type(error).__name__, barrier.broken)

        again, semaphore = manager.RLock(), manager.BoundedSemaphore(2)
        with again:
            processes = start(hold, (again, reports))
            print(again.acquire(), reports.empty())
            again.release()
        end(processes)
        print(reports.get(), [semaphore.acquire(False) for _ in range(3)], semaphore.acquire(timeout=0.01))
        semaphore.release()
        try:
            again.release()
        except RuntimeError as error:
            print(error)

        (process,) = start(never, (reports,))
        time.sleep(0.2)
        process.terminate()
        process.join()
        print(reports.empty(), process.exitcode)
        with manager.Pool(2) as pool:
            print(pool.map(abs, [-1, 2, -3]), pool.apply(max, (3, 7)), pool.apply_async(pow, (2, 5)).get(), list(pool.imap(abs, [-4, 5])))
        try:
            items.append(lambda: 0)
        except Exception:
            print("cannot be pickled", len(items))
        before = manager._number_of_objects()
        temporary = manager.list([1])
        print(manager._number_of_objects() - before, "refcount=1" in manager._debug_info())
        del temporary
        print(manager._number_of_objects() - before)
    try:
        mapping["sum"]
    except (OSError, EOFError):
        print("shut down")

    bank = Bank()
    bank.start()
    account = bank.Account(10)
    print(account.add(5), account.rows()._getvalue(), account.add(1))
    for wrong in (account.fail, account.secret):
        try:
            wrong()
        except (KeyError, RemoteError) as error:
            print(type(error).__name__)
    bank.shutdown()

    receive, send = mp.Pipe(False)
    process = mp.Process(target=serve, args=(("localhost", 0), b"key", send))
    process.start()
    address = receive.recv()
    stranger = Remote(address, b"another key")
    try:
        stranger.connect()
    except mp.AuthenticationError:
        print("AuthenticationError")
    client = Remote(address, b"key")
    client.connect()
    print(client.jobs().get(), client.jobs().empty())
    process.terminate()
    process.join()
