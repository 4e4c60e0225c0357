//! `ps`: the processes of this session.

use crate::options::{Line, Opt, Syntax, flag, value};
use crate::{names, sys};
use std::ffi::OsString;

const OPTIONS: &[Opt] = &[
    flag("e", "", "all processes"),
    flag("A", "", "all processes"),
    flag("a", "", ""),
    flag("x", "", ""),
    flag("", "bsd", ""),
    flag("w", "", ""),
    flag("f", "", "with user and parent"),
    flag("l", "", ""),
    value("oO", "format", "columns: pid ppid pgid user uid comm args tty; other columns of ps show -"),
    value("pq", "pid", "only these processes"),
    value("C", "", "only processes of these names"),
    value("", "ppid", "only children of these"),
    value("uU", "user", "only processes of these users"),
    value("t", "tty", ""),
    value("", "sort", "by pid, ppid or comm; - before it: downwards"),
    flag("T", "", ""),
    flag("H", "forest", ""),
    flag("h", "no-headers", "without the line of titles"),
    flag("", "noheaders", ""),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]...",
    about: "List the processes of this session. Memory, state and times of processes are not known here.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// Runs `ps`.
pub(crate) fn ps(mut args: Vec<OsString>) -> u8 {
    // BSD style: `ps aux`, `ps axo pid,comm`, `ps h`.
    if let Some(first) = args.get(1).map(|a| a.to_string_lossy().into_owned())
        && !first.is_empty()
        && first.chars().all(|c| "axuwfelhoTH".contains(c))
    {
        let letters: String = first.chars().filter(|c| *c != 'u' && *c != 'o').collect();
        let mut words: Vec<OsString> = vec![if letters.is_empty() { "-a".into() } else { format!("-{letters}").into() }];
        words.extend(first.contains('u').then(|| "--bsd".into()));
        words.extend(first.contains('o').then(|| "-o".into()));
        args.splice(1..2, words);
    }
    SYNTAX.run(&args, run_ps)
}

fn run_ps(_: &[OsString], line: Line) -> u8 {
    let words = |key: &str| -> Option<Vec<String>> {
        let given = line.options.iter().filter(|o| o.key == key).map(crate::options::Given::text).collect::<Vec<_>>().join(",");
        line.has(key).then(|| given.split([',', ' ']).filter(|word| !word.is_empty()).map(str::to_owned).collect())
    };
    let numbers = |key: &str| words(key).map(|words| words.iter().filter_map(|word| word.parse().ok()).collect::<Vec<u32>>());
    // Several conditions select the processes of all of them.
    let (ids, parents, called) = (numbers("pid"), numbers("ppid"), words("C"));
    let users = words("user").map(|users| users.iter().any(|user| names::users().id(user) == Some(sys::uid())));
    let all = ids.is_none() && parents.is_none() && called.is_none() && users.is_none();
    let wanted = |p: &sys::Process| {
        all || users == Some(true)
            || ids.as_ref().is_some_and(|ids| ids.contains(&p.pid))
            || parents.as_ref().is_some_and(|ids| ids.contains(&p.parent))
            || called.as_ref().is_some_and(|names| names.contains(&p.name))
    };
    let full = line.has("f") || line.has("bsd");
    let mut columns: Vec<(String, String)> = Vec::new();
    for given in line.options.iter().filter(|o| o.key == "format").map(crate::options::Given::text) {
        // A title extends to the end of the word.
        let (list, mut title) = given.split_once('=').map_or((given.as_str(), None), |(list, title)| (list, Some(title.to_owned())));
        let keys: Vec<&str> = list.split([',', ' ']).filter(|word| !word.is_empty()).collect();
        for (at, key) in keys.iter().enumerate() {
            let own = if at + 1 == keys.len() { title.take() } else { None };
            let (own, more) = match own {
                // `pid=,comm=`: empty titles.
                Some(own) if own.starts_with(',') => (Some(String::new()), Some(own)),
                own => (own, None),
            };
            match heading(key) {
                Some(usual) => columns.push(((*key).to_owned(), own.unwrap_or_else(|| usual.into()))),
                None => return unknown(key),
            }
            for key in
                more.iter().flat_map(|more| more.split([',', ' '])).map(|key| key.trim_end_matches('=')).filter(|key| !key.is_empty())
            {
                if heading(key).is_none() {
                    return unknown(key);
                }
                columns.push((key.to_owned(), String::new()));
            }
        }
    }
    if columns.is_empty() {
        let keys: &[(&str, &str)] =
            if full { &[("user", "USER"), ("pid", "PID"), ("ppid", "PPID"), ("comm", "CMD")] } else { &[("pid", "PID"), ("comm", "CMD")] };
        columns = keys.iter().map(|(k, t)| ((*k).to_owned(), (*t).to_owned())).collect();
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    let heading = !line.has("no-headers") && !line.has("noheaders") && columns.iter().any(|(_, t)| !t.is_empty());
    if heading {
        rows.push(columns.iter().map(|(_, t)| t.clone()).collect());
    }
    let before = rows.len();
    let mut list = sys::processes();
    if let Some(order) = line.last_text("sort") {
        let key = order.trim_start_matches(['-', '+']);
        list.sort_by_key(|p| {
            (if key == "comm" || key == "cmd" { p.name.clone() } else { String::new() }, if key == "ppid" { p.parent } else { p.pid })
        });
        if order.starts_with('-') {
            list.reverse();
        }
    }
    for p in list.into_iter().filter(wanted) {
        rows.push(
            columns
                .iter()
                .map(|(key, _)| match key.as_str() {
                    "pid" => p.pid.to_string(),
                    "ppid" => p.parent.to_string(),
                    "pgid" | "pgrp" => sys::group(p.pid).unwrap_or(p.pid).to_string(),
                    "uid" | "euid" | "ruid" => sys::uid().to_string(),
                    "user" | "euser" | "ruser" | "uname" => names::users().show(sys::uid()),
                    "tty" | "tt" | "tname" => "?".into(),
                    key if is_name(key) => p.name.clone(),
                    _ => "-".into(),
                })
                .collect(),
        );
    }
    let widths: Vec<usize> = (0..columns.len())
        .map(|at| rows.iter().map(|r| r[at].len()).max().unwrap_or(0).max(if is_number(&columns[at].0) { 5 } else { 0 }))
        .collect();
    for row in &rows {
        let mut text = String::new();
        for (at, cell) in row.iter().enumerate() {
            let (last, w) = (at + 1 == row.len(), widths[at]);
            text += &match columns[at].0.as_str() {
                key if is_number(key) => format!("{cell:>w$}"),
                _ if last => cell.clone(),
                _ => format!("{cell:<w$}"),
            };
            text += if last { "" } else { " " };
        }
        println!("{text}");
    }
    u8::from(rows.len() == before)
}

fn unknown(key: &str) -> u8 {
    eprintln!("error: unknown user-defined format specifier \"{key}\"\nThere are pid, ppid, pgid, uid, user, comm, args and tty.");
    1
}

fn is_number(key: &str) -> bool {
    matches!(key, "pid" | "ppid" | "pgid" | "pgrp" | "uid" | "euid" | "ruid" | "tid" | "sid")
}

fn is_name(key: &str) -> bool {
    matches!(key, "comm" | "ucmd" | "ucomm" | "cmd" | "command" | "args" | "fname")
}

/// Returns the title of a column; `None` for a column that no `ps` has.
fn heading(key: &str) -> Option<&'static str> {
    Some(match key {
        "pid" | "tgid" => "PID",
        "ppid" => "PPID",
        "pgid" | "pgrp" => "PGID",
        "uid" | "euid" => "UID",
        "ruid" => "RUID",
        "user" | "uname" => "USER",
        "euser" => "EUSER",
        "ruser" => "RUSER",
        "comm" | "command" | "args" | "fname" | "ucomm" => "COMMAND",
        "cmd" | "ucmd" => "CMD",
        "tty" | "tt" | "tname" => "TT",
        "stat" => "STAT",
        "s" | "state" => "S",
        "time" | "cputime" => "TIME",
        "etime" | "etimes" => "ELAPSED",
        "start" | "stime" | "start_time" | "lstart" => "STARTED",
        "pcpu" | "%cpu" => "%CPU",
        "pmem" | "%mem" => "%MEM",
        "vsz" | "vsize" => "VSZ",
        "rss" | "rssize" | "rsz" => "RSS",
        "ni" | "nice" => "NI",
        "pri" => "PRI",
        "c" => "C",
        "sid" | "sess" => "SID",
        "tid" | "lwp" => "TID",
        "nlwp" => "NLWP",
        "psr" => "PSR",
        "wchan" => "WCHAN",
        _ => return None,
    })
}
