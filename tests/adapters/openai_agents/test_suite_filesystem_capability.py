"""The SDK's tests of the capability `Filesystem`."""

from _doubles import HostSession
from _suite import bind

from wisp_sandbox.adapters.openai_agents import WispSandboxSessionState

bind("capabilities.test_filesystem_capability", globals(), UnixLocalSandboxSession=HostSession, UnixLocalSandboxSessionState=WispSandboxSessionState)
