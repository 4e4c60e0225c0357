//! A tool of a session: a component, the world it runs in, and its machine code, which is prepared when it is first
//! needed.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::program::error::SessionError;
use crate::program::linked::{Own, Program};
use crate::program::tool_bytes::{ProgramSlot, ToolBytes};
use crate::program::tool_file::ToolFile;
use crate::program::workshop::{CompileEvent, Workshop};
use crate::runtime::{CodeOrigin, Metering, Uncompiled, WasmtimeError};
use wisp_process::Rights;
use wisp_world::ComponentWorld;

/// A tool of one session; its program is shared with others.
pub(crate) struct Tool {
    pub name: String,
    pub world: ComponentWorld,
    /// The rule that allows it.
    pub rule: String,
    /// What it, and the processes that it starts, may do of what the session may.
    pub rights: Rights,
    metering: Metering,
    composition: String,
    bytes: ToolBytes,
    /// The components of the policy in front of its imports, as `world` lists them.
    fronts: Vec<Arc<ToolFile>>,
    slot: Arc<ProgramSlot>,
}

impl Tool {
    pub(crate) fn new(
        workshop: &Workshop,
        world: ComponentWorld,
        rule: String,
        rights: Rights,
        metering: Metering,
        bytes: ToolBytes,
        fronts: Vec<Arc<ToolFile>>,
    ) -> Self {
        let composition = world.composition_digest();
        // What has parts of the user is kept as long as a session has it.
        let shipped = matches!(bytes, ToolBytes::Shipped(_)) && fronts.is_empty();
        let slot = workshop.program_slot((composition.clone(), metering, bytes.exceptions()), shipped);
        Self { name: world.name().to_owned(), world, rule, rights, metering, composition, bytes, fronts, slot }
    }

    /// Returns whose code it is.
    fn own(&self) -> Own {
        match self.bytes.own() {
            Own::Shipped | Own::Python if !self.fronts.is_empty() => Own::Adapted,
            own => own,
        }
    }

    /// Returns its linked machine code, compiled or mapped now on first use.
    pub(crate) async fn program(self: &Arc<Self>, workshop: &Arc<Workshop>) -> Result<Arc<Program>, SessionError> {
        if let Some(program) = self.slot.program.get() {
            return Ok(program.clone());
        }
        // If it was begun ahead of need, a process waits for it from now on.
        let _reported = self.slot.ahead.load(Ordering::Relaxed).then(|| Reported::new(workshop, &self.name));
        self.make(workshop, None).await
    }

    /// Does what [`Tool::program`] does before any process needs it: on the threads of `pool`, and without reporting
    /// it.
    pub(crate) async fn program_ahead(
        self: &Arc<Self>,
        workshop: &Arc<Workshop>,
        pool: &Arc<rayon::ThreadPool>,
    ) -> Result<(), SessionError> {
        self.make(workshop, Some(pool.clone())).await.map(drop)
    }

    async fn make(self: &Arc<Self>, workshop: &Arc<Workshop>, ahead: Option<Arc<rayon::ThreadPool>>) -> Result<Arc<Program>, SessionError> {
        // It runs in a task of its own: the waiter may be a process that is stopped in the meantime (SIGSTOP), and everything
        // else that needs the program, in other sessions too, would wait until that process continues.
        let (tool, workshop) = (self.clone(), workshop.clone());
        #[expect(clippy::disallowed_methods, reason = "the engine's: machine code is for all sessions")]
        let work = tokio::spawn(async move {
            let prepare = async || {
                let (preparing, workshop, ahead) = (tool.clone(), workshop.clone(), ahead.clone());
                // Charged to no process: compiling is done once for all sessions.
                let work = crate::meter::blocking(move || match ahead {
                    Some(pool) => {
                        preparing.slot.ahead.store(true, Ordering::Relaxed);
                        let made = pool.install(|| preparing.prepare(&workshop, true));
                        preparing.slot.ahead.store(false, Ordering::Relaxed);
                        made
                    }
                    None => preparing.prepare(&workshop, false),
                });
                work.await.unwrap_or_else(|panic| Err(tool.broken(panic)))
            };
            tool.slot.program.get_or_try_init(prepare).await.cloned()
        });
        work.await.unwrap_or_else(|panic| Err(self.broken(panic)))
    }

    /// Returns whether its machine code is mapped, so that a process does not wait.
    pub(crate) fn is_ready(&self) -> bool {
        self.slot.program.initialized()
    }

    /// Returns where its machine code is; `None` if it will be compiled.
    pub(crate) fn code(&self, workshop: &Workshop) -> Result<Option<CodeOrigin>, SessionError> {
        let kept = workshop.cache().has(&workshop.runtime(self.metering, self.bytes.exceptions())?, &self.composition);
        Ok(kept.or_else(|| self.is_ready().then_some(CodeOrigin::Compiled)))
    }

    /// Returns where its bytes are.
    pub(crate) fn bytes(&self) -> &ToolBytes {
        &self.bytes
    }

    fn prepare(&self, workshop: &Arc<Workshop>, ahead: bool) -> Result<Arc<Program>, SessionError> {
        let runtime = workshop.runtime(self.metering, self.bytes.exceptions())?;
        let compiles = !self.bytes.exceptions() || workshop.compiles_images();
        if !compiles && workshop.cache().has(&runtime, &self.composition).is_none() {
            let (tool, rule, instructions) = (self.name.clone(), self.rule.clone(), self.metering == Metering::Fuel);
            return Err(SessionError::NotPrepared { tool, rule, instructions });
        }
        let (mut failure, mut reported) = (None, None);
        let waits = || {
            if !ahead {
                reported = Some(Reported::new(workshop, &self.name));
            }
        };
        let compose = || match self.compose() {
            Ok(composed) => composed,
            Err(error) => {
                failure = Some(error);
                Vec::new().into()
            }
        };
        let loaded = workshop.cache().load(&runtime, &self.composition, waits, compose);
        drop(reported);
        if let Some(error) = failure {
            return Err(error);
        }
        let mut code = loaded.map_err(|error| self.broken(WasmtimeError::from(error)))?;
        // The host writes to words of its memory that it names: where those of a shipped component are was checked when it was built.
        if self.own() == Own::No {
            code.signal_words.clear();
        }
        tracing::debug!(tool = self.name, origin = ?code.origin, "machine code");
        let program = Program::link(&runtime, code, &self.world, self.own()).map_err(|error| self.broken(WasmtimeError::from(error)))?;
        Ok(Arc::new(program))
    }

    fn compose(&self) -> Result<Uncompiled, SessionError> {
        let bytes = self.bytes.get()?;
        let fronts: Vec<&[u8]> = self.fronts.iter().map(|file| &*file.bytes).collect();
        let composed = wisp_world::compose(&bytes, &fronts, &self.world)?;
        Ok(Uncompiled { bytes: composed.bytes.into_owned(), program: composed.program })
    }

    fn broken(&self, source: impl std::error::Error + Send + Sync + 'static) -> SessionError {
        SessionError::Compile { tool: self.name.clone(), source: Box::new(source) }
    }
}

/// Has reported to the listener that a tool is being compiled. Dropping it reports that this is finished.
struct Reported {
    workshop: Arc<Workshop>,
    tool: String,
}

impl Reported {
    fn new(workshop: &Arc<Workshop>, tool: &str) -> Self {
        workshop.tell(CompileEvent::Started { tool: tool.to_owned() });
        Self { workshop: workshop.clone(), tool: tool.to_owned() }
    }
}

impl Drop for Reported {
    fn drop(&mut self) {
        self.workshop.tell(CompileEvent::Finished { tool: std::mem::take(&mut self.tool) });
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use crate::{Engine, Policy};

    #[tokio::test]
    async fn a_stopped_process_does_not_delay_the_others_that_wait_for_its_program() {
        let engine = Engine::new(wisp_built::components()).unwrap();
        let session = engine.session(&Policy::offline()).build().await.unwrap();
        let tool = session.state.shared.tools.get("sh").unwrap();
        let mut stopped = Box::pin(tool.program(engine.workshop()));
        assert!(stopped.as_mut().now_or_never().is_none(), "it was already prepared");
        // It is no longer polled, like the work of a stopped process.
        tool.program(engine.workshop()).await.unwrap();
        stopped.await.unwrap();
    }
}
