//! Background jobs: the list that `jobs` shows.

use crate::signals::CONT;
use crate::sys::{self, Child};
use std::rc::Rc;
use wisp_tool::sys::terminal::Settings;

/// A background job.
#[derive(Clone)]
pub struct Job {
    /// Its number, `%1` and so on.
    pub number: u32,
    /// Its process.
    pub child: Rc<Child>,
    /// Its text.
    pub text: String,
    /// How it ended.
    pub status: Option<i32>,
    /// The platform has been asked how it ended, so that it is no zombie.
    pub reaped: bool,
    /// `wait` has asked for its status.
    pub waited: bool,
    /// Not listed: a process substitution.
    pub hidden: bool,
    /// Belongs to the parent shell: shown, but not waited for.
    pub inherited: bool,
    /// A process group of its own.
    pub group: bool,
    /// Started under job control.
    pub controlled: bool,
    /// Other processes of it: the stages of a pipeline that was stopped.
    pub rest: Vec<Rc<Child>>,
    /// Where it was started.
    pub dir: Rc<Vec<u8>>,
    /// Its state when `jobs` last showed it: its status, and the signal that had stopped it.
    pub shown: Option<(Option<i32>, Option<u8>)>,
    /// The settings that the terminal had when it was stopped in the foreground.
    pub settings: Option<Settings>,
}

impl Job {
    /// Returns the signal that has stopped it, if it is stopped.
    pub fn stopped(&self) -> Option<u8> {
        if self.status.is_some() {
            return None;
        }
        self.child.stopped().or_else(|| self.rest.iter().find_map(|child| child.stopped()))
    }

    /// Sends it a signal; fails if the process does not exist.
    pub fn kill(&self, signal: u8) -> sys::Result<()> {
        for child in &self.rest {
            // A process that has ended needs none.
            let _ = sys::kill(i64::from(child.pid()), signal);
        }
        let pid = i64::from(self.child.pid());
        sys::kill(if self.group { -pid } else { pid }, signal)?;
        if signal == CONT {
            // Ctrl-Z also stopped the processes that it started: they belong to the shell's group, which may contain
            // other jobs.
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
    /// Processes that are no longer listed, with the status that a `wait` for them returns.
    remembered: Vec<(u32, i32)>,
}

/// Maximum number of ended processes whose statuses are remembered.
const MAX_REMEMBERED: usize = 1024;

impl Jobs {
    /// Forgets the job at `at`, but remembers the status of its process.
    pub fn retire(&mut self, at: usize) -> u32 {
        let job = self.list.remove(at);
        let pid = job.child.pid();
        if self.remembered.len() == MAX_REMEMBERED {
            self.remembered.remove(0);
        }
        // A process that continues to run unlisted no longer belongs to the shell.
        self.remembered.push((pid, job.status.unwrap_or(0)));
        pid
    }
    /// Returns the status of a process that is otherwise forgotten.
    pub fn remembered(&self, pid: &[u8]) -> Option<i32> {
        let pid: u32 = std::str::from_utf8(pid).ok()?.parse().ok()?;
        self.remembered.iter().rev().find(|(known, _)| *known == pid).map(|(_, status)| *status)
    }
    /// Adds a job; returns its number.
    pub fn add(&mut self, child: Rc<Child>, text: String, group: bool, dir: Rc<Vec<u8>>) -> u32 {
        let number = self.list.iter().filter(|job| !job.waited).map(|job| job.number).max().unwrap_or(0) + 1;
        let (status, waited, hidden, inherited) = (None, false, false, false);
        self.list.push(Job {
            number,
            child,
            text,
            status,
            reaped: false,
            waited,
            hidden,
            inherited,
            group,
            controlled: group,
            rest: Vec::new(),
            dir,
            shown: None,
            settings: None,
        });
        number
    }
    /// Adds a process that `jobs` does not show.
    pub fn add_hidden(&mut self, child: Child) {
        self.add(Rc::new(child), String::new(), false, Rc::default());
        if let Some(job) = self.list.last_mut() {
            (job.number, job.hidden) = (0, true);
        }
    }
    /// Forgets the jobs that have ended, but remembers their statuses.
    pub fn forget_ended(&mut self) {
        for at in (0..self.list.len()).rev() {
            if self.list[at].status.is_some() && !self.list[at].hidden {
                self.retire(at);
            }
        }
    }
    /// Asks how the jobs that have ended did, as bash does at once: until then they are zombies, which `ps` shows. Their statuses
    /// here stay as they are.
    pub fn reap(&mut self) {
        for job in self.list.iter_mut().filter(|job| job.status.is_none() && !job.reaped) {
            job.reaped = job.child.try_wait().is_some();
        }
    }
    /// Updates the statuses of jobs that have ended.
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
    /// Returns the index of the current job, `%+`: the last that was stopped, or else the last.
    pub fn current(&self) -> Option<usize> {
        let stopped = self.shown().rfind(|at| self.list[*at].stopped().is_some());
        stopped.or_else(|| self.shown().rfind(|at| self.list[*at].status.is_none())).or_else(|| self.shown().next_back())
    }
    /// Returns the index of the previous job, `%-`.
    pub fn previous(&self) -> Option<usize> {
        let current = self.current();
        let others = || self.shown().filter(|at| Some(*at) != current);
        let stopped = others().rfind(|at| self.list[*at].stopped().is_some());
        let running = others().rfind(|at| self.list[*at].status.is_none());
        stopped.or(running).or_else(|| others().next_back()).or(current)
    }
    /// Returns whether `%text` is a prefix of several jobs' texts.
    pub fn is_ambiguous(&self, what: &[u8]) -> bool {
        let Some(spec) = std::str::from_utf8(what).ok().and_then(|text| text.strip_prefix('%')) else { return false };
        if spec.is_empty() || spec.starts_with(['+', '-', '%', '?']) || spec.parse::<u32>().is_ok() {
            return false;
        }
        self.shown().filter(|at| self.list[*at].text.starts_with(spec)).count() > 1
    }
    /// Finds the index of the job that `%n`, `%+`, `%text` or a process id names.
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
