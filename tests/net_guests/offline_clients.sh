# Without [network], every client says so, and names the line that would allow it.
exec 2>&1
say() { echo "\$ $*"; "$@"; echo "[$?]"; }
say curl -sS https://example.com/
say curl -s https://example.com/
say wget https://example.com/ 2>&1 | sed 's/^--.*--  /--TIME--  /'
python3 - <<'EOF'
import urllib.request, http.client
try:
    urllib.request.urlopen("https://example.com/")
except OSError as error:
    print(type(error).__name__, error)
connection = http.client.HTTPSConnection("example.com")
try:
    connection.request("GET", "/")
except PermissionError as error:
    print(type(error).__name__, error)
import requests, httpx
for module, failure in ((requests, requests.ConnectionError), (httpx, httpx.ConnectError)):
    try:
        module.get("https://example.com/")
    except failure as error:
        print(type(error).__module__.split(".")[0], type(error).__name__, error)
import socket
try:
    socket.create_connection(("192.0.2.1", 80))
except PermissionError as error:
    print(error)
EOF
