"""Where a response ends, and headers on several lines: servers that say two things about it, as the clients read them."""
import http.client
import socket
import subprocess
import sys
import threading
import urllib.request

CHUNKS = b"5\r\nhello\r\n0\r\n\r\n"
ANSWERS = {
    "both": b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKS,
    "both-long": b"Transfer-Encoding: Chunked\r\nContent-Length: 300\r\n\r\n" + CHUNKS,
    "both-bad": b"Transfer-Encoding: chunked\r\nContent-Length: x\r\n\r\n" + CHUNKS,
    "identity": b"Transfer-Encoding: identity\r\nContent-Length: 5\r\n\r\nhello",
    "identity-end": b"Transfer-Encoding: identity\r\n\r\nhello",
    "twice": b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
    "list": b"Content-Length: 5, 5\r\n\r\nhello",
    "huge": b"Content-Length: 99999999999999999999999\r\n\r\nhello",
    "negative": b"Content-Length: -5\r\n\r\nhello",
    "word": b"Content-Length: abc\r\n\r\nhello",
    "extension": b"Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\n\r\n",
    "no-size": b"Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
    "no-end": b"Transfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n0\r\n\r\n",
    "no-last": b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    "folded": b"X-A: one\r\n two\r\n\tthree\r\nX-B: b\r\nContent-Length: 5\r\n\r\nhello",
    "folded-lf": b"X-A: one\n two\nX-B: b\nContent-Length: 5\n\nhello",
    "folded-blank": b"X-A: one\r\n \r\nX-B: b\r\nContent-Length: 5\r\n\r\nhello",
    "folded-cookie": b"Set-Cookie: a=b;\r\n path=/\r\nX-B: b\r\nContent-Length: 5\r\n\r\nhello",
    "no-colon": b"X-A one\r\nContent-Length: 5\r\n\r\nhello",
    "bytes": b"X-A: caf\xe9\r\nContent-Length: 5\r\n\r\nhello",
}


def serve(listener):
    while True:
        connection, _ = listener.accept()
        with connection:
            request = b""
            while b"\r\n\r\n" not in request:
                request += connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\n" + ANSWERS[request.split()[1].decode()[1:]])


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=serve, args=(listener,), daemon=True).start()
base = f"http://127.0.0.1:{listener.getsockname()[1]}/"


def run(*command):
    done = subprocess.run(command, capture_output=True)
    return done.returncode, done.stdout, done.stderr.decode().strip()


def unfolded(values):
    return [" ".join(value.split()) for value in values or ()]


for name in ANSWERS:
    print("---", name)
    print("curl", *run("curl", "-sS", base + name))
    if name in ("both", "identity", "extension", "folded"):
        print("wget", *run("wget", "-q", "-O", "-", base + name)[:2])
    try:
        answer = urllib.request.urlopen(base + name)
        shown = {key: unfolded(answer.headers.get_all(key)) for key in ("X-A", "X-B", "Set-Cookie")}
        print("python", answer.read(), {key: values for key, values in shown.items() if values})
    except (http.client.HTTPException, OverflowError) as error:
        print("python", type(error).__name__)
sys.stdout.flush()
