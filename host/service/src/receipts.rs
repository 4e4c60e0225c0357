//! The receipts of sessions, as they happen.

use std::fmt;
use std::sync::Arc;

use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::broadcast::{self, Receiver, Sender};
use wisp::ReceiptSink;
use wisp_api::Receipt;

use crate::error::ServiceError;
use crate::session::SessionHandle;

/// How many receipts a reader may be behind. Attack: a guest that makes them faster than a client takes them.
const BEHIND: usize = 256;

/// Hands the receipts of a service's sessions to those who read them, and to the program.
pub(crate) struct Hub {
    readers: Sender<Arc<Receipt>>,
    program: Option<Arc<dyn ReceiptSink>>,
}

impl Hub {
    pub(crate) fn new(program: Option<Arc<dyn ReceiptSink>>) -> Arc<Self> {
        Arc::new(Self { readers: broadcast::channel(BEHIND).0, program })
    }
}

impl ReceiptSink for Hub {
    fn record(&self, receipt: &Receipt) {
        if let Some(program) = &self.program {
            program.record(receipt);
        }
        if self.readers.receiver_count() > 0 {
            // It fails only if the last reader has just gone.
            let _ = self.readers.send(Arc::new(receipt.clone()));
        }
    }
}

/// Reads the receipts of one session, from the moment on in which it was made ([`SessionHandle::receipts`]).
pub struct ReceiptReader {
    session: String,
    receiver: Receiver<Arc<Receipt>>,
}

/// What a [`ReceiptReader`] has read.
#[derive(Debug, Clone, PartialEq)]
pub enum ReceiptRead {
    /// A decision. Refusals that repeat each other are merged: all counts together add up to the number of attempts.
    Receipt(Arc<Receipt>),
    /// The reader was too slow: at most so many receipts are missing here.
    LeftOut(u64),
}

impl ReceiptReader {
    /// Waits for the next receipt; `None` if the service is gone. Nothing is lost if the future is dropped.
    pub async fn next(&mut self) -> Option<ReceiptRead> {
        loop {
            match self.receiver.recv().await {
                Ok(receipt) if receipt.session == self.session => return Some(ReceiptRead::Receipt(receipt)),
                Ok(_) => {}
                Err(RecvError::Lagged(count)) => return Some(ReceiptRead::LeftOut(count)),
                Err(RecvError::Closed) => return None,
            }
        }
    }

    /// Returns the next receipt if there is one already.
    pub fn now(&mut self) -> Option<ReceiptRead> {
        loop {
            match self.receiver.try_recv() {
                Ok(receipt) if receipt.session == self.session => return Some(ReceiptRead::Receipt(receipt)),
                Ok(_) => {}
                Err(TryRecvError::Lagged(count)) => return Some(ReceiptRead::LeftOut(count)),
                Err(TryRecvError::Empty | TryRecvError::Closed) => return None,
            }
        }
    }
}

impl fmt::Debug for ReceiptReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReceiptReader").field("session", &self.session).finish_non_exhaustive()
    }
}

impl SessionHandle {
    /// Returns a reader of the session's receipts from now on. It reads nothing of a session that the program gave a sink of its
    /// own (`SessionBuilder::receipts`).
    ///
    /// # Errors
    /// If the session is closed.
    pub fn receipts(&self) -> Result<ReceiptReader, ServiceError> {
        let session = self.call()?.session().id().to_owned();
        Ok(ReceiptReader { session, receiver: self.service.inner().receipts.readers.subscribe() })
    }
}
