//! Machine code that goes with the program: a folder beside it, so that nobody has to compile first.

#![expect(clippy::disallowed_methods, reason = "writes the folder of machine code that a host program names")]

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Seek};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use super::CodeCache;

impl CodeCache {
    /// Copy everything that was found in this cache, or made, since it was opened into `directory`, which is made if absent;
    /// what it holds stays. Such a folder can go with the program: see [`CodeCache::with_shipped`]. Answers how many files
    /// it has now.
    ///
    /// # Errors
    /// The system's; when something is not in the cache any more.
    pub fn ship(&self, directory: &Path) -> io::Result<usize> {
        if !directory.is_dir() {
            DirBuilder::new().recursive(true).mode(0o755).create(directory)?;
        }
        let names = || fs::read_dir(directory)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>();
        let there = names()?;
        let used: Vec<String> = self.uses().iter().cloned().collect();
        for key in used.iter().filter(|key| !there.iter().any(|name| name.to_string_lossy().starts_with(key.as_str()))) {
            let mut kept = self.file(key).ok_or_else(|| io::Error::other("a file is not in the cache any more"))?;
            kept.file.rewind()?;
            let scratch = directory.join(format!("{}.tmp", kept.name));
            // What an earlier attempt left is of no use.
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
