//! `wasi:http`: messages in memory (`types`), and the gate (`outgoing-handler`) where a world has one. Also
//! `wisp:sandbox/network`, which says why a request failed.

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

use std::sync::{Arc, Mutex, PoisonError};

use super::WasiView;
use super::bindings::wasi::http::types::ErrorCode;
use super::bindings::wisp::sandbox::network;
use crate::net::{Failure, Net};

/// A handle that no function of the host's gives out: requests and responses of a server.
pub struct Nothing;

/// What a process has of HTTP.
#[derive(Clone, Default)]
pub struct HttpCtx {
    /// The session's network, if it has one.
    pub net: Option<Net>,
    last: LastFailure,
}

/// The failure behind the last error a process was given. Streams of bodies write it too.
#[derive(Clone, Default)]
struct LastFailure(Arc<Mutex<Option<Failure>>>);

impl LastFailure {
    /// Note it; answers the code that the guest gets.
    fn note(&self, failure: Failure) -> ErrorCode {
        let code = code::error_code(&failure);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
        code
    }
}

impl HttpCtx {
    /// Of a process of a session with this network.
    pub fn new(net: Option<Net>) -> HttpCtx {
        HttpCtx { net, last: LastFailure::default() }
    }
}

impl network::Host for WasiView<'_> {
    fn last_failure(&mut self) -> wasmtime::Result<Option<network::Failure>> {
        let last = self.ctx.http.last.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(last.map(|failure| network::Failure {
            request: failure.request.into(),
            reason: failure.reason,
            rule: failure.rule,
            help: failure.help.map(Into::into),
        }))
    }
}
