"""The SDK's tests of the capability `Compaction`."""

from _suite import bind

bind("capabilities.test_compaction_capability", globals())
