"""Threads in the packages of the image: requests and httpx in parallel at localhost, tqdm, rich, a scheduler, contexts."""

import contextvars
import http.server
import io
import json
import sched
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

import httpx
import requests
from rich.console import Console
from rich.progress import track
from tqdm import tqdm


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with what was asked."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = json.dumps({"path": self.path, "thread": threading.current_thread().name != "MainThread"}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("localhost", 0), Handler)
serving = threading.Thread(target=server.serve_forever)
serving.start()
base = f"http://localhost:{server.server_address[1]}"

with ThreadPoolExecutor(4) as pool:
    print("requests:", sorted(pool.map(lambda n: requests.get(f"{base}/r{n}", timeout=10).json()["path"], range(6))))
    with requests.Session() as session:
        found = [future.result().json() for future in as_completed([pool.submit(session.get, f"{base}/s{n}", timeout=10) for n in range(4)])]
    print("one session:", sorted(answer["path"] for answer in found), all(answer["thread"] for answer in found))
    with httpx.Client(base_url=base) as client:
        print("httpx:", sorted(pool.map(lambda n: client.get(f"/h{n}").json()["path"], range(4))))
server.shutdown()
serving.join()
server.server_close()

bar = tqdm(total=5, file=io.StringIO())
with ThreadPoolExecutor(3) as pool:
    for future in as_completed([pool.submit(pow, 2, n) for n in range(5)]):
        future.result()
        bar.update()
print("tqdm:", bar.n, str(bar).split("|")[0])
bar.close()
print("tqdm over map:", sum(tqdm(map(int, "12345"), total=5, file=io.StringIO())))

output = io.StringIO()
print("rich:", sum(track(range(5), console=Console(file=output, force_terminal=False))))

order = []
scheduler = sched.scheduler(time.monotonic, time.sleep)
for delay, name in ((0.02, "second"), (0.0, "first"), (0.04, "third")):
    scheduler.enter(delay, 1, order.append, (name,))
runner = threading.Thread(target=scheduler.run)
runner.start()
runner.join()
print("sched:", order)

repeated, enough = [], threading.Event()


def tick():
    """Call itself again, as programs with a timer do."""
    repeated.append(len(repeated))
    if len(repeated) == 3:
        enough.set()
    else:
        threading.Timer(0.001, tick).start()


tick()
print("timers:", enough.wait(10), repeated)

name = contextvars.ContextVar("name", default="none")
local = threading.local()


def look(value):
    """Set what belongs to a thread, and look at it after others have run."""
    name.set(value)
    local.value = value
    time.sleep(0.001)
    return name.get(), local.value


with ThreadPoolExecutor(3) as pool:
    print("contexts:", list(pool.map(look, "abc")), name.get(), hasattr(local, "value"))
