//! Background processes.

use crate::shell::{Run, Shell};
use crate::sys::{self, Child};
use std::rc::Rc;

/// A background job.
#[derive(Clone)]
pub struct Job {
    /// Its number, `%1` and on.
    pub number: u32,
    /// Its process.
    pub child: Rc<Child>,
    /// Its text.
    pub text: String,
    /// How it ended.
    pub status: Option<i32>,
    /// Its status was asked for by `wait`.
    pub waited: bool,
    /// Not listed: a process substitution.
    pub hidden: bool,
    /// The parent shell's: shown, but not waited for.
    pub inherited: bool,
    /// A process group of its own.
    pub group: bool,
}

/// The jobs of a shell.
#[derive(Clone, Default)]
pub struct Jobs {
    /// In the order they were started.
    pub list: Vec<Job>,
    /// Processes that are not listed any more, and the status that a `wait` for them answers.
    remembered: Vec<(u32, i32)>,
}

/// Ended processes whose statuses are remembered.
const MAX_REMEMBERED: usize = 1024;

impl Jobs {
    /// Forget the job at `at`, but for its process's status.
    pub fn retire(&mut self, at: usize) -> u32 {
        let job = self.list.remove(at);
        let pid = job.child.pid();
        if self.remembered.len() == MAX_REMEMBERED {
            self.remembered.remove(0);
        }
        // One that runs on, unlisted, is none of the shell's any more.
        self.remembered.push((pid, job.status.unwrap_or(0)));
        pid
    }
    /// The status of a process that was forgotten otherwise.
    pub fn remembered(&self, pid: &[u8]) -> Option<i32> {
        let pid: u32 = std::str::from_utf8(pid).ok()?.parse().ok()?;
        self.remembered.iter().rev().find(|(known, _)| *known == pid).map(|(_, status)| *status)
    }
    /// Add a job; its number.
    pub fn add(&mut self, child: Child, text: String, group: bool) -> u32 {
        let number = self.list.iter().filter(|job| !job.waited).map(|job| job.number).max().unwrap_or(0) + 1;
        self.list.push(Job { number, child: Rc::new(child), text, status: None, waited: false, hidden: false, inherited: false, group });
        number
    }
    /// Add a process that `jobs` does not show.
    pub fn add_hidden(&mut self, child: Child) {
        self.list.push(Job {
            number: 0,
            child: Rc::new(child),
            text: String::new(),
            status: None,
            waited: false,
            hidden: true,
            inherited: false,
            group: false,
        });
    }
    /// Forget those that have ended, but for their statuses.
    pub fn forget_ended(&mut self) {
        for at in (0..self.list.len()).rev() {
            if self.list[at].status.is_some() && !self.list[at].hidden {
                self.retire(at);
            }
        }
    }
    /// Learn which have ended.
    pub fn poll(&mut self) {
        for job in &mut self.list {
            if job.status.is_none() {
                job.status = job.child.try_wait();
            }
        }
    }
    /// The place of the job that `%n`, `%+`, `%text` or a process id names.
    pub fn find(&self, what: &[u8]) -> Option<usize> {
        let text = std::str::from_utf8(what).ok()?;
        if let Some(spec) = text.strip_prefix('%') {
            return match spec {
                "" | "+" | "%" => self.list.iter().rposition(|job| !job.hidden && !job.waited),
                "-" => {
                    let shown: Vec<usize> = (0..self.list.len()).filter(|at| !self.list[*at].hidden && !self.list[*at].waited).collect();
                    shown.len().checked_sub(2).map(|at| shown[at]).or(shown.first().copied())
                }
                _ => match spec.parse::<u32>() {
                    Ok(number) => self.list.iter().rposition(|job| job.number == number && !job.hidden && !job.waited),
                    Err(_) => self.list.iter().rposition(|job| {
                        let named = match spec.strip_prefix('?') {
                            Some(part) => job.text.contains(part),
                            None => job.text.starts_with(spec),
                        };
                        named && !job.waited
                    }),
                },
            };
        }
        let pid: u32 = text.parse().ok()?;
        self.list.iter().rposition(|job| job.child.pid() == pid)
    }
}

/// How waiting for a job ended.
pub(crate) enum Waited<T> {
    /// With this: its status, or its place.
    Done(T),
    /// A signal came that the shell answers.
    Signal(u8),
}

impl Shell {
    /// Wait for all background processes; the signal that interrupted it, if one did.
    pub(crate) fn wait_all(&mut self) -> Run<Option<u8>> {
        for at in 0..self.jobs.list.len() {
            if !self.jobs.list[at].inherited
                && let Waited::Signal(signal) = self.wait_job(at)?
            {
                return Ok(Some(signal));
            }
        }
        self.jobs.list.retain(|job| job.inherited);
        Ok(None)
    }

    /// Wait for the job at `at`.
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
        if let Some(signal) = signal.filter(|signal| !told && *signal != super::TERM && !self.interactive) {
            self.report_signal(pid, signal, text.as_bytes());
        }
        Ok(Waited::Done(status))
    }

    /// Wait until any of the jobs in `among` has ended; the place of one in `jobs`, or the signal that came first.
    pub(crate) fn wait_next(&mut self, among: &[usize]) -> Run<Waited<usize>> {
        loop {
            self.signals.listen();
            if let Some(signal) = self.interrupted() {
                return Ok(Waited::Signal(signal));
            }
            let place = among.iter().find(|at| self.jobs.list[**at].status.is_some());
            if let Some(at) = place {
                return Ok(Waited::Done(*at));
            }
            let children: Vec<&Child> = among.iter().map(|at| &*self.jobs.list[*at].child).collect();
            if let Some(at) = sys::wait_any(&children, self.signals.listens()) {
                return Ok(Waited::Done(among[at.min(among.len() - 1)]));
            }
        }
    }
}
