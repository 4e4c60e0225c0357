"""How long calls take: `speed.py WISP`, run by `toolchain/doors --bench`. Those of `wisp mcp` for a client at standard streams, and those of an
agent that starts a program for each, as hooks do, beside the agent's own shell."""

import json
import os
import subprocess
import sys
import tempfile
import time

WARM, FRESH, STARTS = 1000, 60, 20
PROGRAMS = 100  # calls that start a program


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


def over_streams(wisp):
    """Calls of a server that runs."""
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
    return [("run_python, warm", warm, "1"), ("run_python, the first of a session", fresh, "1.5"), ("run_python, the first after the start", starts, "300"),
            ("run_shell, `echo hello`", shell, ""), ("list_files", read, "")]


class Programs:
    """An agent that starts a program for each call, in a project and with sessions of its own."""

    def __init__(self, wisp, folder):
        self.wisp, self.project = wisp, os.path.join(folder, "project")
        os.mkdir(self.project)
        self.environment = {**os.environ, "HOME": folder, "XDG_STATE_HOME": os.path.join(folder, "state")}
        self.environment.setdefault("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
        self.sessions = set()

    def call(self, *words, given=""):
        """Seconds that the whole program takes."""
        began = time.perf_counter()
        done = subprocess.run(words, input=given, capture_output=True, text=True, cwd=self.project, env=self.environment, check=False)
        took = time.perf_counter() - began
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)}: status {done.returncode}: {done.stderr}")
        return took

    def kept(self, session, *words):
        """The same for a command in a session that stays open."""
        self.sessions.add(session)
        mount = f"{self.project}:{self.project}:overlay"
        return self.call(self.wisp, "run", "--session", session, "--resident", "--mount", mount, "--", *words)

    def asked(self):
        """The same for the answer of a hook."""
        tool = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "python3 -c 'print(1)'"}}
        return self.call(self.wisp, "hooks", "run", "claude", given=json.dumps({"session_id": "speed", "cwd": self.project, **tool}))

    def end(self):
        """End the processes that keep the sessions open."""
        if self.sessions:
            self.call(self.wisp, "session", "rm", *self.sessions)
        self.sessions.clear()

    def first(self, *words):
        """The same for the first command of a session."""
        took = self.kept("first", *words)
        self.end()
        return took


def as_programs(wisp):
    """Calls that start a program each."""
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(wisp, os.path.realpath(folder))
        try:
            programs.call(wisp, "prepare")  # as an installation does
            script = ("python3", "-c", "print(1)")
            firsts = [programs.first(*script) for _ in range(STARTS)]
            programs.kept("warm", *script)
            python = [programs.kept("warm", *script) for _ in range(PROGRAMS)]
            shell = [programs.kept("warm", "sh", "-c", "echo hello") for _ in range(PROGRAMS)]
            asked = [programs.asked() for _ in range(PROGRAMS)]
            own = [programs.call("sh", "-c", "echo hello") for _ in range(PROGRAMS)]
            own_python = [programs.call(sys.executable, "-c", "print(1)") for _ in range(PROGRAMS)]
        finally:
            programs.end()
    return [("run --resident, python3, warm", python, "30"), ("run --resident, python3, first of a session", firsts, "300"),
            ("run --resident, `echo hello`, warm", shell, ""), ("hooks run: the answer of a hook", asked, ""),
            ("this machine's sh, `echo hello`", own, ""), ("this machine's python3", own_python, "")]


def main():
    """Print a table for each kind of call."""
    wisp = os.path.realpath(sys.argv[1])
    for title, rows in (("over standard streams", over_streams(wisp)), ("a program for each call", as_programs(wisp))):
        print(f"{title:<44} {'calls':>6} {'p50 ms':>8} {'p99 ms':>8} {'aim ms':>8}")
        for name, seconds, aim in rows:
            ordered = sorted(seconds)
            p50, p99 = (ordered[min(len(ordered) - 1, int(len(ordered) * part))] * 1000 for part in (0.5, 0.99))
            print(f"{name:<44} {len(seconds):>6} {p50:>8.2f} {p99:>8.2f} {aim:>8}")


if __name__ == "__main__":
    main()
