//! A session that is open, and what it was opened with.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};

use bytes::Bytes;
use wisp::SessionBuilder;
use wisp_api::{ErrorCode, SessionRequest};
use wisp_service::SessionHandle;

use crate::failure::Failure;
use crate::function::Granted;
use crate::host::{Host, is_forked};
use crate::room::Room;

/// A sandbox to open. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Asked {
    pub(crate) request: SessionRequest,
    pub(crate) policy: wisp::Policy,
    /// The name by which the service offers exactly this policy.
    pub(crate) shipped: Option<&'static str>,
    /// The functions of the program that it may call.
    pub(crate) functions: Vec<Granted>,
    /// Where they are called.
    pub(crate) room: Arc<Room>,
    /// The values of the policy's secrets, by their variables.
    pub(crate) secrets: Vec<(String, String)>,
    /// Files to write, if it is a new one.
    pub(crate) files: Vec<(String, Bytes)>,
}

impl Asked {
    /// Opens a session, or finds the one with the request's key.
    pub(crate) async fn open(&self, host: &Host) -> Result<SessionHandle, Failure> {
        let request = self.request.clone();
        // What the service offers has neither functions nor secrets of this sandbox.
        if let Some(name) = self.shipped.filter(|_| self.functions.is_empty() && self.secrets.is_empty()) {
            let request = SessionRequest { policy: Some(name.to_owned()), ..request };
            return Ok(host.service.open(&host.owner, request).await?);
        }
        let (functions, secrets) = (self.functions.clone(), self.secrets.clone());
        let set = move |builder: SessionBuilder| {
            let builder = functions.into_iter().fold(builder, |builder, function| function.grant(builder));
            secrets.iter().fold(builder, |builder, (variable, value)| builder.secret(variable, value))
        };
        let handle = host.service.open_with(&host.owner, request, &self.policy, set).await?;
        self.room.open(handle.policy());
        Ok(handle)
    }
}

/// A session that is closed when this is dropped.
pub(crate) struct Opened {
    host: Arc<Host>,
    pub(crate) handle: SessionHandle,
    /// Its id in receipts.
    pub(crate) receipts: String,
}

impl Opened {
    /// Returns a session that is open.
    pub(crate) fn new(host: &Arc<Host>, handle: SessionHandle) -> Result<Self, Failure> {
        let receipts = handle.info()?.receipts_id;
        host.ledger.open(&receipts);
        Ok(Self { host: host.clone(), handle, receipts })
    }

    /// Writes files into it.
    pub(crate) async fn fill(&self, files: &[(String, Bytes)]) -> Result<(), Failure> {
        let to = self.handle.files()?;
        for (path, contents) in files {
            to.write(path, contents.clone()).await?;
        }
        Ok(())
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // What is left here in a forked process belongs to the other one.
        if is_forked() {
            return;
        }
        self.host.ledger.close(&self.receipts);
        // From here on it is not among those that are open. The rest needs no one who waits for it.
        let closing = pin!(self.handle.close());
        let _ = closing.poll(&mut Context::from_waker(Waker::noop()));
    }
}

/// Closes a session, and waits until nothing of it is left. One that is closed is no error.
pub(crate) async fn close(handle: &SessionHandle) -> Result<(), Failure> {
    match handle.close().await {
        Err(error) if error.code() != ErrorCode::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}
