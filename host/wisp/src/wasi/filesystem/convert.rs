//! Converts the types of the session's filesystem to those of `wasi:filesystem`.

use crate::wasi::bindings::wasi::clocks::wall_clock::Datetime;
use crate::wasi::bindings::wasi::filesystem::types::{DescriptorStat, DescriptorType, ErrorCode, MetadataHashValue, NewTimestamp};
use wisp_vfs::{FileType, FsError, SetTime, Stat};

pub(super) fn error_code(error: FsError) -> ErrorCode {
    match error {
        FsError::NotFound => ErrorCode::NoEntry,
        FsError::Exists => ErrorCode::Exist,
        FsError::NotDirectory => ErrorCode::NotDirectory,
        FsError::IsDirectory => ErrorCode::IsDirectory,
        FsError::NotEmpty => ErrorCode::NotEmpty,
        FsError::Loop => ErrorCode::Loop,
        FsError::NameTooLong => ErrorCode::NameTooLong,
        FsError::IllegalBytes => ErrorCode::IllegalByteSequence,
        FsError::Refused(why) => error_code(why.error()),
        FsError::Access => ErrorCode::Access,
        FsError::NotPermitted => ErrorCode::NotPermitted,
        FsError::ReadOnly => ErrorCode::ReadOnly,
        FsError::NoSpace => ErrorCode::InsufficientSpace,
        FsError::NoDevice => ErrorCode::NoSuchDevice,
        FsError::CrossDevice => ErrorCode::CrossDevice,
        FsError::BadDescriptor => ErrorCode::BadDescriptor,
        FsError::Invalid => ErrorCode::Invalid,
        FsError::FileTooLarge => ErrorCode::FileTooLarge,
        FsError::TooManyLinks => ErrorCode::TooManyLinks,
        FsError::IllegalSeek => ErrorCode::InvalidSeek,
        FsError::Busy => ErrorCode::Busy,
        FsError::Unsupported => ErrorCode::Unsupported,
        FsError::OutOfMemory => ErrorCode::InsufficientMemory,
        FsError::Io => ErrorCode::Io,
    }
}

pub(super) fn descriptor_type(kind: FileType) -> DescriptorType {
    match kind {
        FileType::Regular => DescriptorType::RegularFile,
        FileType::Directory => DescriptorType::Directory,
        FileType::Symlink => DescriptorType::SymbolicLink,
        FileType::CharDevice => DescriptorType::CharacterDevice,
        FileType::Fifo => DescriptorType::Fifo,
        // The adapter for libraries of WASI 0.1 traps on the type of a socket.
        FileType::Socket | FileType::Unknown => DescriptorType::Unknown,
    }
}

pub(super) fn descriptor_stat(stat: &Stat) -> DescriptorStat {
    let time =
        |nanoseconds: u64| Some(Datetime { seconds: nanoseconds / 1_000_000_000, nanoseconds: (nanoseconds % 1_000_000_000) as u32 });
    DescriptorStat {
        type_: descriptor_type(stat.kind),
        link_count: stat.nlink,
        size: stat.size,
        data_access_timestamp: time(stat.atime),
        data_modification_timestamp: time(stat.mtime),
        status_change_timestamp: time(stat.ctime),
    }
}

/// Returns what `metadata-hash` returns: the inode in the lower half, where libc takes it as `st_ino`, and the device in the
/// upper.
pub(super) fn metadata_hash(ino: u64, device: u64) -> MetadataHashValue {
    MetadataHashValue { lower: ino, upper: device }
}

pub(super) fn set_time(time: NewTimestamp) -> SetTime {
    match time {
        NewTimestamp::NoChange => SetTime::Keep,
        NewTimestamp::Now => SetTime::Now,
        NewTimestamp::Timestamp(time) => {
            SetTime::At(time.seconds.saturating_mul(1_000_000_000).saturating_add(u64::from(time.nanoseconds)))
        }
    }
}
