//! Machine code shipped with the program: a folder beside it, so that the first start need not compile.

#![expect(clippy::disallowed_methods, reason = "writes the folder of machine code that a host program names")]

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Seek};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use super::CodeCache;

impl CodeCache {
    /// Copies everything that was found or made in this cache since it was opened to `directory`, which is created if
    /// absent; its contents stay. Such a folder can be shipped with the program: see [`EngineBuilder::shipped_code`](crate::EngineBuilder::shipped_code).
    /// Returns the number of files that it then has.
    ///
    /// # Errors
    /// The system's, or when an entry is no longer in the cache.
    pub fn ship(&self, directory: &Path) -> io::Result<usize> {
        if !directory.is_dir() {
            DirBuilder::new().recursive(true).mode(0o755).create(directory)?;
        }
        let names = || fs::read_dir(directory)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>();
        let there = names()?;
        let used: Vec<String> = self.uses().iter().cloned().collect();
        for key in used.iter().filter(|key| !there.iter().any(|name| name.to_string_lossy().starts_with(key.as_str()))) {
            let mut kept = self.file(key).ok_or_else(|| io::Error::other("a file is no longer in the cache"))?;
            kept.file.rewind()?;
            let scratch = directory.join(format!("{}.tmp", kept.name));
            // Leftovers of an earlier attempt are useless.
            let mut copy = OpenOptions::new().write(true).create(true).truncate(true).mode(0o644).open(&scratch)?;
            let copied = io::copy(&mut kept.file, &mut copy).and_then(|_| fs::rename(&scratch, directory.join(&kept.name)));
            if let Err(error) = copied {
                let _ = fs::remove_file(&scratch);
                return Err(error);
            }
        }
        Ok(names()?.len())
    }
}

#[cfg(test)]
#[path = "ship_tests.rs"]
mod tests;
