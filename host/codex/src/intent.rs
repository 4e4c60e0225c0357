//! The sandbox that Codex asks for with a call. wisp is the sandbox, and its policy decides; a call is refused only where Codex asks for
//! less than the policy gives and the difference would reach the host.

use serde::Deserialize;
use serde_json::value::RawValue;
use wisp::Policy;
use wisp::policy::Access;

use crate::error::RpcError;

/// Maximum bytes of a sandbox that is read.
const SANDBOX: usize = 1 << 20;

/// The part of a sandbox that says whether something may be written.
#[derive(Deserialize)]
struct Sandbox {
    permissions: Permissions,
}

#[derive(Deserialize)]
struct Permissions {
    #[serde(rename = "type")]
    kind: String,
    file_system: FileSystem,
}

#[derive(Deserialize)]
struct FileSystem {
    #[serde(rename = "type")]
    kind: String,
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    access: String,
}

/// Refuses a call that may write where Codex's sandbox lets nothing be written, if writes reach the host.
pub(crate) fn check_write(policy: &Policy, sandbox: Option<&RawValue>) -> Result<(), RpcError> {
    let reaches = policy.filesystem().mounts.iter().any(|mount| mount.access == Access::Write);
    let Some(sandbox) = sandbox.filter(|_| reaches) else { return Ok(()) };
    if sandbox.get().len() > SANDBOX {
        return Err(RpcError::invalid_params(format!("the sandbox of a call has at most {SANDBOX} bytes")));
    }
    if writes(sandbox) {
        return Ok(());
    }
    Err(RpcError::invalid_request(
        "Codex's sandbox is read-only, and wisp has a mount for writing, where this could change the host's files: start wisp without \
         that mount (the project is an overlay then), or take another sandbox mode in Codex",
    ))
}

/// Refuses a process for which Codex wants its own network proxy to decide.
pub(crate) fn check_network(enforced: bool, proxy: Option<&RawValue>) -> Result<(), RpcError> {
    if !enforced && proxy.is_none() {
        return Ok(());
    }
    Err(RpcError::invalid_request(
        "Codex's managed network is to decide about this process, which wisp does not have: say in `[network]` of wisp's policy what may \
         be reached, and switch it off in Codex",
    ))
}

/// Returns whether a sandbox of Codex lets something be written. What wisp does not know does.
fn writes(sandbox: &RawValue) -> bool {
    let Ok(Sandbox { permissions }) = serde_json::from_str(sandbox.get()) else { return true };
    let files = permissions.file_system;
    permissions.kind != "managed" || files.kind != "restricted" || files.entries.iter().any(|entry| entry.access == "write")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn raw(sandbox: &Value) -> Box<RawValue> {
        serde_json::value::to_raw_value(sandbox).expect("JSON")
    }

    /// As Codex 0.171.0 sends it, in short.
    fn sandbox(access: &str) -> Box<RawValue> {
        let root = json!({ "path": { "type": "special", "value": { "kind": "root" } }, "access": "read" });
        let project = json!({ "path": { "type": "special", "value": { "kind": "project_roots" } }, "access": access });
        raw(&json!({ "permissions": { "type": "managed", "network": "restricted",
            "file_system": { "type": "restricted", "entries": [root, project] } }, "cwd": "file:///tmp/project" }))
    }

    #[test]
    fn a_read_only_sandbox_lets_nothing_be_written() {
        assert!(!writes(&sandbox("read")) && writes(&sandbox("write")));
        for full in [json!({}), json!({ "permissions": { "type": "disabled" } }), json!({ "permissions": 7 })] {
            assert!(writes(&raw(&full)), "{full}");
        }
        let unrestricted = json!({ "permissions": { "type": "managed", "file_system": { "type": "unrestricted" } } });
        assert!(writes(&raw(&unrestricted)));
    }

    #[test]
    fn it_counts_where_writes_reach_the_host() {
        let folder = tempfile::tempdir().expect("a folder");
        let policy = |access| {
            let mount = wisp::policy::Overrides::host_program().mount_at(folder.path(), "/project", access);
            Policy::offline().with(&wisp::policy::HostFiles, &mount).expect("a policy")
        };
        assert!(check_write(&policy(Access::Write), Some(&*sandbox("read"))).is_err());
        let large = raw(&json!({ "permissions": "x".repeat(SANDBOX) }));
        assert!(check_write(&policy(Access::Write), Some(&*large)).is_err());
        assert_eq!(check_write(&policy(Access::Overlay), Some(&*large)), Ok(()));
        for (access, asked) in [(Access::Write, Some(sandbox("write"))), (Access::Write, None), (Access::Overlay, Some(sandbox("read")))] {
            assert_eq!(check_write(&policy(access), asked.as_deref()), Ok(()));
        }
    }

    #[test]
    fn a_network_that_is_not_wisp_s_is_refused() {
        assert_eq!(check_network(false, None), Ok(()));
        assert!(check_network(true, None).is_err() && check_network(false, Some(&*raw(&json!({})))).is_err());
    }
}
