//! What wget says, and where.

use super::options::Talk;
use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{Result, Write};

/// Standard error, or the file of `-o`.
pub struct Log {
    talk: Talk,
    file: Option<RefCell<File>>,
}

impl Log {
    /// A log of this much talk.
    pub fn new(talk: Talk, file: Option<&(String, bool)>) -> Result<Log> {
        let file = match file {
            Some((path, append)) => {
                Some(RefCell::new(OpenOptions::new().create(true).write(true).append(*append).truncate(!append).open(path)?))
            }
            None => None,
        };
        Ok(Log { talk, file })
    }

    /// Says what belongs to the long form only.
    pub fn long(&self, text: &str) {
        if self.talk == Talk::Long {
            self.put(text);
        }
    }

    /// Says what belongs to the short form only.
    pub fn short(&self, text: &str) {
        if self.talk == Talk::Short {
            self.put(text);
        }
    }

    /// Says it unless nothing is to be said.
    pub fn say(&self, text: &str) {
        if self.talk > Talk::Quiet {
            self.put(text);
        }
    }

    /// Nobody is left to be told when this fails.
    fn put(&self, text: &str) {
        let _ = match &self.file {
            Some(file) => file.borrow_mut().write_all(text.as_bytes()),
            None => std::io::stderr().write_all(text.as_bytes()),
        };
    }
}
