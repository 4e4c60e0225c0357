//! Builds command lines and runs them.

use super::items::Items;
use crate::spawn::{self, Command};
use crate::sys::{self, Child, Input};
use crate::text;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};

const TOO_SMALL: &str = "cannot fit single argument within argument list size limit";

/// The command to run, its settings, and its running children.
pub(super) struct Xargs {
    pub words: Vec<OsString>,
    pub replace: Option<String>,
    pub most_items: Option<usize>,
    pub most_lines: Option<usize>,
    pub most_bytes: usize,
    pub processes: usize,
    pub slot_variable: Option<String>,
    pub verbose: bool,
    pub ask: bool,
    pub exact: bool,
    pub input: Input,
    running: Vec<(usize, Child)>,
    /// The exit status after the worst command so far.
    pub status: u8,
    stop: bool,
}

impl Xargs {
    /// Creates a run of one command at a time, with as many items as fit.
    pub(super) fn new(words: Vec<OsString>) -> Self {
        Self {
            words,
            replace: None,
            most_items: None,
            most_lines: None,
            most_bytes: super::DEFAULT_SIZE,
            processes: 1,
            slot_variable: None,
            verbose: false,
            ask: false,
            exact: false,
            input: Input::Null,
            running: Vec::new(),
            status: 0,
            stop: false,
        }
    }

    /// Runs all commands.
    pub(super) fn run(&mut self, items: &mut Items, skip_empty: bool) {
        match self.replace.clone() {
            Some(mark) => self.replaced(items, &mark),
            None => self.appended(items, skip_empty),
        }
        while !self.running.is_empty() {
            self.reap();
        }
    }

    fn fail(&mut self, message: &str) {
        text::complain("xargs", message);
        (self.status, self.stop) = (self.status.max(1), true);
    }

    fn replaced(&mut self, items: &mut Items, mark: &str) {
        while !self.stop
            && let Some((item, _)) = items.next()
        {
            let fits = |word: &OsString| word.len() < self.most_bytes;
            // The program's name is not replaced.
            let (program, rest) = self.words.split_at(1);
            let words: Vec<OsString> = program.iter().cloned().chain(rest.iter().map(|w| replace(w, mark, &item))).collect();
            if item.len() >= self.most_bytes {
                return self.fail("argument line too long");
            } else if !fits(&words[0]) {
                return self.fail(TOO_SMALL);
            } else if words.len() > 1 && mark.is_empty() || !words.iter().all(fits) {
                return self.fail("command too long");
            } else if words.iter().map(|w| w.len() + 1).sum::<usize>() > self.most_bytes {
                return self.fail("argument list too long");
            }
            self.start(words);
        }
    }

    fn appended(&mut self, items: &mut Items, skip_empty: bool) {
        let fixed: usize = self.words.iter().map(|w| w.len() + 1).sum();
        if fixed > self.most_bytes {
            return self.fail(TOO_SMALL);
        }
        let (mut batch, mut bytes, mut lines, mut any): (Vec<OsString>, usize, usize, bool) = (Vec::new(), fixed, 0, false);
        let flush = |this: &mut Self, batch: &mut Vec<OsString>| this.start([this.words.clone(), std::mem::take(batch)].concat());
        while !self.stop
            && let Some((item, ends_line)) = items.next()
        {
            let full = bytes + item.len() + 1 > self.most_bytes;
            let alone = fixed + item.len() + 1 > self.most_bytes;
            if full && !alone && (self.most_lines.is_some() || self.exact && self.most_items.is_some()) {
                return self.fail("argument list too long");
            }
            if full && !batch.is_empty() && !(alone && self.exact) {
                any = true;
                flush(self, &mut batch);
                (bytes, lines) = (fixed, 0);
            }
            if alone {
                return self.fail("argument line too long");
            }
            bytes += item.len() + 1;
            batch.push(sys::path_from_bytes(&item).into_os_string());
            lines += usize::from(ends_line);
            if self.most_items.is_some_and(|most| batch.len() >= most) || self.most_lines.is_some_and(|most| lines >= most) {
                any = true;
                flush(self, &mut batch);
                (bytes, lines) = (fixed, 0);
            }
        }
        if !self.stop && (!batch.is_empty() || (!any && !skip_empty && !items.failed)) {
            flush(self, &mut batch);
        }
    }

    /// Asks the user at the terminal whether a command may run.
    fn allowed(&mut self, line: &str) -> bool {
        eprint!("{line}");
        match std::fs::File::open("/dev/tty") {
            Ok(terminal) => {
                eprint!("?...");
                let _ = std::io::stderr().flush();
                let mut answer = String::new();
                let _ = BufReader::new(terminal).read_line(&mut answer);
                answer.starts_with(['y', 'Y'])
            }
            Err(_) if sys::is_terminal(0) => crate::tools::copy::ask("?..."),
            Err(_) => {
                self.fail("failed to open /dev/tty for reading: No such device or address");
                false
            }
        }
    }

    fn start(&mut self, words: Vec<OsString>) {
        if self.verbose {
            let line: Vec<String> = words.iter().map(text::quote_if_needed).collect();
            let line = line.join(" ");
            if self.ask && !self.allowed(&line) {
                return;
            }
            if !self.ask {
                eprintln!("{line}");
            }
        }
        while self.running.len() >= self.processes && !self.stop {
            self.reap();
        }
        if self.stop {
            return;
        }
        let slot = (0..).find(|n| self.running.iter().all(|(used, _)| used != n)).unwrap_or(0);
        let mut command = Command::new(words);
        command.stdin = self.input.clone();
        if let Some(name) = &self.slot_variable {
            command.env.retain(|l| !l.starts_with(format!("{name}=").as_bytes()));
            command.env.push(format!("{name}={slot}").into_bytes());
        }
        match command.start() {
            Ok(child) => self.running.push((slot, child)),
            Err(error) => {
                let (name, reason) = (text::quote_if_needed(&command.words[0]), text::reason(&error));
                text::complain("xargs", format!("{name}: {reason}{}", command.advice(&error)));
                self.status = spawn::status(&error);
                self.stop = true;
            }
        }
        if self.processes == 1 {
            self.reap();
        }
    }

    /// Waits until one child ends.
    fn reap(&mut self) {
        if self.running.is_empty() {
            return;
        }
        let at = if self.running.len() == 1 {
            0
        } else {
            loop {
                if let Some(at) = self.running.iter_mut().position(|(_, c)| c.try_wait().is_some()) {
                    break at;
                }
                let _ = self.running[0].1.wait_for(1_000_000);
            }
        };
        let (_, mut child) = self.running.remove(at);
        let status = child.wait();
        let name = self.words[0].to_string_lossy().into_owned();
        match status {
            0 => {}
            255 => {
                text::complain("xargs", format!("{name}: exited with status 255; aborting"));
                (self.status, self.stop) = (124, true);
            }
            _ if child.signal().is_some() => {
                text::complain("xargs", format!("{name}: terminated by signal {}", child.signal().unwrap_or(0)));
                (self.status, self.stop) = (125, true);
            }
            _ if self.status < 123 => self.status = 123,
            _ => {}
        }
    }
}

fn replace(word: &OsString, mark: &str, item: &[u8]) -> OsString {
    let bytes = word.as_encoded_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    for hit in memchr::memmem::find_iter(bytes, mark.as_bytes()) {
        out.extend_from_slice(&bytes[at..hit]);
        out.extend_from_slice(item);
        at = hit + mark.len();
    }
    out.extend_from_slice(&bytes[at..]);
    sys::path_from_bytes(&out).into_os_string()
}
