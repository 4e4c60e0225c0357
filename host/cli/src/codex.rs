//! `wisp codex`: a sandbox as the execution environment of Codex.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;

use anyhow::{Context, anyhow};
use wisp::policy::{Access, HostFiles, Overrides, Policy};
use wisp_codex::{Options, Server, WebSocketOptions};
use wisp_service::{Owner, ServiceLimits};

use crate::outputs::Standard;
use crate::serve::Serving;
use crate::signals::signalled;
use crate::{Failure, args, codex_install, needs, one_line, run, say, serve};

/// The variable with the token of `--listen`.
const TOKEN: &str = "WISP_CODEX_TOKEN";

/// Serves, or tells Codex to.
pub(crate) fn codex(asked: &args::Codex) -> Result<u8, Failure> {
    match &asked.command {
        None => ready(&asked.serve).inspect_err(|failure| tell(&asked.serve, failure))?.serve(),
        Some(args::CodexCommands::Install(asked)) => codex_install::install(asked),
        Some(args::CodexCommands::Uninstall(asked)) => codex_install::uninstall(asked),
        Some(args::CodexCommands::Status(asked)) => codex_install::status(asked),
    }
}

/// Maximum bytes of a client's first message.
const FIRST: u64 = 1 << 20;

/// Answers Codex's first message with the reason for not serving it: Codex does not show standard error.
fn tell(asked: &args::CodexServe, failure: &Failure) {
    let mut input = io::stdin().lock();
    if asked.listen.is_some() || input.is_terminal() {
        return;
    }
    let mut first = String::new();
    // One that has gone needs no answer.
    if (&mut input).take(FIRST).read_line(&mut first).is_ok()
        && let Some(answer) = wisp_codex::unserved(&first, &one_line(&failure.error))
    {
        let _ = Standard::Output.unsettled().write_all(format!("{answer}\n").as_bytes());
    }
}

/// A server that has everything it needs.
struct Ready {
    serving: Serving,
    server: Server,
    listening: Option<Listening>,
}

/// Makes everything ready.
fn ready(asked: &args::CodexServe) -> Result<Ready, Failure> {
    needs::check()?;
    let project = project(asked.project.as_deref()).map_err(Failure::usage)?;
    let policy = policy(asked, &project)?;
    let checked = serve::Checked::new(policy)?;
    let listening = asked.listen.map(|address| Listening::open(asked, address)).transpose()?;
    let store = serve::store()?;
    if let Some(name) = &asked.session {
        store.folder_of(name).map_err(Failure::usage)?;
    }
    let serving = checked.start(serve::Starting {
        receipts: asked.receipts.as_deref(),
        store: Some(&store),
        listens: listening.is_some(),
        no_confine: asked.no_confine,
        // A person thinks for as long as it takes.
        limits: ServiceLimits { idle: None, ..ServiceLimits::default() },
    })?;
    let options = Options { store: Some(store), session: asked.session.clone(), project, kept: Some(kept), ..Options::default() };
    let server = Server::new(serving.service.clone(), Owner::new("codex"), options).map_err(Failure::library)?;
    Ok(Ready { serving, server, listening })
}

impl Ready {
    /// Serves until Codex closes standard input, or for WebSocket until a signal comes.
    fn serve(self) -> Result<u8, Failure> {
        let Self { serving, server, listening } = self;
        serving.until_end(async {
            match listening {
                Some(Listening { listener, options }) => server.serve_websocket(listener, options, signalled()).await,
                None => server.serve(tokio::io::stdin(), Standard::Output.to_client(), signalled()).await,
            }
        })
    }
}

/// Says how to go on with a session that was kept.
fn kept(name: &str) {
    say(&format!("kept the session {name}: `wisp session diff {name}` shows what changed, `wisp session apply {name}` brings it out"));
}

/// Returns the path of the project, without links, as Codex names it.
fn project(asked: Option<&Path>) -> anyhow::Result<String> {
    let folder = asked.unwrap_or_else(|| Path::new("."));
    let path = folder.canonicalize().with_context(|| format!("the project {}", folder.display()))?;
    if !path.is_dir() {
        return Err(anyhow!("the project {} is no folder: --project names one", path.display()));
    }
    // Who says so may.
    let home = std::env::var_os("HOME").filter(|home| !home.is_empty());
    if asked.is_none() && home.is_none() {
        return Err(anyhow!("HOME is not set, so {} may have your home in it: set it, or name the project by --project", path.display()));
    }
    let home = home.and_then(|home| Path::new(&home).canonicalize().ok());
    if asked.is_none() && home.is_some_and(|home| home.starts_with(&path)) {
        let path = path.display();
        return Err(anyhow!(
            "the project would be {path}, with your home in it: start Codex in the folder of a project, or name it by --project"
        ));
    }
    path.into_os_string().into_string().map_err(|path| anyhow!("the project {} has a name that is not UTF-8", path.display()))
}

/// Returns the policy with the project, at its own path, unless the policy mounts it by itself.
fn policy(asked: &args::CodexServe, project: &str) -> Result<Policy, Failure> {
    let policy = run::given(&asked.grants)?;
    let mount = policy.filesystem().mounts.iter().find(|mount| Path::new(project).starts_with(&mount.guest));
    if let Some(mount) = mount {
        if asked.write && mount.access != Access::Write {
            let (access, rule) = (mount.access, &mount.rule);
            let said = format!("{rule} mounts the project with access `{access}`: give it `write` there, or leave out --write");
            return Err(Failure::usage(anyhow!(said)));
        }
        return Ok(policy);
    }
    let access = if asked.write { Access::Write } else { Access::Overlay };
    let mount = Overrides::command_line().mount_at(Path::new(project), project, access);
    policy.with(&HostFiles, &mount).map_err(Failure::usage)
}

/// A listener, and who may connect.
struct Listening {
    listener: TcpListener,
    options: WebSocketOptions,
}

impl Listening {
    fn open(asked: &args::CodexServe, address: SocketAddr) -> Result<Self, Failure> {
        let (token, chosen) = serve::token(asked.token.as_deref(), TOKEN)?;
        let listener = TcpListener::bind(address).with_context(|| format!("cannot listen at {address}")).map_err(Failure::usage)?;
        let address = listener.local_addr().map_err(Failure::internal)?;
        say(&format!("serving at ws://{address}/"));
        if chosen {
            let token = token.as_str();
            say(&format!("Codex needs `auth_bearer_token = \"{token}\"` in environments.toml (--token FILE or {TOKEN} sets another)"));
        }
        let options = WebSocketOptions { token: Some(token), hosts: asked.host.clone(), ..WebSocketOptions::default() };
        Ok(Self { listener, options })
    }
}
