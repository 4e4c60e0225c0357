//! `chmod`, `chown`, `chgrp`.

use crate::mode::{self, Change};
use crate::options::{Line, Opt, Syntax, flag, value};
use crate::sys::{self, Stat};
use crate::{names, text};
use std::ffi::OsString;
use std::path::Path;

const OPTIONS: &[Opt] = &[
    flag("c", "changes", "say what changes"),
    flag("f", "silent", "no error messages"),
    flag("", "quiet", ""),
    flag("v", "verbose", "say what is done with every file"),
    flag("", "no-preserve-root", ""),
    flag("", "preserve-root", ""),
    value("", "reference", "take the mode of file VALUE"),
    flag("R", "recursive", "directories with all their contents"),
    flag("H", "", "with -R: follow symbolic links given as arguments"),
    flag("L", "", "with -R: follow all symbolic links"),
    flag("P", "", "with -R: follow no symbolic links"),
    flag("", "dereference", "change the target of a symbolic link"),
    flag("h", "no-dereference", "do not change symbolic links"),
];

const CHMOD: Syntax = Syntax {
    usage: "[OPTION]... MODE[,MODE]... FILE...\n[OPTION]... --reference=FILE FILE...",
    about: "Change the mode of each FILE. MODE is octal, or like u+rwx,go-w.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// Runs `chmod`.
pub(crate) fn chmod(args: Vec<OsString>) -> u8 {
    // `chmod -x file`: a mode that looks like an option. Several such modes are combined.
    let mut minus: Option<String> = None;
    let mut kept = Vec::new();
    let mut options = true;
    for (at, arg) in args.into_iter().enumerate() {
        let text = arg.to_string_lossy();
        options &= text != "--";
        let is_mode = at > 0
            && options
            && text.len() > 1
            && text.starts_with('-')
            && text[1..]
                .starts_with(['r', 'w', 'x', 'X', 's', 't', 'u', 'g', 'o', 'a', ',', '+', '=', '0', '1', '2', '3', '4', '5', '6', '7'])
            && Change::parse(&text).is_some();
        if is_mode {
            minus = Some(minus.map_or_else(|| text.to_string(), |before| format!("{before},{text}")));
        } else {
            kept.push(arg);
        }
    }
    let by_option = minus.is_some();
    let line = match CHMOD.parse(&kept) {
        Ok(line) => line,
        Err(status) => return status,
    };
    let mut operands = line.operands.iter();
    let change = if let Some(reference) = line.last("reference") {
        match sys::stat(reference.as_ref(), true) {
            Ok(stat) => Change::Octal(stat.mode, true),
            Err(error) => {
                text::complain("chmod", format!("failed to get attributes of {}: {}", text::quote(reference), text::reason(&error)));
                return 1;
            }
        }
    } else {
        let Some(text) = minus.or_else(|| operands.next().map(|m| m.to_string_lossy().into_owned())) else {
            return CHMOD.misuse(&kept, "missing operand");
        };
        match Change::parse(&text) {
            _ if operands.len() == 0 => return CHMOD.misuse(&kept, &format!("missing operand after {}", text::quote(text))),
            Some(change) => change,
            None => return CHMOD.misuse(&kept, &format!("invalid mode: {}", text::quote(text))),
        }
    };
    let files: Vec<&OsString> = operands.collect();
    if files.is_empty() {
        let after = line.operands.first().map_or_else(String::new, |o| format!(" after {}", text::quote(o)));
        return CHMOD.misuse(&kept, &format!("missing operand{after}"));
    }
    let mut status = 0;
    let silent = line.has("silent") || line.has("quiet");
    let follow = match line.last_of(&["H", "L", "P", "dereference", "no-dereference"]) {
        Some("L") => Links::All,
        Some("P") if line.has("recursive") => Links::None,
        Some("no-dereference") => Links::None,
        _ => Links::Arguments,
    };
    let links = line.last_of(&["dereference", "no-dereference"]) == Some("no-dereference");
    for file in files {
        let path = Path::new(file);
        if line.has("preserve-root") && line.has("recursive") && std::fs::canonicalize(path).is_ok_and(|p| p == Path::new("/")) {
            let same = if path == Path::new("/") && file == "/" { String::new() } else { " (same as '/')".into() };
            text::complain("chmod", format!("it is dangerous to operate recursively on {}{same}", text::quote(path)));
            text::complain("chmod", "use --no-preserve-root to override this failsafe");
            status = 1;
            continue;
        }
        let mut visit = |path: &Path, stat: &Stat| {
            if stat.is_link() {
                if line.has("verbose") && !links {
                    println!("neither symbolic link {} nor referent has been changed", text::quote(path));
                }
                return 0;
            }
            let new = change.apply(stat.mode, stat.is_dir());
            let done = sys::set_mode(path, new);
            let status = report(&line, path, stat, new, done);
            // `chmod -w f` removes only the bits that the umask allows. It is an error if that leaves bits that should go.
            let naive = change.without_umask().apply(stat.mode, stat.is_dir());
            if by_option && status == 0 && new & !naive != 0 {
                let show = |mode: u32| mode::letters(stat.kind, mode)[1..].to_owned();
                text::complain("chmod", format!("{}: new permissions are {}, not {}", text::quote_if_needed(path), show(new), show(naive)));
                return 1;
            }
            status
        };
        let how = Walk { name: "chmod", recursive: line.has("recursive"), silent, verbose: line.has("verbose"), follow };
        status |= walk(&how, path, &mut Vec::new(), &mut visit);
    }
    status
}

fn report(line: &Line, path: &Path, stat: &Stat, new: u32, done: std::io::Result<()>) -> u8 {
    let show = |mode: u32| format!("{mode:04o} ({})", &mode::letters(stat.kind, mode)[1..]);
    if let Err(error) = done {
        if !line.has("silent") && !line.has("quiet") {
            text::complain("chmod", format!("changing permissions of {}: {}", text::quote(path), text::reason(&error)));
        }
        return 1;
    }
    if new != stat.mode && (line.has("verbose") || line.has("changes")) {
        println!("mode of {} changed from {} to {}", text::quote(path), show(stat.mode), show(new));
    } else if line.has("verbose") {
        println!("mode of {} retained as {}", text::quote(path), show(new));
    }
    0
}

/// Which symbolic links are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Links {
    None,
    Arguments,
    All,
}

/// The settings of [`walk`].
struct Walk<'a> {
    /// The tool, for messages.
    name: &'a str,
    recursive: bool,
    silent: bool,
    verbose: bool,
    follow: Links,
}

/// Visits a file and, with `recursive`, all files below it.
fn walk(how: &Walk<'_>, path: &Path, above: &mut Vec<(u64, u64)>, visit: &mut dyn FnMut(&Path, &Stat) -> u8) -> u8 {
    let Walk { name, recursive, silent, verbose, follow } = *how;
    let top = above.is_empty();
    let missed = |path: &Path| {
        if verbose {
            println!("{} could not be accessed", text::quote(path));
        }
        1
    };
    let stat = match sys::stat(path, follow == Links::All || (top && follow == Links::Arguments)) {
        Ok(stat) => stat,
        Err(error) => {
            let dangling = sys::stat(path, false).is_ok_and(|s| s.is_link());
            if !silent && dangling {
                text::complain(name, format!("cannot operate on dangling symlink {}", text::quote(path)));
            } else if !silent {
                text::complain(name, format!("cannot access {}: {}", text::quote(path), text::reason(&error)));
            }
            return missed(path);
        }
    };
    let mut status = visit(path, &stat);
    // A link that leads back to a directory above is not followed.
    if recursive && stat.is_dir() && !above.contains(&(stat.dev, stat.ino)) {
        above.push((stat.dev, stat.ino));
        let mut items = std::fs::read_dir(path).map_or_else(|error| vec![Err(error)], Iterator::collect);
        items.sort_by_key(|item| item.as_ref().map(std::fs::DirEntry::file_name).ok());
        for item in items {
            match item {
                Ok(item) => status |= walk(how, &item.path(), above, visit),
                Err(error) => {
                    if !silent {
                        text::complain(name, format!("cannot read directory {}: {}", text::quote(path), text::reason(&error)));
                    }
                    status |= missed(path);
                }
            }
        }
        above.pop();
    }
    status
}

const OWNER_OPTIONS: &[Opt] = &[
    flag("c", "changes", ""),
    flag("f", "silent", "no error messages"),
    flag("", "quiet", ""),
    flag("v", "verbose", "say what is done with every file"),
    flag("", "dereference", ""),
    flag("h", "no-dereference", ""),
    flag("", "preserve-root", ""),
    flag("", "no-preserve-root", ""),
    value("", "from", ""),
    value("", "reference", "take owner and group of file VALUE"),
    flag("R", "recursive", "directories with all their contents"),
    flag("H", "", ""),
    flag("L", "", ""),
    flag("P", "", ""),
];

const CHOWN: Syntax = Syntax {
    usage: "[OPTION]... [OWNER][:[GROUP]] FILE...",
    about: "Change owner and group. The sandbox has one user: a change to anything else is not permitted.",
    options: OWNER_OPTIONS,
    ..Syntax::COMMON
};

const CHGRP: Syntax = Syntax {
    usage: "[OPTION]... GROUP FILE...",
    about: "Change the group. The sandbox has one group: a change to anything else is not permitted.",
    options: OWNER_OPTIONS,
    ..Syntax::COMMON
};

/// Runs `chown`.
pub(crate) fn chown(args: Vec<OsString>) -> u8 {
    CHOWN.run(&args, |args, line| owner(&CHOWN, args, &line, "chown"))
}

/// Runs `chgrp`.
pub(crate) fn chgrp(args: Vec<OsString>) -> u8 {
    CHGRP.run(&args, |args, line| owner(&CHGRP, args, &line, "chgrp"))
}

fn owner(syntax: &Syntax, args: &[OsString], line: &Line, name: &str) -> u8 {
    let mut operands = line.operands.iter();
    let silent = line.has("silent") || line.has("quiet");
    let (mut uid, mut gid) = (None, None);
    if let Some(reference) = line.last("reference") {
        match sys::stat(reference.as_ref(), true) {
            Ok(stat) => (uid, gid) = ((name == "chown").then_some(stat.uid), Some(stat.gid)),
            Err(error) => {
                text::complain(name, format!("failed to get attributes of {}: {}", text::quote(reference), text::reason(&error)));
                return 1;
            }
        }
    } else {
        let Some(spec) = operands.next().map(|o| o.to_string_lossy().into_owned()) else {
            return syntax.misuse(args, "missing operand");
        };
        let (user, group) = match spec.split_once(':') {
            _ if name == "chgrp" => ("", Some(spec.as_str())),
            Some((user, group)) => (user, Some(group)),
            None => (spec.as_str(), None),
        };
        if !user.is_empty() {
            uid = names::users().id(user);
            if uid.is_none() {
                text::complain(name, format!("invalid user: {}", text::quote(&spec)));
                return 1;
            }
        }
        match group {
            Some("") if !user.is_empty() => gid = uid,
            Some(group) if !group.is_empty() => {
                gid = names::groups().id(group);
                if gid.is_none() {
                    text::complain(name, format!("invalid group: {}", text::quote(&spec)));
                    return 1;
                }
            }
            _ => {}
        }
    }
    let files: Vec<&OsString> = operands.collect();
    if files.is_empty() {
        return syntax.misuse(args, "missing operand");
    }
    let mut status = 0;
    for file in files {
        let what = if name == "chgrp" { "group" } else { "ownership" };
        let mut visit = |path: &Path, stat: &Stat| {
            if uid.is_none_or(|u| u == stat.uid) && gid.is_none_or(|g| g == stat.gid) {
                if line.has("verbose") {
                    println!(
                        "{what} of {} retained as {}:{}",
                        text::quote(path),
                        names::users().show(stat.uid),
                        names::groups().show(stat.gid)
                    );
                }
                return 0;
            }
            if !silent {
                text::complain(name, format!("changing {what} of {}: Operation not permitted", text::quote(path)));
            }
            1
        };
        let how = Walk { name, recursive: line.has("recursive"), silent, verbose: false, follow: Links::Arguments };
        status |= walk(&how, Path::new(file), &mut Vec::new(), &mut visit);
    }
    status
}
