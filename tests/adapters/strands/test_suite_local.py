"""Strands' tests in `sandbox/test_not_a_sandbox_local_environment.py`, over wisp's sandbox."""

import theirs

globals().update(theirs.tests("sandbox/test_not_a_sandbox_local_environment.py", "NotASandboxLocalEnvironment"))
