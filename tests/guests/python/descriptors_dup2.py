import os, sys, subprocess
saved = os.dup(1)
with open("/tmp/captured", "w") as f:
    sys.stdout.flush(); os.dup2(f.fileno(), 1)
    print("into the file"); sys.stdout.flush()
    os.write(1, b"raw into the file\n")
    subprocess.run(["echo", "a child's too"])
os.dup2(saved, 1); os.close(saved)
print("back")
print(open("/tmp/captured").read(), end="")
r, w = os.pipe(); keep = os.dup(0); os.dup2(r, 0); os.write(w, b"typed\n"); os.close(w)
print(input(), repr(sys.stdin.read())); os.dup2(keep, 0)
import contextlib, io
with contextlib.redirect_stdout(io.StringIO()) as buffer: print("redirected")
print(repr(buffer.getvalue()))
