"""How calls of functions run: many at once, on event loops, in threads; what is dropped, what waits, and the ends of programs."""

import asyncio
import contextlib
import itertools
import threading
import unittest
from collections.abc import AsyncIterator, Iterator

from kit import SECONDS, child, printed
from wisp_sandbox import AsyncSandbox, Sandbox, _native

SHORT = 'extends = "offline"\n[host]\ntimeout = "200ms"\n'
MANY = 20
# Calls `meet` so many times at once: no call returns before all of them are there.
GATHER = f"""
import asyncio
from host import meet
async def main(): print(sum(await asyncio.gather(*(meet.aio(n) for n in range({MANY})))))
asyncio.run(main())
"""
LIMITED = "import host\ntry: host.hang()\nexcept host.Limited as error: print(error.limit)"


class Threads(unittest.TestCase):
    def test_many_run_at_once(self):
        barrier, names = threading.Barrier(MANY), set()

        def meet(n: int) -> int:
            barrier.wait(SECONDS)
            names.add(threading.current_thread().name)
            return n

        with Sandbox.create(functions=[meet]) as sandbox:
            self.assertEqual(printed(sandbox, GATHER), "190\n")
        self.assertEqual(names, {"wisp-function"})

    def test_a_function_may_use_another_sandbox(self):
        with Sandbox.create() as inner:
            def compute(code: str) -> str | None:
                return inner.run_code(code).value

            with Sandbox.create(functions=[compute]) as outer:
                def compute_there(code: str) -> str:
                    return printed(outer, f"import host\nprint(host.compute({code!r}))")

                with Sandbox.create(functions=[compute_there]) as third:
                    self.assertEqual(printed(third, "import host\nprint(host.compute_there('6 * 7'))"), "42\n\n")

    def test_what_is_too_late_is_thrown_away(self):
        go, ended = threading.Event(), threading.Event()

        def hang() -> str:
            go.wait(SECONDS)
            ended.set()
            return "late"

        with Sandbox.create(SHORT, functions=[hang]) as sandbox:
            self.assertEqual(printed(sandbox, LIMITED), "host.timeout\n")
            go.set()
            self.assertTrue(ended.wait(SECONDS))
            self.assertEqual(printed(sandbox, "print(host.functions())"), "['hang']\n")

    def test_an_asynchronous_function_has_a_loop(self):
        barrier, cancelled = [], threading.Event()

        async def meet(n: int) -> int:
            if not barrier:
                barrier.append(asyncio.Barrier(MANY))
            await barrier[0].wait()
            return n

        async def letters() -> AsyncIterator[str]:
            for letter in "ab":
                await asyncio.sleep(0)
                yield letter

        async def hang() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.set()

        with Sandbox.create(SHORT.replace("200ms", "20s"), functions=[meet, letters]) as sandbox:
            self.assertEqual(printed(sandbox, GATHER + "from host import letters\nprint(list(letters()))"), "190\n['a', 'b']\n")
        with Sandbox.create(SHORT, functions=[hang]) as sandbox:
            self.assertEqual(printed(sandbox, LIMITED), "host.timeout\n")
            self.assertTrue(cancelled.wait(SECONDS))

    def test_a_closed_sandbox_ends_its_calls(self):
        begun, cancelled = threading.Event(), threading.Event()

        async def hang() -> None:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.set()

        def items() -> Iterator[int]:
            try:
                yield from itertools.count()
            finally:
                cancelled.set()

        for function, code in ((hang, "import host; host.hang()"), (items, "import host; it = host.items(); next(it); host.call('begin')")):
            begun.clear()
            cancelled.clear()
            sandbox = Sandbox.create(functions=[function])
            sandbox.function(name="begin")(begun.set)

            def run(sandbox=sandbox, code=code):
                with contextlib.suppress(Exception):
                    sandbox.run_code(code)

            thread = threading.Thread(target=run)
            thread.start()
            self.assertTrue(begun.wait(SECONDS))
            sandbox.close()
            self.assertTrue(cancelled.wait(SECONDS), code)
            thread.join()

    def test_a_sandbox_with_functions_is_dropped_like_any_other(self):
        sandbox = Sandbox.create(functions=[lambda_with_a_name])
        sandbox.run_code("import host; host.lambda_with_a_name()")
        self.assertEqual(_native.live_sessions(), 1)
        del sandbox
        self.assertEqual(_native.live_sessions(), 0)


def lambda_with_a_name():
    return None


class Loop(unittest.IsolatedAsyncioTestCase):
    async def test_functions_run_on_the_loop_of_the_program(self):
        loops, threads, barrier = set(), set(), asyncio.Barrier(MANY)

        async def meet(n: int) -> int:
            loops.add(asyncio.get_running_loop())
            await barrier.wait()
            return n

        def where() -> bool:
            threads.add(threading.current_thread())
            return threading.current_thread() is threading.main_thread()

        async def letters(word: str) -> AsyncIterator[str]:
            loops.add(asyncio.get_running_loop())
            for letter in word:
                yield letter

        async with await AsyncSandbox.create(functions=[meet, where]) as sandbox:
            sandbox.function(letters)
            execution = await sandbox.run_code(GATHER + "import host\nprint(host.where(), list(host.letters('ab')))")
            self.assertEqual(execution.logs.stdout, ["190\n", "False ['a', 'b']\n"])
        self.assertEqual((loops, len(threads)), ({asyncio.get_running_loop()}, 1))

    async def test_a_call_that_nobody_waits_for_is_cancelled(self):
        cancelled, closed, made = asyncio.Event(), asyncio.Event(), []

        async def hang() -> None:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.set()
                raise

        async def numbers() -> AsyncIterator[int]:
            try:
                for number in itertools.count():
                    made.append(number)
                    yield number
            finally:
                closed.set()

        async with await AsyncSandbox.create(SHORT, functions=[hang, numbers]) as sandbox:
            self.assertEqual((await sandbox.run_code(LIMITED)).logs.stdout, ["host.timeout\n"])
            await asyncio.wait_for(cancelled.wait(), SECONDS)
            await sandbox.run_code("it = host.numbers(); next(it); it.close()")
            await asyncio.wait_for(closed.wait(), SECONDS)
        self.assertLess(len(made), 20)

    async def test_a_function_may_await_another_sandbox(self):
        async with await AsyncSandbox.create() as inner:
            async def compute(code: str) -> str | None:
                return (await inner.run_code(code)).value

            async with await AsyncSandbox.create(functions=[compute]) as outer:
                self.assertEqual((await outer.run_code("import host; host.compute('6 * 7')")).value, "'42'")

    async def test_a_loop_that_is_closed_answers(self):
        async def far() -> None: ...

        async def make():
            return await AsyncSandbox.create(functions=[far])

        sandbox = await asyncio.to_thread(asyncio.run, make())
        async with sandbox:
            failed = await sandbox.run_code("import host; host.far()")
            self.assertIn("Ended: far cannot run", failed.error.traceback)


class Process(unittest.TestCase):
    def ends_well(self, code, printed):
        done = child(code)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, printed, ""))

    def test_ctrl_c_while_a_function_runs(self):
        self.ends_well("""
import os, signal, threading
from wisp_sandbox import Sandbox
done = threading.Event()
def press() -> str:
    os.kill(os.getpid(), signal.SIGINT)
    done.wait()
    return "late"
sandbox = Sandbox.create(functions=[press])
try:
    sandbox.run_code("x = 1\\nimport host; host.press()")
except KeyboardInterrupt:
    print("interrupted")
print(sandbox.run_code("x").value)
done.set()
""", "interrupted\n1\n")

    def test_the_exit_while_functions_run(self):
        for hang in ("def hang():\n    begun.set()\n    threading.Event().wait()",
                     "async def hang():\n    begun.set()\n    await asyncio.Event().wait()",
                     "def hang():\n    begun.set()\n    while True: yield 1",
                     "async def hang():\n    begun.set()\n    while True: yield 1"):
            self.ends_well(f"""
import asyncio, contextlib, threading
from wisp_sandbox import Sandbox
begun = threading.Event()
{hang}
sandbox = Sandbox.create(functions=[hang])
def run():
    with contextlib.suppress(Exception):
        sandbox.run_code("import host\\nfor item in host.hang(): pass")
threading.Thread(target=run, daemon=True).start()
begun.wait()
print("left")
""", "left\n")

    def test_the_exit_of_a_loop_while_functions_run(self):
        self.ends_well("""
import asyncio
from wisp_sandbox import AsyncSandbox
async def main():
    begun = asyncio.Event()
    async def hang():
        begun.set()
        await asyncio.Event().wait()
    sandbox = await AsyncSandbox.create(functions=[hang])
    task = asyncio.create_task(sandbox.run_code("import host; host.hang()"))
    await begun.wait()
    print("left")
asyncio.run(main())
""", "left\n")
