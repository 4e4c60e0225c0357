import mmap, re
with open("/tmp/f", "wb") as f: f.write(b"first line\nsecond line\nthird")
with open("/tmp/f", "rb") as f, mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ) as m:
    print(len(m), m[:5], m.find(b"second"), m.readline(), m.read(6), m.tell(), re.search(rb"th\w+", m).group(), m[0], b"line" in m)
    try: m[0] = 1
    except TypeError as e: print(e)
with open("/tmp/f", "r+b") as f, mmap.mmap(f.fileno(), 0) as m:
    m[0:5] = b"FIRST"; m.seek(6); m.write(b"LINE")
print(open("/tmp/f").readline().strip())
with open("/tmp/f", "rb") as f, mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_COPY) as m: m[0:1] = b"x"; print(m[:5], open("/tmp/f").read(5))
m = mmap.mmap(-1, 10); m.write(b"anonymous"); m.seek(0); print(m.read()); m.close()
try: m.read()
except ValueError as e: print(e)
try: empty = open("/tmp/empty", "w+"); mmap.mmap(empty.fileno(), 0, access=mmap.ACCESS_READ)
except ValueError as e: print(e)
