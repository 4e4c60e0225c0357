"""The SDK's tests of what a model asks for wrongly: nothing of it reaches a sandbox."""

from _scripted import scripted
from _suite import bind

bind("capabilities.test_tool_input_errors", globals(), scripted_sandbox_session=scripted)
