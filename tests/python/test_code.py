"""`run_code`: values, output, exceptions, what shows itself in a notebook, limits."""

import base64
import threading
import unittest

from kit import WithSandbox
from wisp_sandbox import EndedError, Sandbox

TABLE = """class Table:
    def __init__(self, rows): self.rows = rows
    def __repr__(self): return f"{self.rows} rows"
    def _repr_html_(self): return f"<b>{self.rows}</b>"
"""


class Python(WithSandbox):
    def test_values_output_and_state(self):
        first = self.sandbox.run_code("import sys\nx = 6\nprint('out')\nprint('err', file=sys.stderr)\nx * 7")
        self.assertEqual((first.value, first.text, first.execution_count), ("42", "42", 1))
        self.assertEqual((first.logs.stdout, first.logs.stderr), (["out\n"], ["err\n"]))
        self.assertTrue(first.success)
        self.assertEqual((first.outcome.end.kind, first.outcome.exit_code), ("exit", 0))
        second = self.sandbox.run_code("x += 1")
        self.assertEqual((second.value, second.results, second.execution_count), (None, [], 2))
        self.assertEqual(self.sandbox.run_code("x").value, "7")

    def test_an_exception_is_data(self):
        failed = self.sandbox.run_code("y = 1\ndef half(x):\n    return x / 0\nhalf(y)")
        self.assertFalse(failed.success)
        self.assertEqual((failed.error.name, failed.error.value), ("ZeroDivisionError", "division by zero"))
        self.assertIn("Traceback", failed.error.traceback)
        self.assertEqual([(frame.function, frame.line) for frame in failed.error.frames], [("<module>", 4), ("half", 3)])
        # What it had defined until then is there.
        self.assertEqual(self.sandbox.run_code("y").value, "1")

    def test_an_exit_is_a_status(self):
        left = self.sandbox.run_code("import sys; sys.exit(3)")
        self.assertEqual((left.exit, left.outcome.exit_code, left.error), (3, 3, None))
        self.assertEqual(self.sandbox.run_code("1").value, "1")

    def test_results_show_themselves(self):
        shown = self.sandbox.run_code(TABLE + "display(Table(1))\nTable(2)").results
        self.assertEqual([(result.text, result.html, result.is_main_result) for result in shown],
                         [("1 rows", "<b>1</b>", False), ("2 rows", "<b>2</b>", True)])
        # How a notebook shows them: test_shown.py.
        self.assertEqual(shown[1]._repr_mimebundle_(), {"text/plain": "2 rows", "text/html": shown[1]._repr_html_()})
        self.assertIsNone(shown[1]._repr_png_())

    def test_a_picture_is_a_png(self):
        picture = "class Picture:\n    def _repr_png_(self): return b'\\x89PNG\\r\\n\\x1a\\n'\nPicture()"
        execution = self.sandbox.run_code(picture)
        picture = execution.results[-1]
        self.assertTrue(picture._repr_png_().startswith(b"\x89PNG\r\n\x1a\n"))
        self.assertEqual(base64.b64decode(picture.png), picture._repr_png_())
        # The execution shows what a notebook shows of a cell.
        self.assertEqual(execution._repr_mimebundle_()["image/png"], picture.png)

    def test_a_display_can_be_replaced(self):
        code = TABLE + "handle = display(Table(1), display_id=True)\ndisplay(Table(2))\nhandle.update(Table(3))"
        self.assertEqual([result.html for result in self.sandbox.run_code(code).results], ["<b>3</b>", "<b>2</b>"])

    def test_output_comes_in_pieces(self):
        pieces, errors = [], []
        code = "import sys\nfor word in ('one', 'two', 'drei ä'):\n    print(word, flush=True)\nprint('bad', file=sys.stderr)"
        execution = self.sandbox.run_code(code, on_stdout=pieces.append, on_stderr=errors.append)
        self.assertEqual("".join(pieces), "one\ntwo\ndrei ä\n")
        self.assertEqual(("".join(errors), execution.logs.stdout[0]), ("bad\n", "one\n"))

    def test_output_larger_than_a_piece_is_whole(self):
        pieces = []
        self.sandbox.run_code("print('x' * 3_000_000)", on_stdout=pieces.append)
        self.assertEqual("".join(pieces), "x" * 3_000_000 + "\n")

    def test_what_a_function_raises_ends_the_code(self):
        def refuse(text):
            raise ValueError(text)

        with self.assertRaisesRegex(ValueError, "first"):
            self.sandbox.run_code("z = 1\nprint('first', flush=True)\nwhile True: pass", on_stdout=refuse)
        # It was interrupted: the interpreter is alive.
        self.assertEqual(self.sandbox.run_code("z").value, "1")

    def test_a_time_limit_of_the_call_keeps_the_interpreter(self):
        self.sandbox.run_code("z = 1")
        late = self.sandbox.run_code("while True: pass", timeout=0.3)
        self.assertTrue(late.timed_out)
        self.assertEqual(late.error.name, "KeyboardInterrupt")
        self.assertEqual(self.sandbox.run_code("z", timeout=60).value, "1")

    def test_threads_wait_for_their_turn(self):
        self.sandbox.run_code("total = 0")
        threads = [threading.Thread(target=self.sandbox.run_code, args=(f"total += {number}",)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(self.sandbox.run_code("total").value, "28")

    def test_another_language_is_refused(self):
        with self.assertRaisesRegex(ValueError, "`ruby` is no language"):
            self.sandbox.run_code("puts 1", language="ruby")


class Limits(unittest.TestCase):
    def test_the_sandbox_s_time_limit_ends_the_interpreter(self):
        with Sandbox.create(timeout=1) as sandbox:
            ended = sandbox.run_code("while True: pass")
            self.assertEqual((ended.outcome.end.kind, ended.outcome.end.limit.limit), ("limit", "limits.wall"))
            self.assertEqual((ended.outcome.limit.value, ended.outcome.exit_code), ("1s", 124))
            # It says that its state is lost, and goes on only when it is asked to.
            with self.assertRaises(EndedError) as raised:
                sandbox.run_code("1")
            self.assertEqual((raised.exception.code, raised.exception.fault), ("ended", "caller"))
            self.assertIn("`reset` starts a fresh one", str(raised.exception))
            sandbox.reset()
            self.assertEqual(sandbox.run_code("1 + 1").value, "2")

    def test_a_reset_forgets_what_was_defined(self):
        with Sandbox.create() as sandbox:
            sandbox.reset()
            sandbox.run_code("x = 1; open('kept', 'w').write('1')")
            sandbox.reset()
            self.assertEqual(sandbox.run_code("x").error.name, "NameError")
            self.assertEqual(sandbox.run_code("open('kept').read()").value, "'1'")


class Bash(WithSandbox):
    def test_the_shell_keeps_its_state(self):
        self.sandbox.run_code("cd /tmp; name=ada; greet() { echo hello $1; }", language="bash")
        second = self.sandbox.run_code("greet $name in $PWD; echo no >&2; (exit 3)", language="bash")
        self.assertEqual((second.logs.stdout, second.logs.stderr), (["hello ada\n"], ["no\n"]))
        self.assertEqual((second.outcome.exit_code, second.success, second.error), (3, False, None))
        self.assertEqual(self.sandbox.run_code("pwd", language="bash").logs.stdout, ["/tmp\n"])

    def test_its_output_comes_in_pieces(self):
        pieces = []
        self.sandbox.run_code("seq 3", language="bash", on_stdout=pieces.append)
        self.assertEqual("".join(pieces), "1\n2\n3\n")
