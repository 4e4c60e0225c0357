import socket, urllib.request, urllib.error
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    try: socket.socket(socket.AF_INET, kind); print("made")
    except OSError as e: print(type(e).__name__, e.strerror)
try: socket.create_connection(("127.0.0.1", 80), timeout=1); print("connected")
except OSError as e: print(type(e).__name__, e.strerror)
try: socket.getaddrinfo("example.com", 80); print("resolved")
except OSError as e: print(type(e).__name__, e.strerror)
try: urllib.request.urlopen("http://example.com/"); print("fetched")
except urllib.error.URLError as e: print(type(e).__name__, e.reason.strerror)
