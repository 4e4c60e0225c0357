import signal, subprocess, sys, time
class Late(Exception): pass
def late(number, frame): raise Late
signal.signal(signal.SIGALRM, late)
print(signal.alarm(100), signal.alarm(50), signal.alarm(0), signal.getitimer(signal.ITIMER_REAL))
def within(work, after=0.01):
    signal.setitimer(signal.ITIMER_REAL, after)
    try: work()
    except Late: print("late")
    finally: signal.setitimer(signal.ITIMER_REAL, 0)
def forever():
    while True: pass
within(forever)
within(lambda: time.sleep(1000))
# Long enough for a busy machine to start the child: an exception before `Popen` has it leaves it running, as everywhere.
within(lambda: subprocess.run(["sleep", "1000"]), 0.3)
within(lambda: subprocess.check_output("cat; exec sleep 1000", shell=True), 0.3)
within(signal.pause)
within(lambda: print("in time"), 100)
ticks = []
signal.signal(signal.SIGALRM, lambda *a: ticks.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.002)
while len(ticks) < 3: pass
left, again = signal.setitimer(signal.ITIMER_REAL, 0)
print(left <= 0.002, again, signal.getitimer(signal.ITIMER_REAL))
for which, seconds in ((signal.ITIMER_VIRTUAL, 1), (signal.ITIMER_PROF, 1), (9, 1), (0, -1)):
    try: signal.setitimer(which, seconds)
    except signal.ItimerError as e: print(type(e).__name__, e)
# Without a handler, it ends the process.
print(subprocess.run([sys.executable, "-c", "import signal; signal.setitimer(0, 0.001)\nwhile True: pass"]).returncode)
print(subprocess.run([sys.executable, "-c", "import signal, time; signal.setitimer(0, 0.001); time.sleep(1000)"]).returncode)
# Due at once: it is raised in the code that sets the timer.
print(subprocess.run([sys.executable, "-c", "import signal; signal.setitimer(0, 1e-6)\nwhile True: pass"]).returncode)
# Nothing watches the program while a timer is set. A child has none; a program that replaces this one keeps it.
signal.signal(signal.SIGALRM, late)
signal.alarm(1000)
child = [sys.executable, "-c", "import signal; print(signal.getitimer(signal.ITIMER_REAL))"]
print(sys.monitoring.get_tool(4), subprocess.check_output(child, text=True).strip(), 999 <= signal.alarm(0) <= 1000)
kept = "import os, signal; signal.setitimer(0, 0.01); os.execv('/usr/bin/sleep', ['sleep', '1000'])"
print(subprocess.run([sys.executable, "-c", kept]).returncode)
# A blocked signal waits: for `sigwait`, or until it is let in.
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
signal.setitimer(signal.ITIMER_REAL, 0.001)
print(repr(signal.sigwait([signal.SIGALRM])), signal.getitimer(signal.ITIMER_REAL))
signal.setitimer(signal.ITIMER_REAL, 0.001)
while not signal.sigpending(): pass
try: signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
except Late: print("let in")
# What ends a wait for a lock is the handler's exception.
import threading
lock = threading.Lock(); lock.acquire(); within(lock.acquire); print(lock.locked())
signal.signal(signal.SIGALRM, signal.SIG_DFL)
print(sys.monitoring.get_tool(4))
