# An empty list from the host does not stay in memory either: it would take 16 bytes each time, of some 18 MiB that are free.
# No function for programs gets empty lists so often, so this asks the host itself for an environment that is empty.
env -i python3 -c '
import os
environment = os.write.__globals__["process"].environment
for _ in range(1_600_000):
    answer = environment()
print(answer)
'
