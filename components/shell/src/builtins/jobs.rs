//! Background processes: `wait`, `jobs`, `disown`.

use super::getopt::Options;
use super::text;
use crate::exec::Waited;
use crate::shell::Job;
use crate::shell::{Run, Shell};
use crate::signals::signal_description;
use crate::sym::intern;
use std::rc::Rc;

/// Returns the status of a `wait` that a signal interrupted; the trap runs after it.
fn interrupted(signal: u8) -> Run {
    Ok(128 + i32::from(signal))
}

pub(super) fn wait(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    shell.hear_now()?;
    let mut next = false;
    let mut into = None;
    let mut options = Options::new(args, "fnp:", "[-fn] [-p var] [id ...]");
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'n' => next = true,
            b'f' => {}
            b'p' => into = Some(options.value().to_vec()),
            _ => return Ok(2),
        }
    }
    if let Some(name) = &into {
        if !crate::sym::is_name(name) {
            shell.error(format!("wait: `{}': not a valid identifier", text(name)));
            return Ok(1);
        }
        shell.vars.unset(intern(name));
    }
    let rest = options.rest();
    if next {
        return wait_for_one(shell, rest, into);
    }
    if rest.is_empty() {
        return shell.wait_all()?.map_or(Ok(0), interrupted);
    }
    let mut status = 0;
    for arg in rest {
        if shell.jobs.is_ambiguous(arg) {
            shell.error(format!("wait: {}: ambiguous job spec", text(&arg[1..])));
            status = 127;
            continue;
        }
        if shell.has_job_control()
            && let Some((number, signal)) =
                shell.jobs.find(arg).and_then(|at| shell.jobs.list[at].stopped().map(|s| (shell.jobs.list[at].number, s)))
        {
            shell.error(format!("warning: wait_for_job: job {number} is stopped"));
            status = 128 + i32::from(signal);
            continue;
        }
        match shell.jobs.find(arg).filter(|at| !shell.jobs.list[*at].inherited) {
            Some(at) => {
                status = match shell.wait_job(at)? {
                    Waited::Done(status) => status,
                    Waited::Signal(signal) => return interrupted(signal),
                };
                if let Some(into) = &into {
                    let pid = shell.jobs.list[at].child.pid();
                    shell.set_int(intern(into), i64::from(pid))?;
                }
            }
            None if arg.first() == Some(&b'%') => {
                shell.error(format!("wait: {}: no such job", text(arg)));
                status = 127;
            }
            None if arg.iter().all(u8::is_ascii_digit) => {
                if let Some(remembered) = shell.jobs.remembered(arg) {
                    status = remembered;
                    continue;
                }
                shell.error(format!("wait: pid {} is not a child of this shell", text(arg)));
                status = 127;
            }
            None => {
                shell.error(format!("wait: `{}': not a pid or valid job spec", text(arg)));
                status = 1;
            }
        }
    }
    Ok(status)
}

/// Implements `wait -n`
fn wait_for_one(shell: &mut Shell, which: &[Vec<u8>], into: Option<Vec<u8>>) -> Run {
    let among: Vec<usize> = if which.is_empty() {
        let waits = |at: &usize| {
            let job = &shell.jobs.list[*at];
            !job.hidden && !job.inherited && !job.waited
        };
        (0..shell.jobs.list.len()).filter(waits).collect()
    } else {
        let mut among = Vec::new();
        for arg in which {
            match shell.jobs.find(arg) {
                Some(at) => among.push(at),
                None => shell.error(format!("wait: {}: no such job", text(arg))),
            }
        }
        among
    };
    if among.is_empty() {
        return Ok(127);
    }
    shell.jobs.poll();
    let status = match shell.wait_next(&among)? {
        Waited::Signal(signal) => return interrupted(signal),
        Waited::Done(at) => match shell.wait_job(at)? {
            Waited::Signal(signal) => return interrupted(signal),
            Waited::Done(status) => {
                let pid = shell.jobs.retire(at);
                if let Some(into) = into {
                    shell.set_int(intern(&into), i64::from(pid))?;
                }
                status
            }
        },
    };
    Ok(status)
}

pub(super) fn jobs(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    shell.jobs.poll();
    let (mut pids, mut long, mut running_only, mut stopped_only) = (false, false, false, false);
    let (mut runs, mut news) = (false, false);
    let mut options = Options::new(args, "lnprsx", "[-lnprs] [jobspec ...] or jobs -x command [args]");
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'p' => pids = true,
            b'l' => long = true,
            b'r' => running_only = true,
            b's' => stopped_only = true,
            b'n' => news = true,
            b'x' if pids || long || running_only || stopped_only => {
                shell.error("jobs: no other options allowed with `-x'");
                return Ok(1);
            }
            b'x' => runs = true,
            _ => return Ok(2),
        }
    }
    if runs {
        return jobs_command(shell, options.rest());
    }
    let mut wanted = Vec::new();
    for arg in options.rest() {
        match shell.named_job("jobs", arg) {
            Some(place) => wanted.push(place),
            None => return Ok(1),
        }
    }
    // Ended jobs are reported once, and only to an interactive shell.
    let tells = shell.has_job_control();
    let listed = |job: &Job| !job.hidden && !job.waited && (tells || job.status.is_none());
    let chosen = |at: usize, job: &Job| {
        let stopped = job.stopped().is_some();
        (wanted.is_empty() || wanted.contains(&at))
            && listed(job)
            && (!stopped_only || stopped)
            && (!running_only || job.status.is_none() && !stopped)
            && (!news || job.shown != Some((job.status, job.stopped())))
    };
    let out = if pids {
        let chosen = shell.jobs.list.iter().enumerate().filter(|(at, job)| chosen(*at, job));
        chosen.map(|(_, job)| format!("{}\n", job.child.pid())).collect()
    } else {
        let chosen: Vec<u32> =
            shell.jobs.list.iter().enumerate().filter(|(at, job)| chosen(*at, job)).map(|(_, job)| job.child.pid()).collect();
        shell.job_table(long, |job| listed(job), |job| chosen.contains(&job.child.pid()))
    };
    let told: Vec<usize> = shell.jobs.list.iter().enumerate().filter(|(at, job)| chosen(*at, job)).map(|(at, _)| at).collect();
    for at in told {
        let job = &mut shell.jobs.list[at];
        job.shown = Some((job.status, job.stopped()));
    }
    if !pids && tells {
        shell.jobs.forget_ended();
    }
    shell.print("jobs", out.as_bytes())
}

impl Shell {
    /// Returns lines for the jobs that `chosen` accepts, as `jobs` shows them.
    pub(crate) fn job_lines(&self, chosen: impl Fn(&Job) -> bool) -> String {
        self.job_table(false, |job| !job.hidden && !job.waited, |job| !job.hidden && chosen(job))
    }

    /// Works like `job_lines`; the last two of those `listed` are marked.
    fn job_table(&self, long: bool, listed: impl Fn(&Job) -> bool, chosen: impl Fn(&Job) -> bool) -> String {
        let shown: Vec<&Job> = self.jobs.list.iter().filter(|job| listed(job)).collect();
        let mut out = String::new();
        let is = |place: Option<usize>, job: &Job| place.is_some_and(|at| Rc::ptr_eq(&self.jobs.list[at].child, &job.child));
        let (current, previous) = (self.jobs.current(), self.jobs.previous());
        for job in shown.iter().filter(|job| chosen(job)) {
            let mark = match job {
                job if is(current, job) => '+',
                job if is(previous, job) => '-',
                _ => ' ',
            };
            let stopped = job.stopped();
            let state = match (job.status, job.child.signal()) {
                (None, _) => match stopped {
                    None => "Running".to_owned(),
                    Some(signal) if long => signal_description(signal).to_owned(),
                    Some(_) => "Stopped".to_owned(),
                },
                (Some(0), _) => "Done".to_owned(),
                (Some(_), Some(signal)) => signal_description(signal).to_owned(),
                (Some(status), None) => format!("Exit {status}"),
            };
            let pid = if long { format!("{:5} ", job.child.pid()) } else { " ".to_owned() };
            let tail = if job.status.is_none() && stopped.is_none() { " &" } else { "" };
            let place = self.job_place(job).map(|place| format!("  {place}")).unwrap_or_default();
            out.push_str(&format!("[{}]{mark} {pid}{state:<24}{}{tail}{place}\n", job.number, job.text));
        }
        out
    }
}

impl Shell {
    /// Returns the index of the job that an argument of a builtin names; an error is reported.
    pub(super) fn named_job(&mut self, builtin: &str, arg: &[u8]) -> Option<usize> {
        let shown = text(arg.strip_prefix(b"%").filter(|rest| !rest.is_empty()).unwrap_or(arg));
        if self.jobs.is_ambiguous(arg) {
            self.error(format!("{builtin}: {shown}: ambiguous job spec"));
            if matches!(builtin, "fg" | "bg") {
                return None;
            }
        }
        let found = self.jobs.find(arg).filter(|_| !self.jobs.is_ambiguous(arg));
        if found.is_none() {
            self.error(format!("{builtin}: {}: no such job", text(arg)));
        }
        found
    }

    /// Returns `(wd: DIR)` of a job that was started elsewhere.
    pub(super) fn job_place(&self, job: &Job) -> Option<String> {
        let home = self.vars.get(crate::sym::HOME).and_then(|var| var.value.text()).unwrap_or_default();
        let shown = match job.dir.strip_prefix(&home[..]).filter(|rest| home.len() > 1 && (rest.is_empty() || rest.starts_with(b"/"))) {
            Some(rest) => [b"~", rest].concat(),
            None => job.dir.to_vec(),
        };
        (job.dir != self.process.cwd).then(|| format!("(wd: {})", text(&shown)))
    }
}

/// Runs `jobs -x`: a command whose `%n` are replaced by process ids.
fn jobs_command(shell: &mut Shell, words: &[Vec<u8>]) -> Run {
    let words: Vec<Vec<u8>> = words
        .iter()
        .map(|word| match shell.jobs.find(word).filter(|_| word.starts_with(b"%")) {
            Some(at) => shell.jobs.list[at].child.pid().to_string().into_bytes(),
            None => word.clone(),
        })
        .collect();
    let Some(name) = words.first() else { return Ok(0) };
    match super::find(name) {
        Some(super::Builtin::Plain(run)) => run(shell, &words),
        Some(super::Builtin::Declare(run)) => run(shell, &words, &[]),
        None => shell.run_program(words),
    }
}

pub(super) fn disown(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let (mut all, mut running, mut keep) = (false, false, false);
    let mut options = Options::new(args, "ahr", "[-h] [-ar] [jobspec ... | pid ...]");
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'a' => all = true,
            b'r' => running = true,
            // This shell sends no SIGHUP when it ends, so there is nothing to protect the job from.
            b'h' => keep = true,
            _ => return Ok(2),
        }
    }
    shell.jobs.poll();
    let rest = options.rest();
    let mut go = Vec::new();
    let mut status = 0;
    if rest.is_empty() {
        let shown = |at: &usize| !shell.jobs.list[*at].hidden && shell.jobs.list[*at].status.is_none();
        let mut shown = (0..shell.jobs.list.len()).filter(shown);
        if all || running {
            go.extend(shown);
        } else if let Some(last) = shown.next_back() {
            go.push(last);
        } else {
            shell.error("disown: current: no such job");
            return Ok(1);
        }
    }
    for arg in rest {
        match shell.named_job("disown", arg) {
            Some(at) => go.push(at),
            None => status = 1,
        }
    }
    if !keep {
        go.sort_unstable();
        go.dedup();
        for at in go.into_iter().rev() {
            if all || running {
                // `wait` no longer knows them.
                shell.jobs.list.remove(at);
            } else {
                shell.jobs.retire(at);
            }
        }
    }
    Ok(status)
}
