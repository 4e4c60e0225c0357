//! Where a file is: in memory or in a mount.

use super::FsError;
use super::inode::{Backing, Directory, Ino, Kind};
use super::mount::{MountAccess, MountRow};
use super::tree::Tree;

/// A path in a host mount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HostPlace {
    pub(super) mount: u32,
    pub(super) path: String,
}

/// A file from which a walk can continue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    Memory(Ino),
    Host(HostPlace),
}

/// Returns the present location of a place: a mount point is the root of its mount; a host path that was copied up is an
/// inode.
pub(super) fn settle(tree: &Tree, place: Place) -> Result<Place, FsError> {
    match &place {
        Place::Memory(ino) => {
            let mount = match &tree.inode(*ino)?.kind {
                Kind::Directory(Directory { backing: Backing::Host(mount), .. }) | Kind::Mounted(mount) => *mount,
                _ => return Ok(place),
            };
            return Ok(Place::Host(HostPlace { mount, path: String::new() }));
        }
        Place::Host(host) => {
            let row = row(tree, host.mount)?;
            if row.access == MountAccess::Overlay {
                let copied = match host.path.is_empty() {
                    true => Some(row.root).filter(|root| !is_single_file(tree, *root)),
                    false => tree.copied_up(host.mount, &host.path),
                };
                if let Some(ino) = copied {
                    return Ok(Place::Memory(ino));
                }
            }
        }
    }
    Ok(place)
}

/// Returns whether a mount that is a single file is there and has not been copied up.
pub(super) fn is_single_file(tree: &Tree, ino: Ino) -> bool {
    tree.inode(ino).is_ok_and(|inode| matches!(inode.kind, Kind::Mounted(_)))
}

/// Returns whether listing or changing this place accesses the host.
pub(super) fn reaches_host(tree: &Tree, place: &Place) -> bool {
    match place {
        Place::Host(_) => true,
        Place::Memory(ino) => {
            is_single_file(tree, *ino)
                || tree.directory(*ino).is_ok_and(|directory| matches!(directory.backing, Backing::Host(_) | Backing::Overlay { .. }))
        }
    }
}

/// Returns the mount with that number; a restore may have removed it.
pub(super) fn row(tree: &Tree, mount: u32) -> Result<&MountRow, FsError> {
    tree.mounts.get(mount as usize).ok_or(FsError::BadDescriptor)
}
