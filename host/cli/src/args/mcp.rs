//! The arguments of `wisp mcp`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use wisp::policy::SHIPPED_POLICIES;
use wisp_install::Client;

use super::Grants;
use crate::help;

/// Give an agent a sandbox, over the Model Context Protocol (MCP)
///
/// Without a subcommand it serves one client at standard input and output, as coding agents start it: `wisp mcp install CLIENT` tells
/// a client to do so. The client gets tools that run Python and shell commands, read and write files, take checkpoints and fork
/// sessions, all under one policy.
#[derive(Debug, Args)]
#[command(after_help = help::MCP, args_conflicts_with_subcommands = true)]
pub(crate) struct Mcp {
    #[command(subcommand)]
    pub(crate) command: Option<McpCommands>,

    #[command(flatten)]
    pub(crate) serve: McpServe,
}

/// How to serve.
#[derive(Debug, Args)]
pub(crate) struct McpServe {
    #[command(flatten)]
    pub(crate) grants: Grants,

    /// Serve over HTTP at this address (at the path /mcp) instead of standard input and output
    ///
    /// Requests must have the token of --token, or of the variable WISP_MCP_TOKEN. Without one, wisp chooses a token and prints it to
    /// standard error.
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) http: Option<SocketAddr>,

    /// With --http: the file with the token, of at least 16 characters
    #[arg(long, value_name = "FILE", requires = "http")]
    pub(crate) token: Option<PathBuf>,

    /// With --http: pages that may connect, such as `https://app.example.com`
    ///
    /// Without any, a request that a page of a browser made is refused. Can be given several times.
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    pub(crate) origin: Vec<String>,

    /// With --http: another name by which clients may reach this server, besides localhost
    ///
    /// Can be given several times.
    #[arg(long, value_name = "NAME", requires = "http")]
    pub(crate) host: Vec<String>,

    /// Keep the sessions that a client names, as `wisp run --session` keeps its own
    #[arg(long)]
    pub(crate) keep: bool,

    /// Write each decision in any session to this file as a line of JSON, as `wisp run --receipts` does
    #[arg(long, value_name = "FILE")]
    pub(crate) receipts: Option<PathBuf>,

    /// Give results as data, too, for clients that are programs
    ///
    /// The results of run_python and run_shell then have `structuredContent` beside text and pictures: what `wisp run --json` prints.
    /// Claude Code and Codex show a model that alone, so leave it out for them.
    #[arg(long)]
    pub(crate) structured: bool,

    /// Do not confine wisp itself
    ///
    /// Without it, the kernel refuses wisp all files except those of the policy, its cache and components, and starting programs.
    #[arg(long)]
    pub(crate) no_confine: bool,
}

/// What to do with clients.
#[derive(Debug, Subcommand)]
pub(crate) enum McpCommands {
    Install(McpInstall),
    Uninstall(McpUninstall),
    /// Show which clients start wisp
    Status {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
}

/// Tell a client to start `wisp mcp`, in its own configuration
///
/// Only the entry of wisp changes: other servers, comments and the order of keys stay. What the policy needs is compiled first, so
/// that no call of the client waits for it.
#[derive(Debug, Args)]
#[command(after_help = help::MCP_INSTALL)]
pub(crate) struct McpInstall {
    /// The client
    #[arg(value_parser = client, value_name = "claude|codex|cursor|vscode|opencode")]
    pub(crate) client: Client,

    #[command(flatten)]
    pub(crate) entry: McpEntry,

    #[command(flatten)]
    pub(crate) grants: Grants,

    /// Replace an entry with this name that is not wisp's
    #[arg(long)]
    pub(crate) force: bool,
}

/// Take `wisp mcp` out of a client's configuration
#[derive(Debug, Args)]
pub(crate) struct McpUninstall {
    /// The client
    #[arg(value_parser = client, value_name = "claude|codex|cursor|vscode|opencode")]
    pub(crate) client: Client,

    #[command(flatten)]
    pub(crate) entry: McpEntry,

    /// Remove an entry with this name although it is not wisp's
    #[arg(long)]
    pub(crate) force: bool,
}

/// The entry in a client's configuration.
#[derive(Debug, Args)]
pub(crate) struct McpEntry {
    /// The server's name, so that a client can have several, with a policy each
    #[arg(long, value_name = "NAME", default_value = "wisp")]
    pub(crate) name: String,

    /// Write the configuration of the project in this folder, which others may share, instead of yours
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,

    /// Show the change as a diff, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

impl Grants {
    /// Returns these options as arguments for a wisp that is started in another working directory.
    ///
    /// # Errors
    /// If this process's working directory is gone.
    pub(crate) fn arguments(&self) -> std::io::Result<Vec<String>> {
        let here = std::env::current_dir()?;
        let absolute = |path: &str| if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", here.display()) };
        let shipped = SHIPPED_POLICIES.iter().any(|shipped| shipped.name == self.policy);
        let policy = if shipped { self.policy.clone() } else { absolute(&self.policy) };
        let mut all = Vec::new();
        let mut add = |option: &str, value: String| all.extend([option.to_owned(), value]);
        add("--policy", policy);
        self.mount.iter().for_each(|mount| add("--mount", absolute(mount)));
        self.env.iter().for_each(|env| add("--env", env.clone()));
        self.allow.iter().for_each(|url| add("--allow", url.clone()));
        self.index.iter().for_each(|url| add("--index", url.clone()));
        self.set.iter().for_each(|set| add("--set", set.clone()));
        for tool in &self.tool {
            let (name, file) = tool.split_once('=').unwrap_or(("", tool));
            add("--tool", format!("{name}={}", absolute(file)));
        }
        Ok(all)
    }
}

fn client(text: &str) -> Result<Client, String> {
    text.parse().map_err(|error: wisp_install::UnknownClient| error.to_string())
}
