//! `ps`, `pgrep`, `pidof`: the processes of this session.

use crate::options::{Opt, Syntax, flag, value};
use crate::{names, sys, text};
use std::ffi::OsString;

const OPTIONS: &[Opt] = &[
    flag("e", "", "all processes"),
    flag("A", "", "all processes"),
    flag("a", "", ""),
    flag("x", "", ""),
    flag("u", "", ""),
    flag("w", "", ""),
    flag("f", "", "with user and parent"),
    flag("l", "", ""),
    value("o", "format", "columns: pid ppid user comm args"),
    value("p", "pid", "only these processes"),
    flag("", "no-headers", ""),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]...",
    about: "List the processes of this session. Memory, state and times of processes are not known here.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// `ps`.
pub fn ps(mut args: Vec<OsString>) -> u8 {
    // BSD style: `ps aux`.
    if let Some(first) = args.get(1).map(|a| a.to_string_lossy().into_owned())
        && !first.starts_with('-')
        && !first.is_empty()
        && first.chars().all(|c| "axuwfel".contains(c))
    {
        args[1] = format!("-{first}").into();
    }
    let line = match SYNTAX.parse(&args) {
        Ok(line) => line,
        Err(status) => return status,
    };
    let only: Option<Vec<u32>> = line.last_text("pid").map(|p| p.split([',', ' ']).filter_map(|w| w.parse().ok()).collect());
    let formats: Vec<String> = line.options.iter().filter(|o| o.key == "format").map(super::super::options::Given::text).collect();
    let full = line.has("f") || line.has("u");
    let mut columns: Vec<(String, String)> = Vec::new();
    for word in formats.iter().flat_map(|f| f.split([',', ' '])).filter(|w| !w.is_empty()) {
        let (key, title) = word.split_once('=').map_or((word, None), |(k, t)| (k, Some(t.to_owned())));
        let default = match key {
            "pid" | "ppid" | "uid" => key.to_uppercase(),
            "user" | "euser" => "USER".into(),
            "comm" | "ucmd" | "cmd" | "command" | "args" => if key == "args" || key == "command" { "COMMAND" } else { "CMD" }.into(),
            _ => {
                text::complain("ps", format!("unknown column {}: there are pid, ppid, uid, user, comm and args", text::quote(key)));
                return 1;
            }
        };
        columns.push((key.to_owned(), title.unwrap_or(default)));
    }
    if columns.is_empty() {
        let keys: &[(&str, &str)] =
            if full { &[("user", "USER"), ("pid", "PID"), ("ppid", "PPID"), ("comm", "CMD")] } else { &[("pid", "PID"), ("comm", "CMD")] };
        columns = keys.iter().map(|(k, t)| ((*k).to_owned(), (*t).to_owned())).collect();
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    let heading = !line.has("no-headers") && columns.iter().any(|(_, t)| !t.is_empty());
    if heading {
        rows.push(columns.iter().map(|(_, t)| t.clone()).collect());
    }
    let before = rows.len();
    for p in sys::processes() {
        if only.as_ref().is_some_and(|o| !o.contains(&p.pid)) {
            continue;
        }
        rows.push(
            columns
                .iter()
                .map(|(key, _)| match key.as_str() {
                    "pid" => p.pid.to_string(),
                    "ppid" => p.parent.to_string(),
                    "uid" => sys::uid().to_string(),
                    "user" | "euser" => names::users().show(sys::uid()),
                    _ => p.name.clone(),
                })
                .collect(),
        );
    }
    let widths: Vec<usize> = (0..columns.len())
        .map(|at| rows.iter().map(|r| r[at].len()).max().unwrap_or(0).max(if columns[at].0.ends_with("pid") { 5 } else { 0 }))
        .collect();
    for row in &rows {
        let mut text = String::new();
        for (at, cell) in row.iter().enumerate() {
            let (last, w) = (at + 1 == row.len(), widths[at]);
            text += &match columns[at].0.as_str() {
                "pid" | "ppid" | "uid" => format!("{cell:>w$}"),
                _ if last => cell.clone(),
                _ => format!("{cell:<w$}"),
            };
            text += if last { "" } else { " " };
        }
        println!("{text}");
    }
    u8::from(rows.len() == before)
}

const PGREP: Syntax = Syntax {
    usage: "[OPTION]... PATTERN",
    about: "Print the ids of the processes whose name contains PATTERN.",
    options: &[flag("l", "", "names too"), flag("f", "", ""), flag("a", "", "names too"), flag("x", "", "the whole name")],
    failure: 2,
    ..Syntax::COMMON
};

/// `pgrep` and `pidof`.
pub fn pgrep(args: Vec<OsString>) -> u8 {
    let line = match PGREP.parse(&args) {
        Ok(line) => line,
        Err(status) => return status,
    };
    let Some(pattern) = line.operands.first().map(|o| o.to_string_lossy().into_owned()) else {
        return PGREP.misuse(&args, "no matching criteria specified");
    };
    let pidof = text::name(&args) == "pidof";
    let found: Vec<_> = sys::processes()
        .into_iter()
        .filter(|p| p.pid != sys::pid())
        .filter(|p| if pidof || line.has("x") { p.name == pattern } else { p.name.contains(&pattern) })
        .collect();
    if pidof {
        let ids: Vec<String> = found.iter().rev().map(|p| p.pid.to_string()).collect();
        if !ids.is_empty() {
            println!("{}", ids.join(" "));
        }
    } else {
        for p in &found {
            if line.has("l") || line.has("a") { println!("{} {}", p.pid, p.name) } else { println!("{}", p.pid) }
        }
    }
    u8::from(found.is_empty())
}
