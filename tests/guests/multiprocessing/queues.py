"""Queues between processes: what CPython prints with the start method `spawn`, this prints."""
import multiprocessing as mp, os, queue, time

def produce(q, count):
    for number in range(count):
        q.put((os.getpid() != 0, number))
    q.put(None)

def work(tasks, results):
    while True:
        number = tasks.get()
        results.put(number * 10)
        tasks.task_done()

def large(q):
    q.put(b"x" * 1_000_000)
    q.put("after")

def echo(inbox, outbox):
    for each in iter(inbox.get, "stop"):
        outbox.put(each)
    outbox.put("stopped")

class Odd:
    def __reduce__(self):
        raise ValueError("not this one")

if __name__ == "__main__":
    mp.set_start_method("spawn")
    q = mp.Queue()
    producers = [mp.Process(target=produce, args=(q, 20)) for _ in range(2)]
    for each in producers:
        each.start()
    ends, got = 0, []
    while ends < 2:
        item = q.get(timeout=30)
        if item is None:
            ends += 1
        else:
            got.append(item[1])
    print(sorted(got) == sorted([*range(20)] * 2))
    for each in producers:
        each.join()
    for look in (lambda: q.get_nowait(), lambda: q.get(timeout=0.02), lambda: q.get(False)):
        try:
            look()
        except queue.Empty:
            print("empty", q.empty(), q.qsize())

    tasks, results = mp.JoinableQueue(), mp.Queue()
    workers = [mp.Process(target=work, args=(tasks, results), daemon=True) for _ in range(2)]
    for each in workers:
        each.start()
    for number in range(6):
        tasks.put(number)
    tasks.join()
    print(sorted(results.get() for _ in range(6)))
    try:
        tasks.task_done()
    except ValueError as error:
        print(error)

    small = mp.Queue(2)
    small.put(1)
    small.put(2)
    print(small.full(), small.qsize())
    for put in (lambda: small.put_nowait(3), lambda: small.put(3, timeout=0.02)):
        try:
            put()
        except queue.Full:
            print("full")
    print(small.get(), small.get())

    q = mp.Queue()
    process = mp.Process(target=large, args=(q,))
    process.start()
    print(len(q.get()), q.get())
    process.join()

    inbox, outbox = mp.SimpleQueue(), mp.SimpleQueue()
    process = mp.Process(target=echo, args=(inbox, outbox))
    process.start()
    for each in (1, "two", [3], None):
        inbox.put(each)
        print(outbox.get(), end=" ")
    inbox.put("stop")
    print(outbox.get(), outbox.empty())
    process.join()

    try:
        mp.SimpleQueue().put(Odd())
    except ValueError as error:
        print(error)
    q.close()
    q.join_thread()
    try:
        q.put(1)
    except ValueError as error:
        print("closed" in str(error))
    try:
        import pickle
        pickle.dumps(mp.Queue())
    except RuntimeError as error:
        print(error)
