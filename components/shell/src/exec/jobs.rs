//! Waiting for background processes.

use crate::fds::Fd;
use crate::shell::{Run, Shell};
use crate::signals::{CONT, TERM};
use crate::sym::intern;
use crate::sys::{self, Child};
use std::rc::Rc;
use wisp_tool::sys::terminal::Settings;

/// How waiting for a job ended.
pub(crate) enum Waited<T> {
    /// The job ended, with this status or index.
    Done(T),
    /// A signal arrived that the shell handles.
    Signal(u8),
}

impl Shell {
    /// Waits for all background processes; returns the signal that interrupted the wait, if any.
    pub(crate) fn wait_all(&mut self) -> Run<Option<u8>> {
        for at in 0..self.jobs.list.len() {
            let job = &self.jobs.list[at];
            if self.has_job_control() && !job.inherited && job.stopped().is_some() {
                self.error(format!("wait: warning: job {}[{}] stopped", job.number, job.child.pid()));
                continue;
            }
            if !self.jobs.list[at].inherited
                && let Waited::Signal(signal) = self.wait_job(at)?
            {
                return Ok(Some(signal));
            }
        }
        self.jobs.list.retain(|job| job.inherited || job.stopped().is_some());
        Ok(None)
    }

    /// Makes a job of the foreground programs that were stopped.
    pub(crate) fn add_halted(&mut self, text: &[u8]) {
        let mut halted = std::mem::take(&mut self.programs.halted);
        let Some(child) = halted.pop() else { return };
        let text = String::from_utf8_lossy(text).into_owned();
        let number = self.jobs.add(child, text, false, self.process.cwd.clone());
        let settings = self.reclaim_terminal();
        if let Some(job) = self.jobs.list.last_mut() {
            (job.rest, job.controlled, job.settings) = (halted, true, settings);
        }
        if self.invocation.interactive {
            self.warn_raw(b"\n");
            let line = self.job_lines(|job| job.number == number && !job.waited);
            self.warn_raw(line.as_bytes());
        }
    }

    /// Gives the terminal the settings that it had at the last prompt. Returns those that it had until now, if it is the
    /// terminal of an interactive shell and has settings.
    pub(crate) fn reclaim_terminal(&self) -> Option<Settings> {
        if !self.invocation.interactive || !self.is_process() {
            return None;
        }
        let (Fd::File(file), ours) = (self.fd(0)?, self.entry.prompting.settings.get()?) else { return None };
        let theirs = file.handle().settings().ok()?;
        if theirs != ours {
            // A terminal that has settings takes them.
            let _ = file.handle().set_settings(&ours);
        }
        Some(theirs)
    }

    /// Gives the terminal the settings that a job had.
    fn restore_terminal(&self, settings: &Settings) {
        if let Some(Fd::File(file)) = self.fd(0) {
            // It may have been closed or replaced.
            let _ = file.handle().set_settings(settings);
        }
    }

    /// Waits for the job at `at` in the foreground: it continues if it was stopped, and may be stopped again.
    pub(crate) fn foreground(&mut self, at: usize) -> Run {
        let mut job = self.jobs.list[at].clone();
        if let Some(settings) = job.settings.filter(|_| job.stopped().is_some()) {
            self.restore_terminal(&settings);
        }
        if job.group {
            sys::set_foreground(job.child.pid());
        }
        if job.stopped().is_some() {
            // It exists, because it was stopped.
            let _ = job.kill(CONT);
        }
        let mut result = Ok(0);
        for child in job.rest.iter().chain([&job.child]) {
            result = self.wait_child(child);
            if result.is_err() || child.stopped().is_some() {
                break;
            }
        }
        if job.group {
            sys::set_foreground(0);
        }
        self.check_window();
        if job.stopped().is_some() {
            let settings = self.reclaim_terminal();
            if let Some(listed) = self.jobs.list.iter_mut().find(|other| Rc::ptr_eq(&other.child, &job.child)) {
                listed.settings = settings;
            }
            if self.invocation.interactive {
                self.warn_raw(b"\n");
                let line = self.job_lines(|other| other.number == job.number && !other.waited);
                self.warn_raw(line.as_bytes());
            }
            return result;
        }
        let status = result?;
        job.status = Some(status);
        let place = self.jobs.list.iter().position(|other| Rc::ptr_eq(&other.child, &job.child));
        if let Some(at) = place {
            self.jobs.list[at].status = job.status;
            self.jobs.retire(at);
        }
        if let Some(signal) = job.child.signal() {
            self.reclaim_terminal();
            self.report_signal(job.child.pid(), signal, job.text.as_bytes());
        }
        Ok(status)
    }

    /// Waits for the job at `at`.
    pub(crate) fn wait_job(&mut self, at: usize) -> Run<Waited<i32>> {
        if let Waited::Signal(signal) = self.wait_next(&[at])? {
            return Ok(Waited::Signal(signal));
        }
        let job = &mut self.jobs.list[at];
        let ended = job.status.is_none();
        let status = job.status.unwrap_or_else(|| job.child.wait());
        job.status = Some(status);
        let told = std::mem::replace(&mut job.waited, true);
        let (pid, signal, text) = (job.child.pid(), job.child.signal(), job.text.clone());
        if ended {
            self.reap();
        }
        if let (false, Some(name)) = (told, text.strip_prefix("coproc ").and_then(|rest| rest.split(' ').next())) {
            self.forget_coproc(name);
        }
        if let Some(signal) = signal.filter(|signal| !told && *signal != TERM && !self.invocation.interactive) {
            self.report_signal(pid, signal, text.as_bytes());
        }
        Ok(Waited::Done(status))
    }

    /// Removes the variables of a co-process that has ended, and closes its pipes.
    fn forget_coproc(&mut self, name: &str) {
        let array = intern(name.as_bytes());
        for number in self.elements(array) {
            if let Some(number) = crate::vars::parse_int(&number).and_then(|number| u32::try_from(number).ok()) {
                self.fds.remove(number);
            }
        }
        self.vars.unset(array);
        self.vars.unset(intern(&[name.as_bytes(), b"_PID"].concat()));
    }

    /// Waits until one of the jobs in `among` has ended; returns its index in `jobs`, or the signal that came first.
    pub(crate) fn wait_next(&mut self, among: &[usize]) -> Run<Waited<usize>> {
        loop {
            self.signals.arrived.listen();
            if let Some(signal) = self.interrupted() {
                return Ok(Waited::Signal(signal));
            }
            let place = among.iter().find(|at| self.jobs.list[**at].status.is_some());
            if let Some(at) = place {
                return Ok(Waited::Done(*at));
            }
            let children: Vec<&Child> = among.iter().map(|at| &*self.jobs.list[*at].child).collect();
            if let Some(at) = sys::wait_any(&children, self.signals.arrived.listens(), false) {
                // A signal that the job sent arrived before the job's end.
                self.signals.arrived.listen();
                if let Some(signal) = self.interrupted() {
                    return Ok(Waited::Signal(signal));
                }
                return Ok(Waited::Done(among[at.min(among.len() - 1)]));
            }
        }
    }
}
