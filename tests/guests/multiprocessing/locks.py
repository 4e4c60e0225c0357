"""Locks and their relatives between processes: what CPython prints with the start method `spawn`, this prints."""
import multiprocessing as mp, signal, threading, time

def count(lock, value, times):
    for _ in range(times):
        with lock:
            value.value += 1

def in_threads(lock, value, times):
    threads = [threading.Thread(target=count, args=(lock, value, times)) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

def hold(lock, event):
    with lock:
        event.set()
        time.sleep(60)

def wait_for(event, queue):
    queue.put(event.wait(30))

def wait_at(condition, ready, queue):
    with condition:
        ready.release()
        condition.wait()
        queue.put("woken")

def pass_by(barrier, queue):
    barrier.wait()
    queue.put("passed")

def inside(semaphore, value, most):
    with semaphore:
        with value.get_lock():
            value.value += 1
            most.value = max(most.value, value.value)
        time.sleep(0.02)
        with value.get_lock():
            value.value -= 1

def twice(lock, queue):
    with lock, lock:
        queue.put(repr(lock))

def give_back(lock):
    lock.release()

class Alarm(Exception):
    pass

def ring(number, frame):
    raise Alarm

def together(target, *arguments, count=1):
    processes = [mp.Process(target=target, args=arguments) for _ in range(count)]
    for each in processes:
        each.start()
    return processes

def finish(processes):
    for each in processes:
        each.join()

if __name__ == "__main__":
    mp.set_start_method("spawn")
    queue = mp.SimpleQueue()
    for lock in (mp.Lock(), mp.RLock(), mp.Semaphore(1)):
        value = mp.Value("q", 0, lock=False)
        finish(together(count, lock, value, 200, count=3))
        print(value.value, lock)
    lock, value = mp.RLock(), mp.Value("q", 0, lock=False)
    finish(together(in_threads, lock, value, 50, count=2))
    print(value.value)

    lock, event = mp.Lock(), mp.Event()
    holder = together(hold, lock, event)
    event.wait()
    print(lock.acquire(timeout=0.02), lock.acquire(False), lock)
    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        lock.acquire()
    except Alarm:
        print("a signal comes through")
    seen = []
    thread = threading.Thread(target=lambda: (time.sleep(0.02), seen.append("another thread runs")))
    thread.start()
    print(lock.acquire(timeout=0.3), seen)
    thread.join()
    holder[0].kill()
    finish(holder)
    print(holder[0].exitcode, lock.acquire(timeout=0.02), "as elsewhere: who is killed keeps its lock")
    finish(together(give_back, lock))
    print(lock.acquire(), lock)
    lock.release()

    recursive = mp.RLock()
    finish(together(twice, recursive, queue))
    print(queue.get().partition("-")[0], recursive)
    for wrong in (lock.release, recursive.release, mp.BoundedSemaphore(2).release):
        try:
            wrong()
        except (ValueError, AssertionError) as error:
            print(type(error).__name__, error)
    semaphore = mp.Semaphore(3)
    print([semaphore.acquire(False) for _ in range(4)], semaphore.get_value(), semaphore)
    semaphore.release()
    print(semaphore.get_value(), mp.BoundedSemaphore(2))

    event = mp.Event()
    waiting = together(wait_for, event, queue, count=2)
    print(event.is_set(), event.wait(0.02))
    event.set()
    print(queue.get(), queue.get(), event.is_set())
    finish(waiting)
    event.clear()
    print(event.is_set())

    condition, ready = mp.Condition(), mp.Semaphore(0)
    waiting = together(wait_at, condition, ready, queue, count=3)
    for _ in waiting:
        ready.acquire()
    with condition:
        condition.notify()
    print(queue.get())
    with condition:
        condition.notify_all()
    print(queue.get(), queue.get())
    finish(waiting)
    with condition:
        print(condition.wait(0.02), condition.wait_for(lambda: True))

    barrier = mp.Barrier(3)
    waiting = together(pass_by, barrier, queue, count=2)
    barrier.wait()
    print(queue.get(), queue.get(), barrier.n_waiting, barrier.broken)
    finish(waiting)
    try:
        barrier.wait(0.02)
    except threading.BrokenBarrierError:
        print("broken", barrier.broken)

    semaphore, value, most = mp.Semaphore(2), mp.Value("i", 0), mp.Value("i", 0)
    finish(together(inside, semaphore, value, most, count=4))
    print(value.value, 1 <= most.value <= 2)
    many = [mp.Lock() for _ in range(150)]
    print(len(many), all(lock.acquire() for lock in many))
