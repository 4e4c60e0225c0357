//! Checks where a mount may be, and where it ends: it is one filesystem of the host, and not one of the kernel's own.

use std::fs::{File, Metadata as HostMetadata};
use std::io;
use std::os::fd::AsFd;
use std::path::Path;

use cap_std::fs::{Dir, Metadata, MetadataExt as _};
use rustix::fs::{Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

use super::error::host_error;
use wisp_vfs::FsError;

/// Filesystems in which the kernel exposes itself and its processes, by the number that `statfs` returns. Through
/// `/proc` a guest would see wisp's own environment; through others it would change the machine.
const KERNELS: &[(u32, &str)] = &[
    (0x9fa0, "proc"),
    (0x6265_6572, "sysfs"),
    (0x1cd1, "devpts"),
    (0x0027_e0eb, "cgroup"),
    (0x6367_7270, "cgroup2"),
    (0x7472_6163, "tracefs"),
    (0x6462_6720, "debugfs"),
    (0x7363_6673, "securityfs"),
    (0xcafe_4a11, "bpf"),
    (0xf97c_ff8c, "selinuxfs"),
    (0x4341_5d53, "smackfs"),
    (0x6265_6570, "configfs"),
    (0x6165_676c, "pstore"),
    (0xde5e_81e4, "efivarfs"),
    (0x4249_4e4d, "binfmt_misc"),
    (0x6e73_6673, "nsfs"),
    (0x6573_5543, "fusectl"),
    (0x1980_0202, "mqueue"),
    (0x0765_5821, "resctrl"),
];

/// How often a path is checked again that was outside at one moment and inside at the next.
const TRIES: usize = 8;

/// Returns the name of the kernel's filesystem to which `path` belongs, if it is one. Opens only the place.
///
/// # Errors
/// When the path does not exist or is not accessible.
pub(crate) fn kernel_filesystem(path: &Path) -> io::Result<Option<&'static str>> {
    kernels(File::from(rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?))
}

fn kernels(file: impl AsFd) -> io::Result<Option<&'static str>> {
    let found = rustix::fs::fstatfs(file)?.f_type;
    // The numbers have 32 bits; on some machines the field has more.
    let found = found as u32;
    Ok(KERNELS.iter().find(|(number, _)| *number == found).map(|(_, name)| *name))
}

/// Returns an error if `file` belongs to a filesystem of the kernel.
pub(super) fn refuse_kernel_filesystem(file: impl AsFd) -> io::Result<()> {
    match kernels(file)? {
        Some(name) => Err(io::Error::other(format!("it belongs to the kernel's filesystem `{name}`, which is never mounted"))),
        None => Ok(()),
    }
}

/// Returns facts about the file at `path` on the host, symbolic links followed, without opening it.
pub(super) fn look(path: &Path) -> io::Result<HostMetadata> {
    let held = File::from(rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?);
    refuse_kernel_filesystem(&held)?;
    held.metadata()
}

/// Returns facts about the file at `path` beneath `dir`, without following a symbolic link in the last component:
/// `CrossDevice` when it belongs to something that is mounted below. If the kernel cannot report that, the
/// directories' device numbers are compared.
pub(super) fn beneath(dir: &Dir, device: u64, path: &Path) -> Result<Metadata, FsError> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_XDEV;
    for _ in 0..TRIES {
        match rustix::fs::openat2(dir, path, flags, Mode::empty(), resolve) {
            Ok(found) => return Metadata::from_file(&File::from(found)).map_err(host_error),
            // It leads out of the directory (then `cap-std` reports it), or onto another filesystem.
            Err(Errno::XDEV) => {
                dir.symlink_metadata(path).map_err(host_error)?;
            }
            Err(error @ (Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NAMETOOLONG | Errno::ACCESS)) => {
                return Err(host_error(error.into()));
            }
            // A kernel or a filter without the call.
            Err(_) => {
                let metadata = dir.symlink_metadata(path).map_err(host_error)?;
                return if metadata.is_dir() && metadata.dev() != device { Err(FsError::CrossDevice) } else { Ok(metadata) };
            }
        }
    }
    Err(FsError::CrossDevice)
}
