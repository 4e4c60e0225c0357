"""Terminals: their size, what is typed and shown, signals, functions that receive what is shown."""

import unittest

from kit import WithSandbox
from wisp_sandbox import AsyncSandbox, NotFoundError

LONG = 300


def until(handle, end):
    """What is shown, up to `end`."""
    shown = b""
    while not shown.endswith(end):
        piece = handle.read(LONG)
        if not piece:
            raise AssertionError(f"the terminal was closed; shown: {shown!r}")
        shown += piece
    return shown


class Terminals(WithSandbox):
    def test_a_program_has_a_terminal_of_this_size(self):
        script = "stty size; tty; test -t 0 && test -t 1 && test -t 2 && echo $A $PWD; echo error >&2"
        handle = self.sandbox.pty.create(script, rows=30, columns=100, cwd="/tmp", env={"A": "1"})
        done = handle.wait()
        self.assertEqual((done.stdout, done.stderr), ("30 100\r\n/dev/tty\r\n1 /tmp\r\nerror\r\n", ""))
        self.assertEqual(self.sandbox.pty.create(["stty", "size"]).wait().stdout, "24 80\r\n")
        # A command without one.
        self.assertEqual(self.sandbox.commands.run("tty").success, False)

    def test_its_size_changes(self):
        handle = self.sandbox.pty.create("trap 'stty size' WINCH; echo ready; read -r line; echo over", tag="screen")
        until(handle, b"ready\r\n")
        handle.resize(30, 100)
        handle.send("\r")
        self.assertIn("30 100\r\n", handle.wait().stdout)
        with self.assertRaises(ValueError):
            handle.resize(1 << 16, 1)
        self.assertEqual(self.sandbox.commands.connect("screen").id, handle.id)

    def test_what_is_typed_is_shown(self):
        handle = self.sandbox.pty.create(["cat"])
        self.assertEqual(handle.read(0), b"")
        handle.send("hellp\x7fo\r")
        self.assertEqual(until(handle, b"\r\nhello\r\n"), b"hellp\x08 \x08o\r\nhello\r\n")
        handle.send(b"\x04")
        self.assertEqual((handle.wait().exit_code, handle.read()), (0, b""))

    def test_control_c(self):
        handle = self.sandbox.pty.create(["sleep", "1000"])
        handle.send("\x03")
        done = handle.wait()
        self.assertEqual((done.stdout, done.outcome.end.kind, done.outcome.end.signal), ("^C", "signal", 2))

    def test_a_login_shell(self):
        self.sandbox.files.write(".profile", "echo profile was read\n")
        handle = self.sandbox.pty.create()
        handle.send("echo $((6 * 7)); shopt -q login_shell && exit 3\r")
        done = handle.wait()
        self.assertEqual(done.exit_code, 3)
        self.assertIn("profile was read\r\n", done.stdout)
        self.assertIn("42\r\n", done.stdout)

    def test_a_function_receives_what_is_shown(self):
        pieces, others = [], []
        handle = self.sandbox.pty.create("for n in 1 2 3; do echo $n; done; read -r x; echo over", on_data=pieces.append)
        # Nobody waits: it is not called.
        self.assertEqual(pieces, [])
        self.assertEqual(until(handle, b"3\r\n"), b"1\r\n2\r\n3\r\n")
        with self.assertRaises(TimeoutError):
            handle.wait(timeout=0.05)
        self.assertEqual((pieces, handle.poll()), ([], None))
        handle.send("x\r")
        done = handle.wait()
        self.assertEqual(b"".join(pieces), b"x\r\nover\r\n")
        self.assertEqual(done.stdout_bytes, b"1\r\n2\r\n3\r\n" + b"".join(pieces))
        again = self.sandbox.pty.create("seq 3", on_data=pieces.append)
        again.wait(LONG, on_data=others.append)
        self.assertEqual(b"".join(others), b"1\r\n2\r\n3\r\n")

    def test_what_a_function_raises_ends_nothing(self):
        def refuse(data):
            raise ValueError(data)

        handle = self.sandbox.pty.create("echo first; read -r x; echo got $x")
        with self.assertRaisesRegex(ValueError, "first"):
            handle.wait(on_data=refuse)
        handle.send("it\r")
        self.assertTrue(handle.wait().stdout.endswith("got it\r\n"))

    def test_it_is_ended(self):
        handle = self.sandbox.pty.create(["sleep", "1000"])
        handle.kill()
        self.assertEqual(handle.wait().exit_code, 137)
        late = self.sandbox.pty.create(["sleep", "1000"], timeout=0.2)
        self.assertEqual(late.wait().outcome.end.limit.limit, "limits.wall")
        hung_up = self.sandbox.pty.create(["sleep", "1000"])
        hung_up.close_stdin()
        self.assertEqual(hung_up.wait().outcome.end.signal, 1)

    def test_what_makes_no_sense_is_refused(self):
        with self.assertRaises(NotFoundError):
            self.sandbox.pty.create(["no-such-program"])
        with self.assertRaises(ValueError):
            self.sandbox.pty.create("true", rows=-1)


class Async(unittest.IsolatedAsyncioTestCase):
    async def test_the_calls(self):
        async with await AsyncSandbox.create() as sandbox:
            pieces = []

            async def receive(data):
                pieces.append(data)
                if b"".join(pieces) == b"ready\r\n":
                    handle.resize(30, 100)
                    await handle.send("x\r")

            handle = await sandbox.pty.create("echo ready; read -r x; stty size", on_data=receive)
            done = await handle.wait()
            self.assertEqual(done.stdout, "ready\r\nx\r\n30 100\r\n")
            self.assertEqual(b"".join(pieces), done.stdout_bytes)
            shell = await sandbox.pty.create()
            with self.assertRaises(TimeoutError):
                await shell.wait(0.05, on_data=pieces.append)
            await shell.send("exit 4\r")
            while await shell.read():
                pass
            self.assertEqual((await shell.wait()).exit_code, 4)
