//! Redirections: each changes the table of descriptors.

use crate::ast::{Redirect, RedirectFd, RedirectOp};
use crate::expand::Place;
use crate::fds::{Fd, FdTable, OpenFile};
use crate::shell::{Run, Shell};
use crate::sys::{self, Errno, Kind, OpenHow};

impl Shell {
    /// Applies redirections in order. Returns false if one failed; it has been reported.
    pub(crate) fn redirect_all(&mut self, redirects: &[Redirect]) -> Run<bool> {
        for redirect in redirects {
            if !self.redirect(redirect)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn redirect(&mut self, redirect: &Redirect) -> Run<bool> {
        let input = matches!(
            redirect.op,
            RedirectOp::In
                | RedirectOp::ReadWrite
                | RedirectOp::DupIn
                | RedirectOp::HereDoc
                | RedirectOp::HereDocStrip
                | RedirectOp::HereString
        );
        let number = match redirect.fd {
            RedirectFd::Number(number) => number,
            RedirectFd::Default => u32::from(!input),
            RedirectFd::Var(name) => {
                // `{name}>&-` closes the descriptor that the variable holds.
                if matches!(redirect.op, RedirectOp::DupIn | RedirectOp::DupOut) && &redirect.target.raw[..] == b"-" {
                    let held = match self.value_by_name(&name.name())? {
                        crate::expand::Val::One(text) => crate::vars::parse_int(&text),
                        _ => None,
                    };
                    match held {
                        Some(held) if held >= 0 => {
                            self.fds.remove(held as u32);
                            self.current.kept_fds.push(held as u32);
                        }
                        _ => {
                            self.error(format!("{}: ambiguous redirect", name.text()));
                            return Ok(false);
                        }
                    }
                    return Ok(true);
                }
                self.fds.free(10)
            }
        };
        let done = self.redirect_to(redirect, number)?;
        if done && let RedirectFd::Var(name) = redirect.fd {
            match self.set_named(&name.name(), crate::vars::format_int(i64::from(number))) {
                Ok(()) => self.current.kept_fds.push(number),
                Err(crate::shell::Flow::Discard(_)) => {
                    self.fds.remove(number);
                    self.error(format!("{}: cannot assign fd to variable", name.text()));
                    return Ok(false);
                }
                Err(flow) => return Err(flow),
            }
        }
        Ok(done)
    }

    /// Undoes redirections: the difference between `saved` and `redirected`, the tables before and after them.
    /// Descriptors that the command itself opened or closed with `exec` stay, and so do descriptors that a variable
    /// holds.
    pub(crate) fn restore_fds(&mut self, saved: FdTable, redirected: &FdTable, kept: usize) {
        let mut restored = saved.clone();
        restored.keep_changes(&saved, redirected, &self.fds);
        let changed = std::mem::replace(&mut self.fds, restored);
        if self.opts.shopt("varredir_close") {
            self.current.kept_fds.truncate(kept);
        }
        for number in self.current.kept_fds.split_off(kept.min(self.current.kept_fds.len())) {
            match changed.get(number) {
                // The number was within the table before.
                Some(fd) => drop(self.fds.set(number, fd.clone())),
                None => self.fds.remove(number),
            }
        }
    }

    fn redirect_to(&mut self, redirect: &Redirect, number: u32) -> Run<bool> {
        match redirect.op {
            RedirectOp::HereDoc | RedirectOp::HereDocStrip => {
                let Some(word) = redirect.here.as_ref().and_then(|here| here.body.get()) else { return Ok(true) };
                let quoted = redirect.here.as_ref().is_some_and(|here| here.quoted);
                let text = if quoted { self.expand_single(word)? } else { self.expand_quoted_for(&word.parts, Place::Here)? };
                return self.here_text(number, &text);
            }
            RedirectOp::HereString => {
                let mut text = self.expand_for(&redirect.target, Place::Value)?;
                text.push(b'\n');
                return self.here_text(number, &text);
            }
            _ => {}
        }
        let mut fields = Vec::new();
        if self.is_strict() {
            // In POSIX mode, file names are not expanded.
            let noglob = self.opts.has(b'f');
            self.opts.set_letter(b'f', true);
            let expanded = self.expand_into(&redirect.target, &mut fields);
            self.opts.set_letter(b'f', noglob);
            expanded?;
        } else {
            self.expand_into(&redirect.target, &mut fields)?;
        }
        if fields.len() != 1 {
            self.error([&redirect.target.raw[..], b": ambiguous redirect"].concat());
            return Ok(false);
        }
        let target = fields.remove(0);
        if self.opts.restricted() && self.writes_file(redirect, &target) {
            self.error([&target[..], b": restricted: cannot redirect output"].concat());
            return Ok(false);
        }
        match redirect.op {
            RedirectOp::DupIn => self.duplicate(number, &target, redirect),
            RedirectOp::DupOut => {
                // `>& file` is `&> file`.
                if self.writes_file(redirect, &target) {
                    return self.open_both(&target, false);
                }
                self.duplicate(number, &target, redirect)
            }
            RedirectOp::Both => self.open_both(&target, false),
            RedirectOp::BothAppend => self.open_both(&target, true),
            op => {
                let how = match op {
                    RedirectOp::In => OpenHow { read: true, ..OpenHow::default() },
                    RedirectOp::ReadWrite => OpenHow { read: true, write: true, create: true, ..OpenHow::default() },
                    RedirectOp::Append => OpenHow { write: true, create: true, append: true, ..OpenHow::default() },
                    RedirectOp::Clobber => OpenHow { write: true, create: true, truncate: true, ..OpenHow::default() },
                    _ => return self.open_out(number, &target),
                };
                self.open_to(number, &target, how)
            }
        }
    }

    /// Returns whether a redirection writes to a named file, not to a descriptor.
    fn writes_file(&self, redirect: &Redirect, target: &[u8]) -> bool {
        match redirect.op {
            RedirectOp::In | RedirectOp::DupIn => false,
            RedirectOp::DupOut => {
                let plain = target.iter().all(u8::is_ascii_digit)
                    || target.strip_suffix(b"-").is_some_and(|digits| digits.iter().all(u8::is_ascii_digit));
                !plain && matches!(redirect.fd, RedirectFd::Default | RedirectFd::Number(1))
            }
            _ => true,
        }
    }

    fn here_text(&mut self, number: u32, text: &[u8]) -> Run<bool> {
        let file = sys::anonymous().and_then(|handle| {
            handle.write(text)?;
            handle.seek(sys::Whence::Start, 0)?;
            Ok(OpenFile::new(handle))
        });
        match file.and_then(|file| self.fds.set(number, Fd::File(file))) {
            Ok(()) => Ok(true),
            Err(error) => {
                self.error(format!("cannot create temp file for here-document: {}", error.message()));
                Ok(false)
            }
        }
    }

    /// Implements `> file`, which `set -C` may refuse.
    fn open_out(&mut self, number: u32, target: &[u8]) -> Run<bool> {
        let mut how = OpenHow { write: true, create: true, truncate: true, ..OpenHow::default() };
        if self.opts.has(b'C') {
            match sys::stat(&self.absolute(target), true) {
                Ok(stat) if stat.kind == Kind::Regular => {
                    self.error([target, b": cannot overwrite existing file"].concat());
                    return Ok(false);
                }
                Ok(_) => {}
                Err(_) => how.exclusive = true,
            }
        }
        self.open_to(number, target, how)
    }

    fn open_to(&mut self, number: u32, target: &[u8], how: OpenHow) -> Run<bool> {
        match self.open_or_end(target, how)?.and_then(|fd| self.fds.set(number, fd)) {
            Ok(()) => Ok(true),
            Err(error) => {
                if number > crate::fds::MAX_FD {
                    self.error(format!("{number}: {}", error.message()));
                } else if target.starts_with(b"/dev/tcp/") || target.starts_with(b"/dev/udp/") {
                    self.error([target, b": the shell opens no connections here; curl does if the policy grants the address"].concat());
                } else {
                    self.error([target, b": ", error.message().as_bytes()].concat());
                }
                Ok(false)
            }
        }
    }

    /// Works like `open_file`; a signal that ends the command or the shell does so.
    pub(crate) fn open_or_end(&mut self, target: &[u8], how: OpenHow) -> Run<sys::Result<Fd>> {
        loop {
            match self.open_file(target, how) {
                // If the trap of another signal made the shell ignore this one, the wait goes on.
                Err(Errno::WouldBlock) => self.end_opening()?,
                opened => return Ok(opened),
            }
        }
    }

    /// Opens a file by the name a script gives, its own descriptors included. The error is `WouldBlock` if a signal that
    /// ends the command or the shell arrived before the other end of a named pipe was open.
    pub(crate) fn open_file(&mut self, target: &[u8], how: OpenHow) -> sys::Result<Fd> {
        if target.is_empty() {
            return Err(Errno::NoEntry);
        }
        if let Some(number) = own_descriptor(target) {
            return self.fd(number).ok_or(Errno::NoEntry);
        }
        let mode = 0o666 & !self.process.umask;
        sys::set_umask(self.process.umask);
        let path = self.absolute(target);
        loop {
            match sys::open(&path, how, mode) {
                // Signals arrived while a named pipe waited for its other end.
                Err(Errno::WouldBlock) if self.signals.arrived.listens() => self.signals.arrived.listen(),
                // A trap was removed after its signal had arrived.
                Err(Errno::WouldBlock) => drop(sys::take_signals()),
                opened => return Ok(Fd::File(OpenFile::new(opened?))),
            }
            // If none of them ends the command, it goes on waiting.
            if self.ends_opening() {
                return Err(Errno::WouldBlock);
            }
        }
    }

    fn open_both(&mut self, target: &[u8], append: bool) -> Run<bool> {
        let done = if append {
            self.open_to(1, target, OpenHow { write: true, create: true, append: true, ..OpenHow::default() })?
        } else {
            self.open_out(1, target)?
        };
        if done && let Some(fd) = self.fd(1) {
            // Number 2 is always within the table.
            let _ = self.fds.set(2, fd);
        }
        Ok(done)
    }

    fn duplicate(&mut self, number: u32, target: &[u8], redirect: &Redirect) -> Run<bool> {
        if target == b"-" {
            self.fds.remove(number);
            return Ok(true);
        }
        let moves = target.len() > 1 && target.ends_with(b"-");
        let digits = if moves { &target[..target.len() - 1] } else { target };
        let Some(from) = std::str::from_utf8(digits).ok().and_then(|text| text.parse::<u32>().ok()) else {
            self.error([&redirect.target.raw[..], b": ambiguous redirect"].concat());
            return Ok(false);
        };
        let Some(fd) = self.fd(from) else {
            // As it was written, if the text is known.
            let usual = u32::from(redirect.op == RedirectOp::DupOut);
            let written = match redirect.fd {
                RedirectFd::Number(number) if number != usual => format!("{number}").into_bytes(),
                _ => redirect.target.raw.to_vec(),
            };
            let shown = if redirect.target.raw[..] == *target { format!("{from}").into_bytes() } else { written };
            self.error([&shown[..], b": Bad file descriptor"].concat());
            return Ok(false);
        };
        if let Err(error) = self.fds.set(number, fd) {
            self.error(format!("{number}: {}", error.message()));
            return Ok(false);
        }
        if moves && from != number {
            self.fds.remove(from);
        }
        Ok(true)
    }
}

/// Returns the number in `/dev/fd/N` and similar paths.
pub(crate) fn own_descriptor(path: &[u8]) -> Option<u32> {
    match path {
        b"/dev/stdin" => Some(0),
        b"/dev/stdout" => Some(1),
        b"/dev/stderr" => Some(2),
        _ => std::str::from_utf8(path.strip_prefix(b"/dev/fd/").or_else(|| path.strip_prefix(b"/proc/self/fd/"))?).ok()?.parse().ok(),
    }
}

/// Returns whether redirections give a command its standard input.
pub(super) fn gives_stdin(redirects: &[Redirect]) -> bool {
    let reads = |op| {
        matches!(
            op,
            RedirectOp::In
                | RedirectOp::ReadWrite
                | RedirectOp::DupIn
                | RedirectOp::HereDoc
                | RedirectOp::HereDocStrip
                | RedirectOp::HereString
        )
    };
    redirects.iter().any(|redirect| reads(redirect.op) && matches!(redirect.fd, RedirectFd::Default | RedirectFd::Number(0)))
}
