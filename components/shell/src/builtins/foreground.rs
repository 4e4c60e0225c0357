//! Job control: `fg`, `bg`, `suspend`.

use super::getopt::Options;
use super::text;
use crate::shell::{Run, Shell};
use crate::signals::CONT;

/// Returns the arguments after the options, of which there are none. `Err` is the status of a builtin that cannot continue: an
/// option is wrong, or there is no job control.
fn arguments<'a>(shell: &mut Shell, args: &'a [Vec<u8>], usage: &'static str) -> Run<Result<&'a [Vec<u8>], i32>> {
    if !shell.has_job_control() || !shell.is_process() {
        shell.error(format!("{}: no job control", text(&args[0])));
        return Ok(Err(1));
    }
    let mut options = Options::new(args, "", usage);
    Ok(match options.next(shell)? {
        Some(_) => Err(2),
        None => Ok(options.rest()),
    })
}

/// Returns the index of a job, which need not begin with `%` here.
fn place(shell: &mut Shell, builtin: &str, arg: Option<&Vec<u8>>) -> Option<usize> {
    shell.jobs.poll();
    let Some(arg) = arg else {
        let current = shell.jobs.current();
        if current.is_none() {
            shell.error(format!("{builtin}: current: no such job"));
        }
        return current.and_then(|at| controlled(shell, builtin, at));
    };
    let spec = if arg.starts_with(b"%") { arg.clone() } else { [b"%", &arg[..]].concat() };
    match shell.jobs.find(&spec) {
        None => {
            shell.error(format!("{builtin}: {}: no such job", text(arg)));
            None
        }
        Some(_) => shell.named_job(builtin, &spec).and_then(|at| controlled(shell, builtin, at)),
    }
}

/// Returns a job that was started under job control and has not ended.
fn controlled(shell: &mut Shell, builtin: &str, at: usize) -> Option<usize> {
    let job = &shell.jobs.list[at];
    let number = job.number;
    if !job.controlled {
        shell.error(format!("{builtin}: job {number} started without job control"));
        return None;
    }
    if job.status.is_some() {
        shell.error(format!("{builtin}: job has terminated"));
        shell.jobs.retire(at);
        return None;
    }
    Some(at)
}

pub(crate) fn fg(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let args = match arguments(shell, args, "[job_spec]")? {
        Ok(args) => args,
        Err(status) => return Ok(status),
    };
    let Some(at) = place(shell, "fg", args.first()) else { return Ok(1) };
    let job = shell.jobs.list[at].clone();
    let place = shell.job_place(&job).map(|place| format!("\t{place}")).unwrap_or_default();
    shell.print("fg", format!("{}{place}\n", job.text).as_bytes())?;
    shell.foreground(at)
}

pub(crate) fn bg(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let args = match arguments(shell, args, "[job_spec ...]")? {
        Ok(args) => args,
        Err(status) => return Ok(status),
    };
    let mut status = 0;
    let named: Vec<Option<&Vec<u8>>> = if args.is_empty() { vec![None] } else { args.iter().map(Some).collect() };
    for arg in named {
        let Some(at) = place(shell, "bg", arg) else {
            status = 1;
            continue;
        };
        let job = shell.jobs.list[at].clone();
        if job.stopped().is_none() {
            shell.error(format!("bg: job {} already in background", job.number));
            continue;
        }
        let mark = if shell.jobs.current() == Some(at) { '+' } else { '-' };
        let place = shell.job_place(&job).map(|place| format!("  {place}")).unwrap_or_default();
        shell.print("bg", format!("[{}]{mark} {} &{place}\n", job.number, job.text).as_bytes())?;
        if let Err(error) = job.kill(CONT) {
            shell.error(format!("bg: {}", error.message()));
            status = 1;
        }
    }
    Ok(status)
}

pub(super) fn suspend(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut options = Options::new(args, "f", "[-f]");
    while let Some(letter) = options.next(shell)? {
        if letter == b'?' {
            return Ok(2);
        }
    }
    shell.error("suspend: cannot suspend: no job control");
    Ok(1)
}
