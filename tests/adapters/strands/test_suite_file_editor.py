"""Strands' tests in `vended_tools/test_file_editor.py`, over wisp's sandbox."""

import theirs

globals().update(theirs.tests("vended_tools/test_file_editor.py", "NotASandboxLocalEnvironment"))
