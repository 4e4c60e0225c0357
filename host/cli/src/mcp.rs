//! `wisp mcp`: a sandbox for a client of the Model Context Protocol.

mod install;
mod may;

pub(crate) use install::lines as clients;

use std::net::TcpListener;

use anyhow::Context;
use wisp_mcp::{HttpOptions, Keep, Options, Server};
use wisp_service::{Owner, ServiceLimits};

use crate::outputs::Standard;
use crate::signals::signalled;
use crate::{Failure, args, needs, run, say, serve};

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
    let checked = serve::Checked::new(run::given(&asked.grants)?)?;
    let http = asked.http.map(|address| Listening::open(asked, address)).transpose()?;
    if http.is_none() {
        // No client would hear anything.
        Standard::Output.check().context("standard output").map_err(Failure::internal)?;
    }
    let store = asked.keep.then(serve::store).transpose()?;
    let serving = checked.start(serve::Starting {
        receipts: asked.receipts.as_deref(),
        store: store.as_ref(),
        listens: http.is_some(),
        no_confine: asked.no_confine,
        limits: ServiceLimits::default(),
    })?;
    let owner = Owner::new("mcp");
    let keep = store.map_or(Keep::Nothing, Keep::Saved);
    let options = Options { keep, structured: asked.structured, ..Options::default() };
    let server = Server::new(serving.service.clone(), owner, options).map_err(Failure::library)?;
    serving.until_end(async {
        match http {
            Some(Listening { listener, options }) => server.serve_http(listener, options, signalled()).await,
            None => tokio::select! {
                served = server.serve_stdio() => served,
                () = signalled() => server.close().await,
            },
        }
    })
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
