//! How far the kernel confines a process.

/// How much of a kernel mechanism is in force.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Held {
    /// All that was requested.
    Fully,
    /// A part: the kernel is older than the request.
    Partly,
    /// Nothing, and the reason.
    Not(String),
}
