//! `pgrep`, `pkill`, `pidof`, `killall`: find the processes of this session by their names and arguments.

use super::process_table::{self, Process, TICKS};
use crate::options::{Line, Opt, Syntax, flag, value};
use crate::{names, signals, sys, text};
use std::ffi::OsString;
use wisp_regex::{Flavor, Regex, Whole};

/// Maximum bytes of a name of a process.
const NAME: usize = 15;

/// Options that select processes without a pattern.
const CRITERIA: &[&str] = &["parent", "euid", "uid", "group", "pgroup", "session", "terminal", "runstates", "pidfile", "older"];

const fn pattern(about: &'static str, options: &'static [Opt]) -> Syntax {
    Syntax { usage: "[OPTION]... PATTERN", about, options, failure: 2, letters: ("h", "V"), ..Syntax::COMMON }
}

const PGREP: Syntax = pattern(
    "Print the ids of the processes whose name matches PATTERN, a regular expression.",
    &[
        flag("l", "list-name", "names too"),
        flag("a", "list-full", "arguments too"),
        value("d", "delimiter", "the text between ids (a newline)"),
        flag("w", "lightweight", ""),
        value("", "signal", ""),
        flag("c", "count", "how many there are"),
        flag("f", "full", "PATTERN is compared with the whole line of arguments"),
        flag("x", "exact", "the whole name"),
        flag("v", "inverse", "those that do not match"),
        flag("i", "ignore-case", "letters of either case"),
        flag("n", "newest", "only the newest"),
        flag("o", "oldest", "only the oldest"),
        value("O", "older", "only those that run for longer, in seconds"),
        value("P", "parent", "only children of these"),
        value("g", "pgroup", "only processes of these groups; 0 is the group of this one"),
        value("s", "session", "only processes of these sessions; 0 is the session of this one"),
        value("t", "terminal", "only processes of these terminals"),
        value("r", "runstates", "only processes in these states: R,S,T,Z"),
        value("u", "euid", "only processes of these users"),
        value("U", "uid", ""),
        value("G", "group", ""),
        value("F", "pidfile", "only the process whose id is in this file"),
        flag("A", "ignore-ancestors", "not those that started this one"),
    ],
);

const PKILL: Syntax = pattern(
    "Send a signal (TERM) to the processes whose name matches PATTERN, a regular expression.",
    &[
        value("", "signal", "the signal; -NAME and -NUMBER too"),
        flag("e", "echo", "say whom"),
        flag("c", "count", "how many there were"),
        value("q", "queue", ""),
        flag("f", "full", "PATTERN is compared with the whole line of arguments"),
        flag("x", "exact", "the whole name"),
        flag("i", "ignore-case", "letters of either case"),
        flag("n", "newest", "only the newest"),
        flag("o", "oldest", "only the oldest"),
        value("O", "older", "only those that run for longer, in seconds"),
        value("P", "parent", "only children of these"),
        value("g", "pgroup", "only processes of these groups; 0 is the group of this one"),
        value("s", "session", "only processes of these sessions; 0 is the session of this one"),
        value("t", "terminal", "only processes of these terminals"),
        value("r", "runstates", "only processes in these states: R,S,T,Z"),
        value("u", "euid", "only processes of these users"),
        value("U", "uid", ""),
        value("G", "group", ""),
        value("F", "pidfile", "only the process whose id is in this file"),
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
    let narrows = CRITERIA.iter().any(|key| line.has(key));
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
    let long = line.operands.first().is_some_and(|word| word.to_string_lossy().chars().count() > NAME);
    if found.is_empty() && long && !line.has("full") {
        let cut = format!("pattern that searches for process name longer than {NAME} characters will result in zero matches");
        text::complain(&name, format!("{cut}\nTry `{name} -f' option to match against the complete command line."));
    }
    let mut hit = found.len();
    for process in if kills { &found[..] } else { &[] } {
        // One that has ended is there until its parent knows, but receives nothing.
        let sent = if process.state == 'Z' { Ok(()) } else { sys::kill(process.pid, signal) };
        if let Err(error) = sent {
            text::complain(&name, format!("killing pid {} failed: {}", process.pid, text::reason(&error)));
            hit -= 1;
        } else if line.has("echo") {
            println!("{} killed (pid {})", process.name, process.pid);
        }
    }
    if line.has("count") {
        println!("{hit}");
    } else if !kills && !found.is_empty() {
        let shown = |p: &Process| match line.last_of(&["list-name", "list-full"]) {
            Some("list-full") => format!("{} {}", p.pid, p.command()),
            Some(_) => format!("{} {}", p.pid, p.name),
            None => p.pid.to_string(),
        };
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
    let regex = expression(&pattern, Flavor::Extended, line, if line.has("exact") { Whole::Line } else { Whole::Part });
    let regex = regex.map_err(|_| "regex error: Invalid regular expression".to_owned())?;
    let all = process_table::all().map_err(|error| error.to_string())?;
    let own = all.iter().find(|process| process.pid == sys::pid());
    let list = |key: &str| line.last_text(key).map(|words| words.split(',').map(str::to_owned).collect::<Vec<_>>());
    // 0 stands for what this process has.
    let ids = |key: &str, what: &str, mine: Option<u32>| {
        let id = |word: &String| -> Result<u32, String> {
            let id = word.parse::<u32>().map_err(|_| format!("invalid {what}: {word}"))?;
            Ok(mine.filter(|_| id == 0).unwrap_or(id))
        };
        list(key).map(|words| words.iter().map(id).collect::<Result<Vec<u32>, String>>()).transpose()
    };
    let parents = ids("parent", "process id", None)?;
    let groups = ids("pgroup", "process group", own.map(|own| own.group))?;
    let sessions = ids("session", "session id", own.map(|own| own.session))?;
    let file = line.last_text("pidfile").map(|file| {
        let id = std::fs::read_to_string(file).ok().and_then(|text| text.trim().parse::<u32>().ok());
        id.ok_or_else(|| "pidfile not valid".to_owned())
    });
    let file = file.transpose()?;
    let older = line.last_text("older").map(|text| text.parse::<u64>().map_err(|_| format!("invalid number: {text}"))).transpose()?;
    let uptime = std::fs::read_to_string("/proc/uptime").unwrap_or_default();
    let uptime: f64 = uptime.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or_default();
    let age = |process: &Process| (uptime as u64).saturating_sub(process.began / TICKS);
    let mut ours = true;
    for (key, table) in [("euid", names::users()), ("uid", names::users()), ("group", names::groups())] {
        let id = |word: &String| table.id(word).or_else(|| word.parse().ok()).ok_or_else(|| format!("invalid {} name: {word}", kind(key)));
        let ids = list(key).map(|words| words.iter().map(id).collect::<Result<Vec<u32>, String>>()).transpose()?;
        ours &= ids.is_none_or(|ids| ids.contains(&sys::uid()));
    }
    let terminals = list("terminal");
    let on = |process: &Process, names: &[String]| {
        let terminal = process.terminal_name();
        names.iter().any(|name| terminal.as_deref().map_or(name == "-", |own| own == name.strip_prefix("/dev/").unwrap_or(name)))
    };
    let states = list("runstates").map(|words| words.concat());
    let mut ancestors = Vec::new();
    let mut at = sys::pid();
    while let Some(process) = all.iter().find(|process| process.pid == at).filter(|_| line.has("ignore-ancestors")) {
        at = process.parent;
        ancestors.push(at);
    }
    let matches = |p: &Process| {
        let among = |list: &Option<Vec<u32>>, id: u32| list.as_ref().is_none_or(|list| list.contains(&id));
        ours && among(&parents, p.parent)
            && among(&groups, p.group)
            && among(&sessions, p.session)
            && file.is_none_or(|id| id == p.pid)
            && older.is_none_or(|seconds| age(p) >= seconds)
            && terminals.as_ref().is_none_or(|names| on(p, names))
            && states.as_ref().is_none_or(|states| states.contains(p.state))
            && if line.has("full") { regex.is_match(p.command().as_bytes()) } else { regex.is_match(p.name.as_bytes()) }
    };
    let inverse = line.has("inverse");
    let chosen = |p: &&Process| p.pid != sys::pid() && !ancestors.contains(&p.pid) && matches(p) != inverse;
    let mut found: Vec<Process> = all.iter().filter(chosen).cloned().collect();
    let began = |process: &Process| (process.began, process.pid);
    if line.has("newest") {
        found = found.into_iter().max_by_key(began).into_iter().collect();
    } else if line.has("oldest") {
        found = found.into_iter().min_by_key(began).into_iter().collect();
    }
    Ok(found)
}

/// Returns the word for what an option names.
fn kind(key: &str) -> &'static str {
    if key == "group" { "group" } else { "user" }
}

/// Returns all processes but this one; complains where there is no list of them.
fn others(name: &str) -> Option<Vec<Process>> {
    match process_table::all() {
        Ok(all) => Some(all.into_iter().filter(|process| process.pid != sys::pid()).collect()),
        Err(error) => {
            text::complain(name, error);
            None
        }
    }
}

const PIDOF: Syntax = Syntax {
    usage: "[OPTION]... NAME...",
    about: "Print the ids of the processes of these names, the newest first.",
    options: &[
        flag("s", "single-shot", "only one"),
        flag("x", "", "scripts of these names too"),
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
    let names: Vec<String> =
        line.operands.iter().map(|word| word.to_string_lossy().rsplit('/').next().unwrap_or_default().to_owned()).collect();
    let script = |process: &Process| {
        let path = process.arguments.iter().skip(1).find(|word| !word.starts_with(b"-"));
        path.map(|path| String::from_utf8_lossy(path).rsplit('/').next().unwrap_or_default().to_owned())
    };
    let named = |process: &Process| {
        let scripts = if line.has("x") { script(process) } else { None };
        names.iter().any(|name| process.is_called(name) || scripts.as_ref() == Some(name))
    };
    let omitted: Vec<u32> = line
        .options
        .iter()
        .filter(|o| o.key == "o")
        .flat_map(|o| o.text().split(',').filter_map(|w| w.parse().ok()).collect::<Vec<_>>())
        .collect();
    let Some(all) = others("pidof") else { return 1 };
    let mut ids: Vec<u32> =
        all.iter().filter(|p| p.state != 'Z' && named(p) && !omitted.contains(&p.pid)).map(|process| process.pid).collect();
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
        let Some(all) = others("killall") else { return 1 };
        let plain = !line.has("regexp") && !line.has("ignore-case");
        let named = |p: &Process| if plain { p.is_called(&word) } else { regex.is_match(p.name.as_bytes()) };
        let all: Vec<Process> = all.into_iter().filter(|p| p.state != 'Z' && named(p)).collect();
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
