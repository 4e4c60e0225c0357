import os, pty, readline
keys, terminal = os.openpty()
print(os.ttyname(terminal), os.tcgetpgrp(terminal))
try: os.ttyname(os.open("/tmp", os.O_RDONLY))
except OSError as e: print(e.strerror)
try: pty.fork()
except OSError as e: print(e, flush=True)
shown = []
def read(fd):
    shown.append(os.read(fd, 1024))
    return shown[-1]
print(os.waitstatus_to_exitcode(pty.spawn(["sh", "-c", "tty; echo out >/dev/tty; exit 3"], read)), b"".join(shown))
try: pty.spawn("no-such-program")
except FileNotFoundError as e: print(e.strerror, e.filename)
for line in ("one", "two"): readline.add_history(line)
print(readline.get_current_history_length(), readline.get_history_item(2), readline.backend)
