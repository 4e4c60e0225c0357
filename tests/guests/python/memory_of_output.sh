# What a program prints does not stay in its memory: 2 GiB within 64 MiB for all that runs.
python3 -c '
import sys
for _ in range(1 << 15):
    sys.stdout.buffer.write(bytes(1 << 16))
' | wc -c
python3 -c '
line = "x" * 16383
for _ in range(1 << 17):
    print(line)
' | wc -c
# And what it reads: the whole of a pipe.
head -c 2147483648 /dev/zero | python3 -c '
import os
count = 0
while piece := os.read(0, 1 << 16):
    count += len(piece)
print(count)
'
