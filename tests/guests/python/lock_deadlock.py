"""A lock behaves as CPython's; where nothing can release it, it says so instead of waiting for ever."""
import copy, os, queue, signal, threading, time, weakref

lock = threading.Lock()
print(lock.acquire(), lock.locked(), lock.acquire(False), lock.acquire(timeout=0.01))
try:
    lock.acquire()
except RuntimeError as error:
    print(str(error).split(": ", 1)[0], "MainThread waits for" in str(error))
try:
    with lock:
        pass
except RuntimeError:
    print("with, too")
lock.release()
for call in (lambda: lock.release(), lambda: lock.acquire(False, 1), lambda: lock.acquire(True, -2), lambda: copy.deepcopy(lock)):
    try:
        call()
    except (RuntimeError, ValueError, TypeError) as error:
        print(type(error).__name__, error)
with lock as got:
    print(got, repr(lock).split(" at ")[0], type(lock).__name__)
print(repr(lock).split(" at ")[0], weakref.ref(lock)() is lock, isinstance(lock, type(threading.Lock())))
condition = threading.Condition(lock)
with condition:
    print(condition.wait(0.01), condition._is_owned())
things = queue.Queue()
things.put(1)
print(things.get(), threading.Semaphore(1).acquire())
recursive = threading.RLock()
with recursive, recursive:
    print("recursive")
# A signal handler may release it, so the program waits.
signal.signal(signal.SIGALRM, lambda *_: lock.release())
lock.acquire()
signal.setitimer(signal.ITIMER_REAL, 0.01)
print(lock.acquire(), lock.locked())
