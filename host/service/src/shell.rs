//! The shells of a session, whose state stays from one script to the next.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use wisp::{Command, Running, Shell};

use crate::error::ServiceError;
use crate::session::{Call, SessionHandle};

/// Maximum shells of a session.
const SHELLS: usize = 64;

/// The shells by name; `None` while one runs a script.
#[derive(Default)]
pub(crate) struct Shells(Mutex<BTreeMap<String, Option<Shell>>>);

impl Shells {
    pub(crate) fn names(&self) -> Vec<String> {
        self.0.lock().keys().cloned().collect()
    }

    pub(crate) fn clear(&self) {
        drop(std::mem::take(&mut *self.0.lock()));
    }

    /// Takes a shell for a script. `Ok(None)`: it is a new one, whose place is taken.
    fn take(&self, name: &str) -> Result<Option<Shell>, ServiceError> {
        let mut shells = self.0.lock();
        let count = shells.len();
        match shells.get_mut(name) {
            Some(place) => place.take().map(Some).ok_or_else(|| busy(name)),
            None if count >= SHELLS => Err(ServiceError::TooMany { kind: "shells of this session", limit: SHELLS }),
            None => {
                shells.insert(name.to_owned(), None);
                Ok(None)
            }
        }
    }

    /// Puts a shell back; without one, its place is free again.
    fn put(&self, name: String, shell: Option<Shell>) {
        let mut shells = self.0.lock();
        match shell {
            Some(shell) => shells.insert(name, Some(shell)),
            None => shells.remove(&name),
        };
    }

    /// Copies of all shells.
    ///
    /// # Errors
    /// If one runs a script.
    pub(crate) fn all(&self) -> Result<BTreeMap<String, Shell>, ServiceError> {
        let shells = self.0.lock();
        shells.iter().map(|(name, shell)| Ok((name.clone(), shell.clone().ok_or_else(|| busy(name))?))).collect()
    }

    /// Replaces all shells.
    pub(crate) fn replace(&self, shells: BTreeMap<String, Shell>) {
        *self.0.lock() = shells.into_iter().map(|(name, shell)| (name, Some(shell))).collect();
    }
}

fn busy(name: &str) -> ServiceError {
    ServiceError::Busy { kind: "shell", name: name.to_owned(), doing: "runs a script" }
}

impl SessionHandle {
    /// Starts a script in a shell. The shell is free again when the script has ended, whether or not anyone waits for that.
    pub(crate) async fn start_in_shell(
        &self,
        call: Call,
        name: String,
        script: String,
        set: impl FnOnce(Command) -> Command + Send + 'static,
    ) -> Result<Running, ServiceError> {
        let shell = call.entry.shells.take(&name)?;
        let service = self.service.clone();
        self.service
            .on(async move {
                let old = shell.clone();
                let started = async {
                    let shell = match shell {
                        Some(shell) => shell,
                        None => call.session().shell().await?,
                    };
                    let script = shell.start_with(&script, set).await?;
                    Ok::<_, ServiceError>((shell, script))
                };
                let (mut shell, script) = match started.await {
                    Ok(started) => started,
                    Err(error) => {
                        call.entry.shells.put(name, old);
                        return Err(error);
                    }
                };
                let running = script.running().clone();
                running.clone().detach();
                let entry = call.entry.clone();
                let finish = async move {
                    // If it fails, the shell has the state that it had before. The caller hears of the failure from the command.
                    let _ = shell.finish(script).await;
                    if !entry.is_closed() {
                        entry.shells.put(name, Some(shell));
                    }
                };
                #[expect(clippy::disallowed_methods, reason = "it waits for the end of the command")]
                service.runtime().handle().spawn(finish);
                Ok(running)
            })
            .await
    }

    /// Removes a shell with its state: the next script of this name begins with a new one.
    ///
    /// # Errors
    /// If there is none, or it runs a script.
    pub fn close_shell(&self, name: &str) -> Result<(), ServiceError> {
        let call = self.call()?;
        let mut shells = call.entry.shells.0.lock();
        match shells.get(name) {
            None => Err(ServiceError::not_found("shell", name)),
            Some(None) => Err(busy(name)),
            Some(Some(_)) => {
                shells.remove(name);
                Ok(())
            }
        }
    }
}
