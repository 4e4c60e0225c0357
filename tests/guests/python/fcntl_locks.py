"""fcntl's locks: whole files, between open files and between processes."""
import errno, fcntl, os, signal, struct, subprocess, sys, tempfile
from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, LOCK_UN

os.chdir(tempfile.mkdtemp())


def tried(call, *arguments):
    try:
        return call(*arguments)
    except OSError as error:
        return f"{type(error).__name__} {errno.errorcode[error.errno]}"


def elsewhere(how="LOCK_EX", name="lock"):
    """Whether another process gets the lock at once."""
    code = f"import fcntl; fcntl.flock(open({name!r}, 'a'), fcntl.{how} | fcntl.LOCK_NB)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return "free" if done.returncode == 0 else done.stderr.splitlines()[-1].split(":")[0]


print("- between processes")
with open("lock", "w") as f:
    print(fcntl.flock(f, LOCK_EX | LOCK_NB), elsewhere(), elsewhere("LOCK_SH"))
    fcntl.flock(f.fileno(), LOCK_UN)
    print(elsewhere())
    fcntl.flock(f, LOCK_SH)
    print(elsewhere(), elsewhere("LOCK_SH"))
    fcntl.flock(f, LOCK_EX)
print("closed:", elsewhere())
f = open("lock")
fcntl.flock(f, LOCK_EX)
print("open for reading:", elsewhere())
del f
print("collected:", elsewhere())
fd = os.open("lock", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
fcntl.flock(fd, LOCK_EX | LOCK_NB)
print(elsewhere(), subprocess.run(["flock", "-n", "lock", "true"]).returncode)
os.close(fd)
print("closed:", elsewhere(), subprocess.run(["flock", "-n", "lock", "true"]).returncode)

print("- between open files of one process")
one, two, three = open("lock", "w"), open("lock", "w"), open("lock")
fcntl.flock(one, LOCK_EX)
print(tried(fcntl.flock, two, LOCK_EX | LOCK_NB), tried(fcntl.flock, three, LOCK_SH | LOCK_NB), tried(fcntl.flock, one, LOCK_EX | LOCK_NB))
two.close()
print("another closed:", elsewhere())
fcntl.flock(one, LOCK_SH)
print(tried(fcntl.flock, three, LOCK_SH | LOCK_NB), tried(fcntl.flock, three, LOCK_EX | LOCK_NB))
one.close()
print(elsewhere())
copy = os.dup(three.fileno())
fcntl.flock(three, LOCK_EX)
three.close()
print("a copy is open:", elsewhere())
fcntl.flock(copy, LOCK_SH | LOCK_NB)
os.close(copy)
print(elsewhere())
os.mkdir("folder")
folder = os.open("folder", os.O_RDONLY)
print(tried(fcntl.flock, folder, LOCK_EX | LOCK_NB), subprocess.run(["flock", "-n", "folder", "true"]).returncode)
os.close(folder)

print("- children")
with open("lock", "w") as f:
    fcntl.flock(f, LOCK_EX)
    child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=f)
print("a child has it:", elsewhere())
child.communicate(b"")
print("it ended:", elsewhere())
holder = subprocess.Popen(["flock", "-F", "lock", "sh", "-c", "echo held; read x"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
holder.stdout.readline()
f = open("lock")
print(tried(fcntl.flock, f, LOCK_EX | LOCK_NB))
holder.kill()
fcntl.flock(f, LOCK_EX)
print("killed:", holder.wait())
f.close()

print("- signals while it waits")
holder = subprocess.Popen(["flock", "-F", "lock", "sh", "-c", "echo held; read x"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
holder.stdout.readline()


def give_up(*_):
    raise TimeoutError("gave up")


f = open("lock")
signal.signal(signal.SIGALRM, give_up)
signal.setitimer(signal.ITIMER_REAL, 0.01)
try:
    fcntl.flock(f, LOCK_EX)
except TimeoutError as error:
    print(error)
signal.signal(signal.SIGALRM, lambda *_: holder.stdin.close())
signal.setitimer(signal.ITIMER_REAL, 0.01)
print(fcntl.flock(f, LOCK_EX), holder.wait())
f.close()

print("- lockf and records")
with open("lock", "w") as f:
    print(fcntl.lockf(f, LOCK_EX | LOCK_NB), elsewhere())
    print(fcntl.lockf(f, LOCK_UN), elsewhere())
    for kind, start in ((fcntl.F_WRLCK, 0), (fcntl.F_UNLCK, 0), (fcntl.F_RDLCK, 0), (fcntl.F_WRLCK, 10)):
        record = struct.pack("hhllhh", kind, 0, start, 0, 0, 0)
        done = tried(fcntl.fcntl, f, fcntl.F_SETLKW, record)
        print(done == record or done, elsewhere(), elsewhere("LOCK_SH"))
for call in (
    lambda f: fcntl.lockf(f, LOCK_EX, 10),
    lambda f: fcntl.lockf(f, LOCK_EX, 0, 10),
    lambda f: fcntl.lockf(f, LOCK_EX, 0, 0, os.SEEK_END),
    lambda f: fcntl.lockf(f, LOCK_NB),
    lambda f: fcntl.flock(f, 0),
    lambda f: fcntl.flock(99, LOCK_EX),
    lambda f: fcntl.flock(-1, LOCK_EX),
    lambda f: fcntl.flock("lock", LOCK_EX),
    lambda f: fcntl.flock(os.pipe()[0], LOCK_EX),
    lambda f: fcntl.fcntl(f, fcntl.F_GETLK, b"\0" * 16),
    lambda f: fcntl.ioctl(f, 21523, b"\0" * 8),
):
    with open("lock", "w+") as f:
        f.write("text")
        f.flush()
        try:
            print(call(f))
        except (OSError, ValueError, TypeError) as error:
            print(type(error).__name__, error)
print(elsewhere())

print("- flags of descriptors")
reader, writer = os.pipe()


def access(fd):
    """How a descriptor was opened."""
    mode = fcntl.fcntl(fd, fcntl.F_GETFL) & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR)
    return {os.O_RDONLY: "r", os.O_WRONLY: "w", os.O_RDWR: "rw"}[mode]


with open("lock") as f:
    print([access(x) for x in (reader, writer, f)], fcntl.fcntl(f, fcntl.F_GETFD))
with open("lock", "w") as w, open("lock", "r+") as both:
    print([access(x) for x in (w, both)])
fcntl.fcntl(reader, fcntl.F_SETFL, fcntl.fcntl(reader, fcntl.F_GETFL) | os.O_NONBLOCK)
print(tried(os.read, reader, 10), bool(fcntl.fcntl(reader, fcntl.F_GETFL) & os.O_NONBLOCK))
fcntl.fcntl(reader, fcntl.F_SETFD, 0)
print(os.get_inheritable(reader), fcntl.fcntl(reader, fcntl.F_GETFD))
