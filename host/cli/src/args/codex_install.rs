//! The arguments of `wisp codex install` and `uninstall`.

use clap::Args;

use super::Grants;
use crate::help;

/// Have Codex run everything in wisp: shell commands, and its own tools for files
///
/// It writes the environment `wisp` into `$CODEX_HOME/environments.toml`, makes it the one that Codex uses (`default`), and takes this
/// machine out of those that Codex may choose (`include_local = false`). A setting that says something else stays, and is an error. What
/// the policy needs is compiled first.
#[derive(Debug, Args)]
#[command(after_help = help::CODEX_INSTALL)]
pub(crate) struct CodexInstall {
    #[command(flatten)]
    pub(crate) grants: Grants,

    /// Leave `default` and `include_local` as they are: Codex uses wisp only where you choose it
    #[arg(long, conflicts_with = "force")]
    pub(crate) beside: bool,

    /// Put wisp in the place of another default, and of an environment with its name; `uninstall` puts the settings back
    #[arg(long)]
    pub(crate) force: bool,

    /// Show the change as a diff, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Take wisp out of Codex's environments, with the settings that `wisp codex install` made
#[derive(Debug, Args)]
pub(crate) struct CodexUninstall {
    /// Remove an environment called `wisp` although it is not wisp's
    #[arg(long)]
    pub(crate) force: bool,

    /// Show the change as a diff, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Show whether Codex runs everything in wisp
#[derive(Debug, Args)]
pub(crate) struct CodexStatus {
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}
