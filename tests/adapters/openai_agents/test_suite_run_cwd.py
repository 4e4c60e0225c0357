"""The SDK's tests of runs that share one live session, each in a directory of its own."""

import sys
import types

from _suite import bind

from wisp_sandbox.adapters.openai_agents import WispSandboxClient

# The Python that a test asks its shell for is the sandbox's.
python = types.SimpleNamespace(executable="/usr/bin/python3", platform=sys.platform)
bind("test_run_cwd", globals(), UnixLocalSandboxClient=WispSandboxClient, sys=python)
