import signal, subprocess, sys
def interrupted(before, code, said=""):
    child = subprocess.Popen(["sh", "-c", before + 'exec "$0" -c "$1"', sys.executable, code], stdin=-1, stdout=-1, text=True)
    child.stdout.readline(); child.send_signal(signal.SIGINT)
    child.stdin.write(said); child.stdin.close()
    return child.stdout.read(), child.wait()
# SIGINT reaches a program that computes, without any setting of its own ...
computes = "print('begun', flush=True)\ntry:\n    while True: pass\nexcept KeyboardInterrupt: print('interrupted')"
print(interrupted("", computes))
print(interrupted("trap '' TERM; ", computes))
# ... unless it was ignored before the program began, for what the program starts too.
waits = "print('begun', flush=True); print(input())"
print(interrupted("trap '' INT; ", waits, "go on\n"))
starts = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {waits!r}])"
print(interrupted("trap '' INT; ", starts, "go on\n"))
