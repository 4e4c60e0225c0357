//! `wisp mcp`: a sandbox for a client of the Model Context Protocol.

mod install;
mod may;

pub(crate) use install::lines as clients;

use std::net::TcpListener;
use std::sync::Arc;

use anyhow::Context;
use wisp::Engine;
use wisp::policy::{HostFiles, Policy, check_tools};
use wisp_mcp::{HttpOptions, Keep, Options, Server};
use wisp_mcp_client::Connector;
use wisp_service::{Owner, Runtime, Service, Store};

use crate::lines::ReceiptFile;
use crate::stop::signalled;
use crate::{Failure, args, confine, engine, needs, progress, run, say, serve};

/// The variable with the token of `--http`.
const TOKEN: &str = "WISP_MCP_TOKEN";

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
    // Reports what a session would refuse before a client connects.
    run::check_places(&policy, &cache, &components)?;
    check_tools(&components, &policy).map_err(Failure::usage)?;
    let http = asked.http.map(|address| Listening::open(asked, address)).transpose()?;
    let store = asked.keep.then(serve::store).transpose()?;
    let receipts = asked.receipts.as_deref().map(ReceiptFile::create).transpose().map_err(Failure::usage)?.map(Arc::new);
    // A program that is confined starts no other.
    let servers = Connector::new();
    servers.start(&policy).map_err(Failure::usage)?;
    // Must happen before a second thread exists. What is open stays open: the standard streams, and the listener.
    if !asked.no_confine {
        confine::serve(&policy, cache.directory(), store.as_ref().map(Store::folder), http.is_some())?;
    }
    // Standard output is the protocol's; clients show what is on standard error.
    let builder = engine::builder(components).cache(cache).on_compile(progress::log).function_source(Arc::new(servers.clone()));
    let runtime = Runtime::new(builder).map_err(Failure::internal)?;
    let mut service = Service::builder(runtime).policy(policy.name().to_owned(), policy);
    if let Some(receipts) = &receipts {
        service = service.receipts(receipts.clone());
    }
    let service = service.build();
    let owner = Owner::new("mcp");
    let keep = store.map_or(Keep::Nothing, Keep::Saved);
    let options = Options { keep, structured: asked.structured, ..Options::default() };
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
    service.runtime().block_on(servers.close());
    if let Some(receipts) = receipts {
        receipts.finish("");
    }
    served.map_err(Failure::internal)?;
    Ok(0)
}

/// A listener, and who may connect.
struct Listening {
    listener: TcpListener,
    options: HttpOptions,
}

impl Listening {
    fn open(asked: &args::McpServe, address: std::net::SocketAddr) -> Result<Self, Failure> {
        let (token, chosen) = serve::token(asked.token.as_deref(), TOKEN)?;
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
