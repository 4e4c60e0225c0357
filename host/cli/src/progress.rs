//! Reports on standard error what wisp waits for: a tool that is compiled for this machine, which takes seconds and
//! happens once.
//!
//! At a terminal this is a line that disappears afterwards; elsewhere a line after one second, and one at the end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::{Condvar, Mutex, MutexGuard};
use wisp::CompileEvent;

use crate::messages::{at_terminal, harmless, say};

/// Shorter waits are not reported.
const PATIENCE: Duration = Duration::from_secs(1);

/// How to avoid the wait next time.
const HINT: &str = "; `wisp prepare` does it ahead of time";

/// How often the line at a terminal is redrawn.
const REDRAW: Duration = Duration::from_millis(100);

/// Shows what is compiled, until it is dropped.
pub(crate) struct Progress(Arc<Shared>);

struct Shared {
    /// The end of a line about a tool that is compiled.
    hint: &'static str,
    state: Mutex<State>,
    changed: Condvar,
    patience: Duration,
    /// Receives the lines, unless they are drawn.
    lines: Option<Lines>,
}

type Lines = Box<dyn Fn(&str) + Send + Sync>;

#[derive(Default)]
struct State {
    compiling: Vec<Compiling>,
    /// A thread shows them.
    shown: bool,
    over: bool,
}

struct Compiling {
    tool: String,
    since: Instant,
    /// A line has reported it.
    said: bool,
}

impl Progress {
    /// Creates the state with nothing to show yet.
    pub(crate) fn new() -> Self {
        Self::to(standard_error(), PATIENCE, HINT)
    }

    /// Returns the same for a command that only compiles: it needs no hint.
    pub(crate) fn of_prepare() -> Self {
        Self::to(standard_error(), PATIENCE, "")
    }

    /// Returns the same for calls that agents make: only a person at a terminal sees it, since a model reads the rest.
    pub(crate) fn of_resident() -> Self {
        Self::to(standard_error().map(|_| Box::new(|_: &str| {}) as Lines), PATIENCE, HINT)
    }

    /// Writes lines there after `patience`, unless they are drawn.
    fn to(lines: Option<Lines>, patience: Duration, hint: &'static str) -> Self {
        let (state, changed) = (Mutex::default(), Condvar::new());
        Self(Arc::new(Shared { hint, state, changed, patience, lines }))
    }

    /// Receives what the engine reports.
    pub(crate) fn listener(&self) -> impl Fn(CompileEvent) + Send + Sync + use<> {
        let shared = self.0.clone();
        move |event| shared.event(event)
    }
}

/// Says at once what is compiled, in lines, for a server: its standard error is a log.
pub(crate) fn log(event: CompileEvent) {
    if let CompileEvent::Started { tool } = event {
        say(&compiling(&tool, HINT));
    }
}

fn compiling(tool: &str, hint: &str) -> String {
    format!("compiling {tool} for this machine, once{hint}")
}

/// Returns the destination of lines, unless they are drawn.
fn standard_error() -> Option<Lines> {
    (!at_terminal()).then(|| Box::new(say) as Lines)
}

impl Drop for Progress {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.over = true;
        self.0.settle(state);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    fn event(self: &Arc<Self>, event: CompileEvent) {
        let mut state = self.state();
        match event {
            CompileEvent::Started { tool } => {
                state.compiling.push(Compiling { tool, since: Instant::now(), said: false });
                if !std::mem::replace(&mut state.shown, true) {
                    let shared = self.clone();
                    let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(move || shared.show());
                    // Without a thread nothing is shown; compiling continues.
                    state.shown = thread.is_ok();
                }
            }
            CompileEvent::Finished { tool } => {
                let found = state.compiling.iter().position(|one| one.tool == tool);
                let done = found.map(|at| state.compiling.swap_remove(at));
                if let Some(done) = done.filter(|done| done.said) {
                    self.say(&format!("compiled {tool} in {}", seconds(done.since.elapsed())));
                }
            }
            _ => {}
        }
        self.settle(state);
    }

    /// Shows what has changed. A drawn line is erased before anything else writes to the terminal.
    fn settle(&self, mut state: MutexGuard<'_, State>) {
        self.changed.notify_all();
        if self.lines.is_none() && (state.over || state.compiling.is_empty()) {
            // This never takes longer; if it did, only a line would remain.
            self.changed.wait_while_for(&mut state, |state| state.shown, PATIENCE);
        }
    }

    fn say(&self, text: &str) {
        if let Some(lines) = &self.lines {
            lines(text);
        }
    }

    /// Shows what is compiled, until nothing is left.
    fn show(&self) {
        let mut bar: Option<ProgressBar> = None;
        let mut state = self.state();
        while !state.over && !state.compiling.is_empty() {
            let now = Instant::now();
            let long: Vec<String> =
                state.compiling.iter().filter(|one| now - one.since >= self.patience).map(|one| one.tool.clone()).collect();
            for one in state.compiling.iter_mut().filter(|one| !one.said && now - one.since >= self.patience) {
                one.said = true;
                self.say(&compiling(&one.tool, self.hint));
            }
            if let (None, Some(first)) = (&self.lines, state.compiling.iter().map(|one| one.since).min())
                && !long.is_empty()
            {
                let line = format!("compiling {} for this machine, once ({})", long.join(" and "), seconds(now - first));
                let bar = bar.get_or_insert_with(spinner);
                bar.set_message(harmless(&line));
                bar.tick();
            }
            let next =
                state.compiling.iter().filter(|one| !one.said).map(|one| (one.since + self.patience).saturating_duration_since(now)).min();
            let wait = if bar.is_some() { REDRAW } else { next.unwrap_or(REDRAW) };
            self.changed.wait_for(&mut state, wait);
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        state.shown = false;
        self.changed.notify_all();
    }
}

fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
        bar.set_style(style);
    }
    bar
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines so far.
    #[derive(Clone, Default)]
    struct Said(Arc<Mutex<String>>, Arc<Condvar>);

    impl Said {
        fn lines(&self) -> Option<Lines> {
            let said = self.clone();
            Some(Box::new(move |line| {
                said.0.lock().push_str(&format!("{line}\n"));
                said.1.notify_all();
            }))
        }

        /// Waits until `text` was said, and returns everything said.
        fn wait_for(&self, text: &str) -> String {
            let mut said = self.0.lock();
            self.1.wait_while(&mut said, |said| !said.contains(text));
            said.clone()
        }
    }

    #[test]
    fn what_takes_long_is_said_in_a_line_and_so_is_its_end() {
        let said = Said::default();
        let progress = Progress::to(said.lines(), Duration::ZERO, HINT);
        let tell = progress.listener();
        tell(CompileEvent::Started { tool: "sh".to_owned() });
        said.wait_for("compiling sh for this machine, once; `wisp prepare` does it ahead of time\n");
        tell(CompileEvent::Started { tool: "python3".to_owned() });
        said.wait_for("compiling python3 for this machine, once");
        tell(CompileEvent::Finished { tool: "sh".to_owned() });
        let all = said.wait_for("compiled sh in ");
        assert!(all.lines().count() == 3 && all.lines().all(|line| line.starts_with("compil")) && all.ends_with(" s\n"), "{all}");
    }

    #[test]
    fn what_takes_less_than_the_patience_is_not_worth_a_word() {
        let said = Said::default();
        let progress = Progress::to(said.lines(), Duration::from_secs(3600), HINT);
        let tell = progress.listener();
        tell(CompileEvent::Started { tool: "sh".to_owned() });
        tell(CompileEvent::Finished { tool: "sh".to_owned() });
        assert!(said.0.lock().is_empty());
    }
}
