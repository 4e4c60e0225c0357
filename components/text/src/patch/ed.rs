//! Scripts for `ed`, as `diff -e` writes them. They are read and applied here; no program is run.

use crate::text;
use std::path::PathBuf;

/// A script: its commands in their order.
#[derive(Debug, Clone, Default)]
pub(super) struct Script {
    commands: Vec<Command>,
}

#[derive(Debug, Clone)]
struct Command {
    from: usize,
    to: usize,
    letter: u8,
    text: Vec<Vec<u8>>,
    line: usize,
}

/// Reads `3,5c`, `7a`, `2d`.
fn head(line: &[u8]) -> Option<(usize, usize, u8)> {
    let line = line.trim_ascii_end();
    let (letter, range) = line.split_last()?;
    if !b"acdi".contains(letter) {
        return None;
    }
    let range = std::str::from_utf8(range).ok()?;
    let (from, to) = range.split_once(',').unwrap_or((range, range));
    Some((from.parse().ok()?, to.parse().ok()?, *letter))
}

impl Script {
    /// Reads the script in a text; `None` if there is none.
    pub(super) fn read(input: &[u8]) -> Option<Self> {
        let lines: Vec<&[u8]> = input.split_inclusive(|b| *b == b'\n').collect();
        let mut at = lines.iter().position(|l| head(l).is_some())?;
        let mut script = Self::default();
        while at < lines.len() {
            if let Some((from, to, letter)) = head(lines[at]) {
                script.commands.push(Command { from, to, letter, text: Vec::new(), line: at + 1 });
                at += 1;
                if letter != b'd' {
                    at = script.text(&lines, at)?;
                }
            } else if matches!(lines[at].trim_ascii_end(), b"s/.//" | b"s/^\\.\\././") {
                // The text before was a line with a dot, written as two dots.
                let last = script.commands.last_mut()?.text.last_mut()?;
                last.remove(0);
                at += 1;
                if lines.get(at).is_some_and(|l| l.trim_ascii_end() == b"a") {
                    at = script.text(&lines, at + 1)?;
                }
            } else if matches!(lines[at].trim_ascii_end(), b"" | b"w" | b"q") {
                at += 1;
            } else {
                return None;
            }
        }
        Some(script)
    }

    /// Gives the lines up to a dot to the last command.
    fn text(&mut self, lines: &[&[u8]], mut at: usize) -> Option<usize> {
        let command = self.commands.last_mut()?;
        loop {
            let line = lines.get(at)?;
            at += 1;
            if line.trim_ascii_end() == b"." {
                return Some(at);
            }
            command.text.push(line.to_vec());
        }
    }

    /// Returns the lines after the script; an error is the line of the script that does not fit.
    pub(super) fn apply(&self, mut file: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, usize> {
        for command in &self.commands {
            let (from, to) = (command.from, command.to);
            if to > file.len() || from > to || (from == 0 && command.letter != b'a') {
                return Err(command.line);
            }
            let range = match command.letter {
                b'a' => to..to,
                b'i' => from - 1..from - 1,
                _ => from - 1..to,
            };
            file.splice(range, command.text.iter().cloned());
        }
        Ok(file)
    }
}

/// Cuts a file into lines, with their ends.
fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect()
}

impl super::Job {
    /// Applies an ed script.
    pub(super) fn script(&mut self, script: &Script, name: &str) -> Result<(), String> {
        let path = PathBuf::from(name);
        let old = std::fs::read(&path).map_err(|e| format!("Can't open file {name} : {}", text::reason(&e)))?;
        let new = script.apply(lines(&old)).map_err(|line| format!("the ed script does not fit {name} at line {line} of the patch"))?;
        if self.dry {
            return Ok(());
        }
        let wrote = |e: std::io::Error| format!("Can't create file {name} : {}", text::reason(&e));
        if self.backup && self.output.is_none() {
            self.keep(&path, &path, name).map_err(wrote)?;
        }
        std::fs::write(self.output.as_ref().map_or(path, PathBuf::from), new.concat()).map_err(wrote)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_applied() {
        let lines = |text: &str| lines(text.as_bytes());
        let script = Script::read(b"3a\n..\n.\ns/.//\na\nx\n.\n1,2c\nA\n.\n").unwrap();
        assert_eq!(script.apply(lines("1\n2\n3\n")).unwrap().concat(), b"A\n3\n.\nx\n");
        assert_eq!(Script::read(b"9d\n").unwrap().apply(lines("1\n")), Err(1));
        assert!(Script::read(b"hello\n").is_none());
    }
}
