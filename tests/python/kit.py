"""What tests of the package share: a sandbox for each test, and Pythons of their own for what concerns a whole process."""

import subprocess
import sys
import unittest
from pathlib import Path

from wisp_sandbox import Sandbox

ROOT = Path(__file__).resolve().parent.parent.parent
SECONDS = 300  # a child that takes longer hangs


class WithSandbox(unittest.TestCase):
    """A test that has a sandbox of its own."""

    def setUp(self):
        self.sandbox = Sandbox.create()
        self.addCleanup(self.sandbox.close)


def printed(sandbox, code):
    """What code in a sandbox prints, which must not fail."""
    execution = sandbox.run_code(code)
    if execution.error is not None:
        raise AssertionError(execution.error.traceback)
    return "".join(execution.logs.stdout)


def child(code, *words):
    """A Python that runs this code: what it returned and printed."""
    command = [sys.executable, "-c", code, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=SECONDS, check=False)
