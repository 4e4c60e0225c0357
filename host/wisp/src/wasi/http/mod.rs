//! `wasi:http`: messages in memory (`types`), and the gate (`outgoing-handler`) where a world has one. Also
//! `wisp:sandbox/network`, which says why a request failed.
//!
//! # Why not `wasmtime-wasi-http`
//!
//! Its `WasiHttpHooks::send_request` (48.0.8, `src/ctx.rs:304`) is where our gate would go, and addresses, TLS, masks
//! and limits of bodies would fit into it: the hook takes a request and returns a response whose body is ours. What
//! runs before the hook and beside it does not fit, so this module stays:
//!
//! - **Memory that a guest makes the host hold is charged to no account.** Headers (`p2/types_impl.rs:36` and `:46`),
//!   requests (`:191`), their paths and authorities (`:279`, `:329`; up to 64 KiB) go into the table of handles before
//!   any hook is called. The bounds are a size for each map and a number of handles: hundreds of MiB of host memory for
//!   each process, outside `limits.memory`. The channel of a body (`p2/body.rs:417`) has a configurable size, but no
//!   point at which memory for it could be refused. What is missing is a hook that is called before something is
//!   stored, and may refuse.
//! - **Not every attempt reaches the hook.** `p2/http_impl.rs` (`:37`, `:54`, `:89`) refuses methods, URLs and lengths
//!   itself: no receipt, no reason for the guest, nothing to count. The gate would see an `http::Uri`, not the text
//!   that the guest wrote.
//! - **Errors lose their content.** The hook's error is a closed enum without rule and help. If a body fails, the guest
//!   gets no reason at all: the stream puts `crate::Error` into its error (`p2/body.rs:184`), and `http-error-code`
//!   looks for another type (`p2/types_impl.rs:31`). A body that a limit cut off would be an error of unknown kind.
//! - **It brings more than it replaces**: `wasmtime-wasi` with its sockets and filesystem (the feature `p2` needs it, linked or
//!   not), hyper with all features, `h2`, `http-body-util`, `httpdate`, for the 900 lines here.
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
    /// The state of a process in a session with this network.
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
            rule: failure.rule().to_owned(),
            request: failure.request.into(),
            reason: failure.reason,
            help: failure.help.map(Into::into),
        }))
    }
}
