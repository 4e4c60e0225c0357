//! The command line of the shell.

use crate::exec::STATE_VARIABLE;
use crate::fds::Fd;
use crate::parser::Parser;
use crate::shell::{Shell, StartFiles};
use crate::signals::{HUP, INT};
use crate::sys::{self, OpenHow};
use std::rc::Rc;

/// Runs a shell with these arguments, the first being its name; returns the status to exit with.
pub fn main(args: Vec<Vec<u8>>) -> i32 {
    sys::init();
    let arg0 = args.first().cloned().unwrap_or_else(|| b"sh".to_vec());
    let environment = sys::env();
    if let [only] = &environment[..]
        && let Some(number) = only.strip_prefix(STATE_VARIABLE)
    {
        return child(&arg0, number);
    }
    if let Some(number) = args.get(1).and_then(|arg| arg.strip_prefix(crate::cell::CELL_ARGUMENT)) {
        match &args[2..] {
            [] => return crate::cell::run(&arg0, environment, number, None),
            [option, text] if option == b"-c" => return crate::cell::run(&arg0, environment, number, Some(text.clone())),
            _ => {}
        }
    }
    let mut shell = Shell::new(&arg0, environment);
    let line = match options(&mut shell, &args) {
        Ok(line) => line,
        Err(status) => return status,
    };
    let rest = &args[line.at.min(args.len())..];
    shell.invocation.interactive |= !line.command && (line.from_stdin || rest.is_empty()) && shell.at_terminal();
    let text = match rest.first() {
        Some(text) => Some(text),
        None if line.command => {
            shell.warn_raw(&[&arg0[..], b": -c: option requires an argument\n"].concat());
            return 2;
        }
        None => None,
    };
    let named = if line.command { rest.get(1) } else { text.filter(|_| !line.from_stdin) };
    if let Some(name) = named {
        shell.invocation.arg0 = name[..].into();
    }
    let before = if line.command { 2 } else { usize::from(named.is_some()) };
    shell.calls.params = Rc::new(rest.iter().skip(before).cloned().collect());
    (shell.invocation.from_string, shell.invocation.from_stdin) = (line.command, named.is_none() && !line.command);
    if let Some(status) = shell.begin(&line.start) {
        return status;
    }
    match text {
        Some(text) if line.command => {
            let value = crate::vars::Value::Str(text.clone());
            shell.vars.put(crate::sym::BASH_EXECUTION_STRING, crate::vars::Var { value, attrs: Default::default() });
            let parser = shell.parser(text.clone(), 1);
            shell.place.execs_last = true;
            finish(shell, parser)
        }
        Some(name) if !line.from_stdin => {
            shell.invocation.arg0 = arg0[..].into();
            file(shell, name)
        }
        _ => stdin(shell),
    }
}

/// What the command line asks for, beyond the options that it sets.
#[derive(Default)]
struct CommandLine {
    /// The index of the first argument after the options.
    at: usize,
    command: bool,
    from_stdin: bool,
    start: StartFiles,
}

/// The usage of the shell, after its name.
const USAGE: &str = "Usage:\tbash [long option] [option] ...
\tbash [long option] [option] script-file ...
Long options:
\t--debugger --help --init-file FILE --login --noediting --noprofile --norc --posix --rcfile FILE
\t--restricted --verbose --version
Shell options:
\t-ilrs or -c command or -O shopt_option\t\t(invocation only)
\t-abefhkmnptuvxBCEHPT or -o option
";

/// Reads the options; `Err` is the status if the shell ends with them.
fn options(shell: &mut Shell, args: &[Vec<u8>]) -> Result<CommandLine, i32> {
    let arg0 = shell.invocation.arg0.to_vec();
    let mut line = CommandLine { at: 1, ..CommandLine::default() };
    if arg0.starts_with(b"-") {
        shell.opts.set_shopt("login_shell", true);
    }
    let refuse = |shell: &Shell, what: &[u8]| {
        shell.warn_raw(&[&arg0[..], b": ", what, b"\n"].concat());
        Err(2)
    };
    let unknown = |shell: &Shell, arg: &[u8]| {
        shell.warn_raw(&[&arg0[..], b": ", arg, b": invalid option\n", USAGE.as_bytes()].concat());
        Err(2)
    };
    while let Some(arg) = args.get(line.at) {
        if arg == b"--" || arg == b"-" {
            line.at += 1;
            break;
        }
        let [sign @ (b'-' | b'+'), letters @ ..] = &arg[..] else { break };
        line.at += 1;
        if let Some(long) = arg.strip_prefix(b"--") {
            match long {
                b"version" => {
                    let text = format!("GNU bash, version {} (compatible: wisp's own shell)\n", crate::shell::VERSION);
                    return Err(shell.print("sh", text.as_bytes()).unwrap_or(141));
                }
                b"help" => {
                    let text = format!("wisp's shell: the language of GNU bash, version {}\n{USAGE}", crate::shell::VERSION);
                    return Err(shell.print("sh", text.as_bytes()).unwrap_or(141));
                }
                b"norc" => line.start.rc = false,
                b"noprofile" => line.start.profile = false,
                b"noediting" => line.start.editing = false,
                b"posix" => drop(shell.opts.set_long("posix", true)),
                b"login" => drop(shell.opts.set_shopt("login_shell", true)),
                b"verbose" => drop(shell.opts.set_long("verbose", true)),
                b"restricted" => line.start.restricted = true,
                b"debugger" => {
                    for letter in [b'E', b'T'] {
                        shell.opts.set_letter(letter, true);
                    }
                    shell.opts.set_shopt("extdebug", true);
                }
                b"rcfile" | b"init-file" => {
                    let Some(file) = args.get(line.at) else { return refuse(shell, &[long, b": option requires an argument"].concat()) };
                    line.at += 1;
                    line.start.rcfile = Some(file.clone());
                }
                _ => return unknown(shell, arg),
            }
            continue;
        }
        let on = *sign == b'-';
        for letter in letters {
            match letter {
                b'c' => line.command = true,
                b's' => line.from_stdin = true,
                b'i' => shell.invocation.interactive = on,
                b'l' => drop(shell.opts.set_shopt("login_shell", on)),
                b'r' => line.start.restricted = on,
                b'o' | b'O' => {
                    let long = *letter == b'o';
                    let Some(name) = args.get(line.at) else {
                        let words: &[&[u8]] = match (long, on) {
                            (true, true) => &[b"set", b"-o"],
                            (true, false) => &[b"set", b"+o"],
                            (false, true) => &[b"shopt"],
                            (false, false) => &[b"shopt", b"-p"],
                        };
                        let words: Vec<Vec<u8>> = words.iter().map(|word| word.to_vec()).collect();
                        return Err(shell.show_options(&words));
                    };
                    line.at += 1;
                    let name = String::from_utf8_lossy(name).into_owned();
                    let known = if long { shell.opts.set_long(&name, on) } else { shell.opts.set_shopt(&name, on) };
                    if !known {
                        let text = format!("{name}: invalid {}option name", if long { "" } else { "shell " });
                        return refuse(shell, text.as_bytes());
                    }
                }
                other => {
                    if !shell.opts.set_letter(*other, on) {
                        return unknown(shell, &[*sign, *other]);
                    }
                }
            }
        }
    }
    if line.command {
        line.from_stdin = false;
    }
    Ok(line)
}

/// Runs a script to the shell's end.
fn finish(mut shell: Shell, parser: Parser) -> i32 {
    let status = shell.run_script(parser);
    end(&shell, status)
}

/// Gives back input that was read ahead, and ends by a signal if one ends the shell.
fn end(shell: &Shell, status: i32) -> i32 {
    shell.fds.sync();
    if shell.has_job_control() {
        shell.leave_stopped_jobs();
    }
    if let Some(signal) = shell.signals.dying {
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
        shell.warn_raw(&[&shell.invocation.arg0.clone()[..], b": ", name, b": ", message.as_bytes(), b"\n"].concat());
        status
    };
    let script = match opened.and_then(|fd| fd.file()) {
        Ok(script) => script,
        Err(error) => return refuse(&mut shell, error.message(), if error == sys::Errno::NoEntry { 127 } else { 126 }),
    };
    if script.handle().stat().is_ok_and(|stat| stat.kind == sys::Kind::Directory) {
        shell.invocation.arg0 = name.into();
        return refuse(&mut shell, "Is a directory", 126);
    }
    let text = match script.read_all() {
        Ok(text) => text,
        Err(error) => return refuse(&mut shell, error.message(), 126),
    };
    drop(script);
    if text.iter().take(80).take_while(|b| **b != b'\n').any(|b| *b == 0) {
        shell.invocation.arg0 = name.into();
        return refuse(&mut shell, "cannot execute binary file", 126);
    }
    shell.invocation.arg0 = name.into();
    shell.position.source = name.into();
    shell.invocation.script = true;
    let parser = shell.parser(text, 1);
    finish(shell, parser)
}

fn stdin(mut shell: Shell) -> i32 {
    let status = typed(&mut shell);
    end(&shell, status)
}

/// Runs the commands that standard input has, or that a person types there; returns the status.
pub(crate) fn typed(shell: &mut Shell) -> i32 {
    let Some(Fd::File(mut input)) = shell.fd(0) else { return 0 };
    let replaced = shell.invocation.replaced_stdin.clone();
    let (interactive, signals, prompting) = (shell.invocation.interactive, shell.signals.arrived.clone(), shell.entry.prompting.clone());
    let stderr = shell.fd(2);
    let mut ended = false;
    let more = move || {
        let mut line = Vec::new();
        if let Some(file) = replaced.take() {
            // `exec 0<file`: the script continues there.
            input = file;
            ended = false;
        }
        // Ctrl-D also ends the input for the next reader: the parser may look twice.
        if ended || prompting.interrupted.get() {
            return None;
        }
        if interactive
            && !prompting.first.replace(false)
            && prompting.entered.borrow().is_empty()
            && let Some(stderr) = &stderr
            && !prompting.edit_continuation(&input, stderr, &signals)
        {
            // If the prompt cannot be shown, there is no way to report it.
            let _ = stderr.write(&prompting.continued.borrow());
        }
        if prompting.interrupted.get() {
            return None;
        }
        if let Some(line) = prompting.entered.borrow_mut().pop_front() {
            return Some(line);
        }
        if prompting.ended.take() {
            ended = true;
            return None;
        }
        loop {
            while interactive && signals.listens() && !input.readable_or_signal() {
                signals.listen();
                if signals.has(INT) || signals.has(HUP) {
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
    let mut parser = Parser::streaming(Box::new(more), shell.function_source());
    parser.by_line = interactive;
    let status = shell.run_script(parser);
    if shell.invocation.interactive {
        shell.end_interactive();
    }
    status
}

fn child(arg0: &[u8], number: &[u8]) -> i32 {
    let mut shell = Shell::bare(arg0);
    let number = std::str::from_utf8(number).ok().and_then(|text| text.parse().ok()).unwrap_or(u32::MAX);
    let blob = shell.fd(number).and_then(|fd| fd.file().ok()).and_then(|file| file.read_all().ok()).unwrap_or_default();
    shell.fds.remove(number);
    let (text, line) = match crate::serialize::load(&mut shell, &blob) {
        Ok(commands) => commands,
        Err(why) => {
            shell.warn_raw(format!("sh: cannot read the state of this subshell: {why}\n").as_bytes());
            return 2;
        }
    };
    shell.process.own_pid = sys::pid();
    // This process began with them.
    shell.process.limits = sys::Limits::default();
    shell.nesting.depth = 0;
    shell.signals.told_ignored = sys::ignored_signals();
    shell.settle_signals();
    let parser = shell.parser(text, line);
    finish(shell, parser)
}
