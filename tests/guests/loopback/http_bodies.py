"""Bodies in both directions: with a length, in chunks, and up to the end of the connection."""
import subprocess
import sys
import urllib.request

SERVER = r"""
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        if self.path == "/chunks":
            self.protocol_version = "HTTP/1.1"
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for piece in (b"one ", b"two ", b"x" * 200_000):
                self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            self.wfile.write(b"0\r\n\r\n")
        elif self.path == "/cut":
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"half")
        else:
            self.end_headers()
            self.wfile.write(b"up to the end")
    def do_POST(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers["Content-Length"]))
        answer = f"{len(body)} {self.headers['Host']} {self.headers.get('X-Mine')}".encode()
        self.send_response(201)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
    def log_message(self, *arguments):
        pass
server = http.server.ThreadingHTTPServer(("localhost", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
"""

server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
port = int(server.stdout.readline())
base = f"http://localhost:{port}"


def curl(*words):
    done = subprocess.run(["curl", "-sS", *words], capture_output=True, text=True)
    return done.returncode, done.stdout[:20], len(done.stdout), done.stderr.strip().replace(str(port), "PORT")


chunks = urllib.request.urlopen(f"{base}/chunks").read()
print(chunks[:8], len(chunks))
print(urllib.request.urlopen(f"{base}/close").read())
try:
    urllib.request.urlopen(f"{base}/cut").read()
except Exception as error:
    print(type(error).__name__)
request = urllib.request.Request(base, data=bytes(300_000), headers={"X-Mine": "yes"})
print(urllib.request.urlopen(request).read().decode().replace(str(port), "PORT"))
print(urllib.request.urlopen(urllib.request.Request(base, data=iter([b"a" * 1000, b"b" * 2000]))).read().split()[0])

print(curl(f"{base}/chunks"))
print(curl(f"{base}/close"))
print(curl(f"{base}/cut"))
print(curl("-d", "a=1", "-H", "X-Mine: curl", base)[1].split()[0])
big = subprocess.run(f"head -c 300000 /dev/zero | curl -sS -T - -X POST {base}", shell=True, capture_output=True, text=True)
print(big.stdout.split()[0], big.stderr)

import httpx
import requests

print(len(requests.get(f"{base}/chunks").content), httpx.post(base, content=b"x" * 70_000).text.split()[0])
print(requests.post(base, json={"a": 1}, headers={"X-Mine": "requests"}).text.split()[-1])
server.terminate()
print(server.wait())
