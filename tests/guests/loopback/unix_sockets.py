"""Unix sockets, pairs, and sockets that another process inherits."""
import os
import socket
import stat
import subprocess
import sys

a, b = socket.socketpair()
a.sendall(b"ping")
print(b.recv(10), a.family.name, repr(a.getsockname()))
b.close()
print(a.recv(1))

os.chdir("/tmp")
server = socket.socket(socket.AF_UNIX)
server.bind("service")
server.listen()
print(server.getsockname(), stat.S_ISSOCK(os.stat("service").st_mode), stat.filemode(os.stat("service").st_mode))
print(subprocess.run("ls -F service; test -S service && echo a socket; find . -type s; cat service", shell=True, capture_output=True, text=True))
client = socket.socket(socket.AF_UNIX)
client.connect("/tmp/service")
accepted, peer = server.accept()
accepted.sendall(b"hello")
print(client.recv(10), repr(peer), client.getpeername())


def attempt(function, *arguments):
    try:
        print(function(*arguments))
    except OSError as error:
        print(type(error).__name__, error.strerror)


attempt(socket.socket(socket.AF_UNIX).bind, "service")
attempt(socket.socket(socket.AF_UNIX).bind, "x" * 200)
attempt(socket.socket(socket.AF_UNIX).connect, "nothing")
attempt(socket.socket(socket.AF_UNIX).connect, "/etc/passwd")
os.rename("service", "moved")
client = socket.socket(socket.AF_UNIX)
client.connect("moved")
server.close()
attempt(socket.socket(socket.AF_UNIX).connect, "moved")
attempt(client.recv, 1)
os.unlink("moved")

print("inherited")
ours, theirs = socket.socketpair()
child = subprocess.Popen([sys.executable, "-c", """
import socket, sys
with socket.socket(fileno=int(sys.argv[1])) as connection:
    connection.sendall(connection.recv(100).upper())
""", str(theirs.fileno())], pass_fds=[theirs.fileno()])
theirs.close()
ours.sendall(b"to the child")
print(ours.recv(100), child.wait(), ours.recv(1))
ours, theirs = socket.socketpair()
child = subprocess.Popen(["tr", "a-z", "A-Z"], stdin=theirs, stdout=theirs)
theirs.close()
ours.sendall(b"through tr\n")
ours.shutdown(socket.SHUT_WR)
print(ours.makefile("rb").read(), child.wait())
