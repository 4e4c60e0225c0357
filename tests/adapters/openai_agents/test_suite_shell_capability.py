"""The SDK's tests of the capability `Shell`. Most are about the tool alone: the answers of their sessions are made up."""

import types

from _scripted import run_in_sandbox
from _suite import bind

bind("capabilities.test_shell_capability", globals(), subprocess=types.SimpleNamespace(run=run_in_sandbox))
