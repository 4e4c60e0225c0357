"""The SDK's tests of ports."""

from _suite import bind

from wisp_sandbox.adapters.openai_agents import WispSandboxClient, WispSandboxClientOptions

bind("test_exposed_ports", globals(), every=False, UnixLocalSandboxClient=WispSandboxClient, UnixLocalSandboxClientOptions=WispSandboxClientOptions)
