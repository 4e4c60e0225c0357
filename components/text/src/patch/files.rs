//! The files that `patch` writes: backups, rejects, and the patched file.

use super::parse::Patch;
use super::{Job, rejects};
use crate::{sys, text};
use std::io::Write;
use std::path::{Path, PathBuf};
use wisp_diff::Hunk;

/// The change of a file.
pub(super) struct Change {
    /// The file.
    pub(super) path: PathBuf,
    /// Its new contents; `None` if it is removed.
    pub(super) contents: Option<Vec<u8>>,
    /// Its new mode.
    pub(super) mode: Option<u32>,
    /// Whether it is a symbolic link, with its target as contents.
    pub(super) link: bool,
    /// The old file of a rename, which is removed.
    pub(super) gone: Option<PathBuf>,
}

/// Removes folders that are now empty, up to the first that is not.
fn empty_folders(path: &Path) {
    for folder in path.ancestors().skip(1).take_while(|f| !f.as_os_str().is_empty()) {
        if std::fs::remove_dir(folder).is_err() {
            break;
        }
    }
}

impl Job {
    /// Backs up a file.
    pub(super) fn keep(&mut self, path: &Path, place: &Path, name: &str) -> std::io::Result<()> {
        // Of a file that this run made or backed up before, the first state stays.
        if !self.kept.insert(place.to_path_buf()) {
            return Ok(());
        }
        let (folder, last) = name.rsplit_once('/').map_or(("", name), |(folder, last)| (folder, last));
        let slash = if name.contains('/') { "/" } else { "" };
        let mut suffix = self.suffix.clone();
        if let Some(always) = self.numbered {
            let number = |n: usize| format!(".~{n}~");
            let next = (1..).find(|n| !Path::new(&format!("{name}{}", number(*n))).exists()).unwrap_or(1);
            if always || next > 1 {
                suffix = number(next);
            }
        }
        let kept = PathBuf::from(format!("{}{folder}{slash}{}{last}{suffix}", self.prefixes.0, self.prefixes.1));
        if let Some(folder) = kept.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)?;
        }
        let Ok(stat) = sys::stat(path, false) else {
            // The backup of a file that did not exist is empty.
            return std::fs::write(kept, b"");
        };
        let _ = std::fs::remove_file(&kept);
        if stat.is_link() {
            return wisp_tool::sys::symlink(&std::fs::read_link(path)?, &kept);
        }
        std::fs::copy(path, &kept)?;
        wisp_tool::sys::set_times(&kept, stat.atime, stat.mtime, true)?;
        sys::set_mode(&kept, stat.mode)
    }

    /// Makes the deferred changes.
    pub(super) fn flush(&mut self) -> Result<(), String> {
        let queue = std::mem::take(&mut self.queue);
        // Remove renamed files first: another file may take their names.
        for change in &queue {
            if let Some(from) = &change.gone {
                std::fs::remove_file(from).map_err(|e| format!("Can't remove file {} : {}", from.display(), text::reason(&e)))?;
                empty_folders(from);
            }
        }
        queue.iter().try_for_each(|change| self.change(change))
    }

    fn change(&self, change: &Change) -> Result<(), String> {
        let path = &change.path;
        let wrote = |e: std::io::Error| format!("Can't create file {} : {}", path.display(), text::reason(&e));
        let Some(contents) = &change.contents else {
            return match std::fs::remove_file(path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    Err(format!("Can't remove file {} : {}", path.display(), text::reason(&error)))
                }
                _ => {
                    empty_folders(path);
                    Ok(())
                }
            };
        };
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(wrote)?;
        }
        if change.link {
            let _ = std::fs::remove_file(path);
            return wisp_tool::sys::symlink(&wisp_tool::sys::path_from_bytes(contents), path).map_err(wrote);
        }
        // A followed link becomes the file.
        if sys::stat(path, false).is_ok_and(|stat| stat.is_link()) {
            std::fs::remove_file(path).map_err(wrote)?;
        }
        self.write(path, contents).map_err(wrote)?;
        change.mode.map_or(Ok(()), |mode| sys::set_mode(path, mode)).map_err(wrote)
    }

    /// Writes a file, or standard output. A read-only file is replaced, as by a rename, and keeps its mode.
    pub(super) fn write(&self, target: &Path, contents: &[u8]) -> std::io::Result<()> {
        if self.to_output() {
            let mut out = text::output();
            return out.write_all(contents).and_then(|()| out.flush());
        }
        let mode = sys::stat(target, true).ok().map(|stat| stat.mode).filter(|mode| mode & 0o200 == 0);
        if mode.is_some() {
            std::fs::remove_file(target)?;
        }
        std::fs::write(target, contents)?;
        mode.map_or(Ok(()), |mode| sys::set_mode(target, mode))
    }

    /// Writes the hunks that did not fit, unless the option is `-r -`.
    pub(super) fn save_rejects(&mut self, path: &Path, patch: &Patch<'_>, hunks: &[&Hunk<'_>]) -> Result<(), String> {
        if path == Path::new("-") {
            return Ok(());
        }
        let context = match self.reject_format.as_deref() {
            Some("context") => true,
            Some(_) => false,
            None => patch.context,
        };
        let out = rejects::text(patch, hunks, context);
        let first = self.begun.insert(path.to_path_buf());
        let opened = std::fs::OpenOptions::new().create(true).write(true).truncate(first).append(!first).open(path);
        let mut file = opened.map_err(|e| format!("Can't create file {} : {}", path.display(), text::reason(&e)))?;
        file.write_all(&out).map_err(|e| format!("write error : {}", text::reason(&e)))
    }
}
