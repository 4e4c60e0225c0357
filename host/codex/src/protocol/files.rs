//! `fs/…`.

use serde::{Deserialize, Serialize};

use super::{Base64, Unread};
use crate::uri::FileUri;

/// What names one file: `fs/readFile`, `fs/getMetadata`, `fs/canonicalize`, `fs/readDirectory`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PathAsked {
    pub(crate) path: FileUri,
    /// Whether symbolic links in the path are followed; absent for yes.
    pub(crate) follow_symlinks: Option<bool>,
}

/// The contents of a file.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataResult {
    pub(crate) data_base64: Base64,
}

/// `fs/writeFile`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Written {
    pub(crate) path: FileUri,
    pub(crate) data_base64: String,
    pub(crate) follow_symlinks: Option<bool>,
    pub(crate) sandbox: Option<Unread>,
}

/// `fs/open`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Opened {
    pub(crate) handle_id: String,
    pub(crate) path: FileUri,
    #[serde(default)]
    pub(crate) mode: OpenMode,
    pub(crate) sandbox: Option<Unread>,
}

/// What a file is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum OpenMode {
    #[default]
    Read,
    /// Writing; what it had is gone.
    Replace,
}

/// The answer to `fs/open`, and `fs/close`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Handle {
    pub(crate) handle_id: String,
}

/// `fs/readBlock`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BlockRead {
    pub(crate) handle_id: String,
    pub(crate) offset: u64,
    pub(crate) len: u64,
}

/// A block.
#[derive(Debug, Serialize)]
pub(crate) struct BlockResult {
    pub(crate) chunk: Base64,
    /// Whether the file ended before the block was full.
    pub(crate) eof: bool,
}

/// `fs/writeBlock`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BlockWritten {
    pub(crate) handle_id: String,
    pub(crate) offset: u64,
    pub(crate) chunk: Base64,
}

/// `fs/createDirectory`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DirectoryMade {
    pub(crate) path: FileUri,
    /// Whether those above it are made; absent for yes.
    pub(crate) recursive: Option<bool>,
    pub(crate) follow_symlinks: Option<bool>,
    pub(crate) sandbox: Option<Unread>,
}

/// The answer to `fs/getMetadata`. Times are milliseconds since 1970.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Metadata {
    pub(crate) is_directory: bool,
    pub(crate) is_file: bool,
    pub(crate) is_symlink: bool,
    pub(crate) size: u64,
    /// 0: wisp's filesystem does not keep it.
    pub(crate) created_at_ms: i64,
    pub(crate) modified_at_ms: i64,
}

/// The answer to `fs/canonicalize`.
#[derive(Debug, Serialize)]
pub(crate) struct Canonical {
    pub(crate) path: FileUri,
}

/// The answer to `fs/readDirectory`.
#[derive(Debug, Serialize)]
pub(crate) struct Entries {
    pub(crate) entries: Vec<Entry>,
}

/// A name in a directory; of a symbolic link, with what it leads to.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entry {
    pub(crate) file_name: String,
    pub(crate) is_directory: bool,
    pub(crate) is_file: bool,
}

/// `fs/walk`.
#[derive(Debug, Deserialize)]
pub(crate) struct Walked {
    pub(crate) path: FileUri,
    pub(crate) options: WalkOptions,
}

/// How far a walk goes.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WalkOptions {
    /// Directories between the top and the last that is read.
    pub(crate) max_depth: u64,
    /// Directories that are read, with the top.
    pub(crate) max_directories: u64,
    /// Names that are looked at.
    pub(crate) max_entries: u64,
    pub(crate) follow_directory_symlinks: bool,
    /// Whether directories whose names begin with a dot are named, and not read.
    #[serde(default)]
    pub(crate) prune_hidden_directories: bool,
}

/// What a walk found.
#[derive(Debug, Default, Serialize)]
pub(crate) struct WalkedResult {
    pub(crate) entries: Vec<WalkEntry>,
    pub(crate) errors: Vec<WalkError>,
    /// Whether there is more.
    pub(crate) truncated: bool,
}

/// A file or directory that a walk found.
#[derive(Debug, Serialize)]
pub(crate) struct WalkEntry {
    pub(crate) path: FileUri,
    pub(crate) kind: WalkKind,
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum WalkKind {
    Directory,
    File,
}

/// What could not be looked at.
#[derive(Debug, Serialize)]
pub(crate) struct WalkError {
    pub(crate) path: FileUri,
    pub(crate) message: String,
}

/// `fs/remove`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Removed {
    pub(crate) path: FileUri,
    /// Whether what is below a directory goes too; absent for yes.
    pub(crate) recursive: Option<bool>,
    /// Whether it is no error if there is nothing; absent for yes.
    pub(crate) force: Option<bool>,
    pub(crate) follow_symlinks: Option<bool>,
    pub(crate) sandbox: Option<Unread>,
}

/// `fs/copy`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Copied {
    pub(crate) source_path: FileUri,
    pub(crate) destination_path: FileUri,
    pub(crate) recursive: bool,
    pub(crate) sandbox: Option<Unread>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_may_be_left_out_is() {
        let opened: Opened = serde_json::from_value(json!({ "handleId": "h", "path": "file:///a", "sandbox": null })).expect("it");
        assert_eq!(opened.mode, OpenMode::Read);
        let replaced = json!({ "handleId": "h", "path": "file:///a", "mode": "replace" });
        assert_eq!(serde_json::from_value::<Opened>(replaced).expect("it").mode, OpenMode::Replace);
        let removed: Removed = serde_json::from_value(json!({ "path": "file:///a" })).expect("it");
        assert_eq!((removed.recursive, removed.force, removed.follow_symlinks), (None, None, None));
        let options = json!({ "maxDepth": 1, "maxDirectories": 2, "maxEntries": 3, "followDirectorySymlinks": true });
        let walked: Walked = serde_json::from_value(json!({ "path": "file:///", "options": options })).expect("it");
        assert!(walked.options.follow_directory_symlinks && !walked.options.prune_hidden_directories);
    }

    #[test]
    fn facts_have_codex_s_names() {
        let facts = Metadata {
            is_directory: false,
            is_file: true,
            is_symlink: false,
            size: 10,
            created_at_ms: 0,
            modified_at_ms: 1_795_854_891_000,
        };
        let told = json!({ "isDirectory": false, "isFile": true, "isSymlink": false, "size": 10, "createdAtMs": 0,
            "modifiedAtMs": 1_795_854_891_000_i64 });
        assert_eq!(serde_json::to_value(facts).expect("JSON"), told);
        let found = WalkEntry { path: FileUri::of("/a b"), kind: WalkKind::Directory };
        assert_eq!(serde_json::to_value(found).expect("JSON"), json!({ "path": "file:///a%20b", "kind": "directory" }));
    }
}
