python3 -c '
for i in range(100000): print(i)' | head -2
python3 -c '
import sys
try:
    for i in range(100000): print(i)
    sys.stdout.flush()
except BrokenPipeError:
    sys.stderr.write("caught BrokenPipeError\n")
    sys.stdout = None
' | head -1
