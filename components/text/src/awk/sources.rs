//! The text of the program: files found along AWKPATH, `@include`, and the origin of each line.

use crate::{sys, text};
use std::collections::HashSet;
use std::path::Path;

/// A piece of the program: the file, if the piece is from one, and the text.
pub(super) type Piece = (Option<String>, Vec<u8>);

/// The origin of the program's lines: for each stretch its first line, the file, and the line in the file.
#[derive(Default)]
pub(super) struct Places {
    all: Vec<(usize, Option<String>, usize)>,
}

impl Places {
    /// Returns the file and the line in it; no file means the command line.
    pub(super) fn of(&self, line: usize) -> (Option<&str>, usize) {
        let at = self.all.partition_point(|p| p.0 <= line);
        match at.checked_sub(1).map(|at| &self.all[at]) {
            Some((from, file, first)) => (file.as_deref(), line - from + first),
            None => (None, line),
        }
    }

    /// Returns the place for a message: `file:3` or `cmd. line:3`.
    pub(super) fn show(&self, line: usize) -> String {
        let (file, line) = self.of(line);
        format!("{}:{line}", file.unwrap_or("cmd. line"))
    }
}

/// Reads a file of the program; searches AWKPATH for a name without a slash, then again with `.awk`.
pub(super) fn load(name: &str, file: &[u8]) -> Result<Piece, u8> {
    let path = sys::os_string(file.to_vec());
    let shown = text::show(&path);
    let mut found = path;
    if !file.contains(&b'/') && file != b"-" {
        let paths = std::env::var("AWKPATH").ok().filter(|p| !p.is_empty()).unwrap_or_else(|| ".:/usr/share/awk".into());
        let folders = || paths.split(':').map(|f| if f.is_empty() { "." } else { f });
        let place = |folder: &str, ending: &str| match folder {
            "." => format!("{shown}{ending}"),
            folder => format!("{}/{shown}{ending}", folder.trim_end_matches('/')),
        };
        let candidates = ["", ".awk"].into_iter().flat_map(|ending| folders().map(move |f| place(f, ending)));
        if let Some(there) = candidates.into_iter().find(|p| Path::new(p).is_file()) {
            found = there.into();
        }
    }
    match text::slurp(&found) {
        Ok(source) => Ok((Some(text::show(&found)), source)),
        Err(error) => {
            text::complain(name, format!("fatal: cannot open source file `{shown}' for reading: {}", text::reason(&error)));
            Err(2)
        }
    }
}

/// Joins pieces and resolves `@include`.
pub(super) struct Assembler<'a> {
    name: &'a str,
    /// The whole text.
    pub text: Vec<u8>,
    /// The origin of its lines.
    pub places: Places,
    line: usize,
    /// The files that were included; each is included once.
    included: HashSet<String>,
    programs: HashSet<String>,
}

impl<'a> Assembler<'a> {
    /// Creates an empty text.
    pub(super) fn new(name: &'a str, programs: &[Piece]) -> Self {
        let programs = programs.iter().filter_map(|(file, _)| file.clone()).collect();
        Assembler { name, text: Vec::new(), places: Places::default(), line: 1, included: HashSet::new(), programs }
    }

    /// Adds a library or an included file, once.
    pub(super) fn include(&mut self, piece: &Piece, depth: usize) -> Result<(), u8> {
        let Some(file) = &piece.0 else { return self.add(piece, depth) };
        if self.programs.contains(file) {
            text::complain(self.name, format!("fatal: cannot include `{file}' and use it as a program file"));
            return Err(2);
        }
        if self.included.insert(file.clone()) { self.add(piece, depth) } else { Ok(()) }
    }

    /// Adds a piece.
    pub(super) fn add(&mut self, piece: &Piece, depth: usize) -> Result<(), u8> {
        let (file, source) = piece;
        self.places.all.push((self.line, file.clone(), 1));
        for (number, line) in source.split_inclusive(|b| *b == b'\n').enumerate() {
            let rest = line.trim_ascii().strip_prefix(b"@include").map(<[u8]>::trim_ascii);
            match rest.and_then(|f| f.strip_prefix(b"\"")?.split(|b| *b == b'"').next()) {
                Some(other) if depth < 50 => {
                    self.include(&load(self.name, other)?, depth + 1)?;
                    self.end_line();
                    self.places.all.push((self.line, file.clone(), number + 2));
                }
                _ => {
                    self.text.extend_from_slice(line);
                    self.line += usize::from(line.ends_with(b"\n"));
                }
            }
        }
        self.end_line();
        Ok(())
    }

    fn end_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(b"\n") {
            self.text.push(b'\n');
            self.line += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_by_their_file() {
        let pieces = [(Some("a".to_owned()), b"x\ny".to_vec()), (None, b"z\n".to_vec())];
        let mut all = Assembler::new("awk", &pieces);
        assert!(pieces.iter().all(|p| all.add(p, 0).is_ok()));
        assert_eq!(all.text, b"x\ny\nz\n");
        assert_eq!(all.places.show(2), "a:2");
        assert_eq!(all.places.show(3), "cmd. line:1");
    }
}
