"""How long calls of `wisp mcp` take for a client at standard streams: `speed.py WISP`, run by `toolchain/doors --bench`."""

import json
import subprocess
import sys
import time

WARM, FRESH, STARTS = 1000, 60, 20


class Server:
    """`wisp mcp`, spoken to in lines: what the client costs is not measured."""

    def __init__(self, wisp):
        self.process = subprocess.Popen([wisp, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number = 0

    def ask(self, method, **parameters):
        """Send a request, wait for its answer."""
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters})
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("wisp mcp ended")
            answer = json.loads(line)
            if answer.get("id") == self.number:
                break
        if "error" in answer or answer["result"].get("isError"):
            sys.exit(f"{method}: {answer}")
        return answer["result"]

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def begin(self):
        client = {"name": "speed", "version": "1"}
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=client)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool, **arguments):
        """Seconds that a call takes."""
        began = time.perf_counter()
        self.ask("tools/call", name=tool, arguments=arguments)
        return time.perf_counter() - began

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def first_call(wisp):
    """Seconds from the start of the program to the answer of its first evaluation."""
    began = time.perf_counter()
    server = Server(wisp)
    server.begin()
    server.call("run_python", code="1 + 1")
    took = time.perf_counter() - began
    server.end()
    return took


def main():
    wisp = sys.argv[1]
    first_call(wisp)  # what has to be compiled is
    starts = [first_call(wisp) for _ in range(STARTS)]
    server = Server(wisp)
    server.begin()
    server.call("run_python", code="1 + 1")
    warm = [server.call("run_python", code="1 + 1") for _ in range(WARM)]
    shell = [server.call("run_shell", command="echo hello") for _ in range(WARM // 5)]
    read = [server.call("list_files") for _ in range(WARM)]
    fresh = [server.call("run_python", code="1 + 1", session=f"s{number}") for number in range(FRESH)]
    server.end()
    rows = [("run_python, warm", warm, "1"), ("run_python, the first of a session", fresh, "1.5"), ("run_python, the first after the start", starts, "300"),
            ("run_shell, `echo hello`", shell, ""), ("list_files", read, "")]
    print(f"{'over standard streams':<40} {'calls':>6} {'p50 ms':>8} {'p99 ms':>8} {'aim ms':>8}")
    for name, seconds, aim in rows:
        ordered = sorted(seconds)
        p50, p99 = (ordered[min(len(ordered) - 1, int(len(ordered) * part))] * 1000 for part in (0.5, 0.99))
        print(f"{name:<40} {len(seconds):>6} {p50:>8.2f} {p99:>8.2f} {aim:>8}")


if __name__ == "__main__":
    main()
