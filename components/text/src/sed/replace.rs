//! Running the commands `s` and `e`.

use super::exec::Machine;
use super::run::command;
use super::script::{STDOUT, Subst};
use super::subst::Casing;
use crate::text::first_char;
use std::io::Result;

impl Machine {
    pub(super) fn execute(&mut self, text: &[u8]) -> Result<()> {
        self.finish_output()?;
        if !text.is_empty() {
            let out = command(text)?;
            return if out.is_empty() { Ok(()) } else { self.raw(&out) };
        }
        self.pattern = command(&self.pattern)?;
        self.input.ended = true;
        if self.pattern.last() == Some(&self.options.end) {
            self.pattern.pop();
        }
        Ok(())
    }

    fn finish_output(&mut self) -> Result<()> {
        self.outputs.all.iter_mut().try_for_each(super::streams::Output::flush)
    }

    pub(super) fn subst(&mut self, s: &Subst) -> Result<()> {
        let regex = self.regex(&s.pattern)?;
        let text = std::mem::take(&mut self.pattern);
        let mut out = std::mem::take(&mut self.scratch);
        let mut groups = std::mem::take(&mut self.groups);
        out.clear();
        let needs_groups = s.parts.iter().any(|p| matches!(p, super::script::Part::Group(n) if *n > 0));
        let (mut from, mut copied, mut count) = (0, 0, 0);
        // The end of the last match: an empty match there does not count.
        let mut touched = None;
        let mut done = false;
        let mut casing = Casing::default();
        while from <= text.len() {
            let found = if needs_groups {
                regex.captures(&text, from, &mut groups)
            } else {
                groups.clear();
                groups.extend(regex.find(&text, from).map(Some));
                !groups.is_empty()
            };
            let Some(Some((start, end))) = groups.first().copied().filter(|_| found) else { break };
            if start < end || touched != Some(start) {
                count += 1;
                touched = Some(end);
                if count >= s.number {
                    out.extend_from_slice(&text[copied..start]);
                    casing.replace(&s.parts, &text, &groups, &mut out);
                    copied = end;
                    done = true;
                    if !s.global {
                        break;
                    }
                }
            }
            from = if start < end { end } else { end + self.char_length(&text[end..]) };
        }
        self.groups = groups;
        if !done {
            (self.pattern, self.scratch) = (text, out);
            return Ok(());
        }
        out.extend_from_slice(&text[copied..]);
        (self.pattern, self.scratch) = (out, text);
        self.replaced = true;
        self.after_subst(s)
    }

    fn char_length(&self, text: &[u8]) -> usize {
        if self.options.utf8 { first_char(text).1.max(1) } else { 1 }
    }

    fn after_subst(&mut self, s: &Subst) -> Result<()> {
        if s.execute {
            if s.print && s.print_first {
                self.print_pattern()?;
            }
            self.execute(b"")?;
        }
        if s.print && !(s.execute && s.print_first) {
            self.print_pattern()?;
        }
        match s.write {
            Some(STDOUT) => self.print_pattern_to_stdout(),
            Some(output) => {
                let text = std::mem::take(&mut self.pattern);
                let done = self.write(output, &text);
                self.pattern = text;
                done
            }
            None => Ok(()),
        }
    }

    fn print_pattern_to_stdout(&mut self) -> Result<()> {
        let end = self.input.ended.then_some(self.options.end);
        self.outputs.all[STDOUT].line(&self.pattern, end, self.options.end)
    }
}
