//! The file in which a URL is saved.

use super::options::Options;
use crate::http::headers::{Headers, parameter};
use crate::url::{Url, encode};
use std::fs::{self, File, OpenOptions};
use std::io::{Result, Write};

/// An output that is open.
pub(super) struct Saved {
    pub name: String,
    file: Option<File>,
    pub written: u64,
}

/// Returns the name for a URL: the last part of its path with its query, below `-P`.
pub(super) fn name_of(options: &Options, url: &Url, headers: Option<&Headers>) -> String {
    let given = headers
        .filter(|_| options.disposition)
        .and_then(|headers| parameter(&headers.get("content-disposition")?, "filename"))
        .and_then(|name| name.rsplit(['/', '\\']).next().map(str::to_owned))
        .filter(|name| !["", ".", ".."].contains(&name.as_str()));
    let last = String::from_utf8_lossy(&encode::decode(url.file_name())).into_owned();
    let mut name = given.unwrap_or_else(|| if last.is_empty() { "index.html".into() } else { last });
    if let Some(query) =
        url.query.as_ref().filter(|_| headers.is_none_or(|headers| !headers.has("content-disposition") || !options.disposition))
    {
        name += &format!("?{query}");
    }
    let name: String = name.chars().map(|c| if c == '/' || c.is_control() { '_' } else { c }).collect();
    let name = if name == "." || name == ".." { name.replace('.', "_") } else { name };
    match options.prefix.as_deref().filter(|prefix| !prefix.is_empty() && *prefix != ".") {
        Some(prefix) => format!("{}/{name}", prefix.trim_end_matches('/')),
        None => name,
    }
}

/// Returns the first of `name`, `name.1`, `name.2` that is free.
pub(super) fn free(name: &str) -> String {
    if !fs::exists(name).unwrap_or(false) {
        return name.to_owned();
    }
    let mut numbered = (1..).map(|number| format!("{name}.{number}"));
    numbered.find(|name| !fs::exists(name).unwrap_or(false)).unwrap_or_default()
}

impl Saved {
    /// Returns standard output.
    pub(super) fn stdout() -> Self {
        Self { name: "-".into(), file: None, written: 0 }
    }

    /// Opens a file, which is overwritten or appended to.
    pub(super) fn open(name: &str, append: bool) -> Result<Self> {
        if let Some((folder, _)) = name.rsplit_once('/') {
            fs::create_dir_all(if folder.is_empty() { "/" } else { folder })?;
        }
        Self::document(name, append)
    }

    /// Opens the same without making its folder.
    pub(super) fn document(name: &str, append: bool) -> Result<Self> {
        let file = OpenOptions::new().create(true).write(true).append(append).truncate(!append).open(name)?;
        Ok(Self { name: name.to_owned(), file: Some(file), written: 0 })
    }

    /// Gives the file the server's time.
    pub(super) fn set_time(&self, seconds: i64) {
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
        if let Some(file) = &self.file {
            // A filesystem without times does not make the download fail.
            let _ = file.set_modified(time);
        }
    }
}

impl Write for Saved {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        match &mut self.file {
            Some(file) => file.write_all(data)?,
            None => {
                let mut out = std::io::stdout().lock();
                out.write_all(data)?;
                out.flush()?;
            }
        }
        self.written += data.len() as u64;
        Ok(data.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
