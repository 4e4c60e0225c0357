//! The cache: files that take seconds to make (machine code, images of memory, unpacked archives), private to their
//! user; and a folder of such files that was shipped with the program, which is only read.
//!
//! A file is named `KEY.DIGEST.cwasm`. The key says what it was made from, the digest what it must contain. A file
//! that the folder's record does not name (see `record`), or whose contents do not match its name, is never mapped; its
//! component is compiled again. The digest is not a signature. Forgery is prevented because only this user (for shipped
//! files: the owner of the program, or root) can write the folder. A key for signatures would be a file of the same
//! user, beside the files it signs.

use std::collections::BTreeSet;
use std::fs::{File, Metadata};
use std::io::{self, Read, Write as _};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use parking_lot::{Mutex, MutexGuard};
use rustix::io::Errno;

use super::cache_error::CacheError;
use super::fault::{FailPoint, FailPoints};
use super::folder::{Folder, SCRATCH};
use super::record::{self, Listing, RECORD, file_name};

/// Entries unused for this long are removed: those of other versions of wisp, or of components that no longer exist.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 3600);

/// The time of a used entry is renewed when it is older than this, so that use writes at most once a day.
const RENEW: Duration = Duration::from_secs(24 * 3600);

/// Maximum bytes of the directory, beyond which the entries unused for longest are removed: about thirty builds of
/// wisp.
const MOST: u64 = 2 << 30;

/// An unfinished file older than this will never be finished: its writer is gone.
const UNFINISHED: Duration = Duration::from_secs(3600);

/// How long to wait for another program that makes a file that this one needs too. It may be stopped (SIGSTOP): then
/// each makes its own.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often the turn is tried.
const POLL: Duration = Duration::from_millis(20);

/// Where a file of the cache was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The cache directory.
    Private,
    /// The folder that was shipped with the program.
    Shipped,
}

/// The cache directory, if there is one, and the folder of shipped code, if there is one.
#[derive(Debug, Clone)]
pub struct CodeCache {
    private: Option<Arc<Folder>>,
    /// With its entries, because it is not written while the program runs.
    shipped: Option<Arc<(Folder, Listing)>>,
    /// The record of the cache directory when it was last read. Reading it for each file would cost more than the
    /// files.
    listing: Arc<Mutex<Option<Listing>>>,
    /// The directory that cannot be used, and why.
    refused: Option<Arc<(PathBuf, CacheError)>>,
    /// Whether it was logged that something could not be kept.
    told: Arc<AtomicBool>,
    /// The keys of what was found or kept.
    used: Arc<Mutex<BTreeSet<String>>>,
    /// How long to wait for another program's work.
    pub(super) patience: Duration,
    /// What a test makes fail.
    pub(super) fail: FailPoints,
}

impl CodeCache {
    /// Creates a cache that keeps nothing: everything is compiled each time.
    pub fn none() -> Self {
        Self {
            private: None,
            shipped: None,
            listing: Arc::default(),
            refused: None,
            told: Arc::default(),
            used: Arc::default(),
            patience: PATIENCE,
            fail: FailPoints::default(),
        }
    }

    /// Opens a cache in `directory`, which is created (mode 0700) if absent.
    ///
    /// # Errors
    /// If it cannot be created, is not a directory of this user, gives others any right, or if others could change
    /// one of the directories above it.
    pub fn open(directory: &Path) -> Result<Self, CacheError> {
        Ok(Self { private: Some(Arc::new(Folder::private(directory)?)), ..Self::none() })
    }

    /// Works like [`open`](Self::open); creates a cache that keeps nothing if that fails. [`refused`](Self::refused) says why.
    pub fn open_or_none(directory: &Path) -> Self {
        Self::open(directory).unwrap_or_else(|error| Self { refused: Some(Arc::new((directory.to_owned(), error))), ..Self::none() })
    }

    /// Returns the cache with the files of `directory`, which is only read: shipped code, which is used when the cache lacks
    /// an entry. Files of this user, root and `owner` are accepted.
    ///
    /// # Errors
    /// If it does not exist, or others can change it.
    pub(crate) fn with_shipped(self, directory: &Path, owner: u32) -> Result<Self, CacheError> {
        let folder = Folder::shipped(directory, owner)?;
        let listing = record::read(&folder);
        Ok(Self { shipped: Some(Arc::new((folder, listing))), ..self })
    }

    /// Returns the same, of which a test makes something fail.
    pub(crate) fn failing(self, fail: FailPoints) -> Self {
        Self { fail, ..self }
    }

    /// Returns the directory, if there is one; also one that is [refused](Self::refused): the next program may use it, so that no guest may
    /// write there.
    pub fn directory(&self) -> Option<&Path> {
        self.private.as_deref().map(Folder::path).or_else(|| self.refused.as_deref().map(|(directory, _)| directory.as_path()))
    }

    /// Returns why the directory is not used, if there is one and it is not used.
    pub fn refused(&self) -> Option<&CacheError> {
        self.refused.as_deref().map(|(_, error)| error)
    }

    /// Returns whether what is made is kept, as far as that was known when the cache was opened: there is a directory, which is not
    /// refused and can be written.
    pub fn keeps(&self) -> bool {
        self.private.as_deref().is_some_and(Folder::is_writable)
    }

    /// Returns the folder of shipped code, and the number of files in it.
    pub fn shipped(&self) -> Option<(&Path, usize)> {
        self.shipped.as_deref().map(|(folder, listing)| (folder.path(), listing.len()))
    }

    /// Returns a note kept about `about`, if it is intact.
    pub(crate) fn note(&self, format: &str, about: &str) -> Option<Vec<u8>> {
        let key = key(format, about);
        let read = |place| {
            let (name, digest) = self.find(place, &key)?;
            let (mut file, _) = self.folder(place)?.open(&name).ok()?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).ok()?;
            (blake3::hash(&bytes).to_hex().as_str() == digest).then_some(bytes)
        };
        let bytes = read(Place::Private).or_else(|| read(Place::Shipped))?;
        self.use_of(&key);
        Some(bytes)
    }

    /// Keeps a note about `about`. Without a writable cache, nothing is kept.
    pub(crate) fn keep_note(&self, format: &str, about: &str, bytes: &[u8]) {
        if let Err(error) = self.keep(&key(format, about), bytes) {
            self.not_kept(&error);
        }
    }

    /// Logs that something could not be kept: as a warning only once, because what follows has the same cause.
    pub(super) fn not_kept(&self, error: &io::Error) {
        if self.told.swap(true, Ordering::Relaxed) {
            tracing::debug!(%error, "the cache cannot be written");
        } else {
            tracing::warn!(%error, directory = ?self.directory(), "the cache cannot be written, and what is compiled is not kept");
        }
    }

    /// Returns the file kept under `key`, if its contents are still those that were kept. A damaged file is removed; a
    /// damaged shipped file is ignored.
    pub(super) fn file(&self, key: &str) -> Option<Kept> {
        let kept = [Place::Private, Place::Shipped].into_iter().find_map(|place| {
            let (name, digest) = self.find(place, key)?;
            match self.verified(place, &name, &digest) {
                Ok(file) => Some(Kept { name, digest, place, file }),
                Err(reason) => {
                    self.unusable(place, &name, &reason);
                    None
                }
            }
        })?;
        self.use_of(key);
        Some(kept)
    }

    /// Returns the path of the file kept under `key`, if there is one (its contents are not checked).
    pub(super) fn place(&self, key: &str) -> Option<Place> {
        [Place::Private, Place::Shipped].into_iter().find(|place| self.find(*place, key).is_some())
    }

    /// Waits for the turn to make the file under `key`, so that programs that start together make it only once. The
    /// turn ends when the returned value is dropped. `None` without a cache, if files cannot be locked, or if the
    /// holder of the turn takes too long (it may be stopped): then each makes its own.
    pub(super) fn turn(&self, key: &str) -> Option<File> {
        let file = self.private.as_ref()?.open_or_create(&format!("{key}.{TURN}")).ok()?;
        let until = Instant::now() + self.patience;
        loop {
            match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Some(file),
                Err(Errno::INTR) => {}
                Err(Errno::WOULDBLOCK) if Instant::now() < until => std::thread::sleep(POLL),
                Err(Errno::WOULDBLOCK) => {
                    let waited = self.patience.as_secs();
                    tracing::warn!("another wisp has not finished this after {waited} s; not waiting any longer");
                    return None;
                }
                Err(_) => return None,
            }
        }
    }

    /// Removes a file that proved unusable, unless it was shipped.
    pub(super) fn unusable(&self, place: Place, name: &str, reason: &str) {
        match (place, &self.private) {
            (Place::Private, Some(folder)) => {
                tracing::warn!(file = name, reason, "a cached file cannot be used; it is made again");
                folder.remove(name);
                folder.remove(&seen(name));
            }
            _ => tracing::debug!(file = name, reason, "a file shipped with the program is not usable"),
        }
    }

    fn folder(&self, place: Place) -> Option<&Folder> {
        match place {
            Place::Private => self.private.as_deref(),
            Place::Shipped => self.shipped.as_deref().map(|(folder, _)| folder),
        }
    }

    /// Finds the name of the file under `key` and the digest in it: first from the last reading of the record, then from the
    /// record as it is now.
    fn find(&self, place: Place, key: &str) -> Option<(String, String)> {
        let folder = self.folder(place)?;
        let there = |listing: &Listing| {
            let digest = listing.get(key)?;
            let name = file_name(key, digest);
            folder.contains(&name).then(|| (name, digest.clone()))
        };
        if place == Place::Shipped {
            return there(&self.shipped.as_ref()?.1);
        }
        let mut listing = self.listing.lock();
        if let Some(found) = listing.as_ref().and_then(there) {
            return Some(found);
        }
        there(listing.insert(record::read(folder)))
    }

    /// Keeps a file under `key`, replacing any other.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn keep(&self, key: &str, code: &[u8]) -> io::Result<()> {
        let Some(folder) = &self.private else { return Ok(()) };
        let digest = blake3::hash(code).to_hex();
        let name = file_name(key, &digest);
        let put = self.fail.check(FailPoint::CacheWrite).and_then(|()| folder.put(&name, code));
        let written = put.and_then(|()| self.record(folder, key, &digest));
        remove_unused(folder, MOST, &name);
        if written.is_ok() {
            self.use_of(key);
        }
        written
    }

    /// Records what was kept under `key`, and removes every other file of that key. An entry whose file is gone is
    /// forgotten.
    fn record(&self, folder: &Folder, key: &str, digest: &str) -> io::Result<()> {
        // If there is no turn to have, an entry that another program adds at this moment may be lost: it is made again.
        let _turn = self.turn(RECORD);
        let mut listing = record::read(folder);
        if listing.get(key).is_none_or(|known| known != digest) {
            listing.retain(|key, digest| folder.contains(&file_name(key, digest)));
            listing.insert(key.to_owned(), digest.to_owned());
            record::write(folder, &listing)?;
        }
        let (of_key, kept) = (format!("{key}."), file_name(key, digest));
        let other = |name: &String| name.starts_with(&of_key) && name.ends_with(".cwasm") && *name != kept;
        for name in folder.names().into_iter().filter(other) {
            folder.remove(&name);
            folder.remove(&seen(&name));
        }
        Ok(())
    }

    fn use_of(&self, key: &str) {
        self.uses().insert(key.to_owned());
    }

    /// Returns the keys of everything that was found or kept since the cache was opened.
    pub(super) fn uses(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.used.lock()
    }

    /// Returns the file at `name`, if its contents match its name.
    ///
    /// A file is read and hashed when it is new, then once a day. In between it is identified by its time of change,
    /// which no program can set: writing to a file changes it. That time is recorded in the cache directory, also for
    /// shipped files.
    fn verified(&self, place: Place, name: &str, digest: &str) -> Result<File, String> {
        let text = |error: io::Error| error.to_string();
        let folder = self.folder(place).ok_or("there is no such folder")?;
        let (mut file, facts) = folder.open(name)?;
        let seen = seen(name);
        let overdue = place == Place::Private && age(&facts) > RENEW;
        if overdue {
            // A failure costs one recompilation in a month.
            let _ = file.set_modified(SystemTime::now());
        } else if self.seen(&seen).is_some_and(|state| state == state_of(&facts)) {
            return Ok(file);
        }
        if hash(&mut file).map_err(text)? != digest {
            return Err("its contents do not match its name".to_owned());
        }
        let facts = file.metadata().map_err(text)?;
        if let Some(folder) = &self.private {
            // A failure costs reading the file again next time.
            let _ = folder.open_or_create(&seen).and_then(|mut file| {
                file.set_len(0)?;
                file.write_all(&state_of(&facts))
            });
        }
        Ok(file)
    }

    /// Returns what the cache directory records of a file.
    fn seen(&self, name: &str) -> Option<Vec<u8>> {
        let (file, _) = self.private.as_ref()?.open(name).ok()?;
        let mut state = Vec::new();
        file.take(MOST_SEEN).read_to_end(&mut state).ok()?;
        Some(state)
    }
}

/// Returns the time since a file was written or renewed.
fn age(facts: &Metadata) -> Duration {
    facts.modified().ok().and_then(|time| time.elapsed().ok()).unwrap_or_default()
}

/// Removes what has long been unused, what was never finished, and the entries unused for longest while the total
/// exceeds `most`; never the record nor `kept`, which is new. What cannot be removed stays: it is still mapped, or belongs to
/// another user.
fn remove_unused(folder: &Folder, most: u64, kept: &str) {
    let files = folder.names().into_iter().filter_map(|name| folder.open(&name).ok().map(|(_, facts)| (age(&facts), facts.len(), name)));
    let mut files: Vec<_> = files.collect();
    files.sort_unstable_by(|one, other| other.cmp(one));
    let mut total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
    for (age, bytes, name) in files {
        let unused = age > UNUSED || (age > UNFINISHED && name.ends_with(SCRATCH));
        // An empty file is a turn, which another program may hold.
        let over = total > most && bytes > 0;
        if name != kept && name != RECORD && (unused || over) && folder.remove(&name) {
            total = total.saturating_sub(bytes);
        }
    }
}

/// Returns the key of something in this format about `about`.
pub(super) fn key(format: &str, about: &str) -> String {
    blake3::hash(format!("{format}\n{about}").as_bytes()).to_hex()[..32].to_owned()
}

/// A file of the cache with the right contents.
pub(super) struct Kept {
    pub name: String,
    pub digest: String,
    pub place: Place,
    pub file: File,
}

/// Extension of the empty file that is locked while a file of its key is made.
const TURN: &str = "turn";

/// Extension of the file beside a cached one that records when its contents were last checked.
const SEEN: &str = "seen";

/// Maximum bytes of such a file.
const MOST_SEEN: u64 = 200;

/// Returns the name of the file that records when the contents of `name` were last checked.
fn seen(name: &str) -> String {
    format!("{}.{SEEN}", name.strip_suffix(".cwasm").unwrap_or(name))
}

/// Returns what changes when a file changes.
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
