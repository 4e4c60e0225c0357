//! The one place that touches the machine: reads a configuration, and puts another in its place.

#![expect(clippy::disallowed_methods, reason = "a client's configuration is a file of the machine, which its path was passed for")]

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, fchown};
use std::path::{Path, PathBuf};

use crate::InstallError;

/// Maximum bytes of a configuration. Claude Code keeps the history of its projects in the same file.
const MAX: u64 = 64 << 20;

/// Maximum links that lead from one to the next, as the kernel has it.
const LINKS: usize = 40;

/// The mark that some editors put before a text.
const MARK: &str = "\u{feff}";

/// What a path leads to.
#[derive(Debug)]
pub(crate) struct Target {
    /// The file itself, behind all links.
    file: PathBuf,
    linked: bool,
    text: Option<String>,
}

/// Returns whether a file is there.
pub(crate) fn exists(path: &Path) -> bool {
    path.exists()
}

/// Reads a file, if it exists.
pub(crate) fn read(path: &Path) -> Result<Target, InstallError> {
    let failed = |source| InstallError::Read { path: path.to_owned(), source };
    let file = behind_links(path).map_err(failed)?;
    let linked = file != path;
    let text = match text_of(&file).map_err(failed)? {
        Content::Missing => None,
        Content::TooLarge => return Err(InstallError::TooLarge { path: path.to_owned(), max: MAX }),
        Content::Text(text) => Some(text),
    };
    Ok(Target { file, linked, text })
}

impl Target {
    /// Returns the text of the file, or nothing if it does not exist.
    pub(crate) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Returns the mark that some editors put before a text, and the text behind it. `blank` stands for one that says nothing.
    pub(crate) fn unmarked(&self, blank: &str) -> (&'static str, String) {
        let whole = self.text().unwrap_or("");
        let (mark, text) = whole.strip_prefix(MARK).map_or(("", whole), |text| (MARK, text));
        (mark, if text.trim().is_empty() { blank } else { text }.to_owned())
    }

    /// Returns whether the path is a symbolic link.
    pub(crate) fn is_linked(&self) -> bool {
        self.linked
    }

    /// Puts `after` in the place of the file, or removes it. `mode` is that of a file that does not exist yet.
    pub(crate) fn write(&self, path: &Path, after: Option<&str>, mode: u32) -> Result<(), InstallError> {
        let failed = |source| InstallError::Write { path: path.to_owned(), source };
        let now = match text_of(&self.file).map_err(failed)? {
            Content::Missing => None,
            Content::Text(text) => Some(text),
            Content::TooLarge => return Err(InstallError::Changed { path: path.to_owned() }),
        };
        if now != self.text {
            return Err(InstallError::Changed { path: path.to_owned() });
        }
        match after {
            Some(text) => replace(&self.file, text, mode),
            None => writable(&self.file).and_then(|()| fs::remove_file(&self.file)),
        }
        .map_err(failed)
    }
}

enum Content {
    Missing,
    TooLarge,
    Text(String),
}

fn text_of(file: &Path) -> io::Result<Content> {
    // What is no regular file is not opened: a pipe would wait for its other end.
    let found = match fs::metadata(file) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Content::Missing),
        Err(error) => return Err(error),
    };
    if !found.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut bytes = Vec::new();
    File::open(file)?.take(MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX {
        return Ok(Content::TooLarge);
    }
    let text = String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8 text"))?;
    Ok(Content::Text(text))
}

/// Follows links to the file that an editor would write, which may not exist yet: people keep these files in a folder of their own
/// and link to them.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut file = path.to_owned();
    for _ in 0..LINKS {
        match fs::symlink_metadata(&file) {
            Ok(found) if found.is_symlink() => {
                let to = fs::read_link(&file)?;
                file = file.parent().map_or_else(|| to.clone(), |folder| folder.join(&to));
            }
            Ok(_) => return Ok(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(file),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// Fails if the file may not be written. Another could be put in its place all the same, but its owner did not mean that.
fn writable(file: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).open(file).map(drop)
}

fn replace(file: &Path, text: &str, mode: u32) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let old = match fs::metadata(file) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    match &old {
        Some(_) => writable(file)?,
        None => fs::create_dir_all(folder)?,
    }
    let name = file.file_name().ok_or_else(|| io::Error::other("it has no name"))?;
    // One process writes one file at a time; a leftover of a process that was killed is not in the way of another.
    let scratch = folder.join(format!(".{}.wisp-{}", name.to_string_lossy(), std::process::id()));
    let written = write_scratch(&scratch, old.as_ref(), text, mode).and_then(|()| fs::rename(&scratch, file));
    if written.is_err() {
        // The error that counts is the first.
        let _ = fs::remove_file(&scratch);
        return written;
    }
    // The new file is in its place; that the folder's entry is on the disk is for a crash of the machine.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

fn write_scratch(scratch: &Path, old: Option<&fs::Metadata>, text: &str, mode: u32) -> io::Result<()> {
    // Only for the user, until it has the mode of the old one: it may hold a secret.
    let mode = if old.is_some() { 0o600 } else { mode };
    let mut new = OpenOptions::new().write(true).create_new(true).mode(mode).open(scratch)?;
    new.write_all(text.as_bytes())?;
    if let Some(old) = old {
        let made = new.metadata()?;
        if (made.uid(), made.gid()) != (old.uid(), old.gid()) {
            fchown(&new, Some(old.uid()), Some(old.gid()))?;
        }
        new.set_permissions(fs::Permissions::from_mode(old.mode() & 0o7777))?;
    }
    new.sync_all()
}
