//! The arguments of `wisp codex`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{CodexInstall, CodexStatus, CodexUninstall, Grants};
use crate::help;

/// Give Codex a sandbox as its execution environment
///
/// Without a subcommand it serves Codex at standard input and output, as Codex starts it: `wisp codex install` tells Codex to do so.
/// Codex's commands, its own tools for files, and its requests then work in a sandbox under one policy, and not on this machine. What
/// they change stays in a session: `wisp session diff` shows it, and `wisp session apply` brings it out.
#[derive(Debug, Args)]
#[command(after_help = help::CODEX, args_conflicts_with_subcommands = true)]
pub(crate) struct Codex {
    #[command(subcommand)]
    pub(crate) command: Option<CodexCommands>,

    #[command(flatten)]
    pub(crate) serve: CodexServe,
}

/// How to serve.
#[derive(Debug, Args)]
pub(crate) struct CodexServe {
    #[command(flatten)]
    pub(crate) grants: Grants,

    /// The project: this folder is in the sandbox, at its own path (default: the current folder)
    ///
    /// It is an overlay: Codex sees the host's files, and what it changes stays in the session. A policy that mounts the folder by itself,
    /// or one above it, decides about it.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,

    /// Let Codex change the project's files on this machine, without a session in between
    #[arg(long)]
    pub(crate) write: bool,

    /// Go on with the session of this NAME, and keep everything in it
    ///
    /// One Codex at a time can have it. Without this option, each Codex has a new session, which is kept under a name of its own if
    /// something changed in it: `wisp session list`.
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,

    /// Serve over WebSocket at this address instead of standard input and output
    ///
    /// Codex must send the token of --token, or of the variable WISP_CODEX_TOKEN (`auth_bearer_token` in environments.toml). Without one,
    /// wisp chooses a token and prints it to standard error.
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) listen: Option<SocketAddr>,

    /// With --listen: the file with the token, of at least 16 characters
    #[arg(long, value_name = "FILE", requires = "listen")]
    pub(crate) token: Option<PathBuf>,

    /// With --listen: another name by which Codex may reach this server, besides localhost
    ///
    /// Can be given several times.
    #[arg(long, value_name = "NAME", requires = "listen")]
    pub(crate) host: Vec<String>,

    /// Write each decision in any session to this file as a line of JSON, as `wisp run --receipts` does
    #[arg(long, value_name = "FILE")]
    pub(crate) receipts: Option<PathBuf>,

    /// Do not confine wisp itself
    ///
    /// Without it, the kernel refuses wisp all files except those of the policy, its cache and components, and starting programs.
    #[arg(long)]
    pub(crate) no_confine: bool,
}

/// What to do with Codex.
#[derive(Debug, Subcommand)]
pub(crate) enum CodexCommands {
    Install(CodexInstall),
    Uninstall(CodexUninstall),
    Status(CodexStatus),
}
