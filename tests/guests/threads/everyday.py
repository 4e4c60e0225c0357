"""Logging, asyncio, exceptions, servers, daemons: what CPython prints, this prints."""
import asyncio, concurrent.futures, http.server, io, logging, logging.handlers, queue, socket, socketserver, subprocess, sys, threading, time, urllib.request, contextlib, sqlite3, tempfile, os
from threading import Thread, Event

def case(function):
    try:
        print(f"{function.__name__}: {function()}")
    except Exception as error:
        print(f"{function.__name__}: {type(error).__name__}: {error}")

@case
def a_queue_listener():
    q, stream = queue.SimpleQueue(), io.StringIO()
    listener = logging.handlers.QueueListener(q, logging.StreamHandler(stream))
    listener.start()
    logger = logging.getLogger("x")
    logger.addHandler(logging.handlers.QueueHandler(q))
    logger.propagate = False
    logger.warning("one")
    logger.warning("two")
    listener.stop()
    return stream.getvalue().split()

@case
def names_in_logs():
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(threadName)s %(message)s"))
    logger = logging.getLogger("y")
    logger.addHandler(handler)
    logger.propagate = False
    ts = [Thread(target=logger.warning, args=("hello",), name=f"t{n}") for n in range(3)]
    for t in ts: t.start()
    for t in ts: t.join()
    return sorted(stream.getvalue().splitlines())

@case
def to_thread():
    def block(n):
        time.sleep(0.005)
        return n, threading.current_thread() is not threading.main_thread()
    async def main():
        ticks = []
        async def tick():
            while True:
                ticks.append(1)
                await asyncio.sleep(0.001)
        task = asyncio.create_task(tick())
        found = await asyncio.gather(*(asyncio.to_thread(block, n) for n in range(3)))
        task.cancel()
        return found, len(ticks) > 1
    return asyncio.run(main())

@case
def run_in_executor():
    async def main():
        loop = asyncio.get_running_loop()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            return await asyncio.gather(loop.run_in_executor(None, pow, 2, 8), loop.run_in_executor(pool, sum, [1, 2, 3]))
    return asyncio.run(main())

@case
def an_exception_from_a_thread():
    async def main():
        try: await asyncio.to_thread(int, "x")
        except ValueError as error: return str(error)
    return asyncio.run(main())

@case
def a_loop_in_a_thread():
    loop = asyncio.new_event_loop()
    t = Thread(target=loop.run_forever, daemon=True)
    t.start()
    async def work(x):
        await asyncio.sleep(0.001)
        return x * 2
    found = [asyncio.run_coroutine_threadsafe(work(n), loop).result() for n in (1, 2)]
    loop.call_soon_threadsafe(loop.stop)
    t.join()
    loop.close()
    return found

@case
def an_uncaught_exception():
    seen = []
    before, threading.excepthook = threading.excepthook, lambda args: seen.append((args.exc_type.__name__, str(args.exc_value), args.thread.name))
    def fails(): raise ValueError("in a thread")
    t = Thread(target=fails, name="bad")
    t.start()
    t.join()
    threading.excepthook = before
    return seen

@case
def its_report():
    with contextlib.redirect_stderr(io.StringIO()) as text:
        def fails(): raise ValueError("in a thread")
        t = Thread(target=fails, name="bad")
        t.start()
        t.join()
    lines = text.getvalue().splitlines()
    return lines[0], lines[1], lines[-1]

@case
def leaving_a_thread():
    out = []
    def leaves():
        out.append("in")
        sys.exit(3)
    t = Thread(target=leaves)
    t.start()
    t.join()
    return out, t.is_alive()

@case
def a_threading_server():
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            with lock: here[0] += 1; most[0] = max(most[0], here[0])
            time.sleep(0.02)
            with lock: here[0] -= 1
            body = f"{self.path} {threading.current_thread() is threading.main_thread()}".encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        def log_message(self, *_): pass
    lock, here, most = threading.Lock(), [0], [0]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    def get(n):
        with urllib.request.urlopen(f"{base}/{n}") as answer: return answer.read().decode()
    with concurrent.futures.ThreadPoolExecutor(4) as pool: found = list(pool.map(get, range(8)))
    server.shutdown()
    server.server_close()
    return found, most[0] > 1

@case
def an_echo_server():
    class Echo(socketserver.StreamRequestHandler):
        def handle(self):
            for line in self.rfile: self.wfile.write(line.upper())
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Echo) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        ends = [socket.create_connection(server.server_address) for _ in range(3)]
        files = [end.makefile("rw") for end in ends]
        for n, f in enumerate(files):
            f.write(f"hello {n}\n")
            f.flush()
        found = [f.readline() for f in reversed(files)]
        for thing in (*files, *ends): thing.close()
        server.shutdown()
    return found

@case
def two_ends_of_a_pair():
    a, b = socket.socketpair()
    def other():
        while (data := b.recv(10)): b.sendall(data[::-1])
        b.close()
    t = Thread(target=other)
    t.start()
    found = []
    for word in (b"abc", b"xyz"):
        a.sendall(word)
        found.append(a.recv(10))
    a.close()
    t.join()
    return found

@case
def a_pipe_between_threads():
    r, w = os.pipe()
    t = Thread(target=lambda: (time.sleep(0.002), os.write(w, b"through the pipe"), os.close(w)))
    t.start()
    with os.fdopen(r, "rb") as f: found = f.read()
    t.join()
    return found

@case
def children_side_by_side():
    def run(n): return subprocess.run(["sh", "-c", f"sleep 0.01; echo {n}"], capture_output=True, text=True).stdout.strip()
    with concurrent.futures.ThreadPoolExecutor(3) as pool: return list(pool.map(run, range(4)))

@case
def a_child_read_by_threads():
    child = subprocess.Popen(["sh", "-c", "echo out; echo err >&2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    found = {}
    ts = [Thread(target=lambda name, pipe: found.update({name: pipe.read()}), args=pair) for pair in (("out", child.stdout), ("err", child.stderr))]
    for t in ts: t.start()
    for t in ts: t.join()
    return sorted(found.items()), child.wait()

@case
def databases():
    path = os.path.join(tempfile.mkdtemp(), "a.db")
    with contextlib.closing(sqlite3.connect(path)) as db: db.execute("create table t (n)"); db.commit()
    lock = threading.Lock()
    def add(n):
        with lock, contextlib.closing(sqlite3.connect(path)) as db:
            db.execute("insert into t values (?)", (n,))
            db.commit()
    ts = [Thread(target=add, args=(n,)) for n in range(5)]
    for t in ts: t.start()
    for t in ts: t.join()
    with contextlib.closing(sqlite3.connect(path)) as db: return db.execute("select sum(n) from t").fetchone()

@case
def imports_in_threads():
    out = []
    def f():
        import wave, colorsys
        out.append(colorsys.rgb_to_hsv(1, 0, 0))
    ts = [Thread(target=f) for _ in range(3)]
    for t in ts: t.start()
    for t in ts: t.join()
    return out

@case
def harmless():
    import faulthandler
    sys.setswitchinterval(0.001)
    return threading.stack_size(), round(sys.getswitchinterval(), 3), isinstance(threading.get_native_id(), int)

class Stoppable(Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.stop, self.n = Event(), 0
    def run(self):
        while not self.stop.is_set():
            self.n += 1
            time.sleep(0.001)

@case
def a_thread_that_is_stopped():
    t = Stoppable()
    t.start()
    time.sleep(0.01)
    t.stop.set()
    t.join()
    return t.n > 1, t.is_alive(), t.daemon

import atexit
atexit.register(print, "atexit, after all")
def late():
    time.sleep(0.02)
    print("a thread that main does not join")
Thread(target=late).start()
Thread(target=time.sleep, args=(1000,), daemon=True).start()
print("the end of main")
