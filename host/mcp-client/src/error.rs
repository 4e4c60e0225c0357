//! Why a server cannot be used.

/// Why a server of a policy cannot be used. Each says which rule names the server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The policy wants to give it a variable that is not there.
    #[error("the server `{server}` needs the variable `{variable}`, which is not set ({rule}): set it, or take it out of `{key}`")]
    Variable {
        /// The server.
        server: String,
        /// The variable.
        variable: String,
        /// The key that names the variable.
        key: &'static str,
        /// The rule that names the server.
        rule: String,
    },
    /// Its token or the certificates cannot be used.
    #[error("the server `{server}`: {problem} ({rule})")]
    Unusable {
        /// The server.
        server: String,
        /// What is wrong with which of them.
        problem: String,
        /// The rule that names the server.
        rule: String,
    },
    /// Its program cannot be started.
    #[error("the server `{server}`: `{program}` cannot be started: {source} ({rule})")]
    Start {
        /// The server.
        server: String,
        /// Its program.
        program: String,
        /// The system's error.
        source: std::io::Error,
        /// The rule that names the server.
        rule: String,
    },
    /// It cannot be reached, or does not speak the protocol.
    #[error("the server `{server}` (`{at}`) {reason} ({rule}){}", wrote(said))]
    Protocol {
        /// The server.
        server: String,
        /// Its command, or its URL without the query.
        at: String,
        /// What it did instead, such as `has ended`.
        reason: String,
        /// The end of what it wrote to its standard error.
        said: String,
        /// The rule that names the server.
        rule: String,
    },
    /// It lacks a tool that the policy names.
    #[error("the server `{server}` has no tool `{tool}` ({rule}); it has {has}")]
    NoTool {
        /// The server.
        server: String,
        /// The tool.
        tool: String,
        /// The tools that it has.
        has: String,
        /// The rule that allows the tool.
        rule: String,
    },
}

/// Returns a part of a message.
fn wrote(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!("; it wrote: {said}") }
}
