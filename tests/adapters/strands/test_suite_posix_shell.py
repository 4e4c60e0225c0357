"""Strands' tests in `sandbox/test_posix_shell.py`, over wisp's sandbox."""

import theirs

globals().update(theirs.tests("sandbox/test_posix_shell.py", "_ShellTestSandbox"))
