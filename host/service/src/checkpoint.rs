//! Checkpoints of a session: its files, its shells and its interpreters at one moment.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use wisp::{InterpreterSnapshot, Session, ShellSnapshot};
use wisp_api::{CheckpointId, CheckpointInfo, SessionRequest};

use crate::clock::milliseconds;
use crate::error::ServiceError;
use crate::interpreter::Taken;
use crate::open::{Opening, check_name, check_request, random};
use crate::session::{Call, Entry, SessionHandle};

/// A session at one moment.
pub(crate) struct Checkpoint {
    id: CheckpointId,
    label: Option<String>,
    created_ms: u64,
    /// The files, and the labels of artifacts, with a shell that has no state.
    files: ShellSnapshot,
    shells: BTreeMap<String, Bytes>,
    interpreters: BTreeMap<String, Frozen>,
}

/// An interpreter at that moment.
struct Frozen {
    tool: String,
    snapshot: InterpreterSnapshot,
}

impl Checkpoint {
    fn info(&self) -> CheckpointInfo {
        let not_carried = self.interpreters.iter().flat_map(|(name, frozen)| {
            let lines = frozen.snapshot.not_carried().iter();
            lines.map(move |line| format!("{name}: {line}"))
        });
        CheckpointInfo {
            id: self.id.clone(),
            label: self.label.clone(),
            created_ms: self.created_ms,
            interpreters: self.interpreters.keys().cloned().collect(),
            shells: self.shells.keys().cloned().collect(),
            not_carried: not_carried.collect(),
            memory_bytes: self.interpreters.values().map(|frozen| frozen.snapshot.memory()).sum(),
        }
    }

    /// Returns the bytes that it has for itself, beside files: those of its interpreters and its shells.
    fn bytes(&self) -> u64 {
        let interpreters = self.interpreters.values().map(|frozen| frozen.snapshot.memory());
        interpreters.chain(self.shells.values().map(|state| state.len() as u64)).fold(0, u64::saturating_add)
    }

    /// Takes one of a session in which nothing runs but commands.
    async fn take(call: &Call, label: Option<String>) -> Result<Self, ServiceError> {
        let entry = &call.entry;
        let _still = entry.still.write().await;
        let created_ms = milliseconds((call.service.inner().clock)());
        let shells = entry.shells.all()?.into_iter().map(|(name, shell)| (name, shell.state().clone())).collect();
        let mut interpreters = BTreeMap::new();
        for mut taken in Taken::all(entry, "is being copied")? {
            let (name, tool) = (taken.name.clone(), taken.tool.clone());
            // One that has ended has nothing to keep.
            if let Some(interpreter) = taken.get().filter(|interpreter| interpreter.ended().is_none()) {
                interpreters.insert(name, Frozen { tool, snapshot: interpreter.snapshot().await? });
            }
        }
        // Last: an interpreter writes its buffers when it gets ready.
        let files = call.session().shell_from(Bytes::new()).snapshot();
        Ok(Self { id: CheckpointId::of(random()?), label, created_ms, files, shells, interpreters })
    }

    /// Brings a session, in which nothing runs but commands, back to it.
    async fn restore(&self, call: &Call) -> Result<(), ServiceError> {
        let (entry, session) = (&call.entry, call.session());
        let _still = entry.still.write().await;
        // Refuses if one runs.
        entry.shells.all()?;
        let mut there: BTreeMap<String, Taken> =
            Taken::all(entry, "is being restored")?.into_iter().map(|taken| (taken.name.clone(), taken)).collect();
        for (name, frozen) in &self.interpreters {
            match there.remove(name) {
                Some(mut taken) if taken.tool == frozen.tool => {
                    if let Some(interpreter) = taken.get() {
                        interpreter.restore(&frozen.snapshot).await?;
                    }
                }
                other => {
                    other.into_iter().for_each(Taken::end);
                    let mut interpreter = session.interpreter(&frozen.tool).await?;
                    interpreter.restore(&frozen.snapshot).await?;
                    entry.interpreters.put(name.clone(), frozen.tool.clone(), interpreter);
                }
            }
        }
        there.into_values().for_each(Taken::end);
        self.restore_files(session);
        entry.shells.replace(self.shells_in(session));
        Ok(())
    }

    /// Restores the files of one moment: each interpreter brings them as they were when it was copied.
    fn restore_files(&self, session: &Session) {
        session.shell_from(Bytes::new()).restore(&self.files);
    }

    fn shells_in(&self, session: &Session) -> BTreeMap<String, wisp::Shell> {
        self.shells.iter().map(|(name, state)| (name.clone(), session.shell_from(state.clone()))).collect()
    }

    /// Starts a session from it, for the owner of the session that it is of.
    async fn fork(&self, call: &Call, request: SessionRequest, opening: &Opening) -> Result<Arc<Entry>, ServiceError> {
        let (mut forked, mut interpreters) = (None::<Session>, Vec::new());
        for (name, frozen) in &self.interpreters {
            let interpreter = match &forked {
                // Its session is a new one, for the others too.
                None => frozen.snapshot.fork().await?,
                Some(session) => {
                    let mut interpreter = session.interpreter(&frozen.tool).await?;
                    interpreter.restore(&frozen.snapshot).await?;
                    interpreter
                }
            };
            forked.get_or_insert_with(|| interpreter.session().clone());
            interpreters.push((name.clone(), frozen.tool.clone(), interpreter));
        }
        let session = forked.unwrap_or_else(|| self.files.fork().session().clone());
        self.restore_files(&session);
        let shells = self.shells_in(&session);
        let entry = call.service.entry(&call.entry.owner, request, session, call.entry.policy_digest.clone())?;
        entry.shells.replace(shells);
        for (name, tool, interpreter) in interpreters {
            entry.interpreters.put(name, tool, interpreter);
        }
        match call.service.insert(&entry, opening)? {
            None => Ok(entry),
            Some(_) => Err(ServiceError::KeyTaken { key: entry.key.clone().unwrap_or_default() }),
        }
    }
}

impl SessionHandle {
    /// Takes a checkpoint: the session's files, its shells and its interpreters. Commands may run, and are no part of it.
    /// Checkpoints belong to their session: they are gone when it is closed.
    ///
    /// # Errors
    /// If a shell or an interpreter runs something, the session has as many checkpoints as the service allows, or as large ones, or an
    /// interpreter cannot be copied.
    pub async fn checkpoint(&self, label: Option<String>) -> Result<CheckpointInfo, ServiceError> {
        check_name(label.as_deref(), "the label of a checkpoint has 1 to 256 bytes")?;
        let call = self.call()?;
        let (limit, most) = (self.service.limits().checkpoints, self.service.limits().checkpoint_bytes);
        let full = move |count: usize| match count {
            count if count >= limit => Err(ServiceError::TooMany { kind: "checkpoints of this session", limit }),
            _ => Ok(()),
        };
        full(call.entry.checkpoints.lock().len())?;
        self.service
            .on(async move {
                let checkpoint = Arc::new(Checkpoint::take(&call, label).await?);
                let mut all = call.entry.checkpoints.lock();
                full(all.len())?;
                let bytes = all.values().chain([&checkpoint]).map(|checkpoint| checkpoint.bytes());
                if bytes.fold(0, u64::saturating_add) > most {
                    let limit = usize::try_from(most).unwrap_or(usize::MAX);
                    return Err(ServiceError::TooMany { kind: "bytes of checkpoints of this session", limit });
                }
                if call.entry.is_closed() {
                    // Its checkpoints are gone, or will be.
                    return Err(ServiceError::not_found("session", &call.entry.id));
                }
                all.insert(checkpoint.id.clone(), checkpoint.clone());
                Ok(checkpoint.info())
            })
            .await
    }

    /// Returns its checkpoints, oldest first.
    ///
    /// # Errors
    /// If the session is closed.
    pub fn checkpoints(&self) -> Result<Vec<CheckpointInfo>, ServiceError> {
        let mut all: Vec<_> = self.call()?.entry.checkpoints.lock().values().map(|checkpoint| checkpoint.info()).collect();
        all.sort_by(|one, other| (one.created_ms, &one.id).cmp(&(other.created_ms, &other.id)));
        Ok(all)
    }

    /// Brings the session back to a checkpoint: its files, shells and interpreters become what they were. Those that came later are
    /// gone. Commands that run go on, on the files of the checkpoint.
    ///
    /// # Errors
    /// If there is no such checkpoint, a shell or an interpreter runs something, or an interpreter cannot start.
    pub async fn restore(&self, checkpoint: &CheckpointId) -> Result<(), ServiceError> {
        let call = self.call()?;
        let checkpoint = found(&call, checkpoint)?;
        self.service.on(async move { checkpoint.restore(&call).await }).await
    }

    /// Opens a session of the same owner that starts from a checkpoint. It has the policy and the environment of this session; the
    /// request has its key, its lifetime and its labels.
    ///
    /// # Errors
    /// If there is no such checkpoint, the request names a policy or variables, its key is taken, a limit of the service is reached,
    /// or an interpreter cannot start.
    pub async fn fork(&self, checkpoint: &CheckpointId, request: SessionRequest) -> Result<Self, ServiceError> {
        if request.policy.is_some() || !request.env.is_empty() {
            return Err(ServiceError::Invalid("a fork has the policy and the environment of its session: leave out `policy` and `env`"));
        }
        check_request(&request)?;
        let call = self.call()?;
        let checkpoint = found(&call, checkpoint)?;
        let opening = self.service.opening(self.owner())?;
        let entry = self.service.on(async move { checkpoint.fork(&call, request, &opening).await }).await?;
        Ok(Self::new(self.service.clone(), entry))
    }

    /// Deletes a checkpoint. Sessions that started from it go on.
    ///
    /// # Errors
    /// If there is no such checkpoint.
    pub fn delete_checkpoint(&self, checkpoint: &CheckpointId) -> Result<(), ServiceError> {
        let deleted = self.call()?.entry.checkpoints.lock().remove(checkpoint);
        deleted.map(drop).ok_or_else(|| ServiceError::not_found("checkpoint", checkpoint))
    }
}

fn found(call: &Call, id: &CheckpointId) -> Result<Arc<Checkpoint>, ServiceError> {
    let found = call.entry.checkpoints.lock().get(id).cloned();
    found.ok_or_else(|| ServiceError::not_found("checkpoint", id))
}
