//! A session's machine code: where it is, and having it made before it is needed.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::program::tool::Tool;
use crate::program::tools::tool_of;
use crate::runtime::CodeOrigin;
use crate::session::error::SessionError;
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
        for tool in self.0.tools.values() {
            tool.program(&self.0.engine).await?;
        }
        Ok(())
    }

    /// Compile every tool that has no machine code yet; what has is mapped when it is first needed.
    ///
    /// # Errors
    /// When a component cannot be compiled.
    pub async fn compile(&self) -> Result<(), SessionError> {
        for tool in self.0.tools.values() {
            if tool.code(&self.0.engine)?.is_none() {
                tool.program(&self.0.engine).await?;
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
        if let Some(tool) = tool_of(&self.0.tools, program) {
            tool.program(&self.0.engine).await?;
        }
        Ok(())
    }

    /// Compile what no process has needed yet, one tool after the other, on all processors but one and behind everything
    /// else that wants them. Nothing happens on a machine with one processor. What fails is tried again by whoever needs it.
    ///
    /// Dropping the future leaves the tool that is being compiled to go on by itself; a process that ends takes it along.
    pub async fn compile_ahead(&self) {
        let Some(pool) = threads() else { return };
        for tool in self.0.tools.values() {
            while self.0.engine.is_waited_for() {
                tokio::time::sleep(PAUSE).await;
            }
            if matches!(tool.code(&self.0.engine), Ok(None)) {
                // As above.
                let _ = tool.program_ahead(&self.0.engine, pool).await;
            }
        }
    }

    /// The tools, and where the machine code of each is: nowhere, if it is to be compiled when it is first needed.
    pub fn compiled(&self) -> Vec<(String, Option<CodeOrigin>)> {
        let state = |tool: &Arc<Tool>| (tool.name.clone(), tool.code(&self.0.engine).ok().flatten());
        self.0.tools.values().map(state).collect()
    }

    /// The tool that has `program` among its programs, if there is one.
    pub fn tool_of(&self, program: &str) -> Option<&str> {
        tool_of(&self.0.tools, program).map(|tool| tool.name.as_str())
    }

    /// Have memories and instances ready for every tool.
    pub(crate) async fn fill(&self, count: usize) -> Result<(), SessionError> {
        for tool in self.0.tools.values() {
            let program = tool.program(&self.0.engine).await?;
            // Not having them costs the first processes time, nothing else.
            if let Err(error) = program.fill(count) {
                tracing::warn!(tool = tool.name, %error, "no memories could be made ready");
            }
            if program.is_interpreter() {
                self.first_cells(&tool.name, count).await;
            }
            for _ in 0..count {
                program.make_ready();
            }
        }
        Ok(())
    }

    /// Evaluate a first cell in each of `count` interpreters: it touches what every cell does.
    async fn first_cells(&self, tool: &str, count: usize) {
        let mut kernels = Vec::new();
        for _ in 0..count {
            kernels.extend(self.kernel(tool).await);
        }
        for kernel in &mut kernels {
            // What goes wrong here, the caller's own first cell will say.
            let _ = kernel.eval("None").await;
        }
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
