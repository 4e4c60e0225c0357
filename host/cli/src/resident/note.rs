//! What the folder of a session says about a helper that has ended: that it had not saved, or what it could not save. The next wisp
//! that opens the session tells it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use wisp_service::KeptSession;

use crate::say;

/// The file, and its name while it is written.
const FILE: &str = "resident.json";
const SCRATCH: &str = "resident.tmp";

/// Maximum bytes of the file that are read.
const MOST: u64 = 256 << 10;

/// Maximum lines of what is lost: a guest chooses how many files it has open.
const LINES: usize = 100;

/// What there is to tell.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Note {
    /// Whether commands have changed the session since it was saved.
    pub(super) unsaved: bool,
    /// Why it was not saved, if that was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    /// What of the interpreter was not saved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) lost: Vec<String>,
}

impl Note {
    /// Writes it into the folder of a session, to stay there if the machine fails; one that says nothing is removed.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        if *self == Self::default() {
            return clear(folder);
        }
        let lost = self.lost.iter().take(LINES).cloned().collect();
        let short = Self { unsaved: self.unsaved, reason: self.reason.clone(), lost };
        let scratch = folder.join(SCRATCH);
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600).custom_flags(libc::O_NOFOLLOW);
        let mut file = options.open(&scratch)?;
        file.write_all(&serde_json::to_vec(&short)?)?;
        file.sync_all()?;
        fs::rename(&scratch, folder.join(FILE))
    }

    /// Reads that of a folder. One that cannot be read says nothing.
    fn read(folder: &Path) -> Option<Self> {
        let found = fs::symlink_metadata(folder.join(FILE)).ok()?;
        let mut text = Vec::new();
        File::open(folder.join(FILE)).ok().filter(|_| found.is_file())?.take(MOST).read_to_end(&mut text).ok()?;
        serde_json::from_slice(&text).ok()
    }
}

/// Removes what the folder says.
pub(super) fn clear(folder: &Path) -> io::Result<()> {
    // One that was being written is gone with it.
    let _ = fs::remove_file(folder.join(SCRATCH));
    match fs::remove_file(folder.join(FILE)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Tells what a helper left to be told about this session, and forgets it if `forget`. The session is open here, so no helper has it.
pub(crate) fn tell(kept: &KeptSession, forget: bool) {
    let folder = kept.folder();
    let Some(note) = Note::read(folder) else { return };
    if note.unsaved {
        let name = kept.name();
        let reason = note.reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
        let began = if kept.begun() {
            let age = saved(folder).map(|age| format!(" {} ago", super::rough(age))).unwrap_or_default();
            format!("it is as it was kept{age}, and what came later is lost")
        } else {
            "it had kept nothing yet, so the session begins anew".to_owned()
        };
        say(&format!("the helper of the session `{name}` ended without saving it{reason}: {began}"));
    }
    for lost in note.lost {
        say(&format!("not kept: {lost}"));
    }
    if forget {
        // If it cannot be removed, it is told again.
        let _ = clear(folder);
    }
}

/// Returns how long ago the session was saved.
fn saved(folder: &Path) -> Option<Duration> {
    let files = fs::symlink_metadata(folder.join("session")).ok()?.modified().ok()?;
    SystemTime::now().duration_since(files).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_comes_back_and_one_that_says_nothing_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let note = Note { unsaved: true, reason: Some("the disk is full".to_owned()), lost: vec!["the open file a".to_owned()] };
        note.write(folder.path()).unwrap();
        assert_eq!(Note::read(folder.path()), Some(note));
        Note::default().write(folder.path()).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert_eq!(Note::read(folder.path()), None);
    }

    #[test]
    fn what_is_no_note_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("other"), r#"{"unsaved": true}"#).unwrap();
        std::os::unix::fs::symlink(folder.path().join("other"), folder.path().join(FILE)).unwrap();
        assert_eq!(Note::read(folder.path()), None, "a link is not followed");
        clear(folder.path()).unwrap();
        fs::write(folder.path().join(FILE), "garbage").unwrap();
        assert_eq!(Note::read(folder.path()), None);
        // The twin.
        fs::write(folder.path().join(FILE), r#"{"unsaved": true}"#).unwrap();
        assert_eq!(Note::read(folder.path()).map(|note| note.unsaved), Some(true));
    }
}
