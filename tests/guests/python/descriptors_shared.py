# One open file description: copies, children and file objects share its position and its flags.
import os, subprocess, sys, tempfile
os.chdir(tempfile.mkdtemp())
def text(name): return open(name).read()

f = os.open("dup", os.O_RDWR | os.O_CREAT); g = os.dup(f); os.write(f, b"one"); os.write(g, b"two"); print(text("dup"))
os.lseek(g, 1, os.SEEK_SET); print(os.read(f, 2), os.read(g, 2), os.lseek(f, 0, os.SEEK_CUR)); os.close(f); os.write(g, b"!"); os.close(g); print(text("dup"))

f = os.open("append", os.O_WRONLY | os.O_CREAT | os.O_APPEND); g = os.dup(f)
for word in (b"a", b"b", b"c"):
    os.write(f, word); os.lseek(g, 0, os.SEEK_SET); os.write(g, word.upper())
print(text("append")); os.close(f); os.close(g)

import fcntl
f = os.open("append", os.O_RDWR); g = os.dup(f); flags = fcntl.fcntl(f, fcntl.F_GETFL); print(flags & os.O_APPEND)
fcntl.fcntl(g, fcntl.F_SETFL, flags | os.O_APPEND); os.write(f, b"d"); print(text("append"), fcntl.fcntl(f, fcntl.F_GETFL) & os.O_APPEND == os.O_APPEND)
with open("append", "r+") as other: print(fcntl.fcntl(other, fcntl.F_GETFL) & os.O_APPEND)
subprocess.run(["sh", "-c", "echo a child >&0; exec python3 -c 'import fcntl, os; fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) & ~os.O_APPEND)'"], stdin=f)
os.lseek(g, 0, os.SEEK_SET); os.write(g, b"X"); print(text("append"), end=""); os.close(f); os.close(g)
with open("append", "w") as f: fcntl.fcntl(f, fcntl.F_SETFL, fcntl.fcntl(f, fcntl.F_GETFL) | os.O_APPEND); print(f.write("12"), f.seek(0), f.write("3")); f.flush(); print(f.tell(), text("append"))

for mode in "w", "a":
    with open("log", mode) as log:
        children = [subprocess.Popen(["sh", "-c", f"echo {n} begins; echo {n} ends"], stdout=log, stderr=subprocess.STDOUT) for n in range(4)]
        print([child.wait() for child in children])
    print(len(text("log").splitlines()), sorted(text("log").split("\n"))[-1])

with open("between", "w") as log:
    for n in range(3):
        print("parent", n, file=log, flush=True); subprocess.run(["echo", "child", str(n)], stdout=log)
    print("end", log.tell(), file=log)
print(text("between"))

with open("back", "w+") as f:
    subprocess.run(["echo", "from a child"], stdout=f); f.seek(0); print(repr(f.read()), f.tell()); f.seek(5); f.truncate(); f.write("X"); f.flush(); f.seek(0); print(repr(f.read()))
with open("bytes", "w+b", buffering=0) as f:
    subprocess.run(["printf", "12345"], stdout=f); print(f.tell(), f.write(b"67"), f.tell(), f.seek(-3, os.SEEK_CUR), f.read(), f.truncate(3), f.seek(0), f.readall(), f.seek(0, 2))

with open("lines", "wb") as f: f.write(b"".join(b"line %d\n" % n for n in range(5)))
with open("lines", "rb", buffering=0) as f:
    print(f.read(7), flush=True); subprocess.run(["head", "-n1"], stdin=f); print(f.read(7), f.tell())
    print(subprocess.run(["cat"], stdin=f, capture_output=True).stdout, f.read())

import mmap
with open("mapped", "w+b") as f:
    f.write(b"abcdef"); f.seek(2)
    with mmap.mmap(f.fileno(), 0) as m: m[0:3] = b"ABC"; m.flush(); print(f.tell(), f.read(2))
    print(f.tell(), f.read())

# A file object whose descriptor `dup2` replaces goes on in the other file.
a, b = open("a", "w"), open("b", "w"); a.write("to a\n"); a.flush(); os.dup2(b.fileno(), a.fileno())
a.write("to b\n"); a.flush(); print(a.tell()); a.close(); b.write("b itself\n"); b.close(); print(repr(text("a")), repr(text("b")))

# A closed file leaves nothing to the next one with its number.
f = open("dup", "a"); number = f.fileno(); subprocess.run(["echo"], stdout=f); f.close()
f = open("dup", "r+"); print(f.fileno() == number, f.tell(), repr(f.read()), f.tell()); f.seek(0); f.write("new"); f.close(); print(repr(text("dup")))
with open("left", "w") as f: copy = os.dup(f.fileno())
os.write(copy, b"after close"); os.close(copy); print(text("left"))
f = open("unlinked", "w+"); os.unlink("unlinked"); subprocess.run(["echo", "still there"], stdout=f); f.seek(0); print(f.read(), end="")
try: os.read(copy, 1)
except OSError as e: print(e.strerror)
