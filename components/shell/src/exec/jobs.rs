//! Background processes.

use super::signals::CONT;
use crate::shell::{Run, Shell};
use crate::sym::intern;
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
    /// Started under job control.
    pub controlled: bool,
    /// Other processes of it: the stages of a pipeline that was stopped.
    pub rest: Vec<Rc<Child>>,
    /// Where it was started.
    pub dir: Rc<Vec<u8>>,
    /// How it was when `jobs` showed it last: its status, the signal that had stopped it.
    pub shown: Option<(Option<i32>, Option<u8>)>,
}

impl Job {
    /// The signal that has stopped it, if it is stopped.
    pub fn stopped(&self) -> Option<u8> {
        if self.status.is_some() {
            return None;
        }
        self.child.stopped().or_else(|| self.rest.iter().find_map(|child| child.stopped()))
    }

    /// Send it a signal; whether anybody was there.
    pub fn kill(&self, signal: u8) -> sys::Result<()> {
        for child in &self.rest {
            // One that has ended needs none.
            let _ = sys::kill(i64::from(child.pid()), signal);
        }
        let pid = i64::from(self.child.pid());
        sys::kill(if self.group { -pid } else { pid }, signal)?;
        if signal == CONT {
            // Ctrl-Z stopped what it had started, too: they are of the shell's group, in which other jobs may be.
            let started = [&self.child].into_iter().chain(&self.rest).flat_map(|child| sys::descendants(child.pid()));
            for pid in started.filter(|_| !self.group) {
                let _ = sys::kill(i64::from(pid), CONT);
            }
            self.rest.iter().chain([&self.child]).for_each(|child| child.goes_on());
        }
        Ok(())
    }
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
    pub fn add(&mut self, child: Rc<Child>, text: String, group: bool, dir: Rc<Vec<u8>>) -> u32 {
        let number = self.list.iter().filter(|job| !job.waited).map(|job| job.number).max().unwrap_or(0) + 1;
        let (status, waited, hidden, inherited) = (None, false, false, false);
        self.list.push(Job {
            number,
            child,
            text,
            status,
            waited,
            hidden,
            inherited,
            group,
            controlled: group,
            rest: Vec::new(),
            dir,
            shown: None,
        });
        number
    }
    /// Add a process that `jobs` does not show.
    pub fn add_hidden(&mut self, child: Child) {
        self.add(Rc::new(child), String::new(), false, Rc::default());
        if let Some(job) = self.list.last_mut() {
            (job.number, job.hidden) = (0, true);
        }
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
    fn shown(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.list.len()).filter(|at| !self.list[*at].hidden && !self.list[*at].waited)
    }
    /// The place of the current job, `%+`: the last that was stopped, or else the last.
    pub fn current(&self) -> Option<usize> {
        let stopped = self.shown().rfind(|at| self.list[*at].stopped().is_some());
        stopped.or_else(|| self.shown().rfind(|at| self.list[*at].status.is_none())).or_else(|| self.shown().next_back())
    }
    /// The place of the one before, `%-`.
    pub fn previous(&self) -> Option<usize> {
        let current = self.current();
        let others = || self.shown().filter(|at| Some(*at) != current);
        let stopped = others().rfind(|at| self.list[*at].stopped().is_some());
        let running = others().rfind(|at| self.list[*at].status.is_none());
        stopped.or(running).or_else(|| others().next_back()).or(current)
    }
    /// Whether `%text` is the beginning of several jobs' texts.
    pub fn is_ambiguous(&self, what: &[u8]) -> bool {
        let Some(spec) = std::str::from_utf8(what).ok().and_then(|text| text.strip_prefix('%')) else { return false };
        if spec.is_empty() || spec.starts_with(['+', '-', '%', '?']) || spec.parse::<u32>().is_ok() {
            return false;
        }
        self.shown().filter(|at| self.list[*at].text.starts_with(spec)).count() > 1
    }
    /// The place of the job that `%n`, `%+`, `%text` or a process id names.
    pub fn find(&self, what: &[u8]) -> Option<usize> {
        let text = std::str::from_utf8(what).ok()?;
        if let Some(spec) = text.strip_prefix('%') {
            return match spec {
                "" | "+" | "%" => self.current(),
                "-" => self.previous(),
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

    /// Programs in the foreground were stopped: they are a job.
    pub(crate) fn add_halted(&mut self, text: &[u8]) {
        let mut halted = std::mem::take(&mut self.halted);
        let Some(child) = halted.pop() else { return };
        let text = String::from_utf8_lossy(text).into_owned();
        let number = self.jobs.add(child, text, false, self.cwd.clone());
        if let Some(job) = self.jobs.list.last_mut() {
            (job.rest, job.controlled) = (halted, true);
        }
        if self.interactive {
            self.warn_raw(b"\n");
            let line = self.job_lines(|job| job.number == number && !job.waited);
            self.warn_raw(line.as_bytes());
        }
    }

    /// Wait for the job at `at` in the foreground: it goes on if it was stopped, and may be stopped.
    pub(crate) fn foreground(&mut self, at: usize) -> Run {
        let mut job = self.jobs.list[at].clone();
        if job.group {
            sys::set_foreground(job.child.pid());
        }
        if job.stopped().is_some() {
            // It is there: it was stopped.
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
        if job.stopped().is_some() {
            if self.interactive {
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
            self.report_signal(job.child.pid(), signal, job.text.as_bytes());
        }
        Ok(status)
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
        if let (false, Some(name)) = (told, text.strip_prefix("coproc ").and_then(|rest| rest.split(' ').next())) {
            self.forget_coproc(name);
        }
        if let Some(signal) = signal.filter(|signal| !told && *signal != super::TERM && !self.interactive) {
            self.report_signal(pid, signal, text.as_bytes());
        }
        Ok(Waited::Done(status))
    }

    /// A co-process has ended: its variables go, and the ends of its pipes.
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
            if let Some(at) = sys::wait_any(&children, self.signals.listens(), false) {
                // A signal that the job sent before it ended came before its end.
                self.signals.listen();
                if let Some(signal) = self.interrupted() {
                    return Ok(Waited::Signal(signal));
                }
                return Ok(Waited::Done(among[at.min(among.len() - 1)]));
            }
        }
    }
}
