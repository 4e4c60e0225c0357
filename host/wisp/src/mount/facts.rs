//! What the host says about a file, as a mount passes it on.

use cap_std::fs::{FileType as HostType, FileTypeExt as _, Metadata, MetadataExt as _};

use wisp_vfs::{FileType, HostStat};

/// Set-user-ID and set-group-ID: such a program runs with rights other than its caller's.
pub(super) const GIVES_RIGHTS: u32 = 0o6000;

/// Returns the permission bits of a mode from the host.
pub(super) fn plain_mode(mode: u32) -> u32 {
    mode & 0o777
}

pub(super) fn file_type(kind: HostType) -> FileType {
    if kind.is_file() {
        FileType::Regular
    } else if kind.is_dir() {
        FileType::Directory
    } else if kind.is_symlink() {
        FileType::Symlink
    } else if kind.is_fifo() {
        FileType::Fifo
    } else {
        FileType::Unknown
    }
}

pub(super) fn host_stat(metadata: &Metadata, device: u64) -> HostStat {
    let time = |seconds: i64, nanos: i64| {
        let ns = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        // Times before 1970 and after 2554 cannot be represented.
        u64::try_from(ns.max(0)).unwrap_or(u64::MAX)
    };
    HostStat {
        kind: file_type(metadata.file_type()),
        mode: plain_mode(metadata.mode()),
        nlink: metadata.nlink(),
        size: metadata.len(),
        blocks: metadata.blocks(),
        atime: time(metadata.atime(), metadata.atime_nsec()),
        mtime: time(metadata.mtime(), metadata.mtime_nsec()),
        ctime: time(metadata.ctime(), metadata.ctime_nsec()),
        ino: number(metadata.dev(), metadata.ino(), device),
    }
}

/// Returns one number for a file of the mount. If another filesystem of the host is mounted inside, its device is mixed in;
/// otherwise two files could seem to be one.
fn number(device: u64, ino: u64, own: u64) -> u64 {
    let mixed = if device == own { ino } else { ino ^ device.wrapping_mul(0x9e37_79b9_7f4a_7c15) };
    // The highest bit marks files that an overlay made.
    mixed & (u64::MAX >> 1)
}
