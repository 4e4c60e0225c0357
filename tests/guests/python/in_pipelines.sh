seq 1 5 | python3 -c 'import sys; print(sum(int(l) for l in sys.stdin))'
python3 -c 'for i in (3, 1, 2): print(i)' | sort | python3 -c 'print(list(map(int, __import__("sys").stdin)))'
yes | head -3 | python3 -c 'import sys; print(len(sys.stdin.readlines()))'
python3 -c 'import itertools
for i in itertools.count(): print(i)' 2>/dev/null | head -2
x=$(python3 -c 'print("captured")'); echo "[$x]"
python3 -c 'exit(3)' || echo "failed $?"
for i in 1 2 3; do python3 -c "print($i * $i)"; done
