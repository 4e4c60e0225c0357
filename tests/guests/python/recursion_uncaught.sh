# A recursion a million deep that nothing ends: its error comes soon, and its traceback counts the calls.
head='import sys; sys.setrecursionlimit(10**6)'
last() { python3 "$@" 2>&1 | tail -n 4 | sed 's/9999[0-9]*/N/'; }
last -c "$head
def f(n): return f(n + 1)
f(0)"
last -c "$head
import logging
def f(): return f()
try: f()
except RecursionError: logging.exception('caught')"
# Calls of several functions in turn are repeated as they are.
python3 -c "import sys, traceback; sys.setrecursionlimit(3000)
def even(n): return odd(n + 1)
def odd(n): return even(n + 1)
try: even(0)
except RecursionError as error: lines = traceback.format_exception(error)
print(len(lines) > 2900, any('repeated' in line for line in lines), lines[-1], end='')"
