# `-X importtime`, `-X tracemalloc`, `-X faulthandler`, `PYTHONBREAKPOINT`.
t() { echo "== $*"; "$@" 2>&1; echo "[$?]"; }
mkdir pk
echo 'import pk.b, colorsys' > pk/__init__.py
echo 'x = 1' > pk/b.py
echo 'import nosuch' > bad.py
echo '1/0' > worse.py
times() { python3 "$@" 2>&1 >/dev/null | grep -E 'pk|colorsys|imported' | sed 's/[0-9][0-9]*/N/g; s/[ ]*N/ N/g'; }
times -X importtime -c 'import pk; import pk, sys'
PYTHONPROFILEIMPORTTIME=1 times -c 'import pk'
times -c 'import pk'
# Tracebacks are the usual ones.
python3 -X importtime -c 'import bad' 2>&1 | grep -v 'import time'
python3 -X importtime -c 'import worse' 2>&1 | grep -v 'import time'
traced='import tracemalloc; print(tracemalloc.is_tracing(), tracemalloc.get_traceback_limit())'
t python3 -X tracemalloc -c "$traced"
t python3 -X tracemalloc=5 -c "$traced"
PYTHONTRACEMALLOC=3 t python3 -c "$traced"
PYTHONTRACEMALLOC=3 t python3 -X tracemalloc=0 -c "$traced"
PYTHONTRACEMALLOC=3 t python3 -E -c "$traced"
python3 -X tracemalloc -c 'import tracemalloc
x = [bytes(1000) for i in range(100)]
for found in tracemalloc.take_snapshot().statistics("lineno"):
    if found.traceback[0].filename == "<string>" and found.size > 100_000:
        print("line", found.traceback[0].lineno)'
t python3 -X tracemalloc=x -c 'print(1)'
PYTHONTRACEMALLOC=-1 t python3 -c 'print(1)'
t python3 -X faulthandler -c 'import faulthandler; print(faulthandler.is_enabled())'
PYTHONFAULTHANDLER=1 t python3 -c 'import faulthandler; print(faulthandler.is_enabled())'
PYTHONBREAKPOINT=0 t python3 -c 'breakpoint(); print("on")' </dev/null
PYTHONBREAKPOINT=builtins.print t python3 -c 'breakpoint(1, 2); print("on")' </dev/null
PYTHONBREAKPOINT=nosuch.place python3 -c 'breakpoint(); print("on")' 2>&1 </dev/null | head -1
PYTHONBREAKPOINT=0 python3 -E -c 'breakpoint(); print("on")' 2>&1 </dev/null | head -1
t python3 -c 'import os; os.environ["PYTHONBREAKPOINT"] = "0"; breakpoint(); print("on")' </dev/null
t python3 -c 'import sys; sys.breakpointhook = lambda *given: print("mine", given); breakpoint(3)' </dev/null
