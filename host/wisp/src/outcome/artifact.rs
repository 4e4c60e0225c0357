//! Artifacts: the files of the output directory.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};

use crate::wasi::Labels;
use wisp_policy::digest::sha256;
use wisp_policy::is_invisible;
use wisp_vfs::{FileType, Fs, FsError, Node, OpenHow};

/// Directories deep at the most that are searched for artifacts: deeper is no result, it is an attack.
const MAX_DEPTH: usize = 64;

/// A file of the output directory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Artifact {
    /// Its absolute path in the sandbox.
    pub path: String,
    /// Its media type: as labelled, else guessed from its name.
    pub mime_type: String,
    /// Its title, if it was labelled.
    pub title: Option<String>,
    /// Its contents.
    pub data: Bytes,
}

impl Artifact {
    /// Its length in bytes.
    pub fn size(&self) -> u64 {
        self.data.len() as u64
    }

    /// The SHA-256 of its contents, in lower-case hexadecimal.
    pub fn sha256(&self) -> String {
        sha256(&self.data)
    }
}

/// Maximum names that are reported as left out. A guest can make a hundred thousand, with paths of 4 KiB: the host would
/// hold, and the reader get, 400 MB of names.
const MAX_LEFT_OUT: usize = 1_000;

/// Maximum bytes of a path, as everywhere in the sandbox.
const MAX_PATH: usize = 4096;

/// Whether a path may become names on the host and text on a person's screen: no control characters (line breaks, escape
/// sequences), no marks that turn the direction of text or are not seen.
pub fn is_plain(path: &str) -> bool {
    !path.chars().any(|char| char.is_control() || is_invisible(char) || matches!(char, '\u{61c}' | '\u{2028}' | '\u{2029}'))
}

/// What was found, and what the policy's bounds or its name left out.
#[derive(Default)]
pub(crate) struct Collected {
    pub files: Vec<Artifact>,
    pub left_out: Vec<String>,
}

impl Collected {
    fn leave_out(&mut self, path: String) {
        if self.left_out.len() < MAX_LEFT_OUT {
            self.left_out.push(path);
        }
    }
}

/// What is still to be looked at: a name, and the directory it is in, shared by all its names.
struct Pending {
    parent: Arc<str>,
    name: String,
    depth: usize,
}

/// Whether there is nothing in the output directory.
pub(crate) fn is_empty(fs: &Fs, labels: &Labels) -> bool {
    open(fs, labels.directory()).is_ok_and(|node| node.read_dir().is_ok_and(|entries| entries.is_empty()))
}

/// The regular files below the output directory, by path. Symbolic links are not followed.
pub(crate) fn collect(fs: &Fs, labels: &Labels, max_files: u64, max_bytes: u64) -> Collected {
    let mut collected = Collected::default();
    let mut bytes = 0;
    let mut pending = vec![Pending { parent: "".into(), name: labels.directory().to_owned(), depth: 0 }];
    while let Some(Pending { parent, name, depth }) = pending.pop() {
        let path = if depth == 0 { name } else { format!("{parent}/{name}") };
        if path.len() > MAX_PATH {
            // Reached through a directory that was open: nobody can name it.
            continue;
        }
        if !is_plain(&path) {
            // a directory of such a name is left out with all that is in it
            collected.leave_out(path);
            continue;
        }
        let Ok(node) = open(fs, &path) else {
            collected.leave_out(path);
            continue;
        };
        match node.file_type() {
            FileType::Directory if depth < MAX_DEPTH => {
                let parent: Arc<str> = path.into();
                // Last first, so that the stack gives them in order.
                for entry in node.read_dir().unwrap_or_default().into_iter().rev() {
                    if matches!(entry.kind, FileType::Regular | FileType::Directory) {
                        pending.push(Pending { parent: parent.clone(), name: entry.name, depth: depth + 1 });
                    }
                }
            }
            FileType::Regular => {
                let size = node.stat().map_or(u64::MAX, |stat| stat.size);
                let fits = (collected.files.len() as u64) < max_files && size <= max_bytes.saturating_sub(bytes);
                match fits.then(|| read(&node, size)) {
                    Some(Ok(data)) => {
                        bytes += data.len() as u64;
                        let label = labels.get(&path).unwrap_or_default();
                        let mime_type = label.mime_type.unwrap_or_else(|| guess(&path));
                        collected.files.push(Artifact { path, mime_type, title: label.title, data });
                    }
                    Some(Err(_)) | None => collected.leave_out(path),
                }
            }
            _ => collected.leave_out(path),
        }
    }
    collected.files.sort_by(|one, other| one.path.cmp(&other.path));
    collected.left_out.sort();
    collected
}

fn open(fs: &Fs, path: &str) -> Result<Node, FsError> {
    fs.open(&fs.root(), path, OpenHow { read: true, follow: false, ..OpenHow::default() })
}

/// The file's first `size` bytes: it may grow meanwhile, on the host behind a mount.
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
