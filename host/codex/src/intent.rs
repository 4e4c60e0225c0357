//! The sandbox that Codex asks for with a call. wisp is the sandbox, and its policy decides; a call is refused only where Codex asks for
//! less than the policy gives and the difference would reach the host.

use serde_json::Value;
use wisp::Policy;
use wisp::policy::Access;

use crate::error::RpcError;

/// Refuses a call that may write where Codex's sandbox lets nothing be written, if writes reach the host.
pub(crate) fn check_write(policy: &Policy, sandbox: Option<&Value>) -> Result<(), RpcError> {
    if sandbox.is_none_or(writes) || !policy.filesystem().mounts.iter().any(|mount| mount.access == Access::Write) {
        return Ok(());
    }
    Err(RpcError::invalid_request(
        "Codex's sandbox is read-only, and wisp has a mount for writing, where this could change the host's files: start wisp without \
         that mount (the project is an overlay then), or take another sandbox mode in Codex",
    ))
}

/// Refuses a process for which Codex wants its own network proxy to decide.
pub(crate) fn check_network(enforced: bool, proxy: Option<&Value>) -> Result<(), RpcError> {
    if !enforced && proxy.is_none() {
        return Ok(());
    }
    Err(RpcError::invalid_request(
        "Codex's managed network is to decide about this process, which wisp does not have: say in `[network]` of wisp's policy what may \
         be reached, and switch it off in Codex",
    ))
}

/// Whether a sandbox of Codex lets something be written. What wisp does not know does.
fn writes(sandbox: &Value) -> bool {
    let permissions = &sandbox["permissions"];
    let files = &permissions["file_system"];
    if permissions["type"] != "managed" || files["type"] != "restricted" {
        return true;
    }
    files["entries"].as_array().is_none_or(|entries| entries.iter().any(|entry| entry["access"] == "write"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// As Codex 0.171.0 sends it, in short.
    fn sandbox(access: &str) -> Value {
        let root = json!({ "path": { "type": "special", "value": { "kind": "root" } }, "access": "read" });
        let project = json!({ "path": { "type": "special", "value": { "kind": "project_roots" } }, "access": access });
        json!({ "permissions": { "type": "managed", "network": "restricted",
            "file_system": { "type": "restricted", "entries": [root, project] } }, "cwd": "file:///tmp/project" })
    }

    #[test]
    fn a_read_only_sandbox_lets_nothing_be_written() {
        assert!(!writes(&sandbox("read")) && writes(&sandbox("write")));
        for full in [json!({}), json!({ "permissions": { "type": "disabled" } }), json!({ "permissions": 7 })] {
            assert!(writes(&full), "{full}");
        }
        let unrestricted = json!({ "permissions": { "type": "managed", "file_system": { "type": "unrestricted" } } });
        assert!(writes(&unrestricted));
    }

    #[test]
    fn it_counts_where_writes_reach_the_host() {
        let folder = tempfile::tempdir().expect("a folder");
        let policy = |access| {
            let mount = wisp::policy::Overrides::host_program().mount_at(folder.path(), "/project", access);
            Policy::offline().with(&wisp::policy::HostFiles, &mount).expect("a policy")
        };
        assert!(check_write(&policy(Access::Write), Some(&sandbox("read"))).is_err());
        for (access, asked) in [(Access::Write, Some(sandbox("write"))), (Access::Write, None), (Access::Overlay, Some(sandbox("read")))] {
            assert_eq!(check_write(&policy(access), asked.as_ref()), Ok(()));
        }
    }

    #[test]
    fn a_network_that_is_not_wisp_s_is_refused() {
        assert_eq!(check_network(false, None), Ok(()));
        assert!(check_network(true, None).is_err() && check_network(false, Some(&json!({}))).is_err());
    }
}
