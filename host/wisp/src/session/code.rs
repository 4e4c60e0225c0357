//! A session's machine code: where it is, and preparing it before it is needed.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::program::error::SessionError;
use crate::program::tool::Tool;
use crate::program::tools::tool_of;
use crate::runtime::CodeOrigin;
use crate::session::handle::Session;

/// The niceness of the threads that compile ahead: they get half of an ordinary thread's share.
const NICE: i32 = 3;

/// How often it checks whether processors are free for work that nothing waits for.
const PAUSE: Duration = Duration::from_millis(100);

impl Session {
    /// Compiles or maps every tool's machine code now, so that no command waits for it
    /// ([what dropping does](crate#what-dropping-does)).
    ///
    /// # Errors
    /// If a component cannot be compiled.
    pub async fn prepare(&self) -> Result<(), SessionError> {
        for tool in self.state.shared.tools.values() {
            tool.program(&self.state.shared.workshop).await?;
        }
        Ok(())
    }

    /// Compiles every tool that has no machine code yet. Existing code is mapped when it is first needed
    /// ([what dropping does](crate#what-dropping-does)).
    ///
    /// # Errors
    /// If a component cannot be compiled.
    pub async fn compile(&self) -> Result<(), SessionError> {
        for tool in self.state.shared.tools.values() {
            if tool.code(&self.state.shared.workshop)?.is_none() {
                tool.program(&self.state.shared.workshop).await?;
            }
        }
        Ok(())
    }

    /// Compiles or maps what `program` (a tool, or a program of one: `ls`) needs. Does nothing if there is no such
    /// program.
    ///
    /// # Errors
    /// If the component cannot be compiled.
    pub async fn prepare_program(&self, program: &str) -> Result<(), SessionError> {
        if let Some(tool) = tool_of(&self.state.shared.tools, program) {
            tool.program(&self.state.shared.workshop).await?;
        }
        Ok(())
    }

    /// Compiles what no process has needed yet, one tool after the other, on all processors but one and at a lower
    /// priority than everything else. Does nothing on a machine with one processor. A failed compilation is tried again
    /// when a process needs the tool.
    ///
    /// Dropping the future does not stop the tool that is being compiled ([what dropping does](crate#what-dropping-does)); the end
    /// of the process does.
    pub async fn compile_ahead(&self) {
        let Some(pool) = threads() else { return };
        for tool in self.state.shared.tools.values() {
            while self.state.shared.workshop.is_waited_for() {
                tokio::time::sleep(PAUSE).await;
            }
            if matches!(tool.code(&self.state.shared.workshop), Ok(None)) {
                // A failure is reported when a process needs the tool.
                let _ = tool.program_ahead(&self.state.shared.workshop, pool).await;
            }
        }
    }

    /// Returns the tools, and where the machine code of each is; `None` if it will be compiled when it is first needed.
    pub fn compiled(&self) -> Vec<(String, Option<CodeOrigin>)> {
        let state = |tool: &Arc<Tool>| (tool.name.clone(), tool.code(&self.state.shared.workshop).ok().flatten());
        self.state.shared.tools.values().map(state).collect()
    }

    /// Returns the tool that contains `program`, if there is one.
    pub fn tool_of(&self, program: &str) -> Option<&str> {
        tool_of(&self.state.shared.tools, program).map(|tool| tool.name.as_str())
    }
}

/// Returns the threads that compile ahead, if there are processors for them.
fn threads() -> Option<&'static Arc<rayon::ThreadPool>> {
    static THREADS: OnceLock<Option<Arc<rayon::ThreadPool>>> = OnceLock::new();
    let make = || {
        let count = std::thread::available_parallelism().map_or(1, usize::from) - 1;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).thread_name(|_| "wisp-ahead".to_owned()).start_handler(|_| {
            // Of this thread. If it fails, running programs become a little slower.
            let _ = rustix::process::setpriority_process(None, NICE);
        });
        (count > 0).then(|| pool.build().ok().map(Arc::new)).flatten()
    };
    THREADS.get_or_init(make).as_ref()
}
