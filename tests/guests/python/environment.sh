mkdir -p /tmp/lib; echo 'x = "from PYTHONPATH"' > /tmp/lib/extra.py
PYTHONPATH=/tmp/lib python3 -c 'import extra; print(extra.x)'
PYTHONPATH=/tmp/lib python3 -E -c 'import extra'; echo $?
A=1 B='x y' python3 -c 'import os; print(os.environ["A"], os.getenv("B"), os.environ.get("NOPE"), os.environb[b"A"])'
PYTHONUNBUFFERED=1 python3 -c 'import sys; print(sys.stdout.write_through)'
PYTHONDONTWRITEBYTECODE=1 python3 -c 'import sys; print(sys.dont_write_bytecode)'
PYTHONOPTIMIZE=2 python3 -c 'import sys; print(sys.flags.optimize)'
PYTHONIOENCODING=latin-1 python3 -c 'print("\xe9")' | od -An -tx1 | tr -d ' '
python3 -c 'import os; os.environ["NEW"] = "n"; os.system("echo $NEW"); del os.environ["NEW"]; os.system("echo [$NEW]")'
python3 -c 'import os; print(sorted(k for k in os.environ if k in ("HOME", "PATH", "USER", "TMPDIR", "PYTHONHOME")))'
