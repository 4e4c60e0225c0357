//! Why a component cannot become part of a world.

use super::row::ImportRow;
use std::error::Error;
use std::fmt;

use wisp_api::ErrorCode;

/// Why a component cannot run in a session.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The file is not a component.
    #[error("`{name}` is {source}")]
    NotAComponent {
        /// The component's name.
        name: String,
        /// What it is instead.
        source: NotAComponent,
    },
    /// It has imports that are refused; all of them are listed here.
    #[error("`{name}` cannot run: {}", Refusals(.refused))]
    Refused {
        /// The component's name.
        name: String,
        /// The refused imports.
        refused: Vec<ImportRow>,
    },
    /// It is a component, but not a program.
    #[error("`{name}` is not a program: it does not export `wasi:cli/run@0.2.x` ({})", Exports(.exports))]
    NotAProgram {
        /// The component's name.
        name: String,
        /// What it exports.
        exports: Vec<String>,
    },
    /// The bytes are not those for which the decisions were made.
    #[error("`{name}` changed after it was resolved: {expected} became {found}")]
    Changed {
        /// The component's name.
        name: String,
        /// The digest for which the decisions were made.
        expected: String,
        /// The digest of the bytes given.
        found: String,
    },
    /// The deny provider cannot be made.
    #[error("`{name}`: {source}")]
    Deny {
        /// The component's name.
        name: String,
        /// Why.
        source: DenyError,
    },
    /// Component and deny provider cannot be composed, or the result does not match the decisions.
    #[error("`{name}` cannot be composed: {why}")]
    Compose {
        /// The component's name.
        name: String,
        /// Why.
        why: String,
    },
}

impl WorldError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotAComponent { source, .. } => source.code(),
            Self::Refused { .. } | Self::NotAProgram { .. } | Self::Changed { .. } => ErrorCode::ToolRefused,
            Self::Deny { source, .. } => source.code(),
            Self::Compose { .. } => ErrorCode::CompileFailed,
        }
    }
}

/// Why bytes are not a component.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAComponent {
    /// No WebAssembly magic number.
    #[error("not a WebAssembly file (it starts with {0})")]
    NotWasm(String),
    /// A core module.
    #[error(
        "a core WebAssembly module, not a component; build it for `wasm32-wasip2`, or wrap it with \
         `wasm-tools component new --adapt wasi_snapshot_preview1.command.wasm`"
    )]
    CoreModule,
    /// It ends early, or its structure is invalid.
    #[error("a truncated or damaged component: {0}")]
    Damaged(String),
}

impl NotAComponent {
    /// Returns the code of this error: [`ErrorCode::ToolRefused`].
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotWasm(_) | Self::CoreModule | Self::Damaged(_) => ErrorCode::ToolRefused,
        }
    }
}

/// Why no provider could be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DenyError {
    /// The component's imports cannot be read as WIT.
    #[error("the component's imports cannot be read: {0}")]
    Imports(String),
    /// An interface that is to be denied is not imported.
    #[error("`{0}` is to be denied, but the component does not import it")]
    NotImported(String),
    /// The provider's own encoding failed.
    #[error("the deny provider cannot be encoded: {0}")]
    Encoding(String),
}

impl DenyError {
    /// Returns the code of this error: [`ErrorCode::CompileFailed`].
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Imports(_) | Self::NotImported(_) | Self::Encoding(_) => ErrorCode::CompileFailed,
        }
    }
}

wisp_api::wisp_error!(DenyError, NotAComponent, WorldError);

/// Returns an error with its causes.
pub(super) fn chain(error: &dyn Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {}", chain(cause)),
        None => error.to_string(),
    }
}

struct Refusals<'a>(&'a [ImportRow]);

impl fmt::Display for Refusals<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [only] => write!(f, "its import `{}` is refused: {}", only.interface, only.reason),
            all => {
                write!(f, "{} of its imports are refused:", all.len())?;
                all.iter().try_for_each(|row| write!(f, "\n  `{}`: {}", row.interface, row.reason))
            }
        }
    }
}

struct Exports<'a>(&'a [String]);

impl fmt::Display for Exports<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("it exports nothing"),
            all => write!(f, "it exports `{}`", all.join("`, `")),
        }
    }
}
