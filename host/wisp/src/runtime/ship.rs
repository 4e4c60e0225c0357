//! Machine code shipped with the program: a folder beside it, so that the first start need not compile.

#![expect(clippy::disallowed_methods, reason = "writes the folder of machine code that a host program names")]

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use super::CodeCache;
use super::record::{self, RECORD, file_name};

impl CodeCache {
    /// Copies everything that was found or made in this cache since it was opened to `directory`, which is created if
    /// absent; its contents stay. Such a folder can be shipped with the program: see [`EngineBuilder::shipped_code`](crate::EngineBuilder::shipped_code).
    /// Returns the number of files that it then has, without the record of them.
    ///
    /// # Errors
    /// The system's, or when an entry is no longer in the cache.
    pub fn ship(&self, directory: &Path) -> io::Result<usize> {
        if !directory.is_dir() {
            DirBuilder::new().recursive(true).mode(0o755).create(directory)?;
        }
        let record = directory.join(RECORD);
        let mut listing = fs::read_to_string(&record).map(|text| record::parse(&text)).unwrap_or_default();
        listing.retain(|key, digest| directory.join(file_name(key, digest)).is_file());
        let used: Vec<String> = self.uses().iter().cloned().collect();
        for key in used {
            if listing.contains_key(&key) {
                continue;
            }
            let mut kept = self.file(&key).ok_or_else(|| io::Error::other("a file is no longer in the cache"))?;
            kept.file.rewind()?;
            put(&directory.join(&kept.name), |to| io::copy(&mut kept.file, to).map(drop))?;
            listing.insert(key, kept.digest);
        }
        // Last: until then, none of the new files counts.
        put(&record, |to| to.write_all(record::text(&listing).as_bytes()))?;
        Ok(listing.len())
    }
}

/// Writes a file that everyone may read beside its place, and renames it when it is complete.
fn put(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut scratch = path.as_os_str().to_owned();
    scratch.push(".tmp");
    // Leftovers of an earlier attempt are useless.
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o644).open(&scratch)?;
    let written = write(&mut file).and_then(|()| fs::rename(&scratch, path));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&scratch);
    }
    written
}

#[cfg(test)]
#[path = "ship_tests.rs"]
mod tests;
