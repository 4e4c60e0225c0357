# The limits that `ulimit` sets hold for this process, for a subshell and for what they start.
(ulimit -v 200000; python3 -c 'len(bytes(300_000_000))' 2>&1 | tail -n 1; python3 -c 'print(len(bytes(10_000_000)))')
python3 -c 'print(len(bytes(300_000_000)))'
cat > open.py <<'EOF'
files = []
try:
    while len(files) < 250:
        files.append(open("/etc/passwd"))
except OSError:
    print("refused", end=" ")
print(len(files) <= 40)
EOF
(ulimit -n 40; python3 open.py; sh -c 'ulimit -n 30; python3 open.py'); python3 open.py
(ulimit -t 1; python3 -c 'while True: pass'; echo "status $?") 2>/dev/null
sh -c 'ulimit -t 1; while :; do :; done' 2>/dev/null; echo "status $?"
(ulimit -St 1; python3 -c '
import signal
def handler(number, frame):
    print("signal", signal.Signals(number).name)
    raise SystemExit(3)
signal.signal(signal.SIGXCPU, handler)
while True: pass'; echo "status $?")
out=$( (ulimit -u 1; cat /etc/hostname) 2>&1 ); echo "$out" | grep -o 'Resource temporarily unavailable'
sh -c 'ulimit -f 5; ulimit -s 1000; ulimit -s unlimited; ulimit -m 5' 2>&1
ulimit -a
