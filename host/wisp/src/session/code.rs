//! A session's machine code: where it is, and having it made before it is needed.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::program::error::SessionError;
use crate::program::tool::Tool;
use crate::program::tools::tool_of;
use crate::runtime::CodeOrigin;
use crate::session::handle::Session;

/// How much the threads that compile ahead give way to others: half of what a thread gets.
const NICE: i32 = 3;

/// How often it is looked whether processors are free for what nobody waits for.
const PAUSE: Duration = Duration::from_millis(100);

impl Session {
    /// Compile or map every tool's machine code now, so that no command waits for it.
    ///
    /// # Errors
    /// When a component cannot be compiled.
    pub async fn prepare(&self) -> Result<(), SessionError> {
        for tool in self.state.shared.tools.values() {
            tool.program(&self.state.shared.workshop).await?;
        }
        Ok(())
    }

    /// Compile every tool that has no machine code yet; what has is mapped when it is first needed.
    ///
    /// # Errors
    /// When a component cannot be compiled.
    pub async fn compile(&self) -> Result<(), SessionError> {
        for tool in self.state.shared.tools.values() {
            if tool.code(&self.state.shared.workshop)?.is_none() {
                tool.program(&self.state.shared.workshop).await?;
            }
        }
        Ok(())
    }

    /// Compile or map what `program` (a tool, or a program of one: `ls`) needs. Nothing happens where there is no such
    /// program.
    ///
    /// # Errors
    /// When the component cannot be compiled.
    pub async fn prepare_program(&self, program: &str) -> Result<(), SessionError> {
        if let Some(tool) = tool_of(&self.state.shared.tools, program) {
            tool.program(&self.state.shared.workshop).await?;
        }
        Ok(())
    }

    /// Compile what no process has needed yet, one tool after the other, on all processors but one and behind everything
    /// else that wants them. Nothing happens on a machine with one processor. What fails is tried again by whoever needs it.
    ///
    /// Dropping the future leaves the tool that is being compiled to go on by itself; a process that ends takes it along.
    pub async fn compile_ahead(&self) {
        let Some(pool) = threads() else { return };
        for tool in self.state.shared.tools.values() {
            while self.state.shared.workshop.is_waited_for() {
                tokio::time::sleep(PAUSE).await;
            }
            if matches!(tool.code(&self.state.shared.workshop), Ok(None)) {
                // As above.
                let _ = tool.program_ahead(&self.state.shared.workshop, pool).await;
            }
        }
    }

    /// The tools, and where the machine code of each is: nowhere, if it is to be compiled when it is first needed.
    pub fn compiled(&self) -> Vec<(String, Option<CodeOrigin>)> {
        let state = |tool: &Arc<Tool>| (tool.name.clone(), tool.code(&self.state.shared.workshop).ok().flatten());
        self.state.shared.tools.values().map(state).collect()
    }

    /// The tool that has `program` among its programs, if there is one.
    pub fn tool_of(&self, program: &str) -> Option<&str> {
        tool_of(&self.state.shared.tools, program).map(|tool| tool.name.as_str())
    }
}

/// The threads that compile ahead of need, if there are processors for them.
fn threads() -> Option<&'static Arc<rayon::ThreadPool>> {
    static THREADS: OnceLock<Option<Arc<rayon::ThreadPool>>> = OnceLock::new();
    let make = || {
        let count = std::thread::available_parallelism().map_or(1, usize::from) - 1;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).thread_name(|_| "wisp-ahead".to_owned()).start_handler(|_| {
            // Not being able to makes what runs a little slower.
            let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE);
        });
        (count > 0).then(|| pool.build().ok().map(Arc::new)).flatten()
    };
    THREADS.get_or_init(make).as_ref()
}
