//! The two outputs of a command.

use wisp_api::{Limit, Stream};

/// One of the two outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    Stdout,
    Stderr,
}

impl Channel {
    /// Returns its descriptor.
    pub(crate) fn number(self) -> u64 {
        match self {
            Self::Stdout => 1,
            Self::Stderr => 2,
        }
    }

    pub(crate) fn stream(self) -> Stream {
        match self {
            Self::Stdout => Stream::Stdout,
            Self::Stderr => Stream::Stderr,
        }
    }

    /// Returns its limit.
    pub(crate) fn limit(self) -> Limit {
        match self {
            Self::Stdout => Limit::Stdout,
            Self::Stderr => Limit::Stderr,
        }
    }
}
