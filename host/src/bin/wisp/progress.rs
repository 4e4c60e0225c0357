//! Progress on a terminal: what is being compiled, which takes seconds and happens once.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use wisp::CompileEvent;

/// A line on standard error while something is compiled; nothing where that is no terminal.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Nothing to show yet.
    pub(crate) fn new() -> Progress {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        Progress(bar)
    }

    /// What the engine tells.
    pub(crate) fn listener(&self) -> impl Fn(CompileEvent) + Send + Sync + use<> {
        let bar = self.0.clone();
        move |event| match event {
            CompileEvent::Started { tool } => {
                bar.set_message(format!("compiling {tool} for this machine, once"));
                bar.enable_steady_tick(Duration::from_millis(100));
            }
            CompileEvent::Finished { .. } => bar.disable_steady_tick(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
