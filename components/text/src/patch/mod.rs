//! `patch`: apply a diff.

mod ed;
mod files;
mod job;
mod parse;
mod rejects;
mod target;

use crate::options::{Line as Args, Syntax, flag, value};
use crate::text;
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::PathBuf;
use wisp_diff::Rules;

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [ORIGFILE [PATCHFILE]]",
    about: "Apply a diff file to an original.",
    options: &[
        value("p", "strip", "strip VALUE leading components from file names"),
        value("F", "fuzz", "set the fuzz factor to VALUE for inexact matching"),
        flag("l", "ignore-whitespace", "ignore white space changes between patch and input"),
        flag("c", "context", "interpret the patch as a context difference"),
        flag("n", "normal", "interpret the patch as a normal difference"),
        flag("u", "unified", "interpret the patch as a unified difference"),
        flag("N", "forward", "ignore patches that appear to be reversed or already applied"),
        flag("R", "reverse", "assume patches were created with old and new files swapped"),
        value("i", "input", "read patch from VALUE instead of stdin"),
        value("o", "output", "output patched files to VALUE"),
        value("r", "reject-file", "output rejects to VALUE"),
        flag("E", "remove-empty-files", "remove output files that are empty after patching"),
        flag("s", "quiet", "work silently unless an error occurs"),
        flag("", "silent", "the same as --quiet"),
        flag("e", "ed", "interpret the patch as an ed script"),
        flag("f", "force", "like -t, but ignore bad-Prereq patches, and assume unreversed"),
        flag("t", "batch", "ask no questions; skip bad patches; assume reversed"),
        flag("b", "backup", "back up the original contents of each file"),
        flag("", "no-backup-if-mismatch", "back up mismatches only if otherwise requested"),
        flag("", "backup-if-mismatch", "back up if the patch does not match exactly (the default)"),
        value("V", "version-control", "backups: simple, numbered or existing"),
        value("B", "prefix", "prepend VALUE to backup file names"),
        value("Y", "basename-prefix", "prepend VALUE to the last component of backup file names"),
        value("z", "suffix", "append VALUE to backup file names"),
        flag("", "dry-run", "do not actually change any files; just print what would happen"),
        flag("", "follow-symlinks", "patch what a symbolic link points to"),
        flag("", "verbose", "report where each hunk fits"),
        value("", "read-only", "what to do with read-only files: ignore, warn (default), fail"),
        flag("", "posix", "no backups of files that do not match exactly"),
        flag("", "binary", "keep carriage returns at the ends of the patch's lines"),
        flag("T", "set-time", "accepted; changes nothing"),
        flag("Z", "set-utc", "accepted; changes nothing"),
        value("g", "get", "accepted; changes nothing"),
        value("", "reject-format", "format of rejects: context or unified; by default that of the patch"),
        value("", "quoting-style", "accepted; changes nothing"),
        value("d", "directory", "change the working directory to VALUE first"),
    ],
    failure: 2,
    named_hint: true,
    letters: ("", "v"),
    ..Syntax::COMMON
};

struct Job {
    strip: Option<usize>,
    rules: Rules,
    reverse: bool,
    forward: bool,
    force: bool,
    batch: bool,
    quiet: bool,
    verbose: bool,
    read_only: String,
    reject_format: Option<String>,
    /// `--posix`: files stay when they are empty.
    posix: bool,
    dry: bool,
    backup: bool,
    mismatch: bool,
    suffix: String,
    /// `-V`: backups are numbered, always or where a numbered one exists.
    numbered: Option<bool>,
    /// Whether `-t` reversed the patch.
    assumed: bool,
    /// `-B` and `-Y`.
    prefixes: (String, String),
    follow: bool,
    empty: bool,
    output: Option<OsString>,
    rejects: Option<OsString>,
    file: Option<OsString>,
    failed: bool,
    /// The files that this run backed up or made; their first state is kept.
    kept: HashSet<PathBuf>,
    /// The files of rejects and output that this run began, and appends to.
    begun: HashSet<PathBuf>,
    /// The deferred changes of git's patches, which may rename files into each other.
    queue: Vec<files::Change>,
}

/// Runs `patch`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, tool)
}

fn tool(_: &[OsString], line: Args) -> u8 {
    match run(&line) {
        Ok(failed) => u8::from(failed),
        Err(message) => {
            text::complain("patch", format!("**** {message}"));
            2
        }
    }
}

fn run(line: &Args) -> Result<bool, String> {
    let number = |key: &str| match line.last_text(key) {
        None => Ok(None),
        Some(text) => text.parse::<usize>().map(Some).map_err(|_| format!("{key} count {text} is not a number")),
    };
    if let Some(folder) = line.last("directory") {
        std::env::set_current_dir(folder)
            .map_err(|e| format!("Can't change to directory {} : {}", text::show(folder), text::reason(&e)))?;
    }
    let source = line.last("input").map(OsString::from).or(line.operands.get(1).cloned()).unwrap_or_else(|| "-".into());
    let input = text::slurp(&source).map_err(|e| format!("Can't open patch file {} : {}", text::show(&source), text::reason(&e)))?;
    let mut job = Job {
        strip: number("strip")?,
        rules: Rules::patch(number("fuzz")?.unwrap_or(2), line.has("ignore-whitespace")),
        reverse: line.has("reverse"),
        forward: line.has("forward"),
        force: line.has("force"),
        batch: line.has("batch"),
        quiet: line.has("quiet") || line.has("silent"),
        dry: line.has("dry-run"),
        backup: ["backup", "suffix", "prefix", "basename-prefix"].iter().any(|key| line.has(key)),
        mismatch: !line.has("no-backup-if-mismatch") && !line.has("posix"),
        suffix: line.last_text("suffix").unwrap_or_else(|| {
            let other = line.has("prefix") || line.has("basename-prefix");
            let usual = || std::env::var("SIMPLE_BACKUP_SUFFIX").ok().filter(|s| !s.is_empty()).unwrap_or_else(|| ".orig".into());
            if other { String::new() } else { usual() }
        }),
        numbered: match line
            .last_text("version-control")
            .or_else(|| std::env::var("PATCH_VERSION_CONTROL").ok())
            .or_else(|| std::env::var("VERSION_CONTROL").ok())
            .as_deref()
        {
            Some("t" | "numbered") => Some(true),
            Some("nil" | "existing") => Some(false),
            _ => None,
        },
        assumed: false,
        prefixes: (line.last_text("prefix").unwrap_or_default(), line.last_text("basename-prefix").unwrap_or_default()),
        follow: line.has("follow-symlinks"),
        empty: line.has("remove-empty-files"),
        output: line.last("output").map(OsString::from),
        rejects: line.last("reject-file").map(OsString::from),
        file: line.operands.first().cloned(),
        failed: false,
        verbose: line.has("verbose"),
        read_only: line.last_text("read-only").unwrap_or_else(|| "warn".into()),
        reject_format: line.last_text("reject-format"),
        posix: line.has("posix"),
        kept: HashSet::new(),
        begun: HashSet::new(),
        queue: Vec::new(),
    };
    let patches =
        if line.has("ed") { Vec::new() } else { parse::parse(&input, job.file.is_some() || line.has("normal"), line.has("binary")) };
    if patches.is_empty()
        && let (Some(script), Some(file)) = (ed::Script::read(&input), job.file.clone())
    {
        job.script(&script, &text::show(&file))?;
        return Ok(job.failed);
    }
    if patches.is_empty() && !input.is_empty() {
        return Err("Only garbage was found in the patch input.".into());
    }
    for patch in &patches {
        job.next(patch)?;
    }
    job.flush()?;
    Ok(job.failed)
}
