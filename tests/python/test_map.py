"""`map`: many cells, each in a fork of the sandbox as it is."""

import asyncio
import threading
import unittest

from kit import WithSandbox
from wisp_sandbox import AsyncSandbox, EndedError, Engine, InfraError, Sandbox, _native


class Map(WithSandbox):
    def test_each_cell_has_the_state_and_none_changes_it(self):
        self.sandbox.run_code("base = [1, 2]; rows = iter(base); next(rows)")
        self.sandbox.files.write("note", "0")
        cells = [f"base.append({n}); print(next(rows)); open('note', 'a').write('{n}'); (sum(base), open('note').read())" for n in range(5)]
        done = self.sandbox.map(cells)
        self.assertEqual([one.value for one in done], [str((3 + n, f"0{n}")) for n in range(5)])
        self.assertEqual([one.logs.stdout for one in done], [["2\n"]] * 5)
        self.assertEqual((self.sandbox.run_code("base").value, self.sandbox.files.read("note")), ("[1, 2]", "0"))
        self.assertEqual(_native.live_sessions(), 1)

    def test_what_fails_in_a_cell_is_in_its_execution(self):
        failed, left, shown = self.sandbox.map(["1 / 0", "import sys; print('x', file=sys.stderr); sys.exit(3)", "display(1)\n'last'"])
        self.assertEqual((failed.error.name, failed.success), ("ZeroDivisionError", False))
        self.assertEqual((left.exit, left.outcome.exit_code, left.logs.stderr), (3, 3, ["x\n"]))
        self.assertEqual(([result.text for result in shown.results], shown.success), (["1", "'last'"], True))

    def test_a_cell_that_is_late_keeps_no_other(self):
        late, other = self.sandbox.map(["while True: pass", "2"], timeout=0.5)
        self.assertEqual((late.timed_out, late.error.name, other.value), (True, "KeyboardInterrupt", "2"))
        with Sandbox.create(timeout=1) as sandbox:
            late, other = sandbox.map(["while True: pass", "2"])
            self.assertEqual((late.outcome.end.kind, late.outcome.end.limit.limit, other.value), ("limit", "limits.wall", "2"))
            self.assertEqual(sandbox.run_code("1").value, "1")

    def test_many_cells_hold_few_sandboxes(self):
        done, most = [], 1
        thread = threading.Thread(target=lambda: done.extend(self.sandbox.map(map(str, range(1000)), concurrency=4)))
        thread.start()
        while thread.is_alive():
            most = max(most, _native.live_sessions())
        self.assertEqual([one.value for one in done], [str(number) for number in range(1000)])
        self.assertLessEqual(most, 5)
        self.assertEqual(_native.live_sessions(), 1)

    def test_it_waits_for_the_interpreter(self):
        self.sandbox.run_code("x = 1")
        started = threading.Event()
        code = "import time\nprint('runs', flush=True)\nwhile not __import__('os').path.exists('go'): time.sleep(0.001)\nx = 2"
        thread = threading.Thread(target=self.sandbox.run_code, args=(code,), kwargs={"on_stdout": lambda _: started.set()})
        thread.start()
        started.wait()
        values = []
        waits = threading.Thread(target=lambda: values.extend(one.value for one in self.sandbox.map(["x"])))
        waits.start()
        self.sandbox.files.write("go", "")
        thread.join()
        waits.join()
        self.assertEqual(values, ["2"])

    def test_what_makes_no_sense_is_refused(self):
        self.assertEqual(self.sandbox.map([]), [])
        with self.assertRaises(TypeError):
            self.sandbox.map("1 + 1")
        for wrong in ({"concurrency": 0}, {"timeout": -1}):
            with self.assertRaises(ValueError):
                self.sandbox.map(["1"], **wrong)

    def test_an_interpreter_that_has_ended_is_told(self):
        with Sandbox.create(timeout=1) as sandbox:
            sandbox.run_code("x = 1")
            sandbox.run_code("while True: pass")
            with self.assertRaises(EndedError) as lost:
                sandbox.map(["x"])
            self.assertIn("`reset`", str(lost.exception))
            sandbox.reset()
            self.assertEqual(sandbox.map(["1 + 1"])[0].value, "2")

    def test_a_fault_of_the_machine_is_no_result(self):
        with Engine(max_processes=2) as engine, Sandbox.create(engine=engine) as sandbox:
            sandbox.run_code("x = 1")
            self.assertEqual([one.value for one in sandbox.map(["x + 1", "x + 2"], concurrency=1)], ["2", "3"])
            with self.assertRaises(InfraError) as full:
                sandbox.map(["while True: pass"] * 3, concurrency=3)
            self.assertEqual((full.exception.code, full.exception.retryable), ("no_room", True))
            self.assertIn("(cell ", str(full.exception))

    def test_a_closed_sandbox_has_no_forks(self):
        self.sandbox.close()
        with self.assertRaises(EndedError):
            self.sandbox.map(["1"])


class Async(unittest.IsolatedAsyncioTestCase):
    async def test_the_cells_run_together(self):
        async with await AsyncSandbox.create() as sandbox:
            await sandbox.run_code("x = 20")
            self.assertEqual([one.value for one in await sandbox.map(["x + 1", "x + 2"], concurrency=2)], ["21", "22"])

    async def test_a_cancelled_task_ends_them(self):
        async with await AsyncSandbox.create() as sandbox:
            task = asyncio.create_task(sandbox.map(["while True: pass"] * 4, concurrency=4))
            while _native.live_sessions() < 5 and not task.done():
                await asyncio.sleep(0)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            while _native.live_sessions() > 1:
                await asyncio.sleep(0)
            self.assertEqual((await sandbox.run_code("1")).value, "1")
