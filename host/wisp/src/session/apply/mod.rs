//! Takes over into a folder of the host what a session changed in an overlay of it.
//!
//! `plan` decides what is `planned`, `links` says which symbolic links lead out of the folder, `protected` what nobody may write, `carry` writes. Everything is decided, and every
//! conflict is known, before anything is written.

mod carry;
mod error;
mod links;
mod plan;
mod planned;
mod protected;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::meter::{SetOnDrop, run_blocking};
use crate::session::handle::Session;
use wisp_api::Applied;

pub use error::ApplyError;
pub use planned::{ApplyChange, ApplyOptions, ApplyPlan};

impl Session {
    /// Plans to take over into the host's folders what the session changed in its mounts with overlay access. Reads the host's
    /// files, and writes nothing: [`ApplyPlan::carry_out`] does.
    ///
    /// A file conflicts if the host has changed it since the session changed it. It is compared by contents where the session has
    /// read it, otherwise by what `stat` says. Times, owners and further names (hard links) are not taken over, nor are mode bits
    /// beyond the permissions.
    ///
    /// # Errors
    /// If a command of the session runs, a path of [`ApplyOptions::only`] is in no overlay, the changes are too many or too large, or
    /// a file of the host cannot be read.
    pub async fn plan_apply(&self, options: &ApplyOptions) -> Result<ApplyPlan, ApplyError> {
        self.check_idle()?;
        let (session, options) = (self.clone(), options.clone());
        stoppable(move |stop| plan::plan(session, &options, stop)).await
    }

    /// Refuses while a command runs: the files may not change between what is decided and what is done.
    fn check_idle(&self) -> Result<(), ApplyError> {
        let busy = self.state.commands.all().iter().any(|run| !run.processes().is_empty());
        if busy { Err(ApplyError::Running) } else { Ok(()) }
    }
}

impl ApplyPlan {
    /// Writes the changes to the host. Everything is written under scratch names first, beside its place; then each file gets its
    /// name in one step, and what the session removed is removed. A single mounted file is written in place. Afterwards the
    /// session no longer differs there; if nothing was left out, it shows what the host has, and open files of the mount stop
    /// working.
    ///
    /// # Errors
    /// If the plan has conflicts, the session has changed since, or is running a command: nothing is written. If the host's files
    /// changed since the plan was made, or the host refuses something: what was written until then stays, the session keeps all its
    /// changes, and a new plan has what is left.
    pub async fn carry_out(self) -> Result<Applied, ApplyError> {
        self.carry_out_until(std::future::pending()).await
    }

    /// Does what [`ApplyPlan::carry_out`] does. Once `stopped` is ready, or the future is dropped, it stops if the host's files have not
    /// changed yet: everything is as it was, without scratch files. Later it does the rest, because half of the changes are worse than all.
    ///
    /// # Errors
    /// Those of [`ApplyPlan::carry_out`], and [`ApplyError::Stopped`].
    pub async fn carry_out_until(self, stopped: impl Future<Output = ()>) -> Result<Applied, ApplyError> {
        self.session.check_idle()?;
        if let Some(conflict) = self.conflicts.first() {
            return Err(ApplyError::Conflicts { count: self.conflicts.len(), first: conflict.path.clone() });
        }
        let asked = Arc::new(AtomicBool::new(false));
        let told = asked.clone();
        let work = stoppable(move |dropped| {
            let stop = || dropped.load(Ordering::Relaxed) || told.load(Ordering::Relaxed);
            carry::carry_out(self, &stop)
        });
        let (mut work, mut stopped) = (std::pin::pin!(work), std::pin::pin!(stopped));
        tokio::select! {
            biased;
            done = &mut work => done,
            () = &mut stopped => {
                asked.store(true, Ordering::Relaxed);
                work.await
            }
        }
    }
}

/// Does `work` on a thread that may block, and tells it if nobody waits for the result any more.
async fn stoppable<T: Send + 'static>(work: impl FnOnce(&AtomicBool) -> T + Send + 'static) -> T {
    let stop = Arc::new(AtomicBool::new(false));
    let _guard = SetOnDrop(stop.clone());
    run_blocking(move || work(&stop)).await
}
