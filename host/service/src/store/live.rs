//! Live sessions that a store keeps: opened where they stopped, saved while they live, parked.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use wisp::{Policy, SessionBuilder};
use wisp_api::SessionRequest;

use super::{KeptSession, Saved};
use crate::error::ServiceError;
use crate::interpreter::Taken;
use crate::open::check_request;
use crate::registry::Owner;
use crate::service::Service;
use crate::session::{Entry, SessionHandle};

/// The name of the shell that a store keeps.
const SHELL: &str = "main";

/// The name of the interpreter that a store keeps, and its tool: what a request for code means if it names none.
const PYTHON: (&str, &str) = ("python", "python3");

impl Service {
    /// Opens a session that a store keeps, where it stopped: with its files, the state of its shell as the shell `main`, and its
    /// interpreter as `python`. A session that has kept nothing yet begins under `policy`; `None` for one that has begun, which refuses
    /// another policy than its own. `set` changes what it does in [`Service::open_with`].
    ///
    /// The session has `kept` until it is closed, so nobody else opens it. [`SessionHandle::keep`] and [`SessionHandle::park`] save it. One
    /// whose time is over is saved before it is closed, if nothing runs in it. If a caller closes it, or the runtime is shut down, what
    /// changed since it was saved is lost.
    ///
    /// # Errors
    /// If what was kept cannot be continued, the request names a policy or variables, its key is taken, a limit of the service is
    /// reached, or the session cannot be made.
    pub async fn open_kept(
        &self,
        owner: &Owner,
        request: SessionRequest,
        mut kept: KeptSession,
        policy: Option<Policy>,
        set: impl FnOnce(SessionBuilder) -> SessionBuilder + Send + 'static,
    ) -> Result<SessionHandle, ServiceError> {
        if request.policy.is_some() || !request.env.is_empty() {
            return Err(ServiceError::Invalid(
                "a kept session has the policy and the environment that it began with: leave out `policy` and `env`",
            ));
        }
        check_request(&request)?;
        let policy = kept.policy(policy)?;
        let (opening, owner) = (self.opening(owner)?, owner.clone());
        self.on(async move {
            let service = opening.service.clone();
            let builder = service.runtime().engine().session(&policy).receipts(service.inner().receipts.clone());
            let session = set(builder).build().await?;
            let mut shell = kept.resume(&session).await?;
            let python = if kept.has_python() { Some(kept.python(&session, &mut shell).await?) } else { None };
            let entry = service.entry(&owner, request, session, policy.digest())?;
            if !shell.state().is_empty() {
                entry.shells.replace(BTreeMap::from([(SHELL.to_owned(), shell)]));
            }
            if let Some(python) = python {
                entry.interpreters.put(PYTHON.0.to_owned(), PYTHON.1.to_owned(), python);
            }
            *entry.kept.lock().await = Some(kept);
            match service.insert(&entry, &opening)? {
                None => Ok(SessionHandle::new(service, entry)),
                Some(_) => Err(ServiceError::KeyTaken { key: entry.key.clone().unwrap_or_default() }),
            }
        })
        .await
    }
}

impl SessionHandle {
    /// Saves a session that was opened by [`Service::open_kept`] in its store: its files, the shell `main` and the interpreter `python`.
    /// It goes on. Other shells and interpreters are not kept, and are named in the answer. Commands may run, and are no part of it.
    ///
    /// # Errors
    /// If the session is no kept one, a shell or an interpreter runs something, or something cannot be written.
    pub async fn keep(&self) -> Result<Saved, ServiceError> {
        let call = self.call()?;
        self.service.on(async move { save(&call.entry, || {}).await }).await
    }

    /// Saves it, as [`SessionHandle::keep`] does, and closes it: its store can open it again. If it cannot be saved, it stays open.
    /// Between the two, nothing runs in the shell `main` and the interpreter `python`.
    ///
    /// # Errors
    /// Those of [`SessionHandle::keep`] and [`SessionHandle::close`].
    pub async fn park(&self) -> Result<Saved, ServiceError> {
        let call = self.call()?;
        let park = async move {
            let mut closing = None;
            let saved = save(&call.entry, || closing = call.service.remove(&call.entry)).await?;
            // Another call may close it at this moment.
            closing.ok_or_else(|| ServiceError::not_found("session", &call.entry.id))?.await;
            Ok(saved)
        };
        self.service.on(park).await
    }
}

/// Saves a session in its store. Nothing runs in its shells and interpreters. Calls `done` when it is saved, while nothing runs in what
/// was saved.
pub(crate) async fn save(entry: &Arc<Entry>, done: impl FnOnce()) -> Result<Saved, ServiceError> {
    // Held to the end: one saves at a time.
    let _still = entry.still.write().await;
    let place = entry.kept.lock().await;
    let Some(kept) = &*place else { return Err(ServiceError::NotKept { id: entry.id.to_string() }) };
    let mut shells = entry.shells.all()?;
    let shell = shells.remove(SHELL).unwrap_or_else(|| entry.session.shell_from(Bytes::new()));
    let taken = Taken::all(entry, "is being kept")?;
    let (mut python, rest): (Vec<_>, Vec<_>) = taken.into_iter().partition(|taken| (&*taken.name, &*taken.tool) == PYTHON);
    let shells = shells.into_keys().map(|name| format!("the shell {name}"));
    let others: Vec<String> = shells.chain(rest.iter().map(|taken| format!("the interpreter {}", taken.name))).collect();
    // They may evaluate while the files are written.
    drop(rest);
    let python = python.first_mut().and_then(Taken::get);
    if entry.session.is_closed() {
        // Then it is not there for that reason, and the one that was kept stays.
        return Err(ServiceError::not_found("session", &entry.id));
    }
    if python.is_none() {
        // It was closed.
        kept.forget_python()?;
    }
    let mut saved = kept.keep(&shell, python).await?;
    done();
    saved.not_carried.extend(others);
    Ok(saved)
}
