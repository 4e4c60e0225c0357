//! `id`, `whoami`, `groups`, `logname`, `users`, `who`. The sandbox has one user.

use crate::options::{Line, Opt, Syntax, flag};
use crate::{names, sys, text};
use std::ffi::OsString;

const ID_OPTIONS: &[Opt] = &[
    flag("a", "", ""),
    flag("g", "group", "only the group"),
    flag("G", "groups", "all groups"),
    flag("n", "name", "names, not numbers"),
    flag("r", "real", ""),
    flag("u", "user", "only the user"),
    flag("z", "zero", "end with NUL"),
];

const ID: Syntax = Syntax { usage: "[OPTION]... [USER]", about: "Print user and groups.", options: ID_OPTIONS, ..Syntax::COMMON };

/// Runs `id`.
pub(crate) fn id(args: Vec<OsString>) -> u8 {
    ID.run(&args, run_id)
}

fn run_id(_: &[OsString], line: Line) -> u8 {
    let uid = match line.operands.first().map(|o| o.to_string_lossy().into_owned()) {
        None => sys::uid(),
        Some(user) => match names::users().id(&user).filter(|id| names::users().name(*id).is_some()) {
            Some(uid) => uid,
            None => {
                text::complain("id", format!("{}: no such user", text::quote(&user)));
                return 1;
            }
        },
    };
    // Here each user has a group with the same number.
    let gid = uid;
    let end = if line.has("zero") { "\0" } else { "\n" };
    let (user, group) = (names::users().show(uid), names::groups().show(gid));
    let name = line.has("name");
    match line.last_of(&["user", "group", "groups"]) {
        Some("user") => print!("{}{end}", if name { user } else { uid.to_string() }),
        Some(_) => print!("{}{end}", if name { group } else { gid.to_string() }),
        None if name || line.has("real") => {
            text::complain("id", "cannot print only names or real IDs in default format");
            return 1;
        }
        None if line.has("zero") => {
            text::complain("id", "option --zero not permitted in default format");
            return 1;
        }
        None => {
            let show = |id: u32, name: Option<&str>| name.map_or_else(|| id.to_string(), |n| format!("{id}({n})"));
            let (user, group) = (names::users().name(uid), names::groups().name(gid));
            print!("uid={} gid={} groups={}{end}", show(uid, user), show(gid, group), show(gid, group));
        }
    }
    0
}

/// Runs a tool without options that prints `line`.
fn plain(args: &[OsString], about: &'static str, line: &str) -> u8 {
    let syntax = Syntax { usage: "", about, options: &[], ..Syntax::COMMON };
    syntax.run(args, |args, parsed| {
        if let Some(extra) = parsed.operands.first() {
            return syntax.misuse(args, &format!("extra operand {}", text::quote(extra)));
        }
        println!("{line}");
        0
    })
}

/// Runs `whoami`.
pub(crate) fn whoami(args: Vec<OsString>) -> u8 {
    plain(&args, "Print the user's name.", &names::users().show(sys::uid()))
}

/// Runs `logname`.
pub(crate) fn logname(args: Vec<OsString>) -> u8 {
    plain(&args, "Print the user's login name.", &names::users().show(sys::uid()))
}

/// Runs `users`.
pub(crate) fn users(args: Vec<OsString>) -> u8 {
    plain(&args, "Print the users who are logged in.", &names::users().show(sys::uid()))
}

const GROUPS: Syntax = Syntax { usage: "[USER]...", about: "Print the groups each USER is in.", options: &[], ..Syntax::COMMON };

/// Runs `groups`.
pub(crate) fn groups(args: Vec<OsString>) -> u8 {
    GROUPS.run(&args, run_groups)
}

fn run_groups(_: &[OsString], line: Line) -> u8 {
    if line.operands.is_empty() {
        println!("{}", names::groups().show(sys::uid()));
    }
    let mut status = 0;
    for operand in line.operands {
        let user = operand.to_string_lossy();
        match names::users().id(&user).filter(|id| names::users().name(*id).is_some()) {
            Some(id) => println!("{user} : {}", names::groups().show(id)),
            None => {
                text::complain("groups", format!("{}: no such user", text::quote(&operand)));
                status = 1;
            }
        }
    }
    status
}
