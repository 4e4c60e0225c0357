//! `wasi:http/outgoing-handler`: the only way out.

use wasmtime::component::Resource;

use super::super::Charge;
use super::super::bindings::wasi::http::outgoing_handler;
use super::super::bindings::wasi::http::types::{ErrorCode, Host as TypesHost, Scheme};
use super::code::error_code;
use super::request::method_name;
use super::{FutureResponse, HttpView, OutgoingRequest, RequestOptions};
use wisp_net::{Failure, Request};

/// What an active request costs the host beside its headers: the buffers of its connection.
const REQUEST_COST: u64 = 384 << 10;

impl TypesHost for HttpView<'_> {
    fn http_error_code(&mut self, error: Resource<wasmtime::Error>) -> wasmtime::Result<Option<ErrorCode>> {
        Ok(self.table.get(&error)?.downcast_ref::<Failure>().map(error_code))
    }
}

impl outgoing_handler::Host for HttpView<'_> {
    fn handle(
        &mut self,
        request: Resource<OutgoingRequest>,
        options: Option<Resource<RequestOptions>>,
    ) -> wasmtime::Result<Result<Resource<FutureResponse>, ErrorCode>> {
        let request = self.table.delete(request)?;
        let options = match options {
            Some(options) => self.table.delete(options)?,
            None => RequestOptions::default(),
        };
        // A world that links this interface has a network. If there is none after all, nothing is sent.
        let Some(net) = &self.http.net else { return Ok(Err(ErrorCode::HttpRequestDenied)) };
        // The task that sends the request now holds its head and headers.
        let OutgoingRequest { head, headers, body, .. } = request;
        let ((head, said), (headers, had)) = (head.split(), headers.split());
        let Some(charge) = Charge::new(self.memory, REQUEST_COST) else {
            return Ok(Err(ErrorCode::InternalError(Some("no memory for a request (limits.memory)".to_owned()))));
        };
        let scheme = match &head.scheme {
            None | Some(Scheme::Https) => "https",
            Some(Scheme::Http) => "http",
            Some(Scheme::Other(name)) => name,
        };
        let sent = Request {
            method: method_name(&head.method).to_owned(),
            scheme: scheme.to_owned(),
            authority: head.authority.unwrap_or_default(),
            path_and_query: head.path.unwrap_or_default(),
            headers,
            body,
            timeouts: options.0,
        };
        match net.send(self.process, sent) {
            Ok(pending) => Ok(Ok(self.table.push(FutureResponse::new(pending, charge.and(said).and(had)))?)),
            Err(failure) => Ok(Err(self.http.last.note(failure))),
        }
    }
}
