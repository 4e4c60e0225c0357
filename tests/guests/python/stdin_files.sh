# Standard streams that are files have positions, which children share.
cd /tmp; seq 20000 > n; python3 -c "
import zipfile
with zipfile.ZipFile('z.zip', 'w') as z: z.writestr('a', 'first'); z.writestr('b', 'second')"
python3 -c "
import io, mmap, os, subprocess, sys
print(sys.stdin.seekable(), sys.stdin.buffer.seekable(), os.lseek(0, 4, os.SEEK_SET), sys.stdin.readline(), sys.stdin.tell())
print(sys.stdin.seek(0), sys.stdin.readline(), sys.stdin.buffer.seek(-6, os.SEEK_END), sys.stdin.buffer.read())
print(mmap.mmap(0, 0, access=mmap.ACCESS_READ)[:6], os.pread(0, 4, 2), os.lseek(0, 0, os.SEEK_CUR) == os.fstat(0).st_size)
os.lseek(0, 6, os.SEEK_SET); sys.stdout.flush(); subprocess.run(['head', '-n2']); print(os.lseek(0, 0, os.SEEK_CUR), os.read(0, 4))
with open(0, 'rb', closefd=False) as f: print(f.seek(8), f.readline(), f.tell())
with open('/dev/stdin', 'rb') as f: print(f.seek(-6, os.SEEK_END), f.read(), f.seek(0), f.readline())
" < n
python3 -c "import sys, zipfile; z = zipfile.ZipFile(sys.stdin.buffer); print(z.namelist(), z.read('b'))" < z.zip
python3 -c "import sys, tarfile, io; print(io.FileIO(0, closefd=False).seek(3), sys.stdin.buffer.raw.tell())" < n
{ head -n1; python3 -c 'import sys; print(sys.stdin.tell(), sys.stdin.readline(), end=""); sys.stdin.seek(0); print(sys.stdin.readline(), end="")'; } < n
python3 -c "
import os, subprocess, sys
print('text'); print(sys.stdout.tell(), sys.stdout.seekable(), sys.stderr.seekable()); sys.stdout.flush(); subprocess.run(['echo', 'a child'])
print(os.lseek(1, 0, os.SEEK_CUR)); sys.stdout.flush(); sys.stdout.seek(0); print('T'); sys.stdout.flush(); os.ftruncate(1, 9)" > out 2> err; cat out err
python3 -c "import sys; print(sys.stdout.truncate(2)); sys.stdout.seek(0, 2); print('end')" >> out; cat out
python3 -c "import sys; sys.stdout.truncate(0); print('anew')" >> out; cat out
printf 'import sys, subprocess\nprint(repr(sys.stdin.read()), subprocess.run(["cat"], capture_output=True).stdout)\n' > script; python3 < script
echo piped | python3 -c 'import errno, os, sys
print(sys.stdin.seekable())
try: os.lseek(0, 0, os.SEEK_CUR)
except OSError as e: print(e.errno == errno.ESPIPE)
try: sys.stdin.seek(0)
except OSError as e: print(type(e).__name__, e)
print(sys.stdin.read())'
