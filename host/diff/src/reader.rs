//! Goes through a diff: heads, and the hunks after each.

use crate::classic;
use crate::head::{Form, Head};
use crate::hunk::Hunk;
use crate::lines::Lines;
use crate::mistake::{Mistake, Wrong};
use crate::{names, unified};

/// What is read, and what is a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Unified diffs only. Text between the files is passed over; within what it says of a file, all that is not understood is a
    /// mistake: a program or a model wrote the diff, and learns what is wrong with it.
    Strict,
    /// What GNU's `patch` reads: context and normal diffs too, with other text anywhere, and as they are after a mail program.
    Patch {
        /// Whether hunks need no names before them, because the caller knows of which file they are.
        named: bool,
    },
}

/// Reads a diff.
#[derive(Debug)]
pub struct Reader<'d> {
    lines: Lines<'d>,
    reading: Reading,
    /// The form of the hunks that follow.
    form: Option<Form>,
}

impl<'d> Reader<'d> {
    /// Begins to read a diff.
    pub fn new(diff: &'d [u8], reading: Reading) -> Self {
        Self { lines: Lines { rest: diff, at: 1 }, reading, form: None }
    }

    /// Reads up to the next file's hunks, or past its last header if it has none. Nothing is returned at the end of the diff. The
    /// hunks of the file before must have been read.
    ///
    /// # Errors
    /// If a header is wrong, or there are hunks without one. Nothing can be read after that. `Reading::Patch` has no such errors.
    pub fn head(&mut self) -> Result<Option<Head<'d>>, Wrong<'d>> {
        let head = match self.reading {
            Reading::Strict => self.strict_head()?,
            Reading::Patch { named } => self.lenient_head(named),
        };
        self.form = head.as_ref().and_then(|head| head.form);
        Ok(head)
    }

    /// Reads the next hunk of the file. Nothing is returned after its last.
    ///
    /// # Errors
    /// If the hunk is wrong, or not complete. Nothing can be read after that.
    pub fn hunk(&mut self) -> Result<Option<Hunk<'d>>, Wrong<'d>> {
        match self.form {
            Some(form) if self.begins(form) => match form {
                Form::Unified => unified::hunk(&mut self.lines, self.reading != Reading::Strict).map(Some),
                Form::Context => classic::context(&mut self.lines).map(Some),
                Form::Normal => Ok(classic::normal(&mut self.lines)),
            },
            _ => Ok(None),
        }
    }

    /// Returns whether the next line is the head of a hunk.
    fn begins(&self, form: Form) -> bool {
        match form {
            Form::Unified if self.reading == Reading::Strict => self.lines.rest.starts_with(b"@@ "),
            Form::Unified => self.lines.rest.starts_with(b"@@ -"),
            Form::Context => self.lines.rest.starts_with(classic::STARS),
            Form::Normal => self.lines.peek().is_some_and(classic::is_command),
        }
    }

    fn wrong(&self, mistake: Mistake) -> Wrong<'d> {
        Wrong { line: self.lines.at, text: self.lines.whole(), mistake }
    }

    /// Returns whether two lines of names follow.
    fn names_follow(&self, old: &[u8], new: &[u8]) -> bool {
        self.lines.rest.starts_with(old) && self.lines.second_begins(new)
    }

    fn strict_head(&mut self) -> Result<Option<Head<'d>>, Wrong<'d>> {
        let all = self.lines.rest;
        while !self.lines.rest.starts_with(b"diff --git ") && !self.names_follow(b"--- ", b"+++ ") {
            if self.lines.rest.starts_with(b"@@ -") {
                return Err(self.wrong(Mistake::HunkWithoutNames));
            }
            if self.lines.next().is_none() {
                return Ok(None);
            }
        }
        let (mut head, mut pair) = (Head { at: self.lines.at, ..Head::default() }, [all; 2]);
        while let Some(line) = self.lines.peek() {
            let text = String::from_utf8_lossy(line);
            let text = text.trim_end_matches('\r');
            let wrong = |mistake| self.wrong(mistake);
            if let Some(names) = text.strip_prefix("diff --git ") {
                if head.git || head.old.is_some() {
                    break;
                }
                (head.git, head.git_names) = (true, names::of_git(names, false));
            } else if let Some(name) = text.strip_prefix("--- ") {
                if head.old.is_some() {
                    break;
                }
                head.old = Some(names::of_header(name, false).map_err(wrong)?);
                pair[0] = self.lines.whole();
            } else if let Some(name) = text.strip_prefix("+++ ").filter(|_| head.old.is_some()) {
                head.new = Some(names::of_header(name, false).map_err(wrong)?);
                pair[1] = self.lines.whole();
                self.lines.next();
                head.lines = Some(pair);
                head.lead = before(all, self.lines.rest);
                break;
            } else if !head.extended(text, false).map_err(wrong)? {
                break;
            }
            self.lines.next();
        }
        head.form = self.begins(Form::Unified).then_some(Form::Unified);
        head.hunks_at = if head.new.is_some() { self.lines.at } else { head.at };
        Ok(Some(head))
    }

    /// Reads on until there are hunks with a name, or `diff --git` after headers of git that are a change by themselves.
    fn lenient_head(&mut self, named: bool) -> Option<Head<'d>> {
        let all = self.lines.rest;
        let mut head = Head::default();
        while let Some(line) = self.lines.peek() {
            let text = String::from_utf8_lossy(line);
            let text = text.trim_end_matches('\r');
            if let Some(names) = text.strip_prefix("diff --git ") {
                if head.stands() {
                    return Some(head);
                }
                let (at, git_names) = (self.lines.at, names::of_git(names.trim_end(), true));
                head = Head { at, hunks_at: at, git: true, git_names, ..Head::default() };
            } else if let Some(name) = text.strip_prefix("Index:") {
                head.index = names::of_header(name.trim_start(), true).ok();
            } else {
                // A lenient reader finds no mistake.
                let _ = head.extended(text, true);
            }
            let form = if self.names_follow(b"--- ", b"+++ ") {
                self.take_names(&mut head, all);
                Form::Unified
            } else if self.names_follow(b"*** ", b"--- ") {
                self.take_names(&mut head, all);
                Form::Context
            } else {
                let form = [Form::Unified, Form::Context, Form::Normal].into_iter().find(|form| self.begins(*form));
                // Stars may be in any text.
                let Some(form) = form.filter(|form| named || (*form != Form::Context && head.is_named())) else {
                    self.lines.next();
                    continue;
                };
                form
            };
            if self.begins(form) {
                (head.form, head.hunks_at) = (Some(form), self.lines.at);
                if head.at == 0 {
                    head.at = self.lines.at;
                }
                return Some(head);
            }
        }
        head.stands().then_some(head)
    }

    /// Reads two lines of names.
    fn take_names(&mut self, head: &mut Head<'d>, all: &'d [u8]) {
        if head.at == 0 {
            head.at = self.lines.at;
        }
        let mut take = || {
            let line = self.lines.whole();
            self.lines.next();
            line
        };
        let lines = [take(), take()];
        [head.old, head.new] = lines.map(|line| {
            let text = String::from_utf8_lossy(&line[4..]);
            names::of_header(text.trim_end_matches(['\r', '\n']), true).ok()
        });
        (head.lines, head.hunks_at) = (Some(lines), self.lines.at);
        head.lead = before(all, self.lines.rest);
    }
}

/// Returns what of a text stands before the rest of it.
fn before<'d>(all: &'d [u8], rest: &[u8]) -> &'d [u8] {
    &all[..all.len() - rest.len()]
}

#[cfg(test)]
mod tests;
