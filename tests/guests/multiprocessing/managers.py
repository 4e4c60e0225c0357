"""Managers: what CPython prints with the start method `spawn`, this prints."""
import multiprocessing as mp
from multiprocessing.managers import BaseManager, SharedMemoryManager

class Account:
    def __init__(self, balance):
        self.total = balance

    def add(self, amount):
        self.total += amount
        return self.total

    def fail(self):
        raise KeyError("no such thing")

class Manager(BaseManager):
    pass

Manager.register("Account", Account)

def work(mapping, items, names, lock, queue, event, counter):
    with lock:
        mapping[mp.current_process().name] = len(mapping)
        items.append("item")
        names.x += 1
        counter.value += 2
    queue.put("done")
    event.wait(30)

def deposit(account):
    account.add(5)

def fill(items):
    for index in range(len(items)):
        items[index] *= 2

def run(*processes):
    for each in processes:
        each.start()
    return processes

if __name__ == "__main__":
    mp.set_start_method("spawn")
    with mp.Manager() as manager:
        mapping, items, names = manager.dict(a=1), manager.list([1]), manager.Namespace(x=1)
        lock, queue, event, counter = manager.Lock(), manager.Queue(), manager.Event(), manager.Value("i", 0)
        started = run(*(mp.Process(target=work, args=(mapping, items, names, lock, queue, event, counter)) for _ in range(2)))
        print(queue.get(), queue.get(), queue.empty())
        event.set()
        for each in started:
            each.join()
        print(sorted(mapping.values()), sorted(mapping.keys())[-1], list(items), names.x, counter.value, names)
        nested = manager.list([manager.dict(), manager.list()])
        nested[0]["k"] = "v"
        nested[1].extend([1, 2])
        print(nested[0].copy(), nested[1][:], len(nested), str(items))
        try:
            mapping["missing"]
        except KeyError as error:
            print("KeyError", error)
        array, barrier, semaphore = manager.Array("i", [1, 2, 3]), manager.Barrier(1), manager.BoundedSemaphore(1)
        print(array[1], barrier.wait(), semaphore.acquire(), semaphore.acquire(False))
        with manager.Pool(1) as pool:
            print(pool.map(abs, [-1, 2]))
    with Manager() as manager:
        account = manager.Account(10)
        (started,) = run(mp.Process(target=deposit, args=(account,)))
        started.join()
        print(account.add(0))
        try:
            account.fail()
        except KeyError as error:
            print(error)
    with SharedMemoryManager() as manager:
        items = manager.ShareableList([1, 2, 3])
        (started,) = run(mp.Process(target=fill, args=(items,)))
        started.join()
        print(list(items), manager.SharedMemory(10).size >= 10)
