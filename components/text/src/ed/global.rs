//! `g`, `v`, `G` and `V`: a command list for every line that matches, or does not match.

use super::address::Range;
use super::input::Text;
use super::{Ed, Result, Stop, expression, fail};

impl Ed {
    /// Marks the lines, then runs the command list at each that still exists.
    pub(crate) fn global_command(&mut self, letter: u8, range: Range, text: &mut Text) -> Result<()> {
        if self.global {
            return fail("Cannot nest global commands");
        }
        let (from, to) = self.all_or(range)?;
        let delimiter = text.next();
        if matches!(delimiter, b' ' | b'\n') {
            return fail("Invalid pattern delimiter");
        }
        let source = expression(text, delimiter)?;
        let fold = text.peek() == delimiter && text.rest().get(1) == Some(&b'I');
        let regex = self.compile(&source, fold)?;
        if text.peek() == delimiter {
            text.next();
            if fold {
                text.next();
            }
        }
        let wanted = matches!(letter, b'g' | b'G');
        let lines = if to == 0 { &[] } else { self.buffer.lines(from, to) };
        let active: Vec<u64> = lines.iter().filter(|line| regex.is_match(&line.text) == wanted).map(|line| line.id).collect();
        let interactive = matches!(letter, b'G' | b'V');
        let list = if interactive {
            let shown = self.suffix(text)?;
            self.buffer.keep();
            return self.run_list(|ed| ed.interactive(&active, shown));
        } else {
            self.command_list(text)?
        };
        self.buffer.keep();
        self.run_list(|ed| ed.each(&active, &list))
    }

    fn run_list(&mut self, work: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.global = true;
        let done = work(self);
        self.global = false;
        done
    }

    /// Reads the command list: the rest of the line, and further lines while each ends in a backslash.
    fn command_list(&mut self, text: &mut Text) -> Result<Vec<u8>> {
        while text.continues() {
            match self.input.line() {
                Ok(Some(line)) => text.extend(&line),
                Ok(None) => return fail("Unexpected end-of-file"),
                Err(error) => return fail(crate::text::reason(&error)),
            }
        }
        let mut list = Vec::new();
        while !text.ended() {
            let line = text.line();
            // The backslash before a newline only continues the list.
            match line.strip_suffix(b"\\").filter(|_| !text.ended()) {
                Some(line) => list.extend_from_slice(line),
                None => list.extend_from_slice(&line),
            }
            list.push(b'\n');
        }
        if list.iter().all(|byte| *byte == b'\n') {
            list = b"p\n".to_vec();
        }
        Ok(list)
    }

    fn each(&mut self, active: &[u64], list: &[u8]) -> Result<()> {
        let mut near = 0;
        for id in active {
            let Some(at) = self.buffer.find(*id, near) else { continue };
            (self.buffer.current, near) = (at, at - 1);
            self.run_commands(list)?;
        }
        Ok(())
    }

    fn run_commands(&mut self, list: &[u8]) -> Result<()> {
        let mut commands = Text::new(list.to_vec());
        while !commands.ended() {
            self.command(&mut commands)?;
        }
        Ok(())
    }

    fn interactive(&mut self, active: &[u64], shown: super::commands::Shown) -> Result<()> {
        for id in active {
            let Some(at) = self.buffer.find(*id, 0) else { continue };
            self.buffer.current = at;
            self.show(shown.or_print());
            use std::io::Write;
            let _ = self.out.flush();
            let read = match self.input.line() {
                Ok(Some(line)) => line,
                Ok(None) => return fail("Unexpected end-of-file"),
                Err(error) => return fail(crate::text::reason(&error)),
            };
            let mut text = Text::new(read);
            match text.rest() {
                b"" => continue,
                b"&" => {}
                _ => self.list = Some(self.command_list(&mut text)?),
            }
            let Some(list) = self.list.clone() else { return fail("No previous command") };
            match self.run_commands(&list) {
                Err(Stop::Quit) => return Err(Stop::Quit),
                done => done?,
            }
        }
        Ok(())
    }
}
