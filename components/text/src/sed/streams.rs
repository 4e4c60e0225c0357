//! What sed reads and writes: the input files as one stream, the outputs.

use super::Options;
use crate::input::Lines;
use crate::sys;
use crate::text;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::path::PathBuf;

/// An output, which remembers whether its last line lacks its end.
pub(super) struct Output {
    file: BufWriter<File>,
    missing_end: bool,
    unbuffered: bool,
}

impl Output {
    /// Writes to a file.
    pub(super) fn new(file: File, unbuffered: bool) -> Self {
        Self { file: BufWriter::with_capacity(64 * 1024, file), missing_end: false, unbuffered }
    }

    /// Writes to standard output or standard error; the file stays open as long as the process.
    pub(super) fn standard(number: i32, unbuffered: bool) -> Result<Self> {
        Ok(Self::new(std::mem::ManuallyDrop::into_inner(sys::descriptor(number)), unbuffered))
    }

    /// Writes a line, without an end if it had none.
    pub(super) fn line(&mut self, text: &[u8], end: Option<u8>, usual: u8) -> Result<()> {
        self.complete(usual)?;
        self.file.write_all(text)?;
        match end {
            Some(end) => self.file.write_all(&[end])?,
            None => self.missing_end = true,
        }
        if self.unbuffered { self.file.flush() } else { Ok(()) }
    }

    /// Writes text as it is; a line before it gets its end, even if the text is empty (`$a\`).
    pub(super) fn raw(&mut self, text: &[u8], usual: u8) -> Result<()> {
        self.complete(usual)?;
        self.file.write_all(text)?;
        if self.unbuffered { self.file.flush() } else { Ok(()) }
    }

    fn complete(&mut self, usual: u8) -> Result<()> {
        if self.missing_end {
            self.missing_end = false;
            self.file.write_all(&[usual])?;
        }
        Ok(())
    }

    /// Writes the buffer.
    pub(super) fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }
}

/// A file that is edited in place.
pub(super) struct Edit {
    /// Where the new contents go.
    pub output: Output,
    scratch: PathBuf,
    target: PathBuf,
    mode: u32,
}

/// Returns the file that a symbolic link leads to, through all links.
fn follow(name: &OsStr) -> Result<OsString> {
    let mut path = PathBuf::from(name);
    if let Err(error) = std::fs::symlink_metadata(&path) {
        return Err(super::run::script_error(&format!("couldn't readlink {}: {}", text::show(name), text::reason(&error))));
    }
    for _ in 0..40 {
        match std::fs::read_link(&path) {
            Ok(next) if next.is_absolute() => path = next,
            Ok(next) => path.set_file_name(next),
            Err(_) => return Ok(path.into_os_string()),
        }
    }
    Err(super::run::script_error(&format!("couldn't follow symlink {}: Too many levels of symbolic links", text::show(name))))
}

/// The input.
pub(super) struct Input {
    options: Options,
    files: VecDeque<OsString>,
    current: Option<Lines>,
    /// The next file, if it was opened to see whether it is empty.
    next: Option<(OsString, Lines)>,
    /// The name of the current file.
    pub name: OsString,
    /// The current line's number.
    pub number: u64,
    /// Whether the current line had its end.
    pub ended: bool,
    /// The file edited in place.
    pub edit: Option<Edit>,
    /// 2 once a file could not be read.
    pub status: u8,
    fresh: bool,
}

impl Input {
    /// Creates the input of these files.
    pub(super) fn new(options: Options, files: Vec<OsString>) -> Self {
        let files = if files.is_empty() { vec!["-".into()] } else { files };
        Self {
            options,
            files: files.into(),
            current: None,
            next: None,
            name: "-".into(),
            number: 0,
            ended: true,
            edit: None,
            status: 0,
            fresh: false,
        }
    }

    /// Reads the next line into `line`. False at the end of all input.
    pub(super) fn read(&mut self, line: &mut Vec<u8>) -> Result<bool> {
        loop {
            if self.current.is_none() && !self.open()? {
                return Ok(false);
            }
            let Some(current) = &mut self.current else { return Ok(false) };
            match current.line(self.options.end, line) {
                Ok(Some(ended)) => {
                    if std::mem::take(&mut self.fresh) && self.options.separate {
                        self.number = 0;
                    }
                    self.ended = ended;
                    self.number += 1;
                    return Ok(true);
                }
                Ok(None) => self.close()?,
                Err(error) => {
                    text::complain("sed", format!("read error on {}: {}", text::show(&self.name), text::reason(&error)));
                    self.status = 2;
                    self.close()?;
                }
            }
        }
    }

    /// Opens the next file that can be opened.
    fn open(&mut self) -> Result<bool> {
        if let Some((name, lines)) = self.next.take() {
            (self.name, self.current, self.fresh) = (name, Some(lines), true);
            return Ok(true);
        }
        while let Some(mut name) = self.files.pop_front() {
            // Standard input cannot be edited in place.
            if self.options.in_place.is_some() && name == "-" {
                name = "./-".into();
            }
            if self.options.follow && name != "-" {
                name = follow(&name)?;
            }
            if self.options.in_place.is_some() {
                match self.begin_edit(&name) {
                    Ok(edit) => self.edit = Some(edit),
                    Err((4, message)) => return Err(super::run::script_error(&message)),
                    Err((status, message)) => {
                        text::complain("sed", message);
                        self.status = status;
                        continue;
                    }
                }
            }
            match Lines::open(&name) {
                Ok(lines) => {
                    self.current = Some(lines);
                    self.name = name;
                    self.fresh = true;
                    return Ok(true);
                }
                Err(error) => {
                    let directory = error.raw_os_error() == Some(libc::EISDIR);
                    let shown = text::show(&name);
                    if directory {
                        return Err(super::run::script_error(&format!("read error on {shown}: Is a directory")));
                    }
                    text::complain("sed", format!("can't read {shown}: {}", text::reason(&error)));
                    self.status = 2;
                    self.edit = None;
                }
            }
        }
        Ok(false)
    }

    fn begin_edit(&mut self, name: &OsStr) -> std::result::Result<Edit, (u8, String)> {
        let shown = text::show(name);
        let target = PathBuf::from(name);
        let stat = sys::stat(&target, true).map_err(|e| (2, format!("can't read {shown}: {}", text::reason(&e))))?;
        if stat.kind != sys::Kind::File {
            return Err((4, format!("couldn't edit {shown}: not a regular file")));
        }
        let folder = target.parent().map(PathBuf::from).unwrap_or_default();
        let mut last = String::new();
        for attempt in 0..100 {
            let scratch = folder.join(format!("sed{:06}", u64::from(sys::pid()) * 100 + attempt));
            match File::options().write(true).create_new(true).open(&scratch) {
                Ok(file) => return Ok(Edit { output: Output::new(file, false), scratch, target, mode: stat.mode }),
                Err(error) => last = text::reason(&error),
            }
        }
        Err((4, format!("couldn't open temporary file for {shown}: {last}")))
    }

    /// Ends the current file.
    fn close(&mut self) -> Result<()> {
        self.current = None;
        self.finish_edit()
    }

    /// Replaces the file by the edited one.
    pub(super) fn finish_edit(&mut self) -> Result<()> {
        let Some(mut edit) = self.edit.take() else { return Ok(()) };
        edit.output.flush()?;
        let suffix = self.options.in_place.clone().unwrap_or_default();
        if !suffix.is_empty() {
            let base = edit.target.file_name().map(|n| sys::bytes(n).to_vec()).unwrap_or_default();
            let mut backup = Vec::new();
            if suffix.contains(&b'*') {
                for b in &suffix {
                    if *b == b'*' { backup.extend(&base) } else { backup.push(*b) }
                }
            } else {
                backup = [base, suffix].concat();
            }
            let backup = PathBuf::from(sys::os_string(backup));
            let backup = match edit.target.parent() {
                Some(folder) if backup.parent().is_none_or(|p| p.as_os_str().is_empty()) => folder.join(backup),
                _ => backup,
            };
            std::fs::rename(&edit.target, backup)?;
        }
        // The mode of a file on a mount cannot always be set; the contents are what was asked for.
        let _ = sys::set_mode(&edit.scratch, edit.mode);
        std::fs::rename(&edit.scratch, &edit.target)
    }

    /// Ends the script early. The rest of a file edited in place is lost, as in GNU's sed; bytes of standard input that were
    /// read too far are given back.
    pub(super) fn quit(&mut self) -> Result<()> {
        if let (Some(current), "-") = (&self.current, &*self.name.to_string_lossy()) {
            crate::input::unread(current.pending().len());
        }
        self.finish_edit()
    }

    /// Returns whether the current line is the last one, of its file if files are separate.
    pub(super) fn last(&mut self) -> Result<bool> {
        if let Some(current) = &mut self.current
            && !current.at_end()?
        {
            return Ok(false);
        }
        if self.options.separate {
            return Ok(true);
        }
        if self.next.is_some() {
            return Ok(false);
        }
        // Search the files that follow for one that is not empty.
        while let Some(name) = self.files.front() {
            match Lines::open(name) {
                Ok(mut lines) => {
                    if !lines.at_end()? {
                        let name = self.files.pop_front().unwrap_or_default();
                        self.next = Some((name, lines));
                        return Ok(false);
                    }
                }
                Err(error) => {
                    text::complain("sed", format!("can't read {}: {}", text::show(name), text::reason(&error)));
                    self.status = 2;
                }
            }
            self.files.pop_front();
        }
        Ok(true)
    }

    /// Returns whether more lines follow, in this file or another.
    pub(super) fn more(&mut self) -> Result<bool> {
        if !self.options.separate {
            return Ok(!self.last()?);
        }
        if let Some(current) = &mut self.current
            && !current.at_end()?
        {
            return Ok(true);
        }
        Ok(!self.files.is_empty())
    }
}
