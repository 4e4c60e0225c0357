//! `pgrep`, `pkill`, `pidof`, `killall`: find the processes of this session by their names.

use crate::options::{Line, Opt, Syntax, flag, value};
use crate::sys::{self, Process};
use crate::{names, signals, text};
use std::ffi::OsString;
use wisp_regex::{Flavor, Regex, Whole};

const fn pattern(about: &'static str, options: &'static [Opt]) -> Syntax {
    Syntax { usage: "[OPTION]... PATTERN", about, options, failure: 2, letters: ("h", "V"), ..Syntax::COMMON }
}

const PGREP: Syntax = pattern(
    "Print the ids of the processes whose name matches PATTERN, a regular expression. Arguments of processes are not known here.",
    &[
        flag("l", "list-name", "names too"),
        flag("a", "list-full", "names too"),
        value("d", "delimiter", "the text between ids (a newline)"),
        flag("c", "count", "how many there are"),
        flag("f", "full", "no effect beyond PATTERN's first blank: arguments are not known here"),
        flag("x", "exact", "the whole name"),
        flag("v", "inverse", "those that do not match"),
        flag("i", "ignore-case", "letters of either case"),
        flag("n", "newest", "only the newest"),
        flag("o", "oldest", "only the oldest"),
        value("P", "parent", "only children of these"),
        value("g", "pgroup", ""),
        value("u", "euid", "only processes of these users"),
        value("U", "uid", ""),
        flag("A", "ignore-ancestors", "not those that started this one"),
    ],
);

const PKILL: Syntax = pattern(
    "Send a signal (TERM) to the processes whose name matches PATTERN, a regular expression.",
    &[
        value("", "signal", "the signal; -NAME and -NUMBER too"),
        flag("e", "echo", "say whom"),
        flag("c", "count", "how many there were"),
        flag("f", "full", "no effect beyond PATTERN's first blank: arguments are not known here"),
        flag("x", "exact", "the whole name"),
        flag("i", "ignore-case", "letters of either case"),
        flag("n", "newest", "only the newest"),
        flag("o", "oldest", "only the oldest"),
        value("P", "parent", "only children of these"),
        value("g", "pgroup", ""),
        value("u", "euid", "only processes of these users"),
        value("U", "uid", ""),
        flag("A", "ignore-ancestors", "not those that started this one"),
    ],
);

/// Returns the signal of `-NAME` or `-NUMBER`; one letter is an option.
fn dashed(word: &OsString) -> Option<u8> {
    let word = word.to_str()?.strip_prefix('-')?;
    signals::number(word).filter(|_| word.len() > 1 || word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Runs `pgrep` and `pkill`.
pub(crate) fn main(mut args: Vec<OsString>) -> u8 {
    let kills = text::name(&args) == "pkill";
    let mut signal = 15;
    if kills && let Some((at, number)) = args.iter().enumerate().skip(1).find_map(|(at, word)| Some((at, dashed(word)?))) {
        signal = number;
        args.remove(at);
    }
    let syntax = if kills { &PKILL } else { &PGREP };
    syntax.run(&args, |args, line| find(syntax, args, &line, signal))
}

/// Prints or signals the processes that a command line of `pgrep` or `pkill` selects.
fn find(syntax: &Syntax, args: &[OsString], line: &Line, mut signal: u8) -> u8 {
    let name = text::name(args);
    let kills = name == "pkill";
    if let Some(name) = line.last_text("signal") {
        match signals::number(&name) {
            Some(number) => signal = number,
            None => return syntax.misuse(args, &format!("unknown signal \"{name}\"")),
        }
    }
    if line.operands.len() > 1 {
        return syntax.misuse(args, "only one pattern can be provided");
    }
    let narrows = ["parent", "euid", "uid", "pgroup"].iter().any(|key| line.has(key));
    if line.operands.is_empty() && !narrows {
        return syntax.misuse(args, "no matching criteria specified");
    }
    let found = match select(line) {
        Ok(found) => found,
        Err(message) => {
            text::complain(&name, message);
            return 2;
        }
    };
    let mut hit = found.len();
    for process in if kills { &found[..] } else { &[] } {
        if let Err(error) = sys::kill(process.pid, signal) {
            text::complain(&name, format!("killing pid {} failed: {}", process.pid, text::reason(&error)));
            hit -= 1;
        } else if line.has("echo") {
            println!("{} killed (pid {})", process.name, process.pid);
        }
    }
    if line.has("count") {
        println!("{hit}");
    } else if !kills && !found.is_empty() {
        let named = line.has("list-name") || line.has("list-full");
        let shown = |p: &Process| if named { format!("{} {}", p.pid, p.name) } else { p.pid.to_string() };
        let delimiter = line.last_text("delimiter").unwrap_or_else(|| "\n".into());
        println!("{}", found.iter().map(shown).collect::<Vec<_>>().join(&delimiter));
    }
    u8::from(hit == 0)
}

fn expression(pattern: &str, flavor: Flavor, line: &Line, whole: Whole) -> Result<Regex, String> {
    let options = wisp_regex::Options { flavor, fold: line.has("ignore-case"), lines: false, utf8: true, posix: false };
    Regex::any(&[pattern], options, whole)
}

/// Returns the processes that a command line selects, by id; never this one.
fn select(line: &Line) -> Result<Vec<Process>, String> {
    let pattern = line.operands.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
    // The arguments of a process are unknown: only the name of `sleep 100` is known.
    let pattern = if line.has("full") { pattern.split(' ').next().unwrap_or_default().to_owned() } else { pattern };
    let regex = expression(&pattern, Flavor::Extended, line, if line.has("exact") { Whole::Line } else { Whole::Part });
    let regex = regex.map_err(|_| "regex error: Invalid regular expression".to_owned())?;
    let list = |key: &str| line.last_text(key).map(|words| words.split(',').map(str::to_owned).collect::<Vec<_>>());
    let parents: Option<Vec<u32>> = list("parent").map(|words| words.iter().filter_map(|word| word.parse().ok()).collect());
    let users: Vec<String> = ["euid", "uid"].into_iter().filter_map(list).flatten().collect();
    let ours = users.is_empty() || users.iter().any(|user| names::users().id(user) == Some(sys::uid()));
    let all = sys::processes();
    let mut ancestors = Vec::new();
    let mut at = sys::pid();
    while let Some(process) = all.iter().find(|process| process.pid == at).filter(|_| line.has("ignore-ancestors")) {
        at = process.parent;
        ancestors.push(at);
    }
    let matches = |p: &Process| {
        regex.is_match(p.name.as_bytes()) != line.has("inverse") && parents.as_ref().is_none_or(|list| list.contains(&p.parent))
    };
    let mut found: Vec<Process> =
        all.into_iter().filter(|p| p.pid != sys::pid() && ours && !ancestors.contains(&p.pid) && matches(p)).collect();
    found.sort_by_key(|p| p.pid);
    if line.has("newest") {
        found.drain(..found.len().saturating_sub(1));
    } else if line.has("oldest") {
        found.truncate(1);
    }
    Ok(found)
}

const PIDOF: Syntax = Syntax {
    usage: "[OPTION]... NAME...",
    about: "Print the ids of the processes of these names, the newest first.",
    options: &[
        flag("s", "single-shot", "only one"),
        flag("x", "", ""),
        flag("c", "", ""),
        flag("q", "", "print nothing"),
        value("S", "", "the text between ids"),
        value("o", "", "not these ids"),
    ],
    letters: ("h", "V"),
    ..Syntax::COMMON
};

/// Runs `pidof`.
pub(crate) fn pidof(args: Vec<OsString>) -> u8 {
    PIDOF.run(&args, run_pidof)
}

fn run_pidof(_: &[OsString], line: Line) -> u8 {
    let named = |name: &str| line.operands.iter().any(|word| word.to_string_lossy().rsplit('/').next() == Some(name));
    let omitted: Vec<u32> = line
        .options
        .iter()
        .filter(|o| o.key == "o")
        .flat_map(|o| o.text().split(',').filter_map(|w| w.parse().ok()).collect::<Vec<_>>())
        .collect();
    let mut ids: Vec<u32> = sys::processes()
        .into_iter()
        .filter(|p| named(&p.name) && p.pid != sys::pid() && !omitted.contains(&p.pid))
        .map(|p| p.pid)
        .collect();
    ids.sort_unstable_by(|a, b| b.cmp(a));
    ids.truncate(if line.has("single-shot") { 1 } else { ids.len() });
    let shown: Vec<String> = ids.iter().map(u32::to_string).collect();
    if !shown.is_empty() && !line.has("q") {
        println!("{}", shown.join(&line.last_text("S").unwrap_or_else(|| " ".into())));
    }
    u8::from(shown.is_empty())
}

const KILLALL: Syntax = Syntax {
    usage: "[OPTION]... NAME...",
    about: "Send a signal (TERM) to the processes of these names.",
    options: &[
        value("s", "signal", "the signal; -NAME and -NUMBER too"),
        flag("l", "list", "list the signals"),
        flag("q", "quiet", "do not report names without processes"),
        flag("v", "verbose", "say whom"),
        flag("e", "exact", ""),
        flag("I", "ignore-case", "letters of either case"),
        flag("r", "regexp", "names are regular expressions"),
        flag("w", "wait", "wait until they have ended"),
        value("u", "user", ""),
    ],
    letters: ("", "V"),
    ..Syntax::COMMON
};

/// Runs `killall`.
pub(crate) fn killall(mut args: Vec<OsString>) -> u8 {
    let mut signal = None;
    if let Some(number) = args.get(1).and_then(dashed) {
        signal = Some(number);
        args.remove(1);
    }
    KILLALL.run(&args, |args, line| kill_named(args, &line, signal))
}

fn kill_named(args: &[OsString], line: &Line, mut signal: Option<u8>) -> u8 {
    if line.has("list") {
        print!("{}", super::kill::names_table());
        return 0;
    }
    if let Some(name) = line.last_text("signal") {
        match signals::number(&name) {
            Some(number) => signal = Some(number),
            None => {
                eprintln!("{name}: unknown signal; killall -l lists signals.");
                return 1;
            }
        }
    }
    let signal = signal.unwrap_or(15);
    if line.operands.is_empty() {
        return KILLALL.misuse(args, "no name");
    }
    let mut status = 0;
    for word in &line.operands {
        let word = word.to_string_lossy();
        let (flavor, whole) = if line.has("regexp") { (Flavor::Extended, Whole::Part) } else { (Flavor::Fixed, Whole::Line) };
        let Ok(regex) = expression(&word, flavor, line, whole) else {
            eprintln!("Bad regular expression: {word}");
            return 1;
        };
        let all: Vec<Process> = sys::processes().into_iter().filter(|p| p.pid != sys::pid() && regex.is_match(p.name.as_bytes())).collect();
        if all.is_empty() {
            status = 1;
            if !line.has("quiet") {
                eprintln!("{word}: no process found");
            }
        }
        for process in &all {
            match sys::kill(process.pid, signal) {
                Ok(()) if line.has("verbose") => eprintln!("Killed {}({}) with signal {signal}", process.name, process.pid),
                Ok(()) => {}
                Err(error) => {
                    eprintln!("{}({}): {}", process.name, process.pid, text::reason(&error));
                    status = 1;
                }
            }
        }
        while line.has("wait") && all.iter().any(|p| sys::kill(p.pid, 0).is_ok()) {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
    status
}
