import asyncio, os, signal, subprocess, sys, time
# SIGINT raises KeyboardInterrupt where a program waits, without any setting ...
def from_outside(*_): subprocess.run(["sh", "-c", f"kill -INT {os.getpid()}"])
signal.signal(signal.SIGALRM, from_outside)
def interrupted(work):
    try: signal.setitimer(signal.ITIMER_REAL, 0.001); work(); print("not interrupted")
    except KeyboardInterrupt: print("KeyboardInterrupt")
interrupted(lambda: time.sleep(1000))
sleeper = subprocess.Popen(["sleep", "1000"]); interrupted(sleeper.wait); sleeper.kill(); print(sleeper.wait())
async def main():
    try: signal.setitimer(signal.ITIMER_REAL, 0.001); await asyncio.sleep(1000)
    except asyncio.CancelledError: print("cancelled"); raise
try: asyncio.run(main())
except KeyboardInterrupt: print("KeyboardInterrupt")
try: os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt: print("to oneself")
signal.signal(signal.SIGALRM, signal.SIG_DFL)
print(sys.monitoring.get_tool(4))
# ... and everywhere once the program has installed a handler.
signal.signal(signal.SIGINT, signal.default_int_handler)
child = subprocess.Popen(["sh", "-c", f"read go; kill -INT {os.getpid()}"], stdin=-1, bufsize=0)
try:
    child.stdin.write(b"go\n")
    while True: pass
except KeyboardInterrupt: print("in a loop")
child.stdin.close(); print(child.wait())
# If it is not caught, the signal ends the process, after the exit functions have run.
code = "import os, atexit; atexit.register(print, 'exit function')\ntry: os.kill(os.getpid(), 2)\nfinally: print('finally')"
done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True); print(done.returncode, done.stdout.split("\n"), done.stderr.splitlines()[-1])
print(subprocess.run(["sh", "-c", "kill -INT $$"]).returncode)
