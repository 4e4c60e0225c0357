//! The shells of a session, whose state stays from one script to the next.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use wisp::{Command, Running, Shell, ShellCall};

use crate::error::ServiceError;
use crate::session::{Call, Entry, SessionHandle};
use crate::timer::now;

/// Maximum shells of a session.
const SHELLS: usize = 64;

/// Maximum bytes of the state of all of them together, before a script starts (128 MiB). A script can give its shell 64 MiB, which no
/// limit of the policy counts when it has ended.
const STATES: usize = 128 << 20;

/// The shells by name.
#[derive(Default)]
pub(crate) struct Shells(Mutex<BTreeMap<String, Place>>);

/// A shell, and what it does.
enum Place {
    Free(Shell),
    /// It runs a script, or has run one whose state it has not taken yet.
    Runs(Shell, ShellCall),
    /// A call has it, which starts a script.
    Starts,
}

impl Place {
    /// Returns the bytes of its state; of a script that runs, before that.
    fn state_bytes(&self) -> usize {
        match self {
            Self::Free(shell) | Self::Runs(shell, _) => shell.state().len(),
            Self::Starts => 0,
        }
    }

    /// Takes the state of a script that has ended. So a shell is free as soon as anyone can know that its script has ended, whether
    /// or not anyone waits for that.
    fn collected(self) -> Self {
        let Self::Runs(mut shell, script) = self else { return self };
        if now(script.running().wait()).is_none() {
            return Self::Runs(shell, script);
        }
        // If this fails, the shell has the state that it had before.
        let _ = now(shell.finish(script));
        Self::Free(shell)
    }

    /// Collects in place. Returns the shell if it is free.
    fn free(&mut self) -> Option<&mut Shell> {
        *self = std::mem::replace(self, Self::Starts).collected();
        match self {
            Self::Free(shell) => Some(shell),
            Self::Runs(..) | Self::Starts => None,
        }
    }
}

impl Shells {
    pub(crate) fn names(&self) -> Vec<String> {
        self.0.lock().keys().cloned().collect()
    }

    pub(crate) fn clear(&self) {
        drop(std::mem::take(&mut *self.0.lock()));
    }

    /// Returns copies of all shells.
    ///
    /// # Errors
    /// If one runs a script.
    pub(crate) fn all(&self) -> Result<BTreeMap<String, Shell>, ServiceError> {
        let mut shells = self.0.lock();
        let copy = |(name, place): (&String, &mut Place)| {
            let shell = place.free().ok_or_else(|| busy(name))?;
            Ok((name.clone(), shell.clone()))
        };
        shells.iter_mut().map(copy).collect()
    }

    /// Replaces all shells.
    pub(crate) fn replace(&self, shells: BTreeMap<String, Shell>) {
        *self.0.lock() = shells.into_iter().map(|(name, shell)| (name, Place::Free(shell))).collect();
    }
}

fn busy(name: &str) -> ServiceError {
    ServiceError::Busy { kind: "shell", name: name.to_owned(), doing: "runs a script" }
}

/// A shell in which a call starts a script. Its place is as it was if this is dropped before the script runs.
struct Starting {
    entry: Arc<Entry>,
    name: String,
    /// `None` for a new shell.
    old: Option<Shell>,
    /// What will be in its place.
    place: Option<Place>,
}

impl Starting {
    /// Takes a shell for a script.
    fn new(entry: &Arc<Entry>, name: String) -> Result<Self, ServiceError> {
        let mut shells = entry.shells.0.lock();
        let _still = entry.may_begin()?;
        if !shells.contains_key(&name) && shells.len() >= SHELLS {
            return Err(ServiceError::TooMany { kind: "shells of this session", limit: SHELLS });
        }
        // Those of scripts that have ended count, whether or not anyone has asked for them.
        for place in shells.values_mut() {
            let _free = place.free();
        }
        if shells.values().map(Place::state_bytes).fold(0, usize::saturating_add) > STATES {
            return Err(ServiceError::TooMany { kind: "bytes of state of this session's shells", limit: STATES });
        }
        let old = match shells.get_mut(&name) {
            Some(place) => Some(place.free().ok_or_else(|| busy(&name))?.clone()),
            None => None,
        };
        shells.insert(name.clone(), Place::Starts);
        Ok(Self { entry: entry.clone(), name, place: old.clone().map(Place::Free), old })
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        let mut shells = self.entry.shells.0.lock();
        match self.place.take() {
            Some(place) => shells.insert(std::mem::take(&mut self.name), place),
            None => shells.remove(&self.name),
        };
    }
}

impl SessionHandle {
    /// Starts a script in a shell.
    pub(crate) async fn start_in_shell(
        &self,
        call: Call,
        name: String,
        script: String,
        set: impl FnOnce(Command) -> Command + Send + 'static,
    ) -> Result<Running, ServiceError> {
        let start = async move {
            let mut starting = Starting::new(&call.entry, name)?;
            let shell = match &starting.old {
                Some(shell) => shell.clone(),
                None => call.session().shell().await?,
            };
            let script = shell.start_with(&script, set).await?;
            let running = script.running().clone();
            running.clone().detach();
            starting.place = Some(Place::Runs(shell, script));
            Ok(running)
        };
        self.service.on(start).await
    }

    /// Removes a shell with its state: the next script of this name begins with a new one.
    ///
    /// # Errors
    /// If there is none, or it runs a script.
    pub fn close_shell(&self, name: &str) -> Result<(), ServiceError> {
        let call = self.call()?;
        let mut shells = call.entry.shells.0.lock();
        let place = shells.get_mut(name).ok_or_else(|| ServiceError::not_found("shell", name))?;
        place.free().ok_or_else(|| busy(name))?;
        shells.remove(name);
        Ok(())
    }
}
