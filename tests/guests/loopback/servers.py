"""The servers of the standard library, each in a process of its own."""
import socket
import subprocess
import sys
import xmlrpc.client


def start(program):
    server = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    return server, server.stdout.readline().strip()


def stop(server):
    server.terminate()
    print(server.wait())


print("socketserver")
server, port = start("""
import socketserver
class Echo(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            self.wfile.write(b"> " + line)
with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Echo) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
""")
for text in (b"first\n", b"second\n"):
    with socket.create_connection(("localhost", int(port))) as client:
        client.sendall(text)
        client.shutdown(socket.SHUT_WR)
        print(client.makefile("rb").read())
stop(server)

print("a Unix server")
server, _ = start("""
import socketserver
class Length(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.sendall(str(len(self.request.recv(1024))).encode())
with socketserver.UnixStreamServer("/tmp/length", Length) as server:
    print("ready", flush=True)
    server.serve_forever()
""")
client = socket.socket(socket.AF_UNIX)
client.connect("/tmp/length")
client.sendall(b"four")
print(client.recv(10))
stop(server)

print("xmlrpc")
server, port = start("""
from xmlrpc.server import SimpleXMLRPCServer
with SimpleXMLRPCServer(("localhost", 0), logRequests=False, allow_none=True) as server:
    server.register_function(lambda a, b: a + b, "add")
    server.register_introspection_functions()
    print(server.server_address[1], flush=True)
    server.serve_forever()
""")
with xmlrpc.client.ServerProxy(f"http://localhost:{port}/", allow_none=True) as proxy:
    print(proxy.add(2, 3), proxy.add("a", "b"), proxy.system.listMethods()[0])
    try:
        proxy.add(1)
    except xmlrpc.client.Fault as fault:
        print(fault.faultCode)
stop(server)

print("wsgiref")
server, port = start("""
from wsgiref.simple_server import WSGIRequestHandler, make_server
class Quiet(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass
def application(environment, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [environment["PATH_INFO"].encode(), b"?", environment["QUERY_STRING"].encode()]
server = make_server("127.0.0.1", 0, application, handler_class=Quiet)
print(server.server_port, flush=True)
server.serve_forever()
""")
print(subprocess.run(["curl", "-sS", f"http://localhost:{port}/path?a=b"], capture_output=True, text=True).stdout)
stop(server)
