//! `kill`: sends signals, and lists their names.

use crate::{signals, sys, text};
use std::ffi::OsString;

const HELP: &str = "Usage: kill [-s SIGNAL | -SIGNAL] PID...
  or:  kill -l [SIGNAL]...
Send a signal (TERM) to processes of this session. HUP, INT, KILL, PIPE and TERM end a process; 0 only asks whether
it exists; others are not delivered here.
";

/// Runs `kill`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let words: Vec<String> = args.iter().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    let mut rest = words.iter().map(String::as_str).peekable();
    let mut signal = 15;
    match rest.peek().copied() {
        Some("--help") => {
            print!("{HELP}");
            return 0;
        }
        Some("-l" | "--list") => {
            rest.next();
            return list(rest.collect());
        }
        Some("-L" | "-t" | "--table") => {
            print!("{}", numbers_table());
            return 0;
        }
        Some("--") => {
            rest.next();
        }
        Some("-s" | "-n" | "--signal") => {
            rest.next();
            let name = rest.next().unwrap_or_default();
            match signals::number(name) {
                Some(number) => signal = number,
                None => return fail(&format!("{}: invalid signal", text::quote(name))),
            }
        }
        Some(word) if word.len() > 1 && word.starts_with('-') => {
            match signals::number(word.trim_start_matches("--signal=").trim_start_matches('-')) {
                Some(number) => signal = number,
                None => return fail(&format!("{}: invalid signal", text::quote(&word[1..]))),
            }
            rest.next();
        }
        _ => {}
    }
    rest.next_if(|w| *w == "--");
    let pids: Vec<&str> = rest.collect();
    if pids.is_empty() {
        return fail("no process ID specified");
    }
    let mut status = 0;
    for word in pids {
        let Ok(pid) = word.trim_start_matches('-').parse::<u32>() else {
            text::complain("kill", format!("{}: invalid process id", text::quote(word)));
            status = 1;
            continue;
        };
        if let Err(error) = sys::kill(pid, signal) {
            text::complain("kill", format!("sending signal to {word} failed: {}", text::reason(&error)));
            status = 1;
        }
    }
    status
}

fn list(words: Vec<&str>) -> u8 {
    if words.is_empty() {
        print!("{}", names_table());
        return 0;
    }
    let mut status = 0;
    for word in words {
        match signals::number(word) {
            Some(number) if word.starts_with(|c: char| c.is_ascii_digit()) => println!("{}", signals::name(number)),
            Some(number) => println!("{number}"),
            None => {
                text::complain("kill", format!("{}: invalid signal", text::quote(word)));
                status = 1;
            }
        }
    }
    status
}

/// Returns the names of all signals, in lines of 16.
pub(crate) fn names_table() -> String {
    let names: Vec<&str> = signals::all().map(|(_, name)| name).collect();
    names.chunks(16).map(|line| line.join(" ") + "\n").collect()
}

/// Returns numbers and names, seven on a line.
fn numbers_table() -> String {
    let cells: Vec<String> = signals::all().map(|(number, name)| format!("{number:2} {name:<7}")).collect();
    cells.chunks(7).map(|line| if line.len() == 7 { line.join(" ").trim_end().to_owned() + "\n" } else { line.join(" ") + " \n" }).collect()
}

fn fail(message: &str) -> u8 {
    eprintln!("kill: {message}\nTry 'kill --help' for more information.");
    1
}
