//! `env`: run a command in a changed environment, or print it.

use crate::options::{Opt, Syntax, flag, value};
use crate::spawn::{Command, FAILED};
use crate::text;
use std::ffi::OsString;
use std::io::Write;

const OPTIONS: &[Opt] = &[
    flag("i", "ignore-environment", "start with an empty environment"),
    flag("0", "null", "end lines with NUL instead of newline"),
    value("u", "unset", "remove variable VALUE"),
    value("C", "chdir", "run in directory VALUE"),
    value("S", "split-string", "split VALUE into arguments, for #! lines"),
    flag("v", "debug", ""),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]",
    about: "Set each NAME to VALUE in the environment and run COMMAND; without COMMAND print the environment.",
    options: OPTIONS,
    stop_at_operand: true,
    failure: FAILED,
    ..Syntax::COMMON
};

/// `env`.
pub fn main(mut args: Vec<OsString>) -> u8 {
    // -S splits before anything else is parsed: `env -S 'python3 -u' file`.
    if let Some(at) = args.iter().skip(1).position(|a| {
        a.as_encoded_bytes().starts_with(b"-S") || a == "--split-string" || a.as_encoded_bytes().starts_with(b"--split-string=")
    }) {
        let at = at + 1;
        let arg = args[at].to_string_lossy().into_owned();
        let inline = arg.strip_prefix("--split-string=").or_else(|| arg.strip_prefix("-S").filter(|s| !s.is_empty())).map(str::to_owned);
        let last = if inline.is_some() { at } else { at + 1 };
        let text = inline.or_else(|| args.get(at + 1).map(|a| a.to_string_lossy().into_owned()));
        if let Some(words) = text.map(|t| split(&t)) {
            args.splice(at..=last.min(args.len() - 1), words);
        }
    }
    let line = match SYNTAX.parse(&args) {
        Ok(line) => line,
        Err(status) => return status,
    };
    let mut operands = line.operands.into_iter().peekable();
    let mut command = Command::new(Vec::new());
    let dash = operands.next_if(|o| o == "-").is_some();
    if dash || line.options.iter().any(|o| o.key == "ignore-environment") {
        command.env.clear();
    }
    for given in line.options.iter().filter(|o| o.key == "unset") {
        let name = given.text();
        if name.is_empty() || name.contains('=') {
            text::complain("env", format!("cannot unset {}: Invalid argument", text::quote(&name)));
            return FAILED;
        }
        remove(&mut command.env, name.as_bytes());
    }
    while let Some(pair) = operands.next_if(|o| o.as_encoded_bytes().contains(&b'=')) {
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
            return SYNTAX.misuse(&args, "must specify command with --chdir (-C)");
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
        return SYNTAX.misuse(&args, "cannot specify --null (-0) with command");
    }
    if let Some(dir) = chdir.and_then(|d| d.value.as_ref()) {
        let path = crate::sys::absolute(dir.as_ref());
        match crate::sys::stat(&path, true) {
            Ok(stat) if stat.is_dir() => {}
            other => {
                let why = other.map_or_else(|e| text::reason(&e), |_| "Not a directory".into());
                text::complain("env", format!("cannot change directory to {}: {why}", text::quote(dir)));
                return FAILED;
            }
        }
        // Our guests enter $PWD when they start.
        remove(&mut command.env, b"PWD");
        command.env.push([b"PWD=".as_slice(), path.as_os_str().as_encoded_bytes()].concat());
        command.cwd = path;
    }
    command.run("env")
}

fn remove(env: &mut Vec<Vec<u8>>, name: &[u8]) {
    env.retain(|line| !line.strip_prefix(name).is_some_and(|rest| rest.starts_with(b"=")));
}

/// Split a string into arguments at blanks, honouring quotes, backslashes and `${NAME}`.
fn split(text: &str) -> Vec<OsString> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(q)) if c == q => quote = None,
            ('\\', None | Some('"')) => match chars.next() {
                Some('n') => word.get_or_insert_default().push('\n'),
                Some('t') => word.get_or_insert_default().push('\t'),
                Some('_') if quote.is_none() => words.extend(word.take().map(OsString::from)),
                Some('_') => word.get_or_insert_default().push(' '),
                Some('c') => break,
                Some(other) => word.get_or_insert_default().push(other),
                None => {}
            },
            ('$', None | Some('"')) if chars.peek() == Some(&'{') => {
                let name: String = chars.by_ref().skip(1).take_while(|c| *c != '}').collect();
                *word.get_or_insert_default() += &std::env::var(name).unwrap_or_default();
            }
            ('#', None) if word.is_none() => break,
            (' ' | '\t' | '\n', None) => words.extend(word.take().map(OsString::from)),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word.map(OsString::from));
    words
}

#[cfg(test)]
mod tests {
    #[test]
    fn strings_are_split() {
        assert_eq!(super::split("a 'b c' \"d\"e  f\\ g # no"), ["a", "b c", "de", "f g"]);
        assert_eq!(super::split("''"), [""]);
    }
}
