import builtins, copy, errno, fcntl, gzip, importlib, io, mmap, os, pathlib, pickle, select, shutil, socket, subprocess, sys, tarfile, zipfile
from multiprocessing import shared_memory
def show(what, function, *arguments):
    try: print(what, "gives", function(*arguments))
    except OSError as e: print(f"{what}: {type(e).__name__} {e.errno} {errno.errorcode.get(e.errno)} {e.args[0]} {type(e) is getattr(builtins, type(e).__name__)} {str(e)[:90]}")
work = "/tmp/work"; os.mkdir(work); os.chdir(work)
def make(name, mode=0o644):
    with open(name, "w") as f: f.write("garbage")
    os.chmod(name, mode)
make("f"); make("x", 0o755); make("locked", 0o200); os.mkdir("d"); make("d/f"); os.symlink("a", "b"); os.symlink("b", "a")
print("files")
for name in ("none", "f/x", "a", "x" * 300): show("open", open, name)
show("write a folder", open, "d", "w"); show("exclusive", open, "f", "x"); show("os.open", os.open, "none", os.O_RDONLY)
show("mkdir", os.mkdir, "d"); show("mkdir", os.mkdir, "none/d"); show("rmdir", os.rmdir, "d"); show("rmdir", os.rmdir, "f"); show("unlink", os.unlink, "d")
show("rename", os.rename, "none", "other"); show("rename", os.rename, "d", "d/e"); show("rename", os.rename, "f", "d"); show("link", os.link, "f", "x")
show("readlink", os.readlink, "f"); show("stat", os.stat, "none"); show("chmod", os.chmod, "none", 0o600); show("utime", os.utime, "none"); show("truncate", os.truncate, "f", -1)
show("listdir", os.listdir, "none"); show("listdir", os.listdir, "f"); show("scandir", os.scandir, "f"); show("chdir", os.chdir, "f"); show("statvfs", os.statvfs, "none")
show("copy", shutil.copy, "none", "other"); show("move", shutil.move, "none", "other"); show("rmtree", shutil.rmtree, "none"); show("read_text", pathlib.Path("none").read_text); show("resolve", lambda: pathlib.Path("none").resolve(strict=True))
show("zip", zipfile.ZipFile, "none.zip"); show("tar", tarfile.open, "none.tar"); show("gzip", gzip.open, "none.gz"); show("shared memory", shared_memory.SharedMemory, "none")
print("descriptors")
for name in ("close", "fstat", "dup", "fsync", "isatty"): show(name, getattr(os, name), 77)
show("read", os.read, 77, 1); show("write", os.write, 77, b"x"); show("lseek", os.lseek, 77, 0, 0); show("dup2", os.dup2, 77, 78)
r, w = os.pipe(); show("seek in a pipe", os.lseek, r, 0, 0); os.close(r); show("nobody reads", os.write, w, b"x")
f = os.open("f", os.O_RDONLY); show("seek", os.lseek, f, -1, 0); show("write", os.write, f, b"x")
show("flock", fcntl.flock, 77, fcntl.LOCK_EX); show("mmap", mmap.mmap, 77, 10); show("select", select.select, [77], [], [], 0)
print("processes")
show("run", subprocess.run, ["none-of-this-name"]); show("run", subprocess.run, [f"{work}/f"]); show("run", subprocess.run, [f"{work}/x"]); show("cwd", lambda: subprocess.run(["true"], cwd="none"))
show("exec", os.execv, "none", ["none"]); show("kill", os.kill, 99999, 0); show("kill", os.kill, os.getpid(), 99); show("wait", os.waitpid, -1, 0); show("getpgid", os.getpgid, 99999)
show("size", os.get_terminal_size, w)
print("sockets")
listening = socket.create_server(("127.0.0.1", 0)); listening.setblocking(False); show("accept", listening.accept)
show("recv", socket.socket().recv, 1); show("unix", socket.socket(socket.AF_UNIX).connect, f"{work}/none"); show("listen", lambda: socket.socket(socket.AF_UNIX).bind("f"))
one, other = socket.socketpair(); one.setblocking(False); show("recv", one.recv, 1); other.close(); show("send", lambda: [one.send(b"x") for _ in range(2)])
print("errors of the program")
for number in (1, 2, 3, 4, 6, 10, 11, 12, 13, 16, 17, 20, 21, 22, 26, 27, 29, 31, 32, 44, 51, 54, 63, 73, 76, 95, 103, 104, 108, 110, 111, 114, 115): show("raise", lambda: (_ for _ in ()).throw(OSError(number, os.strerror(number))))
for number in (0, 28, 41, 132, 200, -1): print(number, os.strerror(number), errno.errorcode.get(number))
print(errno.ENOENT, errno.EWOULDBLOCK, errno.EDEADLK, errno.EOPNOTSUPP, errno.ENODATA, errno.ESHUTDOWN, hasattr(errno, "ENOTCAPABLE"), len(set(errno.errorcode) - {133}))
before = dict(errno.errorcode)
del sys.modules["errno"]
again = importlib.import_module("errno")
print(again is errno, again.ENOENT, again.errorcode == before, importlib.reload(again).EEXIST)
for number in (2, 5, 28):
    for error in (pickle.loads(pickle.dumps(OSError(number, "text", "file"))), copy.copy(OSError(number, "text"))): print(repr(error), error.filename)
class Raw(io.RawIOBase):
    tries = 0
    def writable(self): return True
    def write(self, data):
        self.tries += 1
        if self.tries < 3: raise OSError(self.number, "text")
        return len(data)
for number, flushes in ((4, 1), (27, 3)):  # BufferedWriter tries again after EINTR, and only then
    raw = Raw(); raw.number = number
    buffered = io.BufferedWriter(raw); buffered.write(b"x")
    for _ in range(flushes): show("flush", buffered.flush)
    print(raw.tries)
