//! What `patch` writes beside the file: backups, rejects; and the file itself.

use super::Job;
use super::parse::{Hunk, Patch};
use crate::{sys, text};
use std::io::Write;
use std::path::{Path, PathBuf};

impl Job {
    /// Back up a file.
    pub(super) fn keep(&self, path: &Path, name: &str) -> std::io::Result<()> {
        let (folder, last) = name.rsplit_once('/').map_or(("", name), |(folder, last)| (folder, last));
        let slash = if name.contains('/') { "/" } else { "" };
        let mut suffix = self.suffix.clone();
        if let Some(always) = self.numbered {
            let number = |n: usize| format!(".~{n}~");
            let next = (1..).find(|n| !Path::new(&format!("{name}{}", number(*n))).exists()).unwrap_or(1);
            if always || next > 1 {
                suffix = number(next);
            }
        }
        let kept = PathBuf::from(format!("{}{folder}{slash}{}{last}{suffix}", self.prefixes.0, self.prefixes.1));
        if let Some(folder) = kept.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::copy(path, kept).map(|_| ())
    }

    /// Write a file, or standard output. One that may not be written is replaced, as it would be by a rename, and keeps its mode.
    pub(super) fn write(&self, target: &Path, contents: &[u8]) -> std::io::Result<()> {
        if self.to_output() {
            let mut out = text::output();
            return out.write_all(contents).and_then(|()| out.flush());
        }
        let mode = sys::stat(target, true).ok().map(|stat| stat.mode).filter(|mode| mode & 0o200 == 0);
        if mode.is_some() {
            std::fs::remove_file(target)?;
        }
        std::fs::write(target, contents)?;
        mode.map_or(Ok(()), |mode| sys::set_mode(target, mode))
    }

    /// Write the hunks that did not fit; `-r -` does not want them.
    pub(super) fn save_rejects(&self, path: &Path, patch: &Patch, hunks: &[&Hunk]) -> Result<(), String> {
        if path == Path::new("-") {
            return Ok(());
        }
        let mut out = Vec::new();
        if patch.header.is_empty() {
            out.extend(b"--- /dev/null\n+++ /dev/null\n");
        }
        for (n, header) in patch.header.iter().enumerate() {
            // Headers of a context diff begin with other signs.
            out.extend([b"--- ".as_slice(), b"+++ "][n]);
            out.extend_from_slice(&header[4..]);
        }
        for hunk in hunks {
            let range = |(start, count): (usize, usize)| if count == 1 { start.to_string() } else { format!("{start},{count}") };
            out.extend(format!("@@ -{} +{} @@{}\n", range(hunk.old), range(hunk.new), String::from_utf8_lossy(&hunk.note)).bytes());
            for (n, line) in hunk.lines.iter().enumerate() {
                out.push(line.mark);
                out.extend_from_slice(&line.text);
                // At the end of all nothing needs to be said about it.
                if line.text.last() != Some(&b'\n') && n + 1 < hunk.lines.len() {
                    out.extend(b"\n\\ No newline at end of file\n");
                }
            }
        }
        let mut file = std::fs::File::create(path).map_err(|e| format!("Can't create file {} : {}", path.display(), text::reason(&e)))?;
        file.write_all(&out).map_err(|e| format!("write error : {}", text::reason(&e)))
    }
}
