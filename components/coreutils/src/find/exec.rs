//! `-exec`, `-execdir`, `-ok`, `-okdir`.

use crate::spawn::Command;
use crate::text;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Bytes of arguments collected for one command of `-exec … +`: well below the 2 MiB that a spawn accepts.
const BATCH: usize = 128 * 1024;

/// One `-exec`.
pub(super) struct Exec {
    words: Vec<OsString>,
    /// Whether it ends with `{} +`: many files for one command.
    many: bool,
    /// Whether it runs in the file's directory.
    in_dir: bool,
    ask: bool,
    waiting: Vec<OsString>,
    waiting_dir: PathBuf,
    bytes: usize,
}

impl Exec {
    /// Reads the words after `-exec`, and returns how many belong to it.
    pub(super) fn parse(name: &str, words: &[OsString]) -> Result<(Self, usize), String> {
        let ask = name.starts_with("-ok");
        let mut end = None;
        for (at, word) in words.iter().enumerate() {
            if word == ";" {
                end = Some((at, false));
                break;
            }
            if word == "+" && at > 0 && words[at - 1] == "{}" && !ask {
                end = Some((at, true));
                break;
            }
        }
        let attached = |at: usize| words[at].to_string_lossy().contains("{}") && words[at] != "{}";
        let plus = words.iter().position(|w| w == "+").filter(|at| *at > 0 && end.is_none() && !ask && attached(at - 1));
        if let Some(at) = plus {
            let given = text::quote(&words[at - 1]);
            return Err(format!("In '{name} ... {{}} +' the '{{}}' must appear by itself, but you specified {given}"));
        }
        let (end, many) = end.ok_or_else(|| format!("missing argument to `{name}'"))?;
        let mut own: Vec<OsString> = words[..end].to_vec();
        if many {
            own.pop();
            if own.iter().any(|w| w == "{}") {
                return Err(format!("Only one instance of {{}} is supported with {name} ... +"));
            }
        }
        if own.is_empty() {
            return Err(format!("invalid argument `{}' to `{name}'", words[end].to_string_lossy()));
        }
        let exec =
            Self { words: own, many, in_dir: name.ends_with("dir"), ask, waiting: Vec::new(), waiting_dir: PathBuf::new(), bytes: 0 };
        Ok((exec, end + 1))
    }

    /// Runs the command for one file, or collects the file. Returns whether the test holds; a batch that fails sets
    /// `failed`.
    pub(super) fn file(&mut self, path: &Path, failed: &mut bool) -> bool {
        let (dir, shown) = self.place(path);
        if self.many {
            if !self.waiting.is_empty() && (dir != self.waiting_dir || self.bytes + shown.len() > BATCH) {
                self.flush(failed);
            }
            self.bytes += shown.len() + 1;
            self.waiting_dir = dir;
            self.waiting.push(shown);
            return true;
        }
        let words: Vec<OsString> = self.words.iter().map(|w| fill(w, &shown)).collect();
        if self.ask {
            let line: Vec<String> = self.words.iter().map(|w| w.to_string_lossy().into_owned()).collect();
            eprint!("< {} ... {} > ? ", line[0], path.to_string_lossy());
            let mut answer = String::new();
            if std::io::stdin().read_line(&mut answer).is_err() || !answer.trim_start().starts_with(['y', 'Y']) {
                return false;
            }
        }
        run(words, &dir, self.ask) == Some(0)
    }

    /// Runs the command for the collected files.
    pub(super) fn flush(&mut self, failed: &mut bool) {
        if self.waiting.is_empty() {
            return;
        }
        let mut words = self.words.clone();
        words.append(&mut self.waiting);
        self.bytes = 0;
        if run(words, &self.waiting_dir, false) != Some(0) {
            *failed = true;
        }
    }

    fn place(&self, path: &Path) -> (PathBuf, OsString) {
        if !self.in_dir {
            return (crate::sys::cwd().to_path_buf(), path.as_os_str().to_owned());
        }
        let bytes = path.as_os_str().as_encoded_bytes();
        let name = super::printf::base(bytes);
        if name.starts_with(b"/") {
            return (crate::sys::absolute(path), path.as_os_str().to_owned());
        }
        let rest = bytes.len() - bytes.iter().rev().take_while(|b| **b == b'/').count();
        let parent = match memchr::memrchr(b'/', &bytes[..rest]) {
            Some(at) => crate::sys::path_from_bytes(&bytes[..at.max(1)]),
            None => PathBuf::new(),
        };
        let shown = crate::sys::path_from_bytes(&[b"./", name].concat()).into_os_string();
        (if parent.as_os_str().is_empty() { crate::sys::cwd().to_path_buf() } else { crate::sys::absolute(&parent) }, shown)
    }
}

/// Replaces every `{}` in a word with the file's name.
fn fill(word: &OsString, name: &OsString) -> OsString {
    let bytes = word.as_encoded_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    for hit in memchr::memmem::find_iter(bytes, b"{}") {
        out.extend_from_slice(&bytes[at..hit]);
        out.extend_from_slice(name.as_encoded_bytes());
        at = hit + 2;
    }
    out.extend_from_slice(&bytes[at..]);
    crate::sys::path_from_bytes(&out).into_os_string()
}

fn run(words: Vec<OsString>, dir: &Path, no_input: bool) -> Option<u8> {
    let mut command = Command::new(words);
    if dir != command.cwd {
        command.env.retain(|line| !line.starts_with(b"PWD="));
        command.env.push([b"PWD=".as_slice(), dir.as_os_str().as_encoded_bytes()].concat());
        command.cwd = dir.to_path_buf();
    }
    if no_input {
        command.stdin = crate::sys::Input::Null;
    }
    match command.start() {
        Ok(mut child) => Some(child.wait()),
        Err(error) => {
            text::complain("find", format!("{}: {}{}", text::quote(&command.words[0]), text::reason(&error), command.advice(&error)));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn commands_are_read() {
        let (exec, used) = Exec::parse("-exec", &words("echo {} + -print")).ok().unwrap();
        assert!(exec.many && used == 3 && exec.words == ["echo"]);
        let (exec, used) = Exec::parse("-exec", &words("echo + {} ;")).ok().unwrap();
        assert!(!exec.many && used == 4);
        assert_eq!(Exec::parse("-exec", &words("echo {}")).err().unwrap(), "missing argument to `-exec'");
        assert_eq!(fill(&"a{}b{}".into(), &"x".into()), "axbx");
    }
}
