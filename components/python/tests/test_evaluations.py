"""Cells, without a host."""

import asyncio  # noqa: F401 (cells find the library's modules where the guest has them)
import os
import pathlib
import signal
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import fake_host

fake_host.install()

from _wisp import evaluations, parking, paths, rich, signals, stdio  # noqa: E402

paths.OWN = (str(pathlib.Path(evaluations.__file__).parent) + "/",)


class Cells(unittest.TestCase):
    """`evaluations.evaluate`."""

    def setUp(self):
        kept = (sys.stdin, sys.stdout, sys.stderr, sys.__stdin__, sys.__stdout__, sys.__stderr__, sys.argv)
        modules, path = dict(sys.modules), list(sys.path)
        self.addCleanup(lambda: sys.path.__setitem__(slice(None), path))
        self.addCleanup(lambda: sys.modules.update(modules))

        def restore():
            sys.stdin, sys.stdout, sys.stderr, sys.__stdin__, sys.__stdout__, sys.__stderr__, sys.argv = kept

        self.addCleanup(restore)
        stdio.prepare()
        evaluations.prepare()
        rich.leave()  # nobody answers questions here

    def cell(self, source, setting=None):
        """Evaluate a cell."""
        return evaluations.evaluate(source, setting)

    def value(self, source):
        """The text of a cell's value."""
        found = self.cell(source).value
        return None if found is None else found.text

    def test_values(self):
        """The value of the last expression, and `_`."""
        self.assertEqual(self.value("1 + 1"), "2")
        self.assertEqual(self.value("_ * 2"), "4")
        self.assertEqual(self.value("x = 3\nx"), "3")
        self.assertEqual(self.value("if True:\n    'no'\n'yes'"), "'yes'")
        for source in ("", "  ", "# nothing", "None", "x = 1", "print()", "def f(): pass", "del x", "import os"):
            self.assertIsNone(self.value(source), source)
        self.assertEqual(self.value("'\\ud800'"), "'\\ud800'")

    def test_expressions_are_not_lost(self):
        """Text that looks like an expression but is none, and the reverse."""
        expressions = (("x=5", None), ("x", "5"), ("x==5", "True"), ("f'{x=}'", "'x=5'"), ("x<=6", "True"), ("not x", "False"))
        for source, value in (*expressions, ("(y := 2)", "2"), ("0; y", "2"), ("x, y = y, x", None), ("x", "2")):
            outcome = self.cell(source)
            self.assertEqual((outcome.value and outcome.value.text, outcome.error), (value, None), source)

    def test_a_failure_has_its_parts(self):
        """Name, message and frames, beside the report."""
        self.cell("def f(x):\n    raise ValueError('no ' + x)")
        error = self.cell("f('way')").error
        self.assertEqual((error.name, error.message), ("ValueError", "no way"))
        calls = [(frame.file, frame.line, frame.function, frame.text) for frame in error.frames]
        self.assertEqual(
            calls, [("<cell 2>", 1, "<module>", "f('way')"), ("<cell 1>", 2, "f", "raise ValueError('no ' + x)")]
        )
        self.assertTrue(error.report.endswith("ValueError: no way\n"))
        self.cell("class Odd(Exception):\n    def __str__(self):\n        raise SystemExit(3)")
        error = self.cell("raise Odd").error
        self.assertEqual((error.name, error.message), ("Odd", ""))
        self.assertIn("SystemExit", error.report)

    def test_forms_of_a_value(self):
        """The methods that notebooks know, in their order, and what fails among them."""
        self.cell("class Table:\n    def _repr_html_(self): return '<b>1</b>'\n    def _repr_json_(self): return {'a': 1}")
        self.cell("class Image:\n    def _repr_png_(self): return b'\\x89PNG', {'width': 1}\n    def _repr_html_(self): 1 / 0")
        self.assertEqual(self.cell("Table()").value.forms, [("text/html", b"<b>1</b>"), ("application/json", b'{"a": 1}')])
        self.assertEqual(self.cell("Image()").value.forms, [("image/png", b"\x89PNG")])
        self.assertIn("ZeroDivisionError", fake_host.output(2))
        self.assertEqual(self.cell("Table").value.forms, [], "the class is not one of its objects")
        self.cell("class Bundle:\n    def _repr_mimebundle_(self, **_): return {'text/plain': 'b', 'image/png': 'iVA='}, {}")
        self.assertEqual(self.cell("Bundle()").value.forms, [("image/png", b"\x89P")])

    def test_output(self):
        """Output is written when the cell ends, wherever the program sends it."""
        self.cell("import sys\nprint('out', end='')\nprint('err', file=sys.stderr)")
        self.assertEqual((fake_host.output(1), fake_host.output(2)), ("out", "err\n"))
        self.cell("import io\nkept, sys.stdout = sys.stdout, io.StringIO()\nprint('kept')\nsys.stdout = kept")
        self.assertEqual(fake_host.output(1), "")
        self.cell("kept.write('late'); sys.stdout = None")
        self.assertEqual(fake_host.output(1), "late")

    def test_errors(self):
        """The report is CPython's, with the cell's lines and without our frames."""
        self.cell("def f():\n    return 1 / 0\n")
        error = self.cell("f()").error.report
        self.assertIn('File "<cell 2>", line 1, in <module>\n    f()', error)
        self.assertIn('File "<cell 1>", line 2, in f\n    return 1 / 0', error)
        self.assertNotIn("_wisp", error)
        self.assertEqual(fake_host.output(2).splitlines()[-1], error.splitlines()[-1])
        self.assertIn("SyntaxError", self.cell("x = (1,").error.report)
        self.assertIn("SyntaxError", self.cell("a b").error.report)
        self.assertIn("KeyboardInterrupt", self.cell("raise KeyboardInterrupt").error.report)
        fake_host.output(2)

    def test_exit(self):
        """A request to exit is no error, and the interpreter lives on."""
        outcome = self.cell("x = 1\nraise SystemExit(3)")
        self.assertEqual((outcome.status, outcome.error), (3, None))
        self.assertEqual(self.cell("exit('bye')").status, 1)
        self.assertEqual(fake_host.output(2), "bye\n")
        self.assertIn("EOFError", self.cell("input()").error.report)
        self.assertEqual(self.value("x"), "1")
        fake_host.output(2)

    def test_await(self):
        """At top level, on a loop that stays."""
        # No snapshot hides its modules here.
        bring = mock.patch.object(evaluations.modules, "bring")
        bring.start()
        self.addCleanup(bring.stop)
        self.cell("import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    raise KeyError(1)")
        self.assertEqual(self.value("await asyncio.sleep(0, 7)"), "7")
        error = self.cell("await f()").error.report
        self.assertNotIn("asyncio/", error)
        self.assertIn("in f\n    raise KeyError(1)", error)
        fake_host.output(2)

    def test_futures(self):
        """Future statements hold for the cells after them."""
        self.cell("from __future__ import annotations")
        self.assertEqual(self.value("def f(a: nope): pass\nf.__annotations__"), "{'a': 'nope'}")

    def test_environment(self):
        """Changes from outside are applied; values that cells set stay."""
        setting = lambda *pairs: fake_host.Setting(b"".join(pair + b"\0" for pair in pairs), None, None, [], False, False)  # noqa: E731
        before = os.environ._data.copy()
        self.addCleanup(lambda: (os.environ._data.clear(), os.environ._data.update(before)))
        self.cell("1", setting(b"A=1", b"B=2"))
        self.cell("import os; os.environ['C'] = '3'")
        found = self.cell("[os.environ.get(name) for name in 'ABC']", setting(b"A=4", b"D=5"))
        self.assertEqual(found.value.text, "['4', None, '3']")


class Beginnings(unittest.TestCase):
    """What a process asks the host and tells it about signals when it begins."""

    def setUp(self):
        self.said = []
        results = {"has_signal_flags": True, "ignored_signals": 0, "handle_signals": None, "ignore_signals": None}
        for name, result in results.items():
            record = lambda *arguments, name=name, result=result: self.said.append((name, *arguments)) or result  # noqa: E731
            patch = mock.patch.object(signals.process, name, record)
            patch.start()
            self.addCleanup(patch.stop)
        for name in ("flagged", "ignored", "blocked", "_handled", "_watched", "_int_set_by"):
            self.addCleanup(setattr, signals, name, getattr(signals, name))
        for number in (signal.SIGINT, signal.SIGTERM):
            self.addCleanup(signals.set_handler, number, signals.getsignal(number))
        stdio.prepare()
        evaluations.prepare()
        rich.leave()

    def begins(self, resumed, flags=True):
        """What is said in a first cell."""
        self.said.clear()
        outcome = evaluations.evaluate("1", fake_host.Setting(evaluations._environment, None, None, [], resumed, flags))
        self.assertEqual((outcome.value.text, outcome.lost), ("1", []))
        return self.said

    def test_cells_ask_nothing(self):
        """The setting says it all."""
        for resumed in (False, True):
            for flags in (False, True):
                self.assertEqual(self.begins(resumed, flags), [])
                self.assertIs(signals.flagged, flags)

    def test_a_copy_says_what_differs(self):
        """Handlers, ignored and blocked signals, and SIGINT as the program decided."""
        self.begins(True)
        interrupt, term, usual = signals.bit(signal.SIGINT), signals.bit(signal.SIGTERM), signals._USUAL
        for handler, ignored, handled in (
            (signals.SIG_IGN, usual | interrupt, 0),
            (signals.SIG_DFL, usual, 0),
            (lambda *_: None, usual, interrupt),
        ):
            signals.set_handler(signal.SIGINT, handler)
            signals.decided(signal.SIGINT, handler)
            self.assertEqual(self.begins(True), [("ignore_signals", ignored), ("handle_signals", handled)])
        signals.set_handler(signal.SIGINT, signals.default_int_handler)
        signals._int_set_by, signals.blocked = None, term
        signals.tell()
        self.assertEqual(self.begins(True), [("ignore_signals", usual), ("handle_signals", term | interrupt)])
        signals.blocked = 0
        signals.tell()
        self.assertEqual(self.begins(True), [], "it is as every new process again")

    def test_a_command_asks(self):
        """What it inherited, and whether the host sets flags."""
        signals.begin()
        asked = [("has_signal_flags",), ("ignored_signals",)]
        self.assertEqual(self.said, [*asked, ("handle_signals", signals.bit(signal.SIGINT))])
        self.said.clear()
        with mock.patch.object(signals.process, "ignored_signals", lambda: signals.bit(signal.SIGINT) | signals.bit(signal.SIGTERM)):
            signals.begin()
        self.assertEqual(self.said, [("has_signal_flags",), ("handle_signals", 0)])
        self.assertEqual([signals.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)], [signals.SIG_IGN] * 2)
        self.assertEqual(signals.ignored & 0xFFFF, signals.bit(signal.SIGINT) | signals.bit(signal.SIGTERM) | signals.bit(signal.SIGPIPE))


class Parking(unittest.TestCase):
    """`parking._Parked`, on the files of this machine."""

    def test_files_come_back(self):
        """Position, buffers and mode are as before."""
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "file")
            path.write_text("one\ntwo\n")
            reader, writer = open(path), open(path, "a+b")
            self.assertEqual(reader.readline(), "one\n")
            writer.write(b"three\n")
            parked = [parking._Parked(stream.buffer.raw if stream is reader else stream.raw) for stream in (reader, writer)]
            for file in parked:
                file.raw.close()
            for file in parked:
                self.assertTrue(file.is_there())
                file.reopen()
            writer.flush()
            self.assertEqual(reader.read(), "two\nthree\n")
            writer.close()
            reader.close()
            self.assertEqual(path.read_text(), "one\ntwo\nthree\n")

    def test_another_file_is_not_taken_for_it(self):
        """The file was removed or replaced."""
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "file")
            with open(path, "wb", 0) as stream:
                parked = parking._Parked(stream)
                path.rename(path.with_name("other"))
                self.assertFalse(parked.is_there())
                path.touch()
                self.assertFalse(parked.is_there())

    def test_a_named_pipe_is_told_apart(self):
        """It would wait when it is opened again."""
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "pipe")
            os.mkfifo(path)
            with open(path, "r+b", 0) as stream:
                self.assertTrue(parking._Parked(stream).is_pipe())
            with open(path.with_name("file"), "wb", 0) as stream:
                self.assertFalse(parking._Parked(stream).is_pipe())


if __name__ == "__main__":
    unittest.main()
