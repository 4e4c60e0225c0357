//! `wisp mcp install`, `uninstall` and `status`: the configuration of clients.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use serde::Serialize;
use wisp::policy::Policy;
use wisp_install::{Change, Client, InstallError, Kind, Scope, Server, Status};

use super::may;
use crate::{Failure, args, json, own, prepare, print, run};

/// What a call may take beyond the policy's `limits.wall`: its start, and its answer.
const MARGIN: Duration = Duration::from_secs(30);

/// Tells a client to start wisp.
pub(super) fn install(asked: &args::McpInstall) -> Result<u8, Failure> {
    let policy = run::given(&asked.grants)?;
    let server = server(asked, &policy)?;
    let scope = scope(&asked.entry)?;
    // Before anything is compiled: what is refused is refused at once.
    let change = asked.client.plan_install(&own::home(), &scope, &server, asked.force).map_err(refused)?;
    if asked.entry.dry_run {
        return shown(&change);
    }
    let prepared = args::Prepare::of(asked.grants.clone());
    prepare::prepare(&prepared)?;
    change.write().map_err(refused)?;
    let title = asked.client.title();
    print(&match change.kind() {
        Kind::Unchanged => format!("{title} starts wisp already ({})\n", change.path().display()),
        _ => format!("{title} starts wisp now ({})\n", change.path().display()),
    })?;
    print(&may::page(&policy))?;
    print(&format!(
        "\n{}\nUndo: wisp mcp uninstall {}\n\n{title} keeps its own tools beside these: its shell and its editor still work on this machine.\n",
        asked.client.next_step(&scope),
        asked.client.as_str()
    ))?;
    Ok(0)
}

/// Takes wisp out of a client's configuration.
pub(super) fn uninstall(asked: &args::McpUninstall) -> Result<u8, Failure> {
    let server = Server::new(own::program()?).name(&asked.entry.name);
    let scope = scope(&asked.entry)?;
    let change = asked.client.plan_uninstall(&own::home(), &scope, &server, asked.force).map_err(refused)?;
    if asked.entry.dry_run {
        return shown(&change);
    }
    change.write().map_err(refused)?;
    let title = asked.client.title();
    print(&match change.kind() {
        Kind::Unchanged => format!("{title} does not start wisp ({})\n", change.path().display()),
        _ => format!("{title} starts wisp no more ({})\n", change.path().display()),
    })?;
    Ok(0)
}

/// A client, and whether it starts wisp.
#[derive(Serialize)]
struct Connected {
    client: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<PathBuf>,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Shows which clients start wisp.
pub(super) fn status(as_json: bool) -> Result<u8, Failure> {
    let found = connected()?;
    if as_json {
        print(&json::pretty(&found).map_err(Failure::internal)?)?;
        return Ok(0);
    }
    for one in &found {
        print(&format!("{:10} {}\n", one.client, said(one)))?;
    }
    Ok(0)
}

/// Returns a line for each client: whether it is connected, its name, and what was found.
pub(crate) fn lines() -> Vec<(bool, &'static str, String)> {
    let found = connected().unwrap_or_default();
    found.iter().map(|one| (one.state == "connected", one.client, said(one))).collect()
}

fn connected() -> Result<Vec<Connected>, Failure> {
    let (home, command) = (own::home(), own::program()?);
    let one = |client: &Client| {
        let name = client.as_str();
        match client.status(&home, &Scope::User, &Server::new(&command)) {
            Ok(Status { path, state, .. }) => {
                let (state, command) = own::stated(&state, "connected");
                Connected { client: name, path: Some(path), state, command, error: None }
            }
            Err(error) => Connected { client: name, path: None, state: "unknown", command: None, error: Some(error.to_string()) },
        }
    };
    Ok(Client::ALL.iter().map(one).collect())
}

fn said(one: &Connected) -> String {
    let path = one.path.as_deref().unwrap_or(Path::new("")).display();
    let command = one.command.as_ref().map(|words| format!(": {}", words.join(" "))).unwrap_or_default();
    match (one.state, &one.error) {
        (_, Some(error)) => error.clone(),
        ("connected", None) => format!("connected ({path}){command}"),
        ("foreign", None) => format!("another server is called `wisp` ({path}){command}"),
        _ => format!("not connected: `wisp mcp install {}`", one.client),
    }
}

fn shown(change: &Change) -> Result<u8, Failure> {
    print(&change.diff())?;
    Ok(0)
}

/// Returns the server as the client is to start it: with the options that it was installed with. Paths are made absolute, because the
/// client has another working directory.
fn server(asked: &args::McpInstall, policy: &Policy) -> Result<Server, Failure> {
    let mut server = Server::new(own::program()?).name(&asked.entry.name);
    for argument in asked.grants.arguments().map_err(Failure::usage)? {
        server = server.argument(argument);
    }
    Ok(server.longest_call(policy.limits().wall.saturating_add(MARGIN)))
}

fn scope(entry: &args::McpEntry) -> Result<Scope, Failure> {
    let Some(folder) = &entry.project else { return Ok(Scope::User) };
    if !folder.is_dir() {
        return Err(Failure::usage(anyhow!("--project {}: there is no such folder", folder.display())));
    }
    std::path::absolute(folder).map(Scope::Project).map_err(Failure::usage)
}

/// Adds the options that help.
fn refused(error: InstallError) -> Failure {
    own::refused(error, "; --name takes another name, --force replaces it")
}
