//! Why a component cannot become part of a world.

use super::deny::DenyError;
use super::imports::NotAComponent;
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

wisp_api::wisp_error!(DenyError, NotAComponent, WorldError);

/// An error with its causes.
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
