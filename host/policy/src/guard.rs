//! What controls the next run must not be in a write mount. A guest that could change its own policy, a tool, a
//! certificate or wisp's machine code could grant itself anything.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::finding::{Findings, PolicyErrors, quote};
use super::host::HostGrant;
use super::host_path::HostPath;
use super::imports::ImportComponent;
use super::layer::Layer;
use super::mounts::MountLayer;
use super::network::Network;
use super::parts::{Access, Tools};
use super::policy::Policy;
use super::source::Source;

/// A file or directory of the host that no guest may write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtectedPath {
    /// Its description, for a message: `the component of the tool jwt`.
    pub what: String,
    /// Its path.
    pub path: PathBuf,
}

impl Policy {
    /// Returns what this policy itself names, and the next run trusts: its file and those that it extends, the links to these, its tools
    /// and the components for their imports, its certificates, and the files that the commands of its servers name. No guest may write
    /// them, through a mount or in any other way.
    pub fn protected_paths(&self) -> Vec<ProtectedPath> {
        of_policy(&self.layer, &self.tools, &self.imports, self.network.as_ref(), self.host.as_ref())
    }

    /// Checks that no write mount contains any of these or is in one: paths that the embedding program knows in
    /// addition to the policy. The policy's own files, tools and certificates are checked whenever a policy is made.
    ///
    /// # Errors
    /// A finding for each write mount and each protected path in it, at the line of the mount.
    pub fn check_protected(&self, source: &dyn Source, guarded: &[ProtectedPath]) -> Result<(), PolicyErrors> {
        let mut findings = Findings::default();
        check(&self.layer.mounts, guarded, source, &mut findings);
        findings.decide(())
    }
}

/// Returns the paths that a policy itself names.
pub(super) fn of_policy(
    layer: &Layer,
    tools: &Tools,
    imports: &BTreeMap<String, ImportComponent>,
    network: Option<&Network>,
    host: Option<&HostGrant>,
) -> Vec<ProtectedPath> {
    let policies = layer.files.iter().enumerate().map(|(index, path)| ProtectedPath {
        what: if index == 0 { "this policy itself".to_owned() } else { "a policy that this one extends".to_owned() },
        path: path.clone(),
    });
    let tools = tools
        .custom
        .iter()
        .map(|(name, tool)| ProtectedPath { what: format!("the component of the tool {}", quote(name)), path: tool.path.clone() });
    let imports = imports.iter().map(|(interface, import)| ProtectedPath {
        what: format!("the component in front of {}", quote(interface)),
        path: import.path.clone(),
    });
    let ca = network
        .and_then(|network| network.ca.as_ref())
        .map(|(path, _)| ProtectedPath { what: "the certificates that the policy trusts".to_owned(), path: path.clone() });
    let servers = host.iter().flat_map(|host| &host.mcp).flat_map(|server| {
        let what = format!("a file that the server {} is started with, outside the sandbox", quote(&server.name));
        server.files.iter().map(move |path| ProtectedPath { what: what.clone(), path: path.clone() })
    });
    let link =
        |path: &PathBuf| ProtectedPath { what: "a link to this policy, or to what it extends or names".to_owned(), path: path.clone() };
    policies.chain(layer.links.iter().map(link)).chain(tools).chain(imports).chain(ca).chain(servers).collect()
}

/// Returns the folders that the commands of servers name: no mount for writing may be in one, or hold it. Results may be copied into one.
pub(super) fn of_servers(host: Option<&HostGrant>) -> Vec<ProtectedPath> {
    let folders = host.iter().flat_map(|host| &host.mcp).flat_map(|server| {
        let what = format!("a folder that the server {} is started with, outside the sandbox", quote(&server.name));
        server.folders.iter().map(move |path| ProtectedPath { what: what.clone(), path: path.clone() })
    });
    folders.collect()
}

pub(super) fn check(mounts: &[MountLayer], guarded: &[ProtectedPath], source: &dyn Source, findings: &mut Findings) {
    for mount in mounts {
        let writes = mount.access.as_ref().is_some_and(|access| access.value == Access::Write);
        let HostPath::Found(host) = &mount.host.value else { continue };
        if !writes {
            continue;
        }
        for ProtectedPath { what, path } in guarded {
            if !source.holds(host, path) && !source.holds(path, host) {
                continue;
            }
            let message = format!("the mount {} is writable and contains {what}", quote(&mount.guest.value));
            findings.push(
                mount
                    .host
                    .rule
                    .finding(message)
                    .label(format!("{} is in it: a guest could change what the next run may do", quote(&path.to_string_lossy())))
                    .help("move one of the two, mount a directory below it that does not contain the other, or write `overlay` instead of `write`: changes then stay in memory"),
            );
        }
    }
}
