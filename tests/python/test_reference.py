"""The guide's reference of the package says what the package has."""

import subprocess
import sys
import unittest

from kit import ROOT, SECONDS

PAGE = ROOT / "docs" / "src" / "reference" / "python.md"


class Reference(unittest.TestCase):
    def test_it_is_what_the_package_says(self):
        program = [sys.executable, ROOT / "toolchain" / "lib" / "python_reference.py"]
        done = subprocess.run(program, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=SECONDS, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.maxDiff = 2000
        written = PAGE.read_text() if PAGE.exists() else ""
        self.assertEqual(written, done.stdout, "write the page by `toolchain/just python --bless`, and look at its diff")
