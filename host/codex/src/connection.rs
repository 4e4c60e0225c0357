//! One client: what it says, in order, and what is left of it at its end, which is nothing.

use std::sync::Arc;

use tokio::sync::mpsc::Receiver;
use tokio::task::JoinSet;
use wisp_service::ServiceError;

use crate::bounds::{Budget, COPIES, Held};
use crate::error::{RpcError, ServeError};
use crate::lines::{Frame, Receive, Transmit};
use crate::message::{Id, Incoming, Params, Request};
use crate::methods::{self, Work};
use crate::outbox::{Outbox, Outgoing, Reply};
use crate::protocol::{Initialize, Initialized};
use crate::sandbox::{Core, Sandbox};
use crate::timer::at_most;

/// A client that is connected.
struct Connection {
    core: Arc<Core>,
    outbox: Outbox,
    /// The memory of the calls that run.
    requests: Budget,
    /// What it has, once it has asked for it.
    sandbox: Option<Arc<Sandbox>>,
    /// Whether it has said that it knows the answer to that.
    ready: bool,
    calls: JoinSet<()>,
}

/// Serves a client until it closes its side or reads no more, or `stop` is ready. Then what it has started is ended, and its session is
/// saved or closed, also if this future is dropped.
pub(crate) async fn serve(
    core: Arc<Core>,
    mut from: impl Receive,
    to: impl Transmit + 'static,
    stop: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    let drain = core.options.drain;
    let (outbox, messages) = Outbox::new();
    let mut writer = JoinSet::new();
    #[expect(clippy::disallowed_methods, reason = "the set ends it")]
    writer.spawn(write(to, messages));
    let mut connection = Connection::new(core, outbox.clone());
    tokio::select! {
        biased;
        () = stop => {}
        () = connection.listen(&mut from) => {}
        _ = writer.join_next() => {}
    }
    let ended = connection.end().await;
    let finish = async {
        outbox.finish().await;
        writer.join_next().await
    };
    // A client that does not read what is left does not get it.
    at_most(drain, finish).await;
    ended.map_err(|source| ServeError::Close { source })
}

/// Writes what waits for the client, until that is all, or the client reads no more.
async fn write(mut to: impl Transmit, mut messages: Receiver<Outgoing>) {
    while let Some(Outgoing { text: Some(text), _held }) = messages.recv().await {
        if to.transmit(text).await.is_err() {
            return;
        }
    }
    // Whoever is not there any more need not know.
    let _ = to.finish().await;
}

impl Connection {
    fn new(core: Arc<Core>, outbox: Outbox) -> Self {
        Self { core, outbox, requests: Budget::for_requests(), sandbox: None, ready: false, calls: JoinSet::new() }
    }

    /// Does what the client says, to its end.
    async fn listen(&mut self, from: &mut impl Receive) {
        loop {
            let frame = tokio::select! {
                frame = from.receive() => frame,
                Some(_) = self.calls.join_next() => continue,
            };
            match frame {
                Some(Frame::Text(text)) => self.message(text).await,
                Some(Frame::Refused(why)) => self.refuse(&Id::none(), RpcError::invalid_request(why)).await,
                None => return,
            }
        }
    }

    async fn message(&mut self, text: String) {
        let held = self.requests.try_hold(text.len().saturating_mul(COPIES));
        let read = Incoming::parse(&text);
        drop(text);
        match read {
            Ok(Incoming::Request(request)) => self.request(request, held).await,
            Ok(Incoming::Note(method)) => self.note(&method).await,
            // Nothing was asked, so it answers nothing.
            Ok(Incoming::Answer) => {}
            Err(error) => self.refuse(&Id::none(), error).await,
        }
    }

    async fn note(&mut self, method: &str) {
        let error = match (method, &self.sandbox) {
            ("initialized", Some(_)) => {
                self.ready = true;
                return;
            }
            ("initialized", None) => RpcError::invalid_request("client must call initialize before it sends initialized"),
            _ => RpcError::invalid_request(format!("wisp does not know the notification `{}`", wisp_api::shown(method))),
        };
        self.refuse(&Id::none(), error).await;
    }

    async fn request(&mut self, request: Request, held: Option<Held>) {
        let Request { id, method, params } = request;
        if method == "initialize" {
            let answer = self.initialize(&params).await;
            self.outbox.answer(&id, answer).await;
            return;
        }
        match self.begin(method, params, held) {
            Ok((Work::Done(answer), _)) => self.outbox.answer(&id, answer).await,
            Ok((Work::Later(work), held)) => {
                let outbox = self.outbox.clone();
                let call = async move {
                    let answer = work.await;
                    outbox.answer(&id, answer).await;
                    drop(held);
                };
                #[expect(clippy::disallowed_methods, reason = "the set ends it")]
                self.calls.spawn(call);
            }
            Err(error) => self.refuse(&id, error).await,
        }
    }

    /// Begins a call, if the client may make one. Returns it with its memory.
    fn begin(&mut self, method: String, params: Params, held: Option<Held>) -> Result<(Work, Held), RpcError> {
        let family = methods::family(&method).ok_or_else(|| RpcError::unknown_method(&method))?;
        let sandbox = match &self.sandbox {
            Some(sandbox) if self.ready => sandbox,
            Some(_) => return Err(RpcError::invalid_request(format!("client must send initialized before using {family} methods"))),
            None => return Err(RpcError::invalid_request(format!("client must call initialize before using {family} methods"))),
        };
        while self.calls.try_join_next().is_some() {}
        let most = self.core.options.calls.max(1);
        // A client can always end what it waits for.
        if self.calls.len() >= most && !methods::at_once(&method) {
            return Err(RpcError::invalid_request(format!("{most} calls run, which is as many as a client may have: wait for an answer")));
        }
        let held = held.ok_or_else(|| RpcError::invalid_request("the calls that run are too large for another: wait for an answer"))?;
        Ok((methods::begin(sandbox, &self.outbox, method, params), held))
    }

    /// Implements `initialize`: opens what the client gets. It listens to nothing else in the meantime.
    async fn initialize(&mut self, params: &Params) -> Result<Reply, RpcError> {
        if self.sandbox.is_some() {
            return Err(RpcError::invalid_request("initialize may only be sent once per connection"));
        }
        let asked: Initialize = params.read()?;
        let opening = Sandbox::open(self.core.clone(), asked.resume_session_id);
        // If nobody waits for it any more, it is closed when it is open.
        #[expect(clippy::disallowed_methods, reason = "what it returns ends when that is dropped")]
        let opening = self.core.service.runtime().handle().spawn(opening);
        let opened = opening.await.unwrap_or_else(|failed| Err(RpcError::internal(format!("the session cannot be opened: {failed}"))))?;
        let sandbox = self.sandbox.insert(Arc::new(opened));
        Reply::of(&Initialized { session_id: sandbox.name(), environment_info: sandbox.environment() })
    }

    async fn refuse(&self, id: &Id, error: RpcError) {
        self.outbox.answer(id, Err(error)).await;
    }

    /// Ends what the client has started. Its calls get their answers if they end soon.
    async fn end(&mut self) -> Result<(), ServiceError> {
        let Some(sandbox) = self.sandbox.take() else { return Ok(()) };
        sandbox.kill();
        let calls = &mut self.calls;
        at_most(self.core.options.drain, async { while calls.join_next().await.is_some() {} }).await;
        calls.shutdown().await;
        sandbox.close().await
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Calls that are still being ended have the sandbox, too.
        if let Some(sandbox) = &self.sandbox {
            drop(sandbox.begin_to_close());
        }
    }
}
