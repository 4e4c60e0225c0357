//! The body of a response, as a stream: only the current piece is held in memory.

use core::task::{Context, Poll};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::OwnedSemaphorePermit;

use super::failure::{Code, Failure};
use super::mask::Masker;
use super::net::Net;
use super::receipt::Record;
use super::unmasked::Unmasked;
use super::wire::{Coming, Driver};
use wisp_policy::schema::Key;

/// What a request holds until its response is over, in the order of release: the connection, its turn, its record.
pub(super) struct Held {
    pub(super) _driver: Driver,
    pub(super) _turn: OwnedSemaphorePermit,
    pub(super) record: Record,
    pub(super) sent: Arc<AtomicU64>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.record.attempt.sent = self.sent.load(Ordering::Relaxed);
    }
}

/// The body of a response. Dropping it closes the connection.
pub struct ResponseBody {
    net: Net,
    incoming: Coming,
    held: Option<Held>,
    request: String,
    masker: Masker,
    limit: u64,
    received: u64,
    total: BoxFuture<'static, ()>,
    between: Option<(Duration, BoxFuture<'static, ()>)>,
    /// The failure that ends it, after the pieces before.
    last: Option<Failure>,
    ended: bool,
}

impl ResponseBody {
    pub(super) fn new(
        net: Net,
        incoming: Coming,
        held: Held,
        request: String,
        masker: Masker,
        deadline: Instant,
        between: Option<Duration>,
    ) -> Self {
        let wait = &net.inner.wait;
        Self {
            total: wait(deadline),
            between: between.map(|time| (time, wait(Instant::now() + time))),
            limit: net.inner.policy.max_response,
            net,
            incoming,
            held: Some(held),
            request,
            masker,
            received: 0,
            last: None,
            ended: false,
        }
    }

    /// Polls for the next piece; `None` at the end. Nothing follows a failure.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Failure>>> {
        loop {
            if self.ended {
                return Poll::Ready(self.last.take().map(Err));
            }
            if self.total.poll_unpin(cx).is_ready() {
                let reason = "the response took longer than `network.timeout` allows";
                self.end(Some(Failure::new(Code::ResponseTimeout, reason).by(Key::NetworkTimeout).into()));
                continue;
            }
            let piece = match self.incoming.poll_next(cx) {
                Poll::Ready(piece) => piece,
                Poll::Pending => {
                    let late = self.between.as_mut().is_some_and(|(_, sleep)| sleep.poll_unpin(cx).is_ready());
                    if !late {
                        return Poll::Pending;
                    }
                    self.end(Some(Failure::new(Code::ReadTimeout, "the response paused longer than the program wanted to wait").into()));
                    continue;
                }
            };
            if let Some((time, sleep)) = &mut self.between {
                *sleep = (self.net.inner.wait)(Instant::now() + *time);
            }
            match piece {
                Some(Ok(mut data)) => {
                    let length = data.len() as u64;
                    let left = self.limit - self.received;
                    let room = self.net.inner.limits.bytes.take(length.min(left));
                    self.received += room;
                    if room < length {
                        let over = if room < left { self.net.inner.limits.bytes.exceeded() } else { response_too_large(self.limit) };
                        data.truncate(usize::try_from(room).unwrap_or(usize::MAX));
                        let mut rest = data.masked(&mut self.masker).to_vec();
                        rest.extend_from_slice(&self.masker.cut());
                        self.end(Some(over.into()));
                        if !rest.is_empty() {
                            return Poll::Ready(Some(Ok(rest.into())));
                        }
                        continue;
                    }
                    let data = data.masked(&mut self.masker);
                    if !data.is_empty() {
                        return Poll::Ready(Some(Ok(data)));
                    }
                }
                Some(Err(failure)) => self.end(Some(failure)),
                None => {
                    let rest = self.masker.finish();
                    self.end(None);
                    if !rest.is_empty() {
                        return Poll::Ready(Some(Ok(rest)));
                    }
                }
            }
        }
    }

    fn end(&mut self, failure: Option<Unmasked<Failure>>) {
        self.ended = true;
        self.last = failure.map(|failure| self.net.inner.for_guest(failure, &self.request, self.masker.needles()));
        self.let_go();
    }

    fn let_go(&mut self) {
        if let Some(mut held) = self.held.take() {
            held.record.attempt.received = self.received;
            if let Some(failure) = &self.last {
                held.record.failed(failure);
            }
        }
    }
}

impl Drop for ResponseBody {
    fn drop(&mut self) {
        self.let_go();
    }
}

pub(super) fn response_too_large(limit: u64) -> Failure {
    let reason = format!("the response is larger than `network.max_response` allows ({limit} bytes)");
    Failure::new(Code::ResponseBodySize(limit), reason).by(Key::MaxResponse).help("raise `max_response` of `[network]`")
}
