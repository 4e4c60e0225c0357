# Standard streams pass on bytes that are no text in the locales C and C.UTF-8, as those of CPython do; `PYTHONIOENCODING` and files are strict.
for locale in C POSIX C.UTF-8; do printf 'caf\351\n' | LC_ALL=$locale python3 -c 'import sys; text = sys.stdin.read(); print(ascii(text), sys.stdin.errors, sys.stdout.errors, sys.stderr.errors); print(text, end="")' | od -An -c; done
printf 'caf\351\n' | PYTHONIOENCODING=utf-8:strict python3 -c 'import sys
try: sys.stdin.read()
except UnicodeDecodeError as e: print(sys.stdin.errors, e.reason)'
printf 'caf\351\n' | PYTHONIOENCODING=latin-1 python3 -c 'import sys; print(ascii(sys.stdin.read()), sys.stdin.errors)'
cd "$(mktemp -d)" && printf 'caf\351\n' > f; python3 -c '
try: open("f").read()
except UnicodeDecodeError as e: print(e.reason)
import subprocess
try: subprocess.run(["cat", "f"], capture_output=True, text=True)
except UnicodeDecodeError as e: print(e.reason)'
