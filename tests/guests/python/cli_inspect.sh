# `python3 -i`: a prompt after the program, also where standard input is no terminal.
t() { echo "== $*"; python3 "$@" 2>&1; echo "[$?]"; }
printf 'print(x)\nx+1\n' | t -i -c 'x=1'
printf 'print(x)\n' | t -i -c 'import sys; x=2; sys.exit(3)'
printf 'print(x)\n' | t -i -c 'x=2; 1/0'
printf 'exit(5)\n' | t -i -c 'x=2'
printf '1/0\n' | t -i -c 'x=2'
printf 'def f():\n  return 4\n\nf()\n' | t -i -q
printf 'x\n' | PYTHONINSPECT=1 t -c 'x=1'
printf '5\n' | t -i -c 'exit()'
printf 'import sys; sys.flags.inspect, sys.flags.interactive\n__name__\n' > in
t -i -m this < in | tail -4
printf 'x = 4\nprint("hi")\n' > s.py
printf 'x\n__file__\nundefined\n(1\n+\n2)\n' | t -i s.py a b
printf 'print("out")\n' | python3 -i -c '' 2>/dev/null
printf 'input("q? ")\nabc\n' | t -i -c ''
t -i -c 'raise SystemExit("text")' </dev/null
t -i -c 'def f(' </dev/null
t -i nosuch.py </dev/null 2>&1 | sed "s/'.*'/FILE/"
printf '1+1\n' | t -i | sed 's/^Python .*/Python/'
