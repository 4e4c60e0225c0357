# A thread that reads standard input waits alone: the others go on.
(until [ -e /tmp/said ]; do sleep 0.01; done; echo late; echo later) | python3 -c '
import sys, threading
def read():
    for line in sys.stdin: print("read", line.strip(), flush=True)
thread = threading.Thread(target=read)
thread.start()
print("the first thread goes on", flush=True)
open("/tmp/said", "w").close()
thread.join()
'
# So does one that reads it by its number, by input(), and from a pipe of its own.
(until [ -e /tmp/number ]; do sleep 0.01; done; echo by number) | python3 -c '
import os, threading
thread = threading.Thread(target=lambda: print(os.read(0, 100)))
thread.start()
open("/tmp/number", "w").close()
thread.join()
'
(until [ -e /tmp/input ]; do sleep 0.01; done; echo by input) | python3 -c '
import threading
thread = threading.Thread(target=lambda: print(input()))
thread.start()
open("/tmp/input", "w").close()
thread.join()
'
python3 -c '
import os, threading
reader, writer = os.pipe()
thread = threading.Thread(target=lambda: print(os.read(reader, 100)))
thread.start()
os.write(writer, b"by a pipe")
thread.join()
'
