//! Confining the process that wisp runs in: should a guest break out of wasmtime, or a bug of wisp's do what it must not, the
//! kernel still refuses what no session needs.
//!
//! [`Confinement`] says what the process goes on to need, [`Confinement::enforce`] takes away the rest: by Landlock, files and
//! ports; by seccomp, system calls. Both hold for the whole process, for ever, and for whatever it starts; neither needs rights.
//! What a kernel lacks is left out and said ([`Confined`]), never an error.
//!
//! ```no_run
//! # fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use wisp::confine::Confinement;
//! use wisp::{Engine, Policy};
//!
//! let policy = Policy::offline();
//! // First in `main`, before a runtime or an engine has made threads.
//! let confinement = Confinement::new().write("/var/lib/service").policy(&policy);
//! let cache = Engine::default_cache()?;
//! let confinement = cache.directory().into_iter().fold(confinement, Confinement::write);
//! confinement.enforce()?;
//! let engine = Engine::builder().cache(cache).build()?;
//! # Ok(()) }
//! ```

#![expect(clippy::disallowed_methods, reason = "counts the process's threads and asks what the kernel offers, in /proc")]

mod calls;
mod files;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use crate::policy::{Access, Policy};

/// What libraries read by themselves: how many processors the process may use, its own memory map.
const ALWAYS: &[&str] = &["/proc/self", "/sys/fs/cgroup", "/sys/devices/system/cpu", "/dev/null", "/dev/urandom"];

/// What the system's resolver of names reads.
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
    "/run/nscd",
    "/var/run/nscd",
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
];

/// The port of name servers.
const DNS: u16 = 53;

/// What a process goes on to need of its host. Everything else is refused once it is enforced.
///
/// Paths that do not exist when it is enforced are left out. A folder stands for all below it.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Confinement {
    read: BTreeSet<PathBuf>,
    write: BTreeSet<PathBuf>,
    remove: BTreeSet<PathBuf>,
    /// Ports that may be connected to; `None` refuses sockets altogether.
    ports: Option<BTreeSet<u16>>,
}

/// How far a means of the kernel's holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Held {
    /// All that was asked of it.
    Fully,
    /// A part: the kernel is older than what was asked.
    Partly,
    /// Nothing, and why.
    Not(String),
}

/// What holds from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confined {
    /// Landlock: files and ports.
    pub files: Held,
    /// seccomp: system calls.
    pub calls: Held,
}

/// What this kernel offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offered {
    /// Landlock.
    pub files: bool,
    /// seccomp's filters.
    pub calls: bool,
}

/// Why a process cannot be confined.
#[derive(Debug, thiserror::Error)]
pub enum ConfineError {
    /// Landlock would hold for the calling thread alone.
    #[error("the process has {count} threads already: confine it before a runtime or an engine is made")]
    Threads {
        /// How many.
        count: usize,
    },
}

impl Confinement {
    /// No files but what libraries read by themselves, no sockets.
    pub fn new() -> Confinement {
        Confinement { read: ALWAYS.iter().map(PathBuf::from).collect(), ..Confinement::default() }
    }

    /// With this file or folder for reading.
    pub fn read(mut self, path: impl Into<PathBuf>) -> Confinement {
        self.read.insert(path.into());
        self
    }

    /// With this file or folder for reading, writing, making and removing.
    pub fn write(mut self, path: impl Into<PathBuf>) -> Confinement {
        self.write.insert(path.into());
        self
    }

    /// With empty folders below this one removed, and nothing else done there.
    pub fn remove(mut self, path: impl Into<PathBuf>) -> Confinement {
        self.remove.insert(path.into());
        self
    }

    /// With connections to this port, and with what looking up names needs.
    pub fn connect(mut self, port: u16) -> Confinement {
        self.ports.get_or_insert_with(|| BTreeSet::from([DNS])).insert(port);
        self.read.extend(NAMES.iter().map(PathBuf::from));
        self
    }

    /// With what sessions under this policy need: the files of [`Confinement::files`], and its certificates and the ports of its
    /// network if it has one. Can be called for several policies.
    pub fn policy(mut self, policy: &Policy) -> Confinement {
        self = self.files(policy);
        let Some(network) = policy.network() else { return self };
        self.read.extend(network.ca.iter().map(|(path, _)| path.clone()));
        // A network that allows no place yet still looks up names.
        let ports = network.allow.iter().map(|rule| rule.url.port).chain([DNS]);
        ports.fold(self, Confinement::connect)
    }

    /// With the files that sessions under this policy need when none of their programs runs: its mounts and the files of its
    /// tools.
    pub fn files(mut self, policy: &Policy) -> Confinement {
        for mount in &policy.filesystem().mounts {
            self = match mount.access {
                Access::Write => self.write(&mount.host),
                Access::Read | Access::Overlay => self.read(&mount.host),
            };
        }
        self.read.extend(policy.tools().custom.values().map(|tool| tool.path.clone()));
        self
    }

    /// Take away everything else, from the whole process and for ever. It cannot start programs any more, nor trace, mount or
    /// load anything into the kernel.
    ///
    /// # Errors
    /// When the process has several threads: those that run already would keep their rights. What the kernel lacks is no error.
    pub fn enforce(&self) -> Result<Confined, ConfineError> {
        // A process that cannot count its threads has no /proc: then nothing but the caller's word says it has one.
        let count = fs::read_dir("/proc/self/task").map_or(1, Iterator::count);
        if count > 1 {
            return Err(ConfineError::Threads { count });
        }
        let began = Instant::now();
        let said = |held: Result<Held, String>| held.unwrap_or_else(Held::Not);
        let files = said(files::restrict([&self.read, &self.write, &self.remove], self.ports.as_ref()));
        let confined = Confined { files, calls: said(calls::restrict(self.ports.is_some())) };
        tracing::debug!(?confined, took = ?began.elapsed(), "the process is confined");
        Ok(confined)
    }
}

/// What this kernel offers to confine a process with.
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
        assert_eq!((offline.ports, offline.write.len(), offline.read.len()), (None, 0, ALWAYS.len()));
        let folder = tempfile::tempdir().unwrap();
        let host = folder.path().canonicalize().unwrap();
        let text = format!(
            "[[filesystem.mount]]\nhost = {host:?}\nguest = \"/mnt/a\"\n[[filesystem.mount]]\nhost = {host:?}\nguest = \"/mnt/b\"\naccess = \"write\"\n\
             [network]\n[[network.allow]]\nurl = \"https://docs.example/\"\n[[network.allow]]\nurl = \"http://localhost:8080/\"\n"
        );
        let policy = Policy::parse(&crate::policy_files::HostFiles, "p.toml", &text).unwrap_or_else(|error| panic!("{error}"));
        let confinement = Confinement::new().policy(&policy);
        assert!(confinement.read.contains(&host) && confinement.write.contains(&host));
        assert!(confinement.read.contains(&PathBuf::from("/etc/resolv.conf")));
        assert_eq!(confinement.ports, Some(BTreeSet::from([53, 443, 8080])));
    }

    #[test]
    fn threads_that_run_already_are_an_error() {
        // This test's own thread is not the process's only one.
        assert!(matches!(Confinement::new().enforce(), Err(ConfineError::Threads { count }) if count > 1));
    }
}
