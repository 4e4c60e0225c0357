//! The filesystem that policies name: the only [`Source`] that does I/O.

#![expect(clippy::disallowed_methods, reason = "reads policies from disk")]

use std::ffi::OsString;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};

use crate::mount::kernel_filesystem;
use wisp_policy::{POLICY_BYTES, PolicyText, Source, SourceError};

/// The host's filesystem; relative paths are relative to the working directory.
#[derive(Debug, Clone, Copy, Default)]
pub struct HostFiles;

impl Source for HostFiles {
    fn read(&self, path: &Path) -> Result<PolicyText, SourceError> {
        let identity = self.file(path)?;
        let mut bytes = Vec::new();
        // Reading one byte more than allowed detects a policy that is too large, however large it is.
        let file = File::open(&identity).map_err(reason)?;
        file.take(POLICY_BYTES + 1).read_to_end(&mut bytes).map_err(reason)?;
        if bytes.len() as u64 > POLICY_BYTES {
            return Err(SourceError::TooLarge(POLICY_BYTES));
        }
        let text = String::from_utf8(bytes).map_err(|_| SourceError::NotText)?;
        Ok(PolicyText { identity, text })
    }

    fn mountable(&self, path: &Path) -> Result<PathBuf, SourceError> {
        let found = path.canonicalize().map_err(reason)?;
        // Not a pipe or a device: opening one could block forever.
        if !found.is_dir() && !found.is_file() {
            return Err(SourceError::NotMountable);
        }
        match kernel_filesystem(&found).map_err(reason)? {
            Some(name) => Err(SourceError::Kernel(name)),
            None => Ok(found),
        }
    }

    fn file(&self, path: &Path) -> Result<PathBuf, SourceError> {
        let found = path.canonicalize().map_err(reason)?;
        // Not a pipe or a device either: opening one could block forever.
        if found.is_file() { Ok(found) } else { Err(SourceError::NotAFile) }
    }

    /// Compares device and inode of everything above `path`, which symbolic links and other names do not change.
    /// Where the kernel lists mounts, also compares the places within the filesystems themselves, so that a bind
    /// mount is detected. A `path` that does not exist is where it would be made: in the first folder above it that does. One that is a
    /// link is in two places: its own, and that of the file it leads to.
    fn holds(&self, holder: &Path, path: &Path) -> bool {
        let own = path.is_symlink().then(|| path.parent()).flatten();
        [Some(path), own].into_iter().flatten().any(|path| is_below(holder, path))
    }

    fn links(&self, path: &Path) -> Vec<PathBuf> {
        let Ok(path) = std::path::absolute(path) else { return Vec::new() };
        let (mut at, mut found, mut left) = (PathBuf::from("/"), Vec::new(), names(&path));
        while let Some(name) = left.pop() {
            // The directory is real, and so is the one above it.
            if name == ".." {
                at.pop();
                continue;
            }
            at.push(name);
            let Ok(target) = at.read_link() else { continue };
            if found.len() == MAX_LINKS {
                break;
            }
            found.push(at.clone());
            at.pop();
            if target.is_absolute() {
                at = PathBuf::from("/");
            }
            left.extend(names(&target));
        }
        found
    }
}

/// Maximum links that the kernel follows in one path.
const MAX_LINKS: usize = 40;

/// Returns the names of a path, the last one first.
fn names(path: &Path) -> Vec<OsString> {
    let names = path.components().filter(|name| matches!(name, Component::Normal(_) | Component::ParentDir));
    names.rev().map(|name| name.as_os_str().to_owned()).collect()
}

fn is_below(holder: &Path, path: &Path) -> bool {
    let there = path.ancestors().find_map(|above| above.canonicalize().ok());
    let (Ok(holder), Some(path)) = (holder.canonicalize(), there) else { return false };
    let Ok(facts) = holder.metadata() else { return false };
    let is_holder = |path: &Path| path.metadata().is_ok_and(|found| (found.dev(), found.ino()) == (facts.dev(), facts.ino()));
    if path.ancestors().any(is_holder) {
        return true;
    }
    // Without /proc there is no table; the directories above have been compared.
    let Ok(table) = std::fs::read("/proc/self/mountinfo") else { return false };
    match (place(&table, &holder), place(&table, &path)) {
        (Some((device, holder)), Some((other, path))) => device == other && path.starts_with(holder),
        _ => false,
    }
}

/// Returns the place of an absolute path on its filesystem: the device number as in the table of mounts, and the path from
/// the filesystem's root.
fn place(table: &[u8], path: &Path) -> Option<(Vec<u8>, PathBuf)> {
    let mut best: Option<(usize, Vec<u8>, PathBuf)> = None;
    for line in table.split(|byte| *byte == b'\n') {
        let fields: Vec<&[u8]> = line.split(|byte| *byte == b' ').collect();
        let [_, _, device, root, point, ..] = fields[..] else { continue };
        let point = unescape(point);
        let Ok(rest) = path.strip_prefix(&point) else { continue };
        let depth = point.components().count();
        // If two mounts share one place, the later covers the earlier.
        if best.as_ref().is_none_or(|(deepest, ..)| depth >= *deepest) {
            best = Some((depth, device.to_vec(), unescape(root).join(rest).components().collect()));
        }
    }
    best.map(|(_, device, path)| (device, path))
}

/// Returns a path of the table, in which spaces and similar characters are written as octal numbers.
fn unescape(text: &[u8]) -> PathBuf {
    let (mut bytes, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let digits = text.get(at + 1..at + 4).filter(|_| text[at] == b'\\').and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            bytes.push(byte);
            at += 4;
        } else {
            bytes.push(text[at]);
            at += 1;
        }
    }
    PathBuf::from(OsString::from_vec(bytes))
}

fn reason(error: std::io::Error) -> SourceError {
    match error.kind() {
        ErrorKind::NotFound => SourceError::NotFound,
        ErrorKind::NotADirectory => SourceError::NotADirectory,
        ErrorKind::PermissionDenied => SourceError::Other("permission denied".into()),
        _ => SourceError::Other(error.to_string()),
    }
}

#[cfg(test)]
#[path = "policy_files_tests.rs"]
mod tests;
