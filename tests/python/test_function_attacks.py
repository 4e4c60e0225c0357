"""What code in a sandbox does to functions that it may call, and what they do by mistake: no other sandbox hears of it."""

import asyncio
import itertools
import logging
import threading
import unittest
from collections.abc import Iterator
from unittest import mock

from kit import SECONDS, printed
from wisp_sandbox import AsyncSandbox, RequestError, Sandbox, _functions, _workers

MANY = 300  # more than there are threads


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("it has no text")


def failures():
    return {
        "mute": Mute(), "half": ValueError("a\udcffb"), "long": ValueError("é" * 1_000_000), "exit": SystemExit(3),
        "mute exit": type("Leave", (SystemExit,), {"__str__": Mute.__str__})(),
    }


# Prints what each failure says, in short.
FAIL = """
import host
for kind in ("mute", "half", "long", "exit", "mute exit"):
    try: host.fail(kind)
    except host.Failed as error: print(error.name, len(error.message.encode()) <= 8192, error.message[-30:])
"""
SAID = "Mute True Mute\nValueError True a\\udcffb\nValueError True ééé… (cut: 1000000 characters)\nSystemExit True 3\nLeave True Leave\n"


class Threads(unittest.TestCase):
    def test_no_call_ends_a_thread(self):
        def count(x: int = 0) -> int:
            return x

        def fail(kind: str) -> None:
            raise failures()[kind]

        with Sandbox.create(functions=[count, fail]) as sandbox, Sandbox.create(functions=[count]) as other:
            self.assertEqual(printed(sandbox, FAIL), SAID)
            code = f"""
import host
for name, arguments in (("count", {{"x": "\\ud800"}}), ("count", {{"\\ud800": 1}}), ("fail", {{"kind": "mute"}}), ("fail", {{"kind": "half"}})):
    for _ in range({MANY}):
        try: host.call(name, arguments)
        except host.Failed as error: said = error
    print(said)
"""
            half = "TypeError: count: there is a text with half of a pair of surrogates, which is no character\n"
            self.assertEqual(printed(sandbox, code), half * 2 + "Mute: Mute\nValueError: a\\udcffb\n")
            for one in (sandbox, other):
                self.assertEqual(printed(one, "import host\nprint(host.count(7))"), "7\n")

    def test_a_log_that_breaks_ends_no_thread(self):
        class Broken(logging.Handler):
            def emit(self, record):
                raise SystemExit("the log is full")

        def fail() -> None:
            raise ValueError("why")

        log, broken = logging.getLogger("wisp_sandbox.functions"), Broken()
        level = log.level
        log.setLevel(logging.INFO)
        log.addHandler(broken)
        self.addCleanup(log.setLevel, level)
        self.addCleanup(log.removeHandler, broken)
        with Sandbox.create(functions=[fail]) as sandbox:
            code = f"import host\nfor _ in range({MANY}):\n  try: host.fail()\n  except host.Failed as error: said = error\nprint(said)"
            self.assertEqual(printed(sandbox, code), "ValueError: why\n")

    def test_calls_that_are_given_up_take_nothing_from_others(self):
        go, ready, begun = threading.Event(), threading.Semaphore(0), []

        def slow(data: bytes) -> int:
            begun.append(len(data))
            ready.release()
            go.wait(SECONDS)
            return 1

        def both_run() -> None:
            for _ in range(2):
                ready.acquire(timeout=SECONDS)

        def quick() -> int:
            return 1

        policy = 'extends = "offline"\n[host]\nmax_concurrent = 3\n'
        code = """
import asyncio, host
async def begin(count, size):
    tasks = [asyncio.create_task(host.slow.aio(bytes(size))) for _ in range(count)]
    await asyncio.sleep(0)
    return tasks
async def give_up(tasks):
    for task in tasks: task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
async def main():
    tasks = await begin(2, 1)
    await host.both_run.aio()
    await give_up(tasks)
    for _ in range(20):
        await give_up(await begin(20, 100_000))
asyncio.run(main())
print("done")
"""
        with Sandbox.create(policy, functions=[slow, both_run, quick]) as bad, Sandbox.create(functions=[quick]) as other:
            self.assertEqual(printed(bad, code), "done\n")
            self.assertEqual(printed(other, "import host\nprint(host.quick())"), "1\n")
            # Those that run have their places, and of the 400 others only one can have had the third.
            self.assertEqual(begun[:2], [1, 1])
            self.assertLessEqual(len(begun), 3)
            go.set()
            self.assertEqual(printed(bad, "print(host.quick(), host.slow(b'123'))"), "1 1\n")
            self.assertEqual(begun[-1], 3)
            self.assertLessEqual(len(begun), 4)

    def test_items_that_nobody_asks_for_have_no_thread(self):
        closed = threading.Semaphore(0)

        def items() -> Iterator[int]:
            try:
                yield from itertools.count()
            finally:
                closed.release()

        def quick() -> int:
            return 1

        code = "import host\nall = [iter(host.items()) for _ in range(50)]\nprint([next(one) for one in all] == [0] * 50)"
        few = mock.patch.multiple(_workers, _MOST=2, _OWN=1)
        with few, mock.patch.object(_functions, "WORKERS", _workers.Workers()):
            with Sandbox.create(functions=[items]) as sandbox, Sandbox.create(functions=[quick]) as other:
                self.assertEqual(printed(sandbox, code), "True\n")
                self.assertEqual(printed(other, "import host\nprint(host.quick())"), "1\n")
                self.assertEqual(printed(sandbox, "print([next(one) for one in all] == [1] * 50)"), "True\n")
            for _ in range(50):
                self.assertTrue(closed.acquire(timeout=SECONDS))

    def test_each_sandbox_has_threads(self):
        workers, go, begun = _workers.Workers(), threading.Event(), [threading.Semaphore(0) for _ in range(3)]
        seen, done = [], threading.Event()

        def stuck(sandbox):
            begun[sandbox].release()
            go.wait(SECONDS)

        def late():
            seen.append("late")

        def last():
            seen.append("last")
            done.set()

        with mock.patch.multiple(_workers, _MOST=8, _OWN=4):
            for sandbox in range(2):
                for _ in range(20):
                    workers.submit(sandbox, lambda sandbox=sandbox: stuck(sandbox))
            # The first has all that there are, and the second those that each has.
            for sandbox, count in ((0, 8), (1, 4)):
                for _ in range(count):
                    self.assertTrue(begun[sandbox].acquire(timeout=SECONDS))
                self.assertFalse(begun[sandbox].acquire(blocking=False))
            workers.submit(2, lambda: stuck(2))
            self.assertTrue(begun[2].acquire(timeout=SECONDS))
            workers.submit(0, late)
            workers.withdraw(0, late)
            workers.withdraw(0, late)
            workers.submit(0, last)
            go.set()
            self.assertTrue(done.wait(SECONDS))
            for sandbox, count in ((0, 12), (1, 16)):
                for _ in range(count):
                    self.assertTrue(begun[sandbox].acquire(timeout=SECONDS))
        self.assertEqual(seen, ["last"])


class Loops(unittest.TestCase):
    def test_no_call_ends_the_loop(self):
        async def fail(kind: str) -> None:
            raise failures()[kind]

        async def double(x: int) -> int:
            return 2 * x

        with Sandbox.create(functions=[fail, double]) as sandbox, Sandbox.create(functions=[double]) as other:
            self.assertEqual(printed(sandbox, FAIL), SAID)
            for one in (sandbox, other):
                self.assertEqual(printed(one, "import host\nprint(host.double(4))"), "8\n")

    def test_a_task_that_a_function_leaves_ends_no_other(self):
        ended = threading.Event()

        async def leave() -> None:
            async def exit():
                try:
                    raise SystemExit(3)
                finally:
                    ended.set()

            self.left = asyncio.create_task(exit())

        async def wait() -> str:
            while not ended.is_set():
                await asyncio.sleep(0)
            return "went on"

        with Sandbox.create(functions=[leave, wait]) as sandbox, self.assertLogs("wisp_sandbox.functions", "ERROR"):
            code = "import asyncio, host\nasync def main(): return await asyncio.gather(host.wait.aio(), host.leave.aio())\nprint(asyncio.run(main()))"
            self.assertEqual(printed(sandbox, code), "['went on', None]\n")
        # Nobody else asks for it.
        self.assertIsInstance(self.left.exception(), SystemExit)

    def test_a_loop_that_a_function_ends_is_made_again(self):
        async def stop() -> None:
            asyncio.get_running_loop().stop()
            await asyncio.Event().wait()

        async def double(x: int) -> int:
            return 2 * x

        with Sandbox.create(functions=[stop]) as sandbox, Sandbox.create(functions=[double]) as other:
            self.assertIn("Cancelled: stop was cancelled", sandbox.run_code("import host; host.stop()").error.traceback)
            code = """
import host
def doubled():
    while True:
        try: return host.double(4)
        except host.Failed as error: assert error.name in ("Ended", "Cancelled"), error  # the old one is ending still
print(doubled())
"""
            self.assertEqual(printed(other, code), "8\n")


class LoopOfTheProgram(unittest.IsolatedAsyncioTestCase):
    async def test_calls_that_are_given_up_are_not_made(self):
        go, begun, made = asyncio.Event(), asyncio.Semaphore(0), []
        self.addCleanup(go.set)

        async def slow(number: int) -> None:
            made.append(number)
            begun.release()
            while True:
                try:
                    await go.wait()
                    return
                except asyncio.CancelledError:
                    # What ignores it keeps its place.
                    continue

        async def runs() -> None:
            await begun.acquire()

        code = """
import asyncio, host
async def main():
    first = asyncio.create_task(host.slow.aio(0))
    await host.runs.aio()
    for number in range(1, 100):
        tasks = [first, asyncio.create_task(host.slow.aio(number)), asyncio.create_task(host.slow.aio(number))]
        await asyncio.sleep(0)
        for task in tasks: task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
await main()
"""
        async with await AsyncSandbox.create('extends = "offline"\n[host]\nmax_concurrent = 2\n', functions=[slow, runs]) as sandbox:
            execution = await sandbox.run_code(code)
            self.assertIsNone(execution.error, execution.error)
            self.assertEqual(made[0], 0)
            self.assertLessEqual(len(made), 2)

    async def test_what_would_end_a_program_ends_a_call(self):
        async def fail(kind: str) -> None:
            raise failures()[kind]

        async with await AsyncSandbox.create(functions=[fail]) as sandbox:
            self.assertEqual("".join((await sandbox.run_code(FAIL)).logs.stdout), SAID)


class OwnTurn(unittest.TestCase):
    def test_output_cannot_wait_for_its_own_code(self):
        with Sandbox.create() as sandbox, Sandbox.create() as other:
            before, found = sandbox.snapshot(), []

            def receive(call):
                def on_stdout(_text):
                    try:
                        found.append(call())
                    except RequestError as error:
                        found.append((error.code, "would wait for its end" in str(error)))

                return on_stdout

            def nested():
                other.run_code("print(2)", on_stdout=receive(lambda: sandbox.run_code("3")))

            for call in (lambda: sandbox.run_code("2"), sandbox.snapshot, lambda: sandbox.restore(before), sandbox.fork,
                         lambda: sandbox.map(["2"]), nested):
                found.clear()
                self.assertEqual(sandbox.run_code("print(1)\n4", on_stdout=receive(call)).value, "4")
                self.assertEqual(found[0], ("conflict", True))
            found.clear()
            sandbox.run_code("echo 1", "bash", on_stdout=receive(lambda: sandbox.run_code("echo 2", "bash")))
            self.assertEqual(found, [("conflict", True)])
            # What waits for nothing of it goes on, in the same sandbox too.
            found.clear()
            for call in (lambda: sandbox.run_code("echo 2", "bash").logs.stdout, lambda: sandbox.commands.run("echo 2").stdout,
                         lambda: other.run_code("2").value, lambda: len(sandbox.fork(0, before))):
                sandbox.run_code("print(1)", on_stdout=receive(call))
            self.assertEqual(found, [["2\n"], "2\n", "2", 0])
            # Another thread may: it waits until this one is done.
            threads, values = [], []

            def begin(_text):
                threads.append(threading.Thread(target=lambda: values.append(sandbox.run_code("5").value)))
                threads[0].start()

            sandbox.run_code("print(1)", on_stdout=begin)
            threads[0].join(SECONDS)
            self.assertEqual(values, ["5"])


class OwnTurnOnALoop(unittest.IsolatedAsyncioTestCase):
    async def test_the_twin(self):
        async with await AsyncSandbox.create() as sandbox:
            found, tasks = [], []

            async def wait(_text):
                for call in (lambda: sandbox.run_code("2"), sandbox.snapshot, sandbox.fork, lambda: sandbox.map(["2"])):
                    with self.assertRaises(RequestError) as refused:
                        await call()
                    found.append(refused.exception.code)
                found.append((await sandbox.run_code("echo 2", "bash")).logs.stdout)
                tasks.append(asyncio.create_task(sandbox.run_code("5")))

            self.assertEqual((await sandbox.run_code("print(1)\n4", on_stdout=wait)).value, "4")
            self.assertEqual(found, ["conflict"] * 4 + [["2\n"]])
            self.assertEqual((await tasks[0]).value, "5")
