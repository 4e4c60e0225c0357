"""What Python sees of other processes: through /proc, ps, pgrep and pkill."""
import os
import signal
import subprocess
import sys
import tempfile

os.chdir(tempfile.mkdtemp())
with open("server.py", "w") as file:
    file.write("print('up', flush=True)\nimport time\ntime.sleep(60)\n")


def state(pid):
    with open(f"/proc/{pid}/status") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file)["State"]


def until(pid, wanted):
    while state(pid) != wanted:
        pass


def start(*arguments):
    child = subprocess.Popen(["python3", "server.py", *arguments], stdout=subprocess.PIPE, text=True)
    print(child.stdout.readline().strip())
    return child


child = start("--name", "a b", "é")
until(child.pid, "S (sleeping)")
with open(f"/proc/{child.pid}/cmdline", "rb") as file:
    print(file.read().split(b"\0"))
print(str(child.pid) in os.listdir("/proc"), str(os.getpid()) in os.listdir("/proc"), state("self"))
rows = [line.split(None, 10) for line in os.popen("ps aux").read().splitlines()]
print(rows[0])
print([(row[7], row[10]) for row in rows if row[1] == str(child.pid)])
print([row[10] for row in rows if row[1] == str(os.getpid())] == [" ".join(["python3", *sys.argv])])
print(os.popen("pgrep -f 'python3 server[.]py'").read() == f"{child.pid}\n")

os.kill(child.pid, signal.SIGSTOP)
until(child.pid, "T (stopped)")
os.kill(child.pid, signal.SIGCONT)
until(child.pid, "S (sleeping)")
print(os.system("kill $(pgrep -f 'server[.]py --name')"), child.wait())

child = start()
print(subprocess.run(["pkill", "-f", "server.py"]).returncode, child.wait(), os.path.exists(f"/proc/{child.pid}"))

# Until its parent asks, a child that has ended is there.
child = subprocess.Popen(["true", "x"])
until(child.pid, "Z (zombie)")
with open(f"/proc/{child.pid}/cmdline", "rb") as file:
    print(file.read())
print(os.popen(f"ps -o stat=,args= -p {child.pid}").read().strip())
print(child.wait(), os.path.exists(f"/proc/{child.pid}"))
try:
    open(f"/proc/{child.pid}/stat")
except FileNotFoundError as error:
    print(error.strerror)
