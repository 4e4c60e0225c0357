# Descriptors that a process is started with keep their numbers, and no file of its own takes one.
cd /tmp; printf 'line 1\nline 2\nline 3\n' > lines
cat > opens.py <<'P'
import os
opened = [os.open("/etc/passwd", os.O_RDONLY) for _ in range(4)]; objects = [open("/etc/passwd") for _ in range(4)]
print({6, 8} & {*opened, *(f.fileno() for f in objects)}, os.get_inheritable(6), os.write(6, b"by number\n"), os.read(8, 7))
with open(6, "w", closefd=False) as f: f.write("by file object\n")
print(open(8, closefd=False).readline(), end=""); os.close(8)
try: os.read(8, 1)
except OSError as e: print(e.strerror)
P
exec 6>six 8<lines; python3 opens.py; echo after >&6; exec 6>&- 8<&-; cat six
python3 - <<'P'
import os, subprocess
r, w = os.pipe()
print(subprocess.run(["sh", "-c", f"echo by number >&{w}; echo by name >/dev/fd/{w}"], pass_fds=[w]).returncode, os.read(r, 99))
print(subprocess.run(["python3", "-c", f"import os; os.write({w}, b'a child'); os.close({w}); print(input())"], pass_fds=[w], input=b"", capture_output=True).returncode, os.read(r, 99))
child = subprocess.Popen(["python3", "-c", f"import os, sys; os.close({w}); sys.stdin.read()"], pass_fds=[w], stdin=subprocess.PIPE)
os.close(w); print(os.read(r, 1), child.poll()); child.communicate()
with open("both", "w+") as f:
    subprocess.run(["sh", "-c", f"echo one >&{f.fileno()}"], pass_fds=[f.fileno()]); f.write("two\n"); f.flush()
    subprocess.run(["sh", "-c", f"echo three >&{f.fileno()}"], pass_fds=[f.fileno()]); f.seek(0); print(f.read(), end="")
P
exec 9>>locked; python3 -c '
import os, subprocess
os.write(9, b"1\n"); subprocess.run("echo 2 >&9", shell=True, close_fds=False); os.lseek(9, 0, 0); os.write(9, b"3\n")
os.execvp("sh", ["sh", "-c", "echo 4 >&9"])'; echo 5 >&9; cat locked
python3 -c 'import sys; print(sys.stdin, open("/etc/passwd").fileno())' <&-
