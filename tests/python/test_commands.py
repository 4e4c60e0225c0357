"""Commands: results, handles, input, output from an offset."""

import unittest

from kit import WithSandbox
from wisp_sandbox import NotFoundError, RequestError, Sandbox


class Run(WithSandbox):
    def test_a_script_and_a_program(self):
        commands = self.sandbox.commands
        done = commands.run("printf 'b\\na\\n' | sort; echo bad >&2; exit 4")
        self.assertEqual((done.stdout, done.stderr, done.exit_code, done.success), ("a\nb\n", "bad\n", 4, False))
        self.assertEqual((done.outcome.end.kind, done.outcome.end.code), ("exit", 4))
        # A list needs no quotes.
        self.assertEqual(commands.run(["echo", "$HOME", "a b"]).stdout, "$HOME a b\n")

    def test_environment_directory_and_input(self):
        done = self.sandbox.commands.run("echo $NAME $PWD; cat", env={"NAME": "ada"}, cwd="/tmp", stdin="a line\n")
        self.assertEqual(done.stdout, "ada /tmp\na line\n")
        self.assertEqual(self.sandbox.commands.run("cat", stdin=b"\xff\n").stdout_bytes, b"\xff\n")
        self.assertEqual(self.sandbox.commands.run("cat", stdin=b"\xff\n").stdout, "\ufffd\n")

    def test_output_comes_in_pieces(self):
        out, err = [], []
        done = self.sandbox.commands.run("echo one; echo two >&2; echo three", on_stdout=out.append, on_stderr=err.append)
        self.assertEqual(("".join(out), "".join(err)), (done.stdout, done.stderr))
        self.assertEqual(done.stdout, "one\nthree\n")

    def test_what_goes_on_in_the_background_keeps_nobody(self):
        out = []
        done = self.sandbox.commands.run("sleep 1000 & echo started", on_stdout=out.append, tag="job")
        self.assertEqual((done.stdout, "".join(out), done.exit_code), ("started\n", "started\n", 0))
        handle = self.sandbox.commands.connect("job")
        self.assertEqual(len(handle.info().processes), 1)
        handle.kill()

    def test_a_time_limit(self):
        late = self.sandbox.commands.run("sleep 1000", timeout=0.2)
        self.assertEqual((late.exit_code, late.outcome.end.limit.limit), (124, "limits.wall"))
        self.assertEqual(self.sandbox.commands.run("echo in time", timeout=60).stdout, "in time\n")

    def test_what_makes_no_sense_is_refused(self):
        commands = self.sandbox.commands
        with self.assertRaises(NotFoundError) as missing:
            commands.run(["no-such-program"])
        self.assertEqual(missing.exception.code, "program_not_found")
        with self.assertRaises(RequestError):
            commands.run([])
        with self.assertRaises(RequestError) as unread:
            commands.start("sleep 1000").send_stdin("x")
        self.assertEqual(unread.exception.code, "conflict")
        self.assertIn("start it with `pipe_stdin=True`", str(unread.exception))


class Handles(WithSandbox):
    def test_input_and_output(self):
        handle = self.sandbox.commands.start("read -r x; echo got $x; cat", pipe_stdin=True, tag="reader")
        self.assertIsNone(handle.poll())
        handle.send_stdin("one\n")
        first = handle.output(wait=60)
        self.assertTrue("got one\n".startswith(first.text) and first.data)
        handle.send_stdin(b"two\n")
        handle.close_stdin()
        done = handle.wait()
        self.assertEqual((done.stdout, handle.poll().stdout), ("got one\ntwo\n", "got one\ntwo\n"))
        # Any offset can be read again, also after the end.
        last = handle.output(offset=8)
        self.assertEqual((last.text, last.next_offset, last.end), ("two\n", 12, True))
        self.assertEqual(handle.output("stderr").data, b"")

    def test_it_is_found_again(self):
        started = self.sandbox.commands.start("sleep 1000", tag="worker")
        listed = self.sandbox.commands.list()
        self.assertEqual([(one.id, one.tag, one.exit_code) for one in listed], [(started.id, "worker", None)])
        for name in (started.id, "worker"):
            self.assertEqual(self.sandbox.commands.connect(name).id, started.id)
        with self.assertRaises(TimeoutError):
            started.wait(timeout=0.05)
        self.sandbox.commands.connect("worker").kill()
        self.assertEqual(started.wait().exit_code, 137)
        with self.assertRaises(NotFoundError):
            self.sandbox.commands.connect("nobody")

    def test_signals(self):
        term = self.sandbox.commands.start("trap 'echo bye; exit 7' TERM; echo ready; while :; do sleep 0.01; done")
        term.output(wait=60)
        term.signal(15)
        self.assertEqual((term.wait().exit_code, term.wait().stdout), (7, "ready\nbye\n"))
        stopped = self.sandbox.commands.start(["sleep", "1000"])
        stopped.interrupt()
        self.assertEqual((stopped.wait().exit_code, stopped.wait().outcome.end.signal), (130, 2))
        with self.assertRaises(RequestError):
            stopped.signal(200)

    def test_a_dropped_handle_ends_nothing(self):
        self.sandbox.commands.start("read -r x; echo $x", pipe_stdin=True, tag="reader")
        self.sandbox.commands.connect("reader").send_stdin("on\n")
        self.assertEqual(self.sandbox.commands.connect("reader").wait().stdout, "on\n")


class Together(unittest.TestCase):
    def test_sandboxes_have_nothing_in_common(self):
        with Sandbox.create() as one, Sandbox.create() as other:
            one.commands.run("echo 1 >note")
            one.run_code("x = 1")
            self.assertEqual(other.commands.run("cat note").exit_code, 1)
            self.assertEqual(other.run_code("x").error.name, "NameError")
