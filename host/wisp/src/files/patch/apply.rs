//! Applies a diff to the files in a directory: first to their contents in memory, then beside the files, then in their
//! place.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;

use super::hunks;
use super::sections::{Section, parse};
use crate::files::error::{At, Done, FilesReason};
use crate::files::path::join;
use crate::files::read::whole;
use crate::files::view::View;
use crate::files::write::{NEW_DIRECTORY, Scratch, replaceable};
use wisp_api::{PatchChange, PatchReject, Patched, PatchedFile};
use wisp_diff::Moved;
use wisp_vfs::{FileType, FsError, Node};

/// Maximum bytes of a diff.
const MAX_DIFF: u64 = 64 << 20;

/// Maximum bytes of all files that a diff names, which are held until it is applied.
const MAX_FILES: u64 = 256 << 20;

/// Maximum bytes of all that hunks make, which are held beside the files until it is applied. Attack: many copies of a large
/// file, each with a change. All of the files that a diff may name fit, with all that it adds, if each is changed once.
const MAX_RESULTS: u64 = MAX_FILES + MAX_DIFF;

/// The contents and the mode of a file.
type State = Option<(Bytes, u32)>;

/// A file that the diff names.
struct File {
    before: State,
    now: State,
}

/// The files that the diff names, by their path from the directory.
struct Plan<'v> {
    view: &'v View,
    base: String,
    top: Node,
    files: BTreeMap<String, File>,
    left: u64,
    room: u64,
    /// Names that some section takes away: another file may get them.
    leaving: BTreeSet<String>,
}

pub(super) fn apply(view: &View, base: &str, diff: &[u8], write: bool) -> Done<Patched> {
    if diff.len() as u64 > MAX_DIFF {
        return Err(FilesReason::Bound { what: "bytes in the diff", limit: MAX_DIFF }.into());
    }
    let base = view.plain(base)?;
    let top = view.directory(&base)?;
    let sections = parse(diff)?;
    let leaves = |section: &Section<'_>| section.old.clone().filter(|_| section.new.is_none() || section.moves == Some(Moved::Rename));
    let leaving = sections.iter().filter_map(leaves).collect();
    let mut plan = Plan { view, base, top, files: BTreeMap::new(), left: MAX_FILES, room: MAX_RESULTS, leaving };
    let mut patched = Patched::default();
    for section in &sections {
        view.check()?;
        patched.files.push(plan.section(section)?);
    }
    if write {
        plan.write()?;
    }
    Ok(patched)
}

fn reject(section: &Section<'_>, file: &str, reason: impl Into<String>) -> FilesReason {
    FilesReason::Patch(PatchReject { file: Some(file.to_owned()), hunk: None, line: section.at, reason: reason.into() })
}

/// Returns the components of a name in a diff.
fn components(name: &str) -> Result<Vec<&str>, &'static str> {
    if name.starts_with('/') {
        return Err("the name is absolute");
    }
    let names: Vec<&str> = name.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    match names.as_slice() {
        [] => Err("the name is empty"),
        names if names.contains(&"..") => Err("there is `..` in the name"),
        _ => Ok(names),
    }
}

impl Plan<'_> {
    /// Applies one section to the contents in memory.
    fn section(&mut self, section: &Section<'_>) -> Done<PatchedFile> {
        let (from, to, change) = self.names(section)?;
        let old = match &from {
            None => None,
            // What is moved is the file as it was: two files may change places.
            Some(from) if section.moves.is_some() => self.load(section, from)?.before.clone(),
            Some(from) => self.load(section, from)?.now.clone(),
        };
        let name = to.as_deref().or(from.as_deref()).unwrap_or_default().to_owned();
        if from.is_some() && old.is_none() {
            return Err(reject(section, from.as_deref().unwrap_or_default(), "the file does not exist").into());
        }
        let (contents, mode) = old.unwrap_or((Bytes::new(), 0o644));
        let (contents, offset) = match section.hunks.as_slice() {
            [] => (contents, 0),
            hunks => {
                let (new, offset) = hunks::apply(&name, &contents, hunks).map_err(FilesReason::from)?;
                let over = FilesReason::Bound { what: "bytes in the files that the diff makes", limit: MAX_RESULTS };
                self.room = self.room.checked_sub(new.len() as u64).ok_or(over)?;
                (Bytes::from(new), offset)
            }
        };
        match &to {
            None if !contents.is_empty() => {
                return Err(reject(section, &name, "the diff deletes the file, which has more than the lines that it removes").into());
            }
            None => self.load(section, &name)?.now = None,
            Some(to) => {
                let free = self.leaving.contains(to);
                let file = self.load(section, to)?;
                if from.as_ref() != Some(to) && file.now.is_some() && !free {
                    return Err(reject(section, to, "the file exists already").into());
                }
                file.now = Some((contents, executable(mode, section.new_mode)));
                if let (Some(from), Some(Moved::Rename)) = (&from, section.moves)
                    && from != to
                {
                    let source = self.load(section, from)?;
                    if source.now == source.before {
                        source.now = None;
                    }
                }
            }
        }
        Ok(PatchedFile { path: join(&self.base, &name), change, hunks: section.hunks.len(), offset })
    }

    /// Returns the old and the new name of a section, and what happens to the file.
    fn names(&mut self, section: &Section<'_>) -> Done<(Option<String>, Option<String>, PatchChange)> {
        let clean = |name: &String| match components(name) {
            Ok(names) => Ok(names.join("/")),
            Err(reason) => Err(reject(section, name, format!("{reason}; a diff changes files in its directory only"))),
        };
        let (old, new) = (section.old.as_ref().map(clean).transpose()?, section.new.as_ref().map(clean).transpose()?);
        let path = |name: &str| join(&self.base, name);
        Ok(match (old, new) {
            (None, new) => (None, new, PatchChange::Created),
            (old, None) => (old, None, PatchChange::Deleted),
            (Some(old), Some(new)) => match section.moves {
                Some(Moved::Rename) => (Some(old.clone()), Some(new), PatchChange::Renamed { from: path(&old) }),
                Some(Moved::Copy) => (Some(old.clone()), Some(new), PatchChange::Copied { from: path(&old) }),
                None => {
                    // `diff` writes the names that it was given, `x.orig` and `x` for example: the one that exists.
                    let there = self.load(section, &new)?.now.is_some();
                    let name = if there || self.load(section, &old)?.now.is_none() { new } else { old };
                    let exists = self.load(section, &name)?.now.is_some();
                    let creates = matches!(section.hunks.as_slice(), [only] if only.old.0 == 0);
                    match exists || !creates {
                        true => (Some(name.clone()), Some(name), PatchChange::Modified),
                        false => (None, Some(name), PatchChange::Created),
                    }
                }
            },
        })
    }

    /// Returns the file as it is now, read once.
    fn load(&mut self, section: &Section<'_>, name: &str) -> Done<&mut File> {
        if !self.files.contains_key(name) {
            let before = self.read(section, name)?;
            if let Some((contents, _)) = &before {
                let over = FilesReason::Bound { what: "bytes in the files that the diff names", limit: MAX_FILES };
                self.left = self.left.checked_sub(contents.len() as u64).ok_or(over)?;
            }
            self.files.insert(name.to_owned(), File { now: before.clone(), before });
        }
        // It was put there above.
        self.files.get_mut(name).ok_or_else(|| FsError::Io.into())
    }

    fn read(&self, section: &Section<'_>, name: &str) -> Done<State> {
        let path = join(&self.base, name);
        let Some(folder) = self.folder(section, name, &mut None)? else { return Ok(None) };
        let fs = &self.view.fs;
        let last = name.rsplit('/').next().unwrap_or_default();
        let stat = match fs.stat(&folder, last, false) {
            Err(FsError::NotFound) => return Ok(None),
            stat => stat.at(&path)?,
        };
        match stat.kind {
            FileType::Regular => {}
            FileType::Symlink => return Err(reject(section, name, "the file is a symbolic link, which a diff does not follow").into()),
            _ => return Err(reject(section, name, "it is not a file").into()),
        }
        let how = wisp_vfs::OpenHow { read: true, follow: false, ..wisp_vfs::OpenHow::default() };
        let mode = replaceable(&stat).at(&path)?;
        let node = fs.open(&folder, last, how).at(&path)?;
        Ok(Some((whole(&node, MAX_FILES).at(&path)?, mode)))
    }

    /// Returns the directory of a file. None of those above it is a symbolic link. Missing ones are made if there is a place to
    /// note them.
    fn folder(&self, section: &Section<'_>, name: &str, made: &mut Option<&mut Vec<(Node, String)>>) -> Done<Option<Node>> {
        let mut at = self.top.clone();
        let Some((folders, _)) = name.rsplit_once('/') else { return Ok(Some(at)) };
        for folder in folders.split('/') {
            let opened = match (self.view.open_beside(&at, folder), &mut *made) {
                (Err(FsError::NotFound), None) => return Ok(None),
                (Err(FsError::NotFound), Some(made)) => {
                    self.view.fs.mkdir(&at, folder, NEW_DIRECTORY).at(&join(&self.base, folders))?;
                    made.push((at.clone(), folder.to_owned()));
                    self.view.open_beside(&at, folder)
                }
                (opened, _) => opened,
            };
            at = match opened {
                Err(FsError::NotDirectory | FsError::Loop) => {
                    return Err(reject(section, name, format!("`{folder}` above it is a symbolic link or a file")).into());
                }
                opened => opened.at(&join(&self.base, folders))?,
            };
        }
        Ok(Some(at))
    }

    /// Writes every file that changed. The new contents are complete beside the files before the first file is replaced,
    /// so quota, mounts and permissions have agreed. If a guest makes one of the last steps fail, the earlier ones are
    /// taken back.
    fn write(self) -> Done<()> {
        let mut made = Vec::new();
        let written = self.stage(&mut made).and_then(|steps| self.replace_all(steps));
        if written.is_err() {
            for (folder, name) in made.into_iter().rev() {
                // It stays if a guest has put something there.
                let _ = self.view.fs.rmdir(&folder, &name);
            }
        }
        written
    }

    fn stage(&self, made: &mut Vec<(Node, String)>) -> Done<Vec<Staged<'_>>> {
        let nowhere = Section::default();
        let mut steps = Vec::new();
        for (name, file) in self.files.iter().filter(|(_, file)| file.now != file.before) {
            self.view.check()?;
            let path = join(&self.base, name);
            let folder = self.folder(&nowhere, name, &mut Some(&mut *made))?.ok_or(FsError::NotFound).at(&path)?;
            let last = name.rsplit('/').next().unwrap_or_default();
            // A deletion needs the same right to the directory: a scratch file shows that it is there.
            let scratch = Scratch::new(&self.view.fs, folder.clone(), last, None).at(&path)?;
            let scratch = match &file.now {
                Some((contents, _)) => {
                    scratch.node.write_all_at(0, contents).at(&path)?;
                    Some(scratch)
                }
                None => None,
            };
            steps.push(Staged { path, folder, last, file, scratch });
        }
        Ok(steps)
    }

    fn replace_all(&self, mut steps: Vec<Staged<'_>>) -> Done<()> {
        for number in 0..steps.len() {
            let done = steps[number].take_place(self.view);
            if let Err(error) = done {
                for step in steps[..number].iter().rev() {
                    // Its own error would hide the first one.
                    let _ = step.take_back(self.view);
                }
                return Err(error).at(&steps[number].path);
            }
        }
        Ok(())
    }
}

/// A file whose new contents are ready.
struct Staged<'p> {
    path: String,
    folder: Node,
    last: &'p str,
    file: &'p File,
    /// None for a file that is deleted.
    scratch: Option<Scratch>,
}

impl Staged<'_> {
    fn take_place(&mut self, view: &View) -> Result<(), FsError> {
        match (&mut self.scratch, &self.file.now) {
            (Some(scratch), Some((_, mode))) => scratch.finish(Some(*mode)),
            _ => view.fs.unlink(&self.folder, self.last),
        }
    }

    fn take_back(&self, view: &View) -> Done<()> {
        match &self.file.before {
            None => Ok(view.fs.unlink(&self.folder, self.last)?),
            Some((contents, mode)) => {
                let mut scratch = Scratch::new(&view.fs, self.folder.clone(), self.last, Some(*mode))?;
                scratch.node.write_all_at(0, contents)?;
                Ok(scratch.finish(Some(*mode))?)
            }
        }
    }
}

/// Returns the mode of a file, with the executable bits of git's mode where it gives one.
fn executable(mode: u32, git: Option<u32>) -> u32 {
    match git {
        None => mode,
        Some(git) if git & 0o111 == 0 => mode & !0o111,
        // Executable for those who may read it.
        Some(_) => mode | ((mode & 0o444) >> 2),
    }
}
