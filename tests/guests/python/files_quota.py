import errno, wisp
usage = wisp.usage()
try:
    with open("/tmp/big", "wb") as f:
        while True: f.write(bytes(8 << 20))
except OSError as e:
    print(e.errno in (errno.ENOSPC, errno.EIO), type(e).__name__)
print(wisp.usage().bytes <= usage.max_bytes)
