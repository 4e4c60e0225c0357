import os, signal, subprocess, sys, threading, traceback
# A handler runs between the bytecodes of a busy program, in its frame; its exceptions are raised there.
class Sender:
    """A child that sends this process a signal on request."""
    def __init__(self, name): self.child = subprocess.Popen(["sh", "-c", f"read go; kill -{name} {os.getpid()}"], stdin=-1, bufsize=0)
    def go(self): self.child.stdin.write(b"go\n")
    def ended(self): self.child.stdin.close(); return self.child.wait()
stop = False
def ask_to_stop(number, frame):
    global stop
    stop = frame.f_code.co_name
signal.signal(signal.SIGTERM, ask_to_stop)
def spin():
    while not stop: pass
sender = Sender("TERM"); sender.go(); spin(); print("stopped in", stop in ("spin", "go"), sender.ended())
class Enough(Exception): pass
def give_up(number, frame): raise Enough(signal.Signals(number).name)
signal.signal(signal.SIGUSR1, give_up)
def fibonacci(n): return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
sender = Sender("USR1")
try: sender.go(); fibonacci(90)
except Enough as e: print("a recursion:", e)
sender.ended(); sender = Sender("USR1")
def forever(): sender.go(); sum(x for x in iter(int, 1))
try: forever()
except Enough as e: names = [f.name for f in traceback.extract_tb(e.__traceback__)]; print(names[:2], names[-1])
sender.ended()
# It runs while the program waits, too: for an event, a condition, a child, a pipe.
event = threading.Event()
signal.signal(signal.SIGTERM, lambda *a: event.set())
sender = Sender("TERM"); sender.go(); event.wait(); sender.ended(); print("event")
signal.signal(signal.SIGUSR1, give_up)
try: subprocess.run(["sh", "-c", f"kill -USR1 {os.getpid()}; exec sleep 1000"])
except Enough: print("child")
r, w = os.pipe()
sender = Sender("USR1")
try: sender.go(); os.read(r, 1)
except Enough: print("pipe")
sender.ended()
# The old handler is returned; a signal to the process itself arrives at once.
seen = []
old = signal.signal(signal.SIGHUP, lambda number, frame: seen.append((number, frame.f_code.co_name)))
os.kill(os.getpid(), signal.SIGHUP); signal.raise_signal(1); os.killpg(0, signal.SIGHUP); signal.pthread_kill(threading.get_ident(), 1)
print(old == signal.SIG_DFL, seen)
signal.signal(signal.SIGHUP, signal.SIG_IGN); os.kill(os.getpid(), signal.SIGHUP); print(signal.getsignal(1) == signal.SIG_IGN, len(seen))
print(signal.getsignal(signal.SIGPIPE) == signal.SIG_IGN, signal.getsignal(signal.SIGINT) is signal.default_int_handler, len(signal.valid_signals()))
for number, handler in ((9, print), (19, print), (40, print), (99, print), (0, print), (15, "text")):
    try: signal.signal(number, handler); print("set", number)
    except (OSError, ValueError, TypeError) as e: print(type(e).__name__, e)
# The end of a child is a signal.
ended = []
signal.signal(signal.SIGCHLD, lambda *a: ended.append(1))
child = subprocess.Popen(["true"])
while not ended: pass
print("child ended", child.wait())
r, w = os.pipe(); os.set_blocking(w, False); before = signal.set_wakeup_fd(w); os.kill(os.getpid(), signal.SIGTERM)
print(before, os.read(r, 9), signal.set_wakeup_fd(-1) == w)
# There is no check between bytecodes after the program's last handler is removed, nor before its first one.
for number in signal.valid_signals() - {9, 19}: signal.signal(number, signal.SIG_DFL)
print(sys.monitoring.get_tool(4))
