//! Why a session's tools and files cannot be prepared.

use std::path::PathBuf;

use crate::runtime::{RuntimeError, host_code};
use wisp_api::ErrorCode;
use wisp_policy::PolicyErrors;
use wisp_world::WorldError;

/// Why a session does not start. Nothing has run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The policy, as changed by the builder, is not valid.
    #[error(transparent)]
    Policy(#[from] PolicyErrors),
    /// A component may not run in this world.
    #[error(transparent)]
    World(#[from] WorldError),
    /// A component is missing or damaged.
    #[error(transparent)]
    Components(#[from] wisp_components::ComponentError),
    /// The file of a component of the user cannot be read: of a custom tool, or of `imports.INTERFACE`.
    #[error("the component of `{tool}`: cannot read `{}`: {source} ({rule})", path.display())]
    ToolFile {
        /// The tool.
        tool: String,
        /// Its file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
        /// The rule that names the file.
        rule: String,
    },
    /// The file of a component of the user has another digest than the policy says.
    #[error("the component of `{tool}`: `{}` has the SHA-256 {found}, but {rule} says {expected}", path.display())]
    ToolDigest {
        /// The tool.
        tool: String,
        /// Its file.
        path: PathBuf,
        /// The file's digest.
        found: String,
        /// The policy's digest.
        expected: String,
        /// The rule with that digest.
        rule: String,
    },
    /// A directory or file to mount cannot be opened.
    #[error("the mount `{guest}`: cannot open `{}`: {source} ({rule})", host.display())]
    Mount {
        /// Where it was to be mounted.
        guest: String,
        /// The directory or file on the host.
        host: PathBuf,
        /// What is wrong.
        source: Box<dyn std::error::Error + Send + Sync>,
        /// The rule that asked for the mount.
        rule: String,
    },
    /// A component could not be compiled.
    #[error("the tool `{tool}` cannot be compiled: {source}")]
    Compile {
        /// The tool.
        tool: String,
        /// wasmtime's error, or why wisp does not ask wasmtime.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The image of an interpreter has no machine code yet.
    #[error(
        "`{tool}` is the image that {rule} chooses, and this wisp has not compiled it yet{}: run `wisp prepare --image data{}` with the \
         options of this command that grant something, which takes about 3 minutes, once",
        if_counted(*instructions, " for policies that count instructions (`limits.instructions`, `[determinism]`)"),
        if_counted(*instructions, " --instructions")
    )]
    NotPrepared {
        /// The tool.
        tool: String,
        /// The rule that chooses the image.
        rule: String,
        /// Whether the policy counts instructions, for which it is compiled separately.
        instructions: bool,
    },
    /// The secrets have no placeholders.
    #[error("the secrets of the session: {source}")]
    Secrets {
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The policy is deterministic, and the answers of functions are neither recorded nor replayed.
    #[error(
        "the policy has `[determinism]`, and the function of the host `{name}` ({rule}) may answer differently each time: record its answers or \
         replay them (`wisp run --record-functions FILE`, `--replay-functions FILE`; `SessionBuilder::record_functions`), or remove it from the \
         policy's `allow`"
    )]
    Functions {
        /// The first function that is allowed and registered.
        name: String,
        /// The rule that allows it.
        rule: String,
    },
    /// A server of the policy (`host.mcp`) could not be started, or does not have the tools that the policy names.
    #[error("{source}")]
    FunctionSource {
        /// Why, with the rule that names the server.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// wasmtime refused the machine or the configuration.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The files that come with a component are damaged.
    #[error("the files of `{tool}` are damaged: {reason}")]
    Archive {
        /// The tool.
        tool: String,
        /// What is wrong.
        reason: String,
    },
    /// The files that every session starts with could not be laid out.
    #[error("the base filesystem cannot be laid out: `{path}`: {source}")]
    Base {
        /// The path that failed.
        path: String,
        /// The filesystem's error.
        source: wisp_vfs::FsError,
    },
}

impl SessionError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Policy(error) => error.code(),
            Self::World(error) => error.code(),
            Self::Components(error) => error.code(),
            Self::ToolFile { .. } | Self::Mount { .. } => ErrorCode::HostPathUnavailable,
            Self::ToolDigest { .. } => ErrorCode::ToolRefused,
            Self::Compile { source, .. } => host_code(&**source).unwrap_or(ErrorCode::CompileFailed),
            Self::NotPrepared { .. } => ErrorCode::NotPrepared,
            // The values were checked before: what is missing is randomness for their placeholders.
            Self::Secrets { .. } => ErrorCode::Internal,
            Self::Functions { .. } => ErrorCode::InvalidArgument,
            Self::FunctionSource { .. } => ErrorCode::StartFailed,
            Self::Runtime(error) => error.code(),
            Self::Archive { .. } => ErrorCode::ComponentsUnusable,
            Self::Base { .. } => ErrorCode::Internal,
        }
    }
}

/// Returns a part of a message about a policy that counts instructions.
fn if_counted(instructions: bool, part: &str) -> &str {
    if instructions { part } else { "" }
}
