//! One patch: its file, its hunks, and their outcome.

use super::Job;
use super::files::Change;
use super::parse::Patch;
use super::target::quoted;
use crate::{sys, text};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use wisp_diff::{Hunk, Outcome, Rules, apply_each};

/// Returns whether a hunk would fit if the line endings were the same.
fn without_ends(file: &[u8], hunk: &Hunk<'_>, rules: Rules) -> bool {
    let returns = file.windows(2).any(|two| two == b"\r\n");
    if returns == hunk.lines().any(|line| line.text.ends_with(b"\r") && !line.unended) {
        return false;
    }
    let mut hunk = hunk.clone();
    hunk.strip_returns();
    let bare = |line: &[u8]| line.strip_suffix(b"\r\n").map_or_else(|| line.to_vec(), |text| [text, b"\n"].concat());
    let file: Vec<u8> = file.split_inclusive(|b| *b == b'\n').flat_map(bare).collect();
    apply_each(&file, &[hunk], rules).0 != [Outcome::Failed]
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "hunk" } else { "hunks" }
}

fn turn<'d>(hunks: &[Hunk<'d>]) -> Vec<Hunk<'d>> {
    hunks.iter().map(Hunk::reversed).collect()
}

/// Returns how much context was ignored for the first hunk; `None` if it did not fit.
fn first_fuzz(outcomes: &[Outcome]) -> Option<usize> {
    match outcomes.first()? {
        Outcome::Applied { fuzz, .. } => Some(*fuzz),
        Outcome::Failed => None,
    }
}

/// The file of a patch.
struct Place {
    /// The path to write.
    name: String,
    /// The path to read.
    from: String,
    /// The text after the name in messages.
    note: String,
    /// Whether the file with the old name is removed.
    moved: bool,
}

impl Job {
    pub(super) fn skip(&mut self, patch: &Patch<'_>, questions: &[&str], rejects: Option<&Path>) -> Result<(), String> {
        for question in questions {
            self.tell(question);
        }
        let count = patch.hunks.len();
        let saved = match rejects {
            Some(path) => {
                self.save_rejects(path, patch, &patch.hunks.iter().collect::<Vec<_>>())?;
                format!(" -- saving rejects to file {}", quoted(&path.to_string_lossy()))
            }
            None => String::new(),
        };
        self.tell(&format!("{count} out of {count} {} ignored{saved}", plural(count)));
        self.failed = true;
        Ok(())
    }

    /// Applies the next patch. The changes of git's patches are deferred until a patch of another kind follows, one for the
    /// same file, or an error.
    pub(super) fn next(&mut self, patch: &Patch<'_>) -> Result<(), String> {
        let names = [&patch.old, &patch.new].into_iter().flatten().filter_map(|name| self.stripped(name)).map(PathBuf::from);
        let waits = |name: PathBuf| self.queue.iter().any(|change| change.path == name);
        if !patch.git || (patch.rename.is_none() && names.into_iter().any(waits)) {
            self.flush()?;
        }
        let done = self.patch(patch);
        if done.is_err() {
            self.flush()?;
        }
        done
    }

    fn no_file(&mut self, patch: &Patch<'_>) -> Result<(), String> {
        println!("can't find file to patch at input line {}", patch.line);
        if !patch.lead.is_empty() {
            let hint = if self.strip.is_none() { "should have used" } else { "used the wrong" };
            println!("Perhaps you {hint} {}-p or --strip option?", if self.strip.is_none() { "the " } else { "" });
            println!("The text leading up to this was:\n--------------------------");
            let lines = patch.lead.split_inclusive(|b| *b == b'\n');
            lines.for_each(|l| println!("|{}", text::shown(l).trim_end_matches('\n')));
            println!("--------------------------");
        }
        let questions: &[&str] = if self.force || self.batch {
            &["No file to patch.  Skipping patch."]
        } else {
            &["File to patch: ", "Skip this patch? [y] ", "Skipping patch."]
        };
        self.skip(patch, questions, None)
    }

    fn place(&self, patch: &Patch<'_>) -> Option<Place> {
        let (Some((from, to)), None) = (&patch.rename, &self.file) else {
            let name = self.target(patch)?;
            return Some(Place { from: name.clone(), name, note: String::new(), moved: false });
        };
        let strip = |n: &str| self.strip.unwrap_or(0).saturating_sub(1).min(n.matches('/').count());
        let cut = |n: &str| n.splitn(strip(n) + 1, '/').last().unwrap_or(n).to_owned();
        let (from, name) = if self.reverse { (cut(to), cut(from)) } else { (cut(from), cut(to)) };
        let there = |name: &str| sys::stat(Path::new(name), false).is_ok();
        let verb = if patch.copy { "copied" } else { "renamed" };
        if !there(&from) && there(&name) {
            let note = format!(" (already {verb} from {})", quoted(&from));
            return Some(Place { from: name.clone(), name, note, moved: false });
        }
        Some(Place { note: format!(" ({verb} from {})", quoted(&from)), moved: !patch.copy, from, name })
    }

    /// Reads the present contents of the file; `None` if it does not exist.
    fn read(&self, patch: &Patch<'_>, path: &Path) -> Result<Option<Vec<u8>>, String> {
        let read = if patch.is_link() {
            std::fs::read_link(path).map(|target| target.as_os_str().as_encoded_bytes().to_vec())
        } else {
            std::fs::read(path)
        };
        match read {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("Can't open file {} : {}", path.display(), text::reason(&error))),
        }
    }

    /// Decides about a patch that seems to be applied already, and may reverse it; returns whether to continue, and the messages if not.
    fn doubt(&mut self, what: &str) -> (bool, Vec<String>) {
        if self.forward {
            return (false, vec![format!("{what}  Skipping patch.")]);
        }
        if self.force {
            self.tell(&format!("{what}  Applying it anyway."));
            return (true, Vec::new());
        }
        if self.batch {
            self.say(&format!("{what}  {} -R.", if self.reverse { "Ignoring" } else { "Assuming" }));
            self.reverse = !self.reverse;
            self.assumed = true;
            return (true, Vec::new());
        }
        let asks = format!("{what}  {} -R? [n] ", if self.reverse { "Ignore" } else { "Assume" });
        (false, vec![asks, "Apply anyway? [n] ".into(), "Skipping patch.".into()])
    }

    fn patch(&mut self, patch: &Patch<'_>) -> Result<(), String> {
        if patch.returns {
            self.say("(Stripping trailing CRs from patch; use --binary to disable.)");
        }
        let Some(place) = self.place(patch) else { return self.no_file(patch) };
        let name = quoted(&place.name);
        if patch.binary {
            self.tell(&format!("File {name}: git binary diffs are not supported."));
            self.failed = true;
            return Ok(());
        }
        let path = PathBuf::from(&place.from);
        let own = PathBuf::from(format!("{}.rej", place.name));
        let save = |job: &Self| if job.dry { None } else { Some(own.clone()) };
        let link = sys::stat(&path, false).is_ok_and(|stat| stat.is_link());
        let there = sys::stat(&path, false).is_ok();
        if !self.follow && there && link != patch.is_link() {
            let kind = if patch.is_link() { "symbolic link" } else { "regular file" };
            println!("File {name} is not a {kind} -- refusing to patch");
            return self.skip(patch, &[], save(self).as_deref());
        }
        let old = self.read(patch, &path)?;
        let missing = [patch.missing.0, patch.missing.1];
        let empty = old.as_ref().is_none_or(Vec::is_empty);
        if !patch.hunks.is_empty() && u8::from(!empty) < missing[usize::from(self.reverse) ^ usize::from(empty)] {
            let (verb, why) = match (&old, empty) {
                (None, _) => ("delete", "does not exist"),
                (_, true) => ("empty out", "is already empty"),
                _ => ("create", "already exists"),
            };
            let when = if self.reverse { ", when reversed," } else { "" };
            let (on, questions) = self.doubt(&format!("The next patch{when} would {verb} the file {name},\nwhich {why}!"));
            if !on {
                let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
                return self.skip(patch, &questions, None);
            }
        }
        let protected = sys::stat(&path, true).is_ok_and(|stat| stat.mode & 0o200 == 0);
        match self.read_only.as_str() {
            "warn" if protected => self.say(&format!("File {name} is read-only; trying to patch anyway")),
            "fail" if protected => {
                self.tell(&format!("File {name} is read-only; refusing to patch"));
                return self.skip(patch, &[], save(self).as_deref());
            }
            _ => {}
        }
        let kind = if patch.is_link() { "symbolic link" } else { "file" };
        self.say(&match &self.output {
            Some(out) => format!("patching {kind} {} (read from {name})", text::show(out)),
            None => format!("{} {kind} {name}{}", if self.dry { "checking" } else { "patching" }, place.note),
        });
        if let Some(message) = &patch.broken {
            return Err(message.clone());
        }
        if old.is_none() && patch.missing == (0, 0) && self.file.is_some() && !patch.hunks.is_empty() {
            for (n, hunk) in patch.hunks.iter().enumerate() {
                self.tell(&format!("Hunk #{} FAILED at {}.", n + 1, hunk.old.0.max(1)));
            }
            return Err(format!("Can't reopen file {name} : No such file or directory"));
        }
        if old.is_none() && patch.rename.is_some() {
            return Err(format!("Can't open file {} : No such file or directory", place.from));
        }
        self.hunks(patch, &place, &old.unwrap_or_default())
    }

    fn hunks(&mut self, patch: &Patch<'_>, place: &Place, old: &[u8]) -> Result<(), String> {
        let hunks = if self.reverse { turn(&patch.hunks) } else { patch.hunks.clone() };
        let (mut outcomes, mut new) = apply_each(old, &hunks, self.rules);
        let creates = [patch.missing.0, patch.missing.1][usize::from(self.reverse)] == 2;
        if creates && !old.is_empty() && outcomes.len() == 1 {
            (outcomes, new) = (vec![Outcome::Failed], old.to_vec());
        }
        let rejects =
            self.rejects.clone().unwrap_or_else(|| format!("{}.rej", self.output.as_ref().map_or(place.name.clone(), text::show)).into());
        let rejects = PathBuf::from(rejects);
        // If the first hunk does not fit, or only with less context than reversed, it may be applied already.
        let fuzz = first_fuzz(&outcomes);
        if fuzz != Some(0) && !self.force && !self.assumed && !hunks.is_empty() {
            let back = first_fuzz(&apply_each(old, &turn(&hunks[..1]), self.rules).0);
            if back.is_some_and(|back| fuzz.is_none_or(|fuzz| back < fuzz)) {
                let kind = if self.reverse { "Unreversed" } else { "Reversed (or previously applied)" };
                let (on, questions) = self.doubt(&format!("{kind} patch detected!"));
                if on {
                    return self.hunks(patch, place, old);
                }
                let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
                let save = if self.dry { None } else { Some(rejects.as_path()) };
                return self.skip(patch, &questions, save);
            }
        }
        let mut mismatch = std::mem::take(&mut self.assumed);
        let failed = self.report(old, &hunks, &outcomes, &mut mismatch);
        let deletes = [patch.missing.0, patch.missing.1][usize::from(!self.reverse)] == 2;
        if deletes && !new.is_empty() && !self.posix && self.output.is_none() {
            self.say(&format!("Not deleting file {} as content differs from patch", quoted(&place.name)));
            (mismatch, self.failed) = (true, true);
        }
        if !failed.is_empty() {
            self.failed = true;
            let unsaved = self.dry || rejects == Path::new("-");
            let saved = if unsaved { String::new() } else { format!(" -- saving rejects to file {}", quoted(&rejects.to_string_lossy())) };
            self.tell(&format!("{} out of {} {} FAILED{saved}", failed.len(), hunks.len(), plural(hunks.len())));
        }
        if self.dry {
            return Ok(());
        }
        if !failed.is_empty() {
            self.save_rejects(&rejects, patch, &failed.iter().collect::<Vec<_>>())?;
        }
        self.finish(patch, place, new, (mismatch || !failed.is_empty(), failed.len() == hunks.len() && !hunks.is_empty(), deletes))
    }

    /// Reports where each hunk fitted; returns those that did not.
    fn report<'d>(&mut self, file: &[u8], hunks: &[Hunk<'d>], outcomes: &[Outcome], mismatch: &mut bool) -> Vec<Hunk<'d>> {
        let mut failed: Vec<Hunk<'d>> = Vec::new();
        // How many lines longer the file is so far.
        let mut grown = 0_isize;
        for (n, (outcome, hunk)) in outcomes.iter().zip(hunks).enumerate() {
            if *outcome != Outcome::Failed {
                grown += hunk.new.1 as isize - hunk.old.1 as isize;
            }
            match outcome {
                Outcome::Failed => {
                    let mut hunk = hunk.clone();
                    hunk.old.0 = hunk.old.0.saturating_add_signed(grown);
                    hunk.new.0 = hunk.new.0.saturating_add_signed(grown);
                    let ends = if without_ends(file, &hunk, self.rules) { " (different line endings)" } else { "" };
                    self.tell(&format!("Hunk #{} FAILED at {}{ends}.", n + 1, hunk.old.0 + usize::from(hunk.old.1 == 0)));
                    failed.push(hunk);
                }
                Outcome::Applied { line, offset, fuzz } if *offset != 0 || *fuzz > 0 || self.verbose => {
                    *mismatch |= *offset != 0 || *fuzz > 0;
                    let fuzz = if *fuzz > 0 { format!(" with fuzz {fuzz}") } else { String::new() };
                    let moved = if *offset != 0 {
                        format!(" (offset {offset} line{})", if *offset == 1 { "" } else { "s" })
                    } else {
                        String::new()
                    };
                    self.say(&format!("Hunk #{} succeeded at {line}{fuzz}{moved}.", n + 1));
                }
                Outcome::Applied { .. } => {}
            }
        }
        failed
    }

    /// Writes the result, or defers it.
    fn finish(
        &mut self,
        patch: &Patch<'_>,
        place: &Place,
        contents: Vec<u8>,
        (mismatch, unchanged, deletes): (bool, bool, bool),
    ) -> Result<(), String> {
        let wrote = |e: std::io::Error| format!("Can't create file {} : {}", place.name, text::reason(&e));
        let path = PathBuf::from(&place.name);
        if let Some(output) = self.output.clone() {
            return self.write_output(&output, &contents).map_err(wrote);
        }
        if self.backup || (self.mismatch && mismatch && path.exists()) {
            self.keep(&path, &path, &place.name).map_err(wrote)?;
            if place.moved {
                let from = PathBuf::from(&place.from);
                self.keep(&from, &from, &place.from).map_err(wrote)?;
            }
        }
        let removed = contents.is_empty() && (self.empty || patch.is_link() || (deletes && !self.posix)) && !unchanged;
        if unchanged && !removed {
            return Ok(());
        }
        let mode = if self.reverse { patch.was } else { patch.mode };
        let mode = mode.filter(|_| !patch.is_link()).map(|mode| mode & 0o777);
        self.kept.insert(path.clone());
        let gone = place.moved.then(|| PathBuf::from(&place.from));
        let change = Change { path, contents: (!removed).then_some(contents), mode, link: patch.is_link(), gone };
        self.queue.push(change);
        if patch.git { Ok(()) } else { self.flush() }
    }

    /// Implements `-o`: the first patch begins the file, the others are appended.
    fn write_output(&mut self, output: &OsString, contents: &[u8]) -> std::io::Result<()> {
        let path = PathBuf::from(output);
        if self.to_output() || self.begun.insert(path.clone()) {
            if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
                std::fs::create_dir_all(folder)?;
            }
            return self.write(&path, contents);
        }
        use std::io::Write;
        std::fs::OpenOptions::new().append(true).open(path)?.write_all(contents)
    }
}
