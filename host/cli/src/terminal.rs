//! A user's terminal. wisp is its line discipline: it edits lines (with rustyline) when a program waits for one, so
//! that every program that reads lines gets editing without knowing about terminals.
//!
//! While no program reads, the terminal is in its original mode: Ctrl-C is a signal, and typed input is kept for the
//! next reader.

use std::io::{IsTerminal, Write};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll};

use parking_lot::Mutex;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Editor, Helper};
use tokio::io::AsyncWrite;
use tokio::sync::oneshot;
use wisp::fs::{HOME, PATH};
use wisp::{Session, Terminal, Typed};

use crate::left::Remains;
use crate::{answers, messages};

/// Bytes of the terminal's last line that are kept: prompts are shorter.
const MAX_PROMPT: usize = 4096;

/// Maximum names that Tab offers; a guest can make a directory with 100,000.
const MAX_CANDIDATES: usize = 200;

/// Whether standard input, output and error are a terminal.
pub(crate) fn attended() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && messages::at_terminal()
}

/// The contents of the terminal's last line.
#[derive(Default)]
pub(crate) struct Screen(Mutex<Vec<u8>>);

impl Screen {
    fn wrote(&self, bytes: &[u8]) {
        let mut line = self.0.lock();
        let rest = match bytes.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')) {
            Some(at) => {
                line.clear();
                &bytes[at + 1..]
            }
            None => bytes,
        };
        line.extend_from_slice(rest);
        let over = line.len().saturating_sub(MAX_PROMPT);
        line.drain(..over);
    }

    /// The last line; the next one begins.
    fn take(&self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut *self.0.lock())).into_owned()
    }
}

/// An output of wisp, observed by a [`Screen`].
pub(crate) struct Shown<W> {
    stream: W,
    screen: Arc<Screen>,
}

impl<W> Shown<W> {
    pub(crate) fn new(stream: W, screen: &Arc<Screen>) -> Self {
        Self { stream, screen: screen.clone() }
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for Shown<W> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(context, bytes);
        if let Poll::Ready(Ok(count)) = &done {
            self.screen.wrote(&bytes[..*count]);
        }
        done
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

type Request = (String, oneshot::Sender<Typed>);

/// Edits lines, on its own thread: waiting for keys blocks.
pub(crate) struct Lines {
    requests: mpsc::Sender<Request>,
    screen: Arc<Screen>,
}

impl Lines {
    /// Lines for `session`, whose outputs `screen` observes.
    pub(crate) fn new(session: &Session, screen: &Arc<Screen>) -> rustyline::Result<Self> {
        let config = Config::builder().history_ignore_dups(true)?.auto_add_history(true).build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::<Names, MemHistory>::with_history(config, history)?;
        editor.set_helper(Some(Names { session: session.clone() }));
        let (requests, asked) = mpsc::channel::<Request>();
        std::thread::Builder::new().name("terminal".to_owned()).spawn(move || {
            while let Ok((prompt, answer)) = asked.recv() {
                // The requester may have gone meanwhile.
                let _ = answer.send(read(&mut editor, &prompt));
            }
        })?;
        Ok(Self { requests, screen: screen.clone() })
    }
}

#[async_trait::async_trait]
impl Terminal for Lines {
    async fn line(&mut self) -> Typed {
        let (answer, typed) = oneshot::channel();
        if self.requests.send((self.screen.take(), answer)).is_err() {
            return Typed::Gone;
        }
        typed.await.unwrap_or(Typed::Gone)
    }
}

fn read(editor: &mut Editor<Names, MemHistory>, prompt: &str) -> Typed {
    if !prompt.is_empty() {
        // The editor redraws it, and must know where the line begins.
        let mut out = std::io::stdout().lock();
        if out.write_all(b"\r\x1b[K").and_then(|()| out.flush()).is_err() {
            return Typed::Gone;
        }
    }
    match editor.readline(&(plain(prompt).as_str(), prompt)) {
        Ok(line) => Typed::Line((line + "\n").into()),
        Err(ReadlineError::Interrupted) => Typed::Interrupt,
        Err(ReadlineError::Eof) => Typed::End,
        Err(_) => Typed::Gone,
    }
}

/// A prompt without its colours.
fn plain(prompt: &str) -> String {
    let mut plain = String::new();
    let mut chars = prompt.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\x1b' if chars.next_if_eq(&'[').is_some() => {
                // Up to the letter that ends the sequence.
                while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {}
            }
            '\x1b' if chars.next_if_eq(&']').is_some() => while chars.next().is_some_and(|c| c != '\x07') {},
            c if c.is_control() => {}
            c => plain.push(c),
        }
    }
    plain
}

/// Completes the names of programs and files of the session.
struct Names {
    session: Session,
}

impl Completer for Names {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &rustyline::Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let line = &line[..pos];
        let begin = line.rfind([' ', '\t', '|', '&', ';', '(', '<', '>', '=', '"', '\'', '`']).map_or(0, |at| at + 1);
        let word = &line[begin..];
        let first = line[..begin].trim_end().is_empty() || line[..begin].trim_end().ends_with(['|', '&', ';', '(']);
        let (at, names) = match word.rfind('/') {
            Some(slash) => {
                let directory = match word[..=slash].strip_prefix("~/") {
                    Some(rest) => format!("{HOME}/{rest}"),
                    None if word.starts_with('/') => word[..=slash].to_owned(),
                    // Only the shell knows its directory.
                    None => return Ok((pos, Vec::new())),
                };
                (begin + slash + 1, self.session.names(&directory, &word[slash + 1..], MAX_CANDIDATES))
            }
            None if first && !word.is_empty() => (begin, self.session.names(PATH, word, MAX_CANDIDATES)),
            None => return Ok((pos, Vec::new())),
        };
        Ok((at, names))
    }
}

impl Hinter for Names {
    type Hint = String;
}
impl Highlighter for Names {}
impl Validator for Names {}
impl Helper for Names {}

/// The terminal's original settings, restored when this is dropped.
pub(crate) struct Settings {
    original: libc::termios,
    /// Whether each key is passed on, and programs of the sandbox control the screen.
    raw: AtomicBool,
    /// What they leave on there.
    remains: Remains,
}

impl Settings {
    /// Those of standard input, if it is a terminal.
    pub(crate) fn save() -> Option<Self> {
        // SAFETY: the call only writes the structure, which is plain data.
        let original = unsafe {
            let mut settings = std::mem::zeroed();
            (libc::tcgetattr(libc::STDIN_FILENO, &mut settings) == 0).then_some(settings)?
        };
        Some(Self { original, raw: AtomicBool::new(false), remains: Remains::default() })
    }

    /// What programs leave on at the screen: [`Settings::restore`] switches it off.
    pub(crate) fn remains(&self) -> &Remains {
        &self.remains
    }

    /// Makes the terminal pass each key as it is pressed, and show bytes as they are.
    pub(crate) fn make_raw(&self) {
        self.raw.store(true, Ordering::Relaxed);
        let mut raw = self.original;
        // SAFETY: the first call changes the structure, the second only reads it. A closed terminal is noticed by the next read.
        unsafe {
            libc::cfmakeraw(&mut raw);
            libc::tcsetattr(libc::STDIN_FILENO, libc::TCSADRAIN, &raw);
        }
    }

    /// Restores them. After raw mode, what programs left on is switched off, and what was typed and not read is discarded: it
    /// may be the terminal's answer to a question of theirs, which the person's shell would take for commands. Where they asked
    /// one, this waits until the terminal has answered.
    pub(crate) fn restore(&self) {
        let how = if self.raw.swap(false, Ordering::Relaxed) {
            let (reset, asked) = self.remains.take(size().map_or(80, |(columns, _)| columns));
            let mut out = std::io::stdout().lock();
            // A closed terminal needs no restoring.
            let reset = out.write_all(&reset).and_then(|()| out.flush());
            if let (Ok(()), Some(expected)) = (reset, asked) {
                answers::drain(&mut out, &std::io::stdin(), expected, answers::PATIENCE);
            }
            libc::TCSAFLUSH
        } else {
            libc::TCSADRAIN
        };
        // SAFETY: the call only reads the structure.
        unsafe { libc::tcsetattr(libc::STDIN_FILENO, how, &self.original) };
    }
}

impl Drop for Settings {
    fn drop(&mut self) {
        self.restore();
    }
}

/// Columns and lines of the terminal.
pub(crate) fn size() -> Option<(u16, u16)> {
    // SAFETY: the call only writes the structure, which is plain data.
    let size = unsafe {
        let mut size: libc::winsize = std::mem::zeroed();
        (libc::ioctl(libc::STDOUT_FILENO, libc::TIOCGWINSZ, &mut size) == 0).then_some(size)?
    };
    (size.ws_col > 0 && size.ws_row > 0).then_some((size.ws_col, size.ws_row))
}

#[cfg(test)]
mod tests {
    use super::{Screen, plain};

    #[test]
    fn the_prompt_is_what_stands_behind_the_last_newline() {
        let screen = Screen::default();
        for text in ["one\ntw", "o\nuser@wisp", ":~$ "] {
            screen.wrote(text.as_bytes());
        }
        assert_eq!(screen.take(), "user@wisp:~$ ");
        assert_eq!(screen.take(), "");
        screen.wrote(&b"x".repeat(1_000_000));
        assert_eq!(screen.take().len(), super::MAX_PROMPT);
    }

    #[test]
    fn colours_have_no_width() {
        assert_eq!(plain("\x1b[1;32muser\x1b[0m:\x1b]0;title\x07~$ "), "user:~$ ");
    }
}
