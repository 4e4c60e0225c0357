//! Wisp's own POSIX tools, and the code that the component `uutils` shares with them.

mod applets;
mod cut;
mod date;
mod find;
mod fmt;
mod glob;
pub mod grep;
mod ls;
mod mode;
pub mod operands;
mod pr;
mod signals;
mod sort;
mod spawn;
mod split;
pub mod sys;
pub mod text;
mod time;
mod tools;
mod tr;
mod version;
mod xargs;

pub use applets::RARE;

use std::ffi::OsString;
use wisp_tool::{names, options};

/// Prepares a program of ours: if its standard output is closed, a tool ends with status 1, as GNU's do.
pub fn start() {
    #[cfg(target_family = "wasm")]
    wisp_guest::start();
    // std's `println!` panics when the reader is gone and SIGPIPE is ignored.
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.to_string();
        if message.contains("failed printing to stdout") {
            sys::exit(1);
        }
        eprintln!("{message}");
    }));
}

/// Returns the arguments of the tool that a component of many tools was called for; the first is the tool's name. `NAME TOOL`
/// calls TOOL, and `--list` prints `tools`.
pub fn called(own: &str, tools: &[&str]) -> Vec<OsString> {
    let mut args = sys::args();
    if args.is_empty() {
        args.push(own.into());
    }
    if text::name(&args).trim_end_matches(".wasm") != own {
        return args;
    }
    args.remove(0);
    let usage = format!("Usage: {own} NAME [ARG]...\n  or:  NAME [ARG]..., where NAME is a link to {own}\n  or:  {own} --list\n");
    match args.first().map(|a| a.to_string_lossy().into_owned()).as_deref() {
        None => {
            eprint!("{usage}");
            sys::exit(1)
        }
        Some("--help" | "-h") => print!("{usage}"),
        Some("--list") => tools.iter().for_each(|name| println!("{name}")),
        Some("--version" | "-V") => println!("{own} (wisp) {}", env!("CARGO_PKG_VERSION")),
        Some(_) => return args,
    }
    sys::exit(0)
}

/// Runs the tool as which `coreutils` was called.
pub fn main() -> ! {
    start();
    let mut names = applets::names();
    names.extend(applets::ELSEWHERE.lines());
    names.sort_unstable();
    let args = called("coreutils", &names);
    let name = text::name(&args);
    if let Some((_, main)) = applets::OWN.iter().find(|(own, _)| *own == name) {
        sys::exit(main(args));
    }
    if applets::ELSEWHERE.lines().any(|other| other == name) {
        sys::exit(tools::launch::program(&name, args));
    }
    text::complain("coreutils", format!("no tool {}: `coreutils --list` prints the names of all tools", text::quote(name)));
    sys::exit(spawn::NOT_FOUND)
}
