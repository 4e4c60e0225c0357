"""What arguments may be: what is refused says what was given and what is taken, and no error shows what is secret."""

import array
import datetime
import decimal
import fractions
import math
import tempfile
import traceback
import unittest
from pathlib import Path

from kit import WithSandbox
from wisp_sandbox import AsyncSandbox, Engine, Mount, Policy, PolicyError, Sandbox

VALUE = "t0p-s3cret"


class Arguments(WithSandbox):
    def refused(self, kind, said, call, *words, **options):
        """The error of a call."""
        with self.assertRaises(kind) as raised:
            call(*words, **options)
        # Not an error of wisp's, which is one only if something was asked of it.
        self.assertIs(type(raised.exception), kind)
        self.assertIn(said, str(raised.exception))
        return raised.exception

    def test_times(self):
        sandbox, handle = self.sandbox, self.sandbox.commands.start("read -r x", pipe_stdin=True)
        terminal, watch = self.sandbox.pty.create(["cat"]), self.sandbox.files.watch()
        calls = {
            "create": lambda time: Sandbox.create(timeout=time),
            "run_code": lambda time: sandbox.run_code("1", timeout=time),
            "run_code bash": lambda time: sandbox.run_code("true", "bash", timeout=time),
            "map": lambda time: sandbox.map(["1"], timeout=time),
            "run": lambda time: sandbox.commands.run("true", timeout=time),
            "start": lambda time: sandbox.commands.start("true", timeout=time),
            "pty.create": lambda time: sandbox.pty.create("true", timeout=time),
            "wait": lambda time: handle.wait(time),
            "terminal.wait": lambda time: terminal.wait(time, on_data=print),
            "terminal.read": lambda time: terminal.read(time),
            "watch.next": lambda time: watch.next(time),
        }
        for name, call in calls.items():
            with self.subTest(name):
                for wrong in ("5", b"5", True, [5], datetime.timedelta(seconds=5)):
                    self.refused(TypeError, f"`timeout` is of the type `{type(wrong).__name__}`: pass a number of seconds", call, wrong)
                for wrong in (-1, math.nan, math.inf, 1e300, 10**400):
                    self.refused(ValueError, "`timeout` is ", call, wrong)
        self.refused(TypeError, "`wait` is of the type `str`", handle.output, wait="5")
        for time in (60, 60.5, decimal.Decimal(60), fractions.Fraction(121, 2)):
            self.assertTrue(sandbox.commands.run("true", timeout=time).success)

    def test_commands_and_code(self):
        commands = self.sandbox.commands
        for call in (commands.run, commands.start, self.sandbox.pty.create):
            for wrong, type_of in ((b"ls", "bytes"), (5, "int"), ({"ls": 1}, "dict")):
                self.refused(TypeError, f"`command` is of the type `{type_of}`: pass a text (`str`), or a list of texts", call, wrong)
            self.refused(TypeError, "`command[1]` is of the type `PosixPath`", call, ["cat", Path("x")])
            self.refused(TypeError, "`cwd` is of the type `int`", call, "true", cwd=5)
            self.refused(TypeError, "`tag` is of the type `int`", call, "true", tag=5)
            self.refused(ValueError, "surrogate", call, "echo \udc80")
        self.refused(TypeError, "`pipe_stdin` is of the type `str`: pass True or False", commands.start, "true", pipe_stdin="yes")
        self.assertEqual(commands.run(("echo", "a b")).stdout, "a b\n")
        for language in ("python", "bash"):
            self.refused(TypeError, "`code` is of the type `bytes`", self.sandbox.run_code, b"1", language)
        self.refused(TypeError, "`cells[1]` is of the type `int`", self.sandbox.map, ["1", 2])
        self.refused(TypeError, "`cells` is of the type `str`", self.sandbox.map, "1")
        self.refused(TypeError, "`command` is of the type `float`: pass the number of a command, or its tag", commands.connect, 1.5)

    def test_functions_that_receive_output(self):
        self.refused(TypeError, "`on_stdout` is of the type `list`", self.sandbox.run_code, "1", on_stdout=[])
        self.refused(TypeError, "`on_stderr` is of the type `str`", self.sandbox.commands.run, "true", on_stderr="print")
        self.refused(TypeError, "`on_data` is of the type `str`", self.sandbox.pty.create, "true", on_data="print")
        self.assertEqual([info for info in self.sandbox.commands.list() if info.processes], [])

    def test_contents(self):
        files, handle = self.sandbox.files, self.sandbox.commands.start("cat", pipe_stdin=True)
        terminal = self.sandbox.pty.create(["cat"])
        calls = (
            lambda data: files.write("x", data),
            lambda data: files.write_files({"before": "1", "x": data}),
            lambda data: files.apply_patch(data),
            lambda data: self.sandbox.commands.run("cat", stdin=data),
            lambda data: Sandbox.create(files={"x": data}),
            handle.send_stdin,
            terminal.send,
        )
        for call in calls:
            # `bytes` of a number is as many NULs.
            for wrong in (5, 3 * 10**9, [1, 2], 2.5, {"a": 1}, Path("x")):
                self.refused(TypeError, f"is of the type `{type(wrong).__name__}`: pass text (`str`), `bytes`", call, wrong)
        self.assertEqual((files.exists("x"), files.exists("before")), (False, False))
        self.refused(TypeError, "is None", files.write, "x", None)
        for data in (b"12", bytearray(b"12"), memoryview(b"1x2x")[::2], array.array("B", b"12"), "12"):
            files.write("x", data)
            self.assertEqual(files.read("x"), "12")
            self.assertEqual(self.sandbox.commands.run("cat", stdin=data).stdout, "12")
        handle.send_stdin(bytearray(b"12"))
        handle.close_stdin()
        self.assertEqual(handle.wait().stdout, "12")

    def test_files(self):
        write = self.sandbox.files.write_files
        for wrong in (5, "a", b"a"):
            self.refused(TypeError, "`files` is of the type", write, wrong)
        self.refused(TypeError, "`files[0]` is of the type `tuple`", write, [("a", "1")])
        self.refused(ValueError, "`files[0]` has other keys", write, [{"path": "a"}])
        self.refused(TypeError, "`a path in files` is of the type `int`", write, {5: "1"})

    def test_numbers(self):
        files, handle = self.sandbox.files, self.sandbox.commands.start("sleep 1000")
        terminal = self.sandbox.pty.create(["sleep", "1000"])
        for name, call, least in (
            ("depth", lambda n: files.list(depth=n), 1),
            ("limit", lambda n: files.diff(limit=n), 1),
            ("capacity", lambda n: files.watch(capacity=n), 1),
            ("max_bytes", lambda n: files.download("x", "x", max_bytes=n), 0),
            ("count", lambda n: self.sandbox.fork(n), 0),
            ("concurrency", lambda n: self.sandbox.map(["1"], concurrency=n), 1),
            ("max_processes", lambda n: Engine(max_processes=n), 1),
            ("offset", lambda n: handle.output(offset=n), 0),
            ("limit", lambda n: handle.output(limit=n), 1),
            ("number", lambda n: handle.signal(n), 0),
            ("command", lambda n: self.sandbox.commands.connect(n), 0),
            ("rows", lambda n: self.sandbox.pty.create("true", rows=n), 0),
            ("columns", lambda n: terminal.resize(24, n), 0),
        ):
            with self.subTest(name):
                self.refused(ValueError, f"`{name}` is {least - 1}: pass a whole number of at least {least}", call, least - 1)
                self.refused(ValueError, f"`{name}` is {1 << 70}: pass a whole number of at most", call, 1 << 70)
                self.refused(TypeError, f"`{name}` is of the type `float`", call, 1.5)
        self.refused(ValueError, "of at most 65,535", terminal.resize, 1 << 16, 1)
        self.assertEqual(self.sandbox.fork(0), [])

    def test_objects_of_the_package(self):
        for name, wrong, said in (
            ("engine", 5, "`engine` is of the type `int`: pass an `Engine`"),
            ("mounts", "ab", "`mounts` is of the type `str`: pass a list of `Mount`"),
            ("mounts", Mount("/tmp", "/mnt/x"), "`mounts` is of the type `Mount`: pass a list of `Mount`"),
            ("mounts", [5], "`mounts[0]` is of the type `int`: pass a `Mount`"),
            ("mounts", [(5, "/mnt/x")], "`mounts[0].host` is of the type `int`"),
            ("mounts", [("/tmp", b"/mnt/x")], "`mounts[0].guest` is of the type `bytes`"),
            ("policy", b"offline", "`policy` is of the type `bytes`: pass the name of a policy"),
            ("policy", None, "`policy` is None"),
            ("key", 5, "`key` is of the type `int`"),
        ):
            self.refused(TypeError, said, Sandbox.create, **{name: wrong})
        self.refused(ValueError, "`mounts[0]` has 1 parts", Sandbox.create, mounts=[("/tmp",)])
        self.refused(TypeError, "`snapshot` is of the type `str`: pass a `Snapshot`", self.sandbox.restore, "before")
        self.refused(TypeError, "`snapshot` is of the type `str`", self.sandbox.fork, snapshot="before")
        self.refused(TypeError, "`text` is of the type `int`", self.sandbox.files.diff, text=1)
        self.refused(ValueError, "`both` is no output", self.sandbox.commands.start("true").output, "both")

    def test_no_error_shows_the_value_of_a_variable(self):
        calls = {
            "create": lambda variables: Sandbox.create(env=variables),
            "secrets": lambda variables: Sandbox.create(secrets=variables),
            "run": lambda variables: self.sandbox.commands.run("true", env=variables),
            "start": lambda variables: self.sandbox.commands.start("true", env=variables),
            "pty": lambda variables: self.sandbox.pty.create("true", env=variables),
        }
        for name, call in calls.items():
            with self.subTest(name):
                option = "secrets" if name == "secrets" else "env"
                for value, kind in ((VALUE.encode(), TypeError), ([VALUE], TypeError), (VALUE + "\udc80", ValueError)):
                    error = self.refused(kind, f"`{option}['TOKEN']` is ", call, {"TOKEN": value})
                    self.assertIsNone(error.__context__)
                    self.assertNotIn(VALUE, "".join(traceback.format_exception(error)) + repr(error))
                self.assertNotIn("1234567", str(self.refused(TypeError, "of the type `int`", call, {"TOKEN": 1234567})))
                self.refused(TypeError, f"`{option}` is of the type `list`: pass a dict", call, [("TOKEN", VALUE)])
                self.refused(TypeError, f"`a name in {option}` is of the type `int`", call, {5: VALUE})
        self.assertEqual(self.sandbox.commands.run("echo $TOKEN", env={"TOKEN": VALUE}).stdout, VALUE + "\n")

    def test_a_line_that_ends_in_toml_is_a_path(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a=b.toml")
            path.write_text('extends = "offline"\nname = "small"\n')
            for policy in (path, str(path)):
                with Sandbox.create(policy) as sandbox:
                    self.assertEqual(sandbox.policy.name, "small")
            with self.assertRaisesRegex(PolicyError, "does not exist"):
                Sandbox.create(str(Path(folder, "c=d.toml")))
            with Sandbox.create('name = "one line"') as sandbox:
                self.assertEqual(sandbox.policy.name, "one line")
            with Sandbox.create(f'extends = "{path}"') as sandbox:
                self.assertEqual(sandbox.policy.digest, Policy.parse(f'extends = "{path}"').digest)


class Async(unittest.IsolatedAsyncioTestCase):
    async def test_the_twin(self):
        async with await AsyncSandbox.create() as sandbox:
            for call in (
                lambda: AsyncSandbox.create(timeout="5"),
                lambda: sandbox.run_code(b"1"),
                lambda: sandbox.commands.run(b"ls"),
                lambda: sandbox.files.write("x", 5),
                lambda: sandbox.files.write_files([5]),
                lambda: sandbox.files.list(depth="1"),
                lambda: sandbox.fork("2"),
                lambda: sandbox.restore("before"),
                lambda: sandbox.map("12"),
                lambda: sandbox.pty.create(5),
            ):
                with self.assertRaises(TypeError):
                    await call()
            self.assertFalse(await sandbox.files.exists("x"))
