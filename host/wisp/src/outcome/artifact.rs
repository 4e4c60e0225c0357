//! Artifacts: the files of the output directory.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};

use crate::wasi::Labels;
use wisp_api::Artifact;
use wisp_policy::digest::sha256;
use wisp_policy::is_invisible;
use wisp_vfs::{FileType, Fs, FsError, MAX_PATH, Node, OpenHow};

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
    /// Files that were left out, by path, at most a thousand: `output.max_files` or `output.max_bytes` was reached, they cannot be read,
    /// or their names hold control characters or marks of writing direction. A directory with such a name is listed once, instead of
    /// its files.
    pub left_out: Vec<String>,
}

impl Artifacts {
    fn leave_out(&mut self, path: String) {
        if self.left_out.len() < MAX_LEFT_OUT {
            self.left_out.push(path);
        }
    }
}

/// A file that is still to be visited: its name, and its directory, shared by all names in it.
struct Pending {
    parent: Arc<str>,
    name: String,
    depth: usize,
}

/// Collects the regular files below the output directory, by path. Does not follow symbolic links.
pub(crate) fn collect(fs: &Fs, labels: &Labels, max_files: u64, max_bytes: u64) -> Artifacts {
    let mut collected = Artifacts::default();
    let mut bytes = 0;
    let mut pending = vec![Pending { parent: "".into(), name: labels.directory().to_owned(), depth: 0 }];
    while let Some(Pending { parent, name, depth }) = pending.pop() {
        let path = if depth == 0 { name } else { format!("{parent}/{name}") };
        if path.len() > MAX_PATH {
            // Reached through a directory that was open: it has no name any more.
            continue;
        }
        if !is_plain(&path) {
            // Such a directory is left out with everything in it.
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
                // Pushed in reverse, so that the stack returns them in order.
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
                        let (size, sha256) = (data.len() as u64, sha256(&data));
                        collected.files.push(Artifact { path, mime_type, size, sha256, title: label.title, data: Some(data) });
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
