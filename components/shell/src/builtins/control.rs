//! Flow of control.

use super::getopt::Options;
use super::text;
use crate::shell::{Flow, Frame, Run, Shell};
use crate::sys;
use std::rc::Rc;

pub(super) fn yes(_: &mut Shell, _: &[Vec<u8>]) -> Run {
    Ok(0)
}

pub(super) fn no(_: &mut Shell, _: &[Vec<u8>]) -> Run {
    Ok(1)
}

fn number(bytes: &[u8]) -> Option<i64> {
    std::str::from_utf8(bytes).ok()?.trim_start().trim_end_matches([' ', '\t']).parse().ok()
}

/// Reports arguments that a builtin does not accept; the line ends.
pub(super) fn too_many(shell: &mut Shell, name: &str) -> Run {
    shell.error(format!("{name}: too many arguments"));
    Err(Flow::Abort(1))
}

pub(super) fn exit(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let args = if args.get(1).is_some_and(|a| a == b"--") { &args[1..] } else { args };
    if shell.invocation.interactive && shell.stays_for_stopped_jobs() {
        return Ok(1);
    }
    match args.get(1) {
        None => {
            // Only in the EXIT trap itself, the status is the one from before the trap.
            let last = shell.traps.running.is_empty() && shell.traps.of_signals == 0;
            let status = shell.traps.status_before.filter(|_| last).unwrap_or(shell.last.status);
            shell.leave_login();
            Err(Flow::Exit(status))
        }
        Some(arg) => match number(arg) {
            Some(_) if args.len() > 2 => too_many(shell, "exit"),
            Some(status) => {
                shell.leave_login();
                Err(Flow::Exit((status & 0xff) as i32))
            }
            None => {
                shell.error(format!("exit: {}: numeric argument required", text(arg)));
                Err(Flow::Exit(2))
            }
        },
    }
}

pub(super) fn logout(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    if !shell.opts.shopt("login_shell") {
        shell.error("logout: not login shell: use `exit'");
        return Ok(1);
    }
    exit(shell, args)
}

pub(super) fn return_(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    if let Some(arg) = args.get(1).filter(|arg| shell.calls.frames.is_empty() && arg[..] != *b"--" && number(arg).is_none()) {
        shell.error(format!("return: {}: numeric argument required", text(arg)));
    }
    if shell.calls.frames.is_empty() {
        shell.error("return: can only `return' from a function or sourced script");
        return shell.special_failure("return", 2);
    }
    let args = if args.get(1).is_some_and(|a| a == b"--") { &args[1..] } else { args };
    match args.get(1) {
        None => Err(Flow::Return(shell.traps.status_before.unwrap_or(shell.last.status))),
        Some(arg) => match number(arg) {
            Some(_) if args.len() > 2 => too_many(shell, "return"),
            Some(status) => Err(Flow::Return((status & 0xff) as i32)),
            None => {
                shell.error(format!("return: {}: numeric argument required", text(arg)));
                Err(Flow::Return(2))
            }
        },
    }
}

/// Runs `break` and `continue`.
pub(super) fn break_(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let name = text(&args[0]);
    if shell.calls.loops == 0 && shell.opts.long("posix") == Some(true) {
        return Ok(0);
    }
    if shell.calls.loops == 0 {
        shell.error(format!("{name}: only meaningful in a `for', `while', or `until' loop"));
        return Ok(0);
    }
    let levels = match args.get(1) {
        None => 1,
        Some(arg) => match number(arg) {
            Some(_) if args.len() > 2 => return too_many(shell, &name),
            Some(levels) if levels > 0 => levels as u32,
            Some(_) => {
                shell.error(format!("{name}: {}: loop count out of range", text(arg)));
                shell.last.status = 1;
                return Err(Flow::Break(shell.calls.loops));
            }
            None => {
                shell.error(format!("{name}: {}: numeric argument required", text(arg)));
                return Err(Flow::Exit(128));
            }
        },
    };
    let levels = levels.min(shell.calls.loops);
    shell.last.status = 0;
    shell.last.pipeline = vec![0];
    Err(if args[0] == b"break" { Flow::Break(levels) } else { Flow::Continue(levels) })
}

pub(super) fn eval(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut options = Options::new(args, "", "[arg ...]");
    if options.next(shell)?.is_some() {
        return Ok(2);
    }
    let text = options.rest().join(&b' ');
    if text.trim_ascii().is_empty() {
        return Ok(0);
    }
    let line = shell.position.line;
    let parser = shell.parser(text, line);
    shell.nesting.trace += 1;
    let result = shell.run_parser(parser, "eval: ");
    shell.nesting.trace -= 1;
    shell.position.line = line;
    result
}

pub(super) fn source(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let name = text(&args[0]);
    let mut options = Options::new(args, "", "filename [arguments]");
    if options.next(shell)?.is_some() {
        return Ok(2);
    }
    let Some((file, args)) = options.rest().split_first() else {
        return shell.misuse(&name, "filename argument required", "filename [arguments]");
    };
    let mut path = file.clone();
    if shell.opts.restricted() && file.contains(&b'/') {
        shell.error(format!("{name}: {}: restricted", text(file)));
        return Ok(1);
    }
    if !file.contains(&b'/') && shell.opts.shopt("sourcepath") {
        let dirs = shell.get(crate::sym::PATH).unwrap_or_default();
        let mut found = false;
        for dir in dirs.split(|b| *b == b':') {
            let candidate = [dir, b"/", &file[..]].concat();
            if sys::stat(&shell.absolute(&candidate), true).is_ok_and(|stat| stat.kind == sys::Kind::Regular) {
                path = candidate;
                found = true;
                break;
            }
        }
        if !found && shell.opts.long("posix") == Some(true) {
            shell.error(format!("{name}: {}: file not found", text(file)));
            return shell.special_failure(&name, 1);
        }
    }
    let how = sys::OpenHow { read: true, ..Default::default() };
    let script = shell.open_or_end(&path, how)?.and_then(|fd| {
        let opened = fd.file()?;
        if opened.handle().stat()?.kind == sys::Kind::Directory {
            return Err(sys::Errno::IsDirectory);
        }
        opened.read_all()
    });
    let script = match script {
        Ok(script) => script,
        Err(sys::Errno::IsDirectory) => {
            shell.error(format!("{name}: {}: is a directory", text(file)));
            return Ok(1);
        }
        Err(error) => {
            shell.error(format!("{}: {}", text(file), error.message()));
            // In POSIX mode a special builtin that fails ends a script.
            return shell.special_failure(&name, 1);
        }
    };
    let source: Rc<[u8]> = path.into();
    let outer = std::mem::replace(&mut shell.position.source, source.clone());
    let line = shell.position.line;
    if shell.calls.frames.len() >= crate::exec::MAX_CALLS {
        shell.error(format!("{name}: maximum source nesting level exceeded ({})", crate::exec::MAX_CALLS));
        shell.position.source = outer;
        return Ok(1);
    }
    shell.calls.frames.push(Frame { name: b"source"[..].into(), source, call_line: line, function: false, args: Rc::new(args.to_vec()) });
    let params = (!args.is_empty()).then(|| std::mem::replace(&mut shell.calls.params, Rc::new(args.to_vec())));
    let given = Rc::as_ptr(&shell.calls.params);
    let parser = shell.parser(script, 1);
    shell.nesting.trace += 1;
    let hidden = if shell.opts.has(b'T') { Vec::new() } else { shell.hide_trap("DEBUG").into_iter().collect() };
    let result = shell.run_parser(parser, "");
    shell.nesting.trace -= 1;
    let result = match result {
        Err(Flow::Return(status)) => Ok(status),
        other => shell.leave(other),
    };
    let result = match result {
        Ok(status) => {
            // The trap sees the caller's frame, not the frame of the file.
            let frame = shell.calls.frames.pop();
            shell.position.line = line;
            let trapped = shell.run_trap("RETURN", status).map(|()| status);
            shell.calls.frames.extend(frame);
            trapped
        }
        other => other,
    };
    shell.show_traps(hidden);
    // Parameters that the file has `set` stay.
    if let Some(params) = params
        && Rc::as_ptr(&shell.calls.params) == given
    {
        shell.calls.params = params;
    }
    shell.calls.frames.pop();
    shell.position.source = outer;
    shell.position.line = line;
    result
}

pub(super) fn exec(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut name = None;
    let (mut clear, mut login) = (false, false);
    let mut options = Options::new(args, "a:cl", "[-cl] [-a name] [command [argument ...]] [redirection ...]");
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'a' => name = Some(options.value().to_vec()),
            b'c' => clear = true,
            b'l' => login = true,
            _ => return Ok(2),
        }
    }
    let mut words = options.rest().to_vec();
    if words.is_empty() {
        return Ok(0);
    }
    if shell.opts.restricted() {
        shell.error("exec: restricted");
        return Ok(1);
    }
    let program = words[0].clone();
    if login {
        // The name marks a login shell.
        name = Some([b"-", name.as_deref().unwrap_or(&program)].concat());
    }
    let found = shell.find_program(&program);
    let env = |shell: &mut Shell, path: &[u8]| {
        if clear {
            return Vec::new();
        }
        let mut env = shell.child_environment(path);
        env.retain(|entry| !entry.starts_with(b"_="));
        env.extend(shell.vars.environment().into_iter().find(|entry| entry.starts_with(b"_=")));
        env
    };
    shell.lower_children(!shell.place.nest.parentheses);
    let started = match &found {
        // The process becomes the program. A subshell without a process of its own runs the program and then ends.
        Some(path) if shell.is_process() => {
            let absolute = shell.absolute(path);
            let env = env(shell, path);
            let called = std::mem::replace(&mut words[0], name.unwrap_or_else(|| program.clone()));
            let error = shell.become_program(path, &words, env);
            words[0] = called;
            if error == sys::Errno::NotExecutable {
                shell.become_script(path, &absolute, &words).map(|never| match never {})
            } else {
                Err(shell.explain(path, &absolute, error))
            }
        }
        Some(path) => {
            let absolute = shell.absolute(path);
            let env = env(shell, path);
            words[0] = name.unwrap_or_else(|| program.clone());
            match shell.spawn(path, &words, env) {
                Err(sys::Errno::NotExecutable) => shell.start_program(&words),
                started => started.map_err(|error| shell.explain(path, &absolute, error)),
            }
        }
        None => shell.start_program(&words),
    };
    shell.lower_children(false);
    match started {
        Ok(child) => {
            // The program takes this shell's place: none of our descriptors stays open while it runs.
            shell.fds = Default::default();
            let status = shell.wait_child(&child)?;
            Rc::make_mut(&mut shell.traps.commands).clear();
            Err(Flow::Exit(status))
        }
        Err((message, status)) => {
            if status == 127 && !program.contains(&b'/') {
                shell.error([b"exec: ", &program[..], b": not found"].concat());
            } else {
                // bash prints the whole path and, for a file that cannot be executed, also the name that was given.
                let reason = message.strip_prefix(&found.clone().unwrap_or_default()[..]).unwrap_or(&message).to_vec();
                shell.error([&shell.absolute(program.strip_prefix(b"./").unwrap_or(&program))[..], &reason].concat());
                if status == 126 {
                    shell.error([b"exec: ", &program[..], b": cannot execute", &reason].concat());
                }
            }
            if shell.opts.shopt("execfail") { Ok(status) } else { Err(Flow::Exit(status)) }
        }
    }
}

pub(super) fn caller(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut options = Options::new(args, "", "[expr]");
    if options.next(shell)?.is_some() {
        return Ok(2);
    }
    let args = options.rest();
    let mut frames: Vec<(Vec<u8>, Vec<u8>, u32)> =
        shell.calls.frames.iter().rev().map(|frame| (frame.name.to_vec(), frame.source.to_vec(), frame.call_line)).collect();
    if shell.invocation.script {
        frames.push((b"main".to_vec(), shell.script_name(), 0));
    }
    let Some(first) = frames.first() else { return Ok(1) };
    let mut out = match args.first() {
        None => {
            let source = frames.get(1).map_or(&b"NULL"[..], |frame| &frame.1);
            [first.2.to_string().as_bytes(), b" ", source].concat()
        }
        Some(arg) => {
            let Some(level) = number(arg) else {
                shell.error(format!("caller: {}: invalid number", text(arg)));
                shell.warn_raw(b"caller: usage: caller [expr]\n");
                return Ok(2);
            };
            let at = usize::try_from(level).unwrap_or(usize::MAX);
            let (Some(frame), Some(outer)) = (frames.get(at), at.checked_add(1).and_then(|at| frames.get(at))) else { return Ok(1) };
            [frame.2.to_string().as_bytes(), b" ", &outer.0, b" ", &outer.1].concat()
        }
    };
    out.push(b'\n');
    shell.print("caller", &out)
}
