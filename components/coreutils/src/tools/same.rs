//! Copying a file onto itself under any of its names, as GNU's `cp` handles it.

use super::copy::{Copier, Manner};
use crate::sys::{self, Kind, Stat};
use std::path::{Path, PathBuf};

/// What to do about a destination that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is another file, or may be replaced.
    Go,
    /// It is already the wanted file.
    Done,
    /// Report that `'a' and 'b' are the same file`.
    Same,
    /// A link cannot replace it.
    Exists,
    /// It has the same name: the backup becomes a copy, and the file stays (`cp -bf a a`).
    CopyToBackup,
}

/// Compares source and destination. `stat` describes the source that is copied.
pub(crate) fn verdict(c: &Copier, from: &Path, to: &Path, stat: &Stat, there: &Stat) -> Verdict {
    let replaces = c.force || c.unlink_first || c.backup.is_some();
    let links = c.manner != Manner::Bytes;
    let source_link = sys::stat(from, false).is_ok_and(|s| s.is_link());
    let target = sys::stat(to, true).ok();
    let source = sys::stat(from, true).ok();
    let same_target = target.as_ref().is_some_and(|t| t.same(stat) || source.as_ref().is_some_and(|s| s.same(t)));
    if !there.same(stat) && !same_target && !sys::stat(from, false).is_ok_and(|s| s.same(there)) {
        return if links && !replaces { Verdict::Exists } else { Verdict::Go };
    }
    if place(from) == place(to) {
        let into_backup = c.backup.is_some() && c.force && !stat.is_link();
        return match c.manner {
            Manner::SymbolicLink => Verdict::Same,
            _ if into_backup => Verdict::CopyToBackup,
            Manner::HardLink => Verdict::Done,
            Manner::Bytes => Verdict::Same,
        };
    }
    if there.kind != Kind::Link {
        // Another name of the file, or a link to it like the source.
        return match c.manner {
            Manner::HardLink => Verdict::Done,
            Manner::SymbolicLink => Verdict::Same,
            Manner::Bytes if source_link && !stat.is_link() => Verdict::Same,
            Manner::Bytes if source_link && c.backup.is_none() => Verdict::Same,
            Manner::Bytes if c.unlink_first || c.backup.is_some() => Verdict::Go,
            Manner::Bytes => Verdict::Same,
        };
    }
    if links {
        let same_link = stat.is_link() && there.same(stat);
        return if same_link && c.backup.is_none() {
            Verdict::Done
        } else if replaces {
            Verdict::Go
        } else {
            Verdict::Exists
        };
    }
    if stat.is_link() {
        // A link that is another name of the source stays.
        return if there.same(stat) && c.backup.is_none() { Verdict::Done } else { Verdict::Go };
    }
    if c.unlink_first || c.backup.is_some() { Verdict::Go } else { Verdict::Same }
}

/// Returns the real directory of a name, and the name in it.
pub(crate) fn place(path: &Path) -> Option<PathBuf> {
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(std::fs::canonicalize(parent).ok()?.join(path.file_name()?))
}
