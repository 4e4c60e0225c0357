//! Where `read` gets its bytes: a file, keys of a terminal, or lines that a person edits there.

use super::read::Request;
use crate::edit::{Keys, Source, read_line};
use crate::fds::OpenFile;
use crate::shell::{Run, Shell};
use crate::signals::{HUP, INT, QUIT, TERM, bit};
use crate::sym::{self, intern};
use crate::sys::Errno;
use std::collections::VecDeque;
use std::time::Instant;
use wisp_edit::{Beginning, Entered};

/// What comes next.
pub(super) enum Next {
    Byte(u8),
    /// The time was up.
    Late,
    End,
    Failed(Errno),
}

/// The input of one `read`. At a terminal, its settings are put back when this is dropped.
pub(super) struct Input<'a> {
    file: &'a OpenFile,
    until: Option<Instant>,
    line: Option<Edited<'a>>,
    _keys: Option<Keys<'a>>,
}

/// Lines that a person edits.
struct Edited<'a> {
    request: &'a Request<'a>,
    bytes: VecDeque<u8>,
    late: bool,
    /// What the next line begins with.
    next: Beginning,
}

impl<'a> Input<'a> {
    pub(super) fn new(file: &'a OpenFile, request: &'a Request<'a>, until: Option<Instant>) -> Self {
        if request.edits {
            let prompt = request.prompt.unwrap_or_default().to_vec();
            let next = Beginning { prompt, text: request.text.to_vec(), most: request.count, ..Beginning::default() };
            return Self { file, until, line: Some(Edited { request, bytes: VecDeque::new(), late: false, next }), _keys: None };
        }
        let settings = changes_settings(request).then(|| {
            Keys::enter(file, |before| {
                let during = if takes_keys(request) { before.by_key() } else { before };
                during.with_echo(before.echoes() && !request.silent)
            })
        });
        Self { file, until, line: None, _keys: settings.flatten() }
    }

    /// Returns the next byte; waits for it.
    pub(super) fn next(&mut self, shell: &mut Shell) -> Run<Next> {
        if let Some(line) = &mut self.line {
            return line.next(shell, self.file, self.until);
        }
        if !shell.wait_readable(self.file, self.until)? {
            return Ok(Next::Late);
        }
        Ok(match self.file.read_byte() {
            Ok(Some(byte)) => Next::Byte(byte),
            Ok(None) => Next::End,
            Err(error) => Next::Failed(error),
        })
    }
}

impl Edited<'_> {
    fn next(&mut self, shell: &mut Shell, file: &OpenFile, until: Option<Instant>) -> Run<Next> {
        loop {
            if let Some(byte) = self.bytes.pop_front() {
                return Ok(Next::Byte(byte));
            }
            if self.late {
                return Ok(Next::Late);
            }
            let line = std::mem::replace(&mut self.next, Beginning { most: self.request.count, ..Beginning::default() });
            let again = line.clone();
            match shell.edit_line(file, line, until) {
                Some(Entered::Line(line)) => self.bytes.extend([line, b"\n".to_vec()].concat()),
                Some(Entered::Stopped(text)) if until.is_some_and(|until| Instant::now() >= until) => {
                    // What was typed counts.
                    self.bytes.extend(text);
                    self.late = true;
                }
                Some(Entered::Stopped(text)) => {
                    shell.stopped_reading()?;
                    // A trap ran: the person goes on.
                    self.next = Beginning { text, ..again };
                }
                Some(Entered::End) | None => return Ok(Next::End),
            }
        }
    }
}

/// Returns whether single keys are read.
fn takes_keys(request: &Request<'_>) -> bool {
    request.count.is_some() || request.delimiter != b'\n'
}

fn changes_settings(request: &Request<'_>) -> bool {
    request.silent || takes_keys(request)
}

/// Signals that end a shell, which first has to put the terminal's settings back.
const LEAVE: [u8; 4] = [HUP, INT, QUIT, TERM];

impl Shell {
    /// Returns whether a person can edit lines at this file.
    pub(super) fn can_edit(&mut self, file: &OpenFile) -> bool {
        let term = self.get(intern(b"TERM")).unwrap_or_default();
        !term.is_empty() && term != b"dumb" && file.handle().settings().is_ok()
    }

    /// Holds signals back: while the terminal has other settings, none ends this process at once. Returns the signals that now come to
    /// the shell.
    pub(super) fn hold_signals(&mut self, file: &OpenFile, request: &Request<'_>) -> u64 {
        if !(request.edits || changes_settings(request)) || file.handle().settings().is_err() {
            return 0;
        }
        let arrived = &self.signals.arrived;
        let known = arrived.handled.get() | self.ignored() | self.signals.async_ignored;
        let held = LEAVE.into_iter().fold(0, |set, signal| set | bit(signal)) & !known;
        arrived.handled.set(arrived.handled.get() | held);
        arrived.fatal.set(arrived.fatal.get() | held);
        arrived.tell(self.signals.told_ignored);
        held
    }

    /// Lets these signals end the process again.
    pub(super) fn release_signals(&mut self, held: u64) {
        if held != 0 {
            let arrived = &self.signals.arrived;
            arrived.listen();
            arrived.handled.set(arrived.handled.get() & !held);
            arrived.fatal.set(arrived.fatal.get() & !held);
            arrived.tell(self.signals.told_ignored);
        }
    }

    /// Lets a person edit a line of `read -e`.
    fn edit_line(&mut self, file: &OpenFile, line: Beginning, until: Option<Instant>) -> Option<Entered> {
        let (output, arrived) = (self.fd(2)?, self.signals.arrived.clone());
        let history = self.entry.history.list.iter().map(|(line, _)| line.clone()).collect();
        let ends = arrived.fatal.get() | bit(INT);
        let prompting = self.entry.prompting.clone();
        let source = Source { input: file, output: &output, signals: &arrived, ends, until, history, killed: &prompting.killed };
        let (cwd, home) = (self.process.cwd.clone(), self.get(sym::HOME).unwrap_or_default());
        read_line(&source, line, &mut |before| crate::shell::complete_files(&cwd, &home, before))
    }
}
