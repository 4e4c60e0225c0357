"""The SDK's tests of the capability `Memory`, whose files are in a sandbox."""

from _doubles import HostClient
from _suite import bind

bind("test_memory", globals(), every=False, FilesystemTestSandboxClient=HostClient)
