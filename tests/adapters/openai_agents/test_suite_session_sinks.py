"""The SDK's tests of the events of a session, in a sandbox."""

from _doubles import built
from _suite import bind

bind("test_session_sinks", globals(), every=False, _build_unix_local_session=built)
