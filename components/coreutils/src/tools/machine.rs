//! `hostname`, `uname`, `arch`, `tty`, `sync`, `clear`, `hostid`: facts about a machine that does not exist.

use crate::options::{Line, Opt, Syntax, flag, value};
use crate::{sys, text};
use std::ffi::OsString;

const HOSTNAME: Syntax = Syntax {
    usage: "[OPTION]",
    about: "Print the name of the machine. It cannot be changed inside the sandbox.",
    options: &[
        flag("s", "short", "the name up to the first dot"),
        flag("f", "fqdn", "the full name"),
        flag("d", "domain", "the domain"),
        flag("i", "ip-address", ""),
        flag("I", "all-ip-addresses", ""),
    ],
    ..Syntax::COMMON
};

/// Runs `hostname`.
pub(crate) fn hostname(args: Vec<OsString>) -> u8 {
    HOSTNAME.run(&args, run_hostname)
}

fn run_hostname(_: &[OsString], line: Line) -> u8 {
    if !line.operands.is_empty() {
        text::complain("hostname", "you must be root to change the host name");
        return 1;
    }
    let name = sys::host_name();
    let (short, domain) = name.split_once('.').unwrap_or((&name, ""));
    match line.last_of(&["short", "domain", "ip-address", "all-ip-addresses"]) {
        Some("short") => println!("{short}"),
        Some("domain") if domain.is_empty() => {}
        Some("domain") => println!("{domain}"),
        Some("ip-address") => println!("127.0.0.1"),
        Some(_) => println!(),
        None => println!("{name}"),
    }
    0
}

const UNAME_OPTIONS: &[Opt] = &[
    flag("a", "all", "everything"),
    flag("s", "kernel-name", "the kernel's name (default)"),
    flag("n", "nodename", "the machine's name"),
    flag("r", "kernel-release", "the kernel's release"),
    flag("v", "kernel-version", "the kernel's version"),
    flag("m", "machine", "the kind of machine"),
    flag("p", "processor", ""),
    flag("i", "hardware-platform", ""),
    flag("o", "operating-system", "the operating system"),
];

const UNAME: Syntax = Syntax { usage: "[OPTION]...", about: "Print facts about the system.", options: UNAME_OPTIONS, ..Syntax::COMMON };

/// Runs `uname`.
pub(crate) fn uname(args: Vec<OsString>) -> u8 {
    UNAME.run(&args, run_uname)
}

fn run_uname(args: &[OsString], line: Line) -> u8 {
    if let Some(extra) = line.operands.first() {
        return UNAME.misuse(args, &format!("extra operand {}", text::quote(extra)));
    }
    let facts = [
        ("kernel-name", "wisp".to_owned()),
        ("nodename", sys::host_name()),
        ("kernel-release", env!("CARGO_PKG_VERSION").to_owned()),
        ("kernel-version", "WASI 0.2".to_owned()),
        ("machine", "wasm32".to_owned()),
        ("processor", "unknown".to_owned()),
        ("hardware-platform", "unknown".to_owned()),
        ("operating-system", "WASI".to_owned()),
    ];
    let all = line.has("all");
    // -a leaves out unknown facts, as GNU's uname does.
    let left_out = |key: &str| all && (key == "processor" || key == "hardware-platform");
    let wanted = |key: &str| (all && !left_out(key)) || line.has(key) || (line.options.is_empty() && key == "kernel-name");
    let words: Vec<String> = facts.into_iter().filter(|(key, _)| wanted(key)).map(|(_, fact)| fact).collect();
    println!("{}", words.join(" "));
    0
}

/// Runs a tool without options that prints `fact`; it ignores operands.
fn plain(args: &[OsString], about: &'static str, fact: &str) -> u8 {
    let syntax = Syntax { usage: "[OPTION]", about, options: &[], ..Syntax::COMMON };
    syntax.run(args, |_, _| {
        println!("{fact}");
        0
    })
}

/// Runs `arch`.
pub(crate) fn arch(args: Vec<OsString>) -> u8 {
    plain(&args, "Print the kind of machine.", "wasm32")
}

/// Runs `hostid`.
pub(crate) fn hostid(args: Vec<OsString>) -> u8 {
    plain(&args, "Print the number of the machine: always the same here.", "00000000")
}

const TTY: Syntax = Syntax {
    usage: "[OPTION]",
    about: "Print the terminal's file name.",
    options: &[flag("s", "silent", "print nothing, only the status"), flag("", "quiet", "")],
    failure: 2,
    ..Syntax::COMMON
};

/// Runs `tty`.
pub(crate) fn tty(args: Vec<OsString>) -> u8 {
    TTY.run(&args, run_tty)
}

fn run_tty(_: &[OsString], line: Line) -> u8 {
    let terminal = sys::is_terminal(0);
    if !line.has("silent") && !line.has("quiet") {
        println!("{}", if terminal { "/dev/tty" } else { "not a tty" });
    }
    u8::from(!terminal)
}

const SYNC: Syntax = Syntax {
    usage: "[OPTION] [FILE]...",
    about: "Files are in memory here: there is nothing to write out. FILEs must exist.",
    options: &[flag("d", "data", ""), flag("f", "file-system", "")],
    ..Syntax::COMMON
};

/// Runs `sync`.
pub(crate) fn sync(args: Vec<OsString>) -> u8 {
    SYNC.run(&args, run_sync)
}

fn run_sync(_: &[OsString], line: Line) -> u8 {
    if line.has("data") && line.has("file-system") {
        text::complain("sync", "cannot specify both --data and --file-system");
        return 1;
    }
    if line.has("data") && line.operands.is_empty() {
        text::complain("sync", "--data needs at least one argument");
        return 1;
    }
    let mut status = 0;
    for file in line.operands {
        let closed = || Err(std::io::Error::from_raw_os_error(libc::EACCES));
        let opened = sys::stat(file.as_ref(), true).and_then(|s| if s.allows(4) || s.allows(2) { Ok(()) } else { closed() });
        if let Err(error) = opened {
            text::complain("sync", format!("error opening {}: {}", text::quote(&file), text::reason(&error)));
            status = 1;
        }
    }
    status
}

const CLEAR: Syntax = Syntax {
    usage: "[OPTION]",
    about: "Clear the terminal.",
    options: &[value("T", "", ""), flag("V", "", ""), flag("x", "", "keep the lines scrolled off the screen")],
    ..Syntax::COMMON
};

/// Runs `clear`.
pub(crate) fn clear(args: Vec<OsString>) -> u8 {
    CLEAR.run(&args, |_, line| {
        print!("\x1b[H\x1b[2J{}", if line.has("x") { "" } else { "\x1b[3J" });
        0
    })
}
