//! Having ready what sessions need: machine code, memories, and interpreters that evaluated a first cell.

use crate::program::SessionError;
use crate::runtime::Memory;
use crate::session::{Engine, Session};
use wisp_policy::Policy;

impl Engine {
    /// Have everything ready that sessions under `policy` need: machine code mapped (or compiled, which takes seconds), and
    /// for each tool some memories that hold its image. Calls after this one pay for nothing but themselves.
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

/// Have memories and instances ready for every tool.
async fn fill(session: &Session, count: usize) -> Result<(), SessionError> {
    for tool in session.state.shared.tools.values() {
        let program = tool.program(&session.state.shared.workshop).await?;
        // Not having them costs the first processes time, nothing else.
        if let Err(error) = program.fill(count) {
            tracing::warn!(tool = tool.name, %error, "no memories could be made ready");
        }
        if program.is_interpreter() {
            first_cells(session, &tool.name, count).await;
        }
        for _ in 0..count {
            program.prewarm();
        }
    }
    Ok(())
}

/// Evaluate a first cell in each of `count` interpreters: it touches what every cell does.
async fn first_cells(session: &Session, tool: &str, count: usize) {
    let mut kernels = Vec::new();
    for _ in 0..count {
        kernels.extend(session.interpreter(tool).await);
    }
    for kernel in &mut kernels {
        // What goes wrong here, the caller's own first cell will say.
        let _ = kernel.eval("None").await;
    }
}
