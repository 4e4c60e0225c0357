//! `wasi:http`: messages in memory (`types`), and the gate (`outgoing-handler`) where a world has one. Also
//! `wisp:sandbox/network`, which says why a request failed.
//!
//! # Why not `wasmtime-wasi-http`
//!
//! A spike ran Rust guests on 48.0.8 (feature `p2`). Its `WasiHttpHooks::send_request` was a gate: an allowlist, a
//! client (hyper) for a server on loopback, and bodies that charge an account frame by frame. MiB are the growth of the
//! host's resident memory.
//!
//! | the guest | what happened |
//! | --- | --- |
//! | keeps 10,000 header maps of 100 kB | 963 MiB. Of the embedder, only `is_forbidden_header` was called, with the name alone; no call of the `ResourceLimiter` |
//! | keeps 10,000 unsent requests with such headers, an authority and a path of 60 kB each | 2,109 MiB, likewise; with a table of 256 handles 54 MiB, then a trap |
//! | fills the bodies of 1,000 unsent requests | 2,011 MiB, two chunks each; 127 MiB with chunks of 64 KiB. A hook chooses the size when a body is made; it cannot refuse, and learns nothing of the end |
//! | reads 64 MiB | each frame is charged when it arrives and released when it was read: at most 480 KiB at a time. A refusal ends the stream with an error |
//! | sends 64 MiB | each frame is charged when the gate polls it. A gate that does not poll leaves two chunks uncharged: 2 MiB, or 128 KiB |
//! | reads a body that the gate ends with `HttpResponseBodySize` | the limit is in the text of the stream's error; `http-error-code` returns none, and the trailers report success |
//! | sends a body that the gate ends with `HttpRequestBodySize` | `HTTP-protocol-error` |
//! | makes 18 requests, 17 of them wrong or unusual | 12 did not reach `send_request`: schemes, a method, an authority (two), paths (two), headers (four), a length. The gate saw the others as an `http::Uri`: a fragment was gone |
//!
//! So the hooks alone can charge the bodies of responses, but not what a guest stores without sending it. That needs a
//! layer, which is possible because the crate's traits and types are public: the spike's implements their 66 functions,
//! charges each, and passes it on. With it, an account of 16 MiB held the first three guests to 16 to 17 MiB;
//! `http-error-code` returned the limit; and `handle` saw the request as the guest wrote it. This module stays
//! because the layer is the worse half of what it replaces:
//!
//! - It has 330 lines, and the gate's bodies and errors come in addition, for the 830 lines of `fields`, `request`,
//!   `response` and `body` here.
//! - Its charges are in a map beside the table, and no type connects them with values: the first version lost the
//!   charges of three requests that `handle` refused. Here a value owns its charge (`Charged`), and each kind of handle
//!   says which (`Held`).
//! - The crate adds 8 crates to 252, among them `wasmtime-wasi` with its sockets and filesystem, and `h2`: 60 s of
//!   processor time to compile. hyper gets its servers and HTTP/2.
//!
//! Look at this again when upstream asks an embedder before it stores.

mod body;
mod code;
mod fields;
mod handler;
mod request;
mod response;

pub use body::{FutureTrailers, IncomingBody, OutgoingBody};
pub use fields::Fields;
pub use request::{OutgoingRequest, RequestOptions};
pub use response::{FutureResponse, IncomingResponse, OutgoingResponse};

use std::sync::Arc;

use parking_lot::Mutex;
use wasmtime::component::HasData;

use super::bindings::wasi::http::types::ErrorCode;
use super::bindings::wisp::sandbox::network;
use super::context::{Part, WasiView};
use super::{Handles, Held, HostMemory};
use wisp_net::{Failure, Net};

/// A handle that no function of the host returns: requests and responses of a server.
pub struct Nothing;

impl Held for Nothing {
    const CHARGED: &'static str = "nothing";
}

/// The HTTP state of a process.
#[derive(Clone, Default)]
pub struct HttpCtx {
    /// The session's network, if it has one.
    pub net: Option<Net>,
    last: LastFailure,
}

/// The cause of the last error that a process received. Streams of bodies write it too.
#[derive(Clone, Default)]
pub(super) struct LastFailure(Arc<Mutex<Option<Failure>>>);

impl LastFailure {
    /// Records the failure. Returns the code that the guest gets.
    fn note(&self, failure: Failure) -> ErrorCode {
        let code = code::error_code(&failure);
        *self.0.lock() = Some(failure);
        code
    }
}

impl HttpCtx {
    /// Creates the state of a process in a session with this network.
    pub fn new(net: Option<Net>) -> Self {
        Self { net, last: LastFailure::default() }
    }
}

/// The part of a process that `wasi:http` sees.
pub(super) struct HasHttp;

impl HasData for HasHttp {
    type Data<'a> = HttpView<'a>;
}

impl Part for HasHttp {
    fn of(view: WasiView<'_>) -> HttpView<'_> {
        HttpView { table: view.table, http: &view.ctx.http, process: view.ctx.process.pid(), memory: &view.ctx.memory }
    }
}

/// The network, and the table that holds the messages' handles.
pub(super) struct HttpView<'a> {
    table: &'a mut Handles,
    http: &'a HttpCtx,
    /// The process's number, for receipts.
    process: u32,
    memory: &'a Arc<dyn HostMemory>,
}

/// The part of a process that `wisp:sandbox/network` sees: the last failure.
pub(super) struct HasLastFailure;

impl HasData for HasLastFailure {
    type Data<'a> = &'a LastFailure;
}

impl Part for HasLastFailure {
    fn of(view: WasiView<'_>) -> &LastFailure {
        &view.ctx.http.last
    }
}

impl network::Host for &LastFailure {
    fn last_failure(&mut self) -> wasmtime::Result<Option<network::Failure>> {
        let last = self.0.lock().clone();
        Ok(last.map(|failure| network::Failure {
            rule: failure.rule_for_guests().to_owned(),
            request: failure.request.into(),
            reason: failure.reason,
            help: failure.help.map(Into::into),
        }))
    }
}
