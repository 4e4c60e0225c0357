"""Who runs next: hand-overs without end, many at one condition, and turns that are taken from threads which compute."""
import concurrent.futures, sys, threading, time

def case(function):
    try:
        print(f"{function.__name__}: {function()}")
    except Exception as error:
        print(f"{function.__name__}: {type(error).__name__}: {error}")

@case
def forty_thousand_hand_overs():
    mine, yours, count = threading.Semaphore(1), threading.Semaphore(0), [0, 0]
    def side(number, wait, give):
        for _ in range(20_000):
            wait.acquire()
            count[number] += 1
            give.release()
    threads = [threading.Thread(target=side, args=(0, mine, yours)), threading.Thread(target=side, args=(1, yours, mine))]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return count

@case
def hand_overs_by_locks():
    locks, total = [threading.Lock(), threading.Lock()], [0]
    locks[1].acquire()
    def side(number):
        for _ in range(10_000):
            locks[number].acquire()
            total[0] += 1
            locks[1 - number].release()
    threads = [threading.Thread(target=side, args=(number,)) for number in (0, 1)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return total

@case
def three_at_one_condition():
    condition, turn, log = threading.Condition(), [0], [0, 0, 0]
    def player(number):
        for _ in range(3_000):
            with condition:
                condition.wait_for(lambda: turn[0] % 3 == number)
                turn[0] += 1
                log[number] += 1
                condition.notify_all()
    threads = [threading.Thread(target=player, args=(number,)) for number in range(3)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return log, turn

@case
def one_queue_between_many():
    import queue
    work, done = queue.Queue(maxsize=3), queue.SimpleQueue()
    def serve():
        while (item := work.get()) is not None: done.put(item * 2)
    threads = [threading.Thread(target=serve) for _ in range(5)]
    for thread in threads: thread.start()
    for number in range(4_000): work.put(number)
    for _ in threads: work.put(None)
    for thread in threads: thread.join()
    return done.qsize(), sum(done.get() for _ in range(4_000))

def busy(number):
    total = 0
    for step in range(150_000):
        total = (total * 31 + step + number) % 1_000_003
    return total

@case
def a_pool_that_computes_is_given_turns():
    alone = [busy(number) for number in range(8)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool: return list(pool.map(busy, range(8))) == alone

@case
def a_loop_without_a_wait_lets_others_run():
    flag = []
    thread = threading.Thread(target=lambda: flag.append(1))
    def spin():
        while not flag: pass
        return "seen"
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        spinning = pool.submit(spin)
        thread.start()
        return spinning.result()

@case
def counters_under_a_lock_while_turns_are_taken():
    lock, count = threading.Lock(), [0]
    def add():
        for _ in range(20_000):
            with lock:
                before = count[0]
                count[0] = before + 1
    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return count

class Noisy:
    """Its finalizer runs in the middle of whatever collects it, and takes locks there."""
    lock, events = threading.RLock(), 0
    def __init__(self): self.me = self
    def __del__(self):
        with Noisy.lock: Noisy.events += 1
        threading.Event().set()

@case
def finalizers_amid_hand_overs():
    import gc
    def work():
        for _ in range(300):
            for _ in range(5): Noisy()
            with Noisy.lock: sum(range(50))
        gc.collect()
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    gc.collect()
    return Noisy.events

@case
def a_finalizer_that_computes_for_long_takes_no_harm():
    class Slow:
        def __init__(self): self.me = self
        def __del__(self): busy(1)
    def work():
        import gc
        for _ in range(3):
            Slow()
            gc.collect()
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads: thread.start()
    for thread in threads: thread.join(60)
    return [thread.is_alive() for thread in threads]

@case
def sleepers_wake_while_others_compute():
    woken = []
    def sleeper(): time.sleep(0.02); woken.append(1)
    threads = [threading.Thread(target=sleeper) for _ in range(5)]
    for thread in threads: thread.start()
    end = time.monotonic() + 60
    while len(woken) < 5 and time.monotonic() < end: pass
    return len(woken)

@case
def a_thousand_threads_in_turn():
    total = []
    for number in range(1_000):
        thread = threading.Thread(target=total.append, args=(number,))
        thread.start()
        thread.join()
    return len(total), threading.active_count()
