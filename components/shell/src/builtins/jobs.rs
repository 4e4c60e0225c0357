//! Background processes, signals and limits.

use super::text;
use crate::exec::{signal_name, signal_number};
use crate::shell::{Flow, Run, Shell};
use crate::sym::intern;
use crate::sys;

pub(super) fn no_job_control(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let why = if args[0] == b"suspend" { "cannot suspend: " } else { "" };
    shell.error(format!("{}: {why}no job control", text(&args[0])));
    Ok(1)
}

pub(super) fn wait(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut next = false;
    let mut into = None;
    let mut at = 1;
    while let Some(arg) = args.get(at) {
        match &arg[..] {
            b"-n" => next = true,
            b"-f" => {}
            b"-p" => {
                at += 1;
                into = args.get(at).cloned();
            }
            b"--" => {
                at += 1;
                break;
            }
            [b'-', _, ..] => return shell.bad_option("wait", arg, "wait [-fn] [-p var] [id ...]"),
            _ => break,
        }
        at += 1;
    }
    let rest = &args[at.min(args.len())..];
    if next {
        let mut among: Vec<usize> = Vec::new();
        if rest.is_empty() {
            among.extend((0..shell.jobs.list.len()).filter(|at| {
                let job = &shell.jobs.list[*at];
                !job.hidden && !job.inherited && !job.waited
            }));
        } else {
            among.extend(rest.iter().filter_map(|arg| shell.jobs.find(arg)));
        }
        let Some(at) = shell.wait_next(&among)? else { return Ok(127) };
        let status = shell.wait_job(at);
        let pid = shell.jobs.list.remove(at).child.pid();
        if let Some(into) = into {
            shell.set_int(intern(&into), i64::from(pid))?;
        }
        return Ok(status);
    }
    if rest.is_empty() {
        shell.wait_all();
        return Ok(0);
    }
    let mut status = 0;
    for arg in rest {
        match shell.jobs.find(arg).filter(|at| !shell.jobs.list[*at].inherited) {
            Some(at) => {
                status = shell.wait_job(at);
                if let Some(into) = &into {
                    let pid = shell.jobs.list[at].child.pid();
                    shell.set_int(intern(into), i64::from(pid))?;
                }
                if !arg.starts_with(b"%") {
                    // The status stays known, as bash remembers it.
                }
            }
            None if arg.first() == Some(&b'%') => {
                shell.error(format!("wait: {}: no such job", text(arg)));
                status = 127;
            }
            None if arg.iter().all(u8::is_ascii_digit) => {
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

pub(super) fn jobs(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    shell.jobs.poll();
    let (mut pids, mut long, mut running_only, mut stopped_only) = (false, false, false, false);
    let mut at = 1;
    while let Some([b'-', letters @ ..]) = args.get(at).map(Vec::as_slice) {
        at += 1;
        if letters == b"-" {
            break;
        }
        for letter in letters {
            match letter {
                b'p' => pids = true,
                b'l' => long = true,
                b'r' => running_only = true,
                b's' => stopped_only = true,
                b'n' => {}
                b'x' => return jobs_command(shell, &args[at..]),
                other => return shell.bad_option("jobs", &[b'-', *other], "jobs [-lnprs] [jobspec ...] or jobs -x command [args]"),
            }
        }
    }
    let mut wanted = Vec::new();
    for arg in &args[at.min(args.len())..] {
        match shell.jobs.find(arg) {
            Some(place) => wanted.push(place),
            None => {
                shell.error(format!("jobs: {}: no such job", text(arg)));
                return Ok(1);
            }
        }
    }
    let mut out = String::new();
    // A script is not told of jobs that have ended; a person is, once.
    let tells = shell.interactive;
    let listed = |job: &crate::exec::Job| !job.hidden && !job.waited && (tells || job.status.is_none());
    let shown: Vec<usize> = (0..shell.jobs.list.len()).filter(|at| listed(&shell.jobs.list[*at])).collect();
    for (number, at) in shown.iter().enumerate() {
        let job = &shell.jobs.list[*at];
        if (!wanted.is_empty() && !wanted.contains(at)) || stopped_only {
            continue;
        }
        if pids {
            out.push_str(&format!("{}\n", job.child.pid()));
            continue;
        }
        if running_only && job.status.is_some() {
            continue;
        }
        let mark = match shown.len() - number {
            1 => '+',
            2 => '-',
            _ => ' ',
        };
        let state = match job.status {
            None => "Running".to_owned(),
            Some(0) => "Done".to_owned(),
            Some(status) if status > 128 => signal_name((status - 128) as u8)
                .map_or_else(|| "Exit".into(), |name| if name == "TERM" { "Terminated".into() } else { name.to_owned() }),
            Some(status) => format!("Exit {status}"),
        };
        let pid = if long { format!("{} ", job.child.pid()) } else { String::new() };
        let tail = if job.status.is_none() { " &" } else { "" };
        out.push_str(&format!("[{}]{mark}  {pid}{state:<24}{}{tail}\n", job.number, job.text));
    }
    if !pids && tells {
        shell.jobs.list.retain(|job| job.status.is_none() || job.hidden);
    }
    shell.print("jobs", out.as_bytes())
}

/// `jobs -x`: a command whose `%n` are replaced by process ids.
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
    let rest: Vec<&Vec<u8>> = args[1..].iter().filter(|arg| !arg.starts_with(b"-")).collect();
    if rest.is_empty() {
        if args.iter().any(|arg| arg == b"-a") {
            shell.jobs.list.clear();
        } else if shell.jobs.list.iter().all(|job| job.hidden || job.status.is_some()) {
            shell.error("disown: current: no such job");
            return Ok(1);
        } else {
            shell.jobs.list.pop();
        }
        return Ok(0);
    }
    let mut status = 0;
    for arg in rest {
        match shell.jobs.find(arg) {
            Some(at) => {
                shell.jobs.list.remove(at);
            }
            None => {
                shell.error(format!("disown: {}: no such job", text(arg)));
                status = 1;
            }
        }
    }
    Ok(status)
}

pub(super) fn kill(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut signal = 15u8;
    let mut at = 1;
    if let Some(arg) = args.get(1) {
        let option = text(arg);
        if option == "-l" || option == "-L" {
            return list_signals(shell, &args[2..]);
        }
        if option == "-s" || option == "-n" {
            let name = args.get(2).map(|arg| text(arg)).unwrap_or_default();
            match signal_number(&name) {
                Some(number) => signal = number,
                None => {
                    shell.error(format!("kill: {name}: invalid signal specification"));
                    return Ok(1);
                }
            }
            at = 3;
        } else if option == "--" {
            at = 2;
        } else if let Some(name) = option.strip_prefix('-').filter(|name| !name.is_empty()) {
            match signal_number(name) {
                Some(number) => signal = number,
                None => {
                    shell.error(format!("kill: {name}: invalid signal specification"));
                    return Ok(1);
                }
            }
            at = 2;
            if args.get(2).is_some_and(|arg| arg == b"--") {
                at = 3;
            }
        }
    }
    if at >= args.len() {
        shell.warn_raw(b"kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]\n");
        return Ok(2);
    }
    let mut status = 0;
    for arg in &args[at..] {
        let pid = match shell.jobs.find(arg) {
            Some(at) => i64::from(shell.jobs.list[at].child.pid()),
            None if arg.first() == Some(&b'%') => {
                shell.error(format!("kill: {}: no such job", text(arg)));
                status = 1;
                continue;
            }
            None => match std::str::from_utf8(arg).ok().and_then(|text| text.parse::<i64>().ok()) {
                Some(pid) => pid,
                None => {
                    shell.error(format!("kill: {}: arguments must be process or job IDs", text(arg)));
                    status = 1;
                    continue;
                }
            },
        };
        if pid == i64::from(shell.pid) && shell.subshell > 0 && pid == i64::from(sys::pid()) && signal != 0 && signal != 9 {
            // The shell that this is a subshell of is the same process; it hears of it when it goes on.
            shell.pending.set(shell.pending.get() | 1 << signal);
            continue;
        }
        if (pid == i64::from(shell.pid) || pid == i64::from(shell.own_pid)) && signal != 0 && signal != 9 {
            shell.signal_self(signal)?;
            continue;
        }
        if let Err(error) = sys::kill(pid, signal) {
            shell.error(format!("kill: ({pid}) - {}", error.message()));
            status = 1;
        }
    }
    Ok(status)
}

impl Shell {
    /// A signal this shell sends itself: a trap runs, or it ends.
    pub(crate) fn signal_self(&mut self, signal: u8) -> Run<()> {
        let name = signal_name(signal).unwrap_or("TERM");
        match self.traps.get(name) {
            Some(text) if text.is_empty() => Ok(()),
            Some(_) => {
                let status = self.status;
                self.trap_status(name, status).map(|_| ())
            }
            None if matches!(name, "CHLD" | "CONT" | "URG" | "WINCH") => Ok(()),
            None => Err(Flow::Exit(128 + i32::from(signal))),
        }
    }
}

fn list_signals(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut out = String::new();
    let mut status = 0;
    if args.is_empty() {
        for number in 1..32u8 {
            if let Some(name) = signal_name(number) {
                out.push_str(&format!("{number:2}) SIG{name}{}", if number % 5 == 0 { "\n" } else { "\t" }));
            }
        }
        out.push('\n');
    }
    for arg in args {
        let shown = text(arg);
        match shown.parse::<u32>() {
            Ok(number) => match signal_name((if number > 128 { number - 128 } else { number }) as u8) {
                Some(name) => out.push_str(&format!("{name}\n")),
                None => {
                    shell.error(format!("kill: {shown}: invalid signal specification"));
                    status = 1;
                }
            },
            Err(_) => match signal_number(&shown) {
                Some(number) => out.push_str(&format!("{number}\n")),
                None => {
                    shell.error(format!("kill: {shown}: invalid signal specification"));
                    status = 1;
                }
            },
        }
    }
    shell.print("kill", out.as_bytes())?;
    Ok(status)
}
