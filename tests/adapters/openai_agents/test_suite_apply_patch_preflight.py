"""The SDK's tests of the tool `apply_patch`, in a sandbox."""

from _doubles import PatchSession
from _suite import bind

bind("capabilities.test_apply_patch_preflight", globals(), ApplyPatchSession=PatchSession)
