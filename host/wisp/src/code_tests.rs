//! Codes of errors, through every layer that wraps them. Those that a session can be made to give are in `tests/library/errors.rs`.

use std::io;

use wisp_api::{ErrorCode, Fault};
use wisp_components::ComponentError;
use wisp_process::SpawnError;
use wisp_vfs::{ArchiveError, FsError, Refused};
use wisp_world::WorldError;

use crate::exec::RunError;
use crate::files::{FilesError, FilesOperation, FilesReason};
use crate::interpreter::{InterpreterError, SnapshotFileError};
use crate::policy::Policy;
use crate::program::SessionError;
use crate::runtime::{CacheError, RuntimeError};
use crate::session::EngineError;
use wisp_api::{Limit, LimitHit};

fn broken() -> io::Error {
    io::Error::other("the disk is broken")
}

fn files(source: impl Into<FilesReason>) -> ErrorCode {
    FilesError { operation: FilesOperation::Write, path: "/mnt/data/x".into(), source: source.into() }.code()
}

fn not_started(source: SpawnError) -> ErrorCode {
    RunError::NotStarted { program: "sh".into(), source }.code()
}

fn world(error: WorldError) -> SessionError {
    SessionError::World(error)
}

/// What the machine or wisp itself does wrong, wherever it comes from, must never look like a mistake of the caller or the guest.
#[test]
fn a_fault_of_the_host_is_the_hosts_through_every_layer() {
    let path = || "/host/file".into();
    let runtime = || RuntimeError::no_thread(broken());
    let unreadable = || ComponentError::Unreadable { path: path(), source: broken() };
    let compile = || SessionError::Compile { tool: "sh".into(), source: broken().into() };
    let compose = || WorldError::Compose { name: "tool".into(), why: "two exports".into() };
    let directory = |source| RunError::WorkingDirectory { path: "/mnt/data".into(), source }.code();
    let found = [
        (EngineError::from(runtime()).code(), ErrorCode::EngineUnavailable),
        (EngineError::from(CacheError::Io { path: path(), source: broken() }).code(), ErrorCode::CacheUnavailable),
        (EngineError::from(unreadable()).code(), ErrorCode::IoError),
        (SessionError::from(runtime()).code(), ErrorCode::EngineUnavailable),
        (SessionError::from(unreadable()).code(), ErrorCode::IoError),
        (compile().code(), ErrorCode::CompileFailed),
        (world(compose()).code(), ErrorCode::CompileFailed),
        (SessionError::Archive { tool: "python3".into(), reason: "cut off".into() }.code(), ErrorCode::ComponentsUnusable),
        (SessionError::Base { path: "/usr".into(), source: FsError::NotFound }.code(), ErrorCode::Internal),
        (InterpreterError::from(compile()).code(), ErrorCode::CompileFailed),
        (InterpreterError::Wake { source: broken() }.code(), ErrorCode::HostMemory),
        (InterpreterError::Freeze { source: broken() }.code(), ErrorCode::HostMemory),
        (InterpreterError::Broken { source: broken().into() }.code(), ErrorCode::StartFailed),
        (InterpreterError::NotStarted { source: SpawnError::Broken }.code(), ErrorCode::StartFailed),
        (InterpreterError::Full.code(), ErrorCode::NoRoom),
        (not_started(SpawnError::Broken), ErrorCode::StartFailed),
        (not_started(SpawnError::NoRoom), ErrorCode::NoRoom),
        (directory(FsError::Io), ErrorCode::IoError),
        (directory(FsError::OutOfMemory), ErrorCode::HostMemory),
        (RunError::State { source: FsError::NotFound }.code(), ErrorCode::Internal),
        (RunError::Abandoned.code(), ErrorCode::Abandoned),
        (RunError::Host { program: "sh".into(), code: ErrorCode::HostMemory, message: "no stack".into() }.code(), ErrorCode::HostMemory),
        (InterpreterError::Abandoned.code(), ErrorCode::Abandoned),
        (SnapshotFileError::from(broken()).at("/host/file".as_ref()).code(), ErrorCode::IoError),
        (SnapshotFileError::Files(ArchiveError::Io(broken())).code(), ErrorCode::IoError),
        (SnapshotFileError::from(compile()).code(), ErrorCode::CompileFailed),
        (files(FsError::Io), ErrorCode::IoError),
        // The disk below a mount is full. A quota is `FilesReason::Quota`.
        (files(FsError::NoSpace), ErrorCode::IoError),
        (files(broken()), ErrorCode::IoError),
    ];
    for (at, (code, expected)) in found.into_iter().enumerate() {
        assert_eq!((at, code, code.fault()), (at, expected, Fault::Host));
    }
}

/// A shell's statuses are for what a caller asked for.
#[test]
fn the_exit_code_of_a_command_that_did_not_start_says_whose_fault_that_is() {
    let exit_code = |source| RunError::NotStarted { program: "sh".into(), source }.exit_code();
    let missing = RunError::NotFound { program: "no".into(), source: SpawnError::NotFound, tools: "sh".into() };
    let directory = |source| RunError::WorkingDirectory { path: "/mnt/data".into(), source }.exit_code();
    assert_eq!([exit_code(SpawnError::Broken), exit_code(SpawnError::NoRoom), directory(FsError::Io)], [125; 3]);
    assert_eq!(RunError::Abandoned.exit_code(), 125);
    assert_eq!([exit_code(SpawnError::Access), exit_code(SpawnError::Limit), directory(FsError::NotFound)], [126; 3]);
    assert_eq!(missing.exit_code(), 127);
}

/// The same layers, where the host is not at fault.
#[test]
fn what_is_not_the_hosts_is_not_called_so() {
    let policy = || Policy::offline().with_value("limits.wall", "soon").unwrap_err();
    let not_program = || WorldError::NotAProgram { name: "tool".into(), exports: Vec::new() };
    let hit = |limit: Limit| LimitHit { limit, value: "1".into(), rule: "built in".into(), ended: true };
    let limited = |limit| InterpreterError::Limit { hit: hit(limit) }.code();
    let quota = FilesReason::Quota { limit: "filesystem.quota", value: 1, rule: "built in".into() };
    let refused =
        FilesReason::Mount { mount: "/mnt".into(), rule: "a:1".into(), reason: "it is read-only".into(), error: Refused::ReadOnly.error() };
    let found = [
        (InterpreterError::from(SessionError::from(policy())).code(), ErrorCode::PolicyInvalid, Fault::Policy),
        (world(not_program()).code(), ErrorCode::ToolRefused, Fault::Policy),
        (files(refused), ErrorCode::MountRefused, Fault::Policy),
        (files(FsError::ReadOnly), ErrorCode::MountRefused, Fault::Policy),
        (files(quota), ErrorCode::FilesystemLimit, Fault::Limit),
        (RunError::State { source: FsError::NoSpace }.code(), ErrorCode::FilesystemLimit, Fault::Limit),
        (SnapshotFileError::Files(ArchiveError::Quota { what: "bytes", limit: 1 }).code(), ErrorCode::FilesystemLimit, Fault::Limit),
        (not_started(SpawnError::Limit), ErrorCode::ProcessLimit, Fault::Limit),
        (not_started(SpawnError::NoMemory), ErrorCode::MemoryLimit, Fault::Limit),
        (InterpreterError::NoRoom { limit: 1 }.code(), ErrorCode::ProcessLimit, Fault::Limit),
        (limited(Limit::Wall), ErrorCode::WallLimit, Fault::Limit),
        (limited(Limit::Stderr), ErrorCode::OutputLimit, Fault::Limit),
        (InterpreterError::Holds { handles: 1, not_carried: Vec::new() }.code(), ErrorCode::SnapshotRefused, Fault::Guest),
        (SnapshotFileError::Files(ArchiveError::OtherBase).code(), ErrorCode::SnapshotMismatch, Fault::Caller),
        (SnapshotFileError::malformed("a number").code(), ErrorCode::InvalidData, Fault::Caller),
        (not_started(SpawnError::Access), ErrorCode::NotExecutable, Fault::Caller),
        (RunError::Closed { session: "s".into() }.code(), ErrorCode::Ended, Fault::Caller),
        (InterpreterError::Closed { session: "s".into() }.code(), ErrorCode::Ended, Fault::Caller),
        (InterpreterError::Busy { evaluation: 1 }.code(), ErrorCode::Conflict, Fault::Caller),
        (InterpreterError::NoRuntime.code(), ErrorCode::Unsupported, Fault::Caller),
    ];
    for (at, (code, expected, fault)) in found.into_iter().enumerate() {
        assert_eq!((at, code, code.fault()), (at, expected, fault));
    }
}

/// A limit's name in results is the policy's key.
#[test]
fn a_limit_is_named_as_its_key() {
    use wisp_policy::schema::Key;
    let keys = [Key::Wall, Key::Cpu, Key::Memory, Key::Instructions, Key::Processes, Key::Stdout, Key::Stderr, Key::Denials];
    assert_eq!(keys.map(Key::path), Limit::ALL.map(Limit::as_str));
}
