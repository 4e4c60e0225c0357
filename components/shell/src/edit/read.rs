//! The terminal while a line is entered.

use crate::fds::{Fd, OpenFile};
use crate::shell::Listening;
use crate::signals::INT;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;
use wisp_edit::{Beginning, Completion, Entered, Pressed, Terminal, enter};
use wisp_tool::sys::terminal::Settings;

/// Columns of a terminal that does not know its size.
const COLUMNS: usize = 80;

/// A terminal, and what belongs to reading a line from it.
pub(crate) struct Source<'a> {
    /// Where keys are read.
    pub(crate) input: &'a OpenFile,
    /// Where the line is shown.
    pub(crate) output: &'a Fd,
    /// The signals that the shell handles.
    pub(crate) signals: &'a Listening,
    /// Those that end the line.
    pub(crate) ends: u64,
    /// When the time for it is over.
    pub(crate) until: Option<Instant>,
    /// The lines that Up goes to.
    pub(crate) history: Rc<[Vec<u8>]>,
    /// What Ctrl-Y puts in; it is kept from line to line.
    pub(crate) killed: &'a RefCell<Vec<char>>,
}

/// A terminal with settings that are put back when this is dropped.
pub(crate) struct Keys<'a> {
    input: &'a OpenFile,
    before: Settings,
    during: Settings,
}

impl<'a> Keys<'a> {
    /// Changes the settings of a terminal. `None` if it has none, because the host edits its lines.
    pub(crate) fn enter(input: &'a OpenFile, change: impl FnOnce(Settings) -> Settings) -> Option<Self> {
        let before = input.handle().settings().ok()?;
        let during = change(before);
        input.handle().set_settings(&during).ok()?;
        Some(Self { input, before, during })
    }

    /// Does `work` with the settings as they were, so that Ctrl-C and newlines have their usual effect.
    fn away<T>(&self, work: impl FnOnce() -> T) -> T {
        // A terminal that refuses settings now refused them before.
        let _ = self.input.handle().set_settings(&self.before);
        let done = work();
        let _ = self.input.handle().set_settings(&self.during);
        done
    }
}

impl Drop for Keys<'_> {
    fn drop(&mut self) {
        // Without a terminal there is nothing to put back.
        let _ = self.input.handle().set_settings(&self.before);
    }
}

struct Line<'a, 'b> {
    source: &'a Source<'b>,
    keys: Keys<'b>,
    complete: &'a mut dyn FnMut(&[u8]) -> Completion,
}

impl Terminal for Line<'_, '_> {
    fn columns(&self) -> usize {
        let size = self.source.input.handle().size();
        size.map(|(_, columns)| usize::from(columns)).ok().filter(|columns| *columns > 0).unwrap_or(COLUMNS)
    }

    fn show(&mut self, bytes: &[u8]) -> bool {
        bytes.is_empty() || self.source.output.write(bytes).is_ok()
    }

    fn next(&mut self) -> Pressed {
        let Source { input, signals, ends, until, .. } = self.source;
        loop {
            let readable = match until {
                Some(until) => input.readable_within(until.saturating_duration_since(Instant::now())),
                None => !signals.listens() || input.readable_or_signal(),
            };
            if readable {
                return input.read_byte().unwrap_or_default().map_or(Pressed::End, Pressed::Byte);
            }
            signals.listen();
            if signals.pending.get() & ends != 0 {
                if signals.has(INT) {
                    self.show(b"^C");
                }
                return Pressed::Stop;
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                return Pressed::Stop;
            }
        }
    }

    fn complete(&mut self, before: &[u8]) -> Completion {
        self.keys.away(|| (self.complete)(before))
    }
}

/// Lets a person edit a line. `complete` finds the candidates for the line up to the cursor. `None` if the terminal has no
/// settings, because the host edits its lines.
pub(crate) fn read_line(source: &Source<'_>, line: Beginning, complete: &mut dyn FnMut(&[u8]) -> Completion) -> Option<Entered> {
    let keys = Keys::enter(source.input, Settings::for_editor)?;
    let line = Beginning { history: source.history.clone(), killed: source.killed.take(), ..line };
    let (entered, killed) = enter(&mut Line { source, keys, complete }, line);
    source.killed.replace(killed);
    Some(entered)
}
