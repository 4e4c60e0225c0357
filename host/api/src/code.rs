//! The codes of errors.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Fault;

/// Makes the enum and what follows from its rows, so that a code has its name and its fault in one place.
macro_rules! codes {
    ($(#[$head:meta])+ pub enum ErrorCode { $($(#[$doc:meta])+ $code:ident = $name:tt, $fault:ident;)+ }) => {
        $(#[$head])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[non_exhaustive]
        pub enum ErrorCode {
            $($(#[$doc])+ #[serde(rename = $name)] $code,)+
        }

        impl ErrorCode {
            /// Every code, in the order of the declaration.
            pub const ALL: &'static [Self] = &[$(Self::$code,)+];

            /// Returns the name, as JSON has it: `file_not_found`.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$code => $name,)+
                }
            }

            /// Returns who can do something about it.
            pub fn fault(self) -> Fault {
                match self {
                    $(Self::$code => Fault::$fault,)+
                }
            }
        }
    };
}

codes! {
    /// Why a call of wisp failed, for programs. The message beside it is for people: it names what was asked, what refused it, and
    /// what to change, and it may change with any version.
    ///
    /// Names are stable: a later version may add codes, but does not rename or reuse one. They are in snake_case, as the error codes
    /// of most HTTP interfaces for agents are, so that a name is also an identifier in Python and JavaScript and the label of a
    /// metric. There are few codes on purpose: two errors have one code if a program would do the same about both. For more, match
    /// on the error's own type.
    pub enum ErrorCode {
        /// An argument has no meaning: a pattern, a path, a number, two options that exclude each other.
        InvalidArgument = "invalid_argument", Caller;
        /// Data that the caller passed is damaged or is not what it should be: an archive, a snapshot, recorded answers.
        InvalidData = "invalid_data", Caller;
        /// The call does not fit the state of what it is made on: a directory that is not empty, a command whose input is not written
        /// through its handle, a process that already has threads.
        Conflict = "conflict", Caller;
        /// It is never possible here: with this kind of file, in this kind of process, between these two places.
        Unsupported = "unsupported", Caller;
        /// More than the call, the caller's own bound or a format can have: of bytes, files, arguments or links.
        TooLarge = "too_large", Caller;
        /// There is no such file or directory in the sandbox.
        FileNotFound = "file_not_found", Caller;
        /// The file exists already.
        FileExists = "file_exists", Caller;
        /// A directory is where a file is needed, or a file where a directory is needed.
        WrongFileType = "wrong_file_type", Caller;
        /// The file's mode or owner forbids it, or the sandbox never allows it.
        PermissionDenied = "permission_denied", Caller;
        /// The diff does not apply to the files; nothing was changed.
        PatchRejected = "patch_rejected", Caller;
        /// The session has no such program.
        ProgramNotFound = "program_not_found", Caller;
        /// The program exists but cannot be run: it lacks the mode for it, or it is no program.
        NotExecutable = "not_executable", Caller;
        /// Nothing has this id, key or name: a session, an interpreter, a command or a checkpoint that never was, or is no more.
        NotFound = "not_found", Caller;
        /// What the call is made on has ended or is ending: start another.
        Ended = "ended", Caller;
        /// Input has no reader: the caller has closed it, or the command has closed it or ended.
        StdinClosed = "stdin_closed", Caller;
        /// The snapshot belongs to another version of wisp, another build of a tool, or another policy.
        SnapshotMismatch = "snapshot_mismatch", Caller;
        /// The caller has as many sessions, shells or checkpoints as the service allows: close or delete one first.
        ServiceLimit = "service_limit", Caller;
        /// A function of the host failed. The message has the name that it gave the failure.
        FunctionFailed = "function_failed", Caller;

        /// The policy is wrong; its findings say where.
        PolicyInvalid = "policy_invalid", Policy;
        /// A tool may not run under this policy: it imports what is refused, is no program, or is not the file that the policy names by
        /// its digest.
        ToolRefused = "tool_refused", Policy;
        /// The rules of a mount forbid it: it is read-only, or the path leads out of it.
        MountRefused = "mount_refused", Policy;
        /// `[host]` does not allow this function of the host, or not in a fork.
        FunctionRefused = "function_refused", Policy;

        /// The guest holds something that a snapshot cannot have.
        SnapshotRefused = "snapshot_refused", Guest;

        /// `limits.wall`: it took too long.
        WallLimit = "wall_limit", Limit;
        /// `limits.cpu`: it used too much processor time.
        CpuLimit = "cpu_limit", Limit;
        /// `limits.memory`: it needs too much memory.
        MemoryLimit = "memory_limit", Limit;
        /// `limits.instructions`: it executed too many instructions.
        InstructionLimit = "instruction_limit", Limit;
        /// `limits.processes`: the session has too many processes.
        ProcessLimit = "process_limit", Limit;
        /// `limits.stdout` or `limits.stderr`: it wrote too much.
        OutputLimit = "output_limit", Limit;
        /// `limits.denials`: too much of what it tried was refused.
        DenialLimit = "denial_limit", Limit;
        /// `filesystem.quota` or `filesystem.max_files`: the sandbox has no room for more files.
        FilesystemLimit = "filesystem_limit", Limit;
        /// A limit of `[host]`: too many calls of functions, too much data, too much time.
        FunctionLimit = "function_limit", Limit;

        /// The engine runs as many processes as it has room for. Try again later.
        NoRoom = "no_room", Host;
        /// The machine has no memory for it, or allows no further mapping. Try again later.
        HostMemory = "host_memory", Host;
        /// The async runtime was shut down before the call had a result. Try again in a process that goes on.
        Abandoned = "abandoned", Host;
        /// Reading or writing outside the sandbox failed: on a disk of the machine, or through the reader or writer that the caller passed.
        IoError = "io_error", Host;
        /// A file or folder of the machine that the policy names cannot be opened.
        HostPathUnavailable = "host_path_unavailable", Host;
        /// The components of the installation are missing or damaged.
        ComponentsUnusable = "components_unusable", Host;
        /// Something must be built or compiled on this machine first; the message names the command.
        NotPrepared = "not_prepared", Host;
        /// The engine cannot be set up on this machine.
        EngineUnavailable = "engine_unavailable", Host;
        /// The cache of machine code cannot be used: its folder cannot be made, or others could change it.
        CacheUnavailable = "cache_unavailable", Host;
        /// A component cannot be composed or compiled.
        CompileFailed = "compile_failed", Host;
        /// A program or interpreter that exists and may run broke while the host started it, or prepared it for a snapshot; or a server
        /// outside the sandbox could not be started that the policy names.
        StartFailed = "start_failed", Host;
        /// This machine, or this build of the component, has no snapshots of running interpreters.
        SnapshotsUnavailable = "snapshots_unavailable", Host;
        /// wisp did not do what it should: a bug, or a failure of the machine that has no code of its own.
        Internal = "internal", Host;
    }
}

impl ErrorCode {
    /// Returns whether the same call can succeed later without any change to it or to the host: what is missing is only busy now. Other
    /// failures of the host may pass as well, but waiting is no reason to expect it.
    pub fn retryable(self) -> bool {
        matches!(self, Self::NoRoom | Self::HostMemory | Self::Abandoned)
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that is no code of this version; a later one may have it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is not an error code of this version of wisp")]
#[non_exhaustive]
pub struct UnknownErrorCode {
    /// The name.
    pub name: String,
}

impl UnknownErrorCode {
    /// Returns the code of this error: `invalid_argument`.
    pub fn code(&self) -> ErrorCode {
        ErrorCode::InvalidArgument
    }
}

impl FromStr for ErrorCode {
    type Err = UnknownErrorCode;

    fn from_str(name: &str) -> Result<Self, UnknownErrorCode> {
        let found = Self::ALL.iter().copied().find(|code| code.as_str() == name);
        found.ok_or_else(|| UnknownErrorCode { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Other programs compare these names. Add a line for a new code; never change or remove one.
    const STABLE: &[(&str, Fault)] = &[
        ("invalid_argument", Fault::Caller),
        ("invalid_data", Fault::Caller),
        ("conflict", Fault::Caller),
        ("unsupported", Fault::Caller),
        ("too_large", Fault::Caller),
        ("file_not_found", Fault::Caller),
        ("file_exists", Fault::Caller),
        ("wrong_file_type", Fault::Caller),
        ("permission_denied", Fault::Caller),
        ("patch_rejected", Fault::Caller),
        ("program_not_found", Fault::Caller),
        ("not_executable", Fault::Caller),
        ("not_found", Fault::Caller),
        ("ended", Fault::Caller),
        ("stdin_closed", Fault::Caller),
        ("snapshot_mismatch", Fault::Caller),
        ("service_limit", Fault::Caller),
        ("function_failed", Fault::Caller),
        ("policy_invalid", Fault::Policy),
        ("tool_refused", Fault::Policy),
        ("mount_refused", Fault::Policy),
        ("function_refused", Fault::Policy),
        ("snapshot_refused", Fault::Guest),
        ("wall_limit", Fault::Limit),
        ("cpu_limit", Fault::Limit),
        ("memory_limit", Fault::Limit),
        ("instruction_limit", Fault::Limit),
        ("process_limit", Fault::Limit),
        ("output_limit", Fault::Limit),
        ("denial_limit", Fault::Limit),
        ("filesystem_limit", Fault::Limit),
        ("function_limit", Fault::Limit),
        ("no_room", Fault::Host),
        ("host_memory", Fault::Host),
        ("abandoned", Fault::Host),
        ("io_error", Fault::Host),
        ("host_path_unavailable", Fault::Host),
        ("components_unusable", Fault::Host),
        ("not_prepared", Fault::Host),
        ("engine_unavailable", Fault::Host),
        ("cache_unavailable", Fault::Host),
        ("compile_failed", Fault::Host),
        ("start_failed", Fault::Host),
        ("snapshots_unavailable", Fault::Host),
        ("internal", Fault::Host),
    ];

    #[test]
    fn names_are_stable() {
        let found: Vec<_> = ErrorCode::ALL.iter().map(|code| (code.as_str(), code.fault())).collect();
        assert_eq!(found, STABLE);
        let names: BTreeSet<_> = STABLE.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), STABLE.len(), "each code has a name of its own");
        let identifier = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        assert_eq!(STABLE.iter().find(|(name, _)| !identifier(name)), None);
    }

    #[test]
    fn every_code_comes_back_from_json_and_from_text() {
        for &code in ErrorCode::ALL {
            let json = serde_json::to_string(&code).unwrap();
            assert_eq!(json, format!("\"{code}\""));
            assert_eq!(serde_json::from_str::<ErrorCode>(&json).unwrap(), code);
            assert_eq!(code.to_string().parse(), Ok(code));
            let fault = serde_json::to_string(&code.fault()).unwrap();
            assert_eq!(fault, format!("\"{}\"", code.fault().as_str()));
            assert_eq!(serde_json::from_str::<Fault>(&fault).unwrap(), code.fault());
        }
    }

    #[test]
    fn a_name_of_another_version_is_refused() {
        for name in ["", "FileNotFound", "file-not-found", "file_not_found ", "teapot"] {
            let error = name.parse::<ErrorCode>().unwrap_err();
            assert_eq!((error.name.as_str(), error.code()), (name, ErrorCode::InvalidArgument));
            assert!(serde_json::from_str::<ErrorCode>(&format!("\"{name}\"")).is_err());
        }
    }

    /// The schema tells a client in another language every name, with its meaning.
    #[test]
    fn the_schema_has_every_name() {
        let schema = serde_json::to_value(schemars::schema_for!(ErrorCode)).unwrap();
        let rows = schema["oneOf"].as_array().expect("a row for each code");
        let names: Vec<_> = rows.iter().map(|row| row["const"].as_str().unwrap()).collect();
        assert_eq!(names, ErrorCode::ALL.iter().map(|code| code.as_str()).collect::<Vec<_>>());
        assert!(rows.iter().all(|row| row["description"].as_str().is_some_and(|text| !text.is_empty())), "{schema}");
    }

    #[test]
    fn only_what_is_busy_now_is_worth_trying_again() {
        let found: Vec<_> = ErrorCode::ALL.iter().copied().filter(|code| code.retryable()).collect();
        assert_eq!(found, [ErrorCode::NoRoom, ErrorCode::HostMemory, ErrorCode::Abandoned]);
        assert!(found.iter().all(|code| code.fault() == Fault::Host), "a limit or a refusal is the same the next time");
    }
}
