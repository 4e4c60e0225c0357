//! Files as they are: facts about one, and lists of those that were found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The type of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileType {
    /// A regular file.
    #[serde(rename = "file")]
    Regular,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A character device of the sandbox.
    #[serde(rename = "device")]
    CharDevice,
    /// A named pipe.
    #[serde(rename = "pipe")]
    Fifo,
    /// A socket that a program bound to a name.
    Socket,
    /// A socket or device file of a host mount. It is never opened.
    #[serde(rename = "special")]
    Unknown,
}

impl FileType {
    /// Returns the name, as JSON has it: `file`, `directory`, `symlink`, `device`, `pipe`, `socket` or `special`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Regular => "file",
            Self::Directory => "directory",
            Self::Symlink => "symlink",
            Self::CharDevice => "device",
            Self::Fifo => "pipe",
            Self::Socket => "socket",
            Self::Unknown => "special",
        }
    }
}

/// The facts about a file, as stat(2) has them. Times are nanoseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stat {
    /// 1 for the session's memory, 2 and up for the mounts.
    pub dev: u64,
    /// Inode number, unique on its device.
    pub ino: u64,
    /// Type of the file; `type` in JSON.
    #[serde(rename = "type")]
    pub kind: FileType,
    /// Permission bits, at most 0o7777. A number: 420 is 0o644.
    pub mode: u32,
    /// Number of hard links (1 for directories of mounts, which do not count their subdirectories).
    pub nlink: u64,
    /// Owner: 0 for the files that the session was given, 1000 for the user's files.
    pub uid: u32,
    /// Group, always equal to `uid`.
    pub gid: u32,
    /// Length in bytes; of a symbolic link, the length of its target.
    #[serde(rename = "size_bytes")]
    pub size: u64,
    /// Storage in use, in units of 512 bytes. Holes use none.
    pub blocks: u64,
    /// Last access. Reading does not change it (as with the mount option `noatime`).
    #[serde(rename = "atime_ns")]
    pub atime: u64,
    /// Last change of the contents.
    #[serde(rename = "mtime_ns")]
    pub mtime: u64,
    /// Last change of contents or attributes.
    #[serde(rename = "ctime_ns")]
    pub ctime: u64,
}

impl Stat {
    /// Returns whether the file is in a mount, not in the session's memory.
    pub fn is_in_mount(&self) -> bool {
        self.dev != 1
    }
}

/// A file that was found. In JSON, its facts stand beside its path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileEntry {
    /// Its absolute path.
    pub path: String,
    /// Facts about it; of a symbolic link, about the link itself.
    #[serde(flatten)]
    pub stat: Stat,
}

impl FileEntry {
    /// Returns its name, without directories.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// Returns whether it is a directory.
    pub fn is_dir(&self) -> bool {
        self.stat.kind == FileType::Directory
    }
}

/// Files that were found, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Listing {
    /// The files, sorted by name; what is in a directory comes after it.
    pub entries: Vec<FileEntry>,
    /// Whether there are more than the call may return.
    pub truncated: bool,
    /// Directories that could not be read, at most a hundred.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
}

/// A line that matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GrepMatch {
    /// The file's absolute path.
    pub path: String,
    /// The line's number, from 1.
    pub line: u64,
    /// Where the first match begins in the line: a number of bytes, from 1.
    pub column: usize,
    /// The line without its end, at most 2,000 bytes of it; U+FFFD where it is not UTF-8.
    pub text: String,
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GrepMatches {
    /// The lines, by path and number.
    pub matches: Vec<GrepMatch>,
    /// Whether a bound ended the search before all files were searched.
    pub truncated: bool,
    /// Files that were searched.
    pub searched: u64,
    /// Files that were skipped because they have a NUL byte.
    pub binary: u64,
    /// Files that were skipped because of their size, the first hundred.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub too_large: Vec<String>,
    /// Files and directories that could not be read, the first hundred.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
}

/// What was unpacked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unpacked {
    /// Files, directories and links.
    pub entries: u64,
    /// Bytes of the files' contents.
    pub bytes: u64,
}

/// What a session stores, and how much it may store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FilesUsage {
    /// Bytes of file contents and of symbolic link targets. Holes are free.
    pub bytes: u64,
    /// The quota of bytes.
    pub max_bytes: u64,
    /// Files, directories, symbolic links, further hard links, and the names that overlay mounts hide.
    pub files: u64,
    /// The quota of files.
    pub max_files: u64,
}
