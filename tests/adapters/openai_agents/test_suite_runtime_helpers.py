"""The SDK's tests of the scripts that it installs in sandboxes, in wisp's shell."""

import types

from _scripted import run_in_sandbox
from _suite import bind

bind("test_runtime_helpers", globals(), subprocess=types.SimpleNamespace(run=run_in_sandbox))
