//! Suggestions: for subcommands and options that other tools have, and for a command that lacks its `--`.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::docker;

/// Subcommands that users try, and what to use here instead.
const ELSEWHERE: &[(&[&str], &str)] = &[
    (&["exec", "eval", "execute", "start", "spawn", "cmd", "command"], "`wisp run -- COMMAND` runs a command"),
    (
        &["shell", "sh", "bash", "attach", "login", "repl", "terminal", "console", "ssh"],
        "`wisp run -- sh` at a terminal is an interactive shell",
    ),
    (
        &["python", "python3", "py"],
        "`wisp run -- python3 -c 'print(2 + 2)'` runs Python; `wisp run -- python3` at a terminal is its prompt",
    ),
    (
        &["serve", "server", "daemon", "http", "api", "mcp", "listen"],
        "`wisp mcp` serves agents, over standard streams or HTTP (`wisp mcp --help`); a program of yours calls `wisp run --json -- COMMAND` \
         for each call, or uses the package `wisp_sandbox` for Python or the crate `wisp`",
    ),
    (
        &["build", "compile", "pull", "install", "image", "create", "init"],
        "nothing is built or installed: `wisp run -- COMMAND` starts at once; `wisp prepare` compiles its tools ahead of time, for images",
    ),
    (&["warm", "precompile", "setup", "fetch"], "`wisp prepare` compiles the tools ahead of time"),
    (
        &["ps", "list", "ls", "top"],
        "a sandbox ends with its command; `wisp session list` lists those that were kept, `wisp run -- ps` lists the processes inside one",
    ),
    (&["validate", "lint", "test", "verify"], "`wisp check FILE` reports what is wrong with a policy"),
    (&["diff", "changes"], "`wisp session diff NAME` shows what a session changed, `wisp run -- diff` compares files inside one"),
    (&["apply", "accept", "commit"], "`wisp session apply NAME` writes what a session changed in overlay mounts to the host"),
    (&["sessions", "state"], "`wisp session list` lists what `wisp run --session NAME` keeps"),
    (&["policy"], "`wisp policies` lists the shipped policies, `wisp explain --policy NAME` shows what one allows"),
    (
        &["inspect", "show", "describe", "info", "audit"],
        "`wisp explain` shows what a policy allows, `wisp doctor` shows what this machine offers",
    ),
    (&["version"], "`wisp --version` prints it"),
];

/// Returns a line to print below clap's error, if a better suggestion than clap's is known.
pub(crate) fn advice(words: &[OsString], error: &clap::Error) -> Option<String> {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let asked = context(ContextKind::InvalidSubcommand)?;
            let known = ELSEWHERE.iter().find(|(names, _)| names.contains(&asked)).map(|(_, advice)| (*advice).to_owned());
            known.or_else(|| Path::new(asked).is_file().then(|| command(&[], &[asked.to_owned()])))
        }
        ErrorKind::UnknownArgument => {
            let asked = context(ContextKind::InvalidArg)?;
            let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
            if words.get(1).is_none_or(|word| word != "run") {
                return None;
            }
            if let Some((told, options, command)) = docker::habit(&words[2..], asked) {
                return Some(format!("{told}: `{}`", line(&options, &command)));
            }
            let at = words.iter().position(|word| word == asked)?;
            (!asked.starts_with('-') && !words[..at].iter().any(|word| word == "--")).then(|| command(&words[2..at], &words[at..]))
        }
        ErrorKind::MissingRequiredArgument if words.get(1).is_some_and(|word| word == "run") => {
            Some("write the command after `--`: `wisp run -- sh -c 'echo hi'`".to_owned())
        }
        _ => None,
    }
}

/// What a suggestion begins with, for a file of the host that the sandbox does not have.
pub(crate) const MOUNT: &str = "mount a file of the host to use it in the sandbox";

/// Where suggestions mount a folder of the host, the first that is not taken.
const PLACES: [&str; 3] = ["/mnt/input", "/mnt/host", "/workspace"];

/// Returns what to type for `command`, which was given after `options` without a `--`.
fn command(options: &[String], command: &[String]) -> String {
    match script(options, &command[0], &command[1..]) {
        Some(typed) => format!("{MOUNT}: `{typed}`"),
        None => format!("the command goes after `--`: `{}`", line(options, command)),
    }
}

/// Returns a command line with these options and this command.
pub(crate) fn line(options: &[String], command: &[String]) -> String {
    let words = ["wisp", "run"].map(str::to_owned).into_iter().chain(options.iter().cloned()).chain(["--".to_owned()]);
    words.chain(command.iter().cloned()).map(|word| quoted(&word)).collect::<Vec<_>>().join(" ")
}

/// Returns what to type after `options` to run a script of the host, if `program` is one.
pub(crate) fn script(options: &[String], program: &str, arguments: &[String]) -> Option<String> {
    let path = Path::new(program);
    let name = path.file_name()?.to_str()?;
    if !path.is_file() {
        return None;
    }
    let folder = path.parent().map(|folder| folder.to_string_lossy()).filter(|folder| !folder.is_empty());
    let (folder, place) = (folder.as_deref().unwrap_or("."), place(options));
    let interpreter = match path.extension().and_then(|ending| ending.to_str()) {
        Some("py") => Some("python3"),
        Some("sh" | "bash") => Some("sh"),
        _ => None,
    };
    let words = interpreter.map(str::to_owned).into_iter().chain([format!("{place}/{name}")]).chain(arguments.iter().cloned());
    let options: Vec<String> = options.iter().cloned().chain(["--mount".to_owned(), format!("{folder}:{place}")]).collect();
    Some(line(&options, &words.collect::<Vec<_>>()))
}

/// Returns where a suggestion mounts a folder: no mount of these options is there, in it or around it.
pub(crate) fn place(options: &[String]) -> &'static str {
    let within = |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let taken = |place: &str| {
        options.iter().filter_map(|option| option.split_once(":/")).any(|(_, guest)| {
            let (guest, place) = (guest.split(':').next().unwrap_or_default(), &place[1..]);
            within(place, guest) || within(guest, place)
        })
    };
    PLACES.into_iter().find(|place| !taken(place)).unwrap_or(PLACES[0])
}

/// Returns a word, quoted for a shell.
fn quoted(word: &str) -> String {
    let plain = |char: char| char.is_alphanumeric() || "_-./:=,@%+".contains(char);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}
