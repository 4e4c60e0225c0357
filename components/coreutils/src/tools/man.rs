//! `man`: prints the `--help` of a tool. `man -k` searches the purposes of all tools.

use crate::options::{Line, Syntax, flag, value};
use crate::spawn::{self, Command};
use crate::{sys, text};
use std::ffi::OsString;
use std::path::PathBuf;

const SYNTAX: Syntax = Syntax {
    usage: "[SECTION] NAME...\n-k WORD...\n-f NAME...",
    about: "Show the help of each tool or builtin of the shell. There is one section, 1: programs.",
    options: &[
        flag("k", "apropos", "list the tools whose name or purpose has one of the words"),
        flag("f", "whatis", "print one line about each tool"),
        flag("w", "where", "print where each tool is"),
        value("P", "pager", "page with this program (less)"),
        flag("a", "all", ""),
        value("s", "sections", ""),
        value("l", "local-file", "show a file"),
    ],
    failure: 2,
    ..Syntax::COMMON
};

/// Runs `man`, and `apropos` and `whatis`, which are `man -k` and `man -f`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, tool)
}

fn tool(args: &[OsString], line: Line) -> u8 {
    let name = text::name(args);
    let mut names = line.operands.clone();
    if names.len() > 1 && names[0].to_str().is_some_and(|n| n.len() == 1 && n.bytes().all(|b| b.is_ascii_digit())) {
        names.remove(0);
    }
    if let Some(file) = line.last("local-file") {
        return run(&["cat".into(), file.to_owned()], line.last("pager"));
    }
    if names.is_empty() {
        eprintln!("What manual page do you want?\nFor example, try 'man man'.");
        return 1;
    }
    if line.has("apropos") || name == "apropos" {
        return list(&names, &name, false);
    }
    if line.has("whatis") || name == "whatis" {
        return list(&names, &name, true);
    }
    let mut status = 0;
    for name in &names {
        let shown = name.to_string_lossy();
        let path = find(name);
        if line.has("where") {
            match path {
                Some(path) => println!("{}", path.display()),
                None => status = missing(&shown),
            }
            continue;
        }
        let code = match shown.as_ref() {
            "sh" | "bash" => run(&["sh".into(), "-c".into(), "sh --help; help".into()], line.last("pager")),
            // For `test`, even --help is an ordinary word.
            "test" => run(&["/usr/bin/[".into(), "--help".into()], line.last("pager")),
            // The path is given because a builtin of the same name has no `--help`.
            _ if path.is_some() => run(&[path.unwrap_or_default().into_os_string(), "--help".into()], line.last("pager")),
            _ if is_builtin(name) => run(&["sh".into(), "-c".into(), "help \"$0\"".into(), name.clone()], line.last("pager")),
            _ => missing(&shown),
        };
        status = status.max(code);
    }
    status
}

fn missing(name: &str) -> u8 {
    eprintln!("No manual entry for {name}");
    16
}

fn find(name: &OsString) -> Option<PathBuf> {
    let path = std::env::var_os("PATH");
    spawn::find(name, path.as_ref().map(|p| p.as_encoded_bytes()), sys::cwd()).ok()
}

fn is_builtin(name: &OsString) -> bool {
    let command = Command::new(vec!["sh".into(), "-c".into(), "help \"$0\" >/dev/null 2>&1".into(), name.clone()]);
    command.start().is_ok_and(|mut child| child.wait() == 0)
}

/// Runs a command that prints help, some of them to standard error; on a terminal, through a pager.
fn run(words: &[OsString], pager: Option<&std::ffi::OsStr>) -> u8 {
    let script = if sys::is_terminal(1) { "\"$@\" 2>&1 </dev/null | $0" } else { "\"$@\" 2>&1 </dev/null" };
    let pager = pager.map(OsString::from).or_else(|| std::env::var_os("PAGER")).unwrap_or_else(|| "less".into());
    let mut all: Vec<OsString> = vec!["sh".into(), "-c".into(), script.into(), pager];
    all.extend(words.iter().cloned());
    // The status does not matter: some tools end with an error after their help.
    let status = Command::new(all).run("man");
    if status >= spawn::NOT_EXECUTABLE { status } else { 0 }
}

/// Prints a line for each tool: its name and the first words of its help.
fn list(words: &[OsString], name: &str, exact: bool) -> u8 {
    let words: Vec<String> = words.iter().map(|w| w.to_string_lossy().to_lowercase()).collect();
    let folder = "/usr/bin";
    let mut tools: Vec<String> = std::fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect())
        .unwrap_or_default();
    tools.sort_unstable();
    let mut found = vec![false; words.len()];
    for tool in tools {
        if exact && !words.contains(&tool) {
            continue;
        }
        let purpose = purpose(&format!("{folder}/{tool}"));
        let lower = format!("{tool} {}", purpose.to_lowercase());
        let mut hit = false;
        for (at, word) in words.iter().enumerate() {
            let this = if exact { *word == tool } else { lower.contains(word.as_str()) };
            found[at] |= this;
            hit |= this;
        }
        if hit {
            println!("{:<20} - {purpose}", format!("{tool} (1)"));
        }
    }
    for (word, _) in words.iter().zip(&found).filter(|(_, found)| !**found) {
        eprintln!("{word}: nothing appropriate.");
    }
    if name.is_empty() || found.contains(&false) { 16 } else { 0 }
}

/// Returns the first sentence of a tool's help that is not its usage.
fn purpose(path: &str) -> String {
    let Ok((help, _)) = spawn::output(&[path.into(), "--help".into()]) else { return String::new() };
    let help = String::from_utf8_lossy(&help);
    let usage = |line: &str| {
        let lower = line.trim_start().to_lowercase();
        lower.starts_with("usage") || lower.starts_with("or:") || line.starts_with("  ") || line.starts_with('\t')
    };
    let first = help.lines().find(|line| !line.trim().is_empty() && !usage(line)).unwrap_or_default();
    first.trim().trim_end_matches('.').chars().take(100).collect()
}
