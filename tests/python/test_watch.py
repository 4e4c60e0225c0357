"""Watches: what changes, in its order; what was lost; what ends them."""

import asyncio
import threading
import unittest

from kit import WithSandbox
from wisp_sandbox import AsyncSandbox, EndedError, SandboxFileNotFoundError

LONG = 300


class Watches(WithSandbox):
    def test_changes_come_in_order(self):
        files = self.sandbox.files
        files.make_dir("d")
        with files.watch("d") as watch:
            files.write("d/a", "1")
            files.write("beside", "1")
            files.rename("d/a", "d/b")
            self.sandbox.commands.run("chmod 600 d/b; rm d/b")
            changes = [watch.next(LONG) for _ in range(5)]
            self.assertIsNone(watch.next(0))
        a, b = "/home/user/d/a", "/home/user/d/b"
        self.assertEqual([(change.number, change.kind, change.path, change.old_path) for change in changes],
                         [(1, "created", a, None), (2, "written", a, None), (3, "renamed", b, a), (4, "attributes", b, None), (5, "removed", b, None)])
        with self.assertRaises(EndedError) as closed:
            watch.next()
        self.assertIn("the watch is closed", str(closed.exception))
        self.assertEqual(list(watch), [])

    def test_what_is_lost_is_told(self):
        with self.sandbox.files.watch("/tmp", capacity=2) as watch:
            for number in range(4):
                self.sandbox.files.make_dir(f"/tmp/{number}")
            changes = [watch.next(LONG) for _ in range(3)]
            self.assertEqual([(change.number, change.kind, change.path, change.lost) for change in changes],
                             [(1, "created", "/tmp/0", 0), (2, "created", "/tmp/1", 0), (4, "lost", None, 2)])
            # It goes on, and knows what it has missed.
            self.sandbox.files.make_dir("/tmp/3/in")
            self.assertEqual(watch.next(LONG).path, "/tmp/3/in")

    def test_a_snapshot_that_is_gone_back_to_is_told(self):
        before = self.sandbox.snapshot()
        with self.sandbox.files.watch() as watch:
            self.sandbox.restore(before)
            self.assertEqual(watch.next(LONG).kind, "restored")

    def test_it_waits_until_it_or_its_sandbox_is_closed(self):
        one, other = self.sandbox.files.watch(), self.sandbox.files.watch()
        for watch, close in ((one, one.close), (other, self.sandbox.close)):
            seen, first = [], threading.Event()

            def iterate(watch=watch, seen=seen, first=first):
                for change in watch:
                    seen.append(change.kind)
                    first.set()

            thread = threading.Thread(target=iterate)
            thread.start()
            self.sandbox.files.make_dir(f"d{id(watch)}")
            self.assertTrue(first.wait(LONG))
            close()
            thread.join(LONG)
            self.assertEqual((thread.is_alive(), seen[0]), (False, "created"))

    def test_there_must_be_something_to_watch(self):
        with self.assertRaises(SandboxFileNotFoundError):
            self.sandbox.files.watch("nothing")
        self.sandbox.files.write("something", "1")
        with self.sandbox.files.watch("something") as watch:
            self.sandbox.files.write("beside", "1")
            self.sandbox.files.write("something", "2")
            self.assertEqual(watch.next(LONG).path, "/home/user/something")


class Async(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.sandbox = await AsyncSandbox.create()
        self.addAsyncCleanup(self.sandbox.close)

    async def test_it_is_iterated(self):
        async with await self.sandbox.files.watch() as watch:
            await self.sandbox.commands.run("mkdir a b c")
            seen = []
            async for change in watch:
                seen.append(change.path)
                if len(seen) == 3:
                    watch.close()
        self.assertEqual(seen, ["/home/user/a", "/home/user/b", "/home/user/c"])

    async def test_a_cancelled_task_loses_no_change(self):
        watch = await self.sandbox.files.watch()
        for number in range(20):
            waits = asyncio.create_task(watch.next())
            await asyncio.sleep(0)
            await self.sandbox.files.make_dir(f"d{number}")
            waits.cancel()
            await asyncio.gather(waits, return_exceptions=True)
            change = await watch.next() if waits.cancelled() else waits.result()
            self.assertEqual((change.number, change.path), (number + 1, f"/home/user/d{number}"))

    async def test_it_ends_with_its_sandbox(self):
        watch = await self.sandbox.files.watch()

        async def iterate():
            return [change async for change in watch]

        waits = asyncio.create_task(iterate())
        await asyncio.sleep(0)
        await self.sandbox.close()
        self.assertEqual(await waits, [])
