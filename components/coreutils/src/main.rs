//! `coreutils`: the POSIX tools of wisp in one component, chosen by the name it is called by.

mod applets;
mod cut;
mod date;
mod find;
mod fmt;
#[cfg_attr(not(feature = "uutils"), allow(dead_code))]
mod formats;
mod glob;
mod grep;
#[cfg(feature = "uutils")]
mod guards;
#[cfg_attr(not(feature = "uutils"), allow(dead_code))]
mod lines;
mod ls;
mod mode;
mod operands;
mod pr;
mod signals;
mod sort;
mod spawn;
mod split;
mod sys;
mod text;
mod time;
mod tools;
mod tr;
#[cfg_attr(not(feature = "uutils"), allow(dead_code))]
mod values;
mod version;
mod xargs;

use std::ffi::OsString;
use wisp_tool::{names, options};

fn main() {
    #[cfg(target_family = "wasm")]
    wisp_guest::start();
    // std's `println!` panics when the reader is gone and SIGPIPE is ignored: GNU's tools end with status 1 there.
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.to_string();
        if message.contains("failed printing to stdout") {
            sys::exit(1);
        }
        eprintln!("{message}");
    }));
    let mut args = sys::args();
    if args.is_empty() {
        args.push("coreutils".into());
    }
    let mut name = text::name(&args);
    if name == "coreutils" || name == "coreutils.wasm" {
        args.remove(0);
        name = match args.first().map(|a| a.to_string_lossy().into_owned()) {
            None => usage(1),
            Some(first) if first == "--help" || first == "-h" => usage(0),
            Some(first) if first == "--list" => {
                for name in applets::names() {
                    println!("{name}");
                }
                sys::exit(0)
            }
            Some(first) if first == "--version" || first == "-V" => {
                println!("coreutils (wisp) {}", env!("CARGO_PKG_VERSION"));
                sys::exit(0)
            }
            Some(_) => {
                #[cfg(feature = "uutils")]
                uucore::set_utility_is_second_arg();
                text::name(&args)
            }
        };
    }
    let status = run(&name, args);
    sys::exit(status)
}

fn run(name: &str, args: Vec<OsString>) -> u8 {
    if let Some((_, main)) = applets::OWN.iter().find(|(own, _)| *own == name) {
        return main(args);
    }
    if let Some(status) = uutils(name, args) {
        return status;
    }
    text::complain("coreutils", format!("no tool {}: `coreutils --list` prints those there are", text::quote(name)));
    spawn::NOT_FOUND
}

#[cfg(feature = "uutils")]
fn uutils(name: &str, args: Vec<OsString>) -> Option<u8> {
    if !applets::UUTILS.contains(&name) {
        return None;
    }
    let read = match lines::read(name, &args) {
        Some(Err(status)) => return Some(status),
        read => read.and_then(Result::ok),
    };
    if let Some(status) = guards::check(name, &args, read.as_ref()) {
        return Some(status);
    }
    let args = guards::mend(name, args);
    // Without it uutils prints the keys of its messages.
    if let Err(error) = uucore::locale::setup_localization(name) {
        text::complain(name, format!("messages cannot be loaded: {error}"));
        return Some(99);
    }
    applets::uutils(name, args).map(|code| (code & 0xff) as u8)
}

#[cfg(not(feature = "uutils"))]
fn uutils(_: &str, _: Vec<OsString>) -> Option<u8> {
    None
}

fn usage(status: u8) -> String {
    let text = "Usage: coreutils NAME [ARG]...\n  or:  NAME [ARG]..., where NAME is a link to coreutils\n  or:  coreutils --list\n";
    if status == 0 {
        print!("{text}")
    } else {
        eprint!("{text}")
    }
    sys::exit(status)
}
