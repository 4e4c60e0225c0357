//! The lines of an interactive shell at a terminal: read with the editor, and completed from what the shell knows.

use super::{Listening, Run, Shell, Spec};
use crate::edit::{Source, Typed, Word, read_line};
use crate::fds::{Fd, OpenFile};
use crate::signals::{HUP, INT, bit};
use crate::sym::{self, intern};
use crate::sys::{self, Kind};
use wisp_edit::{Beginning, Candidate, Completion, Entered};

/// Statuses above this are those of programs that a signal stopped or ended.
const SIGNALED: i32 = 128;

/// Commands whose arguments are directories.
const OF_DIRECTORIES: [&str; 3] = ["cd", "pushd", "rmdir"];

/// A name that completes a word.
struct Name {
    text: Vec<u8>,
    /// Whether it is a file's: it is shown without its directory, and a directory ends with a slash.
    file: bool,
}

impl Shell {
    /// Returns whether lines are read with the editor.
    fn edits(&mut self) -> bool {
        let wanted = ["emacs", "vi"].into_iter().any(|mode| self.opts.long(mode) == Some(true));
        let term = self.get(intern(b"TERM")).unwrap_or_default();
        wanted && !term.is_empty() && term != b"dumb" && self.at_terminal()
    }

    /// Shows the prompt and reads a line with the editor, for the reader of commands. Returns whether it did.
    pub(super) fn enter_line(&mut self, prompt: &[u8]) -> bool {
        let (Some(Fd::File(input)), Some(output)) = (self.fd(0), self.fd(2)) else { return false };
        if self.last.status > SIGNALED {
            // What a program left that a signal ended: it had no chance to put the settings back itself.
            self.reclaim_terminal();
        }
        let prompting = self.entry.prompting.clone();
        prompting.settings.set(input.handle().settings().ok());
        if !self.edits() {
            return false;
        }
        let signals = self.signals.arrived.clone();
        let history = self.entry.history.list.iter().map(|(line, _)| line.clone()).collect();
        prompting.history.replace(history);
        prompting.places.replace((self.process.cwd.to_vec(), self.get(sym::HOME).unwrap_or_default()));
        let source = Source {
            input: &input,
            output: &output,
            signals: &signals,
            ends: bit(INT) | bit(HUP),
            until: None,
            history: prompting.history.borrow().clone(),
            killed: &prompting.killed,
        };
        let Some(entered) = read_line(&source, after(prompt), &mut |before| self.complete_line(before)) else { return false };
        // It may have changed while the line was edited.
        self.follow_window();
        prompting.take(entered);
        true
    }

    /// Returns the candidates for a line up to the cursor.
    fn complete_line(&mut self, before: &[u8]) -> Completion {
        let line = String::from_utf8_lossy(before);
        let typed = Typed::new(&line);
        let status = self.last.status;
        // What a completion function does wrong it has reported itself.
        let (names, blank) = self.names_for(&typed, before).unwrap_or_default();
        self.last.status = status;
        let home = self.get(sym::HOME).unwrap_or_default();
        let is_directory = |shell: &Self, name: &[u8]| {
            let path = match name.strip_prefix(b"~/") {
                Some(rest) => [&home[..], b"/", rest].concat(),
                None => name.to_vec(),
            };
            sys::stat(&shell.absolute(&path), true).is_ok_and(|stat| stat.kind == Kind::Directory)
        };
        let few = names.len() <= MAX_STATS;
        let candidates = names.iter().filter_map(|name| {
            let directory = name.file && few && is_directory(self, &name.text);
            candidate(&typed.word, name, directory, blank)
        });
        Completion { start: typed.word.start, candidates: candidates.collect() }
    }

    /// Returns the names that complete the word before the cursor, and whether a blank follows a name that is the only one.
    fn names_for(&mut self, typed: &Typed, before: &[u8]) -> Run<(Vec<Name>, bool)> {
        let word = typed.word.value.as_bytes();
        let named = |names: Vec<Vec<u8>>, file| names.into_iter().map(|text| Name { text, file }).collect::<Vec<_>>();
        if let Some(variable) = typed.word.value.strip_prefix('$').filter(|_| typed.word.quote != Some('\'')) {
            let spec = self.spec_of_action("variable");
            let found = self.completions_of(&spec, variable.as_bytes(), None)?;
            return Ok((named(found.into_iter().map(|name| [b"$", &name[..]].concat()).collect(), false), true));
        }
        if typed.is_command() {
            if word.contains(&b'/') {
                return Ok((named(self.files(word, false), true), true));
            }
            if word.is_empty() {
                return Ok((Vec::new(), true));
            }
            let spec = self.spec_of_action("command");
            let mut found = self.completions_of(&spec, word, None)?;
            found.sort();
            found.dedup();
            return Ok((named(found, false), true));
        }
        if typed.redirects || typed.word.part {
            return Ok((named(self.files(word, false), true), true));
        }
        let command = &typed.words[0];
        if let Some(spec) = self.spec_for(command.as_bytes()) {
            let found = self.completions_of(&spec, word, Some((typed, before)))?;
            let file = spec.has_option("filenames") || spec.has_action("file") || spec.has_action("directory");
            let falls_back = spec.has_option("bashdefault");
            if !found.is_empty() || !falls_back {
                return Ok((named(found, file), !spec.has_option("nospace")));
            }
        }
        let directories = OF_DIRECTORIES.contains(&command.as_str());
        Ok((named(self.files(word, directories), true), true))
    }

    /// Returns the specification for a command, or the one for all others.
    fn spec_for(&self, command: &[u8]) -> Option<Spec> {
        let base = command.rsplit(|b| *b == b'/').next().unwrap_or_default();
        let of = |wanted: &[u8]| self.builtins.completions.iter().find(|(name, _)| name == wanted).map(|(_, spec)| spec.clone());
        of(command).or_else(|| of(base)).or_else(|| of(crate::builtins::DEFAULT_COMPLETION))
    }
}

/// Maximum candidates that are looked up as files.
const MAX_STATS: usize = 1_000;

/// Returns the candidate that a name is. Names that no one-line word can have are left out.
fn candidate(word: &Word, name: &Name, directory: bool, blank: bool) -> Option<Candidate> {
    let text = std::str::from_utf8(&name.text).ok().filter(|text| !text.chars().any(char::is_control))?;
    // A word with blanks that is no file, and variables, stand as they are.
    let literal = !name.file && (text.starts_with('$') || text.contains(' '));
    let (insert, quote) = if literal && word.quote.is_none() {
        (text.to_owned(), "")
    } else if literal {
        (format!("{}{text}", word.quote.unwrap_or_default()), "\"")
    } else {
        word.written(text)
    };
    let after = match (directory, blank) {
        (true, _) => "/".to_owned(),
        (false, true) => format!("{quote} "),
        (false, false) => String::new(),
    };
    let base = if name.file { text.rsplit('/').next().unwrap_or_default() } else { text };
    Some(Candidate { insert, after, shown: format!("{base}{}", if directory { "/" } else { "" }) })
}

/// Returns an empty line after a prompt.
fn after(prompt: &[u8]) -> Beginning {
    Beginning { prompt: prompt.to_vec(), ..Beginning::default() }
}

/// Returns the candidates on a line that continues a command: files.
pub(crate) fn complete_files(cwd: &[u8], home: &[u8], before: &[u8]) -> Completion {
    let typed = Typed::new(&String::from_utf8_lossy(before));
    let names = crate::builtins::files_of(cwd, home, typed.word.value.as_bytes(), false);
    let candidates = names.into_iter().filter_map(|text| candidate(&typed.word, &Name { text, file: true }, false, true));
    Completion { start: typed.word.start, candidates: candidates.collect() }
}

impl super::Prompting {
    /// Reads a line that continues a command with the editor, if the first line was read with it. Returns whether it did.
    pub(crate) fn edit_continuation(&self, input: &OpenFile, output: &Fd, signals: &Listening) -> bool {
        if !self.edits.get() {
            return false;
        }
        let history = self.history.borrow().clone();
        let source = Source { input, output, signals, ends: bit(INT) | bit(HUP), until: None, history, killed: &self.killed };
        let (cwd, home) = self.places.borrow().clone();
        let prompt = self.continued.borrow().clone();
        let entered = read_line(&source, after(&prompt), &mut |before| complete_files(&cwd, &home, before));
        entered.map(|entered| self.take(entered)).is_some()
    }

    /// Keeps what a person entered for the reader of commands.
    pub(crate) fn take(&self, entered: Entered) {
        match entered {
            Entered::Line(line) => {
                let lines = line.split(|b| *b == b'\n').map(|line| [line, b"\n"].concat());
                self.entered.borrow_mut().extend(lines);
            }
            Entered::Stopped(_) => self.interrupted.set(true),
            Entered::End => self.ended.set(true),
        }
    }
}
