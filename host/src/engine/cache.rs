//! The cache: files that cost seconds to make (machine code, images of memory, unpacked archives), private to their user.
//!
//! A file is named `KEY.DIGEST.cwasm`. The key says what it was made from, the digest what it must hold: a file whose
//! contents do not match its name is never mapped, it is compiled anew. Whoever could forge both could write files as
//! this user, and needs no cache.

use std::collections::HashMap;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Entries that nobody used for this long are removed: other versions of wisp, components that are no more.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 3600);

/// A used entry's time is renewed when it is older than this, so that using one writes at most once a day.
const RENEW: Duration = Duration::from_secs(24 * 3600);

/// Bytes the directory may hold before those that were unused the longest go: about thirty builds of wisp.
const MOST: u64 = 2 << 30;

/// Why the cache cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// Others could read or write it.
    #[error(
        "the cache directory `{}` is not private: {reason}; run `chmod 700` on it, or name another with XDG_CACHE_HOME",
        path.display()
    )]
    NotPrivate {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// It could not be made.
    #[error("the cache directory `{}` cannot be made: {error}; name another with XDG_CACHE_HOME", path.display())]
    Io {
        /// The directory.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

/// The cache directory, or none.
#[derive(Debug, Clone)]
pub struct CodeCache {
    directory: Option<PathBuf>,
    /// What was in it when it was last read: key → digest. Reading it for each file would cost more than the files.
    listing: Arc<Mutex<Option<HashMap<String, String>>>>,
}

impl CodeCache {
    /// No cache: everything is compiled each time.
    pub fn none() -> CodeCache {
        CodeCache { directory: None, listing: Arc::default() }
    }

    /// A cache in `directory`, which is made (mode 0700) if absent.
    ///
    /// # Errors
    /// If it cannot be made, is not a directory of this user's, or others have any right on it.
    pub fn open(directory: &Path) -> Result<CodeCache, CacheError> {
        let io = |error| CacheError::Io { path: directory.to_owned(), error };
        DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(io)?;
        let facts = fs::symlink_metadata(directory).map_err(io)?;
        let refuse = |reason: String| CacheError::NotPrivate { path: directory.to_owned(), reason };
        if !facts.is_dir() {
            return Err(refuse("it is not a directory".to_owned()));
        }
        if facts.uid() != rustix::process::geteuid().as_raw() {
            return Err(refuse(format!("it belongs to user {}", facts.uid())));
        }
        if facts.mode() & 0o077 != 0 {
            return Err(refuse(format!("its mode is {:04o}", facts.mode() & 0o7777)));
        }
        Ok(CodeCache { directory: Some(directory.to_owned()), listing: Arc::default() })
    }

    /// The directory, if there is one.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// Something small that was kept about `about`, if it is whole.
    pub fn note(&self, format: &str, about: &str) -> Option<Vec<u8>> {
        let (path, digest) = self.find(&key(format, about))?;
        let bytes = fs::read(path).ok()?;
        (blake3::hash(&bytes).to_hex().as_str() == digest).then_some(bytes)
    }

    /// Keep something small about `about`. Without a cache, or with one that cannot be written, nothing is kept.
    pub fn keep_note(&self, format: &str, about: &str, bytes: &[u8]) {
        if let Err(error) = self.keep(&key(format, about), bytes) {
            tracing::warn!(%error, "the cache cannot be written");
        }
    }

    /// The file kept under `key`, if it is what it was when it was kept. One that is not is removed.
    pub(super) fn file(&self, key: &str) -> Option<Kept> {
        let (path, digest) = self.find(key)?;
        match verified(&path, &digest) {
            Ok(file) => Some(Kept { path, file }),
            Err(reason) => {
                tracing::warn!(path = %path.display(), %reason, "a cached file is not usable and is made anew");
                self.discard(&path);
                None
            }
        }
    }

    /// Whether a file is kept under `key` (its contents are not looked at).
    pub(super) fn contains(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    /// Wait for one's turn to make the file under `key`, so that programs that start together make it once. It ends with
    /// what this answers. None without a cache, and where files cannot be locked: then each makes its own.
    pub(super) fn turn(&self, key: &str) -> Option<File> {
        let flags = rustix::fs::OFlags::NOFOLLOW.bits() as i32;
        let path = self.directory.as_ref()?.join(format!("{key}.{TURN}"));
        let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).custom_flags(flags).open(path).ok()?;
        rustix::io::retry_on_intr(|| rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive)).ok()?;
        Some(file)
    }

    /// Remove a file that turned out not to be usable.
    pub(super) fn discard(&self, path: &Path) {
        let _ = fs::remove_file(path);
        let _ = fs::remove_file(path.with_extension(SEEN));
    }

    /// The file under `key` and the digest in its name: as the directory was when it was last read, or as it is now.
    fn find(&self, key: &str) -> Option<(PathBuf, String)> {
        let directory = self.directory.as_ref()?;
        let mut listing = self.listing.lock().unwrap_or_else(PoisonError::into_inner);
        for known in [listing.is_some(), false] {
            if !known {
                *listing = Some(list(directory));
            }
            if let Some(digest) = listing.as_ref().and_then(|listing| listing.get(key)) {
                let path = directory.join(format!("{key}.{digest}.cwasm"));
                if path.exists() {
                    return Some((path, digest.clone()));
                }
            }
        }
        None
    }

    /// Keep a file under `key`, in place of any other.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn keep(&self, key: &str, code: &[u8]) -> io::Result<()> {
        let Some(directory) = &self.directory else { return Ok(()) };
        let name = format!("{key}.{}.cwasm", blake3::hash(code).to_hex());
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let scratch = directory.join(format!("{name}.{:016x}.tmp", u64::from_le_bytes(random)));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&scratch)?;
        let path = directory.join(name);
        let written = file.write_all(code).and_then(|()| fs::rename(&scratch, &path));
        if written.is_err() {
            let _ = fs::remove_file(&scratch);
        }
        remove_unused(directory, MOST, &path);
        written
    }
}

/// The keys and digests in the names of a directory's files.
fn list(directory: &Path) -> HashMap<String, String> {
    let names = fs::read_dir(directory).into_iter().flatten().flatten();
    let parts = names.filter_map(|entry| {
        let name = entry.file_name();
        let (key, digest) = name.to_str()?.strip_suffix(".cwasm")?.split_once('.')?;
        Some((key.to_owned(), digest.to_owned()))
    });
    parts.collect()
}

/// How long ago a file was written or renewed.
fn age(facts: &Metadata) -> Duration {
    facts.modified().ok().and_then(|time| time.elapsed().ok()).unwrap_or_default()
}

/// Remove what nobody used for long, and what was unused the longest while there is more than `most` in all; never `kept`, which
/// is new. What cannot be removed stays; somebody maps it still, or it is not ours.
fn remove_unused(directory: &Path, most: u64, kept: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let files = entries.filter_map(|entry| entry.metadata().ok().filter(Metadata::is_file).map(|facts| (entry.path(), facts)));
    let mut files: Vec<_> = files.map(|(path, facts)| (age(&facts), facts.len(), path)).collect();
    files.sort_unstable_by(|one, other| other.cmp(one));
    let mut total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
    for (age, bytes, path) in files {
        if age <= UNUSED && total <= most {
            break;
        }
        // An empty file is a turn, which somebody may hold.
        if path != kept && (age > UNUSED || bytes > 0) && fs::remove_file(&path).is_ok() {
            total = total.saturating_sub(bytes);
        }
    }
}

/// The key of something of this format about `about`.
pub(super) fn key(format: &str, about: &str) -> String {
    blake3::hash(format!("{format}\n{about}").as_bytes()).to_hex()[..32].to_owned()
}

/// A file of the cache that holds what it should.
pub(super) struct Kept {
    pub path: PathBuf,
    pub file: File,
}

/// Ending of the empty file that is locked while a file of its key is made.
const TURN: &str = "turn";

/// Ending of the file beside a cached one that says when its contents were last seen to be right.
const SEEN: &str = "seen";

/// The file at `path` if its contents are what its name says.
///
/// A file is read and hashed when it is new, then once a day. In between, it is known by its time of change, which no
/// program can set: writing to a file changes it.
fn verified(path: &Path, digest: &str) -> Result<File, String> {
    let text = |error: io::Error| error.to_string();
    let mut file = OpenOptions::new().read(true).custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32).open(path).map_err(text)?;
    let facts = file.metadata().map_err(text)?;
    if !facts.is_file() || facts.uid() != rustix::process::geteuid().as_raw() || facts.mode() & 0o022 != 0 {
        return Err("it is not a file that only this user can write".to_owned());
    }
    let seen = path.with_extension(SEEN);
    if age(&facts) > RENEW {
        // Not being able to costs a recompilation in a month.
        let _ = file.set_modified(SystemTime::now());
    } else if fs::read(&seen).is_ok_and(|state| state == state_of(&facts)) {
        return Ok(file);
    }
    if hash(&mut file).map_err(text)? != digest {
        return Err("its contents are not what its name says".to_owned());
    }
    let facts = file.metadata().map_err(text)?;
    // Not being able to costs reading it again the next time.
    let _ = fs::write(seen, state_of(&facts));
    Ok(file)
}

/// What changes when a file does.
fn state_of(facts: &Metadata) -> Vec<u8> {
    format!("{} {} {} {}.{:09}\n", facts.dev(), facts.ino(), facts.size(), facts.ctime(), facts.ctime_nsec()).into_bytes()
}

fn hash(file: &mut File) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(hasher.finalize().to_hex().to_string());
        }
        hasher.update(&buffer[..read]);
    }
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
