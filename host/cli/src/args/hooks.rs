//! The arguments of `wisp hooks`.

use clap::{Args, Subcommand};
use wisp_install::Client;

use super::Grants;
use crate::help;

/// Have a coding agent's shell commands run in the sandbox
///
/// The agent asks wisp before it runs a command, and runs what wisp answers: the same command, in a session of wisp's that has the
/// project's folder. Only shell commands are covered: the agent's own tools for files stay on this machine.
#[derive(Debug, Args)]
#[command(after_help = help::HOOKS)]
pub(crate) struct Hooks {
    #[command(subcommand)]
    pub(crate) command: HooksCommands,
}

/// What to do with hooks.
#[derive(Debug, Subcommand)]
pub(crate) enum HooksCommands {
    Install(HooksInstall),
    Uninstall(HooksUninstall),
    /// Show which agents ask wisp
    Status {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    Run(HooksRun),
}

/// Tell an agent to ask wisp before each shell command, in its own configuration
///
/// Only wisp's hook changes: other hooks and settings stay, byte for byte. What the policy needs is compiled first, so that no command
/// of the agent waits for it.
#[derive(Debug, Args)]
#[command(after_help = help::HOOKS_INSTALL)]
pub(crate) struct HooksInstall {
    /// The agent
    #[arg(value_parser = agent, value_name = "claude|opencode|cursor")]
    pub(crate) client: Client,

    #[command(flatten)]
    pub(crate) grants: Grants,

    /// Let commands change the project's files
    ///
    /// Without it, they see the project's files, and what they change stays in the session: `wisp session diff` shows it, and `wisp
    /// session apply` writes it. With it, a command can also change what this machine runs later: scripts, git hooks, and the
    /// agent's own instructions in the project's folder.
    #[arg(long)]
    pub(crate) write: bool,

    /// Show the change as a diff, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Take wisp's hook out of an agent's configuration
#[derive(Debug, Args)]
pub(crate) struct HooksUninstall {
    /// The agent; without it, all of them
    #[arg(value_parser = agent, value_name = "claude|opencode|cursor")]
    pub(crate) client: Option<Client>,

    /// Show the change as a diff, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Answer an agent's hook: the agent starts this, as `wisp hooks install` says in its configuration
///
/// What the agent is about to do comes on standard input, and the answer goes to standard output, both in the agent's own JSON. If
/// there is no answer, the exit code is 2, which agents take for a refusal.
#[derive(Debug, Args)]
pub(crate) struct HooksRun {
    /// The agent
    #[arg(value_parser = agent, value_name = "claude|opencode|cursor")]
    pub(crate) client: Client,

    #[command(flatten)]
    pub(crate) grants: Grants,

    /// Let commands change the project's files
    #[arg(long)]
    pub(crate) write: bool,
}

fn agent(text: &str) -> Result<Client, String> {
    match text.parse() {
        Ok(client @ (Client::Claude | Client::Cursor | Client::OpenCode)) => Ok(client),
        Ok(Client::Codex) => {
            Err("Codex needs no hook: `wisp codex install` has it run everything in wisp, its file tools as well".to_owned())
        }
        _ => Err(format!("wisp has no hook for `{text}`; it has one for claude, opencode and cursor")),
    }
}
