//! What waits to be written to the client, in order.

use futures_util::future::BoxFuture;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::mpsc::{self, Receiver, Sender};

use crate::bounds::{Budget, COPIES, Held};
use crate::error::RpcError;
use crate::message::{self, Id};

/// Messages that may wait. A client that does not read is not listened to until it reads.
const WAITING: usize = 64;

/// Where messages to the client go. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Outbox {
    sender: Sender<Outgoing>,
    budget: Budget,
}

/// A message to write; `None` for the end.
pub(crate) struct Outgoing {
    pub(crate) text: Option<String>,
    /// Its memory, until it is written.
    pub(crate) _held: Option<Held>,
}

/// The result of a call.
pub(crate) struct Reply {
    result: Box<RawValue>,
    /// The memory of what it was made of.
    held: Option<Held>,
    /// What is done when it is sent.
    then: Option<BoxFuture<'static, ()>>,
}

impl Reply {
    /// Returns the reply with this result.
    pub(crate) fn of(result: &impl Serialize) -> Result<Self, RpcError> {
        let result = serde_json::value::to_raw_value(result).map_err(|error| RpcError::internal(error.to_string()))?;
        Ok(Self { result, held: None, then: None })
    }

    /// Returns the same with the memory that was reserved for it.
    pub(crate) fn holding(self, held: Option<Held>) -> Self {
        Self { held, ..self }
    }

    /// Returns the same, and what is done when it is sent.
    pub(crate) fn then(self, work: impl Future<Output = ()> + Send + 'static) -> Self {
        Self { then: Some(Box::pin(work)), ..self }
    }
}

impl Outbox {
    pub(crate) fn new() -> (Self, Receiver<Outgoing>) {
        let (sender, receiver) = mpsc::channel(WAITING);
        (Self { sender, budget: Budget::for_answers() }, receiver)
    }

    /// Waits until there is room for an answer that is made of so many bytes.
    pub(crate) async fn reserve(&self, bytes: u64) -> Option<Held> {
        self.budget.hold(usize::try_from(bytes).unwrap_or(usize::MAX).saturating_mul(COPIES)).await
    }

    /// Answers a call. Waits until there is room.
    pub(crate) async fn answer(&self, id: &Id, result: Result<Reply, RpcError>) {
        match result {
            Ok(Reply { result, held, then }) => {
                self.send(message::result(id, &result), held).await;
                if let Some(then) = then {
                    then.await;
                }
            }
            Err(error) => self.send(message::refusal(id, &error), None).await,
        }
    }

    /// Tells the client something. Waits until there is room.
    pub(crate) async fn note(&self, method: &str, params: &impl Serialize) {
        self.send(message::note(method, params), None).await;
    }

    /// Lets the writer end when it has written everything that waits.
    pub(crate) async fn finish(&self) {
        let _ = self.sender.send(Outgoing { text: None, _held: None }).await;
    }

    async fn send(&self, text: String, held: Option<Held>) {
        let held = match held {
            Some(held) => Some(held),
            None => self.budget.hold(text.len()).await,
        };
        // It fails only if the client reads no more: then its connection ends.
        let _ = self.sender.send(Outgoing { text: Some(text), _held: held }).await;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn what_follows_an_answer_comes_after_it() {
        let (outbox, mut receiver) = Outbox::new();
        let later = outbox.clone();
        let reply = Reply::of(&json!({ "status": 200 })).expect("JSON");
        let reply = reply.then(async move { later.note("http/request/bodyDelta", &json!({ "seq": 1 })).await });
        outbox.answer(&Id::none(), Ok(reply)).await;
        outbox.answer(&Id::none(), Err(RpcError::not_found("no"))).await;
        outbox.finish().await;
        let mut texts = Vec::new();
        while let Some(Outgoing { text: Some(text), .. }) = receiver.recv().await {
            texts.push(text);
        }
        let expected = [
            r#"{"id":-1,"result":{"status":200}}"#,
            r#"{"method":"http/request/bodyDelta","params":{"seq":1}}"#,
            r#"{"id":-1,"error":{"code":-32004,"message":"no"}}"#,
        ];
        assert_eq!(texts, expected);
    }
}
