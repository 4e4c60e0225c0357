//! Command and process substitution.

use crate::ast::{Kind, List, RedirectOp};
use crate::exec::Redirected;
use crate::fds::{Capture, Fd, OpenFile};
use crate::shell::{Flow, Run, Shell};
use crate::sys;
use std::rc::Rc;

impl Shell {
    /// Returns the output of `$(list)`, trailing newlines removed.
    pub(crate) fn substitute(&mut self, list: &List) -> Run<Vec<u8>> {
        let mut text = match self.only_reads(list)? {
            Some(text) => text,
            None => {
                let capture = Rc::new(Capture::default());
                let mut sub = self.clone();
                sub.enter_subshell();
                sub.nesting.trace += 1;
                if let Some(first) = list.items.first().and_then(|item| item.and_or.first.commands.first()) {
                    sub.position.shift = self.position.line as i32 - first.line as i32;
                }
                // `break` counts as within a loop here, and ends the substitution.
                sub.calls.loops = self.calls.loops;
                // Number 1 is always within the table.
                let _ = sub.fds.set(1, Fd::Capture(capture.clone()));
                if !self.opts.shopt("inherit_errexit") && self.opts.long("posix") != Some(true) {
                    sub.opts.set_letter(b'e', false);
                }
                let result = if sub.place.nest.piped { sub.exec_list(list) } else { sub.exec_tail(list, Redirected::Never) };
                let status = sub.end(result);
                if capture.is_file() {
                    sub.wait_all()?;
                }
                drop(sub);
                self.reap();
                self.last.substituted = Some(status);
                self.last.status = status;
                match capture.take() {
                    Ok(text) => text,
                    Err(error) => return Err(self.fatal(format!("command substitution: {}", error.message()))),
                }
            }
        };
        if text.contains(&0) {
            text.retain(|b| *b != 0);
            self.error("warning: command substitution: ignored null byte in input");
        }
        while text.last() == Some(&b'\n') {
            text.pop();
        }
        Ok(text)
    }

    /// Reads the file of `$(< file)` without a process.
    fn only_reads(&mut self, list: &List) -> Run<Option<Vec<u8>>> {
        let [item] = &list.items[..] else { return Ok(None) };
        let [command] = &item.and_or.first.commands[..] else { return Ok(None) };
        let ([redirect], Kind::Simple(simple)) = (&command.redirects[..], &command.kind) else { return Ok(None) };
        if !item.and_or.rest.is_empty() || !simple.words.is_empty() || !simple.assigns.is_empty() || redirect.op != RedirectOp::In {
            return Ok(None);
        }
        let saved = self.fds.clone();
        let result = self.redirect_all(&command.redirects);
        let file = self.fd(0);
        self.fds = saved;
        self.last.substituted = Some(1);
        if !result? {
            self.last.status = 1;
            if self.opts.has(b'e') && self.nesting.guarded == 0 {
                return Err(Flow::Exit(1));
            }
            return Ok(Some(Vec::new()));
        }
        let text = file.and_then(|fd| fd.file().ok()).and_then(|file| file.read_all().ok());
        self.last.substituted = Some(i32::from(text.is_none()));
        Ok(Some(text.unwrap_or_default()))
    }

    /// Starts `<(list)` or `>(list)`; returns its path.
    pub(crate) fn process_substitution(&mut self, input: bool, list: &Rc<List>) -> Run<Vec<u8>> {
        let failed = |shell: &mut Self, error: sys::Errno| {
            shell.error(format!("process substitution: {}", error.message()));
            Flow::Discard(1)
        };
        let (read, write) = sys::pipe().map_err(|error| failed(self, error))?;
        let (ours, theirs, number) = if input { (read, write, 1) } else { (write, read, 0) };
        let mut sub = self.clone();
        sub.enter_subshell();
        sub.traps.shown = None;
        // Numbers 0 and 1 are always within the table.
        let _ = sub.fds.set(number, Fd::File(OpenFile::new(theirs)));
        for fd in &self.current.process_fds {
            sub.fds.remove(*fd);
        }
        let in_place = !sub.place.nest.piped;
        let child = sub.spawn_list(list, in_place).map_err(|error| failed(self, error))?;
        drop(sub);
        self.last.background = Some(child.pid());
        self.jobs.add_hidden(child);
        let fd = self.fds.free_high();
        self.fds.set(fd, Fd::File(OpenFile::new(ours))).map_err(|error| failed(self, error))?;
        self.current.process_fds.push(fd);
        Ok(format!("/dev/fd/{fd}").into_bytes())
    }
}
