//! `wisp mcp`: a sandbox for a client of the Model Context Protocol.

mod install;
mod may;

pub(crate) use install::lines as clients;

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use wisp::Engine;
use wisp::policy::{HostFiles, Policy, check_tools};
use wisp_mcp::{HttpOptions, Keep, Options, Server, Token};
use wisp_mcp_client::Connector;
use wisp_service::{Owner, Runtime, Service, Store};

use crate::stop::signalled;
use crate::{Failure, args, confine, engine, needs, progress, run, say};

/// The variable with the token of `--http`.
const TOKEN: &str = "WISP_MCP_TOKEN";

/// Maximum bytes of a file with a token.
const TOKEN_FILE: u64 = 4 << 10;

/// Serves, or tells clients to.
pub(crate) fn mcp(asked: &args::Mcp) -> Result<u8, Failure> {
    match &asked.command {
        None => serve(&asked.serve),
        Some(args::McpCommands::Install(asked)) => install::install(asked),
        Some(args::McpCommands::Uninstall(asked)) => install::uninstall(asked),
        Some(args::McpCommands::Status { json }) => install::status(*json),
    }
}

/// Serves until the client closes standard input, or for HTTP until a signal comes.
fn serve(asked: &args::McpServe) -> Result<u8, Failure> {
    needs::check()?;
    let policy = Policy::load_with(&HostFiles, &asked.grants.policy, &asked.grants.overrides()).map_err(Failure::usage)?;
    let components = engine::components().map_err(Failure::internal)?;
    let cache = Engine::default_cache().map_err(Failure::internal)?;
    // What a session would refuse is told before a client connects.
    run::check_places(&policy, &cache, &components)?;
    check_tools(&components, &policy).map_err(Failure::usage)?;
    let http = asked.http.map(|address| Listening::open(asked, address)).transpose()?;
    let store = asked.keep.then(store).transpose()?;
    // A program that is confined starts no other.
    let servers = Connector::new();
    servers.start(&policy).map_err(Failure::usage)?;
    // Must happen before a second thread exists. What is open stays open: the standard streams, and the listener.
    if !asked.no_confine {
        confine::serve(&policy, cache.directory(), store.as_ref().map(Store::folder), http.is_some())?;
    }
    // Standard output is the protocol's; clients show what is on standard error.
    let builder = engine::builder(components).cache(cache).on_compile(progress::log).function_source(Arc::new(servers));
    let runtime = Runtime::new(builder).map_err(Failure::internal)?;
    let service = Service::builder(runtime).policy(policy.name().to_owned(), policy).build();
    let owner = Owner::new("mcp");
    let options = Options { keep: store.map_or(Keep::Nothing, Keep::Saved), ..Options::default() };
    let server = Server::new(service.clone(), owner, options).map_err(Failure::library)?;
    let served = service.runtime().block_on(async {
        match http {
            Some(Listening { listener, options }) => server.serve_http(listener, options, signalled()).await,
            None => tokio::select! {
                served = server.serve_stdio() => served,
                () = signalled() => server.close().await,
            },
        }
    });
    served.map_err(Failure::internal)?;
    Ok(0)
}

/// Returns where sessions are kept. The folder must be there before the process is confined to it.
fn store() -> Result<Store, Failure> {
    let store = Store::of_user().map_err(Failure::usage)?;
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(store.folder());
    made.with_context(|| format!("cannot make {}", store.folder().display())).map_err(Failure::usage)?;
    Ok(store)
}

/// A listener, and who may connect.
struct Listening {
    listener: TcpListener,
    options: HttpOptions,
}

impl Listening {
    fn open(asked: &args::McpServe, address: std::net::SocketAddr) -> Result<Self, Failure> {
        let given = match &asked.token {
            Some(file) => Some(token_of(file).map_err(Failure::usage)?),
            None => std::env::var(TOKEN).ok().filter(|text| !text.is_empty()),
        };
        let wrong = || Failure::usage(anyhow!("the token must have at least 16 characters, of ASCII and without spaces"));
        let chosen = given.is_none();
        let token = match given {
            Some(text) => Token::new(text).ok_or_else(wrong)?,
            None => Token::random().map_err(Failure::internal)?,
        };
        let listener = TcpListener::bind(address).with_context(|| format!("cannot listen at {address}")).map_err(Failure::usage)?;
        let address = listener.local_addr().map_err(Failure::internal)?;
        say(&format!("serving at http://{address}/mcp"));
        if chosen {
            say(&format!("clients send `Authorization: Bearer {}` (--token FILE or {TOKEN} sets another)", token.as_str()));
        }
        let options =
            HttpOptions { token: Some(token), hosts: asked.host.clone(), origins: asked.origin.clone(), ..HttpOptions::default() };
        Ok(Self { listener, options })
    }
}

/// Reads the token of a file, without the newline after it.
fn token_of(file: &Path) -> anyhow::Result<String> {
    let failed = || format!("cannot read the token in {}", file.display());
    let size = fs::metadata(file).with_context(failed)?.len();
    if size > TOKEN_FILE {
        return Err(anyhow!("{}: a token has at most {TOKEN_FILE} bytes", file.display()));
    }
    Ok(fs::read_to_string(file).with_context(failed)?.trim_end().to_owned())
}
