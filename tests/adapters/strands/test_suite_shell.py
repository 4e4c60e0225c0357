"""Strands' tests in `vended_tools/test_shell.py`, over wisp's sandbox."""

import theirs

globals().update(theirs.tests("vended_tools/test_shell.py", "NotASandboxLocalEnvironment"))
