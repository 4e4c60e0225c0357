//! A sandbox: a session of the service that is closed with its last object, and the order of what needs its interpreter or its shell.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};

use parking_lot::Mutex;
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};
use wisp_api::{ErrorCode, SessionId, SessionRequest};
use wisp_service::SessionHandle;

use crate::failure::Failure;
use crate::host::{Host, check_process, is_forked};

/// A session, which everything of a sandbox holds: its object, and those of its commands, evaluations and snapshots.
pub(crate) struct Sandbox {
    pub(crate) host: Arc<Host>,
    handle: SessionHandle,
    /// Its id in receipts.
    receipts: String,
    key: Option<String>,
    /// The interpreter evaluates one thing at a time, and the shell runs one script: others wait for their turn.
    pub(crate) python: Arc<Turn<()>>,
    pub(crate) shell: Arc<Turn<()>>,
}

/// The sandboxes that have keys. Each lives until it is closed, or its time is over.
#[derive(Default)]
pub(crate) struct Keyed {
    /// One at a time is opened: another of the same key finds it with its files.
    opening: Turn<()>,
    all: Mutex<HashMap<String, Arc<Sandbox>>>,
}

/// A sandbox to open.
pub(crate) struct Asked {
    pub(crate) request: SessionRequest,
    pub(crate) policy: wisp::Policy,
    /// The name by which the service offers exactly this policy.
    pub(crate) shipped: Option<&'static str>,
    /// Files to write, if it is a new one.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

/// The turns of the interpreter and the shell: nothing runs there while both are held.
pub(crate) type Turns = (OwnedMutexGuard<()>, OwnedMutexGuard<()>);

impl Sandbox {
    /// Opens a sandbox, or returns the one with the request's key.
    pub(crate) async fn open(host: Arc<Host>, asked: Asked) -> Result<Arc<Self>, Failure> {
        let Asked { request, policy, shipped, files } = asked;
        let key = request.key.clone();
        let _one = match key {
            Some(_) => Some(host.keyed.opening.lock().await),
            None => None,
        };
        let handle = match shipped {
            Some(name) => {
                let request = SessionRequest { policy: Some(name.to_owned()), ..request };
                host.service.open(&host.owner, request).await?
            }
            None => host.service.open_with(&host.owner, request, &policy, |builder| builder).await?,
        };
        if let Some(there) = key.as_deref().and_then(|key| host.keyed.find(key, handle.id())) {
            return Ok(there);
        }
        let sandbox = Self::new(&host, handle, key)?;
        let to = sandbox.handle.files()?;
        for (path, contents) in files {
            to.write(&path, contents).await?;
        }
        host.keyed.keep(&sandbox);
        Ok(sandbox)
    }

    /// Returns the sandbox of a session.
    pub(crate) fn new(host: &Arc<Host>, handle: SessionHandle, key: Option<String>) -> Result<Arc<Self>, Failure> {
        let receipts = handle.info()?.receipts_id;
        host.ledger.open(&receipts);
        Ok(Arc::new(Self { host: host.clone(), handle, receipts, key, python: Arc::default(), shell: Arc::default() }))
    }

    /// Returns the session.
    ///
    /// # Errors
    /// In a forked process.
    pub(crate) fn handle(&self) -> Result<&SessionHandle, Failure> {
        check_process()?;
        Ok(&self.handle)
    }

    /// Returns the id of the session.
    pub(crate) fn id(&self) -> &SessionId {
        self.handle.id()
    }

    /// Returns its id in receipts.
    pub(crate) fn receipts(&self) -> &str {
        &self.receipts
    }

    /// Waits until nothing runs in its interpreter and its shell.
    pub(crate) async fn turns(&self) -> Turns {
        // Always in this order.
        (self.python.clone().lock_owned().await, self.shell.clone().lock_owned().await)
    }

    /// Closes it: ends everything in it, and waits until nothing of it is left. Once more is no error.
    pub(crate) async fn close(&self) -> Result<(), Failure> {
        self.host.keyed.forget(self);
        match self.handle()?.close().await {
            Err(error) if error.code() != ErrorCode::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }
}

impl Drop for Sandbox {
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

impl Keyed {
    fn find(&self, key: &str, session: &SessionId) -> Option<Arc<Sandbox>> {
        self.all.lock().get(key).filter(|sandbox| sandbox.id() == session).cloned()
    }

    fn keep(&self, sandbox: &Arc<Sandbox>) {
        let Some(key) = sandbox.key.clone() else { return };
        let mut all = self.all.lock();
        let mut over: Vec<Arc<Sandbox>> = all.extract_if(|_, sandbox| sandbox.handle.info().is_err()).map(|(_, sandbox)| sandbox).collect();
        over.extend(all.insert(key, sandbox.clone()));
        // They are dropped without the lock.
        drop(all);
    }

    fn forget(&self, sandbox: &Sandbox) {
        let Some(key) = sandbox.key.as_deref() else { return };
        let mut all = self.all.lock();
        let own = all.get(key).is_some_and(|there| there.id() == sandbox.id());
        let forgotten = if own { all.remove(key) } else { None };
        drop(all);
        drop(forgotten);
    }
}
