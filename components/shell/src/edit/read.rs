//! The terminal in raw mode, and the loop that reads keys.

use super::{Completion, Editor, Step};
use crate::fds::{Fd, OpenFile};
use crate::shell::Listening;
use crate::signals::INT;
use std::cell::RefCell;
use std::rc::Rc;
use wisp_tool::sys::terminal::Settings;

/// Flags of termios(3), with Linux's numbers.
mod flag {
    pub(super) const INLCR: u32 = 0o100;
    pub(super) const IGNCR: u32 = 0o200;
    pub(super) const ICRNL: u32 = 0o400;
    pub(super) const OPOST: u32 = 0o1;
    pub(super) const ONLCR: u32 = 0o4;
    pub(super) const ISIG: u32 = 0o1;
    pub(super) const ICANON: u32 = 0o2;
    pub(super) const ECHO: u32 = 0o10;
    pub(super) const IEXTEN: u32 = 0o100000;
}

/// Places of control characters.
const VTIME: usize = 5;
const VMIN: usize = 6;

/// Tells the terminal to mark what is pasted, and no longer to.
const MARK_PASTES: &[u8] = b"\x1b[?2004h";
const MARK_NO_PASTES: &[u8] = b"\x1b[?2004l";

/// Columns of a terminal that does not know its size.
const COLUMNS: usize = 80;

/// What a person entered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Entered {
    /// A line, or several that were pasted, without the last newline.
    Line(Vec<u8>),
    /// Ctrl-C.
    Interrupted,
    /// Ctrl-D on an empty line, or the end of the input.
    End,
}

/// A terminal, and what belongs to reading from it.
pub(crate) struct Source<'a> {
    /// Where keys are read.
    pub(crate) input: &'a OpenFile,
    /// Where the line is shown.
    pub(crate) output: &'a Fd,
    /// The signals that the shell handles.
    pub(crate) signals: &'a Listening,
    /// The lines that Up goes to.
    pub(crate) history: Rc<[Vec<u8>]>,
    /// What Ctrl-Y puts in; it is kept from line to line.
    pub(crate) killed: &'a RefCell<Vec<char>>,
}

/// The settings with which keys are read one by one. Ctrl-C stays a signal.
fn raw(mut settings: Settings) -> Settings {
    settings.input &= !(flag::INLCR | flag::IGNCR | flag::ICRNL);
    settings.output |= flag::OPOST | flag::ONLCR;
    settings.local &= !(flag::ICANON | flag::ECHO | flag::IEXTEN);
    settings.local |= flag::ISIG;
    (settings.characters[VMIN], settings.characters[VTIME]) = (1, 0);
    settings
}

/// A terminal whose settings are put back when this is dropped.
struct Raw<'a> {
    input: &'a OpenFile,
    before: Settings,
}

impl<'a> Raw<'a> {
    fn enter(input: &'a OpenFile, before: Settings) -> Option<Self> {
        input.handle().set_settings(&raw(before)).ok()?;
        Some(Self { input, before })
    }

    /// Does `work` with the settings as they were, so that Ctrl-C and newlines have their usual effect.
    fn away<T>(&self, work: impl FnOnce() -> T) -> T {
        // A terminal that refuses settings now refused them before.
        let _ = self.input.handle().set_settings(&self.before);
        let done = work();
        let _ = self.input.handle().set_settings(&raw(self.before));
        done
    }
}

impl Drop for Raw<'_> {
    fn drop(&mut self) {
        // Without a terminal there is nothing to put back.
        let _ = self.input.handle().set_settings(&self.before);
    }
}

impl Source<'_> {
    fn columns(&self) -> usize {
        self.input.handle().size().map(|(_, columns)| usize::from(columns)).ok().filter(|columns| *columns > 0).unwrap_or(COLUMNS)
    }

    /// Shows bytes. A terminal that cannot show them ends the reading too.
    fn show(&self, bytes: &[u8]) -> bool {
        bytes.is_empty() || self.output.write(bytes).is_ok()
    }

    /// The next byte. `Err` if Ctrl-C came instead; `Ok(None)` at the end of the input.
    fn next(&self) -> Result<Option<u8>, ()> {
        while self.signals.listens() && !self.input.readable_or_signal() {
            self.signals.listen();
            if self.signals.has(INT) {
                return Err(());
            }
        }
        Ok(self.input.read_byte().unwrap_or_default())
    }
}

/// Lets a person edit a line after `prompt`. `complete` finds the candidates for the line up to the cursor. `None` if the
/// terminal has no settings, because the host edits its lines.
pub(crate) fn read_line(source: &Source<'_>, prompt: &[u8], complete: &mut dyn FnMut(&[u8]) -> Completion) -> Option<Entered> {
    let raw = Raw::enter(source.input, source.input.handle().settings().ok()?)?;
    let mut editor = Editor::new(prompt, source.columns(), source.history.clone(), source.killed.take());
    let entered = keys(source, &raw, &mut editor, complete);
    if entered != Entered::End {
        editor.leave();
    }
    source.show(&[&editor.take_output(), MARK_NO_PASTES].concat());
    source.killed.replace(editor.killed());
    Some(entered)
}

fn keys(source: &Source<'_>, raw: &Raw<'_>, editor: &mut Editor, complete: &mut dyn FnMut(&[u8]) -> Completion) -> Entered {
    let mut shown = MARK_PASTES.to_vec();
    loop {
        shown.extend(editor.take_output());
        if !source.show(&std::mem::take(&mut shown)) {
            return Entered::End;
        }
        let byte = match source.next() {
            Ok(Some(byte)) => byte,
            Ok(None) => return Entered::End,
            Err(()) => {
                source.show(b"^C");
                return Entered::Interrupted;
            }
        };
        editor.resize(source.columns());
        match editor.byte(byte) {
            Step::Continue => {}
            Step::Done => return Entered::Line(editor.line()),
            Step::End => return Entered::End,
            Step::Complete => {
                let before = editor.before();
                let found = raw.away(|| complete(&before));
                editor.offer(found);
            }
        }
    }
}
