"""The SDK's test of a whole life: all kinds of entries, patches, escapes, archives, a terminal, a pause, and what is there after it."""

import importlib

from _doubles import ClientWithHostTools
from _suite import bind

helpers = importlib.import_module("tests.sandbox.integration_tests._helpers")


async def symlink_escape_is_blocked(session):
    """As the SDK's helper, which makes the link on the host: the workspace is in the sandbox."""
    made = await session.exec("echo outside > /symlink-outside.txt; ln -s /symlink-outside.txt symlink_escape.txt")
    assert made.ok(), made.stderr
    try:
        await helpers._assert_read_blocked(session, "symlink_escape.txt")
        await helpers._assert_write_blocked(session, "symlink_escape.txt")
        await helpers._assert_patch_blocked(session, "symlink_escape.txt")
    finally:
        assert (await session.exec("/bin/rm symlink_escape.txt; test $(cat /symlink-outside.txt) = outside")).ok()


helpers._assert_symlink_escape_blocked = symlink_escape_is_blocked
bind(
    "integration_tests.test_runner_pause_resume",
    globals(),
    replace={
        '["backend_id"] == "unix_local"': '["backend_id"] == "wisp"',
        # Whether the client has made the workspace, as a directory of the host: it is in the sandbox.
        'assert session_state["workspace_root_owned"] is True': 'assert "workspace_root_owned" not in session_state',
    },
    UnixLocalSandboxClient=ClientWithHostTools,
)
