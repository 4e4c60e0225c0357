//! `wisp hooks`: a coding agent's shell commands in the sandbox.

mod answer;

use std::path::{Path, PathBuf};

use serde::Serialize;
use wisp_install::{Client, Hook, HookStatus, InstallError, Kind};

use crate::{Failure, args, json, own, prepare, print, run};

/// The agents that wisp has a hook for.
const AGENTS: [Client; 3] = [Client::Claude, Client::OpenCode, Client::Cursor];

/// Tells agents to ask wisp, or answers what they ask.
pub(crate) fn hooks(asked: &args::Hooks) -> Result<u8, Failure> {
    match &asked.command {
        args::HooksCommands::Install(asked) => install(asked),
        args::HooksCommands::Uninstall(asked) => uninstall(asked),
        args::HooksCommands::Status { json } => status(*json),
        args::HooksCommands::Run(asked) => answer::answer(asked),
    }
}

/// Tells an agent to ask wisp.
fn install(asked: &args::HooksInstall) -> Result<u8, Failure> {
    // What is wrong with the policy is told now, not by each command.
    run::given(&asked.grants)?;
    let (client, hook) = (asked.client, hook(asked)?);
    let change = client.plan_hook_install(&own::home(), &hook).map_err(refused)?;
    if asked.dry_run {
        print(&change.diff())?;
        return Ok(0);
    }
    prepare::prepare(&args::Prepare::of(asked.grants.clone()))?;
    change.write().map_err(refused)?;
    let (title, path) = (client.title(), change.path().display());
    print(&match change.kind() {
        Kind::Unchanged => format!("{title} runs its shell commands in wisp already ({path})\n"),
        _ => format!("{title} runs its shell commands in wisp now ({path})\n"),
    })?;
    let others = client.hook_status(&own::home(), &hook).map_err(refused)?.others;
    print(&page(asked, &others))?;
    Ok(0)
}

/// Returns what a person must know of the hook.
fn page(asked: &args::HooksInstall, others: &[String]) -> String {
    let (title, name) = (asked.client.title(), asked.client.as_str());
    let project = if asked.write {
        "the project's folder, for writing   <- your files, for good; a command can change what this machine runs later"
    } else {
        "the project's folder, as a copy: `wisp session diff NAME` shows what changed, `wisp session apply NAME` writes it"
    };
    let mut page = format!(
        "\nA shell command has\n  session   one for each conversation and project: `wisp session list` has its name\n  files     {project}\n  policy    {0}: \
         `wisp explain --policy {0}` says what it allows\n",
        asked.grants.policy
    );
    let unseen = if asked.write { "" } else { ", and do not see what a session changed" };
    page.push_str(&format!(
        "\nNot covered: {title}'s own tools that read, write and search files or fetch pages, MCP servers, and commands that you type \
         yourself.\nThey work on this machine as before{unseen}. What covers files too: `wisp codex \
         install` for Codex, and\n`wisp mcp install {name} --mount DIR:/mnt/project:overlay`, which gives {title} other tools.\n"
    ));
    if !others.is_empty() {
        let text = "Other hooks are asked about commands too. If one of them changes a command, wisp's answer may be lost";
        page.push_str(&format!("\n{text}: `{}`\n", others.join("`, `")));
    }
    page.push_str(&format!("\n{} Then ask for `uname`: it answers `wisp`.\nUndo: wisp hooks uninstall {name}\n", next_step(asked.client)));
    page
}

/// Returns what a person does after the hook is written, as a sentence.
fn next_step(client: Client) -> &'static str {
    match client {
        Client::Claude => "Start a new session of Claude Code; `/hooks` shows the hook.",
        Client::OpenCode => "Start OpenCode again.",
        _ => "Cursor reads its hooks when it starts; its settings list them.",
    }
}

/// Takes wisp's hook out of an agent's configuration, or out of all.
fn uninstall(asked: &args::HooksUninstall) -> Result<u8, Failure> {
    let (home, hook) = (own::home(), Hook::new(own::program()?));
    let clients = asked.client.map_or(AGENTS.to_vec(), |client| vec![client]);
    let plan = |client: Client| client.plan_hook_uninstall(&home, &hook).map(|change| (client, change)).map_err(refused);
    // What cannot be taken out is told before something is.
    for (client, change) in clients.into_iter().map(plan).collect::<Result<Vec<_>, _>>()? {
        if asked.dry_run {
            print(&change.diff())?;
            continue;
        }
        change.write().map_err(refused)?;
        let (title, path) = (client.title(), change.path().display());
        print(&match change.kind() {
            Kind::Unchanged => format!("{title} does not ask wisp ({path})\n"),
            _ => format!("{title} asks wisp no more: its shell commands run on this machine ({path})\n"),
        })?;
    }
    Ok(0)
}

/// An agent, and whether it asks wisp.
#[derive(Serialize)]
struct Asks {
    client: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<PathBuf>,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Returns a line for each agent: whether it asks wisp, what is looked at, and what was found.
pub(crate) fn agents() -> Vec<(bool, &'static str, String)> {
    let Ok(program) = own::program() else { return Vec::new() };
    let (home, hook) = (own::home(), Hook::new(program));
    let about = ["claude's shell", "opencode's shell", "cursor's shell"];
    let one = |(client, about): (Client, &'static str)| {
        let found = asks(client, client.hook_status(&home, &hook));
        (found.state == "installed", about, said(&found))
    };
    AGENTS.into_iter().zip(about).map(one).collect()
}

/// Shows which agents ask wisp.
fn status(as_json: bool) -> Result<u8, Failure> {
    let (home, hook) = (own::home(), Hook::new(own::program()?));
    let found: Vec<Asks> = AGENTS.iter().map(|client| asks(*client, client.hook_status(&home, &hook))).collect();
    if as_json {
        print(&json::pretty(&found).map_err(Failure::internal)?)?;
        return Ok(0);
    }
    for one in &found {
        print(&format!("{:10} {}\n", one.client, said(one)))?;
    }
    Ok(0)
}

fn asks(client: Client, found: Result<HookStatus, InstallError>) -> Asks {
    let client = client.as_str();
    match found {
        Ok(HookStatus { path, state, others, .. }) => {
            let (state, command) = own::stated(&state, "installed");
            // What is not wisp's is a file here, and has no command.
            let command = command.filter(|_| state == "installed");
            Asks { client, path: Some(path), state, command, others, error: None }
        }
        Err(error) => Asks { client, path: None, state: "unknown", command: None, others: Vec::new(), error: Some(error.to_string()) },
    }
}

fn said(one: &Asks) -> String {
    let path = one.path.as_deref().unwrap_or(Path::new("")).display();
    let others = if one.others.is_empty() { String::new() } else { format!("; asked too: `{}`", one.others.join("`, `")) };
    match (one.state, &one.error) {
        (_, Some(error)) => error.clone(),
        ("installed", None) => {
            let command = one.command.as_ref().map(|words| format!(": {}", words.join(" "))).unwrap_or_default();
            format!("shell commands run in wisp ({path}){command}{others}")
        }
        ("foreign", None) => format!("{path} is not what wisp wrote"),
        _ => format!("shell commands run on this machine: `wisp hooks install {}`{others}", one.client),
    }
}

/// Returns the hook as the agent is to call it: with the options that it was installed with.
fn hook(asked: &args::HooksInstall) -> Result<Hook, Failure> {
    let mut hook = Hook::new(own::program()?);
    for argument in asked.grants.arguments().map_err(Failure::usage)? {
        hook = hook.argument(argument);
    }
    Ok(if asked.write { hook.argument("--write") } else { hook })
}

fn refused(error: InstallError) -> Failure {
    own::refused(error, "")
}
