"""Deadlocks: each is named once, with the thread, what it waits for, and the line."""
import re, subprocess, sys, textwrap

def run(text):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True)
    lines = done.stderr.splitlines()
    told = [line for line in lines if line.startswith("RuntimeError: deadlock")]
    who = [re.sub("at 0x[0-9a-f]+", "at 0x", line.strip()) for line in lines if " waits for " in line and line not in told]
    print(done.returncode, len(told), who)

# Two locks, taken in opposite order.
run("""
import threading
a, b, met = threading.Lock(), threading.Lock(), threading.Barrier(2)
def other():
    with b:
        met.wait()
        with a: pass
threading.Thread(target=other, name="other").start()
with a:
    met.wait()
    with b: pass
""")
# A thread that nobody wakes: the program ends, and waits for it.
run("""
import threading
def wait(): threading.Event().wait()
threading.Thread(target=wait, name="waiting").start()
""")
# The same, but the program asked for its end, and has been told.
run("""
import threading
def wait(): threading.Event().wait()
thread = threading.Thread(target=wait, name="waiting")
thread.start()
thread.join()
""")
# One thread, one lock.
run("""
import threading
lock = threading.Lock()
lock.acquire()
lock.acquire()
""")
# A queue that nobody fills, and one that nobody empties.
run("""
import queue
queue.Queue().get()
""")
run("""
import queue
full = queue.Queue(1)
full.put(1)
full.put(2)
""")
# A deadlock that the program handles: it goes on.
run("""
import threading
lock = threading.Lock()
lock.acquire()
try: lock.acquire()
except RuntimeError: pass
lock.release()
with lock: print("on")
""")
# Daemons that wait are no deadlock at the end.
run("""
import threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
""")
