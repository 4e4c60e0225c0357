import errno, os, wisp
usage = wisp.usage()
def fill(write):
    try:
        while True: write(bytes(8 << 20))
    except OSError as e:
        print(type(e).__name__, e.errno == errno.ENOSPC, e.strerror, e.args == (e.errno, e.strerror), e.__notes__[0].partition(":")[0])
try:
    with open("/tmp/big", "wb") as f: fill(f.write)
except OSError as e: print("what was buffered:", e.strerror)
print(wisp.usage().bytes <= usage.max_bytes)
fd = os.open("/tmp/big2", os.O_CREAT | os.O_WRONLY); fill(lambda data: os.write(fd, data)); os.close(fd)
try:
    with open("/tmp/big3", "w") as f: f.write("x" * 100_000)
except OSError as e: print(e.errno == errno.ENOSPC)
os.unlink("/tmp/big")
print(open("/tmp/big3", "w").write("there is room again"))
# An EIO with another cause stays as it is.
e = OSError(errno.EIO, "of my own"); print(e.errno == errno.EIO, isinstance(e, OSError), e)
