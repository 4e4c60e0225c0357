//! `-i inplace`: the output printed while a file is read replaces the file.

use super::machine::{Machine, Run, fatal};
use crate::{sys, text};
use std::fs::File;
use std::io::{Result, Write};
use std::path::PathBuf;

/// A file that is being replaced.
pub(super) struct Replaced {
    file: File,
    scratch: PathBuf,
    target: PathBuf,
    mode: u32,
}

impl Replaced {
    fn begin(name: &[u8]) -> Result<Self> {
        let target = PathBuf::from(sys::os_string(name.to_vec()));
        let stat = sys::stat(&target, true)?;
        let folder = target.parent().map(PathBuf::from).unwrap_or_default();
        let mut attempt = 0;
        loop {
            let scratch = folder.join(format!("gawk.{:06}", u64::from(sys::pid()) * 100 + attempt));
            match File::options().write(true).create_new(true).open(&scratch) {
                Ok(file) => return Ok(Self { file, scratch, target, mode: stat.mode }),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// Writes to the new contents.
    pub(super) fn write(&mut self, text: &[u8]) -> Result<()> {
        self.file.write_all(text)
    }

    fn finish(self, suffix: &[u8]) -> Result<()> {
        drop(self.file);
        if !suffix.is_empty() {
            let mut backup = sys::bytes(self.target.as_os_str()).to_vec();
            backup.extend_from_slice(suffix);
            std::fs::rename(&self.target, PathBuf::from(sys::os_string(backup)))?;
        }
        // The mode of a file on a mount cannot always be set; only the contents matter here.
        let _ = sys::set_mode(&self.scratch, self.mode);
        std::fs::rename(&self.scratch, &self.target)
    }
}

impl Machine {
    /// Begins a file of the main input.
    pub(super) fn begin_replacing(&mut self, name: &[u8]) -> Run<()> {
        if self.in_place.is_none() {
            return Ok(());
        }
        let shown = text::shown(name);
        if self.streams.flush_output().is_err() {
            return fatal("cannot write to standard output".to_owned());
        }
        match Replaced::begin(name) {
            Ok(replaced) => self.streams.replaced = Some(replaced),
            Err(error) => return fatal(format!("inplace: cannot edit `{shown}': {}", text::reason(&error))),
        }
        Ok(())
    }

    /// Ends the file: its new contents replace it.
    pub(super) fn end_replacing(&mut self) -> Run<()> {
        let flushed = if self.streams.replaced.is_some() { self.streams.flush_output() } else { Ok(()) };
        let Some(replaced) = self.streams.replaced.take() else { return Ok(()) };
        let suffix = self.in_place.clone().unwrap_or_default();
        match flushed.and_then(|()| replaced.finish(&suffix)) {
            Ok(()) => Ok(()),
            Err(error) => fatal(format!("inplace: cannot replace the file: {}", text::reason(&error))),
        }
    }
}
