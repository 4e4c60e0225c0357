//! `wasi:http/types`: bodies and their streams.

use std::future::poll_fn;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::FutureExt;
use wasmtime::component::Resource;
use wasmtime_wasi_io::async_trait;
use wasmtime_wasi_io::poll::{DynPollable, Pollable};
use wasmtime_wasi_io::streams::{DynInputStream, DynOutputStream, InputStream, OutputStream, StreamError, StreamResult};

use super::super::bindings::wasi::http::types::{ErrorCode, HostFutureTrailers, HostIncomingBody, HostOutgoingBody};
use super::super::{Charge, Held, HostMemory};
use super::{Fields, HttpView, LastFailure};
use wisp_net::{BodySender, Failure, RequestBody, ResponseBody};

/// Maximum bytes of one write to the body of a request.
const PIECE: usize = 64 << 10;

/// The body of a request, which the guest writes.
pub struct OutgoingBody {
    writer: Arc<Writer>,
    taken: bool,
}

/// What the body and its stream share.
struct Writer {
    sender: BodySender,
    /// The charge for the piece that is being sent.
    _charge: Charge,
}

impl Held for OutgoingBody {
    const CHARGED: &'static str = "a `Charge` for the piece that is being sent";
}

impl OutgoingBody {
    /// Makes a body and its other end; `None` if there is no memory for it.
    pub(super) fn open(memory: &Arc<dyn HostMemory>) -> Option<(Self, RequestBody)> {
        let charge = Charge::new(memory, PIECE as u64)?;
        let (sender, body) = RequestBody::channel();
        Some((Self { writer: Arc::new(Writer { sender, _charge: charge }), taken: false }, body))
    }
}

impl HostOutgoingBody for HttpView<'_> {
    fn write(&mut self, body: Resource<OutgoingBody>) -> wasmtime::Result<Result<Resource<DynOutputStream>, ()>> {
        let outgoing = self.table.get_mut(&body)?;
        if std::mem::replace(&mut outgoing.taken, true) {
            return Ok(Err(()));
        }
        let stream: DynOutputStream = Box::new(BodyOutput(outgoing.writer.clone()));
        Ok(Ok(self.table.push_child(stream, &body)?))
    }

    fn finish(&mut self, body: Resource<OutgoingBody>, trailers: Option<Resource<Fields>>) -> wasmtime::Result<Result<(), ErrorCode>> {
        if let Some(trailers) = trailers {
            // Trailers are not sent: no server needs them, and they could carry what headers may not.
            self.table.delete(trailers)?;
        }
        self.table.delete(body)?.writer.sender.finish();
        Ok(Ok(()))
    }

    fn drop(&mut self, body: Resource<OutgoingBody>) -> wasmtime::Result<()> {
        self.table.delete(body)?;
        Ok(())
    }
}

/// Writes the body of a request.
struct BodyOutput(Arc<Writer>);

#[async_trait]
impl Pollable for BodyOutput {
    async fn ready(&mut self) {
        self.0.sender.ready().await;
    }
}

#[async_trait]
impl OutputStream for BodyOutput {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        if bytes.len() > self.check_write()? {
            return Err(StreamError::trap("a write without the permission of check-write"));
        }
        if self.0.sender.send(bytes) { Ok(()) } else { Err(StreamError::Closed) }
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        match self.0.sender.room() {
            None => Err(StreamError::Closed),
            Some(room) => Ok(if room { PIECE } else { 0 }),
        }
    }
}

/// The body of a response.
pub struct IncomingBody(Option<(ResponseBody, Charge)>);

impl Held for IncomingBody {
    const CHARGED: &'static str = "the `Charge` of its request, for the buffers of the connection";
}

impl IncomingBody {
    pub(super) fn new(body: ResponseBody, charge: Charge) -> Self {
        Self(Some((body, charge)))
    }
}

impl HostIncomingBody for HttpView<'_> {
    fn stream(&mut self, body: Resource<IncomingBody>) -> wasmtime::Result<Result<Resource<DynInputStream>, ()>> {
        let Some((incoming, charge)) = self.table.get_mut(&body)?.0.take() else { return Ok(Err(())) };
        let last = self.http.last.clone();
        let stream = BodyInput { body: incoming, ahead: Bytes::new(), ended: None, last, _charge: charge };
        let stream: DynInputStream = Box::new(stream);
        Ok(Ok(self.table.push_child(stream, &body)?))
    }

    fn finish(&mut self, body: Resource<IncomingBody>) -> wasmtime::Result<Resource<FutureTrailers>> {
        self.table.delete(body)?;
        self.table.push(FutureTrailers { taken: false })
    }

    fn drop(&mut self, body: Resource<IncomingBody>) -> wasmtime::Result<()> {
        self.table.delete(body)?;
        Ok(())
    }
}

/// Reads the body of a response.
struct BodyInput {
    body: ResponseBody,
    /// Bytes that have arrived and were not read yet.
    ahead: Bytes,
    /// How the body ended; `None` while it has not.
    ended: Option<Option<Failure>>,
    last: LastFailure,
    _charge: Charge,
}

impl BodyInput {
    /// Waits for bytes or the end.
    async fn fill(&mut self) {
        if self.ahead.is_empty() && self.ended.is_none() {
            match poll_fn(|cx| self.body.poll_next(cx)).await {
                Some(Ok(bytes)) => self.ahead = bytes,
                Some(Err(failure)) => self.ended = Some(Some(failure)),
                None => self.ended = Some(None),
            }
        }
    }
}

#[async_trait]
impl Pollable for BodyInput {
    async fn ready(&mut self) {
        self.fill().await;
    }
}

#[async_trait]
impl InputStream for BodyInput {
    fn read(&mut self, size: usize) -> StreamResult<Bytes> {
        if size == 0 {
            return Ok(Bytes::new());
        }
        // Takes what has arrived, without waiting.
        let _ = self.fill().now_or_never();
        if !self.ahead.is_empty() {
            let size = size.min(self.ahead.len());
            return Ok(self.ahead.split_to(size));
        }
        match &mut self.ended {
            None => Ok(Bytes::new()),
            Some(failure) => match failure.take() {
                Some(failure) => {
                    // The guest can ask for the cause of this error with `http-error-code`.
                    self.last.note(failure.clone());
                    Err(StreamError::LastOperationFailed(failure.into()))
                }
                None => Err(StreamError::Closed),
            },
        }
    }
}

/// Trailers of a response. There are none, because the gate drops them.
pub struct FutureTrailers {
    taken: bool,
}

impl Held for FutureTrailers {
    const CHARGED: &'static str = "nothing";
}

#[async_trait]
impl Pollable for FutureTrailers {
    async fn ready(&mut self) {}
}

impl HostFutureTrailers for HttpView<'_> {
    fn subscribe(&mut self, trailers: Resource<FutureTrailers>) -> wasmtime::Result<Resource<DynPollable>> {
        self.table.subscribe(trailers)
    }

    fn get(
        &mut self,
        trailers: Resource<FutureTrailers>,
    ) -> wasmtime::Result<Option<Result<Result<Option<Resource<Fields>>, ErrorCode>, ()>>> {
        let again = std::mem::replace(&mut self.table.get_mut(&trailers)?.taken, true);
        Ok(Some(if again { Err(()) } else { Ok(Ok(None)) }))
    }

    fn drop(&mut self, trailers: Resource<FutureTrailers>) -> wasmtime::Result<()> {
        self.table.delete(trailers)?;
        Ok(())
    }
}
