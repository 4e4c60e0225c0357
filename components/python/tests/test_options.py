"""The command line, without a host."""

import importlib.util
import pathlib
import sys
import unittest

_PATH = pathlib.Path(__file__).parents[1] / "_wisp" / "options.py"
_SPEC = importlib.util.spec_from_file_location("options", _PATH)
options = importlib.util.module_from_spec(_SPEC)
sys.modules["options"] = options
_SPEC.loader.exec_module(options)


class Parse(unittest.TestCase):
    """`options.parse`."""

    def check(self, line, mode, target="", argv=None):
        """Parse a line of words and compare."""
        found = options.parse(line.split())
        self.assertEqual((found.mode, found.target), (mode, target))
        if argv is not None:
            self.assertEqual(found.argv, argv)
        return found

    def test_programs(self):
        """What is run, and its arguments."""
        self.check("", "stdin", argv=[""])
        self.check("-", "stdin", argv=["-"])
        self.check("- a -b", "stdin", argv=["-", "a", "-b"])
        self.check("x.py -c 1", "file", "x.py", ["x.py", "-c", "1"])
        self.check("-- -x.py a", "file", "-x.py", ["-x.py", "a"])
        self.check("-c pass -O a", "command", "pass", ["-c", "-O", "a"])
        self.check("-cpass a", "command", "pass", ["-c", "a"])
        self.check("-m json.tool x", "module", "json.tool", ["-m", "x"])
        self.check("-Bum mod x", "module", "mod", ["-m", "x"])

    def test_flags(self):
        """Flags, alone and in clusters."""
        found = self.check("-OO -B -u -W error -Wignore -X dev -Xa=b -c 1", "command", "1")
        self.assertEqual(found.flags["optimize"], 2)
        self.assertEqual(found.flags["dont_write_bytecode"], 1)
        self.assertEqual(found.flags["unbuffered"], 1)
        self.assertEqual(found.warnings, ["error", "ignore"])
        self.assertEqual(found.implementation, {"dev": True, "a": "b"})
        found = self.check("-I x", "file", "x")
        self.assertTrue(all(found.flags[name] for name in ("isolated", "ignore_environment", "safe_path", "no_user_site")))

    def test_answers(self):
        """Version and help."""
        self.assertEqual(self.check("-V", "version").version, 1)
        self.assertEqual(self.check("-VV", "version").version, 2)
        self.check("--version x.py", "version", "x.py")
        for line in ("-h", "--help", "-?", "-h -V"):
            self.check(line, "help")

    def test_refusals(self):
        """What is not understood."""
        for line, message in (
            ("-Z", "Unknown option: -Z"),
            ("-c", "Argument expected for the -c option"),
            ("-W", "Argument expected for the -W option"),
            ("--nope", "unknown option --nope"),
        ):
            with self.assertRaisesRegex(options.UsageError, message):
                options.parse(line.split())


if __name__ == "__main__":
    unittest.main()
