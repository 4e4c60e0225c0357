import os, signal, subprocess, threading, time
# A handler that raises leaves nothing half done: no lock stays locked, and no system call is interrupted halfway.
class Enough(Exception): pass
def handler(*_): raise Enough
signal.signal(signal.SIGALRM, handler)
def until_enough(work, times=200):
    ended = 0
    for turn in range(times):
        try:
            signal.setitimer(signal.ITIMER_REAL, 1e-6 * (1 + turn % 97))
            while True: work()
        except Enough: ended += 1
    return ended
lock = threading.Lock()
def locked():
    with lock: pass
def locked_here():
    for _ in range(100):
        with lock: pass
print(until_enough(locked), lock.locked(), until_enough(locked_here), lock.locked())
print(until_enough(lambda: time.sleep(0)), until_enough(lambda: os.stat("/tmp")), until_enough(lambda: os.listdir("/tmp")))
print(until_enough(lambda: os.close(os.dup(1))), until_enough(lambda: os.path.exists("/nothing")))
child = subprocess.Popen(["sleep", "1000"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(until_enough(child.wait, 50))
signal.setitimer(signal.ITIMER_REAL, 0)
child.kill(); print(child.wait())
# A handler is never called where it would wait for a lock forever; an idle program gets the signal too.
import queue
event, line = threading.Event(), queue.Queue()
def tell(*_): event.set(); line.put(1)
signal.signal(signal.SIGALRM, tell)
for turn in range(300):
    signal.setitimer(signal.ITIMER_REAL, 1e-6 * (1 + turn % 97))
    while not event.is_set(): event.wait(1e-9); line.qsize()
    event.clear(); line.get()
signal.setitimer(signal.ITIMER_REAL, 1e-3)
while not event.is_set(): pass
signal.signal(signal.SIGALRM, handler)
try:
    signal.setitimer(signal.ITIMER_REAL, 1e-3)
    while True: os.getcwd()
except Enough: print(line.qsize())
