"""`socket` as programs use it: both ends in one process, because connecting never waits."""
import errno
import os
import select
import selectors
import socket
import stat

server = socket.create_server(("127.0.0.1", 0))
port = server.getsockname()[1]
print(server.getsockname()[0], port >= 32768, server.family.name, server.type.name, repr(server).startswith("<socket.socket fd="))
client = socket.create_connection(("localhost", port), timeout=5)
accepted, peer = server.accept()
print(peer == client.getsockname(), accepted.getpeername() == peer, client.getpeername() == server.getsockname())
print(accepted.gettimeout(), client.gettimeout(), stat.S_ISSOCK(os.fstat(client.fileno()).st_mode))

client.sendall(b"line one\nline two\n")
print(accepted.recv(4, socket.MSG_PEEK), accepted.recv(4))
with accepted.makefile("r") as lines:
    print(lines.readline().strip(), lines.readline().strip())
buffer = bytearray(8)
accepted.send(b"answer")
print(client.recv_into(buffer), buffer)

print("half closed")
client.shutdown(socket.SHUT_WR)
print(accepted.recv(10), accepted.send(b"still there"), client.recv(100))
try:
    client.send(b"x")
except OSError as error:
    print(type(error).__name__)
accepted.close()
print(client.recv(10))
client.close()

print("time and no time")
client = socket.create_connection(("127.0.0.1", port))
accepted, _ = server.accept()
client.settimeout(0.01)
for wait in (lambda: client.recv(1), server.accept):
    server.settimeout(0.01)
    try:
        wait()
    except TimeoutError as error:
        print(error)
client.setblocking(False)
try:
    client.recv(1)
except BlockingIOError as error:
    print(error.errno == errno.EAGAIN)
sent = 0
try:
    while True:
        sent += client.send(bytes(10_000))
except BlockingIOError:
    print("full at", sent)
print(select.select([client], [client], [], 0), select.select([accepted], [accepted], [], 0) == ([accepted], [accepted], []))
accepted.recv(65536)
print(select.select([], [client], [], 0) == ([], [client], []))
poller = select.poll()
poller.register(server, select.POLLIN)
print(poller.poll(0))
other = socket.create_connection(("127.0.0.1", port))
print(poller.poll(0) == [(server.fileno(), select.POLLIN)])
with selectors.DefaultSelector() as selector:
    selector.register(server, selectors.EVENT_READ, "a connection")
    print([key.data for key, _ in selector.select(0)])

print("errors")
accepted.send(b"unread")
other.close()
server.accept()[0].close()
client.close()
try:
    while accepted.recv(10):
        pass
except OSError as error:
    print(type(error).__name__)
try:
    accepted.sendall(b"x")
except OSError as error:
    print(type(error).__name__)
def attempt(function, *arguments):
    try:
        print(function(*arguments))
    except OSError as error:
        print(type(error).__name__, errno.errorcode[error.errno], str(error).replace(str(port), "PORT").partition("] ")[2])
attempt(socket.create_server, ("127.0.0.1", port))
attempt(socket.create_server, ("0.0.0.0", port))
attempt(socket.create_connection, ("127.0.0.1", 9))
attempt(socket.create_connection, ("192.0.2.1", 80))
attempt(socket.create_connection, ("example.com", 80))
attempt(socket.socket().recv, 1)
attempt(socket.socket().accept)
attempt(socket.socket().bind, ("192.0.2.1", 0))
attempt(socket.socket, socket.AF_INET, socket.SOCK_DGRAM)
print(socket.socket().connect_ex(("127.0.0.1", 9)) == errno.ECONNREFUSED)
server.close()
attempt(socket.create_connection, ("127.0.0.1", port))
attempt(server.accept)

print("families and names")
with socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True) as server:
    port = server.getsockname()[1]
    for host in ("::1", "127.0.0.1", "localhost"):
        with socket.create_connection((host, port)) as client:
            print(server.accept()[1][0], client.getpeername()[0])
print(socket.gethostbyname("localhost"), socket.gethostbyname(socket.gethostname()), socket.getfqdn("127.0.0.1"))
print([row[4] for row in socket.getaddrinfo("localhost", 80, type=socket.SOCK_STREAM)])
print([row[4] for row in socket.getaddrinfo(None, "http", type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)])

print("options")
with socket.socket() as one:
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    print(one.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR), one.getsockopt(socket.SOL_SOCKET, socket.SO_TYPE) == socket.SOCK_STREAM)
    print(one.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF), one.getsockname())
