//! A kept session that is looked at: nothing runs in it.

use std::path::Path;

use wisp::policy::{Policy, ProtectedPath};
use wisp::{Engine, Session, Shell, SlotBounds};
use wisp_service::{KeptSession, Runtime, Store};

use crate::{Failure, confine, engine, kept, resident};

/// A session that was found, and is locked.
pub(super) struct Found {
    kept: KeptSession,
    policy: Policy,
}

/// A session whose files can be looked at.
pub(super) struct Started {
    pub(super) runtime: Runtime,
    pub(super) session: Session,
    pub(super) shell: Shell,
    /// Locked while this lives.
    pub(super) kept: KeptSession,
}

impl Found {
    /// Returns the session with this name. A helper that keeps it open saves it, and ends.
    pub(super) fn new(name: &str) -> Result<Self, Failure> {
        resident::release(name)?;
        let mut kept = Store::of_user().and_then(|store| store.existing(name)).map_err(kept::refused)?;
        // Nothing runs in it, so the next run is told too.
        resident::tell(&kept, false);
        let policy = kept.policy(None).map_err(kept::refused)?;
        Ok(Self { kept, policy })
    }

    /// Returns its policy.
    pub(super) fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Returns what its policy protected when it began, and a later run trusts.
    pub(super) fn protected(&self) -> Result<Vec<ProtectedPath>, Failure> {
        self.kept.protected().map_err(kept::unusable)
    }

    /// Confines wisp and starts the session. Afterwards no folder of the host can be written.
    pub(super) fn start(self, confined: bool) -> Result<Started, Failure> {
        self.start_with(|policy, cache, kept| if confined { confine::look(policy, cache, kept) } else { Ok(()) })
    }

    /// Does what [`Found::start`] does, confined by `confined`, which gets the directory of machine code.
    pub(super) fn start_with(
        self,
        confined: impl FnOnce(&Policy, Option<&Path>, &KeptSession) -> Result<(), Failure>,
    ) -> Result<Started, Failure> {
        let Self { kept, policy } = self;
        let cache = Engine::default_cache();
        // Must run before a second thread starts and before any guest-written data is read.
        confined(&policy, cache.directory(), &kept)?;
        let components = engine::components().map_err(Failure::internal)?;
        let engine = engine::builder(components).cache(cache).slots(SlotBounds { ready: 0, ..SlotBounds::default() });
        let runtime = Runtime::new(engine).map_err(Failure::internal)?;
        let (session, shell) = runtime.block_on(async {
            let session = runtime.engine().session(&policy).build().await.map_err(Failure::library)?;
            let shell = kept.resume(&session).await.map_err(kept::unusable)?;
            Ok::<_, Failure>((session, shell))
        })?;
        Ok(Started { runtime, session, shell, kept })
    }
}
