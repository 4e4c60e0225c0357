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
}

/// The jobs of a shell.
#[derive(Clone, Default)]
pub struct Jobs {
    /// In the order they were started.
    pub list: Vec<Job>,
}

impl Jobs {
    /// Add a job; its number.
    pub fn add(&mut self, child: Child, text: String) -> u32 {
        let number = self.list.iter().filter(|job| !job.waited).map(|job| job.number).max().unwrap_or(0) + 1;
        self.list.push(Job { number, child: Rc::new(child), text, status: None, waited: false, hidden: false, inherited: false });
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
        });
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
                    Ok(number) => self.list.iter().position(|job| job.number == number && !job.hidden && !job.waited),
                    Err(_) => self.list.iter().position(|job| job.text.starts_with(spec) && !job.waited),
                },
            };
        }
        let pid: u32 = text.parse().ok()?;
        self.list.iter().rposition(|job| job.child.pid() == pid)
    }
}

impl Shell {
    /// Wait for all background processes.
    pub(crate) fn wait_all(&mut self) {
        for job in self.jobs.list.iter_mut().filter(|job| !job.inherited) {
            if job.status.is_none() {
                job.status = Some(job.child.wait());
            }
        }
        self.jobs.list.retain(|job| job.inherited);
    }

    /// Wait for the job at `at`; its status.
    pub(crate) fn wait_job(&mut self, at: usize) -> i32 {
        let job = &mut self.jobs.list[at];
        let status = job.status.unwrap_or_else(|| job.child.wait());
        job.status = Some(status);
        job.waited = true;
        status
    }

    /// Wait until any of the jobs in `among` has ended; its place.
    pub(crate) fn wait_next(&mut self, among: &[usize]) -> Run<Option<usize>> {
        self.jobs.poll();
        if let Some(at) = among.iter().find(|at| self.jobs.list[**at].status.is_some()) {
            return Ok(Some(*at));
        }
        if among.is_empty() {
            return Ok(None);
        }
        let children: Vec<&Child> = among.iter().map(|at| &*self.jobs.list[*at].child).collect();
        let at = among[sys::wait_any(&children).min(among.len() - 1)];
        Ok(Some(at))
    }
}
