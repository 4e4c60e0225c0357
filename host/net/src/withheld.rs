//! A network that a process may not use, although its session has one.

use super::failure::{By, Code, Failure};

/// The tool and the rule that withhold it.
pub(super) struct Withheld {
    tool: String,
    rule: String,
}

impl Withheld {
    pub(super) fn new(tool: &str, rule: &str) -> Self {
        Self { tool: tool.to_owned(), rule: rule.to_owned() }
    }

    /// Returns the failure of each request.
    pub(super) fn failure(&self) -> Failure {
        let tool = &self.tool;
        let reason = format!("the tool `{tool}` has no network, and what it starts has none either");
        Failure::new(Code::Denied, reason)
            .by(By::Rule(self.rule.clone()))
            .help(format!("write `network = true` in `[tools.custom.{tool}]`"))
    }
}
