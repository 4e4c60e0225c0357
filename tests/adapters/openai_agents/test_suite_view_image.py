"""The SDK's tests of the tool `view_image`, which reads files of a sandbox."""

from _scripted import scripted
from _suite import bind

bind("capabilities.test_view_image_tool", globals(), scripted_sandbox_session=scripted)
