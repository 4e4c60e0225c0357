//! The section of a diff: what it says about one file.

use crate::files::FilesReason;
use wisp_api::{DiffForm, FileDiff};
use wisp_diff::quoted;
use wisp_vfs::{Difference, FileType, Version};

/// Maximum bytes of a file that is compared line by line.
const MAX_TEXT: u64 = 4 << 20;

/// The first bytes of a file, in which a zero says that it is no text, as for git.
const LOOKED_AT: usize = 8_000;

/// Permission bits that a diff names.
const PLAIN: u32 = 0o777;

/// Names no contents. Without such a line `git apply` passes over a section whose contents it does not have, and applies the
/// rest; with it, it refuses the whole.
const INDEX: &str = "index 0000000..0000000\n";

/// What has been written.
struct Section {
    text: Vec<u8>,
    name: String,
    added: u64,
    removed: u64,
    form: DiffForm,
}

/// Returns the section of a file whose name is relative to the directory `base`.
pub(super) fn of(difference: &Difference, base: &str) -> Result<FileDiff, FilesReason> {
    let path = &difference.path;
    let name = path.strip_prefix(base).filter(|rest| base == "/" || rest.starts_with('/')).unwrap_or(path);
    let name = Some(name.trim_start_matches('/')).filter(|name| !name.is_empty()).unwrap_or(".");
    let mut section = Section { text: Vec::new(), name: name.to_owned(), added: 0, removed: 0, form: DiffForm::Lines };
    match (&difference.before, &difference.after) {
        (Some(before), Some(after)) if before.kind == FileType::Regular && after.kind == FileType::Regular => {
            section.contents(Some(before), Some(after))?;
        }
        (Some(before), Some(after)) if before.kind == after.kind && before.kind != FileType::Symlink => {
            section.sentence(&format!("Mode of {}", word(after.kind)), &format!(": {:03o} -> {:03o}", before.mode, after.mode));
        }
        // A link has another target, or a file has another type: one goes, and the other comes.
        (before, after) => {
            if let Some(before) = before {
                section.one("Deleted", before, true)?;
            }
            if let Some(after) = after {
                section.one("New", after, false)?;
            }
        }
    }
    let Section { text, added, removed, form, .. } = section;
    Ok(FileDiff { text: text.into(), added, removed, form })
}

impl Section {
    /// Writes a file that goes or comes.
    fn one(&mut self, what: &str, version: &Version, goes: bool) -> Result<(), FilesReason> {
        match version.kind {
            FileType::Regular | FileType::Symlink => {
                let (before, after) = if goes { (Some(version), None) } else { (None, Some(version)) };
                self.contents(before, after)
            }
            kind => {
                self.sentence(&format!("{what} {}", word(kind)), "");
                Ok(())
            }
        }
    }

    fn sentence(&mut self, what: &str, rest: &str) {
        self.form = DiffForm::Sentence;
        let name = quoted(&self.name);
        self.push(&format!("{what}: {name}{rest}\n"));
    }

    /// Writes a regular file or a link, or two regular files.
    fn contents(&mut self, before: Option<&Version>, after: Option<&Version>) -> Result<(), FilesReason> {
        let [old, new] = ["a", "b"].map(|side| quoted(&format!("{side}/{}", self.name)));
        self.push(&format!("diff --git {old} {new}\n"));
        match (before, after) {
            (Some(before), Some(after)) if before.mode & PLAIN != after.mode & PLAIN => {
                self.push(&format!("old mode {}\nnew mode {}\n", mode(before), mode(after)));
            }
            (Some(before), None) => self.push(&format!("deleted file mode {}\n", mode(before))),
            (None, Some(after)) => self.push(&format!("new file mode {}\n", mode(after))),
            _ => {}
        }
        let old = before.map_or("/dev/null", |_| &old);
        let new = after.map_or("/dev/null", |_| &new);
        let text = |version: Option<&Version>| match version {
            Some(Version { target: Some(target), .. }) => Ok(Some(target.clone().into())),
            Some(version) => version.read(MAX_TEXT),
            None => Ok(Some(bytes::Bytes::new())),
        };
        let (Some(one), Some(other)) = (text(before)?, text(after)?) else {
            self.form = DiffForm::TooLarge;
            let [one, other] = [before, after].map(|version| version.map_or(0, |version| version.size));
            // As git knows it: what begins and ends with these words cannot be applied.
            self.push(&format!("{INDEX}Files {old} and {new} ({one} and {other} bytes, too large to show) differ\n"));
            return Ok(());
        };
        if one == other {
            return Ok(());
        }
        if [&one, &other].iter().any(|text| text.iter().take(LOOKED_AT).any(|byte| *byte == 0)) {
            self.form = DiffForm::Binary;
            self.push(&format!("{INDEX}Binary files {old} and {new} differ\n"));
            return Ok(());
        }
        // A name with a space ends in a tab, or readers take the space for its end.
        let end = |name: &str| if name.contains(' ') && !name.starts_with('"') { "\t" } else { "" };
        self.push(&format!("--- {old}{}\n+++ {new}{}\n", end(old), end(new)));
        let (added, removed) = wisp_diff::hunks(&mut self.text, &one, &other);
        (self.added, self.removed) = (self.added + added, self.removed + removed);
        Ok(())
    }

    fn push(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }
}

/// Returns the type and permission bits, as git writes them.
fn mode(version: &Version) -> String {
    if version.kind == FileType::Symlink { "120000".to_owned() } else { format!("100{:03o}", version.mode & PLAIN) }
}

fn word(kind: FileType) -> &'static str {
    match kind {
        FileType::Regular => "file",
        FileType::Directory => "directory",
        FileType::Symlink => "symbolic link",
        FileType::Fifo => "named pipe",
        FileType::Socket => "socket",
        FileType::CharDevice => "device",
        FileType::Unknown => "special file",
    }
}
