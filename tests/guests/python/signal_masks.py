import os, signal, subprocess, sys
seen = []
signal.signal(signal.SIGUSR1, lambda *a: seen.append("handled"))
print(signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, signal.SIGTERM]), signal.sigpending())
os.kill(os.getpid(), signal.SIGUSR1); os.kill(os.getpid(), signal.SIGTERM)
print(signal.sigpending() == {signal.SIGUSR1, signal.SIGTERM}, seen, repr(signal.sigwait([signal.SIGTERM])), signal.sigpending())
print(signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1]) == {signal.SIGUSR1, signal.SIGTERM}, seen)
child = subprocess.Popen(["sh", "-c", f"kill -TERM {os.getpid()}"]); print(repr(signal.sigwait({15})), child.wait())
for arguments in ((7, []), (0, [99])):
    try: signal.pthread_sigmask(*arguments)
    except (OSError, ValueError) as e: print(type(e).__name__, e)
# Unblocked and without a handler of the program, the signal has its default effect.
code = "import os, signal; signal.pthread_sigmask(0, [15]); os.kill(os.getpid(), 15); print('here', flush=True); signal.pthread_sigmask(1, [15]); print('no')"
done = subprocess.run([sys.executable, "-c", code], stdout=-1); print(done.stdout, done.returncode)
# A signal that the parent ignores is ignored from the start.
ask = "import signal; print([n for n in (1, 2, 15) if signal.getsignal(n) == signal.SIG_IGN])"
for trap in ("", "trap '' TERM HUP; ", "trap '' INT; "):
    print(subprocess.check_output(["sh", "-c", f"{trap}exec {sys.executable} -c \"{ask}\""], text=True), end="")
signal.signal(signal.SIGHUP, signal.SIG_IGN); print(subprocess.check_output([sys.executable, "-c", ask], text=True), end="")
