# A server of the session and one outside, each of which redirects to the other: every hop is decided by itself.
exec 2>&1
cat > server.py <<'PYTHON'
import http.server, urllib.parse
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        target = urllib.parse.unquote(self.path.partition("?")[2])
        self.send_response(302 if target else 200)
        if target:
            self.send_header("Location", target)
        self.end_headers()
        self.wfile.write(f"inside, authorization {self.headers.get('Authorization')}\n".encode())
    def log_message(self, *arguments):
        pass
server = http.server.HTTPServer(("127.0.0.1", 8000), Handler)
open("ready", "w").close()
server.serve_forever()
PYTHON
python3 server.py &
until [ -e ready ]; do :; done
say() { echo "\$ $*"; "$@"; echo "[$?]"; }
say curl -sSL http://localhost:8000/
# Out of the session: the gate decides.
say curl -sSL "http://localhost:8000/?$HTTP/hello"
say curl -sSL "http://localhost:8000/?http://denied.test/"
# Into it: the client asks as if it had been typed, without the credentials for the other host.
say curl -sSL -u a:b "$HTTP/redirect?http://localhost:8000/"
say wget -q -O - "$HTTP/redirect?http://localhost:8000/"
python3 - <<'PYTHON'
import os, urllib.request, requests
base = os.environ["HTTP"]
for url in (f"{base}/redirect?http://localhost:8000/", f"http://localhost:8000/?{base}/hello"):
    print(urllib.request.urlopen(url).read())
    print(requests.get(url).text)
PYTHON
kill %1
# Nothing of it listens at another port, and the machine's own server there is the gate's affair.
say curl -sS http://localhost:8001/
