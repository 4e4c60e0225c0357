//! A sandbox: a session of the service that is closed with its last object, and the order of what needs its interpreter or its shell.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};
use wisp::policy::HostFiles;
use wisp_api::{ErrorCode, FunctionInfo, SessionId, SessionInfo};
use wisp_service::SessionHandle;

use crate::failure::Failure;
use crate::function::{Function, Granted, Identity, allowing};
use crate::host::{Host, check_process};
use crate::opened::{Asked, Opened, close};

/// A session, which everything of a sandbox holds: its object, and those of its commands, evaluations and snapshots.
pub(crate) struct Sandbox {
    pub(crate) host: Arc<Host>,
    /// Its id, also if it is opened again.
    id: SessionId,
    pub(crate) key: Option<String>,
    current: Mutex<Current>,
    /// It is opened again, or closed, by one at a time.
    opening: Turn<()>,
    /// The interpreter evaluates one thing at a time, and the shell runs one script: others wait for their turn.
    pub(crate) python: Arc<Turn<()>>,
    pub(crate) shell: Arc<Turn<()>>,
}

/// Its session now.
struct Current {
    session: Opened,
    /// Until something is asked of it, if it is a new one.
    unused: Option<Unused>,
    /// The functions of the program that it was given, by name.
    given: BTreeMap<String, Identity>,
}

/// A session in which nothing has happened: it can be opened again. What a session may call is decided when it is opened, so this is
/// how a function is added that the program registers later.
struct Unused {
    asked: Asked,
    /// Its policy with the functions that were added; none if there are none, and the session is as it should be.
    added: Option<wisp::Policy>,
    /// It is being opened again: no function is added any more.
    opening: bool,
}

/// The turns of the interpreter and the shell: nothing runs there while both are held.
pub(crate) type Turns = (OwnedMutexGuard<()>, OwnedMutexGuard<()>);

impl Sandbox {
    /// Opens a sandbox, or returns the one with the request's key.
    pub(crate) async fn open(host: Arc<Host>, asked: Asked) -> Result<Arc<Self>, Failure> {
        let key = asked.request.key.clone();
        let _one = match key {
            Some(_) => Some(host.keyed.opening.lock().await),
            None => None,
        };
        let handle = asked.open(&host).await?;
        if let Some(there) = key.as_deref().and_then(|key| host.keyed.find(key, handle.id())) {
            there.check_functions(&asked.functions)?;
            return Ok(there);
        }
        let session = Opened::new(&host, handle)?;
        session.fill(&asked.files).await?;
        let sandbox = Self::make(&host, session, key, Some(Unused { asked, added: None, opening: false }));
        host.keyed.keep(&sandbox);
        Ok(sandbox)
    }

    /// Returns the sandbox of a session that has what it needs: functions cannot be added.
    pub(crate) fn new(host: &Arc<Host>, handle: SessionHandle) -> Result<Arc<Self>, Failure> {
        Ok(Self::make(host, Opened::new(host, handle)?, None, None))
    }

    fn make(host: &Arc<Host>, session: Opened, key: Option<String>, unused: Option<Unused>) -> Arc<Self> {
        let functions = unused.iter().flat_map(|unused| &unused.asked.functions);
        let given = functions.map(|function| (function.info.name.clone(), function.identity)).collect();
        Arc::new(Self {
            host: host.clone(),
            id: session.handle.id().clone(),
            key,
            current: Mutex::new(Current { session, unused, given }),
            opening: Turn::default(),
            python: Arc::default(),
            shell: Arc::default(),
        })
    }

    /// Returns the session as it is, for what is known about it. What asks something of it uses [`ready`](Self::ready).
    ///
    /// # Errors
    /// In a forked process.
    pub(crate) fn handle(&self) -> Result<SessionHandle, Failure> {
        check_process()?;
        Ok(self.current.lock().session.handle.clone())
    }

    /// Returns the session, in which something happens from now on. If functions were added, it is opened again first; that goes on if
    /// the caller stops waiting.
    ///
    /// # Errors
    /// In a forked process, and if it cannot be opened again.
    pub(crate) async fn ready(self: &Arc<Self>) -> Result<SessionHandle, Failure> {
        check_process()?;
        if let Some(handle) = self.begun() {
            return Ok(handle);
        }
        let sandbox = self.clone();
        let opened = async move {
            let _one = sandbox.opening.lock().await;
            sandbox.open_anew().await
        };
        self.host.carried(opened).await
    }

    /// Notes that the session is used, and returns it, unless it must be opened again.
    fn begun(&self) -> Option<SessionHandle> {
        let mut current = self.current.lock();
        if current.unused.as_ref().is_some_and(|unused| unused.added.is_some()) {
            return None;
        }
        let (handle, unused) = (current.session.handle.clone(), current.unused.take());
        // It is dropped without the lock.
        drop(current);
        drop(unused);
        Some(handle)
    }

    /// Opens the session again, unless another call has done it, or the sandbox is closed.
    async fn open_anew(&self) -> Result<SessionHandle, Failure> {
        let asked = self.current.lock().unused.as_mut().map(|unused| {
            unused.opening = true;
            unused.asked.clone()
        });
        let Some(asked) = asked else { return self.handle() };
        let opened = self.opened(&asked).await;
        let mut current = self.current.lock();
        match opened {
            Ok(session) => {
                let (handle, unused) = (session.handle.clone(), current.unused.take());
                let old = std::mem::replace(&mut current.session, session);
                // They are dropped without the lock.
                drop(current);
                drop((old, unused));
                Ok(handle)
            }
            Err(failure) => {
                // The next call tries it again.
                if let Some(unused) = &mut current.unused {
                    unused.opening = false;
                }
                Err(failure)
            }
        }
    }

    /// Returns another session, with its files.
    async fn opened(&self, asked: &Asked) -> Result<Opened, Failure> {
        let _one = match self.key {
            Some(_) => {
                let one = self.host.keyed.opening.lock().await;
                // Two cannot have one key.
                close(&self.handle()?).await?;
                Some(one)
            }
            None => None,
        };
        let session = Opened::new(&self.host, asked.open(&self.host).await?)?;
        session.fill(&asked.files).await?;
        Ok(session)
    }

    /// Gives it a function, in place of one with the same name.
    ///
    /// # Errors
    /// If something was asked of it already, and if a policy can allow no such function.
    pub(crate) fn add(&self, function: &Function) -> Result<(), Failure> {
        check_process()?;
        let mut current = self.current.lock();
        let current = &mut *current;
        current.session.handle.info()?;
        let policy = current.session.handle.policy().clone();
        let Some(unused) = current.unused.as_mut().filter(|unused| !unused.opening) else {
            return Err(Failure::new(
                ErrorCode::Conflict,
                format!(
                    "the sandbox is in use, and what it may call was decided before: register `{}` before the first call, or pass it to \
                     `create` (`functions=[…]`)",
                    function.name()
                ),
            ));
        };
        let mut functions = unused.asked.functions.clone();
        functions.retain(|other| other.info.name != function.name());
        let granted = function.granted(&self.host, &unused.asked.room);
        let (name, identity) = (granted.info.name.clone(), granted.identity);
        functions.push(granted);
        unused.added = Some(policy.with(&HostFiles, &allowing(&functions))?);
        unused.asked.functions = functions;
        current.given.insert(name, identity);
        Ok(())
    }

    /// Refuses functions that it lacks, and those in whose place it has another one: that may be another user's.
    fn check_functions(&self, functions: &[Granted]) -> Result<(), Failure> {
        let wrong = {
            let current = self.current.lock();
            functions.iter().find_map(|function| {
                let there = current.given.get(&function.info.name);
                (there != Some(&function.identity)).then(|| (function.info.name.clone(), there.is_some()))
            })
        };
        let Some((name, other)) = wrong else { return Ok(()) };
        let key = self.key.as_deref().unwrap_or_default().escape_debug();
        let message = match other {
            true => format!(
                "the sandbox with the key `{key}` has another function `{name}`: pass the same object each time, not one that is made anew \
                 (a closure, a `partial`), or leave it out; or take another key, or close that sandbox first"
            ),
            false => format!(
                "the sandbox with the key `{key}` was made without the function `{name}`: take another key, or close that sandbox first"
            ),
        };
        Err(Failure::new(ErrorCode::Conflict, message))
    }

    /// Returns the functions outside the sandbox that it may call, sorted by name.
    pub(crate) fn functions(&self) -> Result<Vec<FunctionInfo>, Failure> {
        let handle = self.handle()?;
        let mut infos: BTreeMap<String, FunctionInfo> = handle.functions()?.into_iter().map(|info| (info.name.clone(), info)).collect();
        let current = self.current.lock();
        if let Some((unused, policy)) = current.unused.as_ref().and_then(|unused| Some((unused, unused.added.as_ref()?))) {
            infos.extend(unused.asked.functions.iter().map(|function| {
                let rule = policy.function_rule(&function.info.name).to_string();
                (function.info.name.clone(), FunctionInfo { rule, ..function.info.clone() })
            }));
        }
        drop(current);
        Ok(infos.into_values().collect())
    }

    /// Returns its policy, with what was added.
    pub(crate) fn policy(&self) -> Result<wisp::Policy, Failure> {
        check_process()?;
        let current = self.current.lock();
        let added = current.unused.as_ref().and_then(|unused| unused.added.clone());
        Ok(added.unwrap_or_else(|| current.session.handle.policy().clone()))
    }

    /// Returns what is known about it.
    pub(crate) fn info(&self) -> Result<SessionInfo, Failure> {
        Ok(SessionInfo { id: self.id.clone(), ..self.handle()?.info()? })
    }

    /// Returns its id.
    pub(crate) fn id(&self) -> &SessionId {
        &self.id
    }

    /// Returns whether this is its session now.
    pub(crate) fn has(&self, session: &SessionId) -> bool {
        self.current.lock().session.handle.id() == session
    }

    /// Returns whether its session is closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.current.lock().session.handle.info().is_err()
    }

    /// Returns its id in receipts.
    pub(crate) fn receipts(&self) -> String {
        self.current.lock().session.receipts.clone()
    }

    /// Waits until nothing runs in its interpreter and its shell.
    pub(crate) async fn turns(&self) -> Turns {
        // Always in this order.
        (self.python.clone().lock_owned().await, self.shell.clone().lock_owned().await)
    }

    /// Closes it: ends everything in it, and waits until nothing of it is left. Once more is no error.
    pub(crate) async fn close(&self) -> Result<(), Failure> {
        check_process()?;
        let _one = self.opening.lock().await;
        let (handle, unused) = {
            let mut current = self.current.lock();
            (current.session.handle.clone(), current.unused.take())
        };
        drop(unused);
        let closed = close(&handle).await;
        // Until here its key finds it, and not another one of the same session.
        self.host.keyed.forget(self);
        closed
    }
}
