//! The command line.

use crate::exec::{INT, STATE_ARGUMENT};
use crate::fds::Fd;
use crate::parser::Parser;
use crate::shell::Shell;
use crate::sys::{self, OpenHow};
use std::rc::Rc;

/// Run a shell with these arguments, the first being its name; the status to exit with.
pub fn main(args: Vec<Vec<u8>>) -> i32 {
    sys::init();
    let arg0 = args.first().cloned().unwrap_or_else(|| b"sh".to_vec());
    if let Some(number) = args.get(1).and_then(|arg| arg.strip_prefix(STATE_ARGUMENT)) {
        return child(&arg0, number);
    }
    if let (Some(number), Some(b"-c"), Some(text)) =
        (args.get(1).and_then(|arg| arg.strip_prefix(crate::cell::CELL_ARGUMENT)), args.get(2).map(Vec::as_slice), args.get(3))
    {
        return crate::cell::run(&arg0, number, text.clone());
    }
    let mut shell = Shell::new(&arg0);
    let mut at = 1;
    let mut command = false;
    let mut from_stdin = false;
    let (mut rc, mut rcfile) = (true, None);
    if arg0.starts_with(b"-") {
        shell.opts.set_shopt("login_shell", true);
    }
    while let Some(arg) = args.get(at) {
        if arg == b"--" || arg == b"-" {
            at += 1;
            break;
        }
        if let Some(long) = arg.strip_prefix(b"--") {
            match long {
                b"version" => {
                    let text = format!("GNU bash, version {} (compatible: wisp's own shell)\n", crate::shell::VERSION);
                    return shell.print("sh", text.as_bytes()).unwrap_or(141);
                }
                b"help" => {
                    let text = "usage: sh [-abefhkmnptuvxBCEHPT] [-o option] [-O shopt] [-c COMMAND | FILE] [ARGUMENT]...\n";
                    return shell.print("sh", text.as_bytes()).unwrap_or(141);
                }
                b"norc" => rc = false,
                b"posix" => drop(shell.opts.set_long("posix", true)),
                b"login" => drop(shell.opts.set_shopt("login_shell", true)),
                b"noprofile" | b"noediting" => {}
                b"rcfile" | b"init-file" => {
                    at += 1;
                    rcfile = args.get(at).cloned();
                }
                _ => {
                    let text = [&arg0[..], b": ", arg, b": invalid option\n"].concat();
                    shell.warn_raw(&text);
                    return 2;
                }
            }
            at += 1;
            continue;
        }
        let [sign @ (b'-' | b'+'), letters @ ..] = &arg[..] else { break };
        let on = *sign == b'-';
        at += 1;
        for letter in letters {
            match letter {
                b'c' => command = true,
                b's' => from_stdin = true,
                b'i' => shell.interactive = on,
                b'l' => drop(shell.opts.set_shopt("login_shell", on)),
                b'r' => {}
                b'o' | b'O' => {
                    let name = args.get(at).map(|name| String::from_utf8_lossy(name).into_owned()).unwrap_or_default();
                    at += 1;
                    let known = if *letter == b'o' { shell.opts.set_long(&name, on) } else { shell.opts.set_shopt(&name, on) };
                    if !known {
                        let text = format!("{}: {name}: invalid option name\n", String::from_utf8_lossy(&arg0));
                        shell.warn_raw(text.as_bytes());
                        return 2;
                    }
                }
                other => {
                    if !shell.opts.set_letter(*other, on) {
                        let text = format!("{}: {}{}: invalid option\n", String::from_utf8_lossy(&arg0), *sign as char, *other as char);
                        shell.warn_raw(text.as_bytes());
                        return 2;
                    }
                }
            }
        }
    }
    let rest = &args[at.min(args.len())..];
    shell.interactive |= !command && (from_stdin || rest.is_empty()) && shell.at_terminal();
    if shell.interactive
        && let Some(status) = shell.begin_interactive(rc, rcfile)
    {
        return status;
    }
    if command {
        let Some(text) = rest.first() else {
            shell.warn_raw(&[&arg0[..], b": -c: option requires an argument\n"].concat());
            return 2;
        };
        if let Some(name) = rest.get(1) {
            shell.arg0 = name[..].into();
        }
        shell.params = Rc::new(rest.iter().skip(2).cloned().collect());
        shell.from_string = true;
        let value = crate::vars::Value::Str(text.clone());
        shell.vars.put(crate::sym::BASH_EXECUTION_STRING, crate::vars::Var { value, attrs: Default::default() });
        let parser = shell.parser(text.clone(), 1);
        shell.execs_last = true;
        return finish(shell, parser);
    }
    if from_stdin || rest.is_empty() {
        shell.params = Rc::new(rest.to_vec());
        return stdin(shell);
    }
    shell.params = Rc::new(rest[1..].to_vec());
    file(shell, &rest[0])
}

/// Run a script to the shell's end.
fn finish(mut shell: Shell, parser: Parser) -> i32 {
    let status = shell.run_script(parser);
    end(&shell, status)
}

/// Leave what was read ahead to others, and end by a signal if one ends the shell.
fn end(shell: &Shell, status: i32) -> i32 {
    shell.fds.sync();
    if shell.has_job_control() {
        shell.leave_stopped_jobs();
    }
    if let Some(signal) = shell.dying {
        sys::die(signal);
    }
    status
}

fn file(mut shell: Shell, name: &[u8]) -> i32 {
    let mut path = name.to_vec();
    let how = OpenHow { read: true, ..OpenHow::default() };
    let mut opened = shell.open_file(&path, how);
    if opened.is_err()
        && !name.contains(&b'/')
        && let Some(found) = shell.search_path(name).into_iter().next()
    {
        path = found;
        opened = shell.open_file(&path, how);
    }
    let refuse = |shell: &mut Shell, message: &str, status: i32| {
        shell.warn_raw(&[&shell.arg0.clone()[..], b": ", name, b": ", message.as_bytes(), b"\n"].concat());
        status
    };
    let script = match opened.and_then(|fd| fd.file()) {
        Ok(script) => script,
        Err(error) => return refuse(&mut shell, error.message(), if error == sys::Errno::NoEntry { 127 } else { 126 }),
    };
    if script.handle().stat().is_ok_and(|stat| stat.kind == sys::Kind::Directory) {
        return refuse(&mut shell, "Is a directory", 126);
    }
    let text = match script.read_all() {
        Ok(text) => text,
        Err(error) => return refuse(&mut shell, error.message(), 126),
    };
    drop(script);
    if text.iter().take(80).take_while(|b| **b != b'\n').any(|b| *b == 0) {
        return refuse(&mut shell, "cannot execute binary file", 126);
    }
    shell.arg0 = name.into();
    shell.source = name.into();
    shell.script = true;
    let parser = shell.parser(text, 1);
    finish(shell, parser)
}

fn stdin(mut shell: Shell) -> i32 {
    let Some(Fd::File(input)) = shell.fd(0) else { return 0 };
    let (interactive, signals, prompting) = (shell.interactive, shell.signals.clone(), shell.prompting.clone());
    let stderr = shell.fd(2);
    let mut ended = false;
    let more = move || {
        let mut line = Vec::new();
        // Ctrl-D is an end for whoever asks next, too: the parser may look twice.
        if ended || prompting.interrupted.get() {
            return None;
        }
        if interactive
            && !prompting.first.replace(false)
            && let Some(stderr) = &stderr
        {
            // Nobody can be told that the prompt could not be shown.
            let _ = stderr.write(&prompting.continued.borrow());
        }
        loop {
            while interactive && signals.listens() && !input.readable_or_signal() {
                signals.listen();
                if signals.has(INT) {
                    prompting.interrupted.set(true);
                    return None;
                }
            }
            match input.read_byte() {
                Ok(Some(byte)) => line.push(byte),
                _ => break,
            }
            if line.last() == Some(&b'\n') {
                break;
            }
        }
        ended = line.is_empty();
        (!ended).then_some(line)
    };
    shell.from_stdin = true;
    let mut parser = Parser::streaming(Box::new(more), shell.function_source());
    parser.by_line = interactive;
    let status = shell.run_script(parser);
    if shell.interactive {
        shell.end_interactive();
    }
    end(&shell, status)
}

fn child(arg0: &[u8], number: &[u8]) -> i32 {
    let mut shell = Shell::bare(arg0);
    let number = std::str::from_utf8(number).ok().and_then(|text| text.parse().ok()).unwrap_or(u32::MAX);
    let blob = shell.fd(number).and_then(|fd| fd.file().ok()).and_then(|file| file.read_all().ok()).unwrap_or_default();
    shell.fds.remove(number);
    let Some((text, line)) = crate::state::load(&mut shell, &blob) else {
        shell.warn_raw(b"sh: the state handed to this subshell cannot be read\n");
        return 2;
    };
    shell.own_pid = sys::pid();
    shell.depth = 0;
    shell.told_ignored = sys::ignored_signals();
    shell.settle_signals();
    let parser = shell.parser(text, line);
    finish(shell, parser)
}
