"""The SDK's tests of archives, in a sandbox whose workspace is the test's directory."""

from _doubles import HostSession
from _suite import bind

from wisp_sandbox.adapters.openai_agents import WispSandboxSessionState

bind("test_extract", globals(), UnixLocalSandboxSession=HostSession, UnixLocalSandboxSessionState=WispSandboxSessionState)
