"""Names that are not UTF-8: bytes, or `str` with lone surrogates, in every function of `os` and what stands on it."""
import glob
import os
import pathlib
import shutil
import socket
import stat
import subprocess
import sys
import tarfile
import tempfile

os.chdir(tempfile.mkdtemp())
raw, text, mark = b"caf\xe9.txt", "caf\udce9.txt", "\uf7e9"
pathlib.Path(text).write_text("one\n")
open(mark, "w").write("two\n")
print(sorted(os.listdir()) == sorted([text, mark]), sorted(os.listdir(b".")), [entry.name for entry in os.scandir() if entry.name != mark] == [text])
print(open(raw).read(), open(text).read(), open(mark).read(), end="")
os.chmod(text, 0o600)
print(oct(stat.S_IMODE(os.stat(raw).st_mode)), os.path.exists(text), os.access(raw, os.R_OK), os.path.getsize(text))
os.utime(raw, (1, 2))
print(os.stat(text).st_mtime, ascii(os.path.abspath(text).rpartition("/")[2]), ascii(os.path.realpath(text).rpartition("/")[2]))
shutil.move(text, "d\udcff")
shutil.copy("d\udcff", text)
os.rename("d\udcff", b"e\xfe")
os.symlink(raw, b"l\x80")
os.link(raw, "h\udc81")
print(os.readlink("l\udc80") == text, os.readlink(b"l\x80"), sorted(os.listdir(b".")))
os.mkdir("dir\udce8")
os.chdir("dir\udce8")
print(ascii(os.getcwd().rpartition("/")[2]), os.getcwdb().rpartition(b"/")[2])
pathlib.Path(text).touch()
print(subprocess.run(["ls"], capture_output=True).stdout, subprocess.run("pwd", shell=True, capture_output=True).stdout.rpartition(b"/")[2])
os.chdir("..")
print(subprocess.run(["cat", text], capture_output=True), subprocess.run(["cat", raw], capture_output=True).stdout)
print(subprocess.run(["ls"], cwd="dir\udce8", capture_output=True).stdout, subprocess.run(["sh", "-c", 'printf %s "$X"'], env={"X": "v\udce9", "PATH": os.environ["PATH"]}, capture_output=True).stdout)
print(subprocess.run([sys.executable, "-c", "import sys, os; print(ascii(sys.argv[1]), os.path.exists(sys.argv[1]))", text], capture_output=True).stdout)
print([ascii(name) for name in sorted(glob.glob("*.txt"))], [os.fsencode(path.name) for path in sorted(pathlib.Path().rglob("caf*"))])
print([[os.fsencode(name) for name in sorted(files)] for _, _, files in os.walk("dir\udce8")])
pathlib.Path("run\udce9").write_text("#!/bin/sh\necho ran\n")
os.chmod("run\udce9", 0o755)
print(subprocess.run([os.path.abspath("run\udce9")], capture_output=True).stdout, shutil.which("./run\udce9") is not None)
with tarfile.open("t.tar", "w") as archive:
    archive.add(text)
    archive.add("dir\udce8")
print([ascii(name) for name in tarfile.open("t.tar").getnames()], subprocess.run(["tar", "tf", "t.tar"], capture_output=True).stdout)
os.mkdir("out")
tarfile.open("t.tar").extractall("out", filter="data")
print(sorted(os.listdir(b"out")), os.listdir(b"out/dir\xe8"))
server = socket.socket(socket.AF_UNIX)
server.bind("s\udce9")
server.listen()
client = socket.socket(socket.AF_UNIX)
client.connect(b"s\xe9")
print(*(ascii(name.rpartition("/")[2]) for name in (server.getsockname(), client.getpeername())))
for name in ("no\udce9", b"no\xe9"):
    for function in (open, os.stat, os.listdir, os.remove, os.chmod, os.readlink, os.chdir):
        try:
            function(name, 0) if function is os.chmod else function(name)
        except OSError as error:
            print(function.__name__, type(error).__name__, ascii(error.filename), end="; ")
    print()
for wrong in ("a\ud800", "a\0b"):
    try:
        open(wrong)
    except ValueError as error:
        print(type(error).__name__)
print(ascii("caf\udcc3\udca9"), os.path.exists("caf\udcc3\udca9"), os.path.exists("\uf7c3\uf7a9"))
shutil.rmtree("dir\udce8")
for name in os.listdir():
    shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
print(os.listdir())
