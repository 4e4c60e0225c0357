//! Shells of our own in other processes: background lists, process substitutions, co-processes.

use crate::ast::{AndOr, Arg, Command, Kind, List};
use crate::fds::{Fd, OpenFile};
use crate::shell::{Flow, Run, Shell};
use crate::signals::{INT, QUIT, bit};
use crate::sys::{self, Child, OpenHow};

/// The variable that passes the state to a shell: the number of the descriptor from which it reads the state. It is the only variable
/// in the environment of that process. The arguments are those of this one, as after fork(2): `ps` shows them.
pub const STATE_VARIABLE: &[u8] = b"WISP_SUBSHELL_STATE=";

impl Shell {
    /// Starts a shell that has this state and runs `text`.
    pub(crate) fn spawn_text(&mut self, text: Vec<u8>, line: u32) -> sys::Result<Child> {
        let blob = crate::serialize::save(self, &text, self.shifted(line));
        let file = sys::anonymous()?;
        file.write(&blob)?;
        file.seek(sys::Whence::Start, 0)?;
        let number = self.fds.free(100);
        self.fds.set(number, Fd::File(OpenFile::new(file)))?;
        let state = [STATE_VARIABLE, number.to_string().as_bytes()].concat();
        let child = self.spawn(&sys::shell_program(), &sys::args(), vec![state]);
        self.fds.remove(number);
        child
    }

    /// Starts a shell that runs a list; a single program is started directly. `in_place`: its last program replaces the
    /// shell.
    pub(crate) fn spawn_list(&mut self, list: &List, in_place: bool) -> sys::Result<Child> {
        self.place.execs_last = in_place;
        if let [item] = &list.items[..]
            && !item.background
            && let Some(result) = self.spawn_directly(&item.and_or)
        {
            return result;
        }
        let line = list.items.first().map_or(self.position.line, |item| item.and_or.first.commands[0].line);
        self.spawn_text(crate::print::list_script(list, line), line)
    }

    /// Starts a list that is one program without an intermediate shell.
    fn spawn_directly(&mut self, and_or: &AndOr) -> Option<sys::Result<Child>> {
        let ([command], true, false) = (&and_or.first.commands[..], and_or.rest.is_empty(), and_or.first.negated) else { return None };
        let Kind::Simple(simple) = &command.kind else { return None };
        if self.may_wait(&command.redirects) {
            return None;
        }
        if !simple.assigns.is_empty() || and_or.first.timed.is_some() || self.traps.commands.contains_key("EXIT") {
            return None;
        }
        let Arg::Word(first) = simple.words.first()? else { return None };
        let [crate::ast::Part::Lit(name)] = &first.parts[..] else { return None };
        if !matches!(self.find_command(name), super::simple::Found::Program) || self.find_program(name).is_none() {
            return None;
        }
        let words = self.expand_simple(simple).ok()?.list;
        if !self.redirect_all(&command.redirects).ok()? {
            return None;
        }
        self.lower_children(self.place.execs_last && self.has_place());
        let started = self.start_program(&words);
        self.lower_children(false);
        started.ok().map(Ok)
    }

    /// Runs `and_or &`
    pub(crate) fn background(&mut self, and_or: &AndOr) -> Run {
        if self.has_job_control()
            && let Some(words) = job_words(and_or)
        {
            self.at(and_or.first.commands[0].line);
            return crate::builtins::bg(self, &words);
        }
        let mut list = List { items: vec![crate::ast::ListItem { and_or: and_or.clone(), background: false, line_end: false }] };
        let pipeline = &mut list.items[0].and_or.first;
        let alone = and_or.rest.is_empty() && pipeline.timed.is_none();
        if let ([command], true) = (&pipeline.commands[..], alone)
            && matches!(command.kind, Kind::Simple(_))
        {
            self.at(command.line);
            if !self.debug(self.position.line, || crate::print::command_text(command))? {
                return Ok(0);
            }
            // As in bash, `! command &` has the status of the command.
            pipeline.negated = false;
        }
        let announced = alone && !pipeline.negated;
        let announced = announced && pipeline.commands.iter().all(|command| matches!(command.kind, Kind::Simple(_)));
        let mut sub = self.clone();
        sub.enter_subshell();
        sub.place.announced = announced;
        if !self.opts.has(b'm')
            && !self.place.stdin_given
            && !gives_own_stdin(and_or)
            && let Ok(null) = sys::open(b"/dev/null", OpenHow { read: true, ..OpenHow::default() }, 0)
        {
            // Number 0 is always within the table.
            let _ = sub.fds.set(0, Fd::File(OpenFile::new(null)));
        }
        if self.has_job_control() {
            sub.programs.group = Some(0);
        } else {
            // Ctrl-C at the terminal is not meant for background commands. `trap -p &` shows the traps as they were before.
            sub.signals.async_ignored = if is_trap(and_or) { 0 } else { bit(INT) | bit(QUIT) };
            sub.programs.in_background = true;
        }
        sub.place.nest.parentheses = false;
        // `( … )` decides this itself.
        sub.place.stdin_given &= super::place::sole_subshell(&list).is_none();
        let started = sub.spawn_list(&list, super::place::is_one_process(&list));
        drop(sub);
        match started {
            Ok(child) => {
                let pid = child.pid();
                self.last.background = Some(pid);
                let text = String::from_utf8_lossy(&crate::print::and_or_text(and_or)).into_owned();
                let number = self.jobs.add(child.into(), text, self.has_job_control(), self.process.cwd.clone());
                if self.invocation.interactive {
                    self.warn_raw(format!("[{number}] {pid}\n").as_bytes());
                }
                self.last.status = 0;
                Ok(0)
            }
            Err(error) => {
                self.error(format!("fork: {}", error.message()));
                self.last.status = 254;
                Ok(254)
            }
        }
    }

    /// Runs `coproc NAME command`
    pub(crate) fn coproc(&mut self, name: &[u8], command: &Command) -> Run {
        if !crate::sym::is_name(name) {
            self.error([b"`", name, b"': not a valid identifier"].concat());
            return Ok(1);
        }
        self.jobs.poll();
        if let Some(job) = self.jobs.list.iter().find(|job| job.status.is_none() && job.text.starts_with("coproc ")) {
            let other = job.text.split(' ').nth(1).unwrap_or_default().to_owned();
            let pid = job.child.pid();
            self.error(format!("warning: execute_coproc: coproc [{pid}:{other}] still exists"));
        }
        let failed = |shell: &mut Self, error: sys::Errno| {
            shell.error(format!("coproc: {}", error.message()));
            Flow::Discard(1)
        };
        let (to_read, to_write) = sys::pipe().map_err(|error| failed(self, error))?;
        let (from_read, from_write) = sys::pipe().map_err(|error| failed(self, error))?;
        let mut sub = self.clone();
        sub.enter_subshell();
        // Numbers 0 and 1 are always within the table.
        let _ = sub.fds.set(0, Fd::File(OpenFile::new(to_read)));
        let _ = sub.fds.set(1, Fd::File(OpenFile::new(from_write)));
        sub.place.execs_last = matches!(command.kind, Kind::Simple(_) | Kind::Subshell(_));
        let child =
            sub.spawn_text(crate::print::command_script(command, command.line), command.line).map_err(|error| failed(self, error))?;
        drop(sub);
        let mut numbers = Vec::new();
        for end in [from_read, to_write] {
            let number = self.fds.free_high();
            self.fds.set(number, Fd::File(OpenFile::new(end))).map_err(|error| failed(self, error))?;
            numbers.push(crate::vars::format_int(i64::from(number)));
        }
        let pid = child.pid();
        self.last.background = Some(pid);
        let text = String::from_utf8_lossy(&crate::print::command_text(command)).into_owned();
        self.jobs.add(child.into(), format!("coproc {} {text}", String::from_utf8_lossy(name)), false, self.process.cwd.clone());
        self.set_list(crate::sym::intern(name), numbers)?;
        self.set_int(crate::sym::intern(&[name, b"_PID"].concat()), i64::from(pid))?;
        Ok(0)
    }
}

/// Returns whether the first command of a pipeline in the background gets its standard input by a redirection: `cat <&0 &` then reads
/// the shell's.
fn gives_own_stdin(and_or: &AndOr) -> bool {
    let plain = and_or.rest.is_empty() && and_or.first.timed.is_none();
    plain && and_or.first.commands.first().is_some_and(|first| super::redirect::gives_stdin(&first.redirects))
}

/// Returns the words of a list that is one simple command.
fn only_words(and_or: &AndOr) -> &[Arg] {
    match (&and_or.first.commands[..], &and_or.rest[..]) {
        ([Command { kind: Kind::Simple(simple), .. }], []) => &simple.words,
        _ => &[],
    }
}

fn is_trap(and_or: &AndOr) -> bool {
    matches!(only_words(and_or).first(), Some(Arg::Word(word)) if &word.raw[..] == b"trap")
}

/// Returns the words of `bg %1` for `%1 &`.
fn job_words(and_or: &AndOr) -> Option<Vec<Vec<u8>>> {
    match only_words(and_or) {
        [Arg::Word(word)] if word.raw.first() == Some(&b'%') => Some(vec![b"bg".to_vec(), word.raw.to_vec()]),
        _ => None,
    }
}
