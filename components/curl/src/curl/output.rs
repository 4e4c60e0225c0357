//! Where a body is written: a file that is opened with its first byte, or standard output.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Result, Seek, SeekFrom, Write};

/// The output of one transfer.
pub(super) struct Output {
    path: Option<String>,
    file: Option<File>,
    /// Bytes that the file already has; new ones are appended.
    pub resume: u64,
    /// Whether the server may choose the name.
    renamed: bool,
    folder: Option<String>,
    /// Bytes of the body that were written.
    pub written: u64,
    /// The position to which a retry goes back, once something was written.
    begun: bool,
    /// The error of the last write, to distinguish it from errors of the data.
    pub failed: Option<Error>,
    terminal: bool,
}

impl Output {
    /// Makes an output to a file, or to standard output.
    pub(super) fn new(path: Option<String>, resume: u64, renamed: bool, folder: Option<String>) -> Self {
        let terminal = path.is_none() && wisp_tool::sys::is_terminal(1);
        Self { path, file: None, resume, renamed, folder, written: 0, begun: false, failed: None, terminal }
    }

    /// Returns the name of the file.
    pub(super) fn name(&self) -> Option<String> {
        self.path.clone()
    }

    /// Returns whether it is a file.
    pub(super) fn is_file(&self) -> bool {
        self.path.is_some()
    }

    /// Takes the name from a `Content-Disposition`: its last part, and no hidden names.
    pub(super) fn rename(&mut self, disposition: &str) {
        let Some(name) = crate::http::headers::parameter(disposition, "filename").filter(|_| self.renamed && self.file.is_none()) else {
            return;
        };
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
        if name.is_empty() || name == "." || name == ".." || name.contains('\0') {
            return;
        }
        self.path = Some(match &self.folder {
            Some(folder) => format!("{folder}/{name}"),
            None => name.to_owned(),
        });
    }

    fn open(&mut self) -> Result<()> {
        let Some(path) = self.path.as_ref().filter(|_| self.file.is_none()) else { return Ok(()) };
        let mut how = OpenOptions::new();
        let file = if self.begun || self.resume > 0 {
            how.append(true).create(true).open(path)?
        } else if self.renamed {
            how.write(true).create_new(true).open(path)?
        } else {
            how.write(true).create(true).truncate(true).open(path)?
        };
        self.begun = true;
        self.file = Some(file);
        Ok(())
    }

    /// Writes headers or other text that is not counted.
    pub(super) fn text(&mut self, data: &[u8]) -> Result<()> {
        self.put(data)
    }

    fn put(&mut self, data: &[u8]) -> Result<()> {
        if self.terminal && data.contains(&0) {
            let text = "Binary output can mess up your terminal. Use \"--output -\" to tell curl to output it to your terminal anyway, or \
                        consider \"--output <FILE>\" to save to a file.";
            return Err(Error::new(ErrorKind::InvalidInput, text));
        }
        self.open()?;
        match &mut self.file {
            Some(file) => file.write_all(data),
            None => {
                let mut out = std::io::stdout().lock();
                out.write_all(data)?;
                out.flush()
            }
        }
    }

    /// Starts over before another attempt: what was written to the file is removed.
    pub(super) fn restart(&mut self) -> Result<()> {
        self.failed = None;
        self.written = 0;
        if let Some(file) = &mut self.file {
            file.set_len(self.resume)?;
            file.seek(SeekFrom::Start(self.resume))?;
        }
        Ok(())
    }

    /// Ends the output; a successful transfer leaves a file even if it is empty.
    pub(super) fn close(&mut self, well: bool) -> Result<()> {
        if well {
            self.open()?;
        }
        match self.file.take() {
            Some(mut file) => file.flush(),
            None => Ok(()),
        }
    }
}

impl Write for Output {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        match self.put(data) {
            Ok(()) => {
                self.written += data.len() as u64;
                Ok(data.len())
            }
            Err(error) => {
                let copy = Error::new(error.kind(), error.to_string());
                self.failed = Some(error);
                Err(copy)
            }
        }
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
