"""The twins on an event loop: the same names, many at a time, what is cancelled ends."""

import asyncio
import inspect
import unittest

import wisp_sandbox
from wisp_sandbox import (
    AsyncCommandHandle,
    AsyncCommands,
    AsyncFiles,
    AsyncPty,
    AsyncPtyHandle,
    AsyncSandbox,
    AsyncWatch,
    CommandHandle,
    Commands,
    EndedError,
    Files,
    Pty,
    PtyHandle,
    Sandbox,
    SandboxFileNotFoundError,
    Watch,
    _native,
)

ENDLESS = "print('runs', flush=True)\nwhile True: pass"


class Twins(unittest.TestCase):
    def test_they_have_the_same_names_and_arguments(self):
        twins = {
            Sandbox: AsyncSandbox, Commands: AsyncCommands, Files: AsyncFiles, CommandHandle: AsyncCommandHandle, Pty: AsyncPty,
            PtyHandle: AsyncPtyHandle, Watch: AsyncWatch,
        }
        for one, other in twins.items():
            names = {name for name in vars(one) if not name.startswith("_")}
            self.assertEqual(names, {name for name in vars(other) if not name.startswith("_")})
            for name in names:
                mine, its = getattr(one, name), getattr(other, name)
                if callable(mine):
                    self.assertEqual(list(inspect.signature(mine).parameters.values()), list(inspect.signature(its).parameters.values()), name)

    def test_everything_public_is_documented(self):
        for name in wisp_sandbox.__all__:
            found = getattr(wisp_sandbox, name)
            self.assertTrue(name == "__version__" or inspect.getdoc(found), name)
            for inner, member in vars(found).items() if inspect.isclass(found) else ():
                if not inner.startswith("_") and callable(member):
                    self.assertTrue(inspect.getdoc(member), f"{name}.{inner}")


class Async(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.sandbox = await AsyncSandbox.create()
        self.addAsyncCleanup(self.sandbox.close)

    async def test_the_calls(self):
        sandbox = self.sandbox
        self.assertEqual((await sandbox.run_code("6 * 7")).value, "42")
        self.assertEqual((await sandbox.run_code("echo hi", language="bash")).logs.stdout, ["hi\n"])
        self.assertEqual((await sandbox.commands.run("echo hi | wc -c")).stdout, "3\n")
        await sandbox.files.write("a/b", "1")
        self.assertEqual((await sandbox.files.read("a/b"), await sandbox.files.exists("c")), ("1", False))
        self.assertEqual([one.name for one in await sandbox.files.list("a")], ["b"])
        self.assertEqual([piece async for piece in await sandbox.files.read("a/b", format="stream")], [b"1"])
        self.assertEqual((await sandbox.files.get_info("a/b")).size_bytes, 1)
        snapshot = await sandbox.snapshot()
        await sandbox.run_code("x = 1")
        async with (await sandbox.fork())[0] as fork:
            self.assertEqual((await fork.run_code("x")).value, "1")
        await sandbox.restore(snapshot)
        self.assertEqual((await sandbox.run_code("x")).error.name, "NameError")
        with self.assertRaises(SandboxFileNotFoundError):
            await sandbox.files.read("nothing")

    async def test_a_handle(self):
        handle = await self.sandbox.commands.start("read -r x; echo got $x", pipe_stdin=True)
        self.assertIsNone(await handle.poll())
        with self.assertRaises(TimeoutError):
            await handle.wait(timeout=0.05)
        await handle.send_stdin("it\n")
        self.assertEqual((await handle.wait()).stdout, "got it\n")
        self.assertEqual((await handle.output(offset=4)).text, "it\n")

    async def test_functions_may_be_asynchronous(self):
        pieces = []

        async def receive(text):
            await asyncio.sleep(0)
            pieces.append(text)

        await self.sandbox.commands.run("seq 3", on_stdout=receive)
        self.assertEqual("".join(pieces), "1\n2\n3\n")

    async def test_a_cancelled_command_ends(self):
        running, begun = self.sandbox.commands, asyncio.Event()
        task = asyncio.create_task(running.run("echo runs; sleep 1000", on_stdout=lambda _: begun.set(), tag="long"))
        await begun.wait()
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        self.assertNotEqual((await running.connect("long").wait()).exit_code, 0)

    async def test_cancelled_code_leaves_the_interpreter(self):
        await self.sandbox.run_code("x = 1")
        begun = asyncio.Event()
        task = asyncio.create_task(self.sandbox.run_code(ENDLESS, on_stdout=lambda _: begun.set()))
        await begun.wait()
        # This waits for its turn, and does not run.
        waits = asyncio.create_task(self.sandbox.run_code("x = 2"))
        await asyncio.sleep(0)
        waits.cancel()
        task.cancel()
        await asyncio.gather(task, waits, return_exceptions=True)
        self.assertTrue(task.cancelled() and waits.cancelled())
        self.assertEqual((await self.sandbox.run_code("x")).value, "1")

    async def test_many_at_a_time(self):
        async def one(number):
            async with await AsyncSandbox.create() as sandbox:
                return (await sandbox.run_code(f"{number} * 2")).value

        self.assertEqual(await asyncio.gather(*map(one, range(30))), [str(number * 2) for number in range(30)])
        self.assertEqual(_native.live_sessions(), 1)

    async def test_the_loop_goes_on_meanwhile(self):
        begun = asyncio.Event()
        task = asyncio.create_task(self.sandbox.commands.run("echo runs; sleep 1000", on_stdout=lambda _: begun.set(), tag="long"))
        await begun.wait()
        # Were the loop blocked by the command, nobody would be here to end it.
        self.assertFalse(task.done())
        self.sandbox.commands.connect("long").kill()
        self.assertEqual((await task).exit_code, 137)

    async def test_a_closed_one_does_nothing(self):
        await self.sandbox.close()
        await self.sandbox.kill()
        with self.assertRaises(EndedError):
            await self.sandbox.run_code("1")
