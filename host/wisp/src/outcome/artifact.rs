//! Artifacts: the files of the output directory.

use std::collections::HashSet;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};

use crate::wasi::Labels;
use wisp_api::{Artifact, LeftOutReason};
use wisp_policy::digest::sha256;
use wisp_policy::is_invisible;
use wisp_vfs::{DirEntry, FileType, Fs, FsError, MAX_PATH, Node, OpenHow, Stat};

/// Maximum depth of directories that are searched for artifacts: anything deeper is an attack, not a result.
const MAX_DEPTH: usize = 64;

/// Maximum names of omitted files that are reported. A guest can make a hundred thousand files with paths of 4 KiB: the
/// host would hold 400 MB of names, and pass them on.
const MAX_LEFT_OUT: usize = 1_000;

/// Returns whether a path may become a name on the host and text on a person's screen: it has no control characters (line
/// breaks, escape sequences), and no invisible or direction-changing characters.
pub fn is_plain(path: &str) -> bool {
    !path.chars().any(acts)
}

/// Returns whether a character does something to the text around it instead of being shown.
pub(crate) fn acts(char: char) -> bool {
    char.is_control() || is_invisible(char) || matches!(char, '\u{61c}' | '\u{2028}' | '\u{2029}')
}

/// The files of the output directory at one moment ([`Session::artifacts`](crate::Session::artifacts)).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Artifacts {
    /// The files with their contents, by path.
    pub files: Vec<Artifact>,
    /// What else the directory has, by path, at most a thousand. A directory that is left out is listed once, instead of its files.
    pub left_out: Vec<String>,
    /// Why each of `left_out` is left out, in the same order.
    pub reasons: Vec<LeftOutReason>,
}

/// A name that is still to be visited, and its directory, shared by all names in it.
struct Pending {
    parent: Arc<str>,
    name: String,
    kind: FileType,
    depth: usize,
}

/// Collects the regular files below the output directory, by path, and what else is there. Does not follow symbolic links.
pub(crate) fn collect(fs: &Fs, labels: &Labels, max_files: u64, max_bytes: u64) -> Artifacts {
    let mut found = Found { room: max_bytes, ..Found::default() };
    let directory = labels.directory().to_owned();
    let mut pending = vec![Pending { parent: "".into(), name: directory, kind: FileType::Directory, depth: 0 }];
    while let Some(Pending { parent, name, kind, depth }) = pending.pop() {
        let path = if depth == 0 { name } else { format!("{parent}/{name}") };
        let visited = match kind {
            // Reached through a directory that was open: it has no name any more.
            _ if path.len() > MAX_PATH => Err(LeftOutReason::TooDeep),
            // Such a directory is left out with everything in it.
            _ if !is_plain(&path) => Err(LeftOutReason::Name),
            FileType::Regular => found.file(fs, labels, &path, max_files),
            FileType::Directory if depth >= MAX_DEPTH => Err(LeftOutReason::TooDeep),
            FileType::Directory => found.directory(fs, &path).map(|entries| {
                let parent: Arc<str> = path.as_str().into();
                // Pushed in reverse, so that the stack returns them in order.
                let below = entries.into_iter().rev();
                pending.extend(below.map(|DirEntry { name, kind, .. }| Pending { parent: parent.clone(), name, kind, depth: depth + 1 }));
            }),
            FileType::Symlink => {
                if found.links.len() < MAX_LEFT_OUT {
                    found.links.push(path.clone());
                }
                Ok(())
            }
            _ => Err(LeftOutReason::Special),
        };
        if let Err(reason) = visited {
            found.leave_out(path, reason);
        }
    }
    found.done(fs)
}

/// What was found until now.
#[derive(Default)]
struct Found {
    files: Vec<Artifact>,
    left_out: Vec<(String, LeftOutReason)>,
    /// Symbolic links. Where they lead is looked at when all files are known.
    links: Vec<String>,
    /// The files that are handed over, and the directories in which they are, whatever name leads to them.
    known: HashSet<(u64, u64)>,
    /// Bytes that further files may have.
    room: u64,
}

impl Found {
    fn leave_out(&mut self, path: String, reason: LeftOutReason) {
        if self.left_out.len() < MAX_LEFT_OUT {
            self.left_out.push((path, reason));
        } else if reason.loses_data()
            && let Some(last) = self.left_out.last_mut()
        {
            // Names of which nothing is lost cannot hide this one.
            *last = (path, reason);
        }
    }

    /// Returns what is in a directory; nothing if it is gone by now.
    fn directory(&mut self, fs: &Fs, path: &str) -> Result<Vec<DirEntry>, LeftOutReason> {
        let Some((node, stat)) = open(fs, path, FileType::Directory)? else { return Ok(Vec::new()) };
        let entries = node.read_dir().map_err(|_| LeftOutReason::Unreadable)?;
        self.known.insert((stat.dev, stat.ino));
        Ok(entries)
    }

    /// Adds a file, unless it is gone by now.
    fn file(&mut self, fs: &Fs, labels: &Labels, path: &str, max_files: u64) -> Result<(), LeftOutReason> {
        let Some((node, stat)) = open(fs, path, FileType::Regular)? else { return Ok(()) };
        if self.files.len() as u64 >= max_files {
            return Err(LeftOutReason::MaxFiles);
        }
        if stat.size > self.room {
            return Err(LeftOutReason::MaxBytes);
        }
        let data = read(&node, stat.size).map_err(|_| LeftOutReason::Unreadable)?;
        let size = data.len() as u64;
        self.room = self.room.saturating_sub(size);
        self.known.insert((stat.dev, stat.ino));
        let label = labels.get(path).unwrap_or_default();
        self.files.push(Artifact {
            path: path.to_owned(),
            mime_type: label.mime_type.unwrap_or_else(|| guess(path)),
            size,
            sha256: sha256(&data),
            mode: stat.mode,
            mtime: stat.mtime,
            title: label.title,
            data: Some(data),
        });
        Ok(())
    }

    /// Returns everything by path.
    fn done(mut self, fs: &Fs) -> Artifacts {
        for path in std::mem::take(&mut self.links) {
            let reason = match fs.stat(&fs.root(), &path, true) {
                Ok(Stat { kind: FileType::Regular | FileType::Directory, dev, ino, .. }) if !self.known.contains(&(dev, ino)) => {
                    LeftOutReason::LinkOut
                }
                _ => LeftOutReason::Link,
            };
            self.leave_out(path, reason);
        }
        self.files.sort_by(|one, other| one.path.cmp(&other.path));
        self.left_out.sort_by(|one, other| one.0.cmp(&other.0));
        let (left_out, reasons) = self.left_out.into_iter().unzip();
        Artifacts { files: self.files, left_out, reasons }
    }
}

/// Opens what is at this path, which was of this type; `None` if it is gone by now.
fn open(fs: &Fs, path: &str, kind: FileType) -> Result<Option<(Node, Stat)>, LeftOutReason> {
    let node = match fs.open(&fs.root(), path, OpenHow { read: true, follow: false, ..OpenHow::default() }) {
        Ok(node) if node.file_type() == kind => node,
        Err(FsError::NotFound) => return Ok(None),
        _ => return Err(LeftOutReason::Unreadable),
    };
    let stat = node.stat().map_err(|_| LeftOutReason::Unreadable)?;
    Ok(Some((node, stat)))
}

/// Reads the file's first `size` bytes. In a host mount it may grow in the meantime.
fn read(node: &Node, size: u64) -> Result<Bytes, FsError> {
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let first = node.read_at(0, size)?;
    if first.len() >= size {
        return Ok(first);
    }
    let mut all = BytesMut::from(&first[..]);
    while all.len() < size {
        let more = node.read_at(all.len() as u64, (size - all.len()).min(1 << 20))?;
        if more.is_empty() {
            break;
        }
        all.extend_from_slice(&more);
    }
    Ok(all.freeze())
}

fn guess(path: &str) -> String {
    mime_guess::from_path(path).first_or_octet_stream().essence_str().to_owned()
}
