//! Preparing ahead what sessions need: machine code, memories, and interpreters that have evaluated once.

use crate::program::SessionError;
use crate::runtime::Memory;
use crate::session::{Engine, Session};
use wisp_policy::Policy;

impl Engine {
    /// Prepares everything that sessions under `policy` need: maps machine code (or compiles it, which takes seconds),
    /// and fills some memories with the image of each tool. Later calls then pay only for their own work.
    ///
    /// # Errors
    /// Those of building a session.
    pub async fn warm(&self, policy: &Policy) -> Result<(), SessionError> {
        let session = self.session(policy).build().await?;
        session.prepare().await?;
        if let Memory::Slots(slots) = self.workshop().memory() {
            fill(&session, slots.space.bounds().ready).await?;
        }
        Ok(())
    }
}

/// Prepares memories and instances for every tool.
async fn fill(session: &Session, count: usize) -> Result<(), SessionError> {
    for tool in session.state.shared.tools.values() {
        let program = tool.program(&session.state.shared.workshop).await?;
        // Without them the first processes start more slowly, nothing else.
        if let Err(error) = program.fill(count) {
            tracing::warn!(tool = tool.name, %error, "no memories could be made ready");
        }
        if program.is_interpreter() {
            first_cells(session, &tool.name, count).await;
        }
        for _ in 0..count {
            program.prewarm(program.source());
        }
    }
    Ok(())
}

/// Evaluates once in each of `count` interpreters, which touches the pages that every evaluation touches.
async fn first_cells(session: &Session, tool: &str, count: usize) {
    let mut interpreters = Vec::new();
    for _ in 0..count {
        interpreters.extend(session.interpreter(tool).await);
    }
    for interpreter in &mut interpreters {
        // If something is wrong, the caller's own first evaluation reports it.
        let _ = interpreter.eval("None").await;
    }
}
