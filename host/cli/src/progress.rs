//! Reports on standard error what wisp waits for: tools that are compiled for this machine, which takes seconds and happens once for
//! what a policy grants.
//!
//! At a terminal this is a line that disappears afterwards. Elsewhere it is a line after one second, and one at the end, whatever the number
//! of tools.

mod reason;

pub(crate) use reason::Reason;

use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::{Condvar, Mutex, MutexGuard};
use wisp::CompileEvent;

use crate::messages::{at_terminal, harmless, say};

/// Shorter waits are not reported.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the line at a terminal is redrawn.
const REDRAW: Duration = Duration::from_millis(100);

/// Shows what is compiled, until it is dropped.
pub(crate) struct Progress(Arc<Shared>);

struct Shared {
    reason: Reason,
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
    /// What has been compiled, and how long that took altogether.
    compiled: Vec<String>,
    took: Duration,
    /// Since when something is being compiled.
    since: Option<Instant>,
    /// A line has reported that something is compiled.
    said: bool,
    /// A thread shows them.
    shown: bool,
    over: bool,
}

struct Compiling {
    tool: String,
    since: Instant,
}

impl Progress {
    /// Creates the state with nothing to show yet. If `quiet`, it is shown to nobody.
    pub(crate) fn new(reason: Reason, quiet: bool) -> Self {
        let lines = if quiet { Some(nowhere()) } else { standard_error() };
        Self::to(lines, PATIENCE, reason)
    }

    /// Returns the same for calls that agents make: only a person at a terminal sees it, since a model reads the rest.
    pub(crate) fn of_resident(reason: Reason) -> Self {
        Self::to(standard_error().map(|_| nowhere()), PATIENCE, reason)
    }

    /// Writes lines there after `patience`, unless they are drawn.
    fn to(lines: Option<Lines>, patience: Duration, reason: Reason) -> Self {
        let (state, changed) = (Mutex::default(), Condvar::new());
        Self(Arc::new(Shared { reason, state, changed, patience, lines }))
    }

    /// Receives what the engine reports.
    pub(crate) fn listener(&self) -> impl Fn(CompileEvent) + Send + Sync + use<> {
        let shared = self.0.clone();
        move |event| shared.event(event)
    }
}

/// Returns what says at once what is compiled, in lines, for a server: its standard error is a log.
pub(crate) fn log(reason: Reason) -> impl Fn(CompileEvent) + Send + Sync + use<> {
    move |event| {
        if let CompileEvent::Started { tool } = event {
            say(&reason.line(&tool));
        }
    }
}

/// Returns the destination of lines, unless they are drawn.
fn standard_error() -> Option<Lines> {
    (!at_terminal()).then(|| Box::new(say) as Lines)
}

/// Returns a destination of lines that nobody reads.
fn nowhere() -> Lines {
    Box::new(|_: &str| {})
}

impl Drop for Progress {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.over = true;
        // Who reads that nothing is kept waits for no more news.
        if state.said && self.0.reason.kept && !state.compiled.is_empty() {
            self.0.say(&format!("compiled {} in {}", listed(&state.compiled), seconds(state.took)));
        }
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
                let now = Instant::now();
                state.since = state.since.or(Some(now));
                state.compiling.push(Compiling { tool, since: now });
                if !std::mem::replace(&mut state.shown, true) {
                    let shared = self.clone();
                    let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(move || shared.show());
                    // Without a thread nothing is shown; compiling continues.
                    state.shown = thread.is_ok();
                }
            }
            CompileEvent::Finished { tool } => {
                if let Some(at) = state.compiling.iter().position(|one| one.tool == tool) {
                    state.compiling.swap_remove(at);
                    if !state.compiled.contains(&tool) {
                        state.compiled.push(tool);
                    }
                }
                if state.compiling.is_empty() {
                    let took = state.since.take().map(|since| since.elapsed()).unwrap_or_default();
                    state.took += took;
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
            if !long.is_empty() && self.lines.is_some() && !std::mem::replace(&mut state.said, true) {
                self.say(&self.reason.line(&listed(&long)));
            }
            if let (None, Some(first)) = (&self.lines, state.compiling.iter().map(|one| one.since).min())
                && !long.is_empty()
            {
                let line = format!("{} ({})", self.reason.brief(&listed(&long)), seconds(now - first));
                let bar = bar.get_or_insert_with(spinner);
                bar.set_message(harmless(&line));
                bar.tick();
            }
            if state.said {
                // One line is enough.
                self.changed.wait(&mut state);
            } else {
                let next = state.compiling.iter().map(|one| (one.since + self.patience).saturating_duration_since(now)).min();
                let wait = if bar.is_some() { REDRAW } else { next.unwrap_or(REDRAW) };
                self.changed.wait_for(&mut state, wait);
            }
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        state.shown = false;
        self.changed.notify_all();
    }
}

/// Returns names as a sentence lists them.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
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

    fn reason(kept: bool) -> Reason {
        Reason { policy: "offline".to_owned(), options: !kept, kept, hint: true }
    }

    const KEPT: &str =
        "compiling sh for this machine and what `offline` grants, once; `wisp prepare` with the same options does it ahead of time\n";

    #[test]
    fn what_takes_long_is_said_in_a_line_and_its_end_in_another_whatever_the_number_of_tools() {
        let said = Said::default();
        let progress = Progress::to(said.lines(), Duration::ZERO, reason(true));
        let tell = progress.listener();
        let started = |tool: &str| tell(CompileEvent::Started { tool: tool.to_owned() });
        let finished = |tool: &str| tell(CompileEvent::Finished { tool: tool.to_owned() });
        started("sh");
        said.wait_for(KEPT);
        started("python3");
        finished("sh");
        finished("python3");
        started("text");
        finished("text");
        assert_eq!(*said.0.lock(), KEPT);
        drop(progress);
        let all = said.0.lock().clone();
        let end = all.strip_prefix(KEPT).expect("the line before");
        assert!(end.starts_with("compiled sh, python3 and text in ") && end.ends_with(" s\n") && end.lines().count() == 1, "{end}");
    }

    #[test]
    fn what_is_not_kept_is_not_once() {
        let said = Said::default();
        let progress = Progress::to(said.lines(), Duration::ZERO, reason(false));
        let tell = progress.listener();
        tell(CompileEvent::Started { tool: "sh".to_owned() });
        said.wait_for("compiling sh for this machine and what `offline` grants with these options, in each run: no cache keeps it\n");
        tell(CompileEvent::Finished { tool: "sh".to_owned() });
        drop(progress);
        // The second line is the one about the cache.
        assert_eq!(said.0.lock().lines().count(), 1);
    }

    #[test]
    fn what_takes_less_than_the_patience_is_not_worth_a_word() {
        let said = Said::default();
        let progress = Progress::to(said.lines(), Duration::from_secs(3600), reason(true));
        let tell = progress.listener();
        tell(CompileEvent::Started { tool: "sh".to_owned() });
        tell(CompileEvent::Finished { tool: "sh".to_owned() });
        drop(progress);
        assert!(said.0.lock().is_empty());
    }
}
