//! The capability table: every interface that a component may import, its capability, the policy key that grants it,
//! and how it is satisfied with and without that grant.
//!
//! This is the only list. The policy's schema, the decisions of `world`, the host's linker, `deny` and `wisp explain`
//! all read it; a test compares it with the interfaces in `wit/`.

use std::fmt;

use super::schema::Key;

/// The decision about an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Linked to the host's implementation, limited to what the policy granted: it reaches the outside world.
    Host,
    /// Satisfied without the outside world: by memory, pipes, a seeded generator, a fixed clock.
    Virtual,
    /// Composed with the deny component: the import is removed, and calls fail with the interface's own error.
    Denied,
    /// Satisfied by a component of the user (`[imports]`), whose own imports are decided in the same way.
    Component,
    /// Not available: a component with this import does not start.
    Refused,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Host => "host",
            Self::Virtual => "virtual",
            Self::Denied => "denied",
            Self::Component => "component",
            Self::Refused => "refused",
        })
    }
}

/// One way to satisfy an import, with the words that `wisp explain` shows for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Met {
    /// The decision.
    pub decision: Decision,
    /// The reason, and what it means.
    pub reason: &'static str,
}

/// A row of the table: one capability and its interfaces.
#[derive(Debug)]
#[non_exhaustive]
pub struct Capability {
    /// Its name in receipts.
    pub name: &'static str,
    /// The policy key that governs it, of a table or list of tables the key that names what is granted; `None` if no policy changes how it
    /// is satisfied.
    #[doc(hidden)]
    pub key: Option<Key>,
    /// How it is satisfied when the policy does not set `key`.
    pub absent: Met,
    /// How it is satisfied when the policy sets `key`.
    pub granted: Met,
    /// The interfaces.
    pub interfaces: &'static [Interface],
}

impl Capability {
    /// Returns how the capability is satisfied under a policy that sets its key, or does not.
    pub fn met(&self, granted: bool) -> Met {
        if granted { self.granted } else { self.absent }
    }

    /// Returns whether any policy can lead to this decision.
    pub fn has(&self, decision: Decision) -> bool {
        self.absent.decision == decision || self.granted.decision == decision
    }
}

/// Generates the enum of interfaces and the table from one list, so that neither can have a row that the other lacks.
macro_rules! table {
    ($($capability:literal, $key:expr, {
        absent: $absent:ident $absent_reason:literal,
        granted: $granted:ident $granted_reason:literal,
        $($variant:ident = $name:literal $track:literal,)*
    })*) => {
        /// An interface of the table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Interface {
            $($(#[doc = concat!("`", $name, "`, ", $track, ".")] $variant,)*)*
        }

        impl Interface {
            /// Every interface of the table, in its order.
            pub const ALL: &'static [Self] = &[$($(Self::$variant,)*)*];

            /// Returns its name without a version: `wasi:io/poll`.
            pub fn name(self) -> &'static str {
                match self { $($(Self::$variant => $name,)*)* }
            }

            /// Returns the versions that it covers, as the component model groups compatible ones: `0.2`.
            pub fn track(self) -> &'static str {
                match self { $($(Self::$variant => $track,)*)* }
            }
        }

        /// The table.
        pub const TABLE: &[Capability] = &[$(Capability {
            name: $capability,
            key: $key,
            absent: Met { decision: Decision::$absent, reason: $absent_reason },
            granted: Met { decision: Decision::$granted, reason: $granted_reason },
            interfaces: &[$(Interface::$variant,)*],
        },)*];
    };
}

table! {
    "arguments and environment", Some(Key::EnvVar), {
        absent: Virtual "the command's arguments and wisp's own variables; none of the host's",
        granted: Virtual "none of the host's variables; the command's arguments, wisp's own and those of the policy",
        Environment = "wasi:cli/environment" "0.2",
    }
    "exit", None, {
        absent: Virtual "ends this process only",
        granted: Virtual "ends this process only",
        Exit = "wasi:cli/exit" "0.2",
    }
    "standard input", None, {
        absent: Virtual "a pipe or file of the session, or what the command was given",
        granted: Virtual "a pipe or file of the session, or what the command was given",
        Stdin = "wasi:cli/stdin" "0.2",
    }
    "standard output", Some(Key::Stdout), {
        absent: Virtual "a pipe or file of the session, or captured up to the limit",
        granted: Virtual "a pipe or file of the session, or captured up to the limit",
        Stdout = "wasi:cli/stdout" "0.2",
    }
    "standard error", Some(Key::Stderr), {
        absent: Virtual "a pipe or file of the session, or captured up to the limit",
        granted: Virtual "a pipe or file of the session, or captured up to the limit",
        Stderr = "wasi:cli/stderr" "0.2",
    }
    "terminal", None, {
        absent: Virtual "says whether a standard stream is a terminal",
        granted: Virtual "says whether a standard stream is a terminal",
        TerminalInput = "wasi:cli/terminal-input" "0.2",
        TerminalOutput = "wasi:cli/terminal-output" "0.2",
        TerminalStdin = "wasi:cli/terminal-stdin" "0.2",
        TerminalStdout = "wasi:cli/terminal-stdout" "0.2",
        TerminalStderr = "wasi:cli/terminal-stderr" "0.2",
    }
    "streams and polling", None, {
        absent: Virtual "reads, writes and waits on what other imports returned; opens nothing itself",
        granted: Virtual "reads, writes and waits on what other imports returned; opens nothing itself",
        IoError = "wasi:io/error" "0.2",
        IoPoll = "wasi:io/poll" "0.2",
        IoStreams = "wasi:io/streams" "0.2",
    }
    "clocks", Some(Key::Clock), {
        absent: Host "the machine's clocks, to read and to wait",
        granted: Virtual "the policy's clock, not the machine's",
        MonotonicClock = "wasi:clocks/monotonic-clock" "0.2",
        WallClock = "wasi:clocks/wall-clock" "0.2",
    }
    "time zone", None, {
        absent: Refused "an unstable proposal that wisp does not provide; the sandbox is always in UTC",
        granted: Refused "an unstable proposal that wisp does not provide; the sandbox is always in UTC",
        Timezone = "wasi:clocks/timezone" "0.2",
    }
    "randomness", Some(Key::Seed), {
        absent: Host "the machine's source of randomness",
        granted: Virtual "a generator seeded by the policy",
        Random = "wasi:random/random" "0.2",
        InsecureRandom = "wasi:random/insecure" "0.2",
        InsecureSeed = "wasi:random/insecure-seed" "0.2",
    }
    "files", Some(Key::MountGuest), {
        absent: Virtual "files in memory; no files of the host",
        granted: Host "files in memory, and the host's files that are mounted",
        FilesystemTypes = "wasi:filesystem/types" "0.2",
        FilesystemPreopens = "wasi:filesystem/preopens" "0.2",
        SandboxFiles = "wisp:sandbox/files" "0.1",
    }
    "processes", Some(Key::Allow), {
        absent: Virtual "starts no program: the policy allows no tools",
        granted: Virtual "starts tools of the session as sandboxed processes, never a program of the host",
        SandboxProcess = "wisp:sandbox/process" "0.1",
    }
    "terminals", None, {
        absent: Virtual "settings and sizes of terminals that the program has open, and terminals of its own",
        granted: Virtual "settings and sizes of terminals that the program has open, and terminals of its own",
        SandboxTerminal = "wisp:sandbox/terminal" "0.1",
    }
    "artifacts", Some(Key::OutputPath), {
        absent: Virtual "labels files of the output directory",
        granted: Virtual "labels files of the output directory",
        SandboxArtifacts = "wisp:sandbox/artifacts" "0.1",
    }
    "session facts", None, {
        absent: Virtual "reads the session's limits and grants",
        granted: Virtual "reads the session's limits and grants",
        SandboxSession = "wisp:sandbox/session" "0.1",
    }
    "sockets", None, {
        absent: Denied "sockets are never granted; calls fail with `access-denied`",
        granted: Denied "sockets are never granted; calls fail with `access-denied`",
        SocketsNetwork = "wasi:sockets/network" "0.2",
        SocketsInstanceNetwork = "wasi:sockets/instance-network" "0.2",
        SocketsTcp = "wasi:sockets/tcp" "0.2",
        SocketsTcpCreate = "wasi:sockets/tcp-create-socket" "0.2",
        SocketsUdp = "wasi:sockets/udp" "0.2",
        SocketsUdpCreate = "wasi:sockets/udp-create-socket" "0.2",
        SocketsLookup = "wasi:sockets/ip-name-lookup" "0.2",
    }
    // Not denied without a network: a program builds its request before it sends it, and a denied
    // `[constructor]outgoing-request` can only trap, because it has no error to return. The program would abort,
    // whereas `outgoing-handler` returns `HTTP-request-denied`, which programs understand. The contents of messages
    // are charged to `limits.memory` instead.
    "HTTP messages", None, {
        absent: Virtual "requests and responses in memory; sends nothing itself",
        granted: Virtual "requests and responses in memory; sends nothing itself",
        HttpTypes = "wasi:http/types" "0.2",
    }
    "network facts", None, {
        absent: Virtual "returns why a request of this process failed",
        granted: Virtual "returns why a request of this process failed",
        SandboxNetwork = "wisp:sandbox/network" "0.1",
    }
    "HTTP requests", Some(Key::AllowUrl), {
        absent: Denied "not granted; calls fail with `HTTP-request-denied`",
        granted: Host "requests that the policy allows, each checked by the gate",
        HttpOutgoing = "wasi:http/outgoing-handler" "0.2",
    }
    "functions of the host", Some(Key::HostAllow), {
        absent: Denied "not granted; calls fail with `access-denied`",
        granted: Host "functions of the host program, those that the policy names, each call checked",
        SandboxHost = "wisp:sandbox/host" "0.1",
    }
    "another program", None, {
        absent: Refused "this is what a program exports; nothing in a session provides it to another",
        granted: Refused "this is what a program exports; nothing in a session provides it to another",
        CliRun = "wasi:cli/run" "0.2",
        HttpIncoming = "wasi:http/incoming-handler" "0.2",
    }
    "front end", None, {
        absent: Virtual "shows what an evaluation makes to the program that runs it, and asks it for input",
        granted: Virtual "shows what an evaluation makes to the program that runs it, and asks it for input",
        SandboxFrontend = "wisp:sandbox/frontend" "0.1",
    }
    "loopback", None, {
        absent: Virtual "sockets between the session's own processes; they cannot connect to anything outside it, nor be connected to",
        granted: Virtual "sockets between the session's own processes; they cannot connect to anything outside it, nor be connected to",
        SandboxLoopback = "wisp:sandbox/loopback" "0.1",
    }
    "threads", None, {
        absent: Virtual "threads of one process, of which one runs at a time; at most 256, charged to limits.memory",
        granted: Virtual "threads of one process, of which one runs at a time; at most 256, charged to limits.memory",
        SandboxThreads = "wisp:sandbox/threads" "0.1",
    }
}

impl Interface {
    /// Returns the row of the table it belongs to.
    pub fn capability(self) -> &'static Capability {
        TABLE
            .iter()
            .find(|row| row.interfaces.contains(&self))
            // The macro above writes every variant into exactly one row.
            .expect("every interface is in a row")
    }
}

impl fmt::Display for Interface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_the_granted_reaches_outside() {
        for row in TABLE {
            assert!(!row.interfaces.is_empty(), "{}", row.name);
            for met in [row.absent, row.granted] {
                assert!(!met.reason.is_empty());
                assert!(
                    met.decision != Decision::Host
                        || matches!(row.name, "clocks" | "randomness" | "files" | "HTTP requests" | "functions of the host"),
                    "`{}` reaches the host: say so here and in SECURITY.md first",
                    row.name
                );
            }
            assert!(row.key.is_some() || row.absent == row.granted, "`{}` changes without a key", row.name);
        }
    }
}
