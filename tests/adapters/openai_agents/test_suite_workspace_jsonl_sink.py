"""The SDK's tests of events that are written into the workspace."""

from _doubles import built
from _suite import bind

bind("test_workspace_jsonl_sink", globals(), every=False, _build_unix_local_session=built)
