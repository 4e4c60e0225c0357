//! The body of a request, as a stream: only the current piece is held in memory.

use core::pin::Pin;
use core::task::{Context, Poll};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::sync::mpsc;
use wisp_policy::schema::Key;

use super::failure::{By, Code, Failure};
use super::limits::Budget;

/// Writes the body of a request. Dropping it without [`BodySender::finish`] abandons the request.
pub struct BodySender {
    pieces: mpsc::Sender<Bytes>,
    complete: Arc<AtomicBool>,
}

impl BodySender {
    /// Returns whether a piece can be sent now; `None` if the receiver is gone.
    pub fn room(&self) -> Option<bool> {
        (!self.pieces.is_closed()).then(|| self.pieces.capacity() > 0)
    }

    /// Waits until a piece can be sent, or the receiver is gone.
    pub async fn ready(&self) {
        // The slot is free again when this returns, and only this sender can fill it.
        drop(self.pieces.reserve().await);
    }

    /// Sends a piece. Returns false if there is no room.
    pub fn send(&self, piece: Bytes) -> bool {
        piece.is_empty() || self.pieces.try_send(piece).is_ok()
    }

    /// Marks the body as complete; it ends when this sender is dropped.
    pub fn finish(&self) {
        self.complete.store(true, Ordering::Release);
    }
}

/// The body of a request.
pub struct RequestBody {
    pieces: Option<mpsc::Receiver<Bytes>>,
    complete: Arc<AtomicBool>,
    /// Pieces that were received to find out the length of the body.
    ahead: VecDeque<Bytes>,
    /// The length, if it is known.
    length: Option<u64>,
    limit: u64,
    /// The bytes that all bodies of the session share; `None` if they were counted before.
    budget: Option<Budget>,
    sent: Arc<AtomicU64>,
}

impl RequestBody {
    /// Returns an empty body.
    pub fn empty() -> Self {
        Self {
            pieces: None,
            complete: Arc::default(),
            ahead: VecDeque::new(),
            length: Some(0),
            limit: 0,
            budget: None,
            sent: Arc::default(),
        }
    }

    /// Returns a body with these bytes.
    pub fn whole(bytes: Bytes) -> Self {
        let length = Some(bytes.len() as u64);
        Self { ahead: Some(bytes).filter(|bytes| !bytes.is_empty()).into_iter().collect(), length, limit: u64::MAX, ..Self::empty() }
    }

    /// Returns a body that is written piece by piece.
    pub fn channel() -> (BodySender, Self) {
        let (sender, pieces) = mpsc::channel(1);
        let complete = Arc::new(AtomicBool::new(false));
        let body = Self { pieces: Some(pieces), complete: complete.clone(), length: None, ..Self::empty() };
        (BodySender { pieces: sender, complete }, body)
    }

    /// Applies the limits of the policy, and the length in the request's header.
    pub(super) fn bounded(mut self, limit: u64, budget: &Budget, length: Option<u64>) -> Result<Self, Failure> {
        self.limit = limit;
        self.budget = Some(budget.clone());
        if let Some(length) = length {
            if length > limit {
                return Err(too_large(limit));
            }
            if length > budget.left() {
                return Err(sending_too_much(budget));
            }
            if self.pieces.is_none() && self.length != Some(length) {
                return Err(other_length(length, self.length.unwrap_or_default()));
            }
            self.length = Some(length);
        }
        Ok(self)
    }

    /// Returns the number of bytes sent, which can be read during the transfer.
    pub(super) fn sent(&self) -> Arc<AtomicU64> {
        self.sent.clone()
    }

    /// Waits for two pieces or the end: a body that is complete after the first piece needs no chunked encoding, which
    /// some servers do not understand.
    pub(super) async fn settle(&mut self) {
        let (None, Some(pieces)) = (self.length, &mut self.pieces) else { return };
        for _ in 0..2 {
            match pieces.recv().await {
                Some(piece) => self.ahead.push_back(piece),
                None => break,
            }
        }
        if self.ahead.len() < 2 && self.complete.load(Ordering::Acquire) {
            self.length = Some(self.ahead.front().map_or(0, |piece| piece.len() as u64));
        }
    }

    /// Returns the whole body, if it has at most `most` bytes.
    pub(super) async fn collect(mut self, most: u64) -> Result<Vec<u8>, Failure> {
        let mut whole = Vec::new();
        while let Some(piece) = std::future::poll_fn(|cx| self.poll_piece(cx)).await {
            whole.extend_from_slice(&piece?);
            if whole.len() as u64 > most {
                return Err(Failure::new(
                    Code::RequestBodySize(most),
                    format!("a body into which a secret is put can have at most {most} bytes"),
                )
                .by(By::BuiltIn));
            }
        }
        Ok(whole)
    }

    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Failure>>> {
        let piece = match (self.ahead.pop_front(), &mut self.pieces) {
            (Some(piece), _) => Some(piece),
            (None, Some(pieces)) => std::task::ready!(pieces.poll_recv(cx)),
            (None, None) => None,
        };
        let Some(piece) = piece else {
            let sent = self.sent.load(Ordering::Relaxed);
            let failure = match self.length {
                _ if self.pieces.is_some() && !self.complete.load(Ordering::Acquire) => {
                    Some(Failure::new(Code::Protocol, "the program abandoned the request before its body was complete"))
                }
                Some(length) if length != sent => Some(other_length(length, sent)),
                _ => None,
            };
            self.pieces = None;
            // Polling again after the end returns the end.
            self.length = Some(sent);
            return Poll::Ready(failure.map(Err));
        };
        let sent = self.sent.fetch_add(piece.len() as u64, Ordering::Relaxed) + piece.len() as u64;
        if sent > self.limit {
            return Poll::Ready(Some(Err(too_large(self.limit))));
        }
        if let Some(budget) = &self.budget
            && budget.take(piece.len() as u64) < piece.len() as u64
        {
            return Poll::Ready(Some(Err(sending_too_much(budget))));
        }
        match self.length {
            Some(length) if sent > length => Poll::Ready(Some(Err(other_length(length, sent)))),
            _ => Poll::Ready(Some(Ok(piece))),
        }
    }
}

fn too_large(limit: u64) -> Failure {
    let reason = format!("the body is larger than `network.max_request` allows ({limit} bytes)");
    Failure::new(Code::RequestBodySize(limit), reason).by(Key::MaxRequest).help("raise `max_request` of `[network]`")
}

/// Returns the failure for a body that uses up the session's bytes.
fn sending_too_much(budget: &Budget) -> Failure {
    let failure = budget.exceeded();
    match failure.code {
        Code::ResponseBodySize(most) => Failure { code: Code::RequestBodySize(most), ..failure },
        _ => failure,
    }
}

fn other_length(length: u64, sent: u64) -> Failure {
    Failure::new(Code::RequestBodySize(sent), format!("`Content-Length` says {length} bytes, and the body has {sent}"))
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = Failure;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Failure>>> {
        self.poll_piece(cx).map(|piece| piece.map(|piece| piece.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.pieces.is_none() && self.ahead.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        match self.length {
            Some(length) => SizeHint::with_exact(length.saturating_sub(self.sent.load(Ordering::Relaxed))),
            None => SizeHint::default(),
        }
    }
}
