//! Changes the attributes (mode and times) of the file that a path names.

use super::feed::{OnHost, Report};
use super::inode::{Inode, Kind};
use super::mount::{HostMode, Mount, MountAccess};
use super::open::ATTEMPTS;
use super::place::row;
use super::stat::MODE_BITS;
use super::walk::{Target, Walked, change};
use super::{FileType, Fs, FsError, Node, Refused, SetTime};

impl Fs {
    /// Sets the permission bits of the file at `path`. Only its owner may do this. Symbolic links have no bits.
    pub fn set_mode(&self, at: &Node, path: &str, follow: bool, mode: u32) -> Result<(), FsError> {
        let mode = mode & MODE_BITS;
        self.set(
            at,
            path,
            follow,
            |inode, now| {
                if matches!(inode.kind, Kind::Symlink(_) | Kind::ComputedLink(_)) {
                    return Err(FsError::Unsupported);
                }
                if !inode.owned() {
                    return Err(FsError::NotPermitted);
                }
                (inode.mode, inode.ctime) = (mode, now);
                Ok(())
            },
            |source, path| source.set_mode(path, HostMode::new(mode)),
        )
    }

    /// Sets the times of the file at `path`. Its owner may set any time; others who may write the file may set both
    /// times to the present.
    pub fn set_times(&self, at: &Node, path: &str, follow: bool, atime: SetTime, mtime: SetTime) -> Result<(), FsError> {
        self.set(
            at,
            path,
            follow,
            |inode, now| {
                let present = atime == SetTime::Now && mtime == SetTime::Now;
                if !inode.owned() {
                    match (present, inode.allows(2)) {
                        (true, true) => {}
                        (true, false) => return Err(FsError::Access),
                        (false, _) => return Err(FsError::NotPermitted),
                    }
                }
                inode.set_times(atime, mtime, now);
                Ok(())
            },
            |source, path| source.set_times(path, atime, mtime),
        )
    }

    fn set(
        &self,
        at: &Node,
        path: &str,
        follow: bool,
        memory: impl Fn(&mut Inode, u64) -> Result<(), FsError>,
        host: impl Fn(&dyn Mount, &str) -> Result<(), FsError>,
    ) -> Result<(), FsError> {
        for _ in 0..ATTEMPTS {
            let Walked { mut live, last, slash, .. } = self.walk(at, path, follow)?;
            let target = last.target(&mut live)?;
            let is_directory = match &target {
                Target::Memory(ino) => live.tree.directory(*ino).is_ok(),
                Target::Host(_, stat) => stat.kind == FileType::Directory,
                Target::Descriptor(_) => return Err(FsError::NotPermitted),
            };
            if slash && !is_directory {
                return Err(FsError::NotDirectory);
            }
            match target {
                Target::Memory(ino) => {
                    let now = self.now();
                    memory(live.tree.inode_mut(ino)?, now)?;
                    live.report(|| Report::Attributes(ino));
                    return Ok(());
                }
                Target::Host(place, _) => match row(&live.tree, place.mount)?.access {
                    MountAccess::Read => {
                        drop(live);
                        return Err(self.refuse_place(&place, Refused::ReadOnly));
                    }
                    MountAccess::Write => {
                        let done = change(&mut live, place.mount, |source| host(source, &place.path));
                        drop(live);
                        self.answered(&place, done)?;
                        self.report_host(&place, OnHost::Attributes);
                        return Ok(());
                    }
                    MountAccess::Overlay => {
                        drop(live);
                        self.copy_up(&place, true)?;
                    }
                },
                Target::Descriptor(_) => return Err(FsError::NotPermitted),
            }
        }
        Err(FsError::Busy)
    }
}
