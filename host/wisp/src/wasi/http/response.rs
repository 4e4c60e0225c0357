//! `wasi:http/types`: responses, and futures of them.

use futures_util::FutureExt;
use http::HeaderMap;
use wasmtime::component::Resource;
use wasmtime_wasi_io::async_trait;
use wasmtime_wasi_io::poll::{DynPollable, Pollable};

use super::super::bindings::wasi::http::types::{ErrorCode, HostFutureIncomingResponse, HostIncomingResponse, HostOutgoingResponse};
use super::super::{Charge, Charged, Held};
use super::{Fields, HttpView, IncomingBody, OutgoingBody};
use wisp_net::{Failure, Pending, Response, ResponseBody};

/// A response whose head has arrived.
pub struct IncomingResponse {
    status: u16,
    headers: Charged<HeaderMap>,
    body: Option<(ResponseBody, Charge)>,
}

impl Held for IncomingResponse {
    const CHARGED: &'static str = "the headers are `Charged`; the body has the `Charge` of its request";
}

/// A response that is awaited.
pub struct FutureResponse {
    state: State,
    /// What an active request costs the host: its connection, and its texts.
    charge: Option<Charge>,
}

impl Held for FutureResponse {
    const CHARGED: &'static str = "the `Charge` of the request, which covers the response's head until that is taken";
}

enum State {
    Waiting(Pending),
    Ended(Result<Box<Response>, Failure>),
    Taken,
}

impl FutureResponse {
    pub(super) fn new(pending: Pending, charge: Charge) -> Self {
        Self { state: State::Waiting(pending), charge: Some(charge) }
    }
}

#[async_trait]
impl Pollable for FutureResponse {
    async fn ready(&mut self) {
        if let State::Waiting(pending) = &mut self.state {
            self.state = State::Ended(pending.await.map(Box::new));
        }
    }
}

type Got = Option<Result<Result<Resource<IncomingResponse>, ErrorCode>, ()>>;

impl HostFutureIncomingResponse for HttpView<'_> {
    fn subscribe(&mut self, future: Resource<FutureResponse>) -> wasmtime::Result<Resource<DynPollable>> {
        self.table.subscribe(future)
    }

    fn get(&mut self, future: Resource<FutureResponse>) -> wasmtime::Result<Got> {
        let future = self.table.get_mut(&future)?;
        if let State::Waiting(pending) = &mut future.state {
            match pending.now_or_never() {
                Some(ended) => future.state = State::Ended(ended.map(Box::new)),
                None => return Ok(None),
            }
        }
        match std::mem::replace(&mut future.state, State::Taken) {
            State::Waiting(_) | State::Taken => Ok(Some(Err(()))),
            State::Ended(Err(failure)) => {
                future.charge = None;
                Ok(Some(Ok(Err(self.http.last.note(failure)))))
            }
            State::Ended(Ok(response)) => {
                let response = *response;
                let charge = future.charge.take();
                let body = charge.map(|charge| (response.body, charge));
                let headers = Charged::new(self.memory, response.headers)?;
                let response = IncomingResponse { status: response.status, headers, body };
                Ok(Some(Ok(Ok(self.table.push(response)?))))
            }
        }
    }

    fn drop(&mut self, future: Resource<FutureResponse>) -> wasmtime::Result<()> {
        self.table.delete(future)?;
        Ok(())
    }
}

impl HostIncomingResponse for HttpView<'_> {
    fn status(&mut self, response: Resource<IncomingResponse>) -> wasmtime::Result<u16> {
        Ok(self.table.get(&response)?.status)
    }

    fn headers(&mut self, response: Resource<IncomingResponse>) -> wasmtime::Result<Resource<Fields>> {
        let map = HeaderMap::clone(&self.table.get(&response)?.headers);
        self.child_fields(map, &response)
    }

    fn consume(&mut self, response: Resource<IncomingResponse>) -> wasmtime::Result<Result<Resource<IncomingBody>, ()>> {
        match self.table.get_mut(&response)?.body.take() {
            Some((body, charge)) => Ok(Ok(self.table.push(IncomingBody::new(body, charge))?)),
            None => Ok(Err(())),
        }
    }

    fn drop(&mut self, response: Resource<IncomingResponse>) -> wasmtime::Result<()> {
        self.table.delete(response)?;
        Ok(())
    }
}

/// A response of a server. A guest can make one, but cannot send it.
pub struct OutgoingResponse {
    status: u16,
    headers: Fields,
    taken: bool,
}

impl Held for OutgoingResponse {
    const CHARGED: &'static str = "the headers are `Charged`";
}

impl HostOutgoingResponse for HttpView<'_> {
    fn new(&mut self, headers: Resource<Fields>) -> wasmtime::Result<Resource<OutgoingResponse>> {
        let headers = self.table.delete(headers)?;
        self.table.push(OutgoingResponse { status: 200, headers, taken: false })
    }

    fn status_code(&mut self, response: Resource<OutgoingResponse>) -> wasmtime::Result<u16> {
        Ok(self.table.get(&response)?.status)
    }

    fn set_status_code(&mut self, response: Resource<OutgoingResponse>, status: u16) -> wasmtime::Result<Result<(), ()>> {
        let response = self.table.get_mut(&response)?;
        if !(100..1000).contains(&status) {
            return Ok(Err(()));
        }
        response.status = status;
        Ok(Ok(()))
    }

    fn headers(&mut self, response: Resource<OutgoingResponse>) -> wasmtime::Result<Resource<Fields>> {
        let map = self.table.get(&response)?.headers.map().clone();
        self.child_fields(map, &response)
    }

    fn body(&mut self, response: Resource<OutgoingResponse>) -> wasmtime::Result<Result<Resource<OutgoingBody>, ()>> {
        if std::mem::replace(&mut self.table.get_mut(&response)?.taken, true) {
            return Ok(Err(()));
        }
        // What is written to it is lost: its other end is dropped here.
        let Some((sender, _)) = OutgoingBody::open(self.memory) else { return Ok(Err(())) };
        Ok(Ok(self.table.push(sender)?))
    }

    fn drop(&mut self, response: Resource<OutgoingResponse>) -> wasmtime::Result<()> {
        self.table.delete(response)?;
        Ok(())
    }
}
