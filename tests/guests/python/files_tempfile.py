import tempfile, os
print(tempfile.gettempdir())
with tempfile.TemporaryDirectory(prefix="p") as d:
    print(d.startswith("/tmp/p"), oct(os.stat(d).st_mode)); open(d + "/f", "w").close()
print(os.path.exists(d))
with tempfile.NamedTemporaryFile("w+", suffix=".txt") as f:
    f.write("hello"); f.flush(); print(os.path.getsize(f.name), oct(os.stat(f.name).st_mode), f.name.endswith(".txt"))
print(os.path.exists(f.name))
with tempfile.TemporaryFile() as f: f.write(b"abc"); f.seek(1); print(f.read())
with tempfile.SpooledTemporaryFile(max_size=2) as f: f.write(b"rolled over"); f.seek(0); print(f.read())
fd, path = tempfile.mkstemp(); os.close(fd); print(os.path.exists(path)); os.unlink(path)
print(os.listdir("/tmp"))
