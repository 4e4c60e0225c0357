printf 'a\nb\n' | python3 -c 'import sys; print([l.rstrip() for l in sys.stdin])'
echo in | python3 -c 'print(input("prompt "), input.__name__)'
python3 -c 'input()' < /dev/null; echo $?
python3 -c 'import sys; sys.stdout.write("no newline"); sys.stderr.write("err\n")'; echo
python3 -c 'import sys; print(sys.stdin.isatty(), sys.stdout.isatty(), sys.stdout.encoding, sys.stdout.name, sys.stdout.fileno())'
printf '\377\n' | python3 -c 'import sys; print(sys.stdin.buffer.read())'
printf 'caf\303\251' | python3 -c 'import sys; s = sys.stdin.read(); print(len(s), s)'
python3 -c 'import sys; sys.stdout.buffer.write(bytes(range(256)))' | wc -c | tr -d ' '
python3 -c 'import os; os.write(1, b"raw\n"); print(os.read(0, 3))' < /dev/zero
seq 3 | python3 -c 'import sys; print(sys.stdin.readline().strip()); import subprocess; print(sys.stdin.read().split())'
python3 -c 'print("to file")' > /tmp/out.txt; cat /tmp/out.txt
python3 -c 'import sys; print("x", file=sys.stderr)' 2>&1 | cat
