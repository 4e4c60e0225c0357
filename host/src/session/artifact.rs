//! Artifacts: the files of the output directory.

use bytes::{Bytes, BytesMut};

use crate::vfs::{FileType, Fs, FsError, Node, OpenHow};
use crate::wasi::Labels;

/// Directories deep at the most that are searched for artifacts: deeper is no result, it is an attack.
const MAX_DEPTH: usize = 64;

/// A file of the output directory.
#[derive(Debug, Clone, PartialEq, Eq)]
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
        use sha2::{Digest, Sha256};
        Sha256::digest(&self.data).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What was found, and what the policy's bounds left out.
#[derive(Default)]
pub(super) struct Collected {
    pub files: Vec<Artifact>,
    pub left_out: Vec<String>,
}

/// The regular files below the output directory, by path. Symbolic links are not followed.
pub(super) fn collect(fs: &Fs, labels: &Labels, max_files: u64, max_bytes: u64) -> Collected {
    let mut collected = Collected::default();
    let mut bytes = 0;
    let mut pending = vec![(labels.directory().to_owned(), 0)];
    while let Some((path, depth)) = pending.pop() {
        let Ok(node) = open(fs, &path) else {
            collected.left_out.push(path);
            continue;
        };
        match node.file_type() {
            FileType::Directory if depth < MAX_DEPTH => {
                // Last first, so that the stack gives them in order.
                for entry in node.read_dir().unwrap_or_default().into_iter().rev() {
                    if matches!(entry.kind, FileType::Regular | FileType::Directory) {
                        pending.push((format!("{path}/{}", entry.name), depth + 1));
                    }
                }
            }
            FileType::Regular => {
                let size = node.stat().map_or(u64::MAX, |stat| stat.size);
                let fits = collected.files.len() as u64 + 1 <= max_files && size <= max_bytes.saturating_sub(bytes);
                match fits.then(|| read(&node)) {
                    Some(Ok(data)) => {
                        bytes += data.len() as u64;
                        let label = labels.get(&path).unwrap_or_default();
                        let mime_type = label.mime_type.unwrap_or_else(|| guess(&path));
                        collected.files.push(Artifact { path, mime_type, title: label.title, data });
                    }
                    Some(Err(_)) | None => collected.left_out.push(path),
                }
            }
            _ => collected.left_out.push(path),
        }
    }
    collected.files.sort_by(|one, other| one.path.cmp(&other.path));
    collected.left_out.sort();
    collected
}

fn open(fs: &Fs, path: &str) -> Result<Node, FsError> {
    fs.open(&fs.root(), path, OpenHow { read: true, follow: false, ..OpenHow::default() })
}

fn read(node: &Node) -> Result<Bytes, FsError> {
    let first = node.read_at(0, usize::MAX)?;
    let size = node.stat()?.size;
    if first.len() as u64 >= size {
        return Ok(first);
    }
    let mut all = BytesMut::from(&first[..]);
    loop {
        let more = node.read_at(all.len() as u64, 1 << 20)?;
        if more.is_empty() {
            return Ok(all.freeze());
        }
        all.extend_from_slice(&more);
    }
}

fn guess(path: &str) -> String {
    mime_guess::from_path(path).first_or_octet_stream().essence_str().to_owned()
}
