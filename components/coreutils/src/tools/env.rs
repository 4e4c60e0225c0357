//! `env`: runs a command in a changed environment, or prints the environment.

use crate::options::{Given, Line, Opt, Syntax, Takes, flag, maybe, value};
use crate::spawn::{Command, FAILED, NOT_FOUND};
use crate::{signals, sys, text};
use std::ffi::OsString;
use std::io::Write;

const OPTIONS: &[Opt] = &[
    flag("i", "ignore-environment", "start with an empty environment"),
    flag("0", "null", "end lines with NUL instead of newline"),
    value("u", "unset", "remove variable VALUE"),
    value("C", "chdir", "run in directory VALUE"),
    value("S", "split-string", "split VALUE into arguments, for #! lines"),
    value("a", "argv0", "the name that COMMAND is called by"),
    maybe("", "default-signal", "give signals VALUE (all) their default action"),
    maybe("", "ignore-signal", "ignore signals VALUE (all)"),
    maybe("", "block-signal", "refused: signals cannot be blocked here"),
    flag("", "list-signal-handling", "say which signals are ignored"),
    flag("v", "debug", "say what is done"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]",
    about: "Set each NAME to VALUE in the environment and run COMMAND; without COMMAND print the environment.",
    options: OPTIONS,
    stop_at_operand: true,
    failure: FAILED,
    ..Syntax::COMMON
};

/// Runs `env`.
pub(crate) fn main(mut args: Vec<OsString>) -> u8 {
    // -S is split before the rest is parsed: `env -S 'python3 -u' file`.
    while let Some((range, before, text)) = split_option(&args) {
        let words = match split(&text) {
            Ok(words) => words,
            Err(message) => {
                text::complain("env", message);
                return FAILED;
            }
        };
        if before.contains('v') {
            eprintln!("split -S:  {}", text::quote(&text));
            for (at, word) in words.iter().enumerate() {
                eprintln!("{}{}", if at == 0 { " into:    " } else { "     &    " }, text::quote(word));
            }
        }
        let before = (!before.is_empty()).then(|| OsString::from(format!("-{before}")));
        args.splice(range, before.into_iter().chain(words));
    }
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let mut operands = line.operands.into_iter().peekable();
    let mut command = Command::new(Vec::new());
    let debug = line.options.iter().any(|o| o.key == "debug");
    let dash = operands.next_if(|o| o == "-").is_some();
    let cleared = dash || line.options.iter().any(|o| o.key == "ignore-environment");
    if cleared {
        command.env.clear();
        if debug {
            eprintln!("cleaning environ");
        }
    }
    for given in line.options.iter().filter(|o| o.key == "unset") {
        let name = given.text();
        if name.is_empty() || name.contains('=') {
            text::complain("env", format!("cannot unset {}: Invalid argument", text::quote(&name)));
            return FAILED;
        }
        if debug && !cleared {
            eprintln!("unset:    {name}");
        }
        remove(&mut command.env, name.as_bytes());
    }
    while let Some(pair) = operands.next_if(|o| o.as_encoded_bytes().contains(&b'=')) {
        if debug {
            eprintln!("setenv:   {}", pair.to_string_lossy());
        }
        let pair = pair.as_encoded_bytes().to_vec();
        let name = pair.split(|b| *b == b'=').next().unwrap_or_default().to_vec();
        let old = command.env.iter().position(|l| l.strip_prefix(name.as_slice()).is_some_and(|r| r.starts_with(b"=")));
        match old {
            Some(at) => command.env[at] = pair,
            None => command.env.push(pair),
        }
    }
    command.words = operands.collect();
    let null = line.options.iter().any(|o| o.key == "null");
    let chdir = line.options.iter().rev().find(|o| o.key == "chdir");
    if command.words.is_empty() {
        if chdir.is_some() {
            return SYNTAX.misuse(args, "must specify command with --chdir (-C)");
        }
        let mut out = text::output();
        for variable in &command.env {
            let _ = out.write_all(variable);
            let _ = out.write_all(if null { b"\0" } else { b"\n" });
        }
        let _ = out.flush();
        return 0;
    }
    if null {
        return SYNTAX.misuse(args, "cannot specify --null (-0) with command");
    }
    if let Some(dir) = chdir.and_then(|d| d.value.as_ref()) {
        let path = sys::absolute(dir.as_ref());
        match sys::stat(&path, true) {
            Ok(stat) if stat.is_dir() => {}
            other => {
                let why = other.map_or_else(|e| text::reason(&e), |_| "Not a directory".into());
                text::complain("env", format!("cannot change directory to {}: {why}", text::quote(dir)));
                return FAILED;
            }
        }
        // Our guests change to $PWD when they start.
        remove(&mut command.env, b"PWD");
        command.env.push([b"PWD=".as_slice(), path.as_os_str().as_encoded_bytes()].concat());
        command.cwd = path;
    }
    if debug {
        eprintln!("executing: {}", command.words[0].to_string_lossy());
    }
    let argv0 = line.options.iter().rev().find(|o| o.key == "argv0").and_then(|o| o.value.clone());
    if debug {
        for (at, word) in command.words.iter().enumerate() {
            let word = argv0.as_ref().filter(|_| at == 0).unwrap_or(word);
            eprintln!("   arg[{at}]= {}", text::quote(word.to_string_lossy().replace('\\', "\\\\")));
        }
    }
    command.argv0 = argv0;
    if let Err(status) = set_signals(args, &line.options) {
        return status;
    }
    let status = command.replace("env");
    if status == NOT_FOUND && command.words[0].as_encoded_bytes().iter().any(u8::is_ascii_whitespace) {
        text::complain("env", "use -[v]S to pass options in shebang lines");
    }
    status
}

/// Returns the first `-S` of the command line: its arguments, the letters before it, and its value.
fn split_option(args: &[OsString]) -> Option<(std::ops::Range<usize>, String, String)> {
    let mut at = 1;
    while let Some(arg) = args.get(at) {
        let text = arg.to_string_lossy().into_owned();
        let next = |from: usize| args.get(from).map(|a| a.to_string_lossy().into_owned());
        if let Some(long) = text.strip_prefix("--").filter(|l| !l.is_empty()) {
            let (name, value) = long.split_once('=').map_or((long, None), |(n, v)| (n, Some(v.to_owned())));
            if name.starts_with('s') && "split-string".starts_with(name) {
                let end = at + if value.is_some() { 1 } else { 2 };
                return Some((at..end, String::new(), value.or_else(|| next(at + 1))?));
            }
            let takes = OPTIONS.iter().any(|o| o.takes == Takes::Value && o.long.starts_with(name));
            at += if takes && value.is_none() { 2 } else { 1 };
            continue;
        }
        let letters = text.strip_prefix('-').filter(|l| !l.is_empty() && *l != "-")?;
        at += 1;
        for (place, letter) in letters.char_indices() {
            let rest = &letters[place + letter.len_utf8()..];
            if letter == 'S' {
                let end = at + usize::from(rest.is_empty());
                let value = if rest.is_empty() { next(at)? } else { rest.to_owned() };
                return Some((at - 1..end, letters[..place].to_owned(), value));
            }
            if OPTIONS.iter().any(|o| o.takes == Takes::Value && o.short.contains(letter)) {
                at += usize::from(rest.is_empty());
                break;
            }
        }
    }
    None
}

/// Implements `--ignore-signal` and similar options: COMMAND inherits the settings of this process.
fn set_signals(args: &[OsString], options: &[Given]) -> Result<(), u8> {
    // KILL and STOP cannot be changed.
    const ALL: u64 = 0x7fff_ffff & !(1 << 8) & !(1 << 18);
    let mut ignored = sys::ignored_signals();
    for given in options {
        if given.key == "block-signal" {
            text::complain("env", "--block-signal: signals cannot be blocked here; ignore them with --ignore-signal");
            return Err(FAILED);
        }
        if given.key != "default-signal" && given.key != "ignore-signal" {
            continue;
        }
        let mut named = if given.value.is_none() { ALL } else { 0 };
        for word in given.text().split(',').filter(|word| !word.is_empty()) {
            match signals::number(word).filter(|n| (1..=31).contains(n)) {
                Some(number) if ALL & (1 << (number - 1)) != 0 => named |= 1 << (number - 1),
                Some(number) => {
                    text::complain("env", format!("failed to set signal action for signal {number}: Invalid argument"));
                    return Err(FAILED);
                }
                None => return Err(SYNTAX.misuse(args, &format!("{}: invalid signal", text::quote(word)))),
            }
        }
        ignored = if given.key == "ignore-signal" { ignored | named } else { ignored & !named };
    }
    if options.iter().any(|o| o.key.ends_with("-signal")) {
        sys::ignore_signals(ignored);
    }
    if options.iter().any(|o| o.key == "list-signal-handling") {
        for (number, name) in signals::all().filter(|(number, _)| ignored & (1 << (number - 1)) != 0) {
            eprintln!("{name:<10} ({number:2}): IGNORE");
        }
    }
    Ok(())
}

fn remove(env: &mut Vec<Vec<u8>>, name: &[u8]) {
    env.retain(|line| !line.strip_prefix(name).is_some_and(|rest| rest.starts_with(b"=")));
}

/// Splits a string into arguments at blanks; quotes, backslashes and `${NAME}` have their meaning.
fn split(text: &str) -> Result<Vec<OsString>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(q)) if c == q => quote = None,
            ('\\', Some('\'')) if matches!(chars.peek(), Some('\\' | '\'')) => word.get_or_insert_default().extend(chars.next()),
            ('\\', None | Some('"')) => match chars.next() {
                Some('n') => word.get_or_insert_default().push('\n'),
                Some('t') => word.get_or_insert_default().push('\t'),
                Some('r') => word.get_or_insert_default().push('\r'),
                Some('f') => word.get_or_insert_default().push('\x0c'),
                Some('v') => word.get_or_insert_default().push('\x0b'),
                Some('_') if quote.is_none() => words.extend(word.take().map(OsString::from)),
                Some('_') => word.get_or_insert_default().push(' '),
                Some('c') if quote.is_some() => return Err("'\\c' must not appear in double-quoted -S string".into()),
                Some('c') => return finish(words, word),
                Some(other) if "\"'\\#$ ".contains(other) => word.get_or_insert_default().push(other),
                Some(other) => return Err(format!("invalid sequence '\\{other}' in -S")),
                None => return Err("invalid backslash at end of string in -S".into()),
            },
            ('$', None | Some('"')) => {
                let rest: String = chars.clone().collect();
                let name = rest.strip_prefix('{').and_then(|r| r.split_once('}')).map(|(name, _)| name);
                let valid = |n: &&str| {
                    n.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && n.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                };
                let Some(name) = name.filter(valid) else {
                    return Err(format!("only ${{VARNAME}} expansion is supported, error at: ${rest}"));
                };
                *word.get_or_insert_default() += &std::env::var(name).unwrap_or_default();
                chars.nth(name.chars().count() + 1);
            }
            ('#', None) if word.is_none() => break,
            (' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c', None) => words.extend(word.take().map(OsString::from)),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err("no terminating quote in -S string".into());
    }
    finish(words, word)
}

fn finish(mut words: Vec<OsString>, word: Option<String>) -> Result<Vec<OsString>, String> {
    words.extend(word.map(OsString::from));
    Ok(words)
}

#[cfg(test)]
mod tests {
    #[test]
    fn strings_are_split() {
        assert_eq!(super::split("a 'b c' \"d\"e  f\\ g # no").unwrap(), ["a", "b c", "de", "f g"]);
        assert_eq!(super::split("''").unwrap(), [""]);
        assert_eq!(super::split("'a").unwrap_err(), "no terminating quote in -S string");
        assert_eq!(super::split("$A").unwrap_err(), "only ${VARNAME} expansion is supported, error at: $A");
    }

    #[test]
    fn only_options_before_the_command_are_split() {
        let find = |args: &[&str]| super::split_option(&args.iter().map(Into::into).collect::<Vec<_>>());
        assert_eq!(find(&["env", "-i", "-vSa b", "c"]), Some((2..3, "v".into(), "a b".into())));
        assert_eq!(find(&["env", "-u", "-Sx", "-S", "a"]), Some((3..5, String::new(), "a".into())));
        assert_eq!(find(&["env", "printf", "-Sfoo"]), None);
        assert_eq!(find(&["env", "--", "-Sfoo"]), None);
    }
}
