"""Engines of a program's own."""

import os
import tempfile
import unittest
from pathlib import Path

from kit import child
from wisp_sandbox import AsyncSandbox, EndedError, Engine, InfraError, Sandbox, _native

# The shell alone compiles in a moment.
SHELL = 'extends = "minimal"\n[tools]\nallow = ["sh"]\n'


class Own(unittest.TestCase):
    def test_it_has_a_cache_of_its_own(self):
        with tempfile.TemporaryDirectory() as folder, Engine(cache_directory=Path(folder, "code")) as engine:
            engine.warm(SHELL)
            self.assertNotEqual([name for name in os.listdir(Path(folder, "code")) if name.endswith(".cwasm")], [])
            with Sandbox.create(SHELL, engine=engine) as sandbox:
                self.assertEqual(sandbox.commands.run("echo hello").stdout, "hello\n")
                self.assertIn("sh", sandbox.explain())

    def test_what_it_cannot_use_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            with self.assertRaises(InfraError) as open_to_all:
                Engine(cache_directory=folder)
            with self.assertRaises(InfraError) as nothing:
                Engine(components=Path(folder, "nothing"))
        self.assertEqual((open_to_all.exception.code, nothing.exception.code), ("cache_unavailable", "components_unusable"))
        # At least one process runs at a time.
        for wrong in (0, -1):
            with self.assertRaisesRegex(ValueError, f"`max_processes` is {wrong}: pass a whole number of at least 1"):
                Engine(max_processes=wrong)

    def test_it_has_room_for_so_many_processes(self):
        with Engine(max_processes=1) as engine, Sandbox.create(engine=engine) as full, Sandbox.create() as free:
            handle = full.commands.start("read -r line; exit 3", pipe_stdin=True)
            with self.assertRaises(InfraError) as no_room:
                full.commands.run(["true"])
            self.assertEqual((no_room.exception.code, no_room.exception.retryable), ("no_room", True))
            with self.assertRaisesRegex(InfraError, "make an `Engine` with more `max_processes`"):
                full.run_code("1")
            # The other engine has room.
            self.assertTrue(free.commands.run(["true"]).success)
            handle.close_stdin()
            self.assertEqual(handle.wait().exit_code, 3)
            self.assertTrue(full.commands.run(["true"]).success)

    def test_its_end_is_that_of_its_sandboxes(self):
        with Engine() as engine:
            sandbox, keyed, other = Sandbox.create(engine=engine), Sandbox.create(engine=engine, key="engines"), Sandbox.create(key="engines")
            self.assertNotEqual(keyed.id, other.id)
            self.assertEqual(Sandbox.create(engine=engine, key="engines").id, keyed.id)
            self.assertEqual(_native.live_sessions(), 3)
        for call in (lambda: sandbox.run_code("1"), lambda: keyed.commands.run("true"), lambda: Sandbox.create(engine=engine), engine.warm):
            with self.assertRaises(EndedError):
                call()
        engine.close()
        self.assertEqual((other.commands.run("echo on").stdout, _native.live_sessions()), ("on\n", 1))
        other.close()

    def test_sandboxes_keep_it(self):
        sandbox = Sandbox.create(engine=Engine())
        self.assertEqual(sandbox.run_code("6 * 7").value, "42")
        sandbox.close()

    def test_the_one_of_the_process(self):
        done = child("""
from wisp_sandbox import EndedError, Engine, Sandbox, _native
sandbox = Sandbox.create()
with Engine.default() as engine:
    print(Sandbox.create(key="k").id == Sandbox.create(key="k", engine=engine).id, _native.live_sessions())
try:
    sandbox.run_code("1")
except EndedError as error:
    print(error)
# Another one takes its place.
print(Sandbox.create().run_code("1 + 1").value)
""")
        said = "True 2\nthe sandbox is closed: make another one with `create`\n2\n"
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, said, ""))

    def test_a_forked_process_has_none(self):
        done = child("""
import os, warnings
from wisp_sandbox import Engine, Sandbox, WispError
warnings.simplefilter("ignore")
engine = Engine()
if os.fork() == 0:
    for call in (Engine, engine.warm, engine.close, lambda: Sandbox.create(engine=engine)):
        try:
            call()
        except WispError as error:
            print(error.code, flush=True)
    raise SystemExit(0)
print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
print(Sandbox.create(engine=engine).run_code("1").value)
""")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "unsupported\n" * 4 + "0\n1\n", ""))


class OnALoop(unittest.IsolatedAsyncioTestCase):
    async def test_the_twin(self):
        with Engine() as engine:
            async with await AsyncSandbox.create(engine=engine) as sandbox:
                self.assertEqual((await sandbox.run_code("6 * 7")).value, "42")
