//! Why a tool is compiled, in words: for whose grants, and whether that is once.

use wisp::CodeCache;

/// How to avoid the wait next time.
const HINT: &str = "; `wisp prepare` with the same options does it ahead of time";

/// What is said of a tool that is compiled.
#[derive(Debug, Clone)]
pub(crate) struct Reason {
    /// Whose grants decide which machine code is needed.
    pub(super) policy: String,
    /// Whether options change them.
    pub(super) options: bool,
    /// Whether the machine code is kept for the next time.
    pub(super) kept: bool,
    /// Whether there is a way to avoid the wait.
    pub(super) hint: bool,
}

impl Reason {
    /// Returns the reason for a run under the policy of this name, with this cache.
    pub(crate) fn new(policy: &str, cache: &CodeCache) -> Self {
        Self { policy: policy.to_owned(), options: false, kept: cache.keeps(), hint: true }
    }

    /// Returns the same for a command that only compiles, and keeps what it compiles.
    pub(crate) fn of_prepare(policy: &str) -> Self {
        Self { policy: policy.to_owned(), options: false, kept: true, hint: false }
    }

    /// Returns the reason where options of the command line change what the policy grants, if they are `given`.
    pub(crate) fn with_options(self, given: bool) -> Self {
        Self { options: given, ..self }
    }

    /// Returns what is said about these tools.
    pub(super) fn line(&self, tools: &str) -> String {
        let help = match (self.kept, self.hint) {
            (true, true) => HINT,
            (true, false) => "",
            (false, _) => ": no cache keeps it",
        };
        self.brief(tools) + help
    }

    /// Returns the same at a terminal.
    pub(super) fn brief(&self, tools: &str) -> String {
        let options = if self.options { " with these options" } else { "" };
        let often = if self.kept { "once" } else { "in each run" };
        format!("compiling {tools} for this machine and what `{}` grants{options}, {often}", self.policy)
    }
}
