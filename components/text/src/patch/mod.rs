//! `patch`: apply a diff.

mod apply;
mod ed;
mod files;
mod parse;

use crate::options::{Line as Args, Syntax, flag, value};
use crate::{sys, text};
use apply::{Outcome, Rules};
use parse::{Hunk, Patch};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

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
        flag("", "verbose", "accepted; changes nothing"),
        flag("", "posix", "no backups of what does not match exactly"),
        flag("", "binary", "keep carriage returns at the ends of the patch's lines"),
        flag("T", "set-time", "accepted; changes nothing"),
        flag("Z", "set-utc", "accepted; changes nothing"),
        value("g", "get", "accepted; changes nothing"),
        value("", "reject-format", "accepted: rejects are unified"),
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
    dry: bool,
    backup: bool,
    mismatch: bool,
    suffix: String,
    /// `-V`: backups are numbered, always or where there is one already.
    numbered: Option<bool>,
    /// `-t` turned the patch round.
    assumed: bool,
    /// `-B` and `-Y`.
    prefixes: (String, String),
    follow: bool,
    empty: bool,
    output: Option<OsString>,
    rejects: Option<OsString>,
    file: Option<OsString>,
    failed: bool,
}

/// Run `patch`.
pub fn main(args: Vec<OsString>) -> u8 {
    let line = match SYNTAX.parse(&args) {
        Ok(line) => line,
        Err(status) => return status,
    };
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
        rules: Rules { fuzz: number("fuzz")?.unwrap_or(2), blanks: line.has("ignore-whitespace") },
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
            if other { String::new() } else { ".orig".into() }
        }),
        numbered: match line.last_text("version-control").as_deref() {
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
    };
    let patches = if line.has("ed") { Vec::new() } else { parse::parse(&input, job.file.is_some(), line.has("binary"))? };
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
        job.patch(patch)?;
    }
    Ok(job.failed)
}

fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect()
}

/// Whether a hunk would fit if only the ends of lines were the same.
fn without_ends(file: &[Vec<u8>], hunk: &Hunk, rules: Rules) -> bool {
    let bare = |line: &[u8]| line.strip_suffix(b"\r\n").map_or_else(|| line.to_vec(), |text| [text, b"\n"].concat());
    let mut hunk = hunk.clone();
    hunk.lines.iter_mut().for_each(|line| line.text = bare(&line.text));
    let file: Vec<Vec<u8>> = file.iter().map(|line| bare(line)).collect();
    apply::apply(&file, &[hunk], rules).0 != [Outcome::Failed]
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "hunk" } else { "hunks" }
}

impl Job {
    fn say(&self, message: &str) {
        if !self.quiet {
            self.tell(message);
        }
    }

    /// With `-o -` standard output is the file's.
    fn tell(&self, message: &str) {
        if self.to_output() {
            eprintln!("{message}");
        } else {
            println!("{message}");
        }
    }

    fn to_output(&self) -> bool {
        self.output.as_ref().is_some_and(|output| output == "-")
    }

    /// A name without its first components.
    fn stripped(&self, name: &str) -> Option<String> {
        if name == "/dev/null" {
            return None;
        }
        match self.strip {
            // Without -p only the last component counts.
            None => Some(name.rsplit('/').next().unwrap_or(name).to_owned()),
            Some(count) => {
                let mut rest = name;
                for _ in 0..count {
                    rest = rest.split_once('/')?.1.trim_start_matches('/');
                }
                Some(rest.to_owned())
            }
        }
    }

    /// The file a patch is for.
    fn target(&self, patch: &Patch) -> Option<String> {
        if let Some(file) = &self.file {
            return Some(text::show(file));
        }
        let mut names: Vec<String> = Vec::new();
        let mut refused: Vec<String> = Vec::new();
        for name in [&patch.old, &patch.new, &patch.index].into_iter().flatten().filter_map(|n| self.stripped(n)) {
            if name.starts_with('/') || name.split('/').any(|part| part == "..") {
                if !refused.contains(&name) {
                    println!("Ignoring potentially dangerous file name {name}");
                    refused.push(name);
                }
            } else {
                names.push(name);
            }
        }
        let there = |n: &&String| Path::new(n.as_str()).is_file();
        let existing: Vec<&String> = names.iter().filter(there).collect();
        // The best is the one with the fewest components, then the shortest.
        let best = |all: &[&String]| {
            all.iter().min_by_key(|n| (n.matches('/').count(), n.rsplit('/').next().map_or(0, str::len), n.len())).map(|n| (*n).clone())
        };
        if let Some(found) = best(&existing) {
            return Some(found);
        }
        let creates = self.creates(patch) || self.deletes(patch);
        if creates || patch.mode.is_some() { best(&names.iter().collect::<Vec<_>>()) } else { None }
    }

    fn creates(&self, patch: &Patch) -> bool {
        let (from, side) = if self.reverse { (&patch.new, 1) } else { (&patch.old, 0) };
        let empty = |h: &Hunk| if side == 1 { h.new == (0, 0) } else { h.old == (0, 0) };
        from.as_deref() == Some("/dev/null") || (patch.hunks.len() == 1 && patch.hunks.first().is_some_and(empty))
    }

    fn deletes(&self, patch: &Patch) -> bool {
        let (to, side) = if self.reverse { (&patch.old, 0) } else { (&patch.new, 1) };
        let empty = |h: &Hunk| if side == 1 { h.new == (0, 0) } else { h.old == (0, 0) };
        to.as_deref() == Some("/dev/null") || (patch.hunks.len() == 1 && patch.hunks.first().is_some_and(empty))
    }

    fn skip(&mut self, patch: &Patch, questions: &[&str], rejects: Option<&Path>) -> Result<(), String> {
        for question in questions {
            self.tell(question);
        }
        let count = patch.hunks.len();
        let saved = match rejects {
            Some(path) => {
                self.save_rejects(path, patch, &patch.hunks.iter().collect::<Vec<_>>())?;
                format!(" -- saving rejects to file {}", path.display())
            }
            None => String::new(),
        };
        self.tell(&format!("{count} out of {count} {} ignored{saved}", plural(count)));
        self.failed = true;
        Ok(())
    }

    fn patch(&mut self, patch: &Patch) -> Result<(), String> {
        if patch.returns {
            self.say("(Stripping trailing CRs from patch; use --binary to disable.)");
        }
        if let (Some((from, to)), None) = (&patch.rename, &self.file) {
            return self.rename(patch, &from.clone(), &to.clone());
        }
        let Some(name) = self.target(patch) else {
            println!("can't find file to patch at input line {}", patch.line);
            println!(
                "{}",
                if self.strip.is_none() {
                    "Perhaps you should have used the -p or --strip option?"
                } else {
                    "Perhaps you used the wrong -p or --strip option?"
                }
            );
            println!("The text leading up to this was:\n--------------------------");
            patch.lead.iter().for_each(|l| println!("|{}", String::from_utf8_lossy(l).trim_end_matches('\n')));
            println!("--------------------------");
            return self.skip(
                patch,
                if self.force || self.batch {
                    &["No file to patch.  Skipping patch."]
                } else {
                    &["File to patch: ", "Skip this patch? [y] ", "Skipping patch."]
                },
                None,
            );
        };
        let path = PathBuf::from(&name);
        let old = match std::fs::read(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(format!("Can't open file {name} : {}", text::reason(&error))),
        };
        let (creates, deletes) = (self.creates(patch), self.deletes(patch));
        let exists = old.as_ref().is_some_and(|o| !o.is_empty());
        let questions: &[&str] = if self.forward || self.batch { &["Skipping patch."] } else { &["Apply anyway? [n] ", "Skipping patch."] };
        if creates && exists && !self.force {
            let what = format!(
                "The next patch would create the file {name},\nwhich already exists!  {}",
                if self.forward { "" } else { "Assume -R? [n] " }
            );
            return self.skip(patch, &[&[&*what], questions].concat(), None);
        }
        if deletes && old.is_none() && !self.force {
            let what = format!(
                "The next patch would delete the file {name},\nwhich does not exist!  {}",
                if self.forward { "" } else { "Assume -R? [n] " }
            );
            return self.skip(patch, &[&[&*what], questions].concat(), None);
        }
        if !self.follow && std::fs::symlink_metadata(&path).is_ok_and(|m| m.is_symlink()) {
            println!("File {name} is not a regular file -- refusing to patch");
            let rejects = PathBuf::from(format!("{name}.rej"));
            let save = if self.dry { None } else { Some(rejects.as_path()) };
            return self.skip(patch, &[], save);
        }
        let shown = match &self.output {
            Some(out) => format!("patching file {} (read from {name})", text::show(out)),
            None => format!("{} file {name}", if self.dry { "checking" } else { "patching" }),
        };
        if sys::stat(&path, true).is_ok_and(|stat| stat.mode & 0o200 == 0) {
            self.say(&format!("File {name} is read-only; trying to patch anyway"));
        }
        self.say(&shown);
        if old.is_none() && !creates && !deletes && self.file.is_some() && !patch.hunks.is_empty() {
            for (n, hunk) in patch.hunks.iter().enumerate() {
                self.tell(&format!("Hunk #{} FAILED at {}.", n + 1, hunk.old.0.max(1)));
            }
            return Err(format!("Can't reopen file {name} : No such file or directory"));
        }
        self.hunks(patch, &name, &path, old.unwrap_or_default(), deletes)
    }

    fn rename(&mut self, patch: &Patch, from: &str, to: &str) -> Result<(), String> {
        let strip = |n: &str| self.strip.unwrap_or(0).saturating_sub(1).min(n.matches('/').count());
        let cut = |n: &str| n.splitn(strip(n) + 1, '/').last().unwrap_or(n).to_owned();
        let (from, to) = if self.reverse { (cut(to), cut(from)) } else { (cut(from), cut(to)) };
        let path = PathBuf::from(&from);
        let old = std::fs::read(&path).map_err(|e| format!("Can't open file {from} : {}", text::reason(&e)))?;
        self.say(&format!(
            "{} file {to} ({} from {from})",
            if self.dry { "checking" } else { "patching" },
            if patch.copy { "copied" } else { "renamed" }
        ));
        self.hunks(patch, &to, Path::new(&to), old, false)?;
        if !self.dry && !patch.copy {
            std::fs::remove_file(path).map_err(|e| format!("Can't remove file {from} : {}", text::reason(&e)))?;
        }
        Ok(())
    }

    fn hunks(&mut self, patch: &Patch, name: &str, path: &Path, old: Vec<u8>, deletes: bool) -> Result<(), String> {
        let turn = |hunks: &[Hunk]| hunks.iter().map(apply::reversed).collect::<Vec<_>>();
        let hunks = if self.reverse { turn(&patch.hunks) } else { patch.hunks.clone() };
        let file = lines(&old);
        let (outcomes, new) = apply::apply(&file, &hunks, self.rules);
        let rejects = PathBuf::from(
            self.rejects
                .clone()
                .unwrap_or_else(|| OsString::from(format!("{}.rej", self.output.as_ref().map_or(name.to_owned(), text::show)))),
        );
        // If the first does not fit, perhaps it does the other way round.
        if outcomes.first() == Some(&Outcome::Failed) && !self.force && !hunks.is_empty() {
            let exact = Rules { fuzz: 0, ..self.rules };
            let (back, _) = apply::apply(&file, &turn(&hunks[..1]), exact);
            if matches!(back.first(), Some(Outcome::Applied { .. })) {
                if self.batch && !self.forward {
                    let kind = if self.reverse { "Unreversed" } else { "Reversed (or previously applied)" };
                    self.say(&format!("{kind} patch detected!  {} -R.", if self.reverse { "Ignoring" } else { "Assuming" }));
                    self.reverse = !self.reverse;
                    self.assumed = true;
                    return self.hunks(patch, name, path, old, deletes);
                }
                let what = format!(
                    "{} patch detected!  {}",
                    if self.reverse { "Unreversed (or previously applied)" } else { "Reversed (or previously applied)" },
                    if self.forward || self.batch { "Skipping patch." } else { "Assume -R? [n] " }
                );
                let what = what.replace("Unreversed (or previously applied)", "Unreversed");
                let questions: Vec<&str> =
                    if self.forward || self.batch { vec![&what] } else { vec![&what, "Apply anyway? [n] ", "Skipping patch."] };
                let save = if self.dry { None } else { Some(rejects.as_path()) };
                return self.skip(patch, &questions, save);
            }
        }
        let mut mismatch = std::mem::take(&mut self.assumed);
        let mut failed: Vec<Hunk> = Vec::new();
        // By how many lines the file has grown so far.
        let mut grown = 0_isize;
        for (n, (outcome, hunk)) in outcomes.iter().zip(&hunks).enumerate() {
            if *outcome != Outcome::Failed {
                grown += hunk.new.1 as isize - hunk.old.1 as isize;
            }
            match outcome {
                Outcome::Failed => {
                    let mut hunk = hunk.clone();
                    hunk.old.0 = hunk.old.0.saturating_add_signed(grown);
                    hunk.new.0 = hunk.new.0.saturating_add_signed(grown);
                    let ends = if without_ends(&file, &hunk, self.rules) { " (different line endings)" } else { "" };
                    self.tell(&format!("Hunk #{} FAILED at {}{ends}.", n + 1, hunk.old.0.max(usize::from(hunk.old.1 > 0))));
                    failed.push(hunk);
                }
                Outcome::Applied { line, offset, fuzz } if *offset != 0 || *fuzz > 0 => {
                    mismatch = true;
                    let fuzz = if *fuzz > 0 { format!(" with fuzz {fuzz}") } else { String::new() };
                    let moved = if *offset != 0 {
                        format!(" (offset {offset} line{})", if offset.abs() == 1 { "" } else { "s" })
                    } else {
                        String::new()
                    };
                    self.say(&format!("Hunk #{} succeeded at {line}{fuzz}{moved}.", n + 1));
                }
                Outcome::Applied { .. } => {}
            }
        }
        if !failed.is_empty() {
            self.failed = true;
            let saved = if self.dry || rejects == Path::new("-") {
                String::new()
            } else {
                format!(" -- saving rejects to file {}", rejects.display())
            };
            self.tell(&format!("{} out of {} {} FAILED{saved}", failed.len(), hunks.len(), plural(hunks.len())));
        }
        if self.dry {
            return Ok(());
        }
        if !failed.is_empty() {
            self.save_rejects(&rejects, patch, &failed.iter().collect::<Vec<_>>())?;
        }
        let wrote = |e: std::io::Error| format!("Can't create file {name} : {}", text::reason(&e));
        let target = self.output.as_ref().map_or(path.to_path_buf(), PathBuf::from);
        if self.output.is_none() && path.exists() && (self.backup || (self.mismatch && (mismatch || !failed.is_empty()))) {
            self.keep(path, name).map_err(wrote)?;
        }
        let contents = new.concat();
        if contents.is_empty() && failed.is_empty() && (deletes || self.empty) && self.output.is_none() {
            return match std::fs::remove_file(path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    Err(format!("Can't remove file {name} : {}", text::reason(&error)))
                }
                _ => {
                    // Folders that are empty now go too; the first that is not ends this.
                    for folder in path.ancestors().skip(1).take_while(|f| !f.as_os_str().is_empty()) {
                        if std::fs::remove_dir(folder).is_err() {
                            break;
                        }
                    }
                    Ok(())
                }
            };
        }
        if failed.len() == hunks.len() && !hunks.is_empty() && self.output.is_none() {
            return Ok(());
        }
        if let Some(folder) = target.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(wrote)?;
        }
        self.write(&target, &contents).map_err(wrote)?;
        if let Some(mode) = patch.mode {
            sys::set_mode(&target, mode).map_err(wrote)?;
        }
        Ok(())
    }

    /// Apply an ed script.
    fn script(&mut self, script: &ed::Script, name: &str) -> Result<(), String> {
        let path = PathBuf::from(name);
        let old = std::fs::read(&path).map_err(|e| format!("Can't open file {name} : {}", text::reason(&e)))?;
        let new = script.apply(lines(&old)).map_err(|line| format!("the ed script does not fit {name} at line {line} of the patch"))?;
        if self.dry {
            return Ok(());
        }
        let wrote = |e: std::io::Error| format!("Can't create file {name} : {}", text::reason(&e));
        if self.backup && self.output.is_none() {
            self.keep(&path, name).map_err(wrote)?;
        }
        std::fs::write(self.output.as_ref().map_or(path, PathBuf::from), new.concat()).map_err(wrote)
    }
}
