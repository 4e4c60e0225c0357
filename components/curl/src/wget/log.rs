//! The messages of wget, and where they go.

use super::options::Talk;
use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{Result, Write};

/// Standard error, or the file of `-o`.
pub(super) struct Log {
    talk: Talk,
    file: Option<RefCell<File>>,
}

impl Log {
    /// Creates a log with this verbosity.
    pub(super) fn new(talk: Talk, file: Option<&(String, bool)>) -> Result<Self> {
        let file = match file {
            Some((path, append)) => {
                Some(RefCell::new(OpenOptions::new().create(true).write(true).append(*append).truncate(!append).open(path)?))
            }
            None => None,
        };
        Ok(Self { talk, file })
    }

    /// Prints a message of the long form only.
    pub(super) fn long(&self, text: &str) {
        if self.talk == Talk::Long {
            self.put(text);
        }
    }

    /// Prints a message of the short form only.
    pub(super) fn short(&self, text: &str) {
        if self.talk == Talk::Short {
            self.put(text);
        }
    }

    /// Prints a message unless wget is to be silent.
    pub(super) fn say(&self, text: &str) {
        if self.talk > Talk::Quiet {
            self.put(text);
        }
    }

    /// Writes to the log; a failure cannot be reported.
    fn put(&self, text: &str) {
        let _ = match &self.file {
            Some(file) => file.borrow_mut().write_all(text.as_bytes()),
            None => std::io::stderr().write_all(text.as_bytes()),
        };
    }
}
