import errno, os, shutil, stat, subprocess, sys, tempfile
os.chdir(tempfile.mkdtemp())
os.umask(0o022)
os.mkfifo("p")
os.mkfifo(b"q", 0o600)
os.mknod("r", 0o640 | stat.S_IFIFO)
os.mknod("file")
for name in ("p", "q", "r", "file"):
    found = os.stat(name)
    print(name, stat.S_ISFIFO(found.st_mode), stat.S_ISREG(found.st_mode), oct(stat.S_IMODE(found.st_mode)), found.st_size)
for what in (lambda: os.mkfifo("p"), lambda: os.mkfifo("no/p"), lambda: os.mkfifo(""), lambda: os.mknod("file")):
    try: what()
    except OSError as error: print(type(error).__name__)
print(sorted((entry.name, entry.is_file(), entry.is_dir(), stat.S_ISFIFO(entry.stat().st_mode)) for entry in os.scandir()))
# Both ends in one process.
end = os.open("p", os.O_RDWR)
print(os.write(end, b"both ends"), os.read(end, 4), os.read(end, 100), stat.S_ISFIFO(os.fstat(end).st_mode))
print(os.fstat(end).st_ino == os.stat("p").st_ino)
os.close(end)
# Another process has the other end.
child = subprocess.Popen(["cat", "p"], stdout=subprocess.PIPE)
with open("p", "w") as pipe:
    print(pipe.isatty(), pipe.write("to cat\n"))
print(child.communicate()[0])
child = subprocess.Popen(["sh", "-c", "echo from sh > p"])
with open("p") as pipe:
    print(list(pipe), child.wait())
code = "import sys; sys.stdout.write(sys.stdin.read().upper())"
child = subprocess.Popen(["sh", "-c", "echo handed over > p"])
with open("p") as pipe:
    print(subprocess.run([sys.executable, "-c", code], stdin=pipe, capture_output=True).stdout, child.wait())
child = subprocess.Popen(["cat", "p"], stdout=subprocess.PIPE)
with open("p", "wb") as pipe:
    subprocess.run(["echo", "into an open pipe"], stdout=pipe)
print(child.communicate()[0])
# The reader has gone.
end = os.open("p", os.O_RDWR)
writer = os.open("p", os.O_WRONLY)
os.close(end)
try: os.write(writer, b"x")
except BrokenPipeError as error: print("BrokenPipeError", error.errno == errno.EPIPE)
os.close(writer)
# Copies and removal.
try: shutil.copyfile("p", "copy")
except shutil.SpecialFileError as error: print(error)
os.rename("p", "moved")
os.unlink("moved")
print(sorted(os.listdir()))
