"""The SDK's tests of patches, in a sandbox. Doubles that are about other file systems (APFS, Windows) stay the SDK's."""

from _doubles import PatchSession
from _suite import bind

bind("test_apply_patch", globals(), ApplyPatchSession=PatchSession)
