# A descriptor has the lowest free number, whatever it is of.
import fcntl, os, sys
def refused(function, *arguments):
    try: return function(*arguments)
    except OSError as e: return e.strerror
first = os.open("/etc/passwd", os.O_RDONLY); rest = [os.open("/etc/passwd", os.O_RDONLY) for _ in range(4)]; print([n - first for n in rest])
for n in (first, rest[3], rest[1]): os.close(n)
again = [os.dup(rest[0]), *os.pipe()]; print(sorted(n - first for n in again) in ([0, 2, 4], [-1, 0, 2]), len(set(again) & {rest[0], rest[2]}))
with open("/etc/passwd") as f: print(f.fileno() not in (*again, rest[0], rest[2]), os.read(rest[0], 4) == f.read(4).encode())
for n in again: os.close(n)
print(refused(os.read, again[0], 1), refused(os.dup, again[1]), refused(os.fstat, again[2]), refused(os.close, again[2]))
os.lseek(rest[0], 0, os.SEEK_SET)

print(os.dup2(rest[0], 50), os.read(50, 4) == os.pread(rest[2], 4, 0), os.get_inheritable(50), os.get_inheritable(rest[0]), refused(os.dup2, 77, 78), refused(os.dup2, 50, -1), os.dup2(50, 50))
print(fcntl.fcntl(50, fcntl.F_DUPFD, 40), fcntl.fcntl(50, fcntl.F_DUPFD, 40), fcntl.fcntl(50, fcntl.F_DUPFD_CLOEXEC, 50), os.get_inheritable(40), os.get_inheritable(51))
os.dup2(rest[2], 40); print(os.lseek(40, 0, os.SEEK_CUR), os.lseek(50, 0, os.SEEK_CUR))
os.closerange(first, 256); print([refused(os.fstat, n) for n in (first, rest[0], 40, 50)], refused(os.listdir, "/etc") != "Bad file descriptor")
print(os.open("/etc/passwd", os.O_RDONLY) == first); os.close(first)

r, w = os.pipe(); os.write(w, b"text\nand more\n"); os.close(w)
with open(r) as f: print(f.readline(), f.fileno() == r, f.seekable(), f.read(), end="")
print(refused(os.fstat, r), refused(open, r))
with open("/tmp/by-number", "w") as f:
    copy = os.dup(f.fileno())
    with open(copy, "wb", closefd=False) as g: g.write(b"by number\n")
    with os.fdopen(copy, "w") as g: print(g.tell(), g.seekable(), file=g)
    f.write("and again\n")
print(open("/tmp/by-number").read(), end="")

# Standard output has no other number once it is closed, and a file can have its own.
saved = os.dup(1); sys.stdout.flush(); os.close(1); print(refused(os.write, 1, b"x") == "Bad file descriptor", file=open("/tmp/told", "w"))
name = "/tmp/as-output"; number = os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC); print("to number", number); sys.stdout.flush(); os.system("exec 2>&-; echo nothing")
os.set_inheritable(1, True); os.system("echo a child too")
os.dup2(saved, 1); os.close(saved); print(open(name).read(), end=""); print(open("/tmp/told").read(), end="")
