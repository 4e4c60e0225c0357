"""The SDK's tests of its runner and its sandboxes."""

from _doubles import HostClient, HostSession
from _suite import bind

from wisp_sandbox.adapters.openai_agents import WispSandboxSessionState

# Of those that have the name of the SDK's local client, these are about what every session does; the others are about what it does on a host:
# its temporary directories, its mounts, its profiles of macOS, its environment.
EVERY_SESSION = {
    "test_unix_local_persist_workspace_excludes_mounted_directory_contents",
    "test_unix_local_runner_cleanup_preserves_resumed_caller_owned_workspace_root",
    "test_unix_local_read_and_write_reject_paths_outside_workspace_root",
    "test_unix_local_rm_recursive_ignores_missing_paths",
    "test_unix_local_rm_non_recursive_still_errors_for_missing_paths",
    "test_unix_local_file_io_allows_extra_path_grant",
    "test_unix_local_file_io_rejects_write_under_read_only_extra_path_grant",
}
theirs = bind(
    "test_runtime",
    globals(),
    replace={'"unix_local"': '"wisp"'},
    every=False,
    leave=lambda name: name.startswith("test_unix_local") and name not in EVERY_SESSION,
    UnixLocalSandboxClient=HostClient,
    UnixLocalSandboxSession=HostSession,
    UnixLocalSandboxSessionState=WispSandboxSessionState,
)
assert set(vars(theirs)) >= EVERY_SESSION
