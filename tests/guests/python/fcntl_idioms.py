"""What programs do with file locks: one instance, a counter, a lock as a context, a mailbox."""
import contextlib, errno, fcntl, mailbox, os, subprocess, sys, tempfile, time

os.chdir(tempfile.mkdtemp())

ONE = """
import fcntl, sys
with open("pid", "w") as pid:
    try:
        fcntl.flock(pid, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit("runs already")
    print("runs", flush=True)
    sys.stdin.readline()
"""
first = subprocess.Popen([sys.executable, "-c", ONE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
print(first.stdout.readline(), end="")
print(subprocess.run([sys.executable, "-c", ONE], stderr=subprocess.PIPE, text=True).stderr, end="")
first.communicate("\n")
print(subprocess.run([sys.executable, "-c", ONE], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True).stdout, end="")


class FileLock:
    """As the package filelock has it: a descriptor that is tried again and again."""

    def __init__(self, path):
        self.path, self.fd = path, None

    def acquire(self, timeout):
        fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
        end = time.monotonic() + timeout
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self.fd = fd
                return self
            except OSError as error:
                if error.errno not in (errno.EAGAIN, errno.EACCES):
                    raise
            if time.monotonic() >= end:
                os.close(fd)
                raise TimeoutError(self.path)
            time.sleep(0.001)

    def __enter__(self):
        return self.acquire(60)

    def __exit__(self, *_):
        fd, self.fd = self.fd, None
        fcntl.flock(fd, fcntl.LOCK_UN)
        os.close(fd)


with FileLock("filelock"):
    with contextlib.suppress(TimeoutError):
        FileLock("filelock").acquire(0.005)
        print("twice?")
with FileLock("filelock"):
    print("again")

COUNT = """
import fcntl
for _ in range(20):
    with open("count", "r+") as count:
        fcntl.lockf(count, fcntl.LOCK_EX)
        n = int(count.read())
        count.seek(0)
        count.write(str(n + 1))
"""
with open("count", "w") as count:
    count.write("0")
jobs = [subprocess.Popen([sys.executable, "-c", COUNT]) for _ in range(3)]
print([job.wait() for job in jobs], open("count").read())

box = mailbox.mbox("mail")
box.lock()
try:
    box.add("From: a\n\nhello\n")
    box.flush()
    mailbox.mbox("mail").lock()
except mailbox.ExternalClashError as error:
    print(type(error).__name__)
finally:
    box.unlock()
print(len(box))
