//! Confines the process that wisp runs in: if a guest breaks out of wasmtime, or wisp has a bug, the kernel still
//! refuses everything that no session needs.
//!
//! [`Confinement`] lists what the process will need, [`Confinement::enforce`] removes the rest: files and ports by
//! Landlock, system calls by seccomp. Both apply permanently to the whole process and to everything that it starts,
//! and neither needs privileges. What a kernel lacks is left out and reported ([`Confined`]); it is not an error.
//!
//! ```no_run
//! # fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use wisp::confine::Confinement;
//! use wisp::{Components, Engine, Policy};
//!
//! let policy = Policy::offline();
//! let folder = "/usr/lib/service/components";
//! let components = Components::from_folder(folder)?;
//! // First in `main`, before a runtime or an engine has made threads.
//! let confinement = Confinement::new().read(folder).write("/var/lib/service").policy(&policy);
//! let cache = Engine::default_cache();
//! let confinement = cache.directory().into_iter().fold(confinement, Confinement::write);
//! confinement.enforce()?;
//! let engine = Engine::builder(components).cache(cache).build()?;
//! # Ok(()) }
//! ```

#![expect(clippy::disallowed_methods, reason = "counts the process's threads and asks what the kernel offers, in /proc")]

mod arguments;
mod calls;
mod files;
mod held;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use wisp_api::ErrorCode;
use wisp_policy::{Access, McpTransport, Policy};

use arguments::Needs;
pub use held::Held;

/// Files that libraries read on their own: the number of processors that the process may use, its own memory map.
const ALWAYS: &[&str] = &["/proc/self", "/sys/fs/cgroup", "/sys/devices/system/cpu", "/dev/null", "/dev/urandom"];

/// Files that the system's name resolver reads.
const NAMES: &[&str] = &[
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/host.conf",
    "/etc/gai.conf",
    "/etc/services",
    "/etc/protocols",
    "/etc/ld.so.cache",
    "/run/systemd/resolve",
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
];

/// The port of name servers.
const DNS: u16 = 53;

/// What a process will need of its host. Everything else is refused once it is enforced.
///
/// Paths that do not exist when it is enforced are left out. A folder includes everything below it.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Confinement {
    read: BTreeSet<PathBuf>,
    write: BTreeSet<PathBuf>,
    remove: BTreeSet<PathBuf>,
    /// Ports that may be connected to; `None` refuses sockets altogether.
    ports: Option<BTreeSet<u16>>,
    /// Whether modes and times of files may be changed.
    attributes: bool,
    /// Whether connections may be accepted.
    accept: bool,
}

/// What is in force from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Confined {
    /// Landlock: files and ports.
    pub files: Held,
    /// seccomp: system calls.
    pub calls: Held,
}

/// What this kernel offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Offered {
    /// Landlock.
    pub files: bool,
    /// seccomp's filters.
    pub calls: bool,
}

/// Why a process cannot be confined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfineError {
    /// Landlock would apply only to the calling thread.
    #[error("the process has {count} threads already: confine it before a runtime or an engine is made")]
    Threads {
        /// The number of threads.
        count: usize,
    },
}

impl ConfineError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Threads { .. } => ErrorCode::Conflict,
        }
    }
}

impl Confinement {
    /// Creates a confinement that allows no files except those that libraries read on their own, and no sockets.
    pub fn new() -> Self {
        Self { read: ALWAYS.iter().map(PathBuf::from).collect(), ..Self::default() }
    }

    /// Allows reading this file or folder.
    pub fn read(mut self, path: impl Into<PathBuf>) -> Self {
        self.read.insert(path.into());
        self
    }

    /// Allows reading, writing, creating and removing this file or folder.
    pub fn write(mut self, path: impl Into<PathBuf>) -> Self {
        self.write.insert(path.into());
        self
    }

    /// Allows removing empty folders below this one, and nothing else there.
    pub fn remove(mut self, path: impl Into<PathBuf>) -> Self {
        self.remove.insert(path.into());
        self
    }

    /// Allows changing the modes and the times of files, as `std::fs::copy` and `std::fs::set_permissions` do. The kernel
    /// cannot confine this to some folders: it applies to all files that the user owns.
    pub fn attributes(mut self) -> Self {
        self.attributes = true;
        self
    }

    /// Allows accepting connections at listeners that are open already. Others cannot be made.
    pub fn accept(mut self) -> Self {
        self.accept = true;
        self
    }

    /// Allows TCP connections to this port, and what name lookup needs: datagrams to any address, and no socket of the
    /// machine's own services (nscd, systemd-resolved), so that names are asked of the name servers in `/etc/resolv.conf`.
    pub fn connect(mut self, port: u16) -> Self {
        self.ports.get_or_insert_with(|| BTreeSet::from([DNS])).insert(port);
        self.read.extend(NAMES.iter().map(PathBuf::from));
        self
    }

    /// Allows what sessions under this policy need: the files of [`Confinement::files`], the ports of servers at a URL
    /// (`host.mcp`), and, if it has a network, its certificates and ports. Can be called for several policies.
    pub fn policy(mut self, policy: &Policy) -> Self {
        self = self.files(policy);
        for server in policy.host().into_iter().flat_map(|host| &host.mcp) {
            if let McpTransport::Http(http) = &server.transport {
                self = self.connect(http.url.port);
            }
        }
        let Some(network) = policy.network() else { return self };
        self.read.extend(network.ca.iter().map(|(path, _)| path.clone()));
        // A network that does not yet allow any URL still looks up names.
        let ports = network.allow.iter().map(|rule| rule.url.port).chain([DNS]);
        ports.fold(self, Self::connect)
    }

    /// Allows the files that sessions under this policy need if none of their programs runs: its mounts and the files
    /// of its tools; and modes and times of files, if a mount has `access = "write"`.
    pub fn files(mut self, policy: &Policy) -> Self {
        for mount in &policy.filesystem().mounts {
            self = match mount.access {
                Access::Write => self.write(&mount.host).attributes(),
                Access::Read | Access::Overlay => self.read(&mount.host),
            };
        }
        self.read.extend(policy.tools().custom.values().map(|tool| tool.path.clone()));
        self.read.extend(policy.imports().values().map(|import| import.path.clone()));
        self
    }

    /// Removes everything else, from the whole process and permanently. Afterwards it cannot start programs, and
    /// cannot trace, mount, or load anything into the kernel; it cannot serve, watch folders (inotify), use queues and
    /// memory of System V, signal other processes, or change their limits and priorities.
    ///
    /// # Errors
    /// If the process has several threads: those already running would keep their rights. A mechanism that the kernel
    /// lacks is not an error.
    pub fn enforce(&self) -> Result<Confined, ConfineError> {
        // A process that cannot count its threads has no /proc; the caller is then trusted to have only one.
        let count = fs::read_dir("/proc/self/task").map_or(1, Iterator::count);
        if count > 1 {
            return Err(ConfineError::Threads { count });
        }
        let began = Instant::now();
        let said = |held: Result<Held, String>| held.unwrap_or_else(Held::Not);
        let files = said(files::restrict([&self.read, &self.write, &self.remove], self.ports.as_ref()));
        let confined = Confined {
            files,
            calls: said(calls::restrict(Needs { network: self.ports.is_some(), attributes: self.attributes, accept: self.accept })),
        };
        tracing::debug!(?confined, took = ?began.elapsed(), "the process is confined");
        Ok(confined)
    }
}

/// Returns what this kernel offers to confine a process.
pub fn offered() -> Offered {
    let listed = |path: &str, word: &str| fs::read_to_string(path).is_ok_and(|text| text.split_whitespace().any(|found| found == word));
    Offered { files: files::offered(), calls: listed("/proc/sys/kernel/seccomp/actions_avail", "errno") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_says_which_files_and_ports_are_needed() {
        let offline = Confinement::new().policy(&Policy::offline());
        assert_eq!((offline.ports, offline.write.len(), offline.read.len(), offline.attributes), (None, 0, ALWAYS.len(), false));
        let folder = tempfile::tempdir().unwrap();
        let host = folder.path().canonicalize().unwrap();
        let text = format!(
            "[[filesystem.mount]]\nhost = {host:?}\nguest = \"/mnt/a\"\n[[filesystem.mount]]\nhost = {host:?}\nguest = \"/mnt/b\"\naccess = \"write\"\n\
             [network]\n[[network.allow]]\nurl = \"https://docs.example/\"\n[[network.allow]]\nurl = \"http://localhost:8080/\"\n"
        );
        let policy = Policy::parse(&crate::policy_files::HostFiles, "p.toml", &text).unwrap_or_else(|error| panic!("{error}"));
        let confinement = Confinement::new().policy(&policy);
        assert!(confinement.read.contains(&host) && confinement.write.contains(&host) && confinement.attributes);
        assert!(confinement.read.contains(&PathBuf::from("/etc/resolv.conf")));
        assert_eq!(confinement.ports, Some(BTreeSet::from([53, 443, 8080])));
    }

    #[test]
    fn a_server_at_a_url_needs_its_port_and_a_program_needs_none() {
        let ports = |reached: &str| {
            let text = format!("[[host.mcp]]\nname = \"web\"\n{reached}\nallow = []\n");
            let policy = Policy::parse(&wisp_policy::NoFiles, "p.toml", &text).unwrap_or_else(|error| panic!("{error}"));
            Confinement::new().policy(&policy).ports
        };
        assert_eq!(ports("url = \"https://mcp.example/\""), Some(BTreeSet::from([53, 443])));
        assert_eq!(ports("url = \"http://127.0.0.1:8000/mcp\""), Some(BTreeSet::from([53, 8000])));
        assert_eq!(ports("command = [\"web-server\"]"), None);
    }

    #[test]
    fn threads_that_run_already_are_an_error() {
        // This test's own thread is not the only thread of the process.
        assert!(matches!(Confinement::new().enforce(), Err(ConfineError::Threads { count }) if count > 1));
    }
}
